"""Rules files for tests: those that are shipped, and examples of everything in the language."""

from importlib import resources
from pathlib import Path

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.rules"))
SHIPPED = sorted(Path(str(resources.files("ruledsl.games"))).rglob("*.rules"))
FILES = [*EXAMPLES, *SHIPPED]
