"""The server: seats are secrets, messages have limits, and nothing that was accepted is lost."""

import asyncio
import json
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from ruledsl.cli.restore import restore
from ruledsl.cli.saves import Save, SavedChoice, look
from ruledsl.cli.serve import command
from ruledsl.cli.terminal import Refused
from ruledsl.cli.web.app import (
    LONGEST_MESSAGE,
    MESSAGES_AT_ONCE,
    WISHES_AT_ONCE,
    application,
)
from ruledsl.cli.web.catalogue import Catalogue
from ruledsl.cli.web.storage import Storage
from ruledsl.cli.web.tables import MOST_VIEWERS, Tables
from ruledsl.cli.web.thinking import Thinkers

OWN_RULES = """\
game pebbles "Pebbles"
    players 2

place heap of Pebble
place gone of Pebble
piece Pebble 7 in heap

step play
    set active = Player(1)
    repeat while not empty(heap)
        choose "How many?"
            grab
        set active = active.next
    win active

action grab(n in 1..2) "Take pebbles"
    require n <= count(heap) "There are not so many."
    move n from heap to gone
"""


class Client:
    """Somebody's browser, as far as a server can tell."""

    def __init__(self, port: int) -> None:
        self.host = f"127.0.0.1:{port}"

    def ask(
        self, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.host}{path}", data, headers or {})
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers

    def json(self, path: str, body: Any = None) -> Any:
        return json.loads(self.ask(path, body)[1])


class Socket:
    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send_text(self, text: str) -> None:
        self.connection.send(text)

    def send_json(self, data: Any) -> None:
        self.send_text(json.dumps(data))

    def receive_json(self) -> Any:
        return json.loads(self.connection.recv(timeout=20))


@contextmanager
def serving(folder: Path) -> Iterator[Client]:
    tables = Tables(Storage(folder), Thinkers(2), pace=0)
    config = uvicorn.Config(application(tables, Catalogue()), port=0, log_level="error")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Client(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with serving(tmp_path) as found:
        yield found


def created(client: Client, **wish: Any) -> tuple[str, dict[str, str]]:
    made = client.json("/api/tables", wish)
    assert "problem" not in made, made
    return made["table"], made["seats"]


@contextmanager
def sitting(client: Client, table: str, secret: str = "", **hello: Any) -> Iterator[Socket]:
    with connect(f"ws://{client.host}/api/sit") as connection:
        socket = Socket(connection)
        socket.send_json({"table": table, "secret": secret, **hello})
        yield socket


def scene(socket: Socket) -> dict[str, Any]:
    """The next scene that comes."""
    while True:
        message = socket.receive_json()
        if "scene" in message:
            found: dict[str, Any] = message
            return found


def asked(socket: Socket) -> dict[str, Any]:
    """The next scene in which the seat is asked, or the game is over."""
    while True:
        found = scene(socket)
        if "ask" in found["scene"] or "ending" in found["scene"]:
            return found


def test_the_lobby_knows_every_game(client: Client) -> None:
    games = client.json("/api/games")
    assert {"chess", "hearts"} <= {game["id"] for game in games}
    details = client.json("/api/games/go")
    assert details["options"] and details["players"] == [2]
    assert client.ask("/api/games/nothing")[0] == 404
    assert client.ask("/")[2]["content-security-policy"].startswith("default-src 'none'")


def test_a_whole_game_against_computers(client: Client) -> None:
    table, seats = created(client, game="tic_tac_toe", seats=["human", "random"], seed=4)
    with sitting(client, table, seats["1"]) as socket:
        while True:
            found = asked(socket)
            if "ending" in found["scene"]:
                break
            socket.send_json({"do": "choose", "number": 0, "turn": found["turn"]})
        assert found["scene"]["ending"]["placings"]


def test_seats_see_different_things_and_onlookers_see_less(client: Client) -> None:
    table, seats = created(client, game="crazy_eights", seats=["human", "human"], seed=1)
    hands = []
    for secret in (seats["1"], seats["2"], ""):
        with sitting(client, table, secret) as socket:
            held = {each["place"]: each for each in scene(socket)["scene"]["contents"]}
            hands.append([piece["label"] for piece in held["hand(Player(1))"]["pieces"]])
    assert hands[0] != hands[1] == hands[2]
    assert set(hands[1]) == {"Card"}


def test_without_its_secret_nobody_plays_for_a_seat(client: Client) -> None:
    table, seats = created(client, game="tic_tac_toe", seats=["human", "human"], seed=1)
    for secret in ("guess", seats["1"][:-1], "x" * 3000):
        with sitting(client, table, secret) as socket, pytest.raises(ConnectionClosed):
            socket.receive_json()
    for secret, problem in (("", "not your turn"), (seats["2"], "not your turn")):
        with sitting(client, table, secret) as socket:
            scene(socket)
            for message in ({"do": "choose", "number": 0, "turn": 0}, {"do": "why", "ids": ["x"]}):
                socket.send_json(message)
                assert socket.receive_json() == {"problem": problem}
            socket.send_json({"do": "hint"})
            assert socket.receive_json() == {"problem": problem}


def test_a_stranger_learns_nothing_about_tables(client: Client) -> None:
    for name in ("unknown", "../x", "a" * 30, 7):
        with sitting(client, name) as socket, pytest.raises(ConnectionClosed):  # type: ignore[arg-type]
            socket.receive_json()


def test_a_choice_is_for_the_position_it_was_made_in(client: Client) -> None:
    table, seats = created(client, game="tic_tac_toe", seats=["human", "human"], seed=1)
    with sitting(client, table, seats["1"]) as socket:
        scene(socket)
        socket.send_json({"do": "choose", "number": 0, "turn": 1})
        assert socket.receive_json() == {"problem": "too late"}
        socket.send_json({"do": "choose", "number": 99, "turn": 0})
        assert socket.receive_json() == {"problem": "no such option"}


def test_undo_and_looking_back(client: Client) -> None:
    table, seats = created(client, game="checkers", seats=["human", "human"], seed=1)
    with sitting(client, table, seats["1"]) as socket:
        first = scene(socket)
        socket.send_json({"do": "choose", "number": 0, "turn": 0})
        scene(socket)
        socket.send_json({"do": "undo"})
        assert socket.receive_json() == {"problem": "no undo"}
        socket.send_json({"do": "past", "turn": 0})
        past = socket.receive_json()
        assert past["past"]["contents"] == first["scene"]["contents"]
        socket.send_json({"do": "past", "turn": 5})
        assert socket.receive_json() == {"problem": "no such turn"}


def test_why_with_the_rule(client: Client) -> None:
    table, seats = created(client, game="pied_piper", seats=["human"] * 3, seed=2)
    found: dict[str, Any] = {}
    for secret in seats.values():
        with sitting(client, table, secret, language="de") as socket:
            found = scene(socket)
            if "ask" not in found["scene"]:
                continue
            card, spot = (
                part["touches"][0] for part in found["scene"]["ask"]["options"][0]["parts"][1:]
            )
            socket.send_json({"do": "why", "ids": [card, spot]})
            assert socket.receive_json()["why"] == {"legal": True, "reasons": []}
            break
    assert "ask" in found["scene"]


def test_rules_that_were_sent_run_apart(client: Client) -> None:
    table, seats = created(client, rules=OWN_RULES, seats=["human", "easy"], seed=3)
    with sitting(client, table, seats["1"]) as socket:
        found = asked(socket)
        while "ending" not in found["scene"]:
            socket.send_json({"do": "choose", "number": 0, "turn": found["turn"]})
            found = asked(socket)


def test_rules_that_were_sent_are_tried_out(client: Client) -> None:
    """Their tests, and some games at random: as in a page without a server."""
    rules = OWN_RULES + (
        '\ntest "two are taken"\n    when play\n        grab(2)\n        grab(2)\n'
        "    then\n        count(gone) = 4\n"
        '\ntest "three are not"\n    when play\n        grab(2)\n'
        "    then\n        count(gone) = 3\n"
    )
    found = client.json("/api/test", {"rules": rules})
    assert [(each["title"], each["passed"]) for each in found] == [
        ("two are taken", True),
        ("three are not", False),
    ]
    games = client.json("/api/simulate", {"rules": rules, "players": 2})
    assert games["games"] == sum(games["wins"]) == 100
    for path, wish in (
        ("test", {"rules": "game broken"}),
        ("test", {"rules": 7}),
        ("simulate", {"rules": rules}),
        ("simulate", {"rules": rules, "players": 10**8}),
    ):
        code, body, _ = client.ask(f"/api/{path}", wish)
        assert code == 422 and set(json.loads(body)) == {"problem"}


def test_whoever_is_too_fast_is_told_so_and_nobody_else(client: Client) -> None:
    wish = {"rules": 7}
    codes = [client.ask("/api/check", wish)[0] for _ in range(3 * int(WISHES_AT_ONCE))]
    assert codes[0] == 422 and 429 in codes
    time.sleep(1)
    table, seats = created(client, game="pig", seats=["human", "human"], seed=1)
    with sitting(client, table, seats["1"]) as fast, sitting(client, table, seats["2"]) as other:
        scene(fast)
        for _ in range(3 * int(MESSAGES_AT_ONCE)):
            fast.send_json({"do": "rules"})
        while fast.receive_json().get("problem") != "too fast":
            pass
        scene(other)
        other.send_json({"do": "rules"})
        while "rules" not in other.receive_json():
            pass


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"game": "../secret", "seats": ["human"]},
        {"game": "/etc/passwd", "seats": ["human", "human"]},
        {"game": "chess", "seats": ["human", "nobody"]},
        {"game": "chess", "seats": ["human", "mcts:100000000"]},
        {"game": "chess", "seats": ["human"] * 3},
        {"game": "chess", "seats": "human"},
        {"game": "chess", "seats": ["human", "human"], "options": {"size": 3}},
        {"game": "chess", "seats": ["human", "human"], "options": {"no": "such"}},
        {"game": "chess", "seats": ["human", "human"], "language": "tlh"},
        {"rules": "game broken", "seats": ["human"]},
        {"rules": "x" * 500_000, "seats": ["human"]},
    ],
)
def test_tables_that_cant_be(client: Client, wish: dict[str, Any]) -> None:
    code, body, _ = client.ask("/api/tables", wish)
    assert code == 422
    assert set(json.loads(body)) == {"problem"}


def test_requests_from_other_pages_are_refused(client: Client) -> None:
    wish = {"game": "pig", "seats": ["human", "human"]}
    elsewhere = "https://elsewhere.example"
    code, _, _ = client.ask("/api/tables", wish, {"origin": elsewhere})
    assert code == 403
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://{client.host}/api/sit", origin=Origin(elsewhere)),
    ):
        pass


def test_a_table_has_room_for_so_many(client: Client) -> None:
    table, _ = created(client, game="pig", seats=["human", "human"])
    with ExitStack() as stack:
        for _ in range(MOST_VIEWERS):
            scene(stack.enter_context(sitting(client, table)))
        last = stack.enter_context(sitting(client, table))
        assert last.receive_json() == {"problem": "too many viewers"}


# ------------------------------------------------------------ what is kept


def test_a_server_that_comes_back_knows_its_tables(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table, seats = created(client, game="connect_four", seats=["human", "human"], seed=9)
        with sitting(client, table, seats["1"]) as socket:
            scene(socket)
            socket.send_json({"do": "choose", "number": 3, "turn": 0})
            before = scene(socket)
    saved = look(tmp_path / f"{table}.save")
    assert [choice.number for choice in saved.choices] == [3]
    with serving(tmp_path) as client, sitting(client, table, seats["1"]) as socket:
        after = scene(socket)
        assert after["scene"]["contents"] == before["scene"]["contents"]
        assert after["turn"] == 1
    secret_file = tmp_path / f"{table}.seats"
    assert secret_file.stat().st_mode & 0o077 == 0


def test_a_game_goes_on_in_the_terminal_and_back(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table, seats = created(client, game="connect_four", seats=["human", "human"], seed=9)
        with sitting(client, table, seats["1"]) as socket:
            scene(socket)
            socket.send_json({"do": "choose", "number": 3, "turn": 0})
            scene(socket)
    path = tmp_path / f"{table}.save"
    # The terminal makes the next choice.
    match = restore(look(path)).match
    choice = match.options[2]
    with Save.open(path) as save:
        save.add(SavedChoice(choice.number, choice.code, 2))

    async def adopted() -> tuple[int, ...]:
        tables = Tables(Storage(tmp_path / "others"), Thinkers(1), pace=0)
        table = await tables.adopt(path)
        history: tuple[int, ...] = table.keeper.state.history
        tables.close()
        return history

    assert asyncio.run(adopted()) == (3, 2)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ruledsl.cli.web.running", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit | Refused)
    if isinstance(result.exception, Refused):
        assert "uvicorn" in str(result.exception)


# ------------------------------------------------------------ bad messages

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
bad_messages = st.one_of(
    st.text(max_size=200),
    json_values.map(json.dumps),
    st.builds(
        lambda do, extra: json.dumps({"do": do, **extra}),
        st.sampled_from(
            ["choose", "undo", "why", "hint!", "rules!", "past", "language", "sit", ""]
        ),
        st.dictionaries(
            st.sampled_from(["number", "turn", "ids", "language", "id"]), json_values, max_size=4
        ),
    ),
    st.just("[" * 5000),
    st.just("x" * (LONGEST_MESSAGE + 1)),
)


def test_ten_thousand_bad_messages_break_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruledsl.cli.web.app.MESSAGES_A_SECOND", 1e9)
    monkeypatch.setattr("ruledsl.cli.web.app.MESSAGES_AT_ONCE", 1e9)
    with serving(tmp_path) as client:
        table, seats = created(client, game="checkers", seats=["human", "human"], seed=2)

        @settings(max_examples=100, deadline=None)
        @given(st.lists(bad_messages, min_size=100, max_size=100), st.sampled_from(["1", "2"]))
        def check(messages: list[str], seat: str) -> None:
            with sitting(client, table, seats[seat]) as socket:
                scene(socket)
                for message in messages:
                    socket.send_text(message)
                socket.send_json({"do": "past", "turn": 0, "id": 77_777})
                while True:
                    answer = socket.receive_json()
                    if answer.get("id") == 77_777:
                        assert "past" in answer
                        return

        check()
        rng = random.Random(1)
        found: dict[str, Any] = {}
        for _ in range(4):
            for seat in ("1", "2"):
                with sitting(client, table, seats[seat]) as socket:
                    found = scene(socket)
                    if "ask" in found["scene"]:
                        count = len(found["scene"]["ask"]["options"])
                        message = {"do": "choose", "number": rng.randrange(count)}
                        socket.send_json({**message, "turn": found["turn"]})
                        scene(socket)
        assert found["turn"] >= 1
