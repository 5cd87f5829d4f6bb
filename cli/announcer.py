"""What is told at the table: the beginning, news, choices, refusals, rules, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruledsl.play.decisions import Refusal
from ruledsl.play.match import Choice, Match
from ruledsl.play.sheets.entries import Entry
from ruledsl.play.sheets.sheet import outcome_of
from ruledsl.play.typed import Typed
from ruledsl.players.outlook import Outlook
from ruledsl.players.seats import Human, Seat
from ruledsl.scene.data import Scene
from ruledsl.scene.scene import news_of, scene_of, stage_of
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Thing
from ruledsl.texts import terminal
from ruledsl.texts.commands import commands_in, topic_meant
from ruledsl.texts.text import Phrases, Text

from .citations import cited, cited_rules, citing
from .drawing.artist import Artist
from .drawing.end import ending_lines
from .drawing.entries import entry_lines
from .drawing.menu import menu_lines
from .drawing.panes import MenuRoom
from .drawing.text import coloured, flow, safe, styled, together, width, wrap
from .hints import Idea
from .multiple_choice import Basket
from .rules_lookup import (
    MOST_PASSAGES,
    MOST_QUOTES,
    cited_in,
    find_passages,
    find_quotes,
    section_called,
    sections_of,
)
from .screen import Screen

MOST_MEANT = 16
"""Choices that are listed of those that an entry can mean."""

MOST_BRANCHES = 8
"""Ways to go on that `try` tells, such as the numbers of a die; more of them say little."""

MOST_LOG = 40
"""Lines of the log that are shown unless all are wanted."""

FEW_GAMES = 100
"""With fewer games, chances are a guess, and that is said."""


def humans_in(seats: Mapping[int, Seat]) -> tuple[int, ...]:
    """The seats of people."""
    return tuple(seat for seat, who in seats.items() if isinstance(who, Human))


def percentages(shares: Sequence[float]) -> list[int]:
    """Whole percentages of shares of one, such that they add up to 100."""
    found = [int(100 * share) for share in shares]
    order = sorted(range(len(shares)), key=lambda at: found[at] - 100 * shares[at])
    for at in order[: 100 - sum(found)]:
        found[at] += 1
    return found


def log_lines(scene: Scene) -> list[str]:
    """All that has happened, a line for each sentence; what came of a choice is indented."""
    lines = []
    for event in scene.happenings:
        if event.text is not None:
            cites = styled(citing(event.cites), "dim")
            lines.append(f"{'' if event.headline else '    '}{safe(event.text)}{cites}")
    return lines


class Announcer:
    """Tells people at the screen about a match; `seats` says who sits where.

    Tables show what lies open, and what a seat once saw only where it lets the program `remember`.
    """

    def __init__(
        self, match: Match, screen: Screen, seats: Mapping[int, Seat], *, remember: bool = False
    ) -> None:
        self.match = match
        self.remember = remember
        self.screen = screen
        self.seats = seats
        self.humans = humans_in(seats)
        self.say = Phrases(match.words.language)
        screen.more = self.say(terminal.READ_ON)
        self.artist = Artist(stage_of(match), match.players)
        self._colours = [seat.colour for seat in scene_of(match, None).seats]
        self._told: dict[int | None, int] = {}
        """how many lines of the log each seat, and whoever looks on, has read"""
        self._seen: dict[int | None, int] = {seat: news_of(match, seat)[0] for seat in self.humans}
        """how much had happened when each last saw the table before its present choice"""

    def player(self, seat: int) -> str:
        return safe(self.match.words.thing(self.match.player(seat)))

    def _colored(self, seat: int) -> str:
        return coloured(self.player(seat), self._colours[seat - 1])

    def _players(self, players: Iterable[Thing]) -> str:
        return ", ".join(self._colored(player.index + 1) for player in players)

    def welcome(self, *, seed_is_known: bool) -> None:
        """What is played, and who plays. Whoever knows the seed knows every hand."""
        match, say = self.match, self.say
        title = safe(match.words.title())
        number = str(match.players)
        line = say(terminal.WELCOME, title=styled(title, "bold"), number=number)
        known = f", {say(terminal.SEED, seed=str(match.seed))}" if seed_is_known else ""
        self.screen.tell(f"{line}{known}")
        options = [
            f"{safe(match.words.name(name, None, match.game.options[name].title))}: "
            f"{safe(match.words.value(value))}"
            for name, value in match.table.options.items()
        ]
        seats = [
            say(self._who(seat), player=self._colored(seat), word=who.word)
            for seat, who in self.seats.items()
        ]
        self.screen.show(flow([*options, *seats], self.screen.columns, gap="   "))
        if self.artist.stage.aim:
            self.screen.tell(say(terminal.AIM, aim=safe(self.artist.stage.aim)), "  ")
        if self.humans:
            self.screen.tell(styled(say(terminal.START), "dim"))

    def _who(self, seat: int) -> Text:
        if seat not in self.humans:
            return terminal.SEAT_COMPUTER
        return terminal.SEAT_HUMAN if len(self.humans) == 1 else terminal.SEAT_PERSON

    def _scene(self, seat: int | None) -> Scene:
        return scene_of(self.match, seat, self._seen.get(seat, 0), remember=self.remember)

    def chosen(self, seat: int) -> None:
        """A seat makes a choice: what happens from now on is new to it."""
        self.seen(seat, news_of(self.match, seat)[0])

    def seen(self, seat: int, told: int) -> None:
        """A seat knows so much of what happened; all else is new to it."""
        self._seen[seat] = told

    def result(self, seat: int | None) -> None:
        """How the game ended, and the table as a seat, or whoever looks on, sees it."""
        playing = bool(self.humans)
        if seat is None:
            self.report()
        self._show(self._scene(seat), playing=playing)
        self.screen.menu(lambda _: [], ())
        if seat is not None:
            self.news(seat)
        self.ending(seat)

    def ending(self, seat: int | None) -> None:
        """Who won, and what decided it."""
        match, say = self.match, self.say
        ending = scene_of(match, seat).ending
        assert ending is not None
        self.screen.show(ending_lines(ending, self._colored, say, self.screen.columns))
        self._quotes(ending.cites)
        self.screen.tell(styled(f"({say(terminal.SEED, seed=str(match.seed))})", "dim"))

    def went_wrong(self, error: RulesError) -> None:
        """Where the rules themselves failed."""
        self.problem(self.say(terminal.RULES_ERROR, message=safe(error.message)))
        span = error.span
        source = self.match.game.sources.get(span.file)
        if source is not None:
            self.screen.tell(f"  {safe(span.file)}:{span.line}")
            self.screen.tell(f"  {safe(source.line(span.line))}", "    ")

    def problem(self, text: str) -> None:
        self.screen.tell(styled(text, "alarm"), "  ")

    def table(self, seat: int) -> None:
        """The table as a seat sees it; what is offered stands out."""
        self._show(self._scene(seat), playing=True)

    def _show(self, scene: Scene, *, playing: bool) -> None:
        self.screen.table(
            lambda columns, rows: self.artist.draw(scene, columns, rows, playing=playing),
            lambda left, right: self.artist.draw_apart(scene, left, right, playing=playing),
        )

    def choices(self, seat: int, basket: Basket | None) -> None:
        """What is to be decided, and what can be chosen."""
        ask = self._scene(seat).ask
        assert ask is not None
        head = list(self._head(seat, several=basket is not None))
        undo = styled(self.say(terminal.CAN_UNDO), "dim") if self.match.can_undo() else ""

        def lines(room: MenuRoom) -> list[str]:
            columns = room.columns
            told = [line for text in head for line in wrap(text, columns, "  ")]
            short = room.brief or room.rows is not None
            beside = f"{told[-1]}  {undo}"
            if short and undo and width(beside) <= columns:
                told[-1] = beside
            rows = None if room.rows is None else room.rows - len(told)
            if basket is None:
                told += menu_lines(
                    ask, columns, self.say, rows, brief=room.brief, chooser=self.player(seat)
                )
            else:
                told += basket.menu(columns)[:rows]
            return [*told, *wrap(undo, columns)] if undo and not short else told

        labels = basket.labels if basket is not None else [each.label for each in ask.options]
        labels += [each.written for each in ask.options if each.written]
        self.screen.menu(lines, [*labels, *commands_in(self.say.language)])

    def _head(self, seat: int, *, several: bool) -> Iterator[str]:
        match, say = self.match, self.say
        decision = match.decision
        assert decision is not None
        prompt = safe(match.prompt)
        turn = coloured(say(terminal.TURN, player=self.player(seat)), self._colours[seat - 1])
        yield f"{turn} {styled(prompt, 'bold')}" if prompt else turn
        if decision.picked:
            yield say(terminal.TAKEN, values=safe(match.words.value(decision.picked)))
        if several:
            exact = decision.least == decision.most
            wanted = terminal.EXACTLY if exact else terminal.BETWEEN
            limits = say(wanted, least=str(decision.least), most=str(decision.most))
            done = match.words.own("done")
            yield styled(say(terminal.SEVERAL, range=limits, done=done), "dim")

    def _menu(self, seat: int, *, everything: bool = False) -> list[str]:
        ask = self._scene(seat).ask
        assert ask is not None
        return menu_lines(
            ask,
            self.screen.columns,
            self.say,
            everything=everything,
            chooser=self.player(seat),
        )

    def all_choices(self, seat: int, basket: Basket | None) -> None:
        """Every choice, however many there are."""
        if basket is None:
            self.screen.show(self._menu(seat, everything=True))
        else:
            self.screen.show(basket.menu(self.screen.columns))

    def report(self) -> None:
        """What happened since, for those who only look on."""
        for text in self._news(None):
            self.screen.tell(f"  {safe(text)}", "    ")

    def _news(self, seat: int | None) -> list[str]:
        """What has happened since a seat, or whoever looks on, was last told; what came of a choice
        stands beside it."""
        told, happenings = news_of(self.match, seat, self._told.get(seat, 0))
        begun = seat in self._told
        self._told[seat] = told
        news: list[str] = []
        for event in happenings:
            begun = begun or event.sort == "chosen"
            if event.text is None or not (event.headline or begun):
                continue  # how the table was laid out can be seen
            if event.headline or not news:
                news.append(event.text)
            else:
                news[-1] += f" {event.text}"
        return news

    def news(self, seat: int) -> None:
        """What happened since this seat last looked."""
        news = self._news(seat)
        if not news:
            return
        # The first of them came of one's own choice.
        first, *others = news
        shown: list[str] = []
        lines = self._lines_of(first)
        for text in reversed(others):
            lines += self._lines_of(text)
            if shown and lines > self.screen.most_news:
                break
            shown.insert(0, safe(text))
        if len(shown) + 1 == len(others):
            shown.insert(0, safe(others[0]))  # to say that it is left out takes a line, too
        elif len(shown) < len(others):
            more = self.say(terminal.MORE_HAPPENED, number=str(len(others) - len(shown)))
            shown.insert(0, styled(more, "dim"))
        texts = [safe(first), *shown]
        self.screen.news(styled(self.say(terminal.HAPPENED), "bold"), texts)

    def _lines_of(self, text: str) -> int:
        return len(wrap(f"  {safe(text)}", self.screen.columns, "    "))

    def wrong(self, typed: Typed, text: str, names: Sequence[str]) -> None:
        """What is wrong with what was typed; `names` are those that could be meant."""
        match typed.problem:
            case "ambiguous":
                self.problem(self.say(terminal.AMBIGUOUS, text=safe(text)))
                for number in typed.fitting[:MOST_MEANT]:
                    self.screen.tell(f"  {number + 1}) {safe(names[number])}", "    ")
                if len(typed.fitting) > MOST_MEANT:
                    self.screen.tell("  …")
            case "illegal":
                for each in (typed, *typed.also):
                    self.problem(self.say(terminal.ILLEGAL, move=safe(each.meant)))
                    self.refusals(each.refusals)
            case "elsewhere":
                assert typed.elsewhere is not None
                found = typed.elsewhere
                says = terminal.ELSEWHERE[found.why]
                self.problem(self.say(says, thing=safe(found.thing), where=safe(found.where)))
            case "not now":
                now = safe(self.match.prompt)
                told = terminal.NOT_NOW_BUT if now else terminal.NOT_NOW
                self.problem(self.say(told, action=safe(typed.meant), question=now))
            case "none left":
                self.problem(self.say(terminal.NONE_LEFT, text=safe(text)))
            case "too many":
                self.problem(self.say(terminal.TOO_MANY, text=safe(text)))
            case _:
                self.problem(self.say(terminal.UNKNOWN, text=safe(text)))

    def refusals(self, refusals: tuple[Refusal, ...]) -> None:
        """Each requirement that is not met, with its citation."""
        told = {
            f"  {safe(self.match.words.said(refusal.says))}{cited(refusal.trail)}": refusal
            for refusal in refusals
            if refusal.says is not None
        }
        for text, refusal in told.items():
            self.screen.tell(text, "    ")
            self._quotes(cited_rules(refusal.trail), "      ")
        if not told:
            self.screen.tell(f"  {self.say(terminal.NO_CHOICE)}", "    ")

    def _quotes(self, rules: Iterable[str], indent: str = "  ", *, headed: bool = False) -> None:
        """What the rulebook says there, as far as it lies beside the game; perhaps under what
        heading, which may say when it holds."""
        for rule in rules:
            said = self.match.words.rule(rule)
            if said is not None:
                heading = f" ({safe(said.section)})" if headed and said.section else ""
                quote = f"{indent}§{safe(rule)}{heading} {safe(said.text)}"
                self.screen.tell(styled(quote, "dim"), f"{indent}  ")

    def preview(self, choice: Choice, seen: Outlook) -> None:
        """What would follow from a choice, and the table then."""
        say = self.say
        self.screen.tell(styled(say(terminal.TRYING, move=safe(choice.label)), "bold"))
        # The choice itself is what was asked about.
        for event in seen.happenings:
            if event.text is not None and event.sort != "chosen":
                self.screen.tell(f"  {safe(event.text)}", "    ")
        if not seen.whole:
            self.screen.tell(f"  {say(terminal.TRYING_OPEN)}", "    ")
        if len(seen.then) <= MOST_BRANCHES:
            for text, times in seen.then:
                self.screen.tell(f"    {times} × {safe(text)}", "      ")
        if seen.tries > 1:
            text = say(terminal.TRIES, number=str(seen.tries))
            self.screen.tell(f"  {styled(text, 'dim')}", "    ")
        scene = seen.scene
        self.screen.for_now(
            lambda columns, rows: self.artist.draw(scene, columns, rows),
            lambda left, right: self.artist.draw_apart(scene, left, right),
        )
        self.screen.tell(styled(say(terminal.TRIED), "dim"))

    def hint(self, seat: int, ideas: Sequence[Idea]) -> None:
        """What a seat could choose, the best first."""
        if not ideas:
            self.screen.tell(self.say(terminal.NO_HINT))
        for proposal, idea in zip((terminal.HINT, terminal.RUNNER_UP), ideas, strict=False):
            moves = ", ".join(safe(move) for move in idea.moves)
            self.screen.tell(f"  {self.say(proposal, move=moves)}", "    ")
            self.screen.tell(f"    {self._chances(seat, idea)}", "      ")
            for text in self._worth(seat, idea):
                self.screen.tell(f"    {text}", "      ")
            if idea.games < FEW_GAMES:
                text = self.say(terminal.FEW_GAMES, number=str(idea.games))
                self.screen.tell(f"    {styled(text, 'dim')}", "      ")

    def _chances(self, seat: int, idea: Idea) -> str:
        say, cut = self.say, round(100 * idea.cut)
        *shares, nobody = percentages([*idea.wins, max(0.0, 1 - sum(idea.wins))])
        names = [say(terminal.YOU) if n == seat else self.player(n) for n in self.seats]
        told = list(zip(names, shares, strict=True))
        told += [(say(terminal.NOBODY), nobody)] if nobody else []
        texts = [together(say(terminal.SHARE, player=name, percent=str(n))) for name, n in told]
        if cut:
            return say(terminal.CUT_CHANCES, percent=str(cut), shares=", ".join(texts))
        return say(terminal.CHANCES, shares=", ".join(texts))

    def _worth(self, seat: int, idea: Idea) -> Iterator[str]:
        """What comes of an idea, where winning is not all that counts or can't be foreseen."""
        match, ranking, places = self.match, self.match.game.ranking, idea.places
        if ranking is not None and ranking.payoff is not None:
            bounds = ranking.payoff.bounds
            low, high = match.table.number(bounds.low), match.table.number(bounds.high)
            mean = low + idea.worth * (high - low)
            yield self.say(terminal.MEAN_POINTS, number=self._decimal(mean))
        elif (match.players > 2 or idea.cut) and min(places) < max(places):
            yield self.say(terminal.MEAN_PLACE, number=self._decimal(places[seat - 1]))

    def _decimal(self, number: float) -> str:
        return f"{number:.1f}".replace(".", self.say(terminal.DECIMAL_POINT))

    def log(self, seat: int, *, everything: bool) -> None:
        """What has happened, with all details."""
        log = log_lines(scene_of(self.match, seat))
        if not log:
            self.screen.tell(self.say(terminal.LOG_EMPTY))
        if len(log) > MOST_LOG and not everything:
            hidden = str(len(log) - MOST_LOG)
            self.screen.tell(styled(self.say(terminal.LOG_MORE, number=hidden), "dim"))
            log = log[-MOST_LOG:]
        for line in log:
            self.screen.tell(line, "      ")

    def rules(self, word: str) -> None:
        """The rules about a word; of none, which parts they have."""
        game, words, language = self.match.game, self.match.words, self.match.words.language
        sections = sections_of(game, language, self.match.players)
        if not word:
            titles = ", ".join(safe(section.title) for section in sections)
            self.screen.tell(self.say(terminal.RULES_PARTS, parts=titles), "  ")
            self.screen.tell(self.say(terminal.RULES_USAGE), "  ")
            return
        topic = topic_meant(word, language)
        if topic is not None:
            self._entries(outcome_of(game, language, topic))
            return
        quotes = find_quotes(words, word)
        section = None if quotes.whole and quotes.rules else section_called(sections, word)
        if section is not None:
            self._entries(section.entries)
        elif quotes.rules:
            shown = len(quotes.rules) if quotes.whole else MOST_QUOTES
            self._quotes(quotes.rules[:shown], headed=not quotes.whole)
            self._also(f"§{rule}" for rule in quotes.rules[shown:])
        else:
            self._passages(word)

    def _passages(self, word: str) -> None:
        """What the rules say about a word, in sentences."""
        match = self.match
        sections = sections_of(match.game, match.words.language, match.players, full=True)
        called, speaking = find_passages(sections, match.words, word)
        found = called or speaking
        if not found:
            self.problem(self.say(terminal.NO_RULES, word=safe(word)))
        quoted = [rule for rule in cited_in(found) if match.words.rule(rule) is not None]
        if quoted:  # the book's own words say more than steps
            self._quotes(quoted, headed=True)
            return
        for passage in found[:MOST_PASSAGES]:
            self._entries(passage.entries)
        others = found[MOST_PASSAGES:] + (speaking if called else [])
        self._also(safe(other.heading) for other in others if other.entries[0].head)

    def _entries(self, entries: Iterable[Entry]) -> None:
        self.screen.show(entry_lines(entries, self.screen.columns))

    def _also(self, names: Iterable[str]) -> None:
        told = ", ".join(dict.fromkeys(names))
        if told:
            self.screen.tell(styled(self.say(terminal.ALSO, names=told), "dim"), "  ")

    def help(self) -> None:
        """What can be typed."""
        say = self.say
        example = safe(self.match.options[0].label)
        self.screen.tell(styled(say(terminal.HELP_TITLE), "bold"))
        self.screen.tell(f"  {say(terminal.HELP_CHOICE, example=example)}", "    ")
        for text in terminal.HELP:
            if text is not terminal.HELP_UNDO or self.match.can_undo():
                self.screen.tell(f"  {say(text)}", "      ")
