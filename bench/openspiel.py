"""OpenSpiel's side of the benchmark: random games and search, single-threaded.

Its Python module can't call an evaluator directly. A search of one simulation evaluates the
position it is given and nothing else, so rollouts are had from `MCTSBot` without a tree. The bot
can't begin at a chance node, though: `rollouts` starts at the first decision, and where a game
begins with a deal or a throw, OpenSpiel is spared the time for it. `bots` plays whole games, deal
included, but builds a list of probabilities for every choice. The truth lies between the two.
"""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pyspiel

from bench.entries import Theirs

EXPLORATION = 2.0
NO_MEMORY_LIMIT = 0

_SEEDS = 2**31


@attrs.define
class OpenSpielGame:
    """A game of OpenSpiel; every measured method plays `count` of something."""

    theirs: Theirs
    _start: Any = attrs.field(init=False)
    _game: Any = attrs.field(init=False)
    _evaluating: Any = attrs.field(init=False)
    choices: int = 0
    """choices with more than one option in the games of `loop`"""
    games: int = 0
    """games of `loop`"""

    def __attrs_post_init__(self) -> None:
        self._game = pyspiel.load_game(self.theirs.game)
        self._start = self._game.new_initial_state()
        for wanted in self.theirs.opening:
            actions = {
                self._start.action_to_string(action): action
                for action, _ in self._start.chance_outcomes()
            }
            self._start.apply_action(actions[wanted])
        # The bot refuses games with rewards on the way, which don't matter to a mere evaluation;
        # it takes the position from any game.
        self._evaluating = self._game if self.searchable else pyspiel.load_game("tic_tac_toe")

    @property
    def searchable(self) -> bool:
        """Whether OpenSpiel's search takes the game."""
        kind = self._game.get_type()
        return bool(kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL)

    @property
    def deals(self) -> bool:
        """Whether chance comes before the first decision."""
        return bool(self._start.is_chance_node())

    def loop(self, count: int, seed: int) -> None:
        """Random games, each step called from Python."""
        random = Random(seed)
        for _ in range(count):
            state = self._start.clone()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(_drawn(state, random))
                    continue
                actions = state.legal_actions()
                self.choices += len(actions) > 1
                state.apply_action(random.choice(actions))
            self.games += 1

    def bots(self, count: int, seed: int) -> None:
        """Random games, each of them one call."""
        random = Random(seed)
        players = range(self._game.num_players())
        bots = [
            pyspiel.make_uniform_random_bot(player, random.randrange(_SEEDS)) for player in players
        ]
        for _ in range(count):
            pyspiel.evaluate_bots(self._start.clone(), bots, random.randrange(_SEEDS))

    def rollouts(self, count: int, seed: int) -> None:
        """Random games from the first decision on, all of them in one call."""
        state = self._first_decision(Random(seed), forced=True)
        evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
        root = self._bot(self._evaluating, evaluator, 1, seed).mcts_search(state)
        assert root.explore_count == 1

    def search(self, count: int, seed: int) -> None:
        """So many iterations of search from the first decision, with one rollout in each."""
        # With a single option the bot would not search.
        state = self._first_decision(Random(seed), forced=False)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        root = self._bot(self._game, evaluator, count, seed).mcts_search(state)
        assert root.explore_count == count

    def _bot(self, game: Any, evaluator: Any, simulations: int, seed: int) -> Any:
        return pyspiel.MCTSBot(
            game,
            evaluator,
            EXPLORATION,
            simulations,
            NO_MEMORY_LIMIT,
            solve=False,  # A solved game would end the search early.
            seed=seed,
            verbose=False,
        )

    def _first_decision(self, random: Random, forced: bool) -> Any:
        state = self._start.clone()
        while state.is_chance_node() or (not forced and len(state.legal_actions()) == 1):
            chance = state.is_chance_node()
            state.apply_action(_drawn(state, random) if chance else state.legal_actions()[0])
        return state


def _drawn(state: Any, random: Random) -> int:
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    return int(random.choices(actions, weights)[0])
