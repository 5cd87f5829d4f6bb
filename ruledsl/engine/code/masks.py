"""Words of bits as code: what is in both, in one of them, in none; what comes before something."""

from __future__ import annotations

from ruledsl.engine.code.instructions import Code, Writer

NONE_OF_THEM: Code = ("i64", 0)
ALL_OF_THEM: Code = ("i64", -1)


def and_(left: Code, right: Code) -> Code:
    if left == ALL_OF_THEM or right == NONE_OF_THEM:
        return right
    if right == ALL_OF_THEM or left == NONE_OF_THEM:
        return left
    return ("i64.and", left, right)


def or_(left: Code, right: Code) -> Code:
    if left == NONE_OF_THEM or right == ALL_OF_THEM:
        return right
    if right == NONE_OF_THEM or left == ALL_OF_THEM:
        return left
    return ("i64.or", left, right)


def not_(mask: Code) -> Code:
    match mask:
        case ("i64.xor", inner, ("i64", -1)):
            return inner  # type: ignore[no-any-return]
        case ("i64", int() as word):
            return ("i64", ~word)
        case _:
            return ("i64.xor", mask, ("i64", -1))


def shifted(mask: Code, by: int) -> Code:
    """All bits so far upward; downward if it is negative."""
    if not by:
        return mask
    return ("i64.shl", mask, ("i64", by)) if by > 0 else ("i64.shr_u", mask, ("i64", -by))


def before(w: Writer, stops: Code, downward: Code) -> Code:
    """The bits that come before the first of some, upward or downward."""
    upward = ("i64.sub", ("i64.and", stops, ("i64.sub", ("i64", 0), stops)), ("i64", 1))
    above = ("i64.shl", ("i64", -2), ("i64.sub", ("i64", 63), ("i64.clz", stops)))
    down = ("select", ALL_OF_THEM, above, ("i64.eqz", stops))
    return w.once(("select", down, upward, downward), "i64")
