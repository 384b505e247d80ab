"""Commands about feeds that are followed: subscribe, unsubscribe, feeds, items, refresh."""

import contextlib
import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wireroom import targets
from wireroom.cli import opening, special
from wireroom.errors import NotFound, UserError

if TYPE_CHECKING:
    from wireroom.store.engine import Database
    from wireroom.store.following import Followed
    from wireroom.wiring import Room

_PANEL = "Feeds"

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Reference = Annotated[
    str, typer.Argument(help="The feed: its number from `wireroom feeds`, or its address.")
]


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (subscribe, unsubscribe, access, feeds, items, refresh, interval):
        app.command(rich_help_panel=_PANEL)(command)


def subscribe(
    url: Annotated[
        str, typer.Argument(help="Address of a feed, or of a web page that advertises one.")
    ],
    to: Annotated[
        list[str] | None,
        typer.Option(help=targets.HELP),
    ] = None,
    newest: Annotated[
        int,
        typer.Option(help="How many of the newest items are sent at once.", min=0, max=50),
    ] = 0,
    login: special.Login = "",
    cookie: special.Cookie = False,
    user_agent: special.UserAgent = "",
    proxy: special.Proxy = "",
    certificate: special.Certificate = None,
    authority: special.Authority = None,
    validators: special.Validators = "",
) -> None:
    """Follow a feed, and send its news somewhere if you like.

    What is in the feed now counts as known: nothing floods the chat. A feed that you follow
    already is asked with the new password, cookie or certificate from now on.
    """
    from wireroom import subscribing

    needed = special.access(login, cookie, user_agent, proxy, certificate, authority, validators)

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            made = [targets.target(room, account_id, each, newest) for each in to or []]
            followed = await subscribing.subscribe(
                room.polling, account_id, url, owner=room.owner, special=needed
            )
            for target, _ in made:
                await subscribing.send_to(
                    room.polling, account_id, followed.subscription_id, target
                )
        word = "You follow it already" if followed.existing else "Following"
        typer.echo(f"{word}: {followed.title} (feed {followed.feed_id}, {followed.url})")
        for target, told in made:
            typer.echo(f"News goes to {target.title}.")
            if told:
                typer.echo(told)

    opening.run(work)


def unsubscribe(feed: Reference) -> None:
    """Stop following a feed. What was kept of it goes with its last follower."""
    from wireroom import subscribing

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            followed = await _find(room.database, account_id, feed)
            ended = await subscribing.unsubscribe(
                room.polling, account_id, followed.subscription_id
            )
        typer.echo(
            f"No longer following {followed.title}."
            + (" Nobody else does, so its items are gone." if ended.purged else "")
        )

    opening.run(work)


def access(
    feed: Reference,
    login: special.Login = "",
    cookie: special.Cookie = False,
    user_agent: special.UserAgent = "",
    proxy: special.Proxy = "",
    certificate: special.Certificate = None,
    authority: special.Authority = None,
    validators: special.Validators = "",
    forget: Annotated[bool, typer.Option("--forget", help="Forget all that is kept.")] = False,
) -> None:
    """Say what a feed needs besides its address; it takes the place of what was kept.

    Nothing of it is ever shown. A feed that others may follow stays as it is when you give a
    password, cookie or certificate: you follow it once more, by yourself.
    """
    from wireroom import unlocking

    needed = special.access(login, cookie, user_agent, proxy, certificate, authority, validators)
    if forget == bool(needed):
        raise UserError("Name what the feed needs, or give --forget, and not both.")

    async def work() -> str:
        async with opening.operators_room() as (room, account_id):
            followed = await _find(room.database, account_id, feed)
            number = followed.subscription_id
            kept = await unlocking.unlock(
                room.polling, account_id, number, needed, owner=room.owner
            )
        if forget:
            return f"{followed.title} is asked like every other feed."
        if kept != number:
            return f"{followed.title} is followed once more, by you alone."
        return f"{followed.title} is asked in this way from now on."

    typer.echo(opening.run(work))


def feeds(as_json: Json = False) -> None:
    """List the feeds you follow: when each is asked next and why, and how it is doing."""

    from wireroom.store import following

    async def work() -> "list[Followed]":
        async with opening.operators_database() as (database, account_id):
            return await database.read(following.list_followed, account_id)

    followed = opening.run(work)
    if as_json:
        typer.echo(_json([_as_json(each) for each in followed]))
    elif not followed:
        typer.echo("You follow no feeds yet. Try: wireroom subscribe https://example.org/")
    else:
        from wireroom.cli import tables

        tables.show_feeds(followed)


def _json(listed: list[dict[str, Any]]) -> str:
    """Times in ISO 8601, letters as they are, as in `wireroom parse --json`."""

    def plain(value: object) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    return json.dumps(listed, indent=2, ensure_ascii=False, default=plain)


def _as_json(followed: "Followed") -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(followed), "title": followed.title, "health": followed.health}


def items(
    feed: Annotated[
        str | None, typer.Argument(help="Only those of this feed: its number or address.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    """List the newest items, of all feeds or of one."""
    from wireroom import reading
    from wireroom.cli import tables
    from wireroom.store.reading import Scope

    async def work() -> list[Any]:
        async with opening.operators_database() as (database, account_id):
            scope = Scope()
            if feed is not None:
                followed = await _find(database, account_id, feed)
                scope = Scope(subscription_id=followed.subscription_id)
            page = await reading.list_entries(database, account_id, scope, limit=limit)
            return list(page.entries)

    listed = opening.run(work)
    if as_json:
        from dataclasses import asdict

        typer.echo(_json([asdict(each) for each in listed]))
    elif not listed:
        typer.echo("No items yet.")
    else:
        tables.show_items(listed)


def refresh(
    feed: Annotated[
        str | None, typer.Argument(help="Only this feed: its number or address. Else all.")
    ] = None,
) -> None:
    """Ask for news now, one request to a host at a time, and say what came."""
    from wireroom import subscribing
    from wireroom.cli import asking

    async def work() -> int:
        async with _listed(feed) as (room, _, followed):
            await room.database.read(subscribing.require_polling)
            return await asking.ask_all(room, followed)

    if opening.run(work):
        raise typer.Exit(1)


def interval(
    feed: Reference,
    duration: Annotated[
        str, typer.Argument(help="90s, 10m, 6h or 1d; `auto` leaves it to the polling policy.")
    ],
) -> None:
    """Say how often you want a feed asked.

    The fastest of all who follow a feed wins, within the bounds that the operator sets.
    """
    from wireroom import subscribing
    from wireroom.polling.cadence import spelled
    from wireroom.settings import duration as read_duration

    wanted = None if duration == "auto" else read_duration(duration)

    async def work() -> "tuple[Followed, timedelta | None]":
        async with opening.operators_room() as (room, account_id):
            followed = await _find(room.database, account_id, feed)
            holds = await subscribing.set_interval(
                room.polling, account_id, followed.subscription_id, wanted
            )
            return followed, holds

    followed, holds = opening.run(work)
    if holds is None:
        typer.echo(f"{followed.title} is asked as the polling policy sees fit.")
    else:
        bounded = "" if holds == wanted else ", as near as the operator's bounds allow"
        typer.echo(f"{followed.title} is asked every {spelled(holds)}{bounded}.")


@contextlib.asynccontextmanager
async def _listed(
    reference: str | None = None,
) -> "AsyncIterator[tuple[Room, int, list[Followed]]]":
    """The room with all feeds that are followed, or the one that is meant."""
    from wireroom.store import following

    async with opening.operators_room() as (room, account_id):
        if reference is not None:
            yield room, account_id, [await _find(room.database, account_id, reference)]
        else:
            yield room, account_id, await room.database.read(following.list_followed, account_id)


async def _find(database: "Database", account_id: int, reference: str) -> "Followed":
    """The feed that a number or an address means, among those followed. Raises NotFound."""
    from wireroom.feeds import urls
    from wireroom.store import following

    followed = await database.read(following.list_followed, account_id)
    wanted = None if reference.isdecimal() else urls.canonical(urls.checked(reference))
    for each in followed:
        if (wanted is None and each.feed_id == int(reference)) or (
            wanted is not None and urls.canonical(each.url) == wanted
        ):
            return each
    raise NotFound(f"You follow no feed {reference}; `wireroom feeds` lists them.")
