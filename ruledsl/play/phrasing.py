"""Conditions in plain words: clauses about things."""

from __future__ import annotations

import re

import attrs

from ruledsl.model import core
from ruledsl.model.types import FlagType, MaybeType, Type
from ruledsl.play.clauses import AnyClause, Clause, Joined
from ruledsl.play.inflection import Phrase, filled, fixed
from ruledsl.play.noun_phrases import Group, NounPhrases

_COMPARED = {"<": "less", "<=": "at most", ">": "more", ">=": "at least", "!=": "not"}


@attrs.frozen
class Phrasing(NounPhrases):
    """Expressions of one game in the words of one language."""

    # ------------------------------------------------------------ conditions

    def _is(self, subject: Phrase, rest: str) -> Clause:
        return Clause(self.language, subject, "be", rest)

    def clause(self, node: core.Expr) -> AnyClause:
        """A condition as a clause."""
        match node:
            case core.Both(left=left, right=right):
                return Joined(self.part("and"), (self.clause(left), self.clause(right)))
            case core.Either(left=left, right=right):
                return Joined(self.part("or"), (self.clause(left), self.clause(right)))
            case core.Not(operand=core.Query(word="any", draws=(draw,)) as query):
                return self._exists(query, draw, none=True)
            case core.Not(operand=core.Empty(whole=whole)) if not self._is_place(whole):
                phrase = self.with_article("some", self.group(whole))
                there = fixed(self.part("there"), plural=True)
                return Clause(
                    self.language, there, "exist", f"{phrase.bare:acc}", False, phrase.tail
                )
            case core.Not(operand=operand):
                inner = self.clause(operand)
                if isinstance(inner, Clause):
                    return inner.negation()
                return self._is(fixed(f"({inner.told('main')})"), self._untrue())
            case core.Query(word="any", draws=(draw,)):
                return self._exists(node, draw, none=False)
            case core.Query(word="any", draws=(draw, *more), where=where) if not node.order:
                further = core.Query("any", tuple(more), where, None, (), None, type=node.type)
                outer = core.Query("any", (draw,), further, None, (), None, type=node.type)
                return self.clause(outer)
            case core.Query(word="all", draws=(draw,), body=body) if body is not None:
                return self._every(node, draw, body)
            case core.Empty(whole=core.Contents(place=place) as whole) if self._is_place(whole):
                return self._is(self.said(place), self.part("empty"))
            case core.Empty(whole=whole):
                none = self._no(self.group(whole))
                return Clause(self.language, fixed(self.part("there")), "exist", *none)
            case core.Compare(sign=sign, left=left, right=right):
                return self._compared(sign, left, right)
            case core.Member(element=element, whole=core.Special(word="playing")):
                return self._is(self.said(element), self.part("still playing"))
            case core.Member(element=element, whole=core.Contents(place=place)):
                return Clause(self.language, self.said(element), "lie", self.lying(place))
            case core.Member(element=element, whole=whole):
                return self._among(element, whole)
            case core.IsFace(subject=subject, face=face):
                return self._is(self.said(subject), self._shown(face))
            case core.IsKind(subject=subject, kind=kind):
                return self._is(self.said(subject), str(self.grammar.a(self.kind_noun(kind))))
            case core.ReadState(subject=subject) | core.ReadColumn(subject=subject) if isinstance(
                _plain(node.type), FlagType
            ):
                return self._flag(node, subject)
            case core.CallDefine(define=define, arguments=arguments) if isinstance(
                self.game.defines[define].type, FlagType
            ):
                return self._told_define(define, arguments)
            case core.Local(name=name) if isinstance(_plain(node.type), FlagType):
                return Clause(self.language, fixed(self.quoted(self.words.name(name))), "hold", "")
            case core.Special(word="finished"):
                return self._is(fixed(self.part("game")), self.part("finished"))
            case _:
                return Clause(self.language, self.said(node), "hold", "")

    def _is_place(self, whole: core.Expr) -> bool:
        """What lies in a place that is not called like what lies in it."""
        return isinstance(whole, core.Contents) and not self.said(whole.place).plural

    def _untrue(self) -> str:
        return "falsch" if self.language == "de" else "not so"

    def _flag(self, node: core.ReadState | core.ReadColumn, subject: core.Expr | None) -> Clause:
        name = node.name if isinstance(node, core.ReadColumn) else self.game.states[node.state].name
        if subject is None:
            return Clause(self.language, fixed(self.quoted(self.words.name(name))), "hold", "")
        return self._is(self.said(subject), self.words.name(name))

    def _shown(self, node: core.Expr) -> str:
        """A value or a face as what something is: “a mousetrap”, unless there is only one."""
        match node:
            case core.Value(kind=kind, name=name) | core.Face(kind=kind, name=name):
                info = self.game.kinds.get(kind)
                single = info is not None and info.piece is not None and not info.column("count")
                if not single and self._forms(name) is not None:
                    return str(self.grammar.a(self.noun(name, kind)))
            case _:
                pass
        return str(self.said(node))

    def _told_define(self, define: str, arguments: tuple[core.Expr, ...]) -> AnyClause:
        """A condition with a name: an adjective of its first argument, or a text with values."""
        info = self.game.defines[define]
        label = self.words.name(info.name)
        if "{" not in label and len(arguments) == 1:
            return self._is(self.said(arguments[0]), label)
        if "{" not in label and info.body is not None and not arguments:
            return self.clause(info.body)
        said = {
            name: self.said(node)
            for name, node in zip(self._params(define), arguments, strict=True)
        }
        first = next(iter(said), "")
        lead = f"{{{first}}} "
        if label.startswith(lead):
            return self._is(said[first], filled(label.removeprefix(lead), said, self.grammar.cases))
        if "{" in label:
            return Clause(self.language, fixed(filled(label, said, self.grammar.cases)), "hold", "")
        listed = ", ".join(str(phrase) for phrase in said.values())
        return Clause(self.language, fixed(f"{label} ({listed})"), "hold", "")

    def _no(self, group: Group) -> tuple[str, bool, str]:
        """`no card`, as the rest of a clause, with its tail."""
        phrase = self.with_article("a", group)
        text = format(phrase.bare, "acc")
        if self.language == "de":
            text = f"k{text}" if text.startswith("ein") else f"kein {text}"
        else:
            text = "no " + re.sub(r"^an? ", "", text)
        return text, False, phrase.tail

    def _exists(self, node: core.Query, draw: core.Draw, *, none: bool) -> AnyClause:
        group = self._drawn(node, draw)
        there = fixed(self.part("there"))
        if none:
            return Clause(self.language, there, "exist", *self._no(group))
        phrase = self.with_article("a", group)
        return Clause(self.language, there, "exist", f"{phrase.bare:acc}", False, phrase.tail)

    def _there_is(self, node: core.Expr, *, none: bool) -> Clause:
        """What may be missing is there, or is not."""
        given = self._is(self.said(node), self.part("given"))
        return given.negation() if none else given

    def _every(self, node: core.Query, draw: core.Draw, body: core.Expr) -> AnyClause:
        each = self.with_article("each", self._drawn(node, draw))
        inner = self.calling(draw.local, each).clause(body)
        if isinstance(inner, Clause) and inner.subject == each:
            return inner
        noun = self.group(draw.domain).noun
        this = self.calling(draw.local, self.grammar.this(noun)).clause(body).told("main")
        return Clause(self.language, fixed(self.part("all have", a=each, b=this)), "say", "")

    def _among(self, element: core.Expr, whole: core.Expr) -> AnyClause:
        subject = self.said(element)
        match whole:
            case core.Query(word="filter", draws=(draw,), where=where) if where is not None:
                return self.calling(draw.local, subject).clause(where)
            case core.AllThings(kind=kind):
                return self._is(subject, str(self.grammar.a(self.kind_noun(kind))))
            case core.SetOf(items=items) if len(items) <= 4:
                texts = [str(self.said(item)) for item in items]
                return self._is(subject, f" {self.part('or')} ".join(texts))
            case core.Interval():
                return self._is(subject, str(self.said(whole)))
            case _:
                return self._is(subject, self.part("among", a=self.said(whole)).strip())

    def _compared(self, sign: str, left: core.Expr, right: core.Expr) -> AnyClause:
        if isinstance(left, core.Query) and left.word == "count" and len(left.draws) == 1:
            return self._counted(sign, left, right)
        if isinstance(right, core.Constant) and isinstance(right.value, bool):
            same = (sign == "=") == right.value
            inner = self.clause(left)
            return inner if same or not isinstance(inner, Clause) else inner.negation()
        if right == core.Constant(None):
            return self._there_is(left, none=sign == "=")
        subject, other = self.said(left), self.said(right)
        if sign in ("=", "!="):
            clause = self._is(subject, self._shown(right))
            return clause if sign == "=" else clause.negation()
        return self._is(subject, self.part(_COMPARED[sign], a=other))

    def _counted(self, sign: str, query: core.Query, right: core.Expr) -> AnyClause:
        """`there are at least 2 cards in the hand`"""
        (draw,) = query.draws
        group = self._drawn(query, draw)
        if not isinstance(right, core.Constant):
            compared = str(self.said(right))
            if sign in _COMPARED:
                compared = self.part(_COMPARED[sign], a=compared)
            return self._is(self.said(query), compared)
        number = str(right.value)
        if (sign, number) in (("=", "0"), ("<", "1")):
            return Clause(self.language, fixed(self.part("there")), "exist", *self._no(group))
        if (sign, number) in ((">", "0"), (">=", "1")):
            return self._exists(query, draw, none=False)
        many = self.with_article("some", group, number)
        text = f"{many.bare:acc}"
        if sign in _COMPARED and sign != "!=":
            text = self.part("fewer" if sign == "<" else _COMPARED[sign], a=text)
        there = fixed(self.part("there"), plural=number != "1")
        return Clause(self.language, there, "exist", text, sign == "!=", many.tail)


def _plain(type_: Type) -> Type:
    return type_.of if isinstance(type_, MaybeType) else type_
