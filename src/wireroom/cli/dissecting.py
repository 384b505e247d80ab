"""What `wireroom parse` tells: a document as it reads, item by item, or beside an earlier one.

Here as JSON; `portraying` has the same for people.
"""

import codecs
import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

from wireroom.cli import portraying
from wireroom.errors import NotAFeed
from wireroom.feeds import parse, refusal, torn
from wireroom.feeds.model import Item, ParsedFeed

if TYPE_CHECKING:
    from wireroom.feeds.comparing import Comparison, Judged
    from wireroom.feeds.explaining import Explained

_CLAIM = re.compile(rb"\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{1,40})")
#: Feeds of a page that are named to whoever took it for one.
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document with its address, and the Content-Type and language that it came with."""

    body: bytes
    url: str
    content_type: str = ""
    language: str = ""
    #: What the server said of it, by name; empty for a file.
    told: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_from_web(self) -> bool:
        return bool(self.told)

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

    read = _read(loaded)
    parsed = with_all_problems(read, loaded.body, loaded.content_type)
    explained = _explained(loaded) if details else ()
    if as_json:
        document = {**_plain(parsed), "details": [_detail(each) for each in explained]}
        _print(document if details else _plain(parsed))
        return
    told = {
        **loaded.told,
        "when polled": _when_polled(read),
        "declared as": _other_encoding(loaded.body, parsed),
    }
    portraying.show_document(parsed, told, with_items=not details)
    for number, each in enumerate(explained, 1):
        portraying.show_item(number, each)
    if details and len(explained) < len(parsed.items):
        typer.echo(
            f"\nOnly the first {len(explained)} of {len(parsed.items)} items are explained."
        )


def _when_polled(read: ParsedFeed) -> str:
    """What polling makes otherwise of a document that was read."""
    if refusal.of_ruin(torn.whole_items(read)):
        return "a failure: broken, and without items"
    return "without the last item, until all of it is there" if read.ends_unnamed else ""


def _other_encoding(body: bytes, parsed: ParsedFeed) -> str:
    """The encoding that the document claims, where that was not believed."""
    claim = _CLAIM.match(body)
    if not claim or parsed.encoding_source == "declaration":
        return ""
    claimed = claim[1].decode("ascii")
    try:
        differs = codecs.lookup(claimed) != codecs.lookup(parsed.encoding)
    except LookupError:
        differs = True
    return claimed if differs else ""


def _explained(loaded: Loaded) -> "tuple[Explained, ...]":
    from wireroom.feeds.explaining import explain

    return explain(loaded.body, url=loaded.url, content_type=loaded.content_type)


def show_comparison(before: Loaded, after: Loaded, *, as_json: bool) -> None:
    """Print what the later document changes; both are read as if they came from its address."""
    from wireroom.feeds.comparing import compare

    compared = compare(_read(before, after.url), _read(after), datetime.now(UTC))
    if as_json:
        _print(_comparison(compared))
    else:
        portraying.show_comparison(compared)


def _read(loaded: Loaded, url: str = "") -> ParsedFeed:
    """Raises NotAFeed with what it is instead; of a web page, with the feeds that it names."""
    try:
        return loaded.read(url)
    except NotAFeed as error:
        told = str(error) if loaded.is_from_web else _of_a_file(str(error))
        if error.found == "html":
            told += _feeds_named(loaded)
        raise NotAFeed(told, found=error.found) from error


def _of_a_file(sentence: str) -> str:
    told = sentence.replace("This address answers with", "This document is").replace(
        " with a ", " a "
    )
    return told.replace("is binary data", "holds binary data")


def _feeds_named(page: Loaded) -> str:
    from wireroom.feeds import discovery

    found = discovery.candidates(page.body, url=page.url, content_type=page.content_type)
    lines = [f"\n  {each.url}  {each.title}" for each in found[:_MOST_NAMED]]
    return " It names:" + "".join(lines) if lines else " It names none, either."


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
        "unused": list(explained.unused),
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
