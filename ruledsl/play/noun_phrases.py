"""Things and sets in plain words: noun phrases.

What has no words is told as it is written, with labels for the names in it.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

import attrs

from ruledsl.model import core
from ruledsl.model.types import FlagType, NumberType, SetType, ThingType, Type
from ruledsl.play.clauses import AnyClause, Clause
from ruledsl.play.inflection import CASES, CLOSE, Noun, Phrase, filled, fixed, leading_case
from ruledsl.play.naming import Naming
from ruledsl.texts.sentences import SENTENCES

Article: TypeAlias = Literal["the", "a", "each", "all", "some"]

_NEAR = ("beside", "around", "paths", "go", "ray", "after", "before", "cover")
_ROUND = ("onward", "backward", "round", "others", "next", "reversed")
_WAYS = frozenset((*_NEAR, *_ROUND))
"""attributes that lead from one thing to others"""
_NOTHING = fixed("")


@attrs.frozen
class Group:
    """Things of a set: the noun for one, what follows it, and how they are put in order."""

    noun: Noun
    near: str = ""
    near_many: str | None = None
    """after the plural, where it is different"""
    tail_one: str = ""
    tail_many: str = ""
    ordered: str = ""

    @property
    def after_many(self) -> str:
        return self.near if self.near_many is None else self.near_many


class Clauses(Protocol):
    """Tells a condition as a clause, in the words that are at hand for things."""

    def __call__(self, telling: NounPhrases, node: core.Expr) -> AnyClause: ...


class Queries(Protocol):
    """Tells a query, in the words that are at hand for things."""

    def __call__(
        self, telling: NounPhrases, node: core.Query | core.Reach | core.LongestTrail
    ) -> Phrase: ...


@attrs.frozen
class NounPhrases(Naming):
    """Things and sets of one game in the words of one language."""

    clauses: Clauses = attrs.field(kw_only=True)
    """for what relative clauses and decisions ask"""
    queries: Queries = attrs.field(kw_only=True)

    def clause(self, node: core.Expr) -> AnyClause:
        """A condition as a clause."""
        return self.clauses(self, node)

    # ------------------------------------------------------------ things

    def said(self, node: core.Expr | core.Slot | core.Local) -> Phrase:
        """An expression as a noun phrase."""
        match node:
            case core.Constant(value=bool(value)):
                return fixed(self.words.own("yes" if value else "no"))
            case core.Constant(value=None):
                return fixed(self.part("nothing"))
            case core.Constant(value=value):
                return fixed(str(value).replace("-", "−"))
            case core.Value(kind=kind, name=name) | core.Face(kind=kind, name=name):
                return self.named(name, kind)
            case core.Copy(kind=kind, name=name):
                return self.named(name, kind)
            case core.Local():
                return self.names.get(node) or fixed(self.words.own(node.name))
            case core.Special():
                return self._special(node.word)
            case core.OptionValue(name=name):
                return self._titled(name, self.game.options[name].title)
            case core.AllThings(kind=kind) if self._is_single(kind):
                return self.grammar.the(self.kind_noun(kind))
            case core.AllThings() | core.AllFaces() | core.Contents() | core.PlacesOf():
                return self.all(node)
            case core.PlaceAt(place=place, indexes=indexes):
                return self._place(place, indexes)
            case core.Nth() | core.Indexed():
                return self._numbered(node)
            case core.ReadColumn(subject=subject, name=name):
                return self._owned(self.noun(name), (subject,))
            case core.ReadIndex(subject=subject, name=name):
                return self._index(subject, name)
            case core.ReadState(state=state, subject=subject):
                noun = self.noun(self.game.states[state].name)
                return self._owned(noun, () if subject is None else (subject,))
            case core.Slot(state="active"):
                return self._special("active")
            case core.Slot(state=state, subject=subject) if state in self.game.states:
                noun = self.noun(self.game.states[state].name)
                return self._owned(noun, () if subject is None else (subject,))
            case core.ReadFeature():
                return self._feature(node)
            case core.ReadHistory(history=history):
                times = self.grammar.the(self.own_noun("times"))
                return self.grammar.of(times, self.grammar.the(self.noun(history)))
            case core.Would(body=body, step=step, arguments=arguments):
                return self._varied("after step", self.said(body), c=self.called(step, arguments))
            case core.CallDefine(define=define, arguments=arguments):
                return self._defined(define, arguments)
            case core.ByKind(subject=subject, local=local, arms=((_, arm),)):
                return self.calling(local, self.said(subject)).said(arm)
            case core.Sure(value=value):
                return self.said(value)
            case core.Query() | core.Reach() | core.LongestTrail():
                return self.queries(self, node)
            case core.Conditional(condition=condition, yes=yes, no=no):
                asked = self.clause(condition).told("dependent")
                return self._varied("either", self.said(yes), self.said(no), c=asked)
            case core.Case(subject=subject, arms=arms, otherwise=otherwise):
                texts = [f"{self.said(key)}: {self._told(value)}" for key, value in arms]
                if otherwise is not None:
                    texts.append(self.part("else", a=self._told(otherwise)))
                return fixed(self.part("case", a=self.said(subject), b="; ".join(texts)))
            case core.Interval(low=low, high=high):
                return fixed(self.part("range", a=self.said(low), b=self.upper(high)))
            case core.Arithmetic():
                return self._calculated(node)
            case core.Computed(function="abs" | "clamp"):
                return self._computed(node)
            case core.Negate(operand=operand):
                return fixed(f"−{self.said(operand)}")
            case core.Combine(sign="+", left=left, right=right):
                return self._listed((left, right))
            case core.Combine(left=left, right=right):
                without = format(self.said(right), "acc")
                return self._varied("without", self.said(left), c=without)
            case core.SetOf(items=()):
                return fixed(self.part("nothing"))
            case core.SetOf(items=items):
                return self._listed(items)
            case core.Extreme(word=word, items=items):
                first, *others = sorted(items, key=lambda item: isinstance(item, core.Constant))
                ends = f" {self.part('and')} ".join(str(self.said(other)) for other in others)
                return fixed(self.part(f"{word} of", a=self.said(first), b=ends))
            case _:
                return fixed(self.labelled(self.written(node.span)))

    def _told(self, node: core.Expr) -> str:
        """What something is; of a condition, when it holds."""
        if isinstance(node.type, FlagType) and not isinstance(node, core.Constant):
            return self.clause(node).told("main")
        return str(self.said(node))

    def called(self, step: str, arguments: tuple[core.Expr, ...]) -> str:
        """A step as it is called: with what it is given."""
        info = self.game.steps[step]
        label = self.words.name(step, None, info.title)
        said = [self.said(node) for node in arguments]
        label = label[:1].upper() + label[1:]
        if "{" in label:
            names = (param.local.name for param in info.params)
            given = dict(zip(names, said, strict=False))
            told = filled(label, given, self.grammar.cases, leading_case(label))
            return told[:1].upper() + told[1:]
        return label + (f" ({', '.join(map(str, said))})" if said else "")

    def _varied(self, name: str, one: Phrase, other: Phrase = _NOTHING, c: str = "") -> Phrase:
        """A part of a sentence whose phrases have the case of the whole."""
        nom, acc, dat = (
            self.part(name, a=format(one, case), b=format(other, case), c=c) for case in CASES
        )
        plural = one.plural and (other.plural or other == _NOTHING)
        return Phrase(nom, acc, dat, plural, onto=one.onto)

    def upper(self, node: core.Expr) -> Phrase | str:
        """The upper end of a range: “bis 6”, “bis zur Spielerzahl”."""
        high = self.said(node)
        return high if high.dat == high.nom else self.part("joining", a=high)

    def _calculated(self, node: core.Arithmetic) -> Phrase:
        """What a calculation comes to, with brackets where it would be read in another way."""
        left = self._operand(node.sign, node.left, last=False)
        right = self._operand(node.sign, node.right, last=True)
        if node.sign == "mod":
            divided = f" {self.part('divided', a=left, b=right)}"
            return self.grammar.the(self.own_noun("remainder")).beside(divided, "")
        sign = {"-": "−", "*": "×", "/": "÷"}.get(node.sign, node.sign)
        return fixed(f"{left} {sign} {right}")

    def _computed(self, node: core.Computed) -> Phrase:
        """A number without its sign, which of a difference is the difference; or kept in bounds."""
        match node.operands:
            case (core.Arithmetic(sign="-", left=left, right=right),):
                ends = self.part("between these", a=self.said(left), b=self.said(right))
                return self.grammar.the(self.own_noun("difference")).beside(f" {ends}", "")
            case (number,):
                amount = self.grammar.the(self.own_noun("amount"))
                return self.grammar.of(amount, self.said(number))
            case (number, low, high):
                x, a, b = self.said(number), self.said(low), self.said(high)
                return fixed(self.part("kept between", a=x, b=a, c=b))
            case _:
                return fixed(self.labelled(self.written(node.span)))

    def _operand(self, sign: str, node: core.Expr, *, last: bool) -> Phrase:
        phrase = self.said(node)
        runs_on = ":" in phrase.tail and not last
        return fixed(f"({phrase})") if runs_on or _needs_brackets(sign, node, last) else phrase

    def _titled(self, name: str, title: str | None) -> Phrase:
        noun = self.noun(name)
        if title is not None and noun.one == self.words.own(name):
            label = self.words.text(title)
            if self.language == "en":
                label = label[:1].lower() + label[1:]
            noun = self.grammar.noun(label, None)
        return self.grammar.the(noun)

    def _special(self, word: core.SpecialWord) -> Phrase:
        match word:
            case "you":
                return self.grammar.you()
            case "active":
                label = self.part("active")
                if self.language != "de":
                    return fixed(label)
                acc, dat, gen = "den Spieler am Zug", "dem Spieler am Zug", "des Spielers am Zug"
                return Phrase(label, acc, dat, gen=gen)
            case "playing":
                everybody = self.grammar.all(self.kind_noun("Player"))
                nom, acc, dat = (self.part("playing", a=format(everybody, c)) for c in CASES)
                return Phrase(nom, acc, dat, plural=True)
            case "players":
                label = self.part(word)
                if self.language != "de":
                    return fixed(label)
                return Phrase(label, label, "der Spielerzahl", gen="der Spielerzahl")
            case "winners":
                return fixed(self.part(word), plural=True)
            case "finished":
                return fixed(self.part("finished"))

    def _listed(self, items: tuple[core.Expr, ...]) -> Phrase:
        return self.listed([self.said(item) for item in items])

    def _owned(self, noun: Noun, owners: tuple[core.Expr, ...]) -> Phrase:
        """`X of Y`, and of Z; “your X”, “whose X”."""
        if not owners:
            return self.grammar.the(noun)
        said = [self.said(owner) for owner in owners]
        first, *more = sorted(said, key=lambda owner: owner.owner != "you")
        phrase = self.grammar.owned(first, noun)
        for owner in more:
            phrase = self.grammar.of(phrase, owner)
        return phrase

    def _is_single(self, kind: str) -> bool:
        """Whether a kind has one piece, which its name then means."""
        info = self.game.kinds[kind]
        alone = info.piece is not None and not info.indexes and not info.rows
        return alone and info.piece is not None and info.piece.count == core.Constant(1)

    def _place(self, place: str, indexes: tuple[core.Expr, ...]) -> Phrase:
        """A place by its name; one that belongs to a value may have a name of its own."""
        info = self.game.languages.get(self.words.language)
        for index in indexes:
            if isinstance(index, core.Value) and info is not None:
                key = f"{place}.{index.name}"
                if key in info.labels:
                    noun = self.grammar.noun(info.labels[key], info.forms.get(key))
                    return self._owned(noun, tuple(each for each in indexes if each != index))
        return self._owned(self.noun(place), indexes)

    def _numbered(self, node: core.Nth | core.Indexed) -> Phrase:
        numbers = node.numbers if isinstance(node, core.Nth) else node.indexes
        noun = self.kind_noun(node.kind)
        told = ", ".join(str(self.said(number)) for number in numbers)
        if all(isinstance(number, core.Constant | core.Value) for number in numbers):
            return fixed(f"{noun.one} {told}")
        match numbers:
            case (number,) if not isinstance(number.type, NumberType):
                return self._owned(noun, numbers)
            case (_,) if " " not in told:
                return fixed(f"{noun.one} {told}")
            case _:
                return fixed(f"{noun.one} ({told})")

    def _index(self, subject: core.Expr, name: str) -> Phrase:
        """`mouse.player`, `gap.house`: what it is for, by the name of the index."""
        noun = self.noun(name)
        if name in ("player", "owner"):
            noun = self.kind_noun("Player")
        elif (kind := next((k for k in self.game.kinds if k.lower() == name), None)) is not None:
            noun = self.noun(kind)
        return self._owned(noun, (subject,))

    def _feature(self, node: core.ReadFeature) -> Phrase:
        subject, feature = node.subject, node.feature
        match feature:
            case "top" | "lowest":
                noun = self.noun_of(node.type)
                if not self._is_stack(subject):
                    return self.with_article("the", self._lying(subject, noun))
                first = self.grammar.the(noun, self.part(feature))
                return self.grammar.of(first, self.said(subject))
            case "next" if subject == core.Special("active"):
                return self.grammar.the(self.kind_noun("Player"), self.part("following"))
            case "place" | "face" | "seat" | "index" | "col" | "row" | "opposite" | "ends":
                return self._owned(self.own_noun(feature), (subject,))
            case "turned" | "sixths":
                return self._varied(
                    feature, self.said(subject), c=str(self.said(node.arguments[0]))
                )
            case _ if feature in _WAYS and isinstance(node.type, SetType):
                return self.all(node)
            case _ if feature in _WAYS:
                return self.with_article("the", self.group(node))
            case _:
                way = " ".join(str(self.said(argument)) for argument in node.arguments)
                name = f"{self.words.own(feature)} {way}".strip()
                return self.grammar.of(fixed(name), self.said(subject))

    def _is_stack(self, place: core.Expr) -> bool:
        kinds = place.type.kinds if isinstance(place.type, ThingType) else ()
        return any(info.stack for kind in kinds if (info := self.game.kinds[kind].place))

    def _defined(self, key: str, arguments: tuple[core.Expr, ...]) -> Phrase:
        """A definition by its label: `{x}` in it stands for a parameter."""
        info = self.game.defines[key]
        if isinstance(info.body, core.Constant) and not arguments:
            return self.said(info.body)
        label = self.words.name(info.name)
        if "{" in label:
            return self._filled(
                info.name, label, dict(zip(self.params(key), arguments, strict=True))
            )
        noun = self.noun(info.name)
        if isinstance(info.type, SetType) and noun.gender and noun.gender != "p":
            noun = attrs.evolve(noun, one=noun.many, gender="p")
        return self._owned(noun, arguments)

    def params(self, key: str) -> list[str]:
        return [param.local.name for param in self.game.defines[key].params]

    def _filled(self, name: str, label: str, given: dict[str, core.Expr]) -> Phrase:
        values = {param: self.said(value) for param, value in given.items()}
        text = filled(label, values, self.grammar.resting)
        forms = self.grammar.noun(text, self.forms(name))
        return self.grammar.the(forms) if forms.gender else fixed(text)

    def forms(self, name: str) -> str | None:
        info = self.game.languages.get(self.words.language)
        return None if info is None else info.forms.get(name)

    # ------------------------------------------------------------ sets

    def group(self, node: core.Expr) -> Group:
        """A set as a noun and what tells its things from others."""
        match node:
            case core.AllThings(kind=kind) | core.AllFaces(kind=kind):
                return Group(self.kind_noun(kind))
            case core.Contents(place=place):
                return self._lying(place, self.noun_of(node.type))
            case core.Query(word="filter", draws=(draw,), where=where, running=None, order=order):
                found = self.group(draw.domain)
                return self._ordered(self.narrowed(found, draw.local, where), draw.local, order)
            case core.ReadFeature(feature="others", subject=subject):
                others = f" {self.part('others', a=self.said(subject))}"
                return Group(self.kind_noun("Player"), others)
            case core.ReadFeature(feature="reversed", subject=subject):
                found = self.group(subject)
                return attrs.evolve(found, ordered=self.part("reversed"))
            case core.ReadFeature(feature=feature, subject=subject) if feature in _WAYS:
                way = node.arguments[0] if node.arguments else core.Constant(None)
                named = isinstance(way, core.Value) or feature not in ("go", "ray")
                kind = {"next": "after"}.get(feature, feature) if named else "along"
                if feature == "onward" and _is_player(subject.type):
                    kind = "in turn, last"
                near = f" {self.part(kind, a=self.said(subject), b=self.said(way))}"
                return Group(self.noun_of(node.type), near)
            case core.Special(word="playing"):
                still = self.part("playing", a="").rstrip()
                return Group(self.kind_noun("Player"), still)
            case core.Interval(low=low, high=high):
                ends = f" {self.part('between', a=self.said(low), b=self.upper(high))}"
                return Group(self.own_noun("number"), ends)
            case core.Sure(value=value):
                return self.group(value)
            case core.PlacesOf(place=place, indexes=indexes):
                owners = [self.said(index) for index in indexes]
                if len(owners) == 1 and owners[0].owner == "you":
                    noun = self.noun(place)
                    yours = self.grammar.owned(
                        owners[0], attrs.evolve(noun, one=noun.many, gender=noun.gender and "p")
                    )
                    return Group(noun, self.part("among", a=yours))
                whose = self.listed(owners)
                return Group(self.noun(place), f" {self.part('all of', a=whose)}")
            case _:
                among = self.part("among", a=self.said(node))
                return Group(self.noun_of(node.type), among)

    def _lying(self, place: core.Expr, noun: Noun) -> Group:
        """What lies in a place; a place may be called like what lies in it: “claimed trackers”."""
        match place:
            case core.PlaceAt(place=name, indexes=indexes) if self.noun(name).gender == "p":
                owners = [self.said(node) for node in indexes]
                among = self.part("among", a=self.said(place))
                if any(owner.owner == "you" for owner in owners):
                    return Group(noun, among)
                whose = "".join(map(self.grammar.whose, owners))
                return Group(attrs.evolve(noun, many=self.noun(name).many), among, whose)
            case _:
                pass
        where = f" {self.lying(place)}"
        return Group(noun, where)

    def holding(self, source: core.Expr) -> Noun:
        """The noun for what lies in a place or belongs to a set."""
        type_ = source.type
        if isinstance(type_, ThingType):
            held = {
                kind
                for place in type_.kinds
                if (info := self.game.kinds[place].place) is not None
                for kind in info.holds
            }
            if held:
                return self.noun_of(ThingType(frozenset(held)))
        return self.noun_of(type_)

    def lying(self, place: core.Expr) -> str:
        """`in the box`, `on the deck`"""
        phrase = self.said(place)
        called_so = phrase.plural and not isinstance(place, core.Local)
        way = "among these" if called_so else "on" if phrase.onto else "in"
        return self.part(way, a=phrase)

    def narrowed(self, group: Group, local: core.Local, where: core.Expr | None) -> Group:
        if where is None:
            return group
        return attrs.evolve(
            group,
            tail_one=group.tail_one + self._relative(group.noun, local, where, many=False),
            tail_many=group.tail_many + self._relative(group.noun, local, where, many=True),
        )

    def _ordered(self, group: Group, local: core.Local, order: tuple[core.Order, ...]) -> Group:
        telling = self.calling(local, self.told_apart(local, group.noun))
        return attrs.evolve(group, ordered=group.ordered + telling.order(order))

    def order(self, order: tuple[core.Order, ...]) -> str:
        """`, the highest … first`"""
        return "".join(
            SENTENCES[each.way].within(self.language).format(a=self.said(each.key))
            for each in order
        )

    def _relative(self, noun: Noun, local: core.Local, where: core.Expr, *, many: bool) -> str:
        """`that lies in the box`, `whose place is …`, else `for which …`."""
        pronoun = self.grammar.which(noun, many=many)
        texts: list[str] = []
        for condition in _conjuncts(where) if pronoun.owner else (where,):
            clause = self.calling(local, pronoun).clause(condition)
            text = clause.told("dependent")
            if not isinstance(clause, Clause) or not _leads(clause.subject, pronoun, self.language):
                break
            texts.append(text)
        else:
            joined = f" {self.part('and')} ".join(texts)
            close = CLOSE if self.language == "de" else ""
            return self.part("that", a=joined) + close
        this = self.told_apart(local, noun)
        told = self.calling(local, this).clause(where).told("main")
        if not pronoun.owner:
            return self.part("where", a=told)
        return self.part("for which", a=told, b=pronoun)

    def chosen(self, article: Article, node: core.Expr, number: str = "") -> Phrase:
        """Things of a set with an article: each, all, one of them."""
        return self.with_article(article, self.group(node), number)

    def with_article(self, article: Article, group: Group, number: str = "") -> Phrase:
        grammar = self.grammar
        match article:
            case "the":
                phrase = grammar.the(group.noun)
            case "a":
                phrase = grammar.a(group.noun)
            case "each":
                phrase = grammar.each(group.noun)
            case "all":
                phrase = grammar.all(group.noun)
            case "some":
                phrase = grammar.some(group.noun, number)
        many = article in ("all", "some") and number != "1"
        if not many:
            return phrase.beside(group.near, group.tail_one)
        return phrase.beside(group.after_many, group.tail_many)

    def all(self, node: core.Expr) -> Phrase:
        return self.chosen("all", node)

    def drawn(self, node: core.Query, draw: core.Draw) -> Group:
        return self.narrowed(self.group(draw.domain), draw.local, node.where)


def _is_player(type_: Type) -> bool:
    return isinstance(type_, ThingType) and type_.kinds == {"Player"}


def _needs_brackets(sign: str, operand: core.Expr, last: bool) -> bool:
    """Whether an operand of this sign is told in brackets; the last one binds what follows it."""
    match operand:
        case core.Conditional() | core.Case() | core.Extreme() | core.Arithmetic(sign="mod"):
            return True
        case core.Arithmetic(sign="+" | "-"):
            return sign not in ("+", "-") or (sign == "-" and last)
        case core.Arithmetic():
            return sign == "mod" or (sign in ("*", "/") and last)
        case _:
            return False


def _conjuncts(node: core.Expr) -> list[core.Expr]:
    if isinstance(node, core.Both):
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _leads(subject: Phrase, pronoun: Phrase, language: str) -> bool:
    """Whether a clause begins with the relative pronoun, or with “whose”."""
    whose = ("dessen ", "deren ") if language == "de" else ("whose ",)
    return subject == pronoun or subject.nom.startswith(whose)
