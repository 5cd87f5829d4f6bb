"""A match: a game being played. It is its history; everything else follows by running it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy

import attrs

from ruledsl.model.checks.leaks import asked_secretly
from ruledsl.model.game import CheckedGame
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import ActionOption, Decision, Option, Refusal
from ruledsl.play.events import Chosen, Rolled, Shuffled
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.labels import Labels
from ruledsl.play.log import Line, log_lines
from ruledsl.play.notation import Notation
from ruledsl.play.ranking import Result
from ruledsl.play.running import Run
from ruledsl.play.typed import Typed, read_choice
from ruledsl.play.views import View, view_of
from ruledsl.play.words import Words
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value


class IllegalChoice(Exception):
    """A choice that is not among the options; `refusals` say why."""

    def __init__(self, message: str, refusals: tuple[Refusal, ...] = ()) -> None:
        super().__init__(message)
        self.refusals = refusals


@attrs.frozen
class Choice:
    """An option with its label in the match's language.

    `code` names it independently of the language and of the other options.
    """

    number: int
    label: str
    code: str
    option: Option = attrs.field(repr=False)


@attrs.frozen
class _Mark:
    """Where a choice was made: what undo needs to know about it."""

    seat: Thing
    events: int
    known: frozenset[tuple[Thing, Thing]]


class Match:
    """A game in progress. Seats are numbered from 1."""

    def __init__(
        self,
        game: CheckedGame,
        players: int,
        options: Mapping[str, Value | str] | None = None,
        seed: int = 0,
        language: str = "en",
    ) -> None:
        self.game = game
        self.players = players
        self.seed = seed
        self.settings = dict(options or {})
        self.table = Table(game, players, self.settings)
        self.words = Words(game, language)
        self.history: tuple[int, ...] = ()
        self._restart()

    def _restart(self) -> None:
        self.interpreter = Interpreter(self.table, Dice(Generator(self.seed)))
        self._run: Run = self.interpreter.play()
        self._marks: list[_Mark] = []
        self._advance(None)

    def _advance(self, option: Option | None) -> None:
        try:
            if option is None:
                self.decision: Decision | None = next(self._run)
            else:
                self.decision = self._run.send(option)
        except StopIteration:
            self.decision = None
        self._choices: tuple[Choice, ...] | None = None
        self._labels: Labels | None = None
        self._notation: Notation | None = None

    # ------------------------------------------------------------ whose turn, which options

    @property
    def seat(self) -> int | None:
        """Who decides now; None when the game is over."""
        return None if self.decision is None else self.decision.seat.index + 1

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody who decides now, as far as all may know: several in a simultaneous choice.

        Where it would tell a secret who is asked, anybody may be.
        """
        if self.decision is None:
            return ()
        together = self.decision.together or (self.decision.seat,)
        if not self.asks_openly:
            together = self.interpreter.pos.playing
        return tuple(player.index + 1 for player in together)

    @property
    def asks_openly(self) -> bool:
        """Whether all may know who decides now."""
        decision = self.decision
        return decision is None or decision.span not in asked_secretly(self.game)

    @property
    def prompt(self) -> str:
        """What the one who decides is asked."""
        decision = self.decision
        if decision is None or decision.prompt is None:
            return ""
        interpreter = self.interpreter
        with interpreter.as_chooser(decision.seat):
            says = interpreter.legality.saying(interpreter.pos, decision.prompt, decision.frame)
        return self.words.said(says)

    def prompt_for(self, seat: int | None) -> str:
        """The prompt as a seat may read it: values in it are for the one who is asked."""
        prompt = None if self.decision is None else self.decision.prompt
        if prompt is None:
            return ""
        is_for_all = self.asks_openly and not prompt.values
        return self.prompt if is_for_all or seat == self.seat else ""

    @property
    def options(self) -> tuple[Choice, ...]:
        """The legal choices, in the order of the rules."""
        if self._choices is None:
            options = () if self.decision is None else self.decision.options
            self._choices = tuple(
                Choice(number, self.labels.label(option), self.labels.code(option), option)
                for number, option in enumerate(options)
            )
        return self._choices

    @property
    def labels(self) -> Labels:
        """The options in words and as codes."""
        assert self.decision is not None
        if self._labels is None:
            self._labels = Labels(self.words, self.interpreter, self.decision)
        return self._labels

    @property
    def notation(self) -> Notation:
        """The options as players of the game write them."""
        assert self.decision is not None
        if self._notation is None:
            self._notation = Notation(self.words, self.interpreter, self.decision)
        return self._notation

    # ------------------------------------------------------------ choosing

    def choose(self, choice: Choice | int | str) -> None:
        """Make a choice: an option, its number, or what a person would type.

        What is typed may stand for several choices, one after the other.
        """
        number, *further = self._numbers(choice)
        self._take(number)
        for number in further:
            self._take(number)

    def _take(self, number: int) -> None:
        decision = self.decision
        assert decision is not None
        self._marks.append(
            _Mark(
                decision.seat,
                len(self.interpreter.hands.events),
                self.interpreter.knowledge.known,
            )
        )
        self.history = (*self.history, number)
        option = decision.options[number]
        if isinstance(option, ActionOption):
            option = attrs.evolve(option, written=self.notation.written(option))
        self._advance(option)

    def _numbers(self, choice: Choice | int | str) -> tuple[int, ...]:
        if self.decision is None:
            raise IllegalChoice("the game is over")
        if isinstance(choice, str):
            typed = self.read(choice)
            if typed.number is None:
                raise IllegalChoice(self._objection(typed, choice), typed.refusals)
            return (typed.number, *typed.then)
        number = choice.number if isinstance(choice, Choice) else choice
        if not 0 <= number < len(self.decision.options):
            raise IllegalChoice(f"there is no option {number}")
        if isinstance(choice, Choice) and choice.option != self.decision.options[number]:
            raise IllegalChoice("this option belongs to an earlier position")
        return (number,)

    def _objection(self, typed: Typed, text: str) -> str:
        """Why a text is no choice, for whoever gets it as an error."""
        match typed.problem:
            case "ambiguous":
                fitting = ", ".join(self.options[number].code for number in typed.fitting)
                return f"`{text}` may mean {fitting}"
            case "illegal":
                why = (
                    f"{each.span.file}:{each.span.line}: {self.words.said(each.says)}"
                    for each in typed.refusals
                    if each.says is not None
                )
                return "; ".join((f"the rules refuse `{text}`", *why))
            case _:
                return f"`{text}` is none of the options"

    def read(self, text: str) -> Typed:
        """What somebody typed: an option, or why it is none."""
        assert self.decision is not None
        return read_choice(self, text)

    def why_not(self, text: str) -> tuple[Refusal, ...] | None:
        """Why a choice is not allowed, requirement by requirement; None if it is allowed."""
        typed = self.read(text)
        if typed.number is not None:
            return None
        return typed.refusals

    # ------------------------------------------------------------ looking

    def speak(self, language: str) -> None:
        """Use the words of another language from now on."""
        if language != self.words.language:
            self.words = Words(self.game, language)
            self._choices = self._labels = self._notation = None

    def player(self, seat: int) -> Thing:
        return self.table.things("Player")[seat - 1]

    def view(self, seat: int | None) -> View:
        """What a seat sees and knows; without a seat, what everybody does."""
        return view_of(self.interpreter, None if seat is None else self.player(seat))

    def log(self, seat: int | None) -> tuple[Line, ...]:
        """What happened so far, as a seat may read it, or anybody."""
        viewer = None if seat is None else self.player(seat)
        viewers = self.table.things("Player") if viewer is None else (viewer,)
        events = self.interpreter.perspective(viewer).events
        return tuple(log_lines(events, viewers, self.words))

    @property
    def result(self) -> Result | None:
        return self.interpreter.result

    # ------------------------------------------------------------ going back

    def can_undo(self) -> bool:
        """Whether the last choice can be taken back.

        It can, exactly when its seat has learnt nothing since and nobody else has decided: nothing
        was rolled or shuffled, and no piece became known that the seat did not know.
        """
        if not self._marks:
            return False
        mark = self._marks[-1]
        if self.decision is None or self.decision.seat is not mark.seat:
            return False
        events = self.interpreter.hands.events[mark.events :]
        for event in events:
            if isinstance(event, Rolled | Shuffled):
                return False
            if isinstance(event, Chosen) and event.seat is not mark.seat:
                return False
        learnt = self.interpreter.knowledge.known - mark.known
        return all((mark.seat, piece) in mark.known for _, piece in learnt)

    def has_chosen(self, seat: int) -> bool:
        """Whether there is anything that a seat could take back."""
        return any(mark.seat is self.player(seat) for mark in self._marks)

    def undo(self) -> None:
        """Take back the last choice."""
        if not self.can_undo():
            raise IllegalChoice("the last choice can't be taken back")
        self.replay(self.history[:-1])

    def as_if(self, interpreter: Interpreter) -> Match:
        """The same match, looked at where another interpreter stands; it can't be gone on with."""
        other = copy(self)
        other.interpreter = interpreter
        other.decision = None
        return other

    @contextmanager
    def trying(self, number: int) -> Iterator[None]:
        """For a while, the match after a choice; then everything is as it was."""
        history = self.history
        self.choose(number)
        try:
            yield
        finally:
            self.replay(history)

    def replay(self, history: tuple[int, ...]) -> None:
        """Go to the position after these choices."""
        self.history = ()
        self._restart()
        for number in history:
            self.choose(number)
