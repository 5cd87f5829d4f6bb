"""A program that kills processes while they play, and looks at what is left of their saves.

`python killing.py FOLDER KILLS SEED`: each process goes on with the save of the one before it,
makes choices, takes some back, begins new games, and reports every choice once it is accepted. It
is killed at a random moment; whatever it reported must then be in the save.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

import ruledsl
from ruledsl.cli.saves import FORMAT, Header, Save, SavedChoice, SaveError, rules_hash

SEED = 5
OPTIONS = {"goal": "20"}
GAME = ruledsl.load("pig")


def header() -> Header:
    return Header(
        FORMAT, "pig", None, OPTIONS, 2, ("human", "random"), SEED, "en", rules_hash(GAME.checked)
    )


def play(path: Path, seed: int, report: int) -> None:
    """Play for ever, reporting `+number` for a choice, `-` for one taken back, `0` for a save."""
    rng = random.Random(seed)
    while True:
        if not path.exists():
            Save.create(path, header()).close()
            os.write(report, b"0\n")
        save = Save.open(path)
        match = GAME.start(2, options=OPTIONS, seed=SEED)
        match.replay(tuple(choice.number for choice in save.choices))
        while match.seat is not None:
            if save.choices and rng.random() < 0.1:
                save.drop_last()
                os.write(report, b"-\n")
                match.replay(match.history[:-1])
                continue
            choice = rng.choice(match.options)
            save.add(SavedChoice(choice.number, choice.code, match.seat))
            os.write(report, f"+{choice.number}\n".encode())
            match.choose(choice)
        save.close()
        path.unlink()
        os.write(report, b"x\n")


def killed(path: Path, seed: int, rng: random.Random) -> list[str]:
    """What a process reported until it was killed, some time after some of its reports."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            play(path, seed, writing)
        finally:
            os._exit(3)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as reports:
        first = [reports.readline() for _ in range(rng.randrange(12))]
        time.sleep(rng.uniform(0, 0.004 if first else 0.02))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), "it ended by itself"
        return "".join((*first, reports.read())).split()


def main(folder: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    path = folder / "killed.save"
    accepted: list[int] | None = None
    most = 0
    for number in range(kills):
        for report in killed(path, number, rng):
            if report == "x":
                accepted = None
            elif report == "0":
                accepted = []
            elif report == "-":
                assert accepted
                accepted.pop()
            else:
                assert accepted is not None
                accepted.append(int(report))
        accepted = left(path, accepted)
        most = max(most, len(accepted or ()))
    print(kills, most)  # noqa: T201 (the test reads it)


def left(path: Path, accepted: list[int] | None) -> list[int] | None:
    """What is in the save: all that was accepted, and perhaps what was just being done."""
    try:
        with Save.open(path) as save:
            found = [choice.number for choice in save.choices]
    except SaveError as error:
        # Killed while it was removed or made: then nothing in it had been accepted.
        if accepted and path.exists():
            raise AssertionError(f"{accepted} lost") from error
        path.unlink(missing_ok=True)
        return None
    known = accepted or []
    assert found in (known, known[:-1]) or found[:-1] == known, f"{known} accepted, {found} found"
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
