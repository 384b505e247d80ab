"""What `wireroom parse` prints: a document as it reads, item by item, or beside an earlier one."""

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.text import Text

from wireroom.cli import tables
from wireroom.feeds import parse
from wireroom.feeds.model import Item, ParsedFeed

if TYPE_CHECKING:
    from wireroom.feeds.comparing import Comparison, Judged
    from wireroom.feeds.explaining import Explained

_STYLES = {"new": "green", "changed": "yellow", "re-identified": "yellow", "gone": "red"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document with its address, and the Content-Type and language that it came with."""

    body: bytes
    url: str
    content_type: str = ""
    language: str = ""

    def read(self, url: str = "") -> ParsedFeed:
        return parse.read(
            self.body,
            url=url or self.url,
            content_type=self.content_type,
            language=self.language,
        )


def show(loaded: Loaded, *, details: bool, as_json: bool) -> None:
    """Print what is read; with `details`, why each item reads as it does."""
    from wireroom.feeds.explaining import with_all_problems

    parsed = with_all_problems(loaded.read(), loaded.body, loaded.content_type)
    explained = _explained(loaded) if details else ()
    if as_json:
        document = {**_plain(parsed), "details": [_detail(each) for each in explained]}
        _print(document if details else _plain(parsed))
        return
    tables.show_document(parsed)
    for number, each in enumerate(explained, 1):
        _show_item(number, each)


def _explained(loaded: Loaded) -> "tuple[Explained, ...]":
    from wireroom.feeds.explaining import explain

    return explain(loaded.body, url=loaded.url, content_type=loaded.content_type)


def show_comparison(before: Loaded, after: Loaded, *, as_json: bool) -> None:
    """Print what the later document changes; both are read as if they came from its address."""
    from wireroom.feeds.comparing import compare

    compared = compare(before.read(after.url), after.read(), datetime.now(UTC))
    if as_json:
        _print(_comparison(compared))
        return
    console = Console()
    table = tables.columns("", "Title", "Why")
    for judged in compared.items:
        word = Text(judged.verdict, style=_STYLES.get(judged.verdict, ""))
        title = judged.item.title or judged.item.link or judged.item.guid or "Untitled"
        table.add_row(word, Text(tables.visible(title)), Text(judged.why))
    console.print(table)
    counted = Counter(judged.verdict for judged in compared.items)
    console.print()
    console.print(", ".join(f"{count} {word}" for word, count in counted.items()) or "No items.")
    console.print(f"Items are told apart by their {compared.rule.basis}.")


def _show_item(number: int, explained: "Explained") -> None:
    console = Console()
    title = explained.item.title or "Untitled"
    console.print()
    console.print(Text(f"{number}. {tables.visible(title)}", style="bold"))
    table = tables.columns("Field", "From")
    for field, elements in explained.origins.items():
        table.add_row(field, Text(tables.visible(", ".join(elements))))
    console.print(table)
    for named in explained.keys.named:
        strength = "tells it from others" if named.strong else "supports"
        console.print(Text(f"key {named.key.hex()} of its {named.trait}, {strength}"))
    for phrase in explained.removed:
        console.print(Text(tables.visible(f"taken out: {phrase}"), style="yellow"))


def _detail(explained: "Explained") -> dict[str, object]:
    keys = [
        {"trait": named.trait, "key": named.key.hex(), "strong": named.strong}
        for named in explained.keys.named
    ]
    return {
        "digest": explained.item.digest.hex(),
        "origins": {field: list(names) for field, names in explained.origins.items()},
        "keys": keys,
        "removed": list(explained.removed),
    }


def _comparison(compared: "Comparison") -> dict[str, object]:
    return {
        "rule": str(compared.rule),
        "items": [_judged(each) for each in compared.items],
    }


def _judged(judged: "Judged") -> dict[str, object]:
    return {
        "verdict": judged.verdict,
        "why": judged.why,
        "item": _plain(judged.item),
        "before": None if judged.before is None else _plain(judged.before),
    }


def _print(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def _plain(value: Item | ParsedFeed) -> dict[str, object]:
    """The model as it is; digests in hex, times in ISO 8601."""
    return {name: _simple(each) for name, each in dataclasses.asdict(value).items()}


def _simple(value: object) -> object:
    match value:
        case bytes():
            return value.hex()
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(key): _simple(each) for key, each in value.items()}
        case list() | tuple():
            return [_simple(each) for each in value]
        case set() | frozenset():
            return sorted(value)
    return value
