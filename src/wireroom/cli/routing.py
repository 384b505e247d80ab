"""Commands about routes: where news go, what is wanted of them, and why they came or did not."""

import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from wireroom.cli import opening
from wireroom.errors import UserError

_PANEL = "Routes"

Number = Annotated[int, typer.Argument(help="The route: its number from `wireroom routes`.")]

route = typer.Typer(no_args_is_help=True, help="Steer one route: pause, replay, filter, ask why.")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(rich_help_panel=_PANEL)(routes)
    app.add_typer(route, name="route", rich_help_panel=_PANEL)


def routes(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of a table.")
    ] = False,
) -> None:
    """List where your news go, and how each route stands."""
    from wireroom import routing
    from wireroom.cli import tables

    async def work() -> list[Any]:
        async with opening.operators_room() as (room, account_id):
            return await routing.list_routes(room.database, account_id)

    listed = opening.run(work)
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in listed], indent=2, default=str))
    elif not listed:
        typer.echo("Nothing is sent anywhere yet. Try: wireroom subscribe URL --to telegram:CHAT")
    else:
        tables.show_routes(listed)


@route.command()
def pause(
    number: Number,
    how_long: Annotated[
        str, typer.Argument(help="90m, 3h, 2d, 1w or a day such as 2026-12-24.")
    ] = "",
    days: Annotated[float, typer.Option(help="The same as a number of days.", min=0)] = 0,
) -> None:
    """Send nothing for a while, or until further notice; what comes meanwhile waits."""
    from wireroom import records, routing

    now = records.now()
    until = now + timedelta(days=days) if days else None
    if how_long:
        until = routing.pause_end(how_long, now)
        if until is None:
            sentence = f"{how_long} is no time; write 90m, 3h, 2d, 1w or a day such as 2026-12-24."
            raise UserError(sentence, code="invalid_time")

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            await routing.pause(room.database, account_id, number, now=now, until=until)

    opening.run(work)
    typer.echo(f"Paused until {until:%Y-%m-%d %H:%M} UTC." if until else "Paused.")


@route.command()
def resume(
    number: Number,
    newest: Annotated[
        int | None, typer.Option(help="Send only so many of what waited; 0 is none.", min=0)
    ] = None,
) -> None:
    """End a pause."""
    from wireroom import records, routing

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            await routing.resume(
                room.database, account_id, number, now=records.now(), newest=newest
            )

    opening.run(work)
    typer.echo("Goes on.")


@route.command()
def replay(
    number: Number,
    last: Annotated[int, typer.Option(help="The newest so many.", min=0)] = 0,
    since: Annotated[datetime | None, typer.Option(help="All since this moment (UTC).")] = None,
) -> None:
    """Send entries again: --last 5, or --since 2026-11-30."""
    from wireroom import records, routing
    from wireroom.errors import UserError

    async def work() -> int:
        if not last and since is None:
            raise UserError("Say what is sent again: --last 5, or --since 2026-11-30.")
        moment = since.replace(tzinfo=UTC) if since else None
        async with opening.operators_room() as (room, account_id):
            return await routing.replay(
                room.database, account_id, number, now=records.now(), newest=last, since=moment
            )

    typer.echo(f"Up to {opening.run(work)} go out again.")


@route.command("set")
def set_(
    number: Number,
    name: Annotated[
        str,
        typer.Argument(help="filter, template, burst, per_day, digest, quiet, zone, content, …"),
    ],
    value: Annotated[
        str | None, typer.Argument(help="The new value; none takes the setting back.")
    ] = None,
) -> None:
    """Set or take back one wish of a route; a template is first shown in the chat."""
    from wireroom.cli import wishing

    if value is None:
        wishing.remove(name, route=number)
    else:
        wishing.set_(name, value, route=number)


@route.command()
def sample(number: Number) -> None:
    """Send the newest entry once more, to see how it looks there."""
    from wireroom import routing, wiring

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            tools = wiring.delivering(room)
            try:
                await routing.send_sample(tools, account_id, routing.Place("route", number))
            finally:
                await wiring.close(tools.channels)

    opening.run(work)
    typer.echo("Sent.")


@route.command("try")
def try_(
    number: Number,
    last: Annotated[int, typer.Option(help="Look at so many of the newest.", min=1, max=500)] = 50,
    filter_: Annotated[
        str | None, typer.Option("--filter", help="With this filter instead of the route's.")
    ] = None,
) -> None:
    """Show what would be sent of the newest entries, and why; nothing is."""
    from wireroom import routing

    async def work() -> list[Any]:
        async with opening.operators_room() as (room, account_id):
            changed = None if filter_ is None else {"filter": filter_}
            return await routing.dry_run(
                room.database, account_id, number, newest=last, changed=changed
            )

    would = opening.run(work)
    for each in would:
        mark = "would be sent" if each.is_sent else "left out     "
        typer.echo(f"{mark}  {each.seq}  {each.title or 'Untitled'}  ({each.why or 'no filter'})")
    sent = sum(each.is_sent for each in would)
    typer.echo(f"Would have sent {sent} of {len(would)}.")


@route.command()
def why(
    number: Number,
    item: Annotated[int, typer.Argument(help="The item's number within its feed.")],
) -> None:
    """Say why an item was sent, was not, or is not yet."""
    from wireroom import records, routing

    async def work() -> str:
        async with opening.operators_room() as (room, account_id):
            return await routing.why(room.database, account_id, number, item, now=records.now())

    typer.echo(opening.run(work))
