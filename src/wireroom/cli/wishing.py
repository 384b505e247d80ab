"""Commands about what is wanted of messages: settings at every place, samples, replacements."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wireroom.cli import opening
from wireroom.errors import UserError

if TYPE_CHECKING:
    from wireroom.routing import Place

_PANEL = "Routes"

wishes = typer.Typer(no_args_is_help=True, help="Say what you want of your messages, and where.")
replacements = typer.Typer(no_args_is_help=True, help="What is taken out of all texts.")

Name = Annotated[str, typer.Argument(help="filter, template, burst, digest, quiet, zone, …")]
Value = Annotated[str, typer.Argument(help="The new value; @FILE reads it from a file.")]
OfRoute = Annotated[int | None, typer.Option("--route", help="Of this route.")]
OfSubscription = Annotated[
    int | None, typer.Option("--subscription", help="Of all routes of this subscription.")
]
OfDestination = Annotated[
    int | None, typer.Option("--destination", help="Of all that goes to this destination.")
]
ForEveryone = Annotated[bool, typer.Option("--everyone", help="Of everyone who said nothing.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(wishes, name="wishes", rich_help_panel=_PANEL)
    app.add_typer(replacements, name="replacements", rich_help_panel=_PANEL)


def _place(
    account_id: int,
    route: int | None,
    subscription: int | None,
    destination: int | None,
    everyone: bool,
) -> "Place":
    """The one place that was named; none is the account. Raises UserError for several."""
    from wireroom.routing import EVERYONE, Place

    named = [
        *([Place("route", route)] if route is not None else []),
        *([Place("subscription", subscription)] if subscription is not None else []),
        *([Place("destination", destination)] if destination is not None else []),
        *([EVERYONE] if everyone else []),
    ]
    if len(named) > 1:
        raise UserError("Name one place: a route, a subscription, a destination or --everyone.")
    return named[0] if named else Place("account", account_id)


@wishes.command()
def names() -> None:
    """List everything that can be wished for."""
    from wireroom.delivery.wishlist import WISHES

    width = max(map(len, WISHES))
    for name, wish in WISHES.items():
        typer.echo(f"{name:{width}}  {wish.meaning} ({wish.example})")


@wishes.command()
def show(
    route: OfRoute = None,
    subscription: OfSubscription = None,
    destination: OfDestination = None,
    everyone: ForEveryone = False,
) -> None:
    """Show what is set at one place; without one at your account."""
    from wireroom import routing

    async def work() -> Mapping[str, Any]:
        async with opening.operators_room() as (room, account_id):
            place = _place(account_id, route, subscription, destination, everyone)
            return await routing.get_wishes(room.database, account_id, place)

    found = opening.run(work)
    for name, value in sorted(found.items()):
        typer.echo(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    if not found:
        typer.echo("Nothing is set there.")


@wishes.command("set")
def set_(
    name: Name,
    value: Value,
    route: OfRoute = None,
    subscription: OfSubscription = None,
    destination: OfDestination = None,
    everyone: ForEveryone = False,
) -> None:
    """Set something; a template counts only once the chat took a sample in it."""
    from wireroom import records, routing, wiring
    from wireroom.delivery import wishlist

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            place = _place(account_id, route, subscription, destination, everyone)
            if name != "template":
                wanted, now = wishlist.as_value(_read(value)), records.now()
                await routing.set_wish(room.database, account_id, place, name, wanted, now=now)
                return
            tools = wiring.delivering(room)
            try:
                await routing.set_template(tools, account_id, place, _read(value))
            finally:
                await wiring.close(tools.channels)

    opening.run(work)
    typer.echo(f"{name} is set.")


@wishes.command()
def remove(
    name: Name,
    route: OfRoute = None,
    subscription: OfSubscription = None,
    destination: OfDestination = None,
    everyone: ForEveryone = False,
) -> None:
    """Take a setting back; what is said at wider places counts again."""
    from wireroom import records, routing

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            place = _place(account_id, route, subscription, destination, everyone)
            now = records.now()
            await routing.set_wish(room.database, account_id, place, name, None, now=now)

    opening.run(work)
    typer.echo(f"{name} is taken back.")


def _read(text: str) -> str:
    """The text, or what stands in the file that it names. Raises UserError."""
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{text[1:]} cannot be read: {error}.") from error


# -- replacements ---------------------------------------------------------------------------------


@replacements.command("list")
def list_() -> None:
    """List what is taken out, in the order in which it is."""
    from wireroom import routing

    async def work() -> list[Any]:
        async with opening.operators_room() as (room, account_id):
            return await routing.list_replacements(room.database, account_id)

    for each in opening.run(work):
        typer.echo(f"{each.id:4}  {'RegEx' if each.is_regex else '     '}  {each.value}")


@replacements.command()
def add(
    text: Annotated[str, typer.Argument(help="What is to be taken out, letter by letter.")],
    regex: Annotated[bool, typer.Option(help="The text is a regular expression.")] = False,
) -> None:
    """Take something out of all texts from now on."""
    from wireroom import records, routing

    async def work() -> int:
        async with opening.operators_room() as (room, account_id):
            return await routing.add_replacement(
                room.database, account_id, text, is_regex=regex, now=records.now()
            )

    typer.echo(f"Added as number {opening.run(work)}.")


@replacements.command()
def delete(
    number: Annotated[int, typer.Argument(help="Its number from `wireroom replacements list`.")],
) -> None:
    """Leave it in again."""
    from wireroom import routing

    async def work() -> None:
        async with opening.operators_room() as (room, account_id):
            await routing.delete_replacement(room.database, account_id, number)

    opening.run(work)
    typer.echo("Deleted.")


@replacements.command()
def seed() -> None:
    """Add the 41 teasers and signatures that most feeds carry."""
    from wireroom import records, routing

    async def work() -> int:
        async with opening.operators_room() as (room, account_id):
            return await routing.seed_replacements(room.database, account_id, now=records.now())

    typer.echo(f"Added {opening.run(work)}.")
