"""How fast an editor is answered while the largest shipped game is typed: `make bench`.

A session is recorded as what somebody types at places of a game, and then changes in lines all over
it: each letter is a change, after which mistakes are looked for; now and then completions are asked
for. What a check leaves behind is cleared away as the server does it, while nobody types. Times are
of the processor.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import process_time

from ruledsl.language_server.completion import completions
from ruledsl.language_server.texts import Place
from ruledsl.language_server.workspace import Workspace
from ruledsl.library import display_name

GAMES = Path(__file__).parents[1] / "games"

RECORDED = (
    ("step setup\n", "    let first = Player(1)\n    set active = first\n"),
    ("\naction ", "    # Nobody may do this twice.\n"),
    ("\ndefine ", "define twice(n: 0..9) = 2 * n\n"),
    ("language de\n", '    "Not so fast." "Nicht so schnell."\n'),
    ('\ntest "', 'test "typed"\n    players 2\n    then\n        not finished\n\n'),
    ("\nstate ", "state typed: 0..9 = 0\n"),
    ("\nplace ", "place typed_pile of Token\n"),
    ("\ntype ", "type Typed = first_one, second_one\n\n"),
)
"""Behind which words of the game something is typed, and what."""

EVERY = 40
"""In each line after so many, the last word is taken back and typed again."""


def largest() -> Path:
    return max(GAMES.rglob("*.rules"), key=lambda path: path.read_text("utf-8").count("\n"))


def session(text: str) -> Iterator[tuple[str, int]]:
    """The text after each letter, and where the cursor is; what was typed is taken back again."""
    for needle, typed in RECORDED:
        at = text.index(needle) + (len(needle) if needle.endswith("\n") else 1)
        for count in range(1, len(typed) + 1):
            yield text[:at] + typed[:count] + text[at:], at + count
        yield text, at
    yield from changed(text)


def changed(text: str) -> Iterator[tuple[str, int]]:
    """The text while a word here and there is taken back letter by letter, and typed again."""
    words = [*re.finditer(r"(?m)^[^\n#§]*?(\w+)\W*?(?=\n|  +[§#])", text)]
    for word in words[::EVERY]:
        start, end = word.span(1)
        ends = [*range(end - 1, start - 1, -1), *range(start + 1, end + 1)]
        for at in ends:
            yield text[:at] + text[end:], at


def main() -> None:
    gc.set_threshold(1_000_000, 10, 10)  # as the server does
    gc.freeze()
    path = largest()
    name, text = display_name(path), path.read_text("utf-8")
    workspace = Workspace()
    workspace.open(name, text)
    workspace.analysis(name)
    checks: list[float] = []
    offers: list[float] = []
    cleared: list[float] = []
    for number, (typed, at) in enumerate(session(text)):
        before = process_time()
        workspace.open(name, typed)
        analysis = workspace.analysis(name)
        checks.append(1000 * (process_time() - before))
        assert analysis is not None
        if number % 3 == 0:
            line = typed.count("\n", 0, at) + 1
            place = Place(line, at - typed.rfind("\n", 0, at))
            before = process_time()
            completions(analysis, place)
            offers.append(1000 * (process_time() - before))
        before = process_time()
        gc.collect(1)
        cleared.append(1000 * (process_time() - before))
    lines = text.count("\n")
    print(f"typing in {path.stem} ({lines} lines), milliseconds of the processor")
    print("                 median      95 %     worst   letters")
    for what, times in (("mistakes", checks), ("completion", offers), ("clearing up", cleared)):
        ordered = sorted(times)
        late = ordered[int(0.95 * (len(ordered) - 1))]
        print(
            f"{what:<12} {statistics.median(times):>10.1f}{late:>10.1f}{ordered[-1]:>10.1f}"
            f"{len(times):>10}"
        )
    first, loaded = _started()
    print(f"the server gives its first answer after {first:.2f} s of the processor,")
    print(f"and has loaded the checker after {loaded:.2f} s")


def _started() -> tuple[float, float]:
    """How long the very command takes to answer, and to have read an empty text; the best of 5."""
    hello = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
    ready = {"method": "initialized", "params": {}}
    text = {"uri": "file:///a.rules", "languageId": "rules", "version": 1, "text": ""}
    opened = {"method": "textDocument/didOpen", "params": {"textDocument": text}}
    return min(_answering(hello) for _ in range(5)), min(
        _answering(hello, ready, opened) for _ in range(5)
    )


def _answering(*messages: Mapping[str, object]) -> float:
    """Seconds of the processor until a server has answered the last of some messages."""
    program = Path(sys.executable).parent / "ruledsl"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(  # noqa: S603 (our own program)
        [program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        answers = b""
        while answers.count(b"Content-Length") < min(len(messages), 2):
            answers += server.stdout.read(1 << 16)
        server.kill()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
