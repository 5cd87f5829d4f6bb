"""What statements hand on: calls of steps, and decisions."""

from __future__ import annotations

from typing import Protocol

from ruledsl.engine.expressions.environment import Env
from ruledsl.engine.procedures.frames import Machine, Scope, Setting
from ruledsl.model import core
from ruledsl.model.game import StepInfo


class Steps(Protocol):
    """Knows the functions of steps."""

    def step_function(self, info: StepInfo, setting: Setting) -> str:
        """The function of a step; it takes its arguments, or finds them in its frame."""


class Asking(Protocol):
    """Lowers decisions."""

    def choose_value(self, m: Machine, node: core.ChooseValue, env: Env, scope: Scope) -> None:
        """Ask for a value, or several."""

    def choose_action(self, m: Machine, node: core.ChooseAction, env: Env, scope: Scope) -> None:
        """Ask for an action, and carry it out."""

    def act_together(self, m: Machine, node: core.Together, env: Env, scope: Scope) -> None:
        """Ask several players at once."""
