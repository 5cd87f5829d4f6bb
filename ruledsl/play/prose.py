"""Rules in plain words: statements as short sentences, expressions with labels for names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, CheckedGame
from ruledsl.play.sayings import filled
from ruledsl.play.words import Words
from ruledsl.syntax import ast
from ruledsl.table.features import FEATURES
from ruledsl.texts import sentences
from ruledsl.texts.own_words import IN_SENTENCES
from ruledsl.texts.text import Phrases

ASSIGNMENTS = (
    ("add", " to ", sentences.ADD),
    ("take", " from ", sentences.TAKE),
    ("set", " = ", sentences.SET),
)
"""What is written, what stands between both sides, and how it is said."""
AMOUNTS = {
    "one": sentences.ONE,
    "optional": sentences.OPTIONAL,
    "any": sentences.ANY,
    "some": sentences.SOME,
    "exactly": sentences.EXACTLY,
    "up to": sentences.UP_TO,
}
RESULTS = {"win": sentences.WIN, "lose": sentences.LOSE}
WAYS = {"highest": sentences.HIGHEST, "lowest": sentences.LOWEST}

_OF = "\x1f"
_OF_CALL = re.compile(
    r"(?<![\w.])((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*\((?:[^()]|\([^()]*\))*\))\.([A-Za-z_]\w*)(?![\w(])"
)
"""`left_of(house).gap`, to be read as the gap of it"""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*(?!\w*\())*|\s+|.')


@attrs.frozen
class Sentence:
    """A line of prose, so far indented, with the rules it cites."""

    depth: int
    text: str
    trail: ast.Trail = ()


@attrs.frozen
class Prose:
    """Rules of one game in the words of one language."""

    words: Words

    @property
    def game(self) -> CheckedGame:
        return self.words.game

    @property
    def phrase(self) -> Phrases:
        return Phrases(self.words.language)

    # ------------------------------------------------------------ expressions

    def written(self, span: Span) -> str:
        """What stands in the rules file, on one line."""
        source = self.game.sources.get(span.file)
        if source is None or not span.line:
            return ""
        lines = source.text.split("\n")[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        text = " ".join(" ".join(line.partition("#")[0] for line in lines).split())
        return text.replace("( ", "(").replace("{ ", "{")

    def said(self, node: core.Expr | core.Slot | core.Local) -> str:
        """An expression with labels for the names in it."""
        return self.labelled(self.written(node.span))

    def labelled(self, text: str) -> str:
        """A piece of rules text with labels for the names in it."""
        while (turned := _OF_CALL.sub(rf"\2{_OF}\1", text)) != text:
            text = turned
        return "".join(self._token(token) for token in _TOKEN.findall(text))

    def _token(self, token: str) -> str:
        if token.startswith('"'):
            return self.quoted(token[1:-1])
        if token == _OF:
            return f" {self.words.own('of')} "
        if not (token[0].isalpha() or token[0] == "_"):
            return token
        first, *attributes = token.split(".")
        of = f" {self.words.own('of')} "
        named = (self._attribute(name) for name in reversed(attributes))
        return of.join((*named, self.name(first)))

    def _attribute(self, name: str) -> str:
        """The language's own attributes, unless the game declares one of that name."""
        if name in FEATURES and name not in self._declared:
            return self._own(name) or name
        return self.name(name)

    @property
    def _declared(self) -> set[str]:
        columns = {column.name for kind in self.game.kinds.values() for column in kind.columns}
        return columns | {state.name for state in self.game.states.values()}

    def quoted(self, text: str) -> str:
        """A text of the rules in this language."""
        return self.phrase(sentences.QUOTE, a=self.words.text(text))

    def name(self, name: str) -> str:
        """A declared name or one of the language's own words."""
        return self._own(name) or self.words.name(name)

    def _own(self, name: str) -> str | None:
        text = IN_SENTENCES.get(name)
        return None if text is None else self.phrase(text)

    # ------------------------------------------------------------ statements

    def block(self, statements: core.Block, depth: int = 0) -> Iterator[Sentence]:
        for statement in statements:
            yield from self._statement(statement, depth)

    def _statement(self, statement: core.Statement, depth: int) -> Iterator[Sentence]:
        trail = statement.trail
        match statement:
            case core.If(branches=branches):
                for number, branch in enumerate(branches):
                    asked = sentences.IF if number == 0 else sentences.ELSE_IF
                    text = self.phrase(sentences.ELSE)
                    if branch.condition is not None:
                        text = self.phrase(asked, a=self.said(branch.condition))
                    yield Sentence(depth, text, branch.trail)
                    yield from self.block(branch.body, depth + 1)
            case core.For(body=body):
                yield Sentence(depth, self._loop(statement), trail)
                yield from self.block(body, depth + 1)
            case core.Repeat(times=times, running=running, body=body):
                yield Sentence(depth, self._repeat(times, running), trail)
                yield from self.block(body, depth + 1)
            case core.Together(local=local, domain=domain, body=body):
                among = f"{self.name(local.name)} in {self.said(domain)}"
                yield Sentence(depth, self.phrase(sentences.TOGETHER, a=among), trail)
                yield from self.block(body, depth + 1)
            case core.ChooseValue():
                yield from self._choice(statement, depth)
            case core.ChooseAction():
                yield from self._actions(statement, depth)
            case core.Require():
                yield Sentence(depth, self.requirement(statement), trail)
            case _:
                yield Sentence(depth, self._effect(statement), trail)

    def _loop(self, statement: core.For) -> str:
        draws = ", ".join(
            f"{self.name(draw.local.name)} in {self.said(draw.domain)}" for draw in statement.draws
        )
        if statement.where is not None:
            draws += f" {self.name('where')} {self.said(statement.where)}"
        for order in statement.order:
            draws += self.phrase(WAYS[order.way], a=self.said(order.key))
        return self.phrase(sentences.FOR, a=draws)

    def _repeat(self, times: core.Expr | None, running: core.Expr | None) -> str:
        if times is not None and running is not None:
            return self.phrase(sentences.TIMES_WHILE, a=self.said(times), b=self.said(running))
        if times is not None:
            return self.phrase(sentences.TIMES, a=self.said(times))
        if running is not None:
            return self.phrase(sentences.WHILE, a=self.said(running))
        return self.phrase(sentences.REPEAT)

    def _effect(
        self,
        statement: core.Let
        | core.Assign
        | core.Move
        | core.MoveSome
        | core.MoveAll
        | core.Put
        | core.Shuffle
        | core.Roll
        | core.Show
        | core.Record
        | core.Eliminate
        | core.Win
        | core.End
        | core.Skip
        | core.Call,
    ) -> str:
        said, phrase = self.said, self.phrase
        match statement:
            case core.Let(local=local, value=value):
                return phrase(sentences.LET, a=self.name(local.name), b=said(value))
            case core.Assign():
                return self._assigned(statement)
            case core.Move(pieces=pieces, target=target, bottom=bottom):
                return self._bottom(phrase(sentences.MOVE, a=said(pieces), b=said(target)), bottom)
            case core.MoveSome(amount=n, source=source, target=target, bottom=bottom):
                moved = phrase(sentences.MOVE_SOME, n=said(n), a=said(source), b=said(target))
                return self._bottom(moved, bottom)
            case core.MoveAll(source=source, target=target, bottom=bottom):
                return self._bottom(
                    phrase(sentences.MOVE_ALL, a=said(source), b=said(target)), bottom
                )
            case core.Put(pieces=nodes, target=target):
                listed = ", ".join(said(node) for node in nodes)
                return phrase(sentences.MOVE, a=listed, b=said(target))
            case core.Shuffle(place=place):
                return phrase(sentences.SHUFFLE, a=said(place))
            case core.Roll(target=target, domain=domain):
                return phrase(sentences.ROLL, a=said(target), b=said(domain))
            case core.Show(subject=subject, viewers=viewers):
                return phrase(sentences.SHOW, a=said(subject), b=said(viewers))
            case core.Record():
                return phrase(sentences.RECORD)
            case core.Eliminate(player=player):
                return phrase(sentences.ELIMINATE, a=said(player))
            case core.Win(players=core.SetOf(items=())):
                return phrase(sentences.WIN_NONE)
            case core.Win(word=word, players=players):
                return phrase(RESULTS[word], a=said(players))
            case core.End(target="game"):
                return phrase(sentences.END_GAME)
            case core.End(target="loop"):
                return phrase(sentences.END_LOOP)
            case core.End(target=target):
                return phrase(sentences.END, a=self.procedure(target))
            case core.Skip():
                return phrase(sentences.SKIP)
            case core.Call(step=step, arguments=arguments):
                given = ", ".join(said(node) for node in arguments)
                return f"→ {self.procedure(step)}" + (f" ({given})" if given else "")
            case _:
                assert_never(statement)

    def _bottom(self, text: str, bottom: bool) -> str:
        return self.phrase(sentences.BOTTOM, text=text) if bottom else text

    def _assigned(self, statement: core.Assign) -> str:
        """`set`, `add` or `take`, as it is written."""
        text = self.written(statement.span)
        for word, between, sentence in ASSIGNMENTS:
            if text.startswith(f"{word} ") and between in text:
                cut = text.find(between) if word == "set" else text.rfind(between)
                left, right = text[len(word) + 1 : cut], text[cut + len(between) :]
                return self.phrase(sentence, a=self.labelled(left), b=self.labelled(right))
        return self.labelled(text)

    # ------------------------------------------------------------ decisions

    def _who(self, by: core.Expr | None) -> str:
        return self.phrase(sentences.YOU) if by is None else self.said(by)

    def _prompt(self, prompt: core.Said | None) -> str:
        if prompt is None or not prompt.text:
            return ""
        values = zip(prompt.holes, map(self.said, prompt.values), strict=True)
        said = filled(self.words.text(prompt.text), dict(values))
        return f": {self.phrase(sentences.QUOTE, a=said)}"

    def _choice(self, statement: core.ChooseValue, depth: int) -> Iterator[Sentence]:
        among = f"{self.name(statement.element.name)} in {self.said(statement.domain)}"
        if statement.where is not None:
            among += f" {self.name('where')} {self.said(statement.where)}"
        amount = statement.how_many.amount
        text = self.phrase(
            AMOUNTS[statement.how_many.word],
            who=self._who(statement.by),
            a=among,
            n="" if amount is None else self.said(amount),
            text=self._prompt(statement.prompt),
        )
        yield Sentence(depth, text, statement.trail)
        for requirement in statement.requirements:
            yield Sentence(depth + 1, self.requirement(requirement), requirement.trail)
        yield from self._otherwise(statement.otherwise, depth)

    def _actions(self, statement: core.ChooseAction, depth: int) -> Iterator[Sentence]:
        who, text = self._who(statement.by), self._prompt(statement.prompt)
        yield Sentence(depth, self.phrase(sentences.ACTION, who=who, text=text), statement.trail)
        for offer in statement.offers:
            info = self.game.actions[offer.action]
            yield Sentence(depth + 1, f"• {self.words.action(offer.action)}", offer.trail)
            if info.inline:
                yield from self.block((*info.requirements, *info.body), depth + 2)
            for requirement in offer.requirements:
                yield Sentence(depth + 2, self.requirement(requirement), requirement.trail)
        yield from self._otherwise(statement.otherwise, depth)

    def _otherwise(self, block: core.Block | None, depth: int) -> Iterator[Sentence]:
        if block is not None:
            yield Sentence(depth, self.phrase(sentences.NOTHING_LEGAL))
            yield from self.block(block, depth + 1)

    def requirement(self, requirement: core.Require) -> str:
        """The condition, and what is said if it is not met."""
        text = self._prompt(requirement.message)
        return self.phrase(sentences.REQUIRE, a=self.said(requirement.condition), text=text)

    # ------------------------------------------------------------ procedures

    def procedure(self, name: str) -> str:
        """What a step or action is called."""
        info = self.game.steps.get(name)
        return self.words.name(name) if info is None else self.words.step(name)

    def picks(self, picks: tuple[core.Draw, ...]) -> str:
        """What an action or trigger is about: `card in hand of the player, spot in Spot`."""
        return ", ".join(
            f"{self.name(draw.local.name)} in {self.said(draw.domain)}" for draw in picks
        )

    def action(self, info: ActionInfo) -> Iterator[Sentence]:
        """An action's requirements, then what it does."""
        yield from self.block(info.requirements)
        yield from self.block(info.body)
