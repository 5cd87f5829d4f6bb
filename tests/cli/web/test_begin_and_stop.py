"""`ruledsl serve` as a person meets it: where it can't begin it says so, and it stops quietly."""

import socket
from pathlib import Path

from ..conftest import Run
from ..keyboard import Keyboard


def test_a_port_that_is_taken(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = run("serve", "--port", port, "--tables", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: nothing can listen at 127.0.0.1, port {port}: address already in use\n"
        "  = hint: `--port 0` takes a free port\n"
    )


def test_an_address_that_is_none(run: Run, tmp_path: Path) -> None:
    result = run("serve", "--host", "999.1.1.1", "--tables", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr.startswith("error: nothing can listen at 999.1.1.1, port 8000: ")
    assert "Traceback" not in result.stderr


def test_a_name_that_no_machine_has(run: Run, tmp_path: Path) -> None:
    for host, shown in (("a" * 300, "a" * 300), ("x\u202e", "x\ufffd")):
        result = run("serve", "--host", host, "--tables", str(tmp_path))
        assert result.exit_code == 2
        assert result.stderr == f"error: {shown} is no name of a machine\n"


def test_a_save_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "odd.save").write_bytes(b"\x00\x01\x02" * 1000)
    with Keyboard(
        "serve", "odd.save", "--port", "0", "--tables", "tables", cwd=tmp_path
    ) as terminal:
        shown = terminal.see("is not a saved game")
        assert terminal.leave() == 2
    assert "Traceback" not in shown


def test_an_interrupt_ends_it(tmp_path: Path) -> None:
    with Keyboard("serve", "--port", "0", "--tables", "tables", cwd=tmp_path) as terminal:
        terminal.see("(Ctrl-C stops).")
        terminal.press("C")
        terminal.see("Stopped. The tables are kept.")
        assert terminal.leave() == 0
