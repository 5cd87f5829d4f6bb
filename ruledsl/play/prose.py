"""Rules in plain words: statements as short sentences."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import ActionInfo, CheckedGame, DefineInfo, ParamInfo, TriggerInfo
from ruledsl.model.giving import is_given
from ruledsl.model.symbols import SEEN_WHEN_SPECIALS
from ruledsl.model.types import FlagType, SetType, Type
from ruledsl.model.walk import walk
from ruledsl.play.clauses import Clause
from ruledsl.play.inflection import Phrase, filled, fixed, leading_case
from ruledsl.play.noun_phrases import NounPhrases
from ruledsl.play.phrasing import phrasing
from ruledsl.play.words import Words
from ruledsl.syntax import ast
from ruledsl.texts.sentences import SENTENCES


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
    def telling(self) -> NounPhrases:
        """Words for expressions where no local is in scope."""
        return phrasing(self.words)

    def said(self, node: core.Expr) -> str:
        return self.polished(str(self.telling.said(node)))

    def polished(self, text: str) -> str:
        return self.telling.grammar.polished(text)

    def block(
        self, statements: core.Block, telling: NounPhrases | None = None
    ) -> Iterator[Sentence]:
        teller = _Teller(self, telling or self.telling)
        for sentence in teller.block(statements, 0):
            yield attrs.evolve(sentence, text=ended(begun(self.polished(sentence.text))))

    # ------------------------------------------------------------ procedures

    def procedure(self, name: str) -> str:
        """What a step or action is called, with its values as they are written."""
        info = self.game.steps.get(name) or self.game.actions.get(name)
        return self.words.name(name, None, None if info is None else info.title)

    def referred(self, name: str) -> str:
        """A step or action where it is spoken of."""
        if name in self.game.actions:
            return begun(self.telling.action(name))
        info = self.game.steps.get(name)
        label = self.procedure(name)
        return self.heading(name, info.params) if info is not None and "{" in label else label

    def heading(self, name: str, params: tuple[ParamInfo, ...]) -> str:
        """A step with what it is about."""
        label = self.procedure(name)
        telling = self.telling
        nouns = [telling.local_noun(param.local, param.type) for param in params]
        if "{" in label:
            names = (param.local.name for param in params)
            told = zip(names, map(telling.grammar.the, nouns), strict=True)
            case = leading_case(label)
            return begun(self.polished(filled(label, dict(told), telling.grammar.cases, case)))
        return begun(label) + (f" ({', '.join(noun.one for noun in nouns)})" if nouns else "")

    def knowing(self, params: tuple[ParamInfo, ...]) -> NounPhrases:
        """Words for expressions where these parameters are in scope."""
        telling = self.telling
        for param in params:
            telling = telling.binding(param.local, param.type, "the")
        return telling

    def picks(self, picks: tuple[core.Draw, ...]) -> str:
        """What an action or trigger is about: `an action card in your hand`."""
        telling, texts = self.telling, []
        for draw in picks:
            texts.append(str(telling.chosen("a", draw.domain)))
            telling = telling.binding(draw.local, _one(draw.domain.type), "the")
        return self.polished(", ".join(texts))

    def picked(self, picks: tuple[core.Draw, ...]) -> NounPhrases:
        telling = self.telling
        for draw in picks:
            telling = telling.binding(draw.local, _one(draw.domain.type), "the")
        return telling

    def action(self, info: ActionInfo) -> Iterator[Sentence]:
        """An action's requirements, then what it does."""
        yield from self.block((*info.requirements, *info.body), self.picked(info.picks))

    def defined(self, info: DefineInfo, telling: NounPhrases) -> str:
        """A definition with its parameters: `the home of the player`."""
        arguments = tuple(param.local for param in info.params)
        if isinstance(info.type, FlagType):
            call = core.CallDefine(info.key, arguments, type=info.type)
            return telling.clause(call).told("main") if arguments else self.words.name(info.name)
        return str(telling.said(core.CallDefine(info.key, arguments, type=info.type)))

    def condition(self, trigger: TriggerInfo) -> str:
        assert trigger.when is not None
        clause = self.picked(trigger.picks).clause(trigger.when)
        return self.polished(clause.told("dependent"))

    def seen_when(self, own: core.Local, sight: core.Expr) -> str:
        """When something is seen: by the place, the piece and the one who looks."""
        telling = self.telling.owning(own)
        for local in walk((sight,)):
            if isinstance(local, core.Local) and local.name == "viewer":
                telling = telling.calling(local, telling.grammar.the(telling.own_noun("viewer")))
            elif isinstance(local, core.Local) and local.name in SEEN_WHEN_SPECIALS:
                telling = telling.calling(local, telling.grammar.this(telling.noun_of(local.type)))
        return self.polished(telling.clause(sight).told("dependent"))


def _only_tells(statement: core.Statement) -> bool:
    """Whether a statement changes nothing: what is told of a game is no rule of it."""
    match statement:
        case core.Tell():
            return True
        case core.If(branches=branches):
            return all(_only_tells(each) for branch in branches for each in branch.body)
        case core.For(body=body):
            return all(map(_only_tells, body))
        case _:
            return False


class _Teller:
    """Goes through a block; what it has bound so far has words."""

    def __init__(self, prose: Prose, telling: NounPhrases) -> None:
        self.prose = prose
        self.telling = telling

    def phrase(self, name: str, **parts: Phrase | str) -> str:
        return SENTENCES[name].within(self.telling.language).format(**parts)

    def asked(self, node: core.Expr) -> str:
        return self.telling.clause(node).told("dependent")

    def inner(self, statements: core.Block, depth: int, telling: NounPhrases) -> Iterator[Sentence]:
        yield from _Teller(self.prose, telling).block(statements, depth)

    def block(self, statements: core.Block, depth: int) -> Iterator[Sentence]:
        for statement in statements:
            if not _only_tells(statement):
                yield from self.statement(statement, depth)

    def branch(self, body: core.Block, depth: int) -> Iterator[Sentence]:
        if all(map(_only_tells, body)):
            trail = tuple(mark for each in body for mark in each.trail)
            yield Sentence(depth, self.phrase("no more" if body else "skip"), trail)
        else:
            yield from self.inner(body, depth, self.telling)

    def statement(self, statement: core.Statement, depth: int) -> Iterator[Sentence]:
        trail = statement.trail
        match statement:
            case core.If(
                branches=(core.Branch(condition=None, body=(core.Assign() as given, core.End())),)
            ) if is_given(given.slot.state):
                yield Sentence(depth, self.given(given.value), given.trail)
            case core.Assign(slot=slot) if is_given(slot.state):
                return  # it was taken
            case core.Let(local=local, value=core.ReadState(state=state)) if is_given(state):
                name = self.telling.quoted(self.prose.words.name(local.name))
                yield Sentence(depth, self.phrase("taken", a=name), trail)
            case core.If(branches=branches):
                for number, branch in enumerate(branches):
                    name = "if" if number == 0 else "else if"
                    text = self.phrase("else")
                    if branch.condition is not None:
                        text = self.phrase(name, a=self.asked(branch.condition))
                    yield Sentence(depth, text, branch.trail)
                    yield from self.branch(branch.body, depth + 1)
            case core.For():
                text, telling = self.loop(statement)
                yield Sentence(depth, text, trail)
                yield from self.inner(statement.body, depth + 1, telling)
            case core.Repeat(times=times, running=running, body=body):
                yield Sentence(depth, self.repeated(times, running), trail)
                yield from self.inner(body, depth + 1, self.telling)
            case core.Together(local=local, domain=domain, body=body):
                each = self.telling.chosen("each", domain)
                yield Sentence(depth, self.phrase("together", a=each), trail)
                bound = self.telling.binding(local, _one(domain.type), "this")
                yield from self.inner(body, depth + 1, bound)
            case core.ChooseValue():
                yield from self.choice(statement, depth)
            case core.ChooseAction():
                yield from self.actions(statement, depth)
            case core.Require():
                yield Sentence(depth, self.requirement(statement), trail)
            case core.Let(local=local, value=value):
                yield Sentence(depth, self.let(local, value), trail)
            case core.Roll(target=core.Local() as local, domain=domain):
                drawn = self.telling.chosen("a", domain)
                way = "throw one" if isinstance(domain, core.Interval) else "draw one"
                yield Sentence(depth, self.phrase(way, b=drawn), trail)
                self.telling = self.telling.binding(local, _one(domain.type), "this")
            case _:
                yield Sentence(depth, self.effect(statement), trail)

    def given(self, value: core.Expr) -> str:
        if isinstance(value.type, FlagType) and not isinstance(value, core.Constant):
            return self.phrase("gives whether", a=self.asked(value))
        return self.phrase("gives", a=self.telling.said(value))

    def let(self, local: core.Local, value: core.Expr) -> str:
        if isinstance(value.type, FlagType):
            name = self.telling.quoted(self.prose.words.name(local.name))
            return self.phrase("let", a=name, b=self.telling.clause(value).told("main"))
        said = self.telling.said(value)
        self.telling = self.telling.binding(local, value.type, "the")
        return self.phrase("let", a=self.telling.said(local), b=said)

    def loop(self, statement: core.For) -> tuple[str, NounPhrases]:
        telling, texts = self.telling, []
        last = statement.draws[-1]
        for draw in statement.draws:
            group = telling.group(draw.domain)
            if draw is last and statement.where is not None:
                group = telling.narrowed(group, draw.local, statement.where)
            texts.append(format(telling.with_article("each", group), "acc") + group.ordered)
            telling = telling.binding(draw.local, _one(draw.domain.type), "this")
        text = self.phrase("for", a=fixed(", ".join(texts) + telling.order(statement.order)))
        return text, telling

    def repeated(self, times: core.Expr | None, running: core.Expr | None) -> str:
        if times is not None and running is not None:
            counted = str(self.telling.said(times))
            while_ = "times while" if counted.isdecimal() else "as often while"
            return self.phrase(while_, a=counted, b=self.asked(running))
        if times is not None:
            counted = str(self.telling.said(times))
            return self.phrase("times" if counted.isdecimal() else "as often", a=counted)
        if running is not None:
            return self.phrase("while", a=self.asked(running))
        return self.phrase("repeat")

    # ------------------------------------------------------------ effects

    def effect(self, statement: core.Statement) -> str:
        said, phrase = self.telling.said, self.phrase
        match statement:
            case core.Assign(slot=slot, value=value):
                return self.assigned(slot, value)
            case core.Move(pieces=pieces, target=target, bottom=bottom):
                moved = phrase("move", a=said(pieces), b=self.goal(target))
                return self.bottom(moved, bottom)
            case core.MoveSome(amount=amount, source=source, target=target, bottom=bottom):
                moved = self.some(amount, source, target)
                return self.bottom(moved, bottom)
            case core.MoveAll(source=source, target=target, bottom=bottom):
                origin = said(source)
                if origin.plural:
                    return self.bottom(phrase("move", a=origin, b=self.goal(target)), bottom)
                name = "move all on" if origin.onto else "move all in"
                return self.bottom(phrase(name, a=origin, b=self.goal(target)), bottom)
            case core.Put(pieces=nodes, target=target):
                listed = ", ".join(format(said(node), "acc") for node in nodes)
                return phrase("move", a=fixed(listed), b=self.goal(target))
            case core.Shuffle(place=place):
                return phrase("shuffle", a=said(place))
            case core.Roll(target=core.Slot(state="active")):
                return phrase("roll active")
            case core.Roll(target=target, domain=domain):
                way = "throw" if isinstance(domain, core.Interval) else "roll"
                return phrase(way, a=said(target), b=said(domain))
            case core.Show(subject=subject, viewers=viewers) if isinstance(subject.type, FlagType):
                return phrase("show whether", a=self.asked(subject), b=said(viewers))
            case core.Show(subject=subject, viewers=viewers):
                return phrase("show", a=said(subject), b=said(viewers))
            case core.Record():
                return phrase("record")
            case core.Eliminate(player=player):
                told = said(player)
                return phrase("eliminate you" if told.owner == "you" else "eliminate", a=told)
            case core.Win(players=core.SetOf(items=())):
                return phrase("win none")
            case core.Win(word=word, players=players):
                told = said(players)
                if told.owner == "you":
                    return phrase(f"{word} you")
                return phrase(f"{word} many" if told.plural else word, a=told)
            case core.End(target="game" | "loop" as target):
                return phrase(f"end {target}")
            case core.End(target=target):
                return phrase("end", a=self.prose.referred(target))
            case core.Skip():
                return phrase("skip")
            case core.Call(step=step, arguments=arguments):
                return phrase("step", a=self.telling.called(step, arguments))
            case _:
                return self.telling.labelled(self.telling.written(statement.span))

    def goal(self, target: core.Expr) -> str:
        """Where something is moved: `into the box`, `onto the deck`."""
        phrase = self.telling.said(target)
        way = "joining" if phrase.plural else "onto" if phrase.onto else "into"
        return self.telling.part(way, a=phrase)

    def some(self, amount: core.Expr, source: core.Expr, target: core.Expr) -> str:
        """`move 4 cards from the deck to the hand`"""
        telling = self.telling
        noun = telling.holding(source)
        counted = format(telling.grammar.some(noun, self.number(amount)), "acc")
        origin = telling.part("from", a=telling.said(source))
        return self.phrase("move some", n=counted, a=origin, b=self.goal(target)).replace(
            "from from", "from"
        )

    def number(self, amount: core.Expr) -> str:
        """How many: `4`, `(the number of players)`."""
        number = str(self.telling.said(amount))
        return f"({number})" if " " in number else number

    def bottom(self, text: str, bottom: bool) -> str:
        return self.phrase("bottom", text=text) if bottom else text

    def assigned(self, slot: core.Slot, value: core.Expr) -> str:
        """`set`, `add` or `take`, as it is meant."""
        said, phrase = self.telling.said, self.phrase
        if slot.state == "active":
            following = core.ReadFeature("next", core.Special("active"), ())
            return phrase("next") if value == following else self.becomes(value, "in turn")
        if slot.state == "playing":
            match value:
                case core.Combine("-", core.Special("playing"), core.SetOf(items=(player,))):
                    return self.becomes(player, "out")
                case _:
                    return phrase("set playing", a=said(value))
        target = said(slot)
        match value:
            case core.Arithmetic(sign="+" | "-" as sign, left=left, right=right) if (
                left == core.ReadState(slot.state, slot.subject)
            ):
                return phrase("add" if sign == "+" else "take", a=said(right), b=target)
            case core.Constant(value=bool(flag)) if slot.subject is not None:
                adjective = self.prose.words.name(self.prose.game.states[slot.state].name)
                return self.becomes(slot.subject, "now" if flag else "no longer", adjective)
            case core.Constant(value=bool(flag)):
                label = self.prose.words.name(self.prose.game.states[slot.state].name)
                return phrase("holds" if flag else "holds no more", a=label)
            case core.Constant(value=None):
                return phrase("set none", a=target)
            case _:
                return phrase("set", a=target, b=said(value))

    def becomes(self, subject: core.Expr, way: str, adjective: str = "") -> str:
        """`the card is now complete`, “du bist nun geschützt”"""
        rest = self.phrase(way, a=adjective)
        return Clause(self.telling.language, self.telling.said(subject), "be", rest).told("main")

    # ------------------------------------------------------------ decisions

    def who(self, by: core.Expr | None) -> Phrase:
        return self.telling.said(core.Special("active") if by is None else by)

    def prompt(self, prompt: core.Said | None) -> str:
        if prompt is None or not prompt.text:
            return ""
        text = self.prose.words.text(prompt.text)
        for hole in prompt.holes:
            text = text.replace(f"{{{hole}}}", "…")
        return f": {self.telling.quoted(text)}"

    def choice(self, statement: core.ChooseValue, depth: int) -> Iterator[Sentence]:
        telling = self.telling
        group = telling.group(statement.domain)
        if statement.where is not None:
            group = telling.narrowed(group, statement.element, statement.where)
        single = statement.how_many.word in ("one", "optional")
        amount = statement.how_many.amount
        number = "" if amount is None else self.number(amount)
        among = telling.with_article("a" if single else "some", group, number)
        text = self.phrase(
            {"exactly": "one"}.get(statement.how_many.word, statement.how_many.word),
            who=self.who(statement.by),
            a=among,
            text=self.prompt(statement.prompt),
        )
        yield Sentence(depth, text, statement.trail)
        bound = telling.binding(statement.element, _one(statement.domain.type), "this")
        for requirement in statement.requirements:
            said = _Teller(self.prose, bound).requirement(requirement)
            yield Sentence(depth + 1, said, requirement.trail)
        yield from self.otherwise(statement.otherwise, depth)
        if isinstance(statement.target, core.Local):
            type_ = statement.domain.type if not single else _one(statement.domain.type)
            self.telling = telling.binding(statement.target, type_, "this")

    def actions(self, statement: core.ChooseAction, depth: int) -> Iterator[Sentence]:
        who, text = self.who(statement.by), self.prompt(statement.prompt)
        yield Sentence(depth, self.phrase("action", who=who, text=text), statement.trail)
        for offer in statement.offers:
            info = self.prose.game.actions[offer.action]
            yield Sentence(depth + 1, f"• {begun(self.telling.action(offer.action))}", offer.trail)
            if info.inline:
                body = (*info.requirements, *info.body)
                yield from self.inner(body, depth + 2, self.telling)
            telling = self.telling
            for local, pick in zip(offer.locals, info.picks, strict=True):
                telling = telling.binding(local, _one(pick.domain.type), "the")
            chosen = _Teller(self.prose, telling)
            for requirement in offer.requirements:
                yield Sentence(depth + 2, chosen.requirement(requirement), requirement.trail)
        yield from self.otherwise(statement.otherwise, depth)

    def otherwise(self, block: core.Block | None, depth: int) -> Iterator[Sentence]:
        if block is not None:
            yield Sentence(depth, self.phrase("nothing legal"))
            yield from self.branch(block, depth + 1)

    def requirement(self, requirement: core.Require) -> str:
        """The condition, and what is said if it is not met."""
        condition = self.phrase("require", a=self.asked(requirement.condition))
        return f"{condition}{self.prompt(requirement.message)}"


def _one(type_: Type) -> Type:
    return type_.element if isinstance(type_, SetType) else type_


def begun(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """It ends with a full stop, unless something follows, or it quotes one."""
    return text if text.endswith((":", ".”", ".“", "?”", "?“")) or text[0] in "•→" else f"{text}."
