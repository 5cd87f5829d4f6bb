"""`ruledsl explain`, and how its pages are read."""

import pytest

from ruledsl.diagnostics.explain import Page, all_codes, page, parse_page

from .conftest import Run

TEXT = """\
# some-code

What it is.

## Wrong

```rules
game a
```

## Right

So:

```rules
game b
```
"""


def test_a_page_has_a_wrong_and_a_right_example() -> None:
    assert parse_page(TEXT) == Page("some-code", TEXT, "game a\n", "game b\n")


@pytest.mark.parametrize("part", ["# some-code", "What it is.", "## Wrong", "## Right", "rules"])
def test_a_page_without_a_part_is_refused(part: str) -> None:
    with pytest.raises(ValueError, match="a page needs"):
        parse_page(TEXT.replace(part, ""))


def test_pages_are_called_like_their_codes() -> None:
    for code in all_codes():
        found = page(code)
        assert found is None or found.code == code.name


def test_every_code_can_be_explained(run: Run) -> None:
    for code in all_codes():
        result = run("explain", code.name)
        assert result.exit_code == 0
        assert code.name in result.stdout


def test_the_list_of_codes(run: Run) -> None:
    result = run("explain")
    assert result.exit_code == 0
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == [code.name for code in all_codes()]


def test_an_unknown_code(run: Run) -> None:
    result = run("explain", "wrong-encodign")
    assert result.exit_code == 2
    expected = (
        "error: no mistake is called `wrong-encodign`\n  = hint: did you mean `wrong-encoding`?\n"
    )
    assert result.stderr == expected
