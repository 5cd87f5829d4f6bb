"""Conditions in plain words: clauses about things."""

from __future__ import annotations

import re

import attrs

from ruledsl.model import core
from ruledsl.model.types import FlagType, MaybeType, Type
from ruledsl.play.clauses import AnyClause, Clause, Joined
from ruledsl.play.inflection import Phrase, filled, fixed
from ruledsl.play.noun_phrases import Group, NounPhrases
from ruledsl.play.query_phrases import QueryPhrases
from ruledsl.play.words import Words

_COMPARED = {"<": "less", "<=": "at most", ">": "more", ">=": "at least", "!=": "not"}


def phrasing(words: Words) -> NounPhrases:
    """Expressions of one game in the words of one language."""
    return NounPhrases(
        words,
        clauses=lambda telling, node: Conditions(telling).clause(node),
        queries=lambda telling, node: QueryPhrases(telling).said(node),
    )


@attrs.frozen
class Conditions:
    """Conditions in the words that are at hand for things."""

    telling: NounPhrases

    def _is(self, subject: Phrase, rest: str) -> Clause:
        return Clause(self.telling.language, subject, "be", rest)

    def clause(self, node: core.Expr) -> AnyClause:
        """A condition as a clause."""
        match node:
            case core.Both(left=left, right=right):
                return Joined(self.telling.part("and"), (self.clause(left), self.clause(right)))
            case core.Either(left=left, right=right):
                return Joined(self.telling.part("or"), (self.clause(left), self.clause(right)))
            case core.Not(operand=core.Query(word="any", draws=(draw,)) as query):
                return self._exists(query, draw, none=True)
            case core.Not(operand=core.Empty(whole=whole)) if not self._is_place(whole):
                phrase = self.telling.with_article("some", self.telling.group(whole))
                there = fixed(self.telling.part("there"), plural=True)
                return Clause(
                    self.telling.language, there, "exist", f"{phrase.bare:acc}", False, phrase.tail
                )
            case core.Not(operand=core.Query(word="all", draws=(draw,), body=body) as query) if (
                body is not None
            ):
                but = (
                    core.Not(body)
                    if query.where is None
                    else core.Both(query.where, core.Not(body))
                )
                some = core.Query("any", (draw,), but, None, (), None, type=query.type)
                return self._exists(some, draw, none=False)
            case core.Not(operand=operand):
                return self._denied(operand)
            case core.Query(word="any", draws=(draw,)):
                return self._exists(node, draw, none=False)
            case core.Query(word="any", draws=(draw, *more), where=where) if not node.order:
                further = core.Query("any", tuple(more), where, None, (), None, type=node.type)
                outer = core.Query("any", (draw,), further, None, (), None, type=node.type)
                return self.clause(outer)
            case core.Can(action=action):
                named = self.telling.quoted(self.telling.action(action))
                return self._is(fixed(named), self.telling.part("possible"))
            case core.Query(word="all", draws=(draw,), body=body) if body is not None:
                return self._every(node, draw, body)
            case core.Empty(whole=core.Contents(place=place) as whole) if self._is_place(whole):
                return self._is(self.telling.said(place), self.telling.part("empty"))
            case core.Empty(whole=whole):
                none = self._no(self.telling.group(whole))
                return Clause(
                    self.telling.language, fixed(self.telling.part("there")), "exist", *none
                )
            case core.Compare(sign=sign, left=left, right=right):
                return self._compared(sign, left, right)
            case core.Member(element=element, whole=core.Special(word="playing")):
                return self._is(self.telling.said(element), self.telling.part("still playing"))
            case core.Member(element=element, whole=core.Contents(place=place)):
                return Clause(
                    self.telling.language,
                    self.telling.said(element),
                    "lie",
                    self.telling.lying(place),
                )
            case core.Member(element=element, whole=whole):
                return self._among(element, whole)
            case core.IsFace(subject=subject, face=face):
                return self._is(self.telling.said(subject), self._shown(face))
            case core.IsKind(subject=subject, kind=kind):
                return self._is(
                    self.telling.said(subject),
                    str(self.telling.grammar.a(self.telling.kind_noun(kind))),
                )
            case core.ReadState(subject=subject) | core.ReadColumn(subject=subject) if isinstance(
                _plain(node.type), FlagType
            ):
                return self._flag(node, subject)
            case core.CallDefine(define=define, arguments=arguments) if isinstance(
                self.telling.game.defines[define].type, FlagType
            ):
                return self._told_define(define, arguments)
            case core.Conditional(condition=condition, yes=yes, no=no):
                other = core.Both(core.Not(condition), no)
                return self.clause(core.Either(core.Both(condition, yes), other))
            case core.Would(body=body, step=step, arguments=arguments):
                then = self.clause(body).told("main")
                after = self.telling.part("would", a=then, b=self.telling.called(step, arguments))
                return Clause(self.telling.language, fixed(after), "say", "")
            case core.Local(name=name) if isinstance(_plain(node.type), FlagType):
                return Clause(
                    self.telling.language,
                    fixed(self.telling.quoted(self.telling.words.name(name))),
                    "hold",
                    "",
                )
            case core.Special(word="finished"):
                return self._is(fixed(self.telling.part("game")), self.telling.part("finished"))
            case _:
                return Clause(self.telling.language, self.telling.said(node), "hold", "")

    def _is_place(self, whole: core.Expr) -> bool:
        """What lies in a place that is not called like what lies in it."""
        if not isinstance(whole, core.Contents):
            return False
        return isinstance(whole.place, core.Local) or not self.telling.said(whole.place).plural

    def _denied(self, node: core.Expr) -> AnyClause:
        """The contrary of a condition: of several, that of each."""
        match node:
            case core.Both(left=left, right=right):
                return self.clause(core.Either(core.Not(left), core.Not(right)))
            case core.Either(left=left, right=right):
                return self.clause(core.Both(core.Not(left), core.Not(right)))
            case core.Not(operand=operand):
                return self.clause(operand)
            case core.Conditional(yes=yes, no=no):
                return self.clause(attrs.evolve(node, yes=core.Not(yes), no=core.Not(no)))
            case core.Would():
                return self.clause(attrs.evolve(node, body=core.Not(node.body)))
            case core.CallDefine(define=define, arguments=()) if (
                body := self._told_by_body(define)
            ) is not None:
                return self.clause(core.Not(body))
            case _:
                inner = self.clause(node)
                assert isinstance(inner, Clause)
                return inner.negation()

    def _told_by_body(self, define: str) -> core.Expr | None:
        """What stands for a condition of the game as a whole that has no sentence of its own."""
        info = self.telling.game.defines[define]
        return None if "{" in self.telling.words.name(info.name) else info.body

    def _flag(self, node: core.ReadState | core.ReadColumn, subject: core.Expr | None) -> Clause:
        name = (
            node.name
            if isinstance(node, core.ReadColumn)
            else self.telling.game.states[node.state].name
        )
        if subject is None:
            return Clause(
                self.telling.language,
                fixed(self.telling.quoted(self.telling.words.name(name))),
                "hold",
                "",
            )
        return self._is(self.telling.said(subject), self.telling.words.name(name))

    def _shown(self, node: core.Expr) -> str:
        """A value or a face as what something is: “a mousetrap”, unless there is only one."""
        match node:
            case core.Value(kind=kind, name=name) | core.Face(kind=kind, name=name):
                info = self.telling.game.kinds.get(kind)
                single = info is not None and info.piece is not None and not info.column("count")
                if not single and self.telling.forms(name) is not None:
                    return str(self.telling.grammar.a(self.telling.noun(name, kind)))
            case _:
                pass
        return str(self.telling.said(node))

    def _told_define(self, define: str, arguments: tuple[core.Expr, ...]) -> AnyClause:
        """A condition with a name: an adjective of its first argument, or a text with values."""
        info = self.telling.game.defines[define]
        label = self.telling.words.name(info.name)
        if "{" not in label and len(arguments) == 1:
            return self._is(self.telling.said(arguments[0]), label)
        if not arguments and (body := self._told_by_body(define)) is not None:
            return self.clause(body)
        said = {
            name: self.telling.said(node)
            for name, node in zip(self.telling.params(define), arguments, strict=True)
        }
        led = re.match(r"\{(\w+)\} ", label)
        if led is not None and led[1] in said:
            rest = filled(label[led.end() :], said, self.telling.grammar.resting)
            return self._is(said[led[1]], rest)
        if "{" in label:
            told = fixed(filled(label, said, self.telling.grammar.resting))
            return Clause(self.telling.language, told, "hold", "")
        listed = ", ".join(str(phrase) for phrase in said.values())
        return Clause(self.telling.language, fixed(f"{label} ({listed})"), "hold", "")

    def _no(self, group: Group) -> tuple[str, bool, str]:
        """`no card`, as the rest of a clause, with its tail."""
        phrase = self.telling.with_article("a", group)
        text = format(phrase.bare, "acc")
        if self.telling.language == "de":
            text = f"k{text}" if text.startswith("ein") else f"kein {text}"
        else:
            text = "no " + re.sub(r"^an? ", "", text)
        return text, False, phrase.tail

    def _exists(self, node: core.Query, draw: core.Draw, *, none: bool) -> AnyClause:
        group = self.telling.drawn(node, draw)
        there = fixed(self.telling.part("there"))
        if none:
            return Clause(self.telling.language, there, "exist", *self._no(group))
        phrase = self.telling.with_article("a", group)
        return Clause(
            self.telling.language, there, "exist", f"{phrase.bare:acc}", False, phrase.tail
        )

    def _there_is(self, node: core.Expr, *, none: bool) -> Clause:
        """What may be missing is there, or is not: a thing has it, or there is one."""
        match node:
            case core.ReadColumn(subject=core.Expression() as subject, name=name):
                noun = self.telling.noun(name)
            case core.ReadState(subject=core.Expression() as subject, state=state):
                noun = self.telling.noun(self.telling.game.states[state].name)
            case _:
                return self._there_is_one(node, none=none)
        if not noun.gender:
            return self._there_is_one(node, none=none)
        rest = f"{self.telling.grammar.a(noun):acc}"
        language, whose = self.telling.language, self.telling.said(subject)
        return Clause(language, whose, "have", rest, negated=none)

    def _there_is_one(self, node: core.Expr, *, none: bool) -> Clause:
        phrase = self.telling.said(node)
        there = fixed(self.telling.part("there"), plural=phrase.plural)
        rest = self.telling.grammar.some_of(phrase)
        return Clause(self.telling.language, there, "exist", rest, none, phrase.tail)

    def _every(self, node: core.Query, draw: core.Draw, body: core.Expr) -> AnyClause:
        each = self.telling.with_article("each", self.telling.drawn(node, draw))
        inner = self.telling.calling(draw.local, each).clause(body)
        if isinstance(inner, Clause) and inner.subject == each:
            return inner
        noun = self.telling.group(draw.domain).noun
        this = (
            self.telling.calling(draw.local, self.telling.told_apart(draw.local, noun))
            .clause(body)
            .told("main")
        )
        return Clause(
            self.telling.language, fixed(self.telling.part("all have", a=each, b=this)), "say", ""
        )

    def _among(self, element: core.Expr, whole: core.Expr) -> AnyClause:
        subject = self.telling.said(element)
        match whole:
            case core.Query(word="filter", draws=(draw,), where=where) if where is not None:
                return self.telling.calling(draw.local, subject).clause(where)
            case core.AllThings(kind=kind):
                return self._is(subject, str(self.telling.grammar.a(self.telling.kind_noun(kind))))
            case core.SetOf(items=items) if len(items) <= 4:
                texts = [str(self.telling.said(item)) for item in items]
                return self._is(subject, f" {self.telling.part('or')} ".join(texts))
            case core.Interval():
                return self._is(subject, str(self.telling.said(whole)))
            case _:
                return self._is(
                    subject, self.telling.part("among", a=self.telling.said(whole)).strip()
                )

    def _compared(self, sign: str, left: core.Expr, right: core.Expr) -> AnyClause:
        if isinstance(left, core.Query) and left.word == "count" and len(left.draws) == 1:
            return self._counted(sign, left, right)
        if isinstance(right, core.Constant) and isinstance(right.value, bool):
            same = (sign == "=") == right.value
            inner = self.clause(left)
            return inner if same or not isinstance(inner, Clause) else inner.negation()
        if right == core.Constant(None):
            return self._there_is(left, none=sign == "=")
        subject, other = self.telling.said(left), self.telling.said(right)
        if sign in ("=", "!="):
            clause = self._is(subject, self._shown(right))
            return clause if sign == "=" else clause.negation()
        return self._is(subject, self.telling.part(_COMPARED[sign], a=other))

    def _counted(self, sign: str, query: core.Query, right: core.Expr) -> AnyClause:
        """`there are at least 2 cards in the hand`"""
        (draw,) = query.draws
        group = self.telling.drawn(query, draw)
        if not isinstance(right, core.Constant):
            compared = str(self.telling.said(right))
            if sign in _COMPARED:
                compared = self.telling.part(_COMPARED[sign], a=compared)
            return self._is(self.telling.said(query), compared)
        number = str(right.value)
        if (sign, number) in (("=", "0"), ("<", "1")):
            return Clause(
                self.telling.language, fixed(self.telling.part("there")), "exist", *self._no(group)
            )
        if (sign, number) in ((">", "0"), (">=", "1")):
            return self._exists(query, draw, none=False)
        many = self.telling.with_article("some", group, number)
        text = f"{many.bare:acc}"
        if sign == "=":
            text = self.telling.part("exactly", a=text)
        elif sign != "!=":
            text = self.telling.part("fewer" if sign == "<" else _COMPARED[sign], a=text)
        there = fixed(self.telling.part("there"), plural=number != "1")
        return Clause(self.telling.language, there, "exist", text, sign == "!=", many.tail)


def _plain(type_: Type) -> Type:
    return type_.of if isinstance(type_, MaybeType) else type_
