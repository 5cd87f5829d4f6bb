"""Pages without a server: the modules in one, and Python with nothing but what is packed."""

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from ruledsl.cli.export import command
from ruledsl.cli.web.bundle import HASHES, WrongRuntime, bundled, page, python_zip, runtime
from ruledsl.cli.web.solo import Solo

PLAY = """
import json, sys
sys.path.insert(0, sys.argv[1])
from ruledsl.cli.web.solo import Solo
solo = Solo()
ask = lambda **message: json.loads(solo.answer(json.dumps(message)))
assert len(ask(do="games")[0]["games"]) > 20
found = ask(do="start", game="tic_tac_toe", seats=["human", "greedy"], seed=1, language="de")
while "ending" not in found[-1]["scene"]:
    look = found[-1]
    if look["computer"]:
        found = ask(do="think")
    else:
        found = ask(do="choose", number=0, turn=look["turn"])
print(json.dumps(found[-1]["scene"]["ending"]))
"""


def test_what_is_packed_is_all_that_is_needed(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(python_zip())) as archive:
        archive.extractall(tmp_path)
    # Without the packages of this environment: only what was packed is there.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PLAY, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["placings"]


@pytest.mark.parametrize("entry", ["main", "alone"])
def test_a_bundle_has_each_name_once(entry: str) -> None:
    text = bundled(entry)
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE)
    twice = {name for name in names if names.count(name) > 1}
    assert twice <= {"root", "language", "theme"} and not (entry == "alone" and twice)


def test_no_text_of_rules_ends_the_element_around_it() -> None:
    text = page("<b>&", {"rules": "</script><!-- <script>alert(1)</script>"}, {})
    assert "<title>&lt;b&gt;&amp;</title>" in text
    assert text.count("</script") == text.count("<script")
    config = re.search(r'id="config">(.*?)</script>', text)
    assert config is not None
    assert json.loads(config[1])["rules"].startswith("</script>")


def test_a_page_is_small_unless_it_carries_the_runtime(tmp_path: Path) -> None:
    out = tmp_path / "chess.html"
    result = CliRunner().invoke(command, ["chess", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert out.stat().st_size < 1_000_000


def test_a_runtime_must_be_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(WrongRuntime, match=r"has no `pyodide\.mjs`"):
        runtime(tmp_path)
    for name in HASHES:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(WrongRuntime, match="is not that of version"):
        runtime(tmp_path)


def test_what_the_page_asks_without_a_table() -> None:
    solo = Solo()

    def ask(**message: object) -> dict[str, object]:
        found: dict[str, object] = json.loads(solo.answer(json.dumps(message)))[0]
        return found

    assert ask(do="nonsense")["problem"] == "bad message"
    assert ask(do="details", game="go")["details"]
    rules = ask(do="source", game="pig")["rules_text"]
    checked = ask(do="check", rules=rules)["checked"]
    assert isinstance(checked, dict) and checked["game"]["id"] == "pig"
    wrong = ask(do="check", rules=str(rules).replace("players", "palyers", 1))["checked"]
    assert isinstance(wrong, dict) and wrong["game"] is None and wrong["diagnostics"]
    tested = ask(do="test", rules=rules)["tested"]
    assert isinstance(tested, list) and tested and all(each["passed"] for each in tested)
    simulated = ask(do="simulate", rules=rules, players=2)["simulated"]
    assert isinstance(simulated, dict) and sum(simulated["wins"]) == simulated["games"]
