"""`wireroom parse`: what Wireroom sees in a document."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wireroom.cli import opening
from wireroom.errors import FeedUnavailable, UserError

if TYPE_CHECKING:
    from wireroom.cli.dissecting import Loaded
    from wireroom.fetching.outcome import Fetched, Outcome

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
    details: Annotated[
        bool,
        typer.Option(
            "--details",
            help="Show of each item where its fields came from, its keys, what was taken out.",
        ),
    ] = False,
    earlier: Annotated[
        str, typer.Option("--diff", help="An earlier version to compare with: a file or address.")
    ] = "",
) -> None:
    """Show what Wireroom sees in a feed: its format, its items, and what it had to mend.

    With --diff, show what it would call new, changed, the same or gone since an earlier version,
    and why. Nothing is stored.
    """
    from wireroom.cli import dissecting

    loaded = _load(source, url)
    if earlier:
        # A digest depends on the address, and a file has none of its own.
        before = _load(earlier, url)
        dissecting.show_comparison(before, loaded, as_json=as_json)
    else:
        dissecting.show(loaded, details=details, as_json=as_json)


def _load(source: str, url: str) -> "Loaded":
    """A document, wherever it lies."""
    from wireroom.cli.dissecting import Loaded

    if source == "-":
        return Loaded(typer.get_binary_stream("stdin").read(), url or _NOWHERE)
    if source.startswith(("http://", "https://")):
        return opening.run(lambda: _fetch(source))
    try:
        return Loaded(Path(source).read_bytes(), url or _NOWHERE)
    except OSError as error:
        raise UserError(f"{source} cannot be read: {error.strerror or error}.") from error


#: Base of relative links when nobody says where a file came from.
_NOWHERE = "https://feed.invalid/"


async def _fetch(url: str) -> "Loaded":
    from wireroom import wiring
    from wireroom.cli.dissecting import Loaded
    from wireroom.fetching.outcome import Fetched
    from wireroom.fetching.request import Request

    chosen = opening.settings_and_logs(at_least="WARNING")
    async with wiring.open_client(chosen) as client:
        outcome = await client.get(Request(url))
    if isinstance(outcome, Fetched):
        return Loaded(
            outcome.body,
            outcome.hops.final_url,
            outcome.content_type,
            outcome.content_language,
            _told(url, outcome),
        )
    raise FeedUnavailable(f"{url} gave no document: {_reason(outcome)}")


def _told(url: str, answer: "Fetched") -> dict[str, str]:
    """What the server said of the document, for whoever looks for mistakes in that."""
    hops, validators = answer.hops, answer.validators
    moved = f"{hops.final_url} (after {hops.count} redirects)"
    return {
        "asked": hops.final_url if hops.final_url == url else moved,
        "Content-Type": answer.content_type or "missing",
        "ETag": validators.etag,
        "Last-Modified": validators.last_modified,
        "may be kept for": "" if answer.max_age is None else str(answer.max_age),
    }


def _reason(outcome: "Outcome") -> str:
    from wireroom.fetching.outcome import Failed, Gone, Throttled

    match outcome:
        case Failed(kind="refused_address"):
            return f"{outcome.reason} To read it all the same, name its network: {_ALLOWING}."
        case Failed():
            return outcome.reason
        case Gone():
            return "it is gone for good (HTTP 410)."
        case Throttled():
            return f"the server asks for fewer requests (HTTP {outcome.status}); try again later."
    return "the server says that nothing changed (HTTP 304)."


_ALLOWING = "WIREROOM_ALLOW_NETWORKS=127.0.0.0/8 WIREROOM_ALLOW_HTTP=1 wireroom parse …"
