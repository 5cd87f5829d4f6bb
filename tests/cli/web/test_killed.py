"""A server that is killed at any moment loses no choice that it accepted."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ruledsl.cli.saves import look

KILLS = 200 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 6


class Killed(Exception):
    """The server is gone."""


def started(folder: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("ruledsl")),
            "serve",
            "--port",
            "0",
            "--tables",
            str(folder),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, process.stdout.readline().split()[5].removeprefix("http://").rstrip("/")


def gone(process: subprocess.Popen[str]) -> None:
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def made(host: str) -> tuple[str, dict[str, str]]:
    wish = json.dumps({"game": "go", "seats": ["human", "human"], "seed": 1}).encode()
    with urllib.request.urlopen(f"http://{host}/api/tables", wish) as answer:
        found = json.load(answer)
    return found["table"], found["seats"]


def scene(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message = json.loads(socket.recv(timeout=60))
        if "scene" in message:
            found: dict[str, Any] = message
            return found


def play(host: str, table: str, seats: dict[str, str], accepted: list[int]) -> None:
    """Choose at random until the server is gone; what it confirmed is noted."""
    rng = random.Random(len(accepted))
    try:
        with connect(f"ws://{host}/api/sit") as one, connect(f"ws://{host}/api/sit") as other:
            sockets = (one, other)
            for socket, secret in zip(sockets, seats.values(), strict=True):
                socket.send(json.dumps({"table": table, "secret": secret}))
            looks = [scene(socket) for socket in sockets]
            # What was not confirmed may have been written all the same.
            assert looks[0]["turn"] in (len(accepted), len(accepted) + 1)
            del accepted[looks[0]["turn"] :]
            accepted.extend([-1] * (looks[0]["turn"] - len(accepted)))
            while True:
                asked = [at for at, found in enumerate(looks) if "ask" in found["scene"]]
                if not asked:
                    return  # A fast machine has played to the end.
                mover = asked[0]
                found = looks[mover]
                number = rng.randrange(len(found["scene"]["ask"]["options"]))
                turn = found["turn"]
                message = {"do": "choose", "number": number, "turn": turn}
                sockets[mover].send(json.dumps(message))
                while looks[mover]["turn"] == turn:
                    looks[mover] = scene(sockets[mover])
                accepted.append(number)
                while looks[1 - mover]["turn"] == turn:
                    looks[1 - mover] = scene(sockets[1 - mover])
    except (ConnectionClosed, OSError, TimeoutError):
        return


def test_nothing_that_was_accepted_is_lost(tmp_path: Path) -> None:
    rng = random.Random(3)
    process, host = started(tmp_path)
    table, seats = made(host)
    accepted: list[int] = []
    confirmed = 0
    for _ in range(KILLS):
        timer = threading.Timer(rng.uniform(0.1, 1.2), process.send_signal, [signal.SIGKILL])
        timer.start()
        play(host, table, seats, accepted)
        timer.join()
        gone(process)
        saved = [choice.number for choice in look(tmp_path / f"{table}.save").choices]
        assert len(saved) - len(accepted) in (0, 1)
        for kept, heard in zip(saved, accepted, strict=False):
            assert heard in (kept, -1)
        confirmed = len(accepted)
        process, host = started(tmp_path)
    process.kill()
    gone(process)
    assert confirmed
