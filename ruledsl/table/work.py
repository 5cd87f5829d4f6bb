"""How much work rules are: the same whoever carries them out.

Work is counted where it can grow: a pass of a loop, a step, an action and a trigger each count as
the statements written in them, once, whether all of them are carried out or not. Loops inside count
for themselves.
"""

from __future__ import annotations

from ruledsl.model import core


def weight(block: core.Block) -> int:
    """What it counts to carry out a block once."""
    return 1 + sum(map(_statement, block))


def _statement(node: core.Statement) -> int:
    match node:
        case core.If(branches=branches):
            return 1 + sum(_statement(each) for branch in branches for each in branch.body)
        case core.ChooseValue(otherwise=otherwise) | core.ChooseAction(otherwise=otherwise):
            return 1 + sum(map(_statement, otherwise or ()))
        case _:
            return 1
