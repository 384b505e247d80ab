"""The command that finds items again: search."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from wireroom.cli import opening

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from wireroom.store.search import Hit


def add_to(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command(rich_help_panel="Feeds")(search)


def search(
    query: Annotated[list[str], typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many.", min=1, max=500)] = 20,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of a table.")
    ] = False,
) -> None:
    """Find items by their words, the best first.

    Beside words: "a phrase", -without, begin*, title:, author:, feed:, folder:, label:,
    is:unread, is:favorite, before:2026-11-30, after:7d. Put -- before a query that begins with a
    minus.
    """
    from wireroom import records
    from wireroom.cli import tables
    from wireroom.store import indexing
    from wireroom.store import search as searching
    from wireroom.store.query import parse

    asked = parse(" ".join(query), records.now())

    def find(connection: "Connection", account_id: int) -> "list[Hit]":
        return searching.search(connection, account_id, asked, limit=limit)

    async def work() -> "list[Hit]":
        async with opening.operators_database() as (database, account_id):
            while await database.write(indexing.index_some):
                pass
            found: list[Hit] = await database.read(find, account_id)
            return found

    hits = opening.run(work)
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps([asdict(each) for each in hits], indent=2, default=str))
    elif not hits:
        typer.echo("Nothing found.")
    else:
        tables.show_hits(hits)
