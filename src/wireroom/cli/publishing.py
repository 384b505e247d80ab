"""Commands about feeds of our own: what you follow, or a part of it, as Atom and JSON Feed."""

from typing import Annotated, Any

import typer

from wireroom.cli import opening

publish = typer.Typer(
    no_args_is_help=True, help="Feeds of your own: a folder, a search or a filter as a feed."
)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.add_typer(publish, name="publish", rich_help_panel="Feeds")


@publish.command()
def add(
    part: Annotated[
        str,
        typer.Argument(help="all, folder:NUMBER, feed:NUMBER, search:WORDS or filter:FILTER."),
    ],
    title: Annotated[str, typer.Option(help="What the feed is called.")] = "",
) -> None:
    """Open an address for a part of what you follow; whoever has it can read that."""
    from wireroom import publishing, records

    async def work() -> tuple[int, str]:
        async with opening.operators_database() as (database, account_id):
            number, secret = await publishing.publish(
                database, account_id, part, title=title, now=records.now()
            )
            return number, secret

    number, secret = opening.run(work)
    chosen = opening.settings()
    base = chosen.public_url or f"http://{chosen.listen}"
    address = f"{base.rstrip('/')}/out/{secret}"
    typer.echo(f"Number {number}. Keep its addresses to yourself; they are not shown again:")
    typer.echo(f"  {address}.atom")
    typer.echo(f"  {address}.json")


@publish.command("list")
def list_() -> None:
    """List your open addresses, without their secrets."""
    from wireroom import publishing

    async def work() -> Any:
        async with opening.operators_database() as (database, account_id):
            return await publishing.list_published(database, account_id)

    listed = opening.run(work)
    if not listed:
        typer.echo("Nothing is published yet. Try: wireroom publish add all")
    for each in listed:
        typer.echo(f"{each.id:4}  {each.name}  ({each.scopes})")


@publish.command()
def remove(
    number: Annotated[int, typer.Argument(help="Its number from `wireroom publish list`.")],
) -> None:
    """Close an address: whoever has it reads nothing any more."""
    from wireroom import publishing

    async def work() -> None:
        async with opening.operators_database() as (database, account_id):
            await publishing.unpublish(database, account_id, number)

    opening.run(work)
    typer.echo("Closed.")
