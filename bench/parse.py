"""How fast feeds are read, against feedparser in the same run.

Every file of the wild corpus is read in three ways, one after the other, so that whatever else the
machine does meets all of them alike: by feedparser with its defaults, by us with everything read
and sanitised, and by us as a re-poll, where all items but one were met before (one in thirty of a
long feed). Prints files and MB per CPU second and the ratios.

    WIREROOM_CORPUS=… PYTHONPATH=src python bench/parse.py [--rounds 3] [--limit 659]
"""

import argparse
import gc
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time

import feedparser

from wireroom.errors import NotAFeed
from wireroom.feeds import parse
from wireroom.feeds.model import Digest

_URL = "http://feed.example/feed.xml"
#: Of so many items one is new in a re-poll, and at least one of any feed.
_ONE_NEW_OF = 30


def main() -> None:
    """Read the corpus and print the table."""
    arguments = _arguments()
    root = Path(os.environ.get("WIREROOM_CORPUS", "../shared/corpus")) / "wild"
    files = sorted(path for path in root.glob("*/*") if path.is_file())[: arguments.limit]
    bodies = [path.read_bytes() for path in files]
    met = [_met(body) for body in bodies]
    spent = {"feedparser": 0.0, "full read": 0.0, "re-poll": 0.0}
    gc.disable()
    for _ in range(arguments.rounds):
        for body, known in zip(bodies, met, strict=True):
            spent["feedparser"] += _seconds(lambda body=body: feedparser.parse(body))
            spent["full read"] += _seconds(lambda body=body: _read(body, frozenset()))
            spent["re-poll"] += _seconds(lambda body=body, known=known: _read(body, known))
            gc.collect(0)
    megabytes = sum(map(len, bodies)) / 1e6 * arguments.rounds
    count = len(bodies) * arguments.rounds
    print(f"{len(bodies)} files, {megabytes / arguments.rounds:.1f} MB, {arguments.rounds} rounds")
    print(f"{'':12}{'files/s':>10}{'MB/s':>8}{'x feedparser':>14}")
    for name, seconds in spent.items():
        ratio = spent["feedparser"] / seconds
        print(f"{name:12}{count / seconds:10.0f}{megabytes / seconds:8.1f}{ratio:14.1f}")


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
    return parser.parse_args()


if __name__ == "__main__":
    main()
