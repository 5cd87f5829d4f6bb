"""A game at the table: whoever decides is asked, and every choice is saved, until it ends."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ruledsl.play.chance import Generator
from ruledsl.play.decisions import DoneOption
from ruledsl.play.match import Choice, Match
from ruledsl.play.typed import Typed, named
from ruledsl.players.outlook import outlook
from ruledsl.players.search import Watch
from ruledsl.players.seats import Human, Search, player_for, seat_of
from ruledsl.players.situation import situation_of
from ruledsl.table.errors import RulesError
from ruledsl.texts import terminal
from ruledsl.texts.commands import command_meant, gives_way
from ruledsl.texts.text import Phrases

from . import kept_games
from .announcer import Announcer, humans_in
from .drawing.text import safe, styled
from .hints import ideas
from .multiple_choice import Basket
from .saves import Header, Save, SavedChoice, SaveError
from .screen import Entry, InputEnded, Screen
from .terminal import Exit, undisturbed

ANSWERED = ("why", "try", "hint", "log", "rules", "list", "save", "help")
"""Commands with an answer in lines, below what was asked."""


class Stopped(Exception):
    """Somebody wants to stop, or can't go on; the code is for the shell."""

    def __init__(self, code: Exit) -> None:
        super().__init__(code)
        self.code = code


class Session:
    """A match with people and computers in its seats.

    `header` is what the match was started with; every choice made goes to `save`, if there is one.
    """

    def __init__(
        self,
        match: Match,
        header: Header,
        screen: Screen,
        save: Save | None = None,
        *,
        seed_is_known: bool = False,
        remember: bool = False,
    ) -> None:
        self.match = match
        self.seed_is_known = seed_is_known
        self.header = header
        self.screen = screen
        self.save = save
        self.say = Phrases(match.words.language)
        sitting = dict(enumerate(map(seat_of, header.seats), 1))
        self.humans = humans_in(sitting)
        self.computers = {seat: who for seat, who in sitting.items() if not isinstance(who, Human)}
        self.announcer = Announcer(match, screen, sitting, remember=remember)
        self._facing: int | None = None
        """the person at the screen"""
        self._basket: Basket | None = None
        """what that person has picked so far in a choice of several"""

    def run(self) -> int:
        """Play to the end, or until somebody stops; the exit code. The save is closed then."""
        try:
            return self._run()
        finally:
            self.screen.leave()
            if self.save is not None:
                self.save.close()

    def _run(self) -> int:
        try:
            self.announcer.welcome(seed_is_known=self.seed_is_known)
            self._play()
            self._finish()
        except Stopped as stopped:
            self.screen.leave()
            self._part()
            return stopped.code
        except InputEnded:
            return self._input_ended()
        except KeyboardInterrupt:
            self.screen.leave()
            self.screen.show([""])
            self.screen.tell(self.say(terminal.INTERRUPTED))
            self._part()
            return Exit.INTERRUPTED
        except RulesError as error:
            self.screen.leave()
            self.announcer.went_wrong(error)
            self._part()
            return Exit.FINDINGS
        except SaveError as error:
            self.screen.leave()
            self.announcer.problem(str(error))
            return Exit.FINDINGS
        return Exit.CLEAN

    def _play(self) -> None:
        while (seat := self.match.seat) is not None:
            if not self.humans:
                self.announcer.report()
            if seat in self.computers:
                self._choose(self.match.options[self._decided(seat)])
            else:
                self._turn(seat)

    def _decided(self, seat: int) -> int:
        """The option that a computer takes."""
        assert self.match.decision is not None
        situation = situation_of(self.match.interpreter, self.match.decision)
        who = self.computers[seat]
        if not isinstance(who, Search):
            return player_for(who, self._generator()).choose(situation)
        says = self.say(terminal.THINKS, player=self.announcer.player(seat))
        if not self.match.asks_openly:
            says = self.say(terminal.SOMEBODY_THINKS)
        with self._thinking(says) as watch:
            option = player_for(who, self._generator(), watch).choose(situation)
        self.screen.forget_typed_ahead()
        return option

    @contextmanager
    def _thinking(self, text: str) -> Iterator[Watch]:
        """Shows how far a search is, until it is done."""
        with self.screen.passing() as show:
            show(styled(text, "dim"))
            yield lambda share: show(styled(f"{text} {int(100 * share)} %", "dim"))

    def _generator(self) -> Generator:
        """Chance for a computer's choice: the same when a game is resumed."""
        return Generator(Generator(self.match.seed).next() ^ len(self.match.history))

    def _finish(self) -> None:
        first = self.humans[0] if self.humans else None
        reader = first if self._facing is None else self._facing
        self.announcer.result(reader)
        if self.screen.leaves_nothing:
            self.screen.wait(self.say(terminal.LEAVE))
            self.screen.leave()
            self.announcer.ending(reader)
        if self.save is not None:
            name = kept_games.short_name(kept_games.end(self.save))
            self.screen.tell(self.say(terminal.LOOK_BACK, file=safe(shlex.quote(name))))

    def _part(self) -> None:
        """Say how to go on."""
        if self.save is None:
            self.screen.tell(self.say(terminal.NOT_SAVED))
        else:
            name = kept_games.short_name(self.save.path)
            kept = kept_games.is_kept(self.save.path)
            said = terminal.KEPT if kept else terminal.SAVED
            self.screen.tell(self.say(said, file=safe(name)))
            self.screen.tell(self.say(terminal.RESUME, file=safe(shlex.quote(name))))

    def _input_ended(self) -> int:
        if self.screen.interactive:
            self.screen.show([""])
            self._part()
            return Exit.CLEAN
        number = len(self.match.history)
        ended = terminal.INPUT_ENDED_AFTER_ONE if number == 1 else terminal.INPUT_ENDED
        self.announcer.problem(self.say(ended, number=str(number)))
        if self.save is not None:
            self._part()
        return Exit.FINDINGS

    def _turn(self, seat: int) -> None:
        """Show the table to a seat, and obey what is typed until the position has changed."""
        if len(self.humans) > 1 and self._facing != seat:
            self.screen.clear()
            typed = self.screen.wait(
                self.say(terminal.HAND_OVER, player=self.announcer.player(seat))
            )
            if command_meant(typed, self.say.language) == "quit":
                raise Stopped(Exit.CLEAN)
        self._facing = seat
        decision = self.match.decision
        assert decision is not None
        collecting = decision.several and not decision.picked
        self._basket = Basket(self.match, decision) if collecting else None
        self.announcer.news(seat)
        self.announcer.table(seat)
        self.announcer.choices(seat, self._basket)
        while not self._obey(self.screen.ask(self.say(terminal.PROMPT)), seat):
            pass

    def _obey(self, entry: Entry, seat: int) -> bool:
        """Do what was typed; whether the position has changed."""
        if not entry.text:
            return False
        word, _, rest = entry.text.partition(" ")
        command = None if self._is_choice(entry.text) else command_meant(word, self.say.language)
        if command in ANSWERED:
            self.screen.echo(entry.text)
        match command:
            case None:
                return self._take(entry)
            case "why":
                self._why(rest.strip())
            case "try":
                self._try(rest.strip())
            case "undo":
                return self._undo()
            case "hint":
                self._hint(seat)
            case "log":
                self.announcer.log(seat, everything=bool(rest.strip()))
            case "rules":
                self.announcer.rules(rest.strip())
            case "look":
                self.announcer.table(seat)
                self.announcer.choices(seat, self._basket)
            case "list":
                self.announcer.all_choices(seat, self._basket)
            case "save":
                self._save_as(rest.strip())
            case "quit":
                self.screen.tell(self.say(terminal.BYE))
                raise Stopped(Exit.CLEAN)
            case "help":
                self.announcer.help()
            case _:
                raise AssertionError(f"no such command: {command}")
        return False

    def _is_choice(self, text: str) -> bool:
        """Whether a line that may begin like a command is a choice all the same."""
        options = self.match.options
        if any(text.casefold() == choice.label.casefold() for choice in options):
            return True
        if " " not in text and not gives_way(text, self.say.language):
            return False
        return len(named(text, [(each.label, "") for each in options])) == 1

    def _take(self, entry: Entry) -> bool:
        """Make the choice that was typed, or say what is wrong with it."""
        if self._basket is not None:
            return self._pick(self._basket, entry)
        typed = self.match.read(entry.text)
        if typed.number is not None:
            for number in (typed.number, *typed.then):
                self._choose(self.match.options[number])
            return True
        names = [choice.label for choice in self.match.options]
        self._refuse(typed, entry, entry.text, names)
        return False

    def _pick(self, basket: Basket, entry: Entry) -> bool:
        """Add to a choice of several; made when it is full, or said to be all."""
        texts = [part.strip() for part in entry.text.split(",") if part.strip()]
        done = basket.is_done(texts[-1]) if texts else False
        wrong = basket.add(texts[:-1] if done else texts)
        if wrong is not None:
            self._refuse(wrong.typed, entry, wrong.text, basket.labels)
            return False
        if basket.enough and (done or basket.full or len(texts) > 1):
            self._make(basket)
            return True
        if basket.taken:
            self.screen.tell(self.say(terminal.TAKEN, values=basket.taken_labels()), "  ")
        missing = basket.decision.least - len(basket.taken)
        if missing > 0:
            self.screen.tell(self.say(terminal.MISSING, number=str(missing)))
        else:
            self.screen.tell(self.say(terminal.ENOUGH, done=self.match.words.own("done")))
        return False

    def _make(self, basket: Basket) -> None:
        """Make a choice of several, pick by pick."""
        self._basket = None
        last = -1
        while (choice := basket.next_choice()) is not None:
            assert self.match.decision is not None
            if len(self.match.decision.picked) <= last:
                return
            last = len(self.match.decision.picked)
            self._choose(choice)
            if isinstance(choice.option, DoneOption):
                return

    def _choose(self, choice: Choice) -> None:
        made = self._made(choice)
        if made.seat in self.humans:
            self.announcer.chosen(made.seat)
        # What follows from a choice may take its time; only the writing must not be torn apart.
        self.match.choose(choice)
        if self.save is not None:
            with undisturbed():
                self.save.add(made)

    def _made(self, choice: Choice) -> SavedChoice:
        assert self.match.seat is not None
        return SavedChoice(choice.number, choice.code, self.match.seat)

    def _refuse(self, typed: Typed, entry: Entry, text: str, names: Sequence[str]) -> None:
        """Say what is wrong with an entry; in a file of moves nothing after it makes sense."""
        if entry.where is not None:
            self.screen.tell(self.say(terminal.IN_LINE, where=safe(entry.where)))
        self.announcer.wrong(typed, text, names)
        if entry.where is not None:
            raise Stopped(Exit.FINDINGS)

    def _why(self, text: str) -> None:
        if not text:
            self.screen.tell(self.say(terminal.WHY_USAGE))
            return
        typed = self.match.read(text)
        move = None if self._basket is None else self._basket.meant(text)
        if move is None and typed.number is not None:
            move = self.match.options[typed.number].label
        if move is not None:
            self.screen.tell(self.say(terminal.ALLOWED, move=safe(move)), "  ")
        elif typed.problem == "ambiguous":
            moves = "; ".join(safe(self.match.options[number].label) for number in typed.fitting)
            self.screen.tell(self.say(terminal.ALLOWED, move=moves), "  ")
        else:
            self._refuse(typed, Entry(text), text, ())

    def _try(self, text: str) -> None:
        """Show what would follow from a choice, as far as its seat may know."""
        typed = None if not text or self._basket is not None else self.match.read(text)
        if typed is None:
            self.screen.tell(self.say(terminal.TRY_USAGE))
        elif typed.number is None:
            self._refuse(typed, Entry(text), text, [each.label for each in self.match.options])
        else:
            choice = self.match.options[typed.number]
            remember = self.announcer.remember
            seen = outlook(self.match, choice.number, self._generator(), remember=remember)
            self.announcer.preview(choice, seen)

    def _undo(self) -> bool:
        if self._basket is not None and self._basket.taken:
            self._basket.taken.clear()
            self.screen.tell(self.say(terminal.UNDONE))
            return False
        if not self.match.can_undo():
            seat = self.match.seat
            chosen = seat is not None and self.match.has_chosen(seat)
            self.announcer.problem(
                self.say(terminal.NO_UNDO if chosen else terminal.NOTHING_TO_UNDO)
            )
            return False
        self._take_back()
        while self.match.decision is not None and self.match.decision.picked:
            self._take_back()
        self.screen.tell(self.say(terminal.UNDONE))
        return True

    def _take_back(self) -> None:
        self.match.undo()
        if self.save is not None:
            self.save.drop_last()

    def _hint(self, seat: int) -> None:
        options = self.match.options
        if len(options) == 1:
            self.screen.tell(self.say(terminal.ONLY_ONE, move=safe(options[0].label)), "  ")
            return
        try:
            with self._thinking(self.say(terminal.THINKING)) as watch:
                found = ideas(self.match, self._generator(), watch)
        except KeyboardInterrupt:
            # It ends the thought, not the game; what was tried out is taken back.
            self.screen.show([""])
            self.screen.tell(self.say(terminal.HINT_ENDED))
            return
        self.announcer.hint(seat, found)

    def _save_as(self, name: str) -> None:
        """Write the game to a new file; from now on every choice goes there."""
        if not name:
            if self.save is None or kept_games.is_kept(self.save.path):
                self.screen.tell(self.say(terminal.SAVE_USAGE))
            else:
                self.screen.tell(self.say(terminal.SAVED_ALREADY, file=safe(str(self.save.path))))
            return
        try:
            fresh = Save.create(Path(name), self.header, self._made_so_far())
        except SaveError as error:
            self.announcer.problem(safe(str(error)))
            return
        if self.save is not None:
            kept_games.forget(self.save)
            self.save.close()
        self.save = fresh
        self.screen.tell(self.say(terminal.SAVED, file=safe(name)))

    def _made_so_far(self) -> list[SavedChoice]:
        """The choices of the match, made again to learn their codes."""
        match = self.match
        history = match.history
        match.replay(())
        made = []
        for number in history:
            made.append(self._made(match.options[number]))
            match.choose(number)
        return made
