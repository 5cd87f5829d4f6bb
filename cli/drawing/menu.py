"""The options of a decision, grouped by action and by first parameter, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ruledsl.scene.data import Ask, Part, SceneOption
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .text import flow, in_columns, safe, styled, together, wrap

MOST_LISTED = 24
"""More fields of a board than this are pointed at by their names, not listed."""
MOST_EXAMPLES = 3
"""Of how options are written."""
MOST_PAIRED = 8
"""More pairs than this are told part by part."""


def menu_lines(ask: Ask, columns: int, say: Phrases, *, everything: bool = False) -> list[str]:
    """What can be chosen now; what stands before a bracket may be typed instead of the words.

    Many fields of a board are counted only, unless `everything` is wanted.
    """
    actions: dict[str, list[SceneOption]] = {}
    single: list[SceneOption] = []
    for option in ask.options:
        # A label may say all of an option.
        if option.label != option.parts[0].label:
            actions.setdefault(option.parts[0].label, []).append(option)
        else:
            single.append(option)
    lines: list[str] = []
    for label, options in actions.items():
        if not everything and _are_fields(options):
            example = safe(options[len(options) // 2].parts[1].label)
            text = say(terminal.MANY, number=str(len(options)), example=example)
            lines += wrap(f"{styled(f'{safe(label)}:', 'bold')} {text}", columns, "  ")
        elif not everything and _is_product(options):
            lines += _product(safe(label), options, columns, say)
        else:
            lines += _action(safe(label), options, columns)
    if not everything and _are_fields(single):
        example = safe(single[len(single) // 2].label)
        text = say(terminal.MANY, number=str(len(single)), example=example)
        lines += wrap(f"  {text}", columns)
    else:
        lines += _single(single, columns)
    return [*lines, *_notation(ask.options, columns, say)]


def _notation(options: Sequence[SceneOption], columns: int, say: Phrases) -> list[str]:
    """That options may be typed as players write them: a few examples, each of another action."""
    written: dict[str, str] = {}
    for option in options:
        if option.written:
            written[option.parts[0].label] = option.written
    if not written:
        return []
    examples = ", ".join(safe(text) for text in [*written.values()][:MOST_EXAMPLES])
    return wrap(styled(say(terminal.WRITTEN, examples=examples), "dim"), columns, "  ")


def _are_fields(options: Sequence[SceneOption]) -> bool:
    """Whether there are many, and all that tells them apart is a place."""
    return len(options) > MOST_LISTED and all(
        len(option.parts) <= 2 and option.parts[-1].touches and not _is_piece(option.parts[-1])
        for option in options
    )


def _is_product(options: Sequence[SceneOption]) -> bool:
    """Whether there are many, and anything of one part goes with anything of the others."""
    telling = _telling(options)
    if len(options) <= MOST_PAIRED or len(telling) < 2:
        return False
    sizes = [len({option.parts[at].label for option in options}) for at in telling]
    return prod(sizes) == len(options)


def _product(label: str, options: Sequence[SceneOption], columns: int, say: Phrases) -> list[str]:
    """What each part can be; one of each is typed."""
    telling = _telling(options)
    example = " ".join(safe(options[len(options) // 2].parts[at].label) for at in telling)
    text = say(terminal.ONE_OF_EACH, example=example)
    lines = wrap(f"{styled(f'{label}:', 'bold')} {text}", columns, "  ")
    for at in telling:
        values = dict.fromkeys(together(_text(option.parts[at])) for option in options)
        first, *rest = values
        lines += flow([f"  {first}", *rest], columns, "    ", gap=" | ")
    return lines


def _is_piece(part: Part) -> bool:
    return any("/" in touched for touched in part.touches)


def numbered(number: int, text: str) -> str:
    return together(f"{styled(f'{number + 1})', 'dim')} {text}")


def _action(label: str, options: Sequence[SceneOption], columns: int) -> list[str]:
    heading = wrap(styled(f"{label}:", "bold"), columns)
    telling = _telling(options)
    if len(telling) == 1:
        items = [numbered(each.number, _text(each.parts[telling[0]])) for each in options]
        return [*heading, *in_columns(items, columns, "  ")]
    by_first: dict[str, list[SceneOption]] = {}
    for option in options:
        by_first.setdefault(_text(option.parts[telling[0]]), []).append(option)
    lines = heading
    few: list[str] = []
    for first, group in by_first.items():
        rest = [
            numbered(each.number, ", ".join(_text(each.parts[at]) for at in telling[1:]))
            for each in group
        ]
        arrow = " →" if _leads(group[0], telling) else ":"
        if len(rest) > 3:
            lines += flow([f"  {first}{arrow}", *rest], columns, "      ")
        else:
            few.append(f"{first}{arrow} {'  '.join(rest)}")
    return lines + in_columns(few, columns, "  ")


def _leads(option: SceneOption, telling: Sequence[int]) -> bool:
    """Whether an option goes from somewhere to somewhere."""
    return f"{option.parts[telling[0]].label} → " in option.label


def _telling(options: Sequence[SceneOption]) -> list[int]:
    """The parts in which options of an action differ; the first where they don't differ at all."""
    most = min(len(option.parts) for option in options)
    telling = [
        at for at in range(1, most) if len({option.parts[at].label for option in options}) > 1
    ]
    return telling or [1]


def _single(options: Sequence[SceneOption], columns: int) -> list[str]:
    """Values, and actions without parameters."""
    if not options:
        return []
    if any(is_number(option) for option in options):
        # A number is typed itself.
        items = [
            option.label if is_number(option) else numbered(option.number, _text(option.parts[0]))
            for option in options
        ]
        return flow([f"  {items[0]}", *items[1:]], columns, "  ")
    return in_columns([numbered(o.number, _text(o.parts[0])) for o in options], columns, "  ")


def is_number(option: SceneOption) -> bool:
    return len(option.parts) == 1 and option.label.removeprefix("-").isdigit()


def _text(part: Part) -> str:
    label = safe(part.label)
    return f"{label} ({safe(part.note)})" if part.note else label
