"""Commands that keep data safe, small, or carry it elsewhere: backup, restore, move, vacuum."""

import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wireroom.cli import opening

if TYPE_CHECKING:
    from wireroom.store.engine import Database
    from wireroom.store.transfer import Progress

_PANEL = "Running it"


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (backup, restore, move, vacuum):
        app.command(rich_help_panel=_PANEL)(command)


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
    portable: Annotated[
        bool, typer.Option(help="Write a file that SQLite and PostgreSQL both restore.")
    ] = False,
) -> None:
    """Write everything into one file, while Wireroom runs.

    The secret key is not in it: keep a copy of that apart.
    """
    from wireroom import records
    from wireroom.store import backup as backups

    chosen = opening.settings_and_logs(at_least="WARNING")
    with _opened(chosen.database_url) as database, _progress() as progress:
        backups.back_up(database, file, records.now(), progress, portable=portable)
    typer.echo(f"Wrote {file} ({file.stat().st_size / 1e6:,.1f} MB).")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `wireroom backup` wrote.")],
) -> None:
    """Bring a backup into the database of the settings, which must be empty."""
    from wireroom import records
    from wireroom.store import backup as backups

    chosen = opening.settings_and_logs(at_least="WARNING")
    with _opened(chosen.database_url) as database, _progress() as progress:
        written = backups.restore(file, database, records.now(), progress)
    _say(written, "Restored")


def move(
    to: Annotated[
        str,
        typer.Option(help="The empty database: sqlite:///file or postgresql://user@host/name."),
    ],
) -> None:
    """Carry the whole installation into another database, also of the other kind.

    Stop Wireroom first. The old database stays as it is; set WIREROOM_DATABASE to the new one
    afterwards.
    """
    from wireroom import records
    from wireroom.store import owners, transfer

    chosen = opening.settings_and_logs(at_least="WARNING")
    with (
        _opened(chosen.database_url) as source,
        _opened(to) as target,
        _progress() as progress,
    ):
        with source.writing() as connection:
            owners.free_leases_of_the_dead(connection, records.now())
        written = transfer.move(source, target, records.now(), progress)
    _say(written, "Moved")


def vacuum(
    full: Annotated[
        bool, typer.Option(help="Write the whole database anew: everything waits meanwhile.")
    ] = False,
) -> None:
    """Throw away what is past its time, give its room back to the disk, and say how much.

    Works beside a running Wireroom, which does the same four times a day.
    """
    from wireroom import records, wiring
    from wireroom.store import clock, retention
    from wireroom.store import vacuum as vacuums

    chosen = opening.settings_and_logs(at_least="WARNING")

    async def work() -> tuple[retention.Swept, vacuums.Reclaimed]:
        with _opened(chosen.database_url) as database:
            async with clock.of(database, records.now) as now:
                swept = await retention.sweep(database, wiring.keep(chosen), now())
            return swept, await (vacuums.rewrite if full else vacuums.reclaim)(database)

    swept, reclaimed = opening.run(work)
    for name, rows in asdict(swept).items():
        if rows:
            typer.echo(f"{rows:>12,}  {name}")
    # News that came meanwhile may have taken more than was given back.
    freed = max(0, reclaimed.before_bytes - reclaimed.after_bytes)
    typer.echo(
        f"Freed {freed / 1e6:,.1f} MB; the database takes {reclaimed.after_bytes / 1e6:,.1f} MB."
    )
    if reclaimed.left_bytes > reclaimed.after_bytes / 10:
        typer.echo(
            f"{reclaimed.left_bytes / 1e6:,.1f} MB of that are free, for rows to come; "
            "`wireroom vacuum --full` gives them back."
        )


@contextlib.contextmanager
def _opened(address: str) -> "Iterator[Database]":
    from wireroom.store.engine import connect

    database = connect(address)
    try:
        yield database
    finally:
        database.close()


def _say(written: dict[str, int], verb: str) -> None:
    """Every table that holds something, with its rows."""
    for table, rows in sorted(written.items()):
        if rows:
            typer.echo(f"{rows:>12,}  {table}")
    typer.echo(f"{verb} {sum(written.values()):,} rows; both sides count the same.")


@contextlib.contextmanager
def _progress() -> "Iterator[Progress]":
    """A bar for each table, where somebody looks."""
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    with Bars(transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def note(table: str, done: int, total: int) -> None:
            if table not in tasks:
                tasks[table] = bars.add_task(table, total=total)
            bars.update(tasks[table], completed=done)

        yield note
