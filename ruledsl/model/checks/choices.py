"""Choices that have nothing, or not enough, to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model import core
from ruledsl.model.checks.situations import Situation, Situations
from ruledsl.model.checks.values import Values
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk


def check_choices(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Only what is certain: whether a choice may run empty depends on the game in general."""
    game = elaborated.game
    values = Values(game, named=True)
    shown: list[core.Show] = []
    chosen: list[core.Expr] = []
    for _, statement, here in Situations(game, values).all():
        if isinstance(statement, core.ChooseValue):
            yield from _value(statement, here, values)
            chosen.append(statement.domain)
        elif isinstance(statement, core.ChooseAction):
            chosen.extend(_left_open(game, statement))
        elif isinstance(statement, core.Show):
            shown.append(statement)
        elif isinstance(statement, core.Roll) and _nothing(statement.domain, here, values):
            yield found.empty_choice(statement.domain.span, "this roll")
    for action in game.actions.values():
        for draw in action.picks:
            if values.empty(draw.domain):
                yield found.empty_choice(draw.domain.span, f"the action `{action.name}`")
    if not any(isinstance(part, core.Local) for show in shown for part in walk(show.subject)):
        yield from _blind(game, chosen, shown)


def _left_open(game: CheckedGame, choice: core.ChooseAction) -> Iterator[core.Expr]:
    """What parameters of the actions are chosen from."""
    for offer in choice.offers:
        picks = game.actions[offer.action].picks
        for draw, fixed in zip(picks, offer.arguments, strict=True):
            if fixed is None:
                yield draw.domain


def _blind(
    game: CheckedGame, chosen: Iterable[core.Expr], shown: Iterable[core.Show]
) -> Iterator[Diagnostic]:
    """Choices among pieces that nobody can tell apart, as no rule ever shows them."""
    seen = {
        part.place
        for show in shown
        for part in walk(show.subject)
        if isinstance(part, core.PlaceAt | core.PlacesOf)
    }
    for domain in {each.span: each for each in chosen}.values():
        match domain:
            case core.Contents(core.PlaceAt(place=name)) if name not in seen:
                info = game.kinds[name].place
                if info is not None and info.sight == "hidden":
                    yield found.blind_choice(domain.span, name)


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
