"""Runs a program in a browser's own WebAssembly, where Python runs in the browser, too."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ruledsl.engine.code.inline import inlined
from ruledsl.engine.code.instructions import Program
from ruledsl.engine.code.wasm import encoded


class BrowserRunner:
    """A program as a module of the page around Python; it has what the other runners have."""

    def __init__(self, program: Program) -> None:
        page: Any = import_module("js")
        ffi: Any = import_module("pyodide.ffi")
        module = page.WebAssembly.Module.new(ffi.to_js(encoded(inlined(program))))
        instance = page.WebAssembly.Instance.new(module, ffi.to_js({}))
        self.traps: tuple[type[Exception], ...] = (ffi.JsException,)
        self._page = page
        self._exports = instance.exports
        # The page tells whole numbers of 32 bits from those of 64, Python does not.
        self._wide = {
            function.name: tuple(width == "i64" for _, width in function.params)
            for function in program.functions.values()
            if function.exported
        }
        self._functions: dict[str, Any] = {}

    def call(self, name: str, *arguments: int) -> int:
        if name not in self._functions:
            self._functions[name] = getattr(self._exports, name)
        given = (
            self._page.BigInt(str(value)) if wide else value
            for value, wide in zip(arguments, self._wide[name], strict=True)
        )
        found = self._functions[name](*given)
        return 0 if found is None else int(found)

    def read(self, address: int, size: int) -> bytes:
        view = self._page.Uint8Array.new(self._exports.memory.buffer, address, size)
        return bytes(view.to_py())

    def write(self, address: int, data: bytes) -> None:
        view = self._page.Uint8Array.new(self._exports.memory.buffer, address, len(data))
        view.assign(data)
