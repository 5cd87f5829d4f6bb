"""The server: a lobby, tables by WebSocket, and the page.

A seat's secret is what lets a browser speak for it; nothing else does. It comes in the first
message, never in an address, so that no log has it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Any

import attrs
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ruledsl.library import Library
from ruledsl.play.loading import LoadError

from ..saves import SaveError
from ..terminal import Refused
from .catalogue import Catalogue
from .desk import Objection, language_in, number_in
from .recipe import LONGEST_RULES
from .tables import Table, Tables, Viewer
from .thinking import Check, Sent, Simulate, ThinkingFailed, Try

LONGEST_MESSAGE = 8_192
"""Bytes of a message to a table."""
LONGEST_BODY = 2 * LONGEST_RULES + 10_000
MESSAGES_A_SECOND = 20.0
MESSAGES_AT_ONCE = 40.0
WISHES_A_SECOND = 5.0
WISHES_AT_ONCE = 20.0
"""New tables, and rules to be checked, of one address."""
SEND_SECONDS = 20.0
"""A browser that takes longer to take what it is sent is let go."""
FIRST_SECONDS = 10.0
"""A browser has to say which table it is about within this time."""

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@attrs.define
class Allowance:
    """So many at once, and so many more in a second."""

    a_second: float
    at_once: float
    left: float = attrs.field(default=attrs.Factory(lambda self: self.at_once, takes_self=True))
    when: float = attrs.Factory(time.monotonic)

    def take(self) -> bool:
        now = time.monotonic()
        self.left = min(self.at_once, self.left + (now - self.when) * self.a_second)
        self.when = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Headers:
    """Puts the same careful headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def careful(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                    (b"cross-origin-opener-policy", b"same-origin"),
                    (b"cache-control", b"no-cache"),
                ]
            await send(message)

        await self.app(scope, receive, careful)


class Server:
    """What the routes share."""

    def __init__(self, tables: Tables, catalogue: Catalogue) -> None:
        self.tables = tables
        self.catalogue = catalogue
        self._allowances: dict[str, Allowance] = {}
        self.page = page_files()

    # ------------------------------------------------------------ plain requests

    async def show(self, request: Request) -> Response:
        """The page: the same for the lobby and every table."""
        name = request.path_params.get("file", "index.html")
        if name not in self.page:
            return JSONResponse({"problem": "not found"}, 404)
        return Response(self.page[name], media_type=TYPES[name.rpartition(".")[2]])

    async def games(self, request: Request) -> Response:  # noqa: ARG002 (Starlette's signature)
        return JSONResponse(self.catalogue.games())

    async def game(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in {game["id"] for game in self.catalogue.games()}:
            return JSONResponse({"problem": "not found"}, 404)
        try:
            return JSONResponse(self.catalogue.details(name))
        except LoadError as error:
            return JSONResponse({"problem": str(error)}, 422)

    async def source(self, request: Request) -> Response:
        """The text of a shipped game, for the editor."""
        found = Library().source(str(request.path_params["name"]))
        if found is None:
            return JSONResponse({"problem": "not found"}, 404)
        return JSONResponse({"rules": found.text})

    async def create(self, request: Request) -> Response:
        wish = await self._body(request)
        if isinstance(wish, Response):
            return wish
        try:
            kept = await self.tables.create(wish)
        except (Refused, LoadError, SaveError, ThinkingFailed) as error:
            return JSONResponse({"problem": str(error)}, 422)
        links = {
            str(seat): secret
            for seat, (secret, who) in enumerate(zip(kept.secrets, kept.sitting, strict=True), 1)
            if who == "human"
        }
        return JSONResponse({"table": kept.id, "seats": links})

    async def check(self, request: Request) -> Response:
        return await self._about_rules(request, lambda rules, _: Check(rules))

    async def test(self, request: Request) -> Response:
        return await self._about_rules(request, lambda rules, _: Try(rules))

    async def simulate(self, request: Request) -> Response:
        return await self._about_rules(
            request, lambda rules, wish: Simulate(rules, number_in(wish, "players"))
        )

    async def _about_rules(
        self, request: Request, task: Callable[[str, Mapping[str, Any]], Sent]
    ) -> Response:
        """What a process with limits says about rules that were sent."""
        wish = await self._body(request)
        if isinstance(wish, Response):
            return wish
        rules = wish.get("rules")
        if not isinstance(rules, str) or len(rules) > LONGEST_RULES:
            return JSONResponse({"problem": "bad message"}, 422)
        try:
            return JSONResponse(await self.tables.thinkers.ask(task(rules, wish)))
        except Objection as error:
            return JSONResponse({"problem": error.word}, 422)
        except ThinkingFailed as error:
            return JSONResponse({"problem": str(error)}, 422)

    async def _body(self, request: Request) -> dict[str, Any] | Response:
        """A message in the body of a request from this very page."""
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
            return JSONResponse({"problem": "bad message"}, 403)
        if not self._allowance(request).take():
            return JSONResponse({"problem": "too fast"}, 429)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                return JSONResponse({"problem": "too long"}, 413)
        found = decoded(body)
        return JSONResponse({"problem": "bad message"}, 400) if found is None else found

    def _allowance(self, request: Request) -> Allowance:
        address = request.client.host if request.client is not None else ""
        if len(self._allowances) > 10_000:
            self._allowances.clear()
        return self._allowances.setdefault(address, Allowance(WISHES_A_SECOND, WISHES_AT_ONCE))

    # ------------------------------------------------------------ tables

    async def sit(self, socket: WebSocket) -> None:
        """A browser at a table, until it leaves."""
        origin = socket.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != socket.headers.get("host"):
            await socket.close(4403)
            return
        await socket.accept()
        with suppress(WebSocketDisconnect, asyncio.TimeoutError, RuntimeError):
            entered = await self._entered(socket)
            if entered is None:
                await socket.close(4404)
                return
            table, viewer = entered
            try:
                await self._stay(socket, table, viewer)
            finally:
                self.tables.leave(table, viewer)

    async def _entered(self, socket: WebSocket) -> tuple[Table, Viewer] | None:
        """Who it is, by the first message."""
        text = await asyncio.wait_for(socket.receive_text(), FIRST_SECONDS)
        hello = decoded(text.encode()) or {}
        name, secret = hello.get("table"), hello.get("secret", "")
        if not isinstance(name, str) or not isinstance(secret, str) or len(text) > LONGEST_MESSAGE:
            return None
        try:
            language = language_in(hello)
            table = await self.tables.get(name)
        except (Objection, Refused, SaveError, ThinkingFailed, LoadError) as error:
            await socket.send_json({"problem": str(error)})
            return None
        if table is None:
            return None
        seat = table.kept.seat_of(secret) if secret else None
        if secret and seat is None:
            return None
        viewer = Viewer(seat, language)
        try:
            self.tables.enter(table, viewer)
        except Refused as error:
            await socket.send_json({"problem": str(error)})
            return None
        try:
            await _sent(socket, await table.keeper.ask("stage", language))
        except BaseException:
            self.tables.leave(table, viewer)
            raise
        viewer.fresh.set()
        return table, viewer

    async def _stay(self, socket: WebSocket, table: Table, viewer: Viewer) -> None:
        tasks = [
            asyncio.create_task(self._listen(socket, table, viewer)),
            asyncio.create_task(self._tell(socket, table, viewer)),
            asyncio.create_task(self._answer(socket, viewer)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(RuntimeError):
                await socket.close()

    async def _tell(self, socket: WebSocket, table: Table, viewer: Viewer) -> None:
        """Send what is new, the latest only: a slow browser skips what it was too slow for."""
        while True:
            await viewer.fresh.wait()
            viewer.fresh.clear()
            found = await table.look(viewer)
            if found is not None:
                await _sent(socket, found)

    async def _answer(self, socket: WebSocket, viewer: Viewer) -> None:
        while True:
            await _sent(socket, await viewer.answers.get())

    async def _listen(self, socket: WebSocket, table: Table, viewer: Viewer) -> None:
        allowance = Allowance(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
        while True:
            text = await socket.receive_text()
            if not allowance.take():
                answer: dict[str, Any] | None = {"problem": "too fast"}
                await asyncio.sleep(1 / MESSAGES_A_SECOND)
            else:
                answer = await _obeyed(table, viewer, text)
            if answer is not None:
                # Whoever does not take answers is not listened to, either.
                await viewer.answers.put(answer)


async def _obeyed(table: Table, viewer: Viewer, text: str) -> dict[str, Any] | None:
    message = decoded(text.encode("utf-8", "replace")) if len(text) <= LONGEST_MESSAGE else None
    if message is None:
        return {"problem": "bad message"}
    try:
        answer = await table.obey(viewer, message)
    except Objection as error:
        answer = {"problem": error.word}
    except ThinkingFailed:
        answer = {"problem": "broken"}
    if answer is not None and isinstance(message.get("id"), int):
        answer = {**answer, "id": message["id"]}
    return answer


async def _sent(socket: WebSocket, data: Mapping[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    await asyncio.wait_for(socket.send_text(text), SEND_SECONDS)


def decoded(body: bytes) -> dict[str, Any] | None:
    """A message: an object of JSON, and nothing else."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def page_files() -> dict[str, bytes]:
    """The files of the page, by name."""
    folder = files("ruledsl.cli.web").joinpath("page")
    return {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.name.rpartition(".")[2] in TYPES
    }


def application(tables: Tables, catalogue: Catalogue) -> Starlette:
    server = Server(tables, catalogue)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001 (Starlette's signature)
        tidying = asyncio.create_task(_tidy(tables))
        yield
        tidying.cancel()
        tables.close()

    return Starlette(
        routes=[
            Route("/", server.show),
            Route("/table/{table}", server.show),
            Route("/playground", server.show),
            Route("/page/{file}", server.show),
            Route("/api/games", server.games),
            Route("/api/games/{name:path}", server.game),
            Route("/api/source/{name}", server.source),
            Route("/api/tables", server.create, methods=["POST"]),
            Route("/api/check", server.check, methods=["POST"]),
            Route("/api/test", server.test, methods=["POST"]),
            Route("/api/simulate", server.simulate, methods=["POST"]),
            WebSocketRoute("/api/sit", server.sit),
        ],
        middleware=[Middleware(Headers)],
        lifespan=life,
    )


async def _tidy(tables: Tables) -> None:
    while True:
        await asyncio.sleep(30)
        tables.tidy()
