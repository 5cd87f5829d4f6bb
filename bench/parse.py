"""Prints how fast each shipped file is parsed, and checked with all it builds on."""

from collections.abc import Callable
from time import perf_counter

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.syntax.parser import parse

ROUNDS = 3


def main() -> None:
    library = Library()
    sources = tuple(library.sources())
    if not sources:
        print("there are no games yet")
        return
    parse(sources[0])  # the first call also builds the parser
    wide = max(len(source.name) for source in sources)
    print(f"{'file':{wide}}  {'KB':>6}  {'parse':>19}  {'check':>19}")
    all_size = all_parsing = all_checking = 0.0
    for source in sources:
        size = len(source.text.encode()) / 1000
        parsing = _seconds(parse, source)
        checking = _seconds(lambda source: check_source(source, library), source)
        print(
            f"{source.name:{wide}}  {size:6.1f}  {_speed(size, parsing)}  {_speed(size, checking)}"
        )
        all_size += size
        all_parsing += parsing
        all_checking += checking
    speeds = f"{_speed(all_size, all_parsing)}  {_speed(all_size, all_checking)}"
    print(f"{'all':{wide}}  {all_size:6.1f}  {speeds}")


def _speed(size: float, seconds: float) -> str:
    return f"{seconds * 1000:6.1f} ms {size / seconds:4.0f} KB/s"


def _seconds(work: Callable[[Source], object], source: Source) -> float:
    """The best of some rounds: the others were disturbed."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        work(source)
        times.append(perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
