"""Checked rules as text, for whoever develops what runs them: one line for an expression."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import CheckedGame

_HIDDEN = ("span", "type", "trail", "depth", "prompt", "message")


def outline(node: object) -> str:
    """A node with its parts; names and numbers stand for themselves."""
    match node:
        case core.Local(name=name, number=number):
            return f"{name}.{number}" if name else "_"
        case core.Constant(value=value):
            if isinstance(value, bool):
                return "yes" if value else "no"
            return "none" if value is None else str(value)
        case core.Draw(local=local, domain=domain):
            return f"{outline(local)} in {outline(domain)}"
        case tuple():
            return f"[{', '.join(map(outline, node))}]"
        case str():
            return node
        case None:
            return "-"
        case _ if attrs.has(type(node)):
            fields = attrs.fields(type(node))  # type: ignore[arg-type] # it has some
            names = [field.name for field in fields if field.name not in _HIDDEN]
            parts = [outline(getattr(node, name)) for name in names]
            while parts and parts[-1] in ("-", "[]"):
                parts.pop()  # What is not said at the end need not be shown.
            return f"{type(node).__name__}({', '.join(parts)})"
        case _:
            return str(node)


def statement_lines(block: core.Block, indent: str = "    ") -> Iterator[str]:
    """Statements, a line each; those inside others are indented."""
    for statement in block:
        match statement:
            case core.If(branches=branches):
                for branch in branches:
                    test = (
                        "Else" if branch.condition is None else f"If({outline(branch.condition)})"
                    )
                    yield f"{indent}{test}"
                    yield from statement_lines(branch.body, f"{indent}    ")
            case core.For(body=body) | core.Repeat(body=body) | core.Together(body=body):
                yield indent + outline(attrs.evolve(statement, body=()))
                yield from statement_lines(body, f"{indent}    ")
            case _:
                yield indent + outline(statement)


def game_lines(game: CheckedGame) -> Iterator[str]:
    """All that the rules of a game do."""
    for define in game.defines.values():
        params = ", ".join(outline(param.local) for param in define.params)
        bodies = [body for body in (define.body, *(row.body for row in define.rows)) if body]
        for body in bodies:
            yield f"define {define.name}({params}) = {outline(body)}"
    for step in game.steps.values():
        for block in (step.body, *(row.body for row in step.rows)):
            if block is not None:
                yield f"step {step.name}"
                yield from statement_lines(block)
    for action in game.actions.values():
        yield f"action {action.name}({', '.join(map(outline, action.picks))})"
        yield from statement_lines(action.requirements)
        yield from statement_lines(action.body)
    for trigger in game.triggers.values():
        when = "" if trigger.when is None else f" when {outline(trigger.when)}"
        yield f"trigger {trigger.name}({', '.join(map(outline, trigger.picks))}){when}"
        yield from statement_lines(trigger.body)
