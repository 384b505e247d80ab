"""MB/s of `sanitize.html` and of bare nh3, in turns, on the item bodies of the wild corpus.

WIREROOM_CORPUS=… PYTHONPATH=src python -m bench.sanitize
"""

import os
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import nh3
from lxml import etree

from wireroom.feeds import sanitize

_CORPUS = Path(os.environ.get("WIREROOM_CORPUS") or "../shared/corpus")
_BODIES = ("{*}description", "{*}content", "{*}summary", "{*}encoded", "description")
_ROUNDS = 5


def _bodies() -> Iterator[str]:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    for path in sorted((_CORPUS / "wild").rglob("*")):
        if not path.is_file() or path.suffix in {".jsonl", ".md", ".json"}:
            continue
        root = etree.fromstring(path.read_bytes() or b"<x/>", parser)
        if root is None:
            continue
        for element in root.iter(*_BODIES):
            if element.text and ("<" in element.text or "&" in element.text):
                yield element.text


def _seconds(clean: Callable[[str], str], bodies: list[str]) -> float:
    begin = process_time()
    for body in bodies:
        clean(body)
    return process_time() - begin


def main() -> None:
    bodies = list(_bodies())
    megabytes = sum(len(body.encode()) for body in bodies) / 1e6
    ways: dict[str, Callable[[str], str]] = {
        "nh3.clean": nh3.clean,
        "sanitize.html": lambda body: sanitize.html(body, base_url="https://example.org/item"),
        "sanitize.text": sanitize.text,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(_ROUNDS):
        for name, clean in ways.items():
            times[name].append(_seconds(clean, bodies))
    peer = statistics.median(times["nh3.clean"])
    print(f"{len(bodies)} bodies, {megabytes:.1f} MB")
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:15} {megabytes / median:6.1f} MB/s  {peer / median:5.0%} of nh3.clean")


if __name__ == "__main__":
    main()
