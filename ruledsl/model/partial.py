"""Resolve a single declaration of a game: all that is wanted while it is being written."""

from __future__ import annotations

from contextlib import suppress

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model.assemble import Assembly
from ruledsl.model.base import Enough
from ruledsl.model.depth import allow_deep_rules
from ruledsl.model.examples import Examples
from ruledsl.model.languages import languages
from ruledsl.model.looks import looks
from ruledsl.model.notations import notation
from ruledsl.model.symbols import collect
from ruledsl.syntax import ast


def mistakes_of(assembly: Assembly, item: ast.Item) -> tuple[Diagnostic, ...]:
    """What is wrong with one declaration, or with what it changes, and with how the files fit."""
    allow_deep_rules()
    rules = Examples(collect(assembly.declarations))
    further: list[Diagnostic] = []
    with suppress(Enough):  # Of very many, the first are told.
        _resolve(assembly, item, rules, further)
    return (*assembly.diagnostics, *rules.diagnostics, *further)


def _resolve(
    assembly: Assembly, item: ast.Item, rules: Examples, further: list[Diagnostic]
) -> None:
    match item.declaration if isinstance(item, ast.Replace | ast.Extend) else item:
        case ast.Step(name=name) | ast.Hook(sort="step", target=name):
            if name.text in rules.symbols.steps:
                rules.step(name.text)
        case ast.Action(name=name) | ast.Hook(sort="action", target=name):
            if name.text in rules.symbols.actions:
                rules.action(name.text)
        case ast.Trigger() as trigger:
            rules.trigger(trigger)
        case ast.Ranking() as ranking:
            rules.ranking(ranking)
        case ast.Test() as test:
            rules.example(test)
        case ast.Define(name=name):
            for group in rules.define_groups(name.text):
                rules.define(group.key)
        case ast.State(owner=owner, name=name) as state:
            rules.state(name.text if owner is None else f"{owner.text}.{name.text}", state)
        case ast.History() as history:
            rules.history(history)
        case ast.Option() as option:
            rules.option(option)
        case ast.TypeRange() as limits:
            rules.range_bounds(limits)
        case (
            ast.TypeList()
            | ast.TypeTable()
            | ast.TypeProduct()
            | ast.TypeForms()
            | ast.Piece()
            | ast.Place() as kind
        ):
            if kind.name.text in rules.heads:
                rules.kind(rules.heads[kind.name.text])
        case ast.Language():
            reader = None if isinstance(assembly.header, ast.Library) else assembly.header
            names, files = assembly.names, assembly.own_files
            # Which states a table shows only the looks say, in a declaration of their own.
            states = rules.symbols.states
            found = languages(rules.symbols, reader, assembly.game, names, files, (), states)
            further.extend(found[1])
        case ast.Looks() as block:
            further.extend(looks(rules.symbols, (block,), 0, block.span.file)[1])
        case ast.Notation() as written:
            actions = {name: rules.action(name) for name in rules.symbols.actions}
            before = len(rules.diagnostics)
            notation(rules, (written,), actions, written.span.file)
            del rules.diagnostics[:before]
        case _:
            pass
