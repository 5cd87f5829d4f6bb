"""The server as it runs: its address, and what it prints."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import webbrowser
from pathlib import Path

import attrs
import click
import uvicorn

from ..saves import SaveError
from ..terminal import Refused
from .app import application
from .catalogue import Catalogue
from .storage import Storage
from .tables import Tables
from .thinking import Thinkers


@attrs.frozen
class Wishes:
    """How somebody wants the server to run."""

    host: str
    port: int
    folder: Path
    pace: float
    named: tuple[str, ...] = ()
    """rules files that are offered, too"""
    save: Path | None = None
    """a saved game to go on with"""
    open_browser: bool = False


def run(wishes: Wishes) -> None:
    """Serve until somebody stops it."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        storage = Storage(wishes.folder)
    except OSError as error:
        why = error.strerror or "unknown reason"
        raise Refused(f"tables can't be kept in `{wishes.folder}`: {why.lower()}") from error
    tables = Tables(storage, Thinkers(), wishes.pace, frozenset(wishes.named))
    config = uvicorn.Config(
        application(tables, Catalogue(wishes.named)),
        host=wishes.host,
        port=wishes.port,
        log_level="error",
        ws_max_size=65_536,
        ws_max_queue=16,
        timeout_graceful_shutdown=2,
    )
    with _listening(wishes) as place:
        try:
            asyncio.run(_serve(uvicorn.Server(config), place, tables, wishes))
        except KeyboardInterrupt:
            click.echo("Stopped. The tables are kept.")


def _listening(wishes: Wishes) -> socket.socket:
    """The socket at which browsers call, taken before anything else is begun."""
    try:
        found = socket.getaddrinfo(wishes.host, wishes.port, type=socket.SOCK_STREAM)
        return socket.create_server((wishes.host, wishes.port), family=found[0][0])
    except UnicodeError as error:
        raise Refused(f"{wishes.host} is no name of a machine") from error
    except OSError as error:
        code = error.errno or 0
        # A name that can't be looked up has a number of another kind, and its own words.
        why = (os.strerror(code) if code > 0 else error.strerror or "unknown reason").lower()
        hint = "`--port 0` takes a free port" if code == errno.EADDRINUSE else None
        problem = f"nothing can listen at {wishes.host}, port {wishes.port}: {why}"
        raise Refused(problem, hint) from error


async def _serve(
    server: uvicorn.Server, place: socket.socket, tables: Tables, wishes: Wishes
) -> None:
    running = asyncio.create_task(server.serve(sockets=[place]))
    while not server.started and not running.done():
        await asyncio.sleep(0.02)
    host = f"[{wishes.host}]" if ":" in wishes.host else wishes.host
    address = f"http://{host}:{place.getsockname()[1]}/"
    if wishes.save is not None:
        try:
            address = await _adopted(tables, wishes.save, address)
        except Refused:
            server.should_exit = True
            await running
            raise
    click.echo(f"The table is set at {address} (Ctrl-C stops).")
    if wishes.open_browser:
        webbrowser.open(address)
    await running


async def _adopted(tables: Tables, save: Path, address: str) -> str:
    """The links to the seats of a saved game; the first of them."""
    try:
        kept = (await tables.adopt(save)).kept
    except SaveError as error:
        raise Refused(str(error)) from error
    links = [
        (seat, f"{address}table/{kept.id}#{secret}")
        for seat, (secret, who) in enumerate(zip(kept.secrets, kept.sitting, strict=True), 1)
        if who == "human"
    ]
    for seat, link in links:
        click.echo(f"seat {seat}: {link}")
    return links[0][1] if links else f"{address}table/{kept.id}"
