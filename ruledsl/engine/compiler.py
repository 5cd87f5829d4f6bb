"""A table made into a program: all parts assembled, and everything written in order."""

from __future__ import annotations

import struct

import attrs

from ruledsl.engine.choices.candidates import Candidates, DecisionSites
from ruledsl.engine.choices.choice_plans import ChoicePlan
from ruledsl.engine.choices.choices import Choices
from ruledsl.engine.code.instructions import Program
from ruledsl.engine.context import Context, Failure, lets_players_leave
from ruledsl.engine.counters import Counters, has_lines
from ruledsl.engine.effects.effects import Effects
from ruledsl.engine.expressions.any_expression import AnyExpression
from ruledsl.engine.memory.board_plans import Board
from ruledsl.engine.memory.control import CHOOSER, CUT, DIRTY, GENERATOR, MIND, WORK
from ruledsl.engine.memory.layout import NO_THING, Layout
from ruledsl.engine.memory.vectors import Vector
from ruledsl.engine.procedures.frames import Frame, Procedure
from ruledsl.engine.procedures.procedures import Procedures
from ruledsl.engine.runtime.batches import Batches
from ruledsl.engine.runtime.chance import write_chance
from ruledsl.engine.runtime.dealing import DealingCode
from ruledsl.engine.runtime.helpers import write_helpers
from ruledsl.engine.runtime.leads import Leads
from ruledsl.engine.runtime.notes import NoteTaking
from ruledsl.engine.runtime.perft import write_perft
from ruledsl.engine.runtime.results import Results
from ruledsl.engine.runtime.running import Running
from ruledsl.engine.runtime.search import SearchCode
from ruledsl.engine.runtime.tallies import Tallies
from ruledsl.engine.runtime.tree import TreeCode
from ruledsl.engine.runtime.trials import Trial, TrialCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.table.table import Table

NO_CUT = 2**31 - 1
"""More decisions than any game has."""


@attrs.frozen(eq=False)
class Compiled:
    """A program, and where what it works with lies in its memory."""

    layout: Layout
    program: Program
    checked: bool
    lightly: bool
    failures: list[Failure]
    first_vector: bytes
    """the table before set-up"""
    track: bool
    """whether it keeps what each player knows"""
    candidates: Candidates
    sites: DecisionSites
    plans: list[ChoicePlan]
    """how decisions between actions are carried out"""
    frames: dict[Procedure, Frame]
    boards: list[Board]
    """those that are kept"""
    history_logs: dict[str, int]
    results: Results
    notes: NoteTaking
    batches: Batches
    tree: TreeCode
    dealing: DealingCode
    search: SearchCode
    trial: TrialCode | None
    counters: Counters | None
    leads: Leads | None


def compiled(
    table: Table, *, checked: bool, lightly: bool, trial: Trial | None, counted: bool = False
) -> Compiled:
    """The rules of a table as a program; `counted`, it counts what happens."""
    layout, program = Layout(table), Program()
    blocks = [*table.game.blocks(), *(() if trial is None else trial.given)]
    leave = any(map(lets_players_leave, blocks))
    counters = Counters(layout, program) if counted else None
    context = Context(
        table, layout, program, checked, lightly, leave, counters, from_the_start=trial is None
    )
    keeping = KeptSets(context)
    expressions = AnyExpression(context, keeping)
    effects = Effects.assembled(context, expressions, keeping, "below" if trial is None else "fate")
    choices = Choices.assembled(context, expressions, keeping, effects)
    procedures = Procedures(context, expressions, keeping, effects, choices)
    frames, sites = procedures.frames, choices.sites
    tests = None
    if trial is not None:
        tests = TrialCode(context, expressions, frames, procedures.resumable, trial)

    write_chance(context, "next", "below", GENERATOR)
    write_chance(context, "mind_next", "mind_below", MIND)
    if tests is not None:
        tests.write_fate()
    write_helpers(context)
    expressions.sieving.write_nth_bits()
    effects.seeing.write_seeing()
    effects.moving.write_shuffle()
    effects.moving.write_moving_functions()
    procedures.together.write_move_quietly()
    effects.histories.write_histories()
    choices.indistinguishable.write_depth()
    choices.indistinguishable.write_arrange()
    choices.indistinguishable.write_alike()
    choices.taking.write_picking()
    notes = NoteTaking(context, choices.candidates)
    notes.write()
    results = Results(context, expressions, effects.seeing)
    results.write()
    leads = None if counters is None or not has_lines(table.game) else Leads(context, results)
    if leads is not None:
        leads.write()
    tree = TreeCode(context, effects.seeing, choices.candidates, sites)
    tree.write_tree()
    running = Running(context, frames, procedures, tests)
    running.write_decide()
    running.write_run()
    if tests is not None:
        tests.write_facts()
    # By now it is known what names may hold at decisions, and which boards are read.
    procedures.named_pieces.write_mark_apart()
    expressions.boards.write_boards()

    if counters is not None:
        counters.write_add_up()
    # By now it is known of which cells a position consists.
    start = layout.scratch(layout.vector_size, 8)
    tallies = Tallies(context, results)
    batches = Batches(context, sites, results, tallies, notes, leads)
    batches.write(start)
    write_perft(context)
    dealing = DealingCode(context)
    search = SearchCode(context, sites, results, tree, dealing)
    search.write_search()
    allowance = table.game.allowance
    first = _vector_before_set_up(table, layout)
    program.data = [
        *layout.data,
        (start, first),
        (tree.several_address, tree.several_sites()),
        (CUT, struct.pack("<i", NO_CUT)),
        (WORK, struct.pack("<2i", allowance.statements, allowance.queries)),
        *(() if counters is None else counters.data()),
    ]
    program.size = layout.static_end + 65536
    return Compiled(
        layout,
        program,
        checked,
        lightly,
        context.failures,
        first,
        effects.seeing.track,
        choices.candidates,
        sites,
        choices.drawing.plans,
        frames.frames,
        expressions.boards.boards_kept(),
        effects.histories.history_logs,
        results,
        notes,
        batches,
        tree,
        dealing,
        search,
        tests,
        counters,
        leads,
    )


def _vector_before_set_up(table: Table, layout: Layout) -> bytes:
    first = Vector(table, layout, bytes(layout.vector_size))
    first.lay(table.start(), frozenset())
    first.put(CHOOSER, NO_THING)
    first.put_word(DIRTY, -1)
    return first.vector()
