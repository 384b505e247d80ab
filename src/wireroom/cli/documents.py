"""`wireroom parse`: what Wireroom sees in a document."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wireroom.cli import opening
from wireroom.errors import FeedUnavailable, UserError

if TYPE_CHECKING:
    from wireroom.feeds.model import ParsedFeed

_PANEL = "Documents"


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(rich_help_panel=_PANEL)(parse)


def parse(
    source: Annotated[
        str, typer.Argument(help="A file, the address of a feed, or - for standard input.")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON instead of tables.")
    ] = False,
    url: Annotated[
        str, typer.Option(help="Address that a file came from, for its relative links.")
    ] = "",
) -> None:
    """Show what Wireroom sees in a feed: its format, its items, and what it had to mend.

    Nothing is stored.
    """
    from wireroom.feeds import parse as parser

    body, address, content_type = _load(source, url)
    parsed = parser.read(body, url=address, content_type=content_type)
    if as_json:
        typer.echo(json.dumps(_as_json(parsed), indent=2, ensure_ascii=False))
    else:
        from wireroom.cli import tables

        tables.show_document(parsed)


def _load(source: str, url: str) -> tuple[bytes, str, str]:
    """Body, address and content type of a document, wherever it lies."""
    if source == "-":
        return typer.get_binary_stream("stdin").read(), url or _NOWHERE, ""
    if source.startswith(("http://", "https://")):
        return opening.run(lambda: _fetch(source))
    try:
        return Path(source).read_bytes(), url or _NOWHERE, ""
    except OSError as error:
        raise UserError(f"{source} cannot be read: {error.strerror or error}.") from error


#: Base of relative links when nobody says where a file came from.
_NOWHERE = "https://feed.invalid/"


async def _fetch(url: str) -> tuple[bytes, str, str]:
    from wireroom import wiring
    from wireroom.fetching.outcome import Fetched
    from wireroom.fetching.request import Request

    chosen = opening.settings_and_logs(at_least="WARNING")
    async with wiring.open_client(chosen) as client:
        outcome = await client.get(Request(url))
    if isinstance(outcome, Fetched):
        return outcome.body, outcome.hops.final_url, outcome.content_type
    reason = getattr(outcome, "reason", "") or type(outcome).__name__
    raise FeedUnavailable(f"{url} gave no document: {reason}")


def _as_json(parsed: "ParsedFeed") -> object:
    """The model as it is; digests in hex, times in ISO 8601."""
    import dataclasses
    from datetime import datetime

    def plain(value: object) -> object:
        match value:
            case bytes():
                return value.hex()
            case datetime():
                return value.isoformat()
            case dict():
                return {str(key): plain(each) for key, each in value.items()}
            case list() | tuple():
                return [plain(each) for each in value]
            case set() | frozenset():
                return sorted(value)
        return value

    return plain(dataclasses.asdict(parsed))
