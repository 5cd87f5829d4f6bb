"""A game at the table: shows it to whoever decides, reads choices, saves them, until it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from ruledsl.play.chance import Generator
from ruledsl.play.decisions import DoneOption, Refusal
from ruledsl.play.match import Choice, Match
from ruledsl.play.typed import Typed
from ruledsl.players.simple import Player, RandomPlayer
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Thing

from .drawing.menu import menu_lines, offered_places
from .drawing.table import Artist
from .drawing.text import flow, safe, seat_style, styled, wrap
from .hints import suggestion
from .lookup import MOST_LINES, Rule, find_rules, source_line
from .phrases import Phrases
from .picking import Basket
from .restore import cited
from .saves import Header, Save, SavedChoice, SaveError
from .screen import Entry, InputEnded, Screen
from .terminal import Exit

HUMAN = "human"

PLAYERS: Mapping[str, Callable[[Generator], Player]] = {"random": RandomPlayer}
"""Computer players by the name they have in `--seats`."""

MOST_NEWS = 12
"""Lines of what has happened that are shown before a choice."""


MOST_LOG = 40
"""Lines of the log that are shown unless all are wanted."""


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
        self, match: Match, header: Header, screen: Screen, save: Save | None = None
    ) -> None:
        self.match = match
        self.header = header
        self.screen = screen
        self.save = save
        self.say = Phrases(match.words.language)
        self.artist = Artist(match.table, match.words)
        self.humans = tuple(n for n, who in enumerate(header.seats, 1) if who == HUMAN)
        self.computers = {
            seat: PLAYERS[who] for seat, who in enumerate(header.seats, 1) if who != HUMAN
        }
        self._told: dict[int, int] = {}
        """how many lines of the log each seat has read"""
        self._facing: int | None = None
        """the person at the screen"""
        self._basket: Basket | None = None
        """what that person has picked so far in a choice of several"""

    def run(self) -> int:
        """Play to the end, or until somebody stops; the exit code. The save is closed then."""
        try:
            return self._run()
        finally:
            if self.save is not None:
                self.save.close()

    def _run(self) -> int:
        try:
            self._welcome()
            self._play()
            self._show_result()
        except Stopped as stopped:
            self._part()
            return stopped.code
        except InputEnded:
            return self._input_ended()
        except KeyboardInterrupt:
            self.screen.show([""])
            self.screen.tell(self.say("interrupted"))
            self._part()
            return Exit.INTERRUPTED
        except RulesError as error:
            self._went_wrong(error)
            self._part()
            return Exit.FINDINGS
        except SaveError as error:
            self._problem(str(error))
            return Exit.FINDINGS
        return Exit.CLEAN

    def _play(self) -> None:
        while (seat := self.match.seat) is not None:
            if seat in self.computers:
                player = self.computers[seat](self._generator())
                number = player.choose(self.match.view(seat), self.match.options)
                self._choose(self.match.options[number])
            else:
                self._turn(seat)

    def _generator(self) -> Generator:
        """Chance for a computer's choice: the same when a game is resumed."""
        return Generator(Generator(self.match.seed).next() ^ len(self.match.history))

    # ------------------------------------------------------------ beginning and end

    def _player(self, seat: int) -> str:
        return styled(safe(self.match.words.thing(self.match.player(seat))), seat_style(seat - 1))

    def _welcome(self) -> None:
        match, say = self.match, self.say
        title = safe(match.words.title())
        number = str(match.players)
        line = say("welcome", title=styled(title, "bold"), number=number, seed=str(match.seed))
        self.screen.tell(line)
        options = [
            f"{safe(match.words.name(name, None, match.game.options[name].title))}: "
            f"{safe(match.words.value(value))}"
            for name, value in match.table.options.items()
        ]
        seats = [
            say(self._who(seat), player=self._player(seat)) for seat in range(1, match.players + 1)
        ]
        self.screen.show(flow([*options, *seats], self.screen.columns, gap="   "))
        if self.humans:
            self.screen.tell(styled(say("start"), "dim"))

    def _who(self, seat: int) -> str:
        if seat in self.computers:
            return "seat computer"
        return "seat human" if len(self.humans) == 1 else "seat person"

    def _show_result(self) -> None:
        match, say = self.match, self.say
        result = match.result
        assert result is not None
        seat = self._facing or (self.humans[0] if self.humans else 1)
        playing = bool(self.humans)
        board = self.artist.draw(match.view(seat), self.screen.columns, playing=playing)
        self.screen.show(["", *board, ""])
        if self.humans:
            self._show_news(seat)
        self.screen.tell(styled(say("over"), "bold"))
        if result.how == "limit":
            self.screen.tell(say("limit"))
        if result.winners:
            names = self._players(result.winners)
            self.screen.tell(say("wins" if len(result.winners) == 1 else "win", players=names))
        else:
            self.screen.tell(say("draw"))
        groups: dict[int, list[Thing]] = {}
        for player, rank in result.ranks.items():
            groups.setdefault(rank, []).append(player)
        counts = match.game.ranking is not None and match.game.ranking.payoff is not None
        for rank, players in sorted(groups.items()):
            points = ", ".join(dict.fromkeys(str(result.payoffs[player]) for player in players))
            name = "rank points" if counts else "rank"
            text = say(name, rank=str(rank), players=self._players(players), points=points)
            self.screen.tell(text)
        self.screen.tell(styled(f"({say('seed', seed=str(match.seed))})", "dim"))
        if self.save is not None:
            self.screen.tell(say("saved", file=safe(str(self.save.path))))

    def _players(self, players: Iterable[Thing]) -> str:
        return ", ".join(self._player(player.index + 1) for player in players)

    def _part(self) -> None:
        """Say how to go on."""
        if self.save is None:
            self.screen.tell(self.say("not saved"))
        else:
            file = safe(str(self.save.path))
            self.screen.tell(self.say("saved", file=file))
            self.screen.tell(self.say("resume", file=file))

    def _input_ended(self) -> int:
        if self.screen.interactive:
            self.screen.show([""])
            self._part()
            return Exit.CLEAN
        number = str(len(self.match.history))
        self._problem(self.say("input ended", number=number))
        if self.save is not None:
            self._part()
        return Exit.FINDINGS

    def _went_wrong(self, error: RulesError) -> None:
        self._problem(self.say("rules error", message=safe(error.message)))
        span = error.span
        source = self.match.game.sources.get(span.file)
        if source is not None:
            self.screen.tell(f"  {safe(span.file)}:{span.line}")
            self.screen.tell(f"  {safe(source.line(span.line))}", "    ")

    def _problem(self, text: str) -> None:
        self.screen.tell(styled(text, "alarm"), "  ")

    # ------------------------------------------------------------ a person's turn

    def _turn(self, seat: int) -> None:
        """Show the table to a seat, and obey what is typed until the position has changed."""
        if len(self.humans) > 1 and self._facing != seat:
            self.screen.clear()
            self.screen.wait(self.say("hand over", player=self._player_plain(seat)))
        self._facing = seat
        decision = self.match.decision
        assert decision is not None
        collecting = decision.several and not decision.picked
        self._basket = Basket(self.match, decision) if collecting else None
        self._show_table(seat)
        self._show_news(seat)
        self._show_choices(seat)
        while not self._obey(self.screen.ask(self.say("prompt")), seat):
            pass

    def _player_plain(self, seat: int) -> str:
        return safe(self.match.words.thing(self.match.player(seat)))

    def _show_table(self, seat: int) -> None:
        columns = self.screen.columns
        offered = offered_places(self.match)
        rule = styled("─" * columns, "dim")
        self.screen.show(["", rule, *self.artist.draw(self.match.view(seat), columns, offered), ""])

    def _show_news(self, seat: int) -> None:
        """What happened since this seat last looked."""
        log = self.match.log(seat)
        before = min(self._told.get(seat, 0), len(log))
        self._told[seat] = len(log)
        news = [line.text for line in log[before:] if line.headline]
        if not news:
            return
        lines = [styled(self.say("happened"), "bold")]
        if len(news) > MOST_NEWS:
            hidden = str(len(news) - MOST_NEWS)
            text = f"  {self.say('more happened', number=hidden)}"
            lines += wrap(styled(text, "dim"), self.screen.columns, "    ")
        for text in news[-MOST_NEWS:]:
            lines += wrap(f"  {safe(text)}", self.screen.columns, "    ")
        self.screen.show([*lines, ""])

    def _show_choices(self, seat: int) -> None:
        match, say = self.match, self.say
        decision = match.decision
        assert decision is not None
        prompt = safe(match.prompt)
        turn = styled(say("turn", player=self._player_plain(seat)), seat_style(seat - 1))
        self.screen.tell(f"{turn} {styled(prompt, 'bold')}" if prompt else turn)
        if decision.picked:
            taken = safe(match.words.value(decision.picked))
            self.screen.tell(say("taken", values=taken), "  ")
        if self._basket is None:
            self.screen.show(menu_lines(match, self.screen.columns))
        else:
            name = "exactly" if decision.least == decision.most else "between"
            limits = say(name, least=str(decision.least), most=str(decision.most))
            done = match.words.own("done")
            self.screen.tell(styled(say("several", range=limits, done=done), "dim"))
            self.screen.show(self._basket.menu(self.screen.columns))
        if match.can_undo():
            self.screen.tell(styled(say("can undo"), "dim"))

    # ------------------------------------------------------------ what was typed

    def _obey(self, entry: Entry, seat: int) -> bool:
        """Do what was typed; whether the position has changed."""
        if not entry.text:
            return False
        exact = {name.casefold() for choice in self.match.options for name in (choice.label,)}
        word, _, rest = entry.text.partition(" ")
        command = None if entry.text.casefold() in exact else self.say.command(word)
        match command:
            case None:
                return self._take(entry)
            case "why":
                self._why(rest.strip())
            case "undo":
                return self._undo()
            case "hint":
                self._hint()
            case "log":
                self._show_log(seat, everything=bool(rest.strip()))
            case "rules":
                self._show_rules(rest.strip())
            case "look":
                self._show_table(seat)
                self._show_choices(seat)
            case "save":
                self._save_as(rest.strip())
            case "quit":
                self.screen.tell(self.say("bye"))
                raise Stopped(Exit.CLEAN)
            case "help":
                self._show_help()
            case _:
                raise AssertionError(f"no such command: {command}")
        return False

    def _take(self, entry: Entry) -> bool:
        """Make the choice that was typed, or say what is wrong with it."""
        if self._basket is not None:
            return self._pick(self._basket, entry)
        typed = self.match.read(entry.text)
        if typed.number is not None:
            self._choose(self.match.options[typed.number])
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
            self.screen.tell(self.say("taken", values=basket.taken_labels()), "  ")
        missing = basket.decision.least - len(basket.taken)
        if missing > 0:
            self.screen.tell(self.say("missing", number=str(missing)))
        else:
            self.screen.tell(self.say("enough", done=self.match.words.own("done")))
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
        self.match.choose(choice)
        if self.save is not None:
            self.save.add(made)

    def _made(self, choice: Choice) -> SavedChoice:
        assert self.match.seat is not None
        return SavedChoice(choice.number, choice.code, self.match.seat)

    # ------------------------------------------------------------ refusals

    def _refuse(self, typed: Typed, entry: Entry, text: str, names: Sequence[str]) -> None:
        """Say what is wrong with an entry; in a file of moves nothing after it makes sense."""
        if entry.where is not None:
            self.screen.tell(self.say("in line", where=safe(entry.where)))
        match typed.problem:
            case "ambiguous":
                self._problem(self.say("ambiguous", text=safe(text)))
                for number in typed.fitting[:MOST_NEWS]:
                    self.screen.tell(f"  {number + 1}) {safe(names[number])}", "    ")
                if len(typed.fitting) > MOST_NEWS:
                    self.screen.tell("  …")
            case "illegal":
                self._problem(self.say("illegal", move=safe(typed.meant)))
                self._show_refusals(typed.refusals)
            case "none left" | "too many" as problem:
                self._problem(self.say(problem, text=safe(text)))
            case _:
                self._problem(self.say("unknown", text=safe(text)))
        if entry.where is not None:
            raise Stopped(Exit.FINDINGS)

    def _show_refusals(self, refusals: tuple[Refusal, ...]) -> None:
        told = dict.fromkeys(
            f"  {safe(self.match.words.text(refusal.message))}{cited(refusal.trail)}"
            for refusal in refusals
            if refusal.message is not None
        )
        for text in told or [f"  {self.say('no choice')}"]:
            self.screen.tell(text, "    ")

    def _why(self, text: str) -> None:
        if not text:
            self.screen.tell(self.say("why usage"))
            return
        typed = self.match.read(text)
        if typed.number is not None:
            move = safe(self.match.options[typed.number].label)
            self.screen.tell(self.say("allowed", move=move), "  ")
        elif typed.problem == "ambiguous":
            moves = "; ".join(safe(self.match.options[number].label) for number in typed.fitting)
            self.screen.tell(self.say("allowed", move=moves), "  ")
        else:
            self._refuse(typed, Entry(text), text, ())

    # ------------------------------------------------------------ commands

    def _undo(self) -> bool:
        if self._basket is not None and self._basket.taken:
            self._basket.taken.clear()
            self.screen.tell(self.say("undone"))
            return False
        if not self.match.can_undo():
            self._problem(self.say("no undo"))
            return False
        self._take_back()
        while self.match.decision is not None and self.match.decision.picked:
            self._take_back()
        self.screen.tell(self.say("undone"))
        return True

    def _take_back(self) -> None:
        self.match.undo()
        if self.save is not None:
            self.save.drop_last()

    def _hint(self) -> None:
        options = self.match.options
        if len(options) == 1:
            self.screen.tell(self.say("only one", move=safe(options[0].label)), "  ")
            return
        self.screen.tell(styled(self.say("thinking"), "dim"))
        best = suggestion(self.match)
        if best is None:
            self.screen.tell(self.say("no hint"))
        else:
            self.screen.tell(self.say("hint", move=safe(options[best].label)), "  ")

    def _show_log(self, seat: int, *, everything: bool) -> None:
        log = self.match.log(seat)
        if not log:
            self.screen.tell(self.say("log empty"))
        if len(log) > MOST_LOG and not everything:
            hidden = str(len(log) - MOST_LOG)
            self.screen.tell(styled(self.say("log more", number=hidden), "dim"))
            log = log[-MOST_LOG:]
        for line in log:
            text = f"{safe(line.text)}{styled(cited(line.trail), 'dim')}"
            if line.headline:
                self.screen.tell(text, "    ")
            else:
                self.screen.tell(f"    {text}", "      ")

    def _show_rules(self, word: str) -> None:
        if not word:
            example = next(iter(self.match.game.actions.values())).name
            self.screen.tell(self.say("rules usage", word=safe(example)))
            return
        called, speaking = find_rules(self.match.words, word)
        if not called and not speaking:
            self._problem(self.say("no rules", word=safe(word)))
            return
        shown = (called or speaking)[:4]
        for rule in shown:
            self._show_rule(rule)
        others = [rule for rule in (*called, *speaking) if rule not in shown]
        if others:
            names = ", ".join(dict.fromkeys(safe(rule.name) for rule in others))
            self.screen.tell(styled(self.say("also", names=names), "dim"), "  ")

    def _show_rule(self, rule: Rule) -> None:
        self.screen.tell(styled(f"{safe(rule.file)}:{rule.line}", "dim"))
        for line in rule.text[:MOST_LINES]:
            indent = "  " + " " * (len(line) - len(line.lstrip()))
            self.screen.tell(indent + source_line(line, self.screen.columns), indent + "    ")
        if len(rule.text) > MOST_LINES:
            number = str(len(rule.text) - MOST_LINES)
            self.screen.tell(self.say("cut", number=number, file=safe(rule.file)))

    def _save_as(self, name: str) -> None:
        if self.save is not None:
            self.screen.tell(self.say("saved already", file=safe(str(self.save.path))))
            return
        if not name:
            self.screen.tell(self.say("save usage"))
            return
        try:
            self.save = Save.create(Path(name), self.header, self._made_so_far())
        except SaveError as error:
            self._problem(safe(str(error)))
            return
        self.screen.tell(self.say("saved", file=safe(name)))

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

    def _show_help(self) -> None:
        say = self.say
        example = safe(self.match.options[0].label)
        self.screen.tell(styled(say("help title"), "bold"))
        self.screen.tell(f"  {say('help choice', example=example)}", "    ")
        names = ["why", "undo", "hint", "log", "rules", "look", "save", "quit", "help"]
        for name in names:
            if name != "undo" or self.match.can_undo():
                self.screen.tell(f"  {say(f'help {name}')}", "      ")
