"""Nouns in sentences: articles, cases and plurals of English and German.

A phrase knows its forms, so that a sentence can ask for the one it needs: `{a:dat}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

import attrs

Case: TypeAlias = Literal["nom", "acc", "dat"]
Gender: TypeAlias = Literal["m", "f", "n", "p", ""]
"""`p` for what has no singular, nothing where it is not known"""
CASES: tuple[Case, ...] = ("nom", "acc", "dat")


@attrs.frozen
class Phrase:
    """Somebody or something, in each case."""

    nom: str
    acc: str
    dat: str
    plural: bool = False
    owner: Literal["", "which", "you", "own"] = ""
    """stands before what it owns: “whose”, “your”, “its”"""
    gender: Gender = ""
    onto: bool = False
    """a place on which things lie, not in which"""
    tail: str = ""
    """a relative clause"""
    gen: str = ""
    """as an owner; empty where it takes a preposition instead"""

    def __format__(self, case: str) -> str:
        match case:
            case "" | "nom":
                return self.nom + self.tail
            case "acc":
                return self.acc + self.tail
            case _:
                return self.dat + self.tail

    def __str__(self) -> str:
        return format(self)

    def beside(self, near: str, tail: str) -> Phrase:
        """The same with what follows it: `in the box`, `that lies there`."""
        gen = f"{self.gen}{near}" if self.gen else ""
        nom, acc, dat = (f"{form}{near}" for form in (self.nom, self.acc, self.dat))
        return attrs.evolve(self, nom=nom, acc=acc, dat=dat, gen=gen, tail=tail)

    def followed(self, tail: str) -> Phrase:
        """The same with something more at its end."""
        return attrs.evolve(self, tail=f"{self.tail}{tail}")

    @property
    def bare(self) -> Phrase:
        return attrs.evolve(self, tail="")


def fixed(text: str, *, plural: bool = False) -> Phrase:
    """What is the same in every case: a number, a name."""
    return Phrase(text, text, text, plural)


@attrs.frozen
class Noun:
    """A word for a kind of thing, with its plural and its gender."""

    one: str
    many: str
    gender: Gender = ""
    onto: bool = False

    @property
    def is_weak(self) -> bool:
        """“der Bote, des Boten”: masculine, and an n in all forms but the first; not “der See”."""
        weak = self.gender == "m" and re.search("[^e]e$", self.one) is not None
        return weak and self.many == f"{self.one}n"


@attrs.frozen
class English:
    """English has one form for all cases."""

    cases: ClassVar[Mapping[str, Case]] = {}
    resting: ClassVar[Mapping[str, Case]] = {}

    def noun(self, label: str, forms: str | None) -> Noun:
        if forms == "plural":
            return Noun(label, label, "p")
        return Noun(label, forms or _english_plural(label), "n")

    def _word(self, word: str, noun: Noun, *, many: bool = False) -> Phrase:
        text = f"{word} {noun.many if many else noun.one}".strip()
        plural = many or noun.gender == "p"
        return Phrase(text, text, text, plural, onto=noun.onto)

    def the(self, noun: Noun, adjective: str = "") -> Phrase:
        return self._word(f"the {adjective}".strip(), noun)

    def this(self, noun: Noun) -> Phrase:
        return self._word("these" if noun.gender == "p" else "this", noun)

    def a(self, noun: Noun) -> Phrase:
        if noun.gender == "p":
            return self._word("", noun)
        return self._word("an" if noun.one[:1].lower() in "aeiou" else "a", noun)

    def each(self, noun: Noun) -> Phrase:
        return self._word("each", noun)

    def some(self, noun: Noun, number: str = "") -> Phrase:
        return self._word(number, noun, many=number != "1")

    def all(self, noun: Noun) -> Phrase:
        return self._word("all", noun, many=True)

    def some_of(self, phrase: Phrase) -> str:
        """What there is, of something that may be missing: “a goal” for “the goal”."""
        text = str(phrase.bare)
        found = re.match(r"(the|this) (?=(.))", text)
        if found is None or phrase.plural:
            return text
        such = "such " if found[1] == "this" else ""
        article = "an" if not such and found[2].lower() in "aeiou" else "a"
        return f"{such}{article} {text[found.end() :]}".replace("an other ", "another ", 1)

    def which(self, noun: Noun, *, many: bool) -> Phrase:
        return Phrase("that", "which", "which", many or noun.gender == "p", "which")

    def you(self) -> Phrase:
        return Phrase("you", "you", "you", True, "you")

    def owned(self, owner: Phrase, noun: Noun) -> Phrase:
        if owner.owner:
            return self._word({"you": "your", "which": "whose"}.get(owner.owner, "its"), noun)
        return self.of(self.the(noun), owner)

    def whose(self, owner: Phrase) -> str:
        return "" if owner.owner == "own" else f" of {owner}"

    def number_of(self, noun: Noun) -> Phrase:
        return fixed(f"the number of {noun.many}")

    def of(self, thing: Phrase, owner: Phrase) -> Phrase:
        text = f"{thing} of {owner}"
        return Phrase(text, text, text, thing.plural, onto=thing.onto)

    def after(self, word: str, phrase: Phrase) -> str:
        """A phrase with the word before it in a sentence, which may be its article."""
        text = str(phrase)
        if word.lower() == "the" and text.startswith("the "):
            return f"{word}{text[3:]}"
        if word.lower() in ("a", "an"):
            rest = text.removeprefix("the ")
            return f"{word[0]}{'n' * (rest[:1].lower() in tuple('aeio'))} {rest}"
        return f"{word} {text}"

    def polished(self, sentence: str) -> str:
        return sentence


_ENGLISH = {"man": "men", "mouse": "mice", "die": "dice", "wolf": "wolves", "child": "children"}


def _english_plural(label: str) -> str:
    start, _, last = label.rpartition(" ")
    if last.lower() in _ENGLISH:
        return f"{start} {_ENGLISH[last.lower()]}".strip()
    if re.search(r"(?:s|x|ch|sh)$", label):
        return f"{label}es"
    if re.search(r"[^aeiou]y$", label):
        return f"{label[:-1]}ies"
    return f"{label}s"


_ARTICLES: dict[Gender, tuple[str, str, str]] = {
    "m": ("der", "den", "dem"),
    "f": ("die", "die", "der"),
    "n": ("das", "das", "dem"),
    "p": ("die", "die", "den"),
}
_MASCULINE: dict[str, Case] = {"der": "nom", "den": "acc", "dem": "dat"}
_ONE_OF_MANY: dict[str, Case] = {"ein": "nom", "einen": "acc", "einem": "dat"}
_STRONG: dict[Gender, tuple[str, str, str]] = {
    "m": ("er", "en", "em"),
    "f": ("e", "e", "er"),
    "n": ("es", "es", "em"),
    "p": ("e", "e", "en"),
}
"""endings of “dieser”, “jeder”, and of adjectives without an article"""
_EIN: dict[Gender, tuple[str, str, str]] = {
    "m": ("", "en", "em"),
    "f": ("e", "e", "er"),
    "n": ("", "", "em"),
    "p": ("e", "e", "en"),
}
CLOSE = "\x1e"
"""Where a relative clause ends: a comma, unless the sentence ends there or has one."""
_WHOSE: dict[Gender, str] = {"m": "dessen", "f": "deren", "n": "dessen", "p": "deren"}
_GENDERS: dict[str, Gender] = {"der": "m", "die": "f", "das": "n", "plural": "p"}
_DATIVE = ("von", "zu", "mit", "bei", "aus", "nach", "seit", "vor", "neben", "auf", "unter")
_ACCUSATIVE = ("für", "durch", "um", "gegen", "ohne", "in", "an", "über", "hinter")
_CASES: dict[str, Case] = {
    **dict.fromkeys(_DATIVE, "dat"),
    **dict.fromkeys(_ACCUSATIVE, "acc"),
}
"""after prepositions; of those that take both, the one that instructions mostly need"""
_RESTING: dict[str, Case] = {
    **_CASES,
    **dict.fromkeys(("in", "an", "über", "hinter", "zwischen"), "dat"),
}
"""the same in what something is called, where nothing moves"""
_CONTRACTED = (
    (r"\b([Vv])on dem\b", r"\1om"),
    (r"\b([Zz])u dem\b", r"\1um"),
    (r"\b([Zz])u der\b", r"\1ur"),
    (r"\b([Ii])n dem\b", r"\1m"),
    (r"\b([Ii])n das\b", r"\1ns"),
    (r"\b([Aa])n dem\b", r"\1m"),
    (r"\b([Bb])ei dem\b", r"\1eim"),
)


@attrs.frozen
class German:
    """German declines the article and any adjectives before the noun."""

    cases: ClassVar[Mapping[str, Case]] = _CASES
    resting: ClassVar[Mapping[str, Case]] = _RESTING

    def noun(self, label: str, forms: str | None) -> Noun:
        """Forms are those of a dictionary, such as `das, Häuser`."""
        if "," in label:
            label = f"{label}{CLOSE}"
        article, _, many = (forms or "").partition(",")
        return Noun(label, many.strip() or label, _GENDERS.get(article.strip(), ""))

    def _declined(
        self,
        noun: Noun,
        words: tuple[str, str, str],
        endings: tuple[str, str, str],
        *,
        many: bool = False,
    ) -> Phrase:
        if not noun.gender:
            text = noun.many if many else noun.one
            number = f"{words[0]} " if words[0].isdecimal() else ""
            return attrs.evolve(fixed(f"{number}{text}", plural=many), onto=noun.onto)
        plural = many or noun.gender == "p"
        text = noun.many if many else noun.one
        forms = (
            f"{word} {_adjectives(text, ending)}".strip(" ")
            for word, ending in zip(words, endings, strict=True)
        )
        nom, acc, dat = forms
        dat = _dative_plural(dat) if plural else dat
        if not plural and noun.is_weak:
            acc, dat = _weak_noun(acc), _weak_noun(dat)
        return Phrase(
            nom, acc, dat, plural, onto=noun.onto, gen=self._genitive(text, words, noun, plural)
        )

    def _genitive(self, text: str, words: tuple[str, str, str], noun: Noun, plural: bool) -> str:
        """“des Hauses”, “dieser Figur”, “aller Karten”: by the ending of the article."""
        article = words[2]
        if plural:
            first, _, rest = article.partition(" ")
            adjective = (rest,) if rest else ()
            stem = {"den": "der", "allen": "aller"}.get(first)
            if stem is None and first.endswith("en"):
                stem = f"{first[:-2]}er"
            return " ".join((stem, *adjective, _adjectives(text, "en"))) if stem else ""
        if noun.gender == "f":
            certain = article.partition(" ")[0].endswith("er")
            return f"{article} {_adjectives(text, 'en')}" if certain else ""
        found = re.fullmatch(r"(?:(\w+)em|(dem))( \w+)?", article)
        if found is None:
            return ""
        stem = "des" if found[2] or found[1] == "d" else f"{found[1]}es"
        declined = _adjectives(text, "en")
        declined = _weak_noun(declined) if noun.is_weak else _with_s(declined)
        return f"{stem}{found[3] or ''} {declined}"

    def _weak(self, gender: Gender) -> tuple[str, str, str]:
        if gender == "p":
            return ("en", "en", "en")
        return ("e", "en" if gender == "m" else "e", "en")

    def the(self, noun: Noun, adjective: str = "") -> Phrase:
        if not noun.gender:
            unsure = f"{adjective}e {noun.one}" if adjective else noun.one
            return attrs.evolve(fixed(unsure), onto=noun.onto)
        weak = self._weak(noun.gender)
        first, second, third = _ARTICLES[noun.gender]
        if adjective:
            described = [f"{adjective}{ending}" for ending in weak]
            articles = (f"{first} {described[0]}", f"{second} {described[1]}")
            return self._declined(noun, (*articles, f"{third} {described[2]}"), weak)
        return self._declined(noun, (first, second, third), weak)

    def _with(self, stem: str, noun: Noun) -> Phrase:
        if not noun.gender:
            return fixed(noun.one)
        first, second, third = (f"{stem}{ending}" for ending in _STRONG[noun.gender])
        return self._declined(noun, (first, second, third), self._weak(noun.gender))

    def this(self, noun: Noun) -> Phrase:
        return self._with("dies", noun)

    def each(self, noun: Noun) -> Phrase:
        return self.all(noun) if noun.gender == "p" else self._with("jed", noun)

    def _like_ein(self, stem: str, noun: Noun) -> Phrase:
        if not noun.gender:
            return fixed(noun.one)
        first, second, third = (f"{stem}{ending}" for ending in _EIN[noun.gender])
        weak = self._weak(noun.gender)
        strong = _STRONG[noun.gender]
        mixed = weak if noun.gender == "p" else (strong[0], strong[1], "en")
        return self._declined(noun, (first, second, third), mixed)

    def a(self, noun: Noun) -> Phrase:
        if noun.gender == "p":
            return self._declined(noun, ("", "", ""), _STRONG["p"])
        return self._like_ein("ein", noun)

    def some(self, noun: Noun, number: str = "") -> Phrase:
        if number == "1":
            return self.a(noun)
        return self._declined(noun, (number, number, number), _STRONG["p"], many=True)

    def all(self, noun: Noun) -> Phrase:
        if not noun.gender:
            return fixed(f"alle {noun.many}", plural=True)
        return self._declined(noun, ("alle", "alle", "allen"), self._weak("p"), many=True)

    def some_of(self, phrase: Phrase) -> str:
        """What there is, of something that may be missing: “ein Ziel” for “das Ziel”."""
        text = format(phrase.bare, "acc")
        adjectives = re.match("(?:[a-zäöüß]+ )*(?=[A-ZÄÖÜ])", text)
        if adjectives is None or phrase.plural or re.search("sten? ", adjectives[0]):
            return text
        return _one_of_many(text, "acc")

    def which(self, noun: Noun, *, many: bool) -> Phrase:
        gender: Gender = "p" if many else noun.gender
        if not gender:
            return fixed("")
        nom, acc, dat = _ARTICLES[gender]
        return Phrase(nom, acc, "denen" if gender == "p" else dat, gender == "p", "which", gender)

    def you(self) -> Phrase:
        return Phrase("du", "dich", "dir", False, "you")

    def owned(self, owner: Phrase, noun: Noun) -> Phrase:
        if owner.owner == "you" and noun.gender:
            return self._like_ein("dein", noun)
        if owner.owner == "own":
            return self.the(noun, "jeweilig" if noun.gender else "")
        if owner.owner == "which":
            whose = _WHOSE[owner.gender]
            if not noun.gender:
                return fixed(f"{whose} {noun.one}")
            return self._declined(noun, (whose, whose, whose), _STRONG[noun.gender])
        return self.of(self.the(noun), owner)

    def whose(self, owner: Phrase) -> str:
        if owner.owner == "own":
            return ""
        return f" {owner.gen}{owner.tail}" if owner.gen else f" von {owner:dat}"

    def number_of(self, noun: Noun) -> Phrase:
        many = _adjectives(noun.many, "en")
        return Phrase(f"die Anzahl der {many}", f"die Anzahl der {many}", f"der Anzahl der {many}")

    def of(self, thing: Phrase, owner: Phrase) -> Phrase:
        whose = self.whose(owner)
        nom, acc, dat = (f"{format(thing, case)}{whose}" for case in CASES)
        gen = f"{thing.gen}{whose}" if thing.gen else ""
        return Phrase(nom, acc, dat, thing.plural, onto=thing.onto, gen=gen)

    def after(self, word: str, phrase: Phrase) -> str:
        """A phrase with the word before it, which tells its case; `der`, `den` and `dem` stand for
        the article that the phrase has itself, if any, `ein`, `einen` and `einem` for `ein` in its
        form."""
        if word.lower() in _MASCULINE:
            text = format(phrase, _MASCULINE[word.lower()])
            return text[:1].upper() + text[1:] if word[0].isupper() else text
        if word.lower() in _ONE_OF_MANY:
            case = _ONE_OF_MANY[word.lower()]
            text = _one_of_many(format(phrase, case), case)
            return text[:1].upper() + text[1:] if word[0].isupper() else text
        return f"{word} {format(phrase, _CASES.get(word.lower(), 'nom'))}"

    def polished(self, sentence: str) -> str:
        for written, spoken in _CONTRACTED:
            sentence = re.sub(written, spoken, sentence)
        return re.sub(rf"{CLOSE}+(?=$|[,.:;)])", "", sentence).replace(CLOSE, ",")


def _one_of_many(text: str, case: Case) -> str:
    """“ein leerer Boden” for “der leere Boden”."""
    article, _, rest = text.partition(" ")
    if article not in ("der", "die", "das", "den", "dem"):
        return text
    adjectives = re.match("(?:[a-zäöüß]+ )*", rest)
    said, noun = ("", rest) if adjectives is None else (adjectives[0], rest[adjectives.end() :])
    if case == "nom" and article == "der":
        return f"ein {said.replace('e ', 'er ')}{noun}"
    if article == "das":
        return f"ein {said.replace('e ', 'es ')}{noun}"
    return f"ein{article[1:].replace('ie', 'e')} {rest}"


def leading_case(label: str) -> Case:
    """That of values without a preposition: “{x} verlässt das Feld”, but “{x} bewegen”."""
    return "nom" if re.match(r"\{\w+\} [a-zäöüß]+t\b", label) else "acc"


_VALUE = re.compile(r"(?:(\w+) )?\{([^{}]*)\}")


def filled(
    label: str, values: Mapping[str, Phrase], cases: Mapping[str, Case], case: Case = "nom"
) -> str:
    """A label with phrases for the values in it; the word before one tells its case.

    What is joined to another by “und” has the case of that one.
    """
    last = case

    def told(found: re.Match[str]) -> str:
        nonlocal last
        before, value = found[1], values.get(found[2])
        if value is None:
            return found[0]
        if before != "und":
            last = cases.get((before or "").lower(), case)
        phrase = format(value, last)
        return f"{before} {phrase}" if before else phrase

    return _VALUE.sub(told, label)


Grammar: TypeAlias = English | German
GRAMMARS: dict[str, Grammar] = {"en": English(), "de": German()}

_ADJECTIVE = re.compile(r"^((?:[a-zäöü]+(?:e[rs]?|en) )+)(?=[A-ZÄÖÜ])")
"""“gesammelte ” before a noun"""


def _adjectives(text: str, ending: str) -> str:
    """The adjectives before a noun with this ending."""
    found = _ADJECTIVE.match(text)
    if found is None:
        return text
    stems = (re.sub(r"e[nrs]?$", "", word) for word in found[1].split())
    return " ".join(f"{stem}{ending}" for stem in stems) + f" {text[found.end() :]}"


def _dative_plural(text: str) -> str:
    """The first noun of a phrase takes an n: “den Häusern”."""
    return re.sub(r"\b[A-ZÄÖÜ][\w-]*", lambda noun: _with_n(noun[0]), text, count=1)


def _weak_noun(text: str) -> str:
    """The first noun of a phrase with an n: “des Boten”."""
    return re.sub(r"\b[A-ZÄÖÜ][\w-]*", lambda noun: f"{noun[0]}n", text, count=1)


def _with_s(text: str) -> str:
    """The first noun of a phrase in the genitive: “Hauses”."""
    return re.sub(
        r"\b[A-ZÄÖÜ][\w-]*",
        lambda noun: noun[0] + ("es" if _takes_es(noun[0]) else "s"),
        text,
        count=1,
    )


def _takes_es(noun: str) -> bool:
    """“Hauses”, “Feldes”: after a hiss, and where there is one syllable that ends so."""
    if noun.endswith(("s", "ß", "x", "z")):
        return True
    return len(re.findall(r"[aeiouyäöü]+", noun.lower())) == 1 and noun[-1] not in "aeiouyäöü"


def _with_n(noun: str) -> str:
    return f"{noun}n" if noun.endswith(("e", "er", "el")) else noun
