"""How fast feeds are read, against feedparser in the same run.

Every file of the wild corpus is read in three ways, one after the other, so that whatever else the
machine does meets all of them alike: by feedparser with its defaults, by us with everything read
and sanitised, and by us as a re-poll, where all items but one were met before (one in thirty of a
long feed). Prints CPU seconds and the ratios, for
all feeds and for the long ones, in which one item of thirty is new.

With --parts it tells instead where the time of a full read goes: what single steps take, without
what their clocks cost, and what is left for the rest.

    WIREROOM_CORPUS=… PYTHONPATH=src python bench/parse.py [--rounds 3] [--limit 659] [--parts]
"""

import argparse
import gc
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import feedparser

from wireroom.errors import NotAFeed
from wireroom.feeds import dates, encoding, parse, sanitize, slices, xml
from wireroom.feeds.model import Digest

_URL = "http://feed.example/feed.xml"
#: Of so many items one is new in a re-poll, and at least one of any feed.
_ONE_NEW_OF = 30
#: Steps that are looked up where they are called, so that a clock can be put around each.
_PARTS = (
    ("HTML made safe", sanitize, "html"),
    ("trees made by libxml2", xml, "read"),
    ("markup taken out of titles and names", sanitize, "text"),
    ("items found and cut out", slices, "cut"),
    ("encoding found, text decoded", encoding, "utf8"),
    ("junk and DOCTYPE taken away", xml, "prepared"),
    ("dates", dates, "read"),
)


def main() -> None:
    """Read the corpus and print the table."""
    arguments = _arguments()
    root = Path(os.environ.get("WIREROOM_CORPUS", "../shared/corpus")) / "wild"
    files = sorted(path for path in root.glob("*/*") if path.is_file())[: arguments.limit]
    bodies = [path.read_bytes() for path in files]
    if arguments.parts:
        _print_parts(bodies, arguments.rounds)
        return
    met = [_met(body) for body in bodies]
    ways = ("feedparser", "full read", "re-poll")
    spent = dict.fromkeys((*ways, *(f"{way}, long" for way in ways)), 0.0)
    gc.disable()
    for _ in range(arguments.rounds):
        for body, known in zip(bodies, met, strict=True):
            seconds = (
                _seconds(lambda body=body: feedparser.parse(body)),
                _seconds(lambda body=body: _read(body, frozenset())),
                _seconds(lambda body=body, known=known: _read(body, known)),
            )
            for way, second in zip(ways, seconds, strict=True):
                spent[way] += second
                if len(known) >= _ONE_NEW_OF - 1:
                    spent[f"{way}, long"] += second
            gc.collect(0)
    megabytes = sum(map(len, bodies)) / 1e6
    print(f"{len(bodies)} files, {megabytes:.1f} MB, {arguments.rounds} rounds; long: 30+ items")
    print(f"{'':20}{'CPU s a round':>14}{'x feedparser':>14}")
    for name, total in spent.items():
        ratio = spent[name.replace(name.partition(",")[0], "feedparser")] / total
        print(f"{name:20}{total / arguments.rounds:14.2f}{ratio:14.1f}")


def _print_parts(bodies: Sequence[bytes], rounds: int) -> None:
    spent = {name: _clocked(module, function) for name, module, function in _PARTS}
    total = sum(
        _seconds(lambda: [_read(each, frozenset()) for each in bodies]) for _ in range(rounds)
    )
    tick = _seconds_of_a_clock()
    total -= 2 * tick * sum(map(len, spent.values()))
    all_rounds = {
        name: (sum(seconds) - tick * len(seconds)) / rounds for name, seconds in spent.items()
    }
    total /= rounds
    rest = {"all the rest: some forty fields of each item": total - sum(all_rounds.values())}
    for name, seconds in (all_rounds | rest).items():
        print(f"{name:46}{seconds:8.2f} s{seconds / total:8.0%}")
    print(f"{'a full read':46}{total:8.2f} s")


def _seconds_of_a_clock(looks: int = 100_000) -> float:
    """What one look at the clock costs, of which there are two around each call of a step."""
    return _seconds(lambda: [process_time() for _ in range(looks)]) / looks


def _clocked(module: ModuleType, function: str) -> list[float]:
    """Put a clock around a function; gives the list that grows by the seconds of each call."""
    spent: list[float] = []
    work = getattr(module, function)

    def clocked(*arguments: Any, **options: Any) -> Any:
        start = process_time()
        try:
            return work(*arguments, **options)
        finally:
            spent.append(process_time() - start)

    setattr(module, function, clocked)
    return spent


def _met(body: bytes) -> frozenset[Digest]:
    """The digests of a feed's items, one in thirty (and at least one) left out."""
    try:
        window = parse.read(body, url=_URL).window
    except NotAFeed:
        return frozenset()
    return frozenset(digest for n, digest in enumerate(window) if n % _ONE_NEW_OF)


def _read(body: bytes, met: frozenset[Digest]) -> None:
    with suppress(NotAFeed):
        parse.read(body, url=_URL, met=met)


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=10_000)
    parser.add_argument("--parts", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
