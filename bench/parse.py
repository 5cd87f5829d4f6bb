"""Prints how fast each shipped file is parsed."""

from collections.abc import Callable
from time import perf_counter

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.syntax.parser import parse

ROUNDS = 3


def main() -> None:
    sources = tuple(Library().sources())
    if not sources:
        print("there are no games yet")
        return
    parse(sources[0])  # the first call also builds the parser
    wide = max(len(source.name) for source in sources)
    print(f"{'file':{wide}}  {'KB':>6}  {'parse':>19}")
    total_size = total_time = 0.0
    for source in sources:
        size = len(source.text.encode()) / 1000
        seconds = _seconds(parse, source)
        total_size += size
        total_time += seconds
        print(_row(f"{source.name:{wide}}", size, seconds))
    print(_row(f"{'all':{wide}}", total_size, total_time))


def _row(name: str, size: float, seconds: float) -> str:
    return f"{name}  {size:6.1f}  {seconds * 1000:6.1f} ms {size / seconds:4.0f} KB/s"


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
