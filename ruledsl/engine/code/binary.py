"""The binary format of WebAssembly: numbers, opcodes, sections. It knows nothing of our code.

The names of instructions are those of the specification, so low-level code has the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

PAGE = 65536
"""bytes of a page of memory"""

MAGIC = b"\0asm\1\0\0\0"
TYPES, FUNCTIONS, MEMORY, EXPORTS, CODE, DATA = 1, 3, 5, 7, 10, 11
CUSTOM = 0
"""the numbers of sections"""

WIDTHS = {"i32": b"\x7f", "i64": b"\x7e"}
FUNCTION_TYPE = b"\x60"
NO_RESULT = b"\x40"
"""the type of a block that leaves nothing"""


def _numbered(first: int, width: str, names: str) -> dict[str, bytes]:
    return {f"{width}.{name}": bytes([first + at]) for at, name in enumerate(names.split())}


_COMPARISONS = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_ARITHMETIC = (
    "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
)

PLAIN: dict[str, bytes] = {
    "unreachable": b"\x00",
    "else": b"\x05",
    "end": b"\x0b",
    "return": b"\x0f",
    "drop": b"\x1a",
    "select": b"\x1b",
    **_numbered(0x45, "i32", _COMPARISONS),
    **_numbered(0x50, "i64", _COMPARISONS),
    **_numbered(0x67, "i32", _ARITHMETIC),
    **_numbered(0x79, "i64", _ARITHMETIC),
    "i32.wrap_i64": b"\xa7",
    "i64.extend_i32_s": b"\xac",
    "i64.extend_i32_u": b"\xad",
    "memory.copy": b"\xfc\x0a\0\0",
}
"""instructions without a part of their own"""

OPENING = {"block": b"\x02", "loop": b"\x03", "if": b"\x04"}
"""with the type of what they leave"""
BRANCHES = {"br": b"\x0c", "br_if": b"\x0d"}
"""with how many blocks are left"""
BR_TABLE = b"\x0e"
CALL = b"\x10"
LOCALS = {"local.get": b"\x20", "local.set": b"\x21"}
"""with the number of a local"""
CONSTANTS = {"i32.const": b"\x41", "i64.const": b"\x42"}
ACCESS: dict[str, bytes] = {
    "i32.load": b"\x28\x02",
    "i64.load": b"\x29\x03",
    "v128.load": b"\xfd\x00\x04",
    "i32.store": b"\x36\x02",
    "i64.store": b"\x37\x03",
    "v128.store": b"\xfd\x0b\x04",
}
"""with their alignment; an offset follows"""


# ---------------------------------------------------------------- numbers


def unsigned(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first (LEB128)."""
    if number < 0x80:
        return bytes((number,))
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed(number: int) -> bytes:
    """The same with a sign: its last bit is repeated for ever."""
    out = bytearray()
    while not -0x40 <= number < 0x40:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number & 0x7F)
    return bytes(out)


# ---------------------------------------------------------------- parts of a module


def vector(parts: Sequence[bytes]) -> bytes:
    return unsigned(len(parts)) + b"".join(parts)


def text(words: str) -> bytes:
    data = words.encode()
    return unsigned(len(data)) + data


def section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + unsigned(len(content)) + content


def function_names(names: Iterable[str]) -> bytes:
    """A custom section from which debuggers and messages of traps know functions by name."""
    by_number = vector([unsigned(at) + text(name) for at, name in enumerate(names)])
    return section(CUSTOM, text("name") + section(1, by_number))
