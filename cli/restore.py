"""A saved game back on the table: its choices are made again, one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import attrs
import click

from ruledsl.library import SUFFIX
from ruledsl.model.allowance import USUAL, Allowance
from ruledsl.play.loading import LoadError, load, load_named
from ruledsl.play.match import Choice, Match
from ruledsl.play.words import Words
from ruledsl.table.errors import RulesError

from .citations import cited
from .completing import files
from .game_arguments import show_mistakes
from .kept_games import named
from .saves import Save, Saved, SavedChoice, SaveError, look, rules_hash
from .terminal import Exit, Refused

rules_option = click.option(
    "--rules",
    shell_complete=files,
    metavar="FILE",
    help="The rules to use, if not those that the save names.",
)


class Outdated(Refused):
    """A choice that the rules don't allow any more."""

    exit_code = Exit.FINDINGS


@attrs.frozen
class Restored:
    """A match at its beginning, and whether its rules are still those it was saved with."""

    match: Match
    same_rules: bool


def open_save(name: str) -> Save:
    """A save to go on with: a file, or a game that is kept under a name."""
    try:
        return Save.open(named(name))
    except SaveError as error:
        raise Refused(str(error)) from error


def look_at_save(name: str) -> Saved:
    """What a file says, or a game that is kept under a name; it stays as it is."""
    try:
        return look(named(name))
    except SaveError as error:
        raise Refused(str(error)) from error


def restart(
    saved: Saved,
    language: str | None = None,
    rules: str | None = None,
    allowance: Allowance = USUAL,
) -> Restored:
    """The match of a save before its first choice.

    `rules` is the file that somebody says is meant. Without it, a save alone can't make anybody
    read a file from elsewhere, unless that has the very rules it was saved with.
    """
    header = saved.header
    named = header.game
    elsewhere = rules is None and not _within_reach(saved)
    try:
        by_name = rules is None and not _is_path(named)
        game = load_named(named) if by_name else load(rules or named)
        match = game.allowing(allowance).start(
            header.players,
            header.variant,
            header.options,
            header.seed,
            language or header.language,
        )
    except LoadError as error:
        if elsewhere:
            raise _out_of_reach(named) from None
        show_mistakes(error)
        hint = f"this save is of a game of `{named}`; nothing was changed in it"
        raise Refused(str(error), hint) from error
    except RulesError as error:
        raise _went_wrong(0, error) from error
    same = rules_hash(match) == header.rules_hash
    if elsewhere and not same:
        raise _out_of_reach(named)
    return Restored(match, same)


def _is_path(game: str) -> bool:
    return game.endswith(SUFFIX) or "/" in game or os.sep in game


def _within_reach(saved: Saved) -> bool:
    """Whether a save names a shipped game, or a rules file beside it or in the current folder."""
    game = saved.header.game
    if not _is_path(game):
        return True
    try:
        file = Path(game).resolve()
        folders = (Path.cwd().resolve(), saved.path.absolute().parent.resolve())
        fine = file.suffix == SUFFIX and (file.is_file() or not file.exists())
    except (OSError, ValueError, RuntimeError):
        return False
    return fine and any(file.is_relative_to(folder) for folder in folders)


def _out_of_reach(game: str) -> Refused:
    return Refused(
        f"this save is of a game of `{game}`, which is not in its folder, or not as it was",
        "`--rules FILE` says which rules to use; nothing was changed in the save",
    )


def choices_again(restored: Restored, saved: Saved, to: int | None = None) -> Iterator[Choice]:
    """Make the saved choices, the first `to` of them; each is handed out just before it is made."""
    match = restored.match
    for number, made in enumerate(saved.choices[:to], 1):
        choice = _same_choice(match, made)
        if choice is None:
            raise _refused(restored, number, made)
        yield choice
        try:
            match.choose(choice)
        except RulesError as error:
            raise _went_wrong(number, error) from error


def restore(
    saved: Saved,
    language: str | None = None,
    to: int | None = None,
    rules: str | None = None,
    allowance: Allowance = USUAL,
) -> Restored:
    """The match of a save after its choices, or the first `to` of them."""
    restored = restart(saved, language, rules, allowance)
    for _ in choices_again(restored, saved, to):
        pass
    return restored


def _same_choice(match: Match, saved: SavedChoice) -> Choice | None:
    """What was chosen, found by its code: the rules may count the options differently by now."""
    if match.seat != saved.seat:
        return None
    fitting = [choice for choice in match.options if choice.code == saved.code]
    return next((choice for choice in fitting if choice.number == saved.number), None) or next(
        iter(fitting), None
    )


def _refused(restored: Restored, number: int, saved: SavedChoice) -> Refused:
    match = restored.match
    what = f"choice {number}, `{saved.code}` of seat {saved.seat},"
    if restored.same_rules:
        return Outdated(
            f"{what} does not fit the rules, which have not changed: the save is damaged",
            "nothing was changed in it",
        )
    return Outdated(
        f"{what} is no longer legal: {_reason(match, saved)}",
        "the rules have changed since; nothing was changed in the save",
    )


def _reason(match: Match, saved: SavedChoice) -> str:
    if match.seat is None:
        return "the game is over before it"
    if match.seat != saved.seat:
        return f"seat {match.seat} decides there"
    refusals = match.why_not(_without_places(saved.code)) or ()
    reasons = [
        f"{match.words.said(refusal.says)}{cited(refusal.trail)} "
        f"({refusal.span.file}:{refusal.span.line})"
        for refusal in refusals
        if refusal.says is not None
    ]
    return " ".join(dict.fromkeys(reasons)) or "it is not among what can be chosen there"


def _without_places(code: str) -> str:
    """A code as somebody would type it: `place(forward@hand(Player(1)), Spot(2))` without hand."""
    kept: list[str] = []
    depth, place_at = 0, -1
    for letter in code:
        depth += (letter == "(") - (letter == ")")
        if depth < place_at or (depth == place_at and letter == ","):
            place_at = -1
        elif letter == "@" and place_at < 0:
            place_at = depth
        if place_at < 0:
            kept.append(letter)
    return "".join(kept)


def _went_wrong(number: int, error: RulesError) -> Refused:
    when = f"after choice {number}" if number else "in the set-up"
    where = f"{error.span.file}:{error.span.line}"
    return Outdated(
        f"{when} the rules go wrong: {error.message} ({where})", "nothing was changed in the save"
    )


def result_lines(match: Match) -> Iterator[str]:
    """The ranks at the end, the best first."""
    words: Words = match.words
    result = match.result
    assert result is not None
    for player, rank in sorted(result.ranks.items(), key=lambda item: (item[1], item[0].index)):
        yield f"{rank}. {words.thing(player)}"
