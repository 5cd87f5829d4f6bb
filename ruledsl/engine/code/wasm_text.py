"""Prints a module of WebAssembly as text, for whoever develops the engine.

It reads the bytes, so it shows what is really run. The text is in the format of the specification,
one instruction in a line; jumps name how many blocks they leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from ruledsl.engine.code import binary
from ruledsl.engine.code.binary import ACCESS, BRANCHES, CONSTANTS, LOCALS, OPENING, PLAIN, WIDTHS


def printed(module: bytes) -> str:
    """The text of a module that we encoded."""
    return "\n".join(_Module.read(module).lines())


@attrs.define
class _Reader:
    data: bytes
    at: int = 0

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def unsigned(self) -> int:
        return self._number()[0]

    def signed(self) -> int:
        number, bits, last = self._number()
        return number - (1 << bits) if last & 0x40 else number

    def _number(self) -> tuple[int, int, int]:
        """A number without a sign, the bits it has, and its last byte."""
        number = bits = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << bits
            bits += 7
            if byte < 0x80:
                return number, bits, byte

    def text(self) -> str:
        return self.bytes(self.unsigned()).decode()

    def times(self, read: Callable[[], str]) -> list[str]:
        return [read() for _ in range(self.unsigned())]


_WIDTHS = {code[0]: width for width, code in WIDTHS.items()}

_TABLES = (PLAIN, OPENING, BRANCHES, LOCALS, CONSTANTS, ACCESS)
_NAMES = {code: name for table in _TABLES for name, code in table.items()}
_NAMES |= {binary.BR_TABLE: "br_table", binary.CALL: "call"}
_LENGTHS = sorted({len(code) for code in _NAMES})


@attrs.define
class _Module:
    """What the sections of a module say."""

    types: list[str]
    functions: list[int]
    memory: str
    exports: list[str]
    bodies: list[bytes]
    data: list[str]
    names: list[str]

    @staticmethod
    def read(module: bytes) -> _Module:
        reader = _Reader(module, len(binary.MAGIC))
        sections: dict[int, _Reader] = {}
        while reader.at < len(module):
            number = reader.bytes(1)[0]
            sections[number] = _Reader(reader.bytes(reader.unsigned()))
        types, functions = sections[binary.TYPES], sections[binary.FUNCTIONS]
        memory, exports = sections[binary.MEMORY], sections[binary.EXPORTS]
        bodies, data = sections[binary.CODE], sections[binary.DATA]
        return _Module(
            types.times(lambda: _signature(types)),
            [functions.unsigned() for _ in range(functions.unsigned())],
            _memory(memory),
            exports.times(lambda: _export(exports)),
            [bodies.bytes(bodies.unsigned()) for _ in range(bodies.unsigned())],
            data.times(lambda: _piece(data)),
            _names(sections[binary.CUSTOM]),
        )

    def lines(self) -> Iterator[str]:
        yield "(module"
        for at, signature in enumerate(self.types):
            yield f"  (type (;{at};) (func{signature}))"
        for at, (of, body) in enumerate(zip(self.functions, self.bodies, strict=True)):
            yield f"  (func ${self.names[at]} (;{at};) (type {of})"
            yield from self._body(_Reader(body))
            yield "  )"
        yield f"  (memory (;0;) {self.memory})"
        yield from (f"  {export}" for export in self.exports)
        yield from (f"  {piece}" for piece in self.data)
        yield ")"

    def _body(self, reader: _Reader) -> Iterator[str]:
        runs = [(reader.unsigned(), reader.bytes(1)[0]) for _ in range(reader.unsigned())]
        if runs:
            words = " ".join(_WIDTHS[width] for number, width in runs for _ in range(number))
            yield f"    (local {words})"
        depth = 2
        while reader.at < len(reader.data) - 1:  # The last byte ends the function.
            name = _name(reader)
            if name in ("end", "else"):
                depth -= 1
            yield "  " * depth + " ".join((name, *self._parts(name, reader)))
            if name in OPENING or name == "else":
                depth += 1

    def _parts(self, name: str, reader: _Reader) -> Iterator[str]:
        """What belongs to an instruction."""
        if name in OPENING:
            reader.bytes(1)
        elif name in BRANCHES or name in LOCALS:
            yield str(reader.unsigned())
        elif name in CONSTANTS:
            yield str(reader.signed())
        elif name in ACCESS:
            offset = reader.unsigned()
            if offset:
                yield f"offset={offset}"
        elif name == "call":
            yield f"${self.names[reader.unsigned()]}"
        elif name == "br_table":
            yield from reader.times(lambda: str(reader.unsigned()))
            yield str(reader.unsigned())


def _name(reader: _Reader) -> str:
    """The name of the next instruction."""
    for length in _LENGTHS:
        name = _NAMES.get(reader.data[reader.at : reader.at + length])
        if name is not None:
            reader.at += length
            return name
    raise AssertionError(f"no such instruction: {reader.data[reader.at]:#x}")


def _signature(reader: _Reader) -> str:
    reader.bytes(1)
    params = reader.times(lambda: _WIDTHS[reader.bytes(1)[0]])
    results = reader.times(lambda: _WIDTHS[reader.bytes(1)[0]])
    given = f" (param {' '.join(params)})" if params else ""
    return given + (f" (result {' '.join(results)})" if results else "")


def _memory(reader: _Reader) -> str:
    """Pages at first, and at most."""
    reader.bytes(2)
    return f"{reader.unsigned()} {reader.unsigned()}"


def _export(reader: _Reader) -> str:
    name = reader.text()
    what = "memory" if reader.bytes(1)[0] else "func"
    return f'(export "{name}" ({what} {reader.unsigned()}))'


def _piece(reader: _Reader) -> str:
    reader.bytes(2)
    address = reader.signed()
    reader.bytes(1)
    data = "".join(f"\\{byte:02x}" for byte in reader.bytes(reader.unsigned()))
    return f'(data (i32.const {address}) "{data}")'


def _names(reader: _Reader) -> list[str]:
    reader.text()
    reader.bytes(1)
    reader.unsigned()
    names = []
    for _ in range(reader.unsigned()):
        reader.unsigned()
        names.append(reader.text())
    return names
