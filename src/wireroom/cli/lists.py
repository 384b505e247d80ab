"""`wireroom import`, `wireroom export` and `wireroom take-over`: lists and histories as files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wireroom.cli import opening
from wireroom.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireroom.histories import Past
    from wireroom.lists import TakenIn
    from wireroom.subscribing import Target
    from wireroom.taking_over import TakenOver

_PANEL = "Feeds"


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command("import", rich_help_panel=_PANEL)(take_in)
    app.command("export", rich_help_panel=_PANEL)(give_out)
    app.command("take-over", rich_help_panel=_PANEL)(take_over)


def take_in(
    file: Annotated[str, typer.Argument(help="An OPML file, or - for standard input.")],
) -> None:
    """Follow every feed of an OPML list. Nothing is removed, and no publisher is asked now."""
    from wireroom import lists, records

    document = _read(file)

    async def work() -> "TakenIn":
        async with opening.operators_database() as (database, account_id):
            return await lists.take_in(database, account_id, document, records.now())

    taken = opening.run(work)
    for each in taken.failed:
        typer.echo(f"{each.url}: {each.sentence}")
    for left_out in taken.skipped:
        typer.echo(f"Line {left_out.line}, left out: {left_out.name} ({left_out.reason})")
    typer.echo(taken.in_words)
    if taken.failed:
        raise typer.Exit(1)


def give_out(
    file: Annotated[
        Path | None, typer.Argument(help="Where to write it; to standard output if not named.")
    ] = None,
) -> None:
    """Write everything you follow as an OPML list."""
    from wireroom import lists, records

    async def work() -> bytes:
        async with opening.operators_database() as (database, account_id):
            return await lists.give_out(database, account_id, records.now())

    document = opening.run(work)
    if file is None:
        typer.get_binary_stream("stdout").write(document)
        return
    try:
        file.write_bytes(document)
    except OSError as error:
        raise UserError(f"{file} cannot be written: {error.strerror or error}.") from error


def take_over(
    file: Annotated[
        Path, typer.Argument(help="A Discord bot's rss.sqlite3, or a table of a Telegram bot.")
    ],
) -> None:
    """Follow what another bot followed, send its news where and as it sent them, nothing twice."""
    from wireroom import histories

    history = histories.read(file)
    if history.removals:
        if opening.run(lambda: _take_removals(history.removals)):
            raise typer.Exit(1)
        return
    taken = opening.run(lambda: _take_feeds(history.pasts))
    for each in taken:
        if each.refusal:
            typer.echo(f"{each.url}: {each.refusal}")
        elif not each.remembers:
            typer.echo(f"{each.url}: read here already, so its news are told by that.")
        for sentence in each.left:
            typer.echo(f"{each.url}: {sentence}")
    refused = sum(bool(each.refusal) for each in taken)
    existing = sum(each.existing for each in taken)
    typer.echo(
        f"Feeds: {len(taken) - refused - existing} newly followed, {existing} followed already, "
        f"{refused} refused. Routes: {sum(each.routes for each in taken)}."
    )
    if refused:
        raise typer.Exit(1)


async def _take_feeds(pasts: "Sequence[Past]") -> "list[TakenOver]":
    from wireroom import taking_over, targets

    async with opening.operators_room() as (room, account_id):
        made: dict[str, Target] = {}
        refused: dict[str, str] = {}
        for place in {place for past in pasts for place in past.to}:
            try:
                made[place] = targets.target(room, account_id, place, 0)[0]
            except UserError as error:
                refused[place] = str(error)
        return await taking_over.take_over(room.polling, account_id, pasts, made, refused=refused)


async def _take_removals(removals: "Sequence[tuple[str, bool]]") -> int:
    """rss-bot's own rows are there already where an installation was seeded. Gives how many were
    refused."""
    from wireroom import records, routing
    from wireroom.errors import Conflict

    added = existing = refused = 0
    async with opening.operators_database() as (database, account_id):
        for value, is_regex in removals:
            try:
                await routing.add_replacement(
                    database, account_id, value, is_regex=is_regex, now=records.now()
                )
                added += 1
            except Conflict:
                existing += 1
            except UserError as error:
                refused += 1
                typer.echo(f"{value}: {error}")
    typer.echo(f"Replacements: {added} new, {existing} there already, {refused} refused.")
    return refused


def _read(file: str) -> bytes:
    if file == "-":
        return typer.get_binary_stream("stdin").read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}.") from error
