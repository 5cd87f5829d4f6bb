"""The variants in `variants.md` are short, and can be played to the end."""

import random
from pathlib import Path

import pytest

from ruledsl.play.loading import load

from .blocks import Block, rules_blocks, write_file

BLOCKS = rules_blocks("variants.md")
VARIANTS = [block for block in BLOCKS if "error" not in block.marks]
BASES = {"burg_appenzell", "hameln", "pied_piper", "ratzentanz"}
GAMES = 3


def rules_of(block: Block) -> list[str]:
    """The lines that are not about tests and translations."""
    before = block.text.partition("\ntest ")[0]
    return [line for line in before.split("\n") if line.strip()]


def test_there_is_one_of_each_game() -> None:
    headers = (block.text.partition(' "')[0].partition(" of ")[2] for block in VARIANTS)
    assert set(headers) >= BASES


@pytest.mark.parametrize("block", VARIANTS, ids=lambda block: block.declared_name)
def test_short(block: Block) -> None:
    assert len(rules_of(block)) <= 10
    assert "\ntest " in block.text


@pytest.mark.parametrize("block", VARIANTS, ids=lambda block: block.declared_name)
def test_played_to_the_end(block: Block, tmp_path: Path) -> None:
    game = load(str(write_file(block, BLOCKS, tmp_path)))
    for players in game.players:
        for seed in range(GAMES):
            match = game.start(players, seed=seed)
            generator = random.Random(seed)
            while match.decision is not None:
                match.choose(generator.randrange(len(match.decision.options)))
            assert match.result is not None
            assert match.result.how != "limit"
