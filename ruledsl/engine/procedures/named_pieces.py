"""Which pieces a slot or a name in scope refers to, so that they are unlike all others."""

from __future__ import annotations

from ruledsl.engine.choices.candidates import Candidates
from ruledsl.engine.code.instructions import Code, add, both, cell_at, eq, load, mul, no, op
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.procedures.frames import Frames
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.stored import Words
from ruledsl.model.types import SetType, Type, plain


class NamedPieces(Part):
    """Writes the function that finds them."""

    def __init__(
        self, context: Context, seeing: Seeing, candidates: Candidates, frames: Frames
    ) -> None:
        super().__init__(context)
        self.seeing = seeing
        self.candidates = candidates
        self.frames = frames

    def write_mark_apart(self) -> None:
        """Find the pieces that a slot or a name in scope refers to, in order."""
        w = self.context.function("mark_apart", "viewer", result=False)
        number = w.variable(0)
        empty = self.layout.numbers([0] * self.layout.pieces)
        w.emit("copy", self.candidates.apart, empty, 4 * self.layout.pieces)

        def mark(x: Code) -> None:
            x = w.once(x)
            address = w.once(cell_at(self.candidates.apart, x))
            is_piece = both(op("i32.ge_s", x, 0), op("i32.lt_s", x, self.layout.pieces))
            with w.when(is_piece), w.when(no(load(address))):
                w.set(number, add(number, 1))
                w.store(address, number)

        for key, info in self.game.states.items():
            slot = self.layout.states[key]
            if not self._may_name_pieces(info.type):
                continue
            with w.counting(0, slot.count) as at:
                address = w.once(add(mul(at, slot.stride), slot.base))
                seen: Code = 1
                if info.sight != "open":
                    seen = self.seeing.sees_state(w, key, w.once(add(at, slot.first)), "viewer")
                with w.when(seen):
                    if slot.words:
                        words = Words(address, slot.low, slot.words)
                        words.each(w, mark)
                    else:
                        mark(load(address))
        for frame in self.frames.frames.values():
            points = {
                point: names
                for point, names in frame.live.items()
                if any(self._may_name_pieces(of) for of, _ in names)
            }
            if not points:
                continue
            resume = w.once(load(frame.resume))
            for point, names in points.items():
                with w.when(eq(resume, point)):
                    for of, binding in names:
                        if not self._may_name_pieces(of):
                            continue
                        if isinstance(binding, SetCode):
                            binding.each(w, mark)
                        else:
                            mark(binding)

    def _may_name_pieces(self, of: Type) -> bool:
        inner = plain(of)
        return self.layout.may_be_piece(inner.element if isinstance(inner, SetType) else inner)
