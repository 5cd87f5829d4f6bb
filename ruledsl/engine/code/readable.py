"""Low-level code as text, for whoever develops the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruledsl.engine.code.instructions import Code, Function, Program, Statement


def program_lines(program: Program) -> Iterator[str]:
    """All functions."""
    for function in program.functions.values():
        yield from function_lines(function)


def function_lines(function: Function) -> Iterator[str]:
    params = ", ".join(f"{name} {width}" for name, width in function.params)
    result = "" if function.result is None else f" -> {function.result}"
    exported = "export " if function.exported else ""
    yield f"{exported}function {function.name}({params}){result}"
    yield from _lines(function.body, "    ")


def expression_text(code: Code) -> str:
    """An operator with its operands; `[address + offset]` is what lies there."""
    match code:
        case int() | str():
            return str(code)
        case ("i64", number):
            return f"{number}L"
        case ("load" | "load64" as width, address, offset):
            wide = "L" if width == "load64" else ""
            return f"[{_address(address, offset)}]{wide}"
        case (name, *operands):
            return f"{name}({', '.join(map(expression_text, operands))})"
        case _:
            raise AssertionError("no such code")


def _address(address: Code, offset: int) -> str:
    if address == 0:
        return str(offset)
    return expression_text(address) + (f" + {offset}" if offset else "")


def _lines(statements: Iterable[Statement], indent: str) -> Iterator[str]:
    inner = f"{indent}    "
    for statement in statements:
        match statement:
            case ("set", name, code):
                yield f"{indent}{name} = {expression_text(code)}"
            case ("store" | "store64" as width, address, offset, code):
                wide = "L" if width == "store64" else ""
                yield f"{indent}[{_address(address, offset)}]{wide} = {expression_text(code)}"
            case ("if", condition, then, otherwise):
                yield f"{indent}if {expression_text(condition)}"
                yield from _lines(then, inner)
                if otherwise:
                    yield f"{indent}else"
                    yield from _lines(otherwise, inner)
            case ("block" | "loop" as word, label, body):
                yield f"{indent}{word} {label}"
                yield from _lines(body, inner)
            case ("dispatch", label, name, blocks):
                yield f"{indent}dispatch {label} by {name}"
                for number, block in enumerate(blocks):
                    yield f"{indent}case {number}"
                    yield from _lines(block, inner)
            case (word, *parts):
                said = [expression_text(part) for part in parts if part is not None]
                yield f"{indent}{word} {', '.join(said)}".rstrip()
            case _:
                raise AssertionError("no such statement")
