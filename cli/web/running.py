"""The server as it runs: its address, and what it prints."""

from __future__ import annotations

import asyncio
import logging
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
    asyncio.run(_serve(uvicorn.Server(config), tables, wishes))


async def _serve(server: uvicorn.Server, tables: Tables, wishes: Wishes) -> None:
    running = asyncio.create_task(server.serve())
    while not server.started and not running.done():
        await asyncio.sleep(0.02)
    if not server.started:
        raise Refused(f"nothing can listen at {wishes.host}, port {wishes.port}")
    port = server.servers[0].sockets[0].getsockname()[1]
    host = f"[{wishes.host}]" if ":" in wishes.host else wishes.host
    address = f"http://{host}:{port}/"
    if wishes.save is not None:
        address = await _adopted(tables, wishes.save, address)
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
