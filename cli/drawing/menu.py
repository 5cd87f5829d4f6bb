"""The options of a decision, grouped by action and by first parameter, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import attrs

from ruledsl.scene.data import Ask, Part, SceneOption
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .text import cut, flow, in_columns, safe, shared_words, styled, together, wrap

MOST_LISTED = 24
"""More fields of a board than this are pointed at by their names, not listed."""
MOST_BRIEF = 12
"""With few rows, more than this."""
MOST_EXAMPLES = 3
"""Of how options are written."""
MOST_PAIRED = 8
"""More pairs than this are told part by part."""


def menu_lines(
    ask: Ask,
    columns: int,
    say: Phrases,
    rows: int | None = None,
    *,
    everything: bool = False,
    brief: bool = False,
    chooser: str = "",
) -> list[str]:
    """What can be chosen now; what stands before a bracket may be typed instead of the words.

    That things belong to the `chooser` is left out, unless others' could be meant.

    Many fields of a board are counted only, unless `everything` is wanted. Where it takes more than
    so many `rows` it is `brief`, and cut short if it must be.
    """
    ask = _without_owner(ask, chooser) if chooser else ask
    amounts = frozenset(each.amount for each in ask.options if each.amount is not None)
    lines = _Menu(columns, say, everything, brief, amounts).lines(ask)
    if rows is not None and len(lines) > rows:
        lines = _Menu(columns, say, brief=True, amounts=amounts).lines(ask)
    if rows is not None and len(lines) > rows:
        more = styled(cut(say(terminal.MORE_CHOICES), columns), "dim")
        lines = [*lines[: max(0, rows - 1)], more]
    return lines


def _without_owner(ask: Ask, owner: str) -> Ask:
    """The options without the owner in brackets, where all that have one there have this one."""
    end = f" ({owner})"
    labels = {part.label for option in ask.options for part in option.parts}
    if any(label.endswith(")") and not label.endswith(end) for label in labels):
        return ask
    options = (
        attrs.evolve(
            option,
            label=option.label.removesuffix(end),
            parts=tuple(
                attrs.evolve(part, label=part.label.removesuffix(end)) for part in option.parts
            ),
        )
        for option in ask.options
    )
    return attrs.evolve(ask, options=tuple(options))


@attrs.frozen
class _Menu:
    """A way to tell options: as they are, `brief`, or with `everything`."""

    columns: int
    say: Phrases
    everything: bool = False
    brief: bool = False
    amounts: frozenset[int] = frozenset()
    """numbers that are typed for what an action is about"""

    def lines(self, ask: Ask) -> list[str]:
        say, columns = self.say, self.columns
        actions: dict[str, list[SceneOption]] = {}
        single: list[SceneOption] = []
        for option in ask.options:
            # A label may say all of an option.
            if option.label != option.parts[0].label:
                actions.setdefault(option.parts[0].label, []).append(option)
            else:
                single.append(option)
        lines: list[str] = []
        for label, options in actions.items():
            if self._counts(options):
                example = safe(options[len(options) // 2].parts[1].label)
                text = say(terminal.MANY, number=str(len(options)), example=example)
                lines += wrap(f"{styled(f'{safe(label)}:', 'bold')} {text}", columns, "  ")
            elif not self.everything and _is_product(options, MOST_PAIRED if not self.brief else 2):
                alone = len(actions) == 1 and not single
                lines += self._product(safe(label), options, alone=alone)
            else:
                lines += self._action(safe(label), options)
        if self._counts(single):
            example = safe(single[len(single) // 2].label)
            text = say(terminal.MANY, number=str(len(single)), example=example)
            lines += wrap(f"  {text}", columns)
        else:
            lines += self._single(single)
        return lines if self.brief else [*lines, *_notation(ask.options, columns, say)]

    def _counts(self, options: Sequence[SceneOption]) -> bool:
        """Whether there are many, and all that tells them apart is a place."""
        most = MOST_BRIEF if self.brief else MOST_LISTED
        return (
            not self.everything
            and len(options) > most
            and all(
                len(option.parts) <= 2
                and option.parts[-1].touches
                and not _is_piece(option.parts[-1])
                for option in options
            )
        )

    def _product(self, label: str, options: Sequence[SceneOption], *, alone: bool) -> list[str]:
        """What each part can be; one of each is typed. The label of what stands `alone` says little
        more than the question does."""
        telling = _telling(options)
        example = " ".join(safe(options[len(options) // 2].parts[at].label) for at in telling)
        text = self.say(terminal.ONE_OF_EACH, example=example)
        heading = f"{styled(f'{label}:', 'bold')} {text}"
        lines = wrap(f"  {text}" if self.brief and alone else heading, self.columns, "  ")
        values = [list(dict.fromkeys(_text(each.parts[at]) for each in options)) for at in telling]
        if self.brief:
            names = ([safe(each.parts[at].label) for each in options] for at in telling)
            parts = (_alternatives(list(dict.fromkeys(each))) for each in names)
            return [*lines, *flow(["  " + next(parts), *parts], self.columns, "  ", gap="; ")]
        for part in values:
            first, *rest = (together(each if each == part[-1] else f"{each} |") for each in part)
            lines += flow([f"  {first}", *rest], self.columns, "    ", gap=" ")
        return lines

    def _action(self, label: str, options: Sequence[SceneOption]) -> list[str]:
        heading = wrap(styled(f"{label}:", "bold"), self.columns)
        telling = _telling(options)
        if len(telling) == 1:
            items = [
                self._item(each, _way(each) or _text(each.parts[telling[0]])) for each in options
            ]
            return self._under(heading, self._shortened(options, items))
        by_first: dict[str, list[SceneOption]] = {}
        for option in options:
            by_first.setdefault(_text(option.parts[telling[0]]), []).append(option)
        lines = heading
        few: list[str] = []
        for first, group in by_first.items():
            rest = [
                numbered(each.number, ", ".join(_text(each.parts[at]) for at in telling[1:]))
                for each in group
            ]
            arrow = " →" if _leads(group[0], telling) else ":"
            if len(rest) > 3:
                lines = self._under(lines, few) if few else lines
                lines += flow([f"  {first}{arrow}", *rest], self.columns, "      ")
                few = []
            else:
                few.append(f"{first}{arrow} {'  '.join(rest)}")
        return self._under(lines, few) if few else lines

    def _under(self, heading: list[str], items: Sequence[str]) -> list[str]:
        """Items below a heading; if it is to be brief, one after the other from there on."""
        if not self.brief:
            return [*heading, *in_columns(items, self.columns, "  ")]
        *above, last = heading
        return [*above, *flow([last, *items], self.columns, "  ")]

    def _item(self, option: SceneOption, text: str) -> str:
        """An option with its number, unless another number is typed for it, or it for another."""
        if option.amount is not None or option.number + 1 in self.amounts:
            return text
        return numbered(option.number, text)

    def _shortened(self, options: Sequence[SceneOption], items: list[str]) -> list[str]:
        """Of many numbers in a row the first and the last, with a dash between them."""
        both = [*zip(options, items, strict=True)]
        counted = [(option.amount, item) for option, item in both if option.amount is not None]
        if self.everything or len(counted) <= MOST_LISTED:
            return items
        (low, first), (high, last) = counted[0], counted[-1]
        if high - low + 1 != len(counted):
            return items
        others = [item for option, item in both if option.amount is None]
        return [together(f"{first} – {last}"), *others]

    def _single(self, options: Sequence[SceneOption]) -> list[str]:
        """Values, and actions without parameters."""
        if not options:
            return []
        if any(is_number(option) for option in options):
            # A number is typed itself.
            items = [self._item(option, _text(option.parts[0])) for option in options]
            items = self._shortened(options, items)
            return flow([f"  {items[0]}", *items[1:]], self.columns, "  ")
        items = [self._item(option, _text(option.parts[0])) for option in options]
        items = self._shortened(options, items)
        if self.brief:
            return flow([f"  {items[0]}", *items[1:]], self.columns, "  ")
        return in_columns(items, self.columns, "  ")


def _alternatives(names: Sequence[str]) -> str:
    """Names, the words that all begin with only once."""
    shared = shared_words(names)
    rest = [name.removeprefix(f"{shared} ") for name in names]
    return together(f"{shared} {' | '.join(rest)}".strip())


def _notation(options: Sequence[SceneOption], columns: int, say: Phrases) -> list[str]:
    """That options may be typed as players write them: a few examples, each of another action."""
    written: dict[str, str] = {}
    for option in options:
        if option.written:
            written[option.parts[0].label] = option.written
    if not written:
        return []
    examples = ", ".join(safe(text) for text in [*written.values()][:MOST_EXAMPLES])
    return wrap(styled(say(terminal.WRITTEN, examples=examples), "dim"), columns, "  ")


def _is_product(options: Sequence[SceneOption], most: int) -> bool:
    """Whether there are many, and anything of one part goes with anything of the others."""
    telling = _telling(options)
    if len(options) <= most or len(telling) < 2:
        return False
    sizes = [len({option.parts[at].label for option in options}) for at in telling]
    return prod(sizes) == len(options)


def _is_piece(part: Part) -> bool:
    return any("/" in touched for touched in part.touches)


def numbered(number: int, text: str) -> str:
    return together(f"{styled(f'{number + 1})', 'dim')} {text}")


def _way(option: SceneOption) -> str:
    """From where to where an option goes: one of both alone could be either."""
    if len(option.parts) == 3 and _leads(option, (1,)):
        return f"{_text(option.parts[1])} → {_text(option.parts[2])}"
    return ""


def _leads(option: SceneOption, telling: Sequence[int]) -> bool:
    """Whether an option goes from somewhere to somewhere."""
    return f"{option.parts[telling[0]].label} → " in option.label


def _telling(options: Sequence[SceneOption]) -> list[int]:
    """The parts in which options of an action differ; where they don't differ at all, the first
    that the label of the action doesn't tell."""
    most = min(len(option.parts) for option in options)
    telling = [
        at for at in range(1, most) if len({option.parts[at].label for option in options}) > 1
    ]
    if telling:
        return telling
    heading, *parts = options[0].parts
    behind = options[0].label.removeprefix(heading.label)
    return [next((at for at, part in enumerate(parts, 1) if part.label in behind), 1)]


def is_number(option: SceneOption) -> bool:
    return len(option.parts) == 1 and option.label.removeprefix("-").isdigit()


def _text(part: Part) -> str:
    label = safe(part.label)
    return f"{label} ({safe(part.note)})" if part.note else label
