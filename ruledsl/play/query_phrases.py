"""Queries in plain words: how many there are, the one with the highest value, what is reached."""

from __future__ import annotations

import attrs

from ruledsl.model import core
from ruledsl.model.types import FaceType, FlagType, MaybeType, NumberType, SetType, ThingType, Type
from ruledsl.play.inflection import Phrase, fixed
from ruledsl.play.noun_phrases import Group, NounPhrases


@attrs.frozen
class QueryPhrases:
    """Queries in the words that are at hand for things."""

    telling: NounPhrases

    def said(self, node: core.Query | core.Reach | core.LongestTrail) -> Phrase:
        """A query as a noun phrase."""
        match node:
            case core.Query():
                return self._asked(node)
            case core.Reach():
                return self._reached(node)
            case core.LongestTrail():
                return self._trail(node)

    def _asked(self, node: core.Query) -> Phrase:
        match node:
            case core.Query(word="count", draws=(draw,), running=running):
                group = self.telling.drawn(node, draw)
                number = self.telling.grammar.number_of(group.noun)
                phrase = number.beside(group.after_many, group.tail_many)
                return phrase.followed(self._stopping(draw, running))
            case core.Query(word="the" | "first", draws=(draw,), running=None, body=None):
                return self._one_of(node, draw)
            case core.Query(word="filter", draws=(draw,), running=running):
                group = self.telling.group(attrs.evolve(node, running=None))
                ended = group.ordered + self._stopping(draw, running)
                return self.telling.with_article("all", group).followed(ended)
            case core.Query(word="sum" | "max" | "min" | "image", draws=(_, _, *_), running=None):
                return self._over_several(node)
            case core.Query(word="sum" | "max" | "min" | "image", draws=(draw,), running=None) if (
                node.body is not None
            ):
                over = self.telling.with_article("all", self.telling.drawn(node, draw))
                return self._folded(node, draw, over)
            case _:
                return fixed(self.telling.labelled(self.telling.written(node.span)))

    def _folded(self, node: core.Query, draw: core.Draw, over: Phrase) -> Phrase:
        """`{r.owner for r in rats}`: the owner of all rats."""
        assert node.body is not None
        told = self.telling.calling(draw.local, over).said(node.body)
        match node.word:
            case "image":
                return told
            case word:
                this = self.telling.binding(draw.local, _element(draw.domain.type), "this")
                return fixed(self.telling.part(word, a=this.said(node.body), b=over))

    def _one_of(self, node: core.Query, draw: core.Draw) -> Phrase:
        """The only one, the first one, or the one with the highest value."""
        group = self.telling.drawn(node, draw)
        if not node.order:
            adjective = self.telling.part("first") if node.word == "first" else ""
            phrase = self.telling.grammar.the(group.noun, adjective)
            return phrase.beside(group.near, group.tail_one + group.ordered)
        best, *more = node.order
        keys = self.telling.calling(draw.local, self.telling.told_apart(draw.local, group.noun))
        value = keys.part(f"with {best.way}", a=keys.said(best.key)) + keys.order(tuple(more))
        return self.telling.grammar.the(group.noun).beside(group.near, group.tail_one + value)

    def _over_several(self, node: core.Query) -> Phrase:
        """`{m.owner for r in Rung, m in r}`: the owner of all men on all steps."""
        assert node.body is not None
        telling, keys = self.telling, self.telling
        *before, last = node.draws
        for draw in before:
            telling = telling.calling(draw.local, telling.chosen("each", draw.domain))
            keys = keys.binding(draw.local, _element(draw.domain.type), "this")
        group = telling.narrowed(telling.group(last.domain), last.local, node.where)
        keys = keys.binding(last.local, _element(last.domain.type), "this")
        over = telling.with_article("all", group)
        if node.word != "image":
            return fixed(self.telling.part(node.word, a=keys.said(node.body), b=over))
        return telling.calling(last.local, over).said(node.body).followed(keys.order(node.order))

    def _reached(self, node: core.Reach) -> Phrase:
        """Everything that going on again and again leads to."""
        noun = self.telling.noun_of(node.type)
        telling = self.telling.calling(node.local, self.telling.told_apart(node.local, noun))
        via = telling.said(node.via)
        start = self.telling.said(node.start)
        if node.exactly is None:
            way = self.telling.part("reached", a=start, b=via)
        else:
            way = self.telling.part("reached in", a=start, b=via, n=self.telling.said(node.exactly))
        passing = self.telling.narrowed(Group(noun), node.local, node.where)
        return self.telling.grammar.all(noun).followed(passing.tail_many + way)

    def _trail(self, node: core.LongestTrail) -> Phrase:
        edges = self.telling.said(node.edges)
        if node.length is None or node.local is None:
            return fixed(self.telling.part("trail", a=edges))
        telling = self.telling.binding(node.local, _element(node.edges.type), "this")
        return fixed(self.telling.part("trail by", a=edges, b=telling.said(node.length)))

    def _stopping(self, draw: core.Draw, running: core.Expr | None) -> str:
        if running is None:
            return ""
        telling = self.telling.binding(draw.local, _element(draw.domain.type), "this")
        return self.telling.part("as long as", a=telling.clause(running).told("dependent"))


def _element(type_: object) -> Type:
    assert isinstance(type_, SetType | ThingType | MaybeType | NumberType | FlagType | FaceType)
    return type_.element if isinstance(type_, SetType) else type_
