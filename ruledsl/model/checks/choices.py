"""Choices that have nothing, or not enough, to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.situations import Situation, Situations
from ruledsl.model.checks.values import Values
from ruledsl.model.elaborate import Elaborated


def check_choices(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Only what is certain: whether a choice may run empty depends on the game in general."""
    game = elaborated.game
    values = Values(game, named=True)
    for _, statement, here in Situations(game, values).all():
        if isinstance(statement, core.ChooseValue):
            yield from _value(statement, here, values)
        elif isinstance(statement, core.Roll) and _nothing(statement.domain, here, values):
            yield found.empty_choice(statement.domain.span, "this roll")
    for action in game.actions.values():
        for draw in action.picks:
            if values.empty(draw.domain):
                yield found.empty_choice(draw.domain.span, f"the action `{action.name}`")


def _value(choice: core.ChooseValue, here: Situation, values: Values) -> Iterator[Diagnostic]:
    how_many = choice.how_many
    needed = how_many.word in ("one", "some")
    if how_many.word == "exactly" and how_many.amount is not None:
        wanted = values.numbers(how_many.amount, here.env).least
        most = values.most(choice.domain, here.env)
        needed = wanted is not None and wanted > 0
        if wanted is not None and most is not None and 0 < most < wanted:
            yield found.choice_too_large(how_many.amount.span, wanted, most)
    if needed and choice.otherwise is None and _nothing(choice.domain, here, values):
        yield found.empty_choice(choice.domain.span, "this choice")


def _nothing(domain: core.Expr, here: Situation, values: Values) -> bool:
    return values.empty(domain, here.env) or core.Empty(domain) in here.known
