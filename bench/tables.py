"""How long a choice takes on a server with a hundred tables of four people each.

Every person thinks for a moment, then chooses at random. What is measured is the time from the
choice to the new scene in the same browser.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

TABLES = 100
SEATS = 4
THINKING = (2.0, 8.0)
"""Seconds between two choices at a table."""
SECONDS = 25.0
GAME = "hearts"


async def look(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message = json.loads(await socket.recv())
        if "scene" in message:
            found: dict[str, Any] = message
            return found


async def table(host: str, made: dict[str, Any], times: list[float], end: float) -> None:
    rng = random.Random(made["table"])
    sockets = [await connect(f"ws://{host}/api/sit", max_size=None) for _ in range(SEATS)]
    for socket, secret in zip(sockets, made["seats"].values(), strict=True):
        await socket.send(json.dumps({"table": made["table"], "secret": secret}))
    looks = [await look(socket) for socket in sockets]
    while time.monotonic() < end:
        asked = [n for n, each in enumerate(looks) if "ask" in each["scene"]]
        if not asked:
            break
        await asyncio.sleep(rng.uniform(*THINKING))
        (mover,) = asked
        turn = looks[mover]["turn"]
        number = rng.randrange(len(looks[mover]["scene"]["ask"]["options"]))
        begun = time.monotonic()
        await sockets[mover].send(json.dumps({"do": "choose", "number": number, "turn": turn}))
        while looks[mover]["turn"] == turn:
            looks[mover] = await look(sockets[mover])
        times.append(time.monotonic() - begun)
        for other in range(SEATS):
            while looks[other]["turn"] == turn:
                looks[other] = await look(sockets[other])
    for socket in sockets:
        await socket.close()


async def measure(host: str) -> list[float]:
    wish = json.dumps({"game": GAME, "seats": ["human"] * SEATS}).encode()
    made = []
    for _ in range(TABLES):
        with urllib.request.urlopen(f"http://{host}/api/tables", wish) as answer:
            made.append(json.load(answer))
        await asyncio.sleep(0.21)  # as fast as a server lets one address have tables
    times: list[float] = []
    end = time.monotonic() + SECONDS
    await asyncio.gather(*(table(host, each, times, end) for each in made))
    return times


def main() -> None:
    with TemporaryDirectory() as folder:
        process = subprocess.Popen(  # noqa: S603 - the words are ours
            [
                str(Path(sys.executable).with_name("ruledsl")),
                "serve",
                "--port",
                "0",
                "--tables",
                folder,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        host = process.stdout.readline().split()[5].removeprefix("http://").rstrip("/")
        try:
            times = asyncio.run(measure(host))
        finally:
            process.terminate()
            process.wait()
    ranked = sorted(times)
    print(
        f"{TABLES} tables, {SEATS} people each: {len(times)} choices, "
        f"median {1000 * statistics.median(times):.0f} ms, "
        f"95 % within {1000 * ranked[int(0.95 * len(ranked))]:.0f} ms"
    )


if __name__ == "__main__":
    main()
