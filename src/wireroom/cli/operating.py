"""Commands of whoever runs Wireroom: run and its parts, migrate, check."""

from typing import TYPE_CHECKING

import typer

from wireroom.cli import opening

if TYPE_CHECKING:
    from collections.abc import Collection

    from wireroom.running import Part

_PANEL = "Running it"


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (run, poll, deliver, serve, bots, check, migrate):
        app.command(rich_help_panel=_PANEL)(command)
    app.command("pause-polling", rich_help_panel=_PANEL)(pause_polling)
    app.command("resume-polling", rich_help_panel=_PANEL)(resume_polling)


def run() -> None:
    """Start everything in one process: web reader, polling, delivery, and the bots with tokens.

    Prints the one address to open. Ctrl-C or SIGTERM ends it: what is under way is finished and
    written down, and the next start goes on where this one stopped.
    """
    from wireroom import running

    _run(running.EVERYTHING)


def poll() -> None:
    """Only ask feeds for news, and do the chores: one part of `wireroom run`.

    The parts `poll`, `deliver`, `serve` and `bots` work together on one database, each in as many
    processes and on as many machines as you like; more than one machine needs PostgreSQL.
    """
    _run({"poll"})


def deliver() -> None:
    """Only send what waits to chats and webhooks: one part of `wireroom run`."""
    _run({"deliver"})


def serve() -> None:
    """Only the web reader and the API: one part of `wireroom run`. Prints the address to open."""
    _run({"serve"})


def bots() -> None:
    """Only the chat bots that have a token: one part of `wireroom run`.

    Ends with exit code 1, and says what to set, when none has.
    """
    _run({"bots"})


def _run(parts: "Collection[Part]") -> None:
    from wireroom import running

    chosen = opening.settings_and_logs()
    opening.run(lambda: running.run(chosen, parts, announce=_announce, reread=opening.settings))


def _announce(address: str | None, setup_code: str | None) -> None:
    words = f"Open {address}" if address else "Ctrl-C ends it."
    typer.secho(f"\n  Wireroom runs. {words}\n", bold=True)
    if setup_code:
        typer.echo(f"  The first visit makes the owner's account and asks for: {setup_code}\n")


def migrate() -> None:
    """Bring the database to this version's tables. Every start does this by itself."""
    from wireroom.store import engine
    from wireroom.store import migrate as migrations

    chosen = opening.settings_and_logs(at_least="WARNING")
    database = engine.connect(chosen.database_url)
    try:
        applied = migrations.migrate(database)
    finally:
        database.close()
    typer.echo(f"Applied: {', '.join(applied)}." if applied else "Nothing to do: up to date.")


def pause_polling() -> None:
    """Ask no publisher for anything until `resume-polling`, over restarts too.

    Works at once, also on a running Wireroom. Everything else goes on: what is known is sent, and
    people read and change what they like.
    """
    from wireroom.store import switches

    async def work() -> None:
        async with opening.operators_room() as (room, _):
            await room.database.write(
                lambda connection: switches.pause_polling(connection, now=room.now())
            )

    opening.run(work)
    typer.echo("Polling is paused. `wireroom resume-polling` goes on.")


def resume_polling() -> None:
    """Ask for feeds again; what became due meanwhile is asked first, host by host."""
    from wireroom.store import switches

    async def work() -> bool:
        async with opening.operators_room() as (room, _):
            was_paused = await room.database.read(switches.is_polling_paused)
            await room.database.write(switches.resume_polling)
            return bool(was_paused)

    was_paused = opening.run(work)
    typer.echo("Polling goes on." if was_paused else "Polling was not paused.")


def check() -> None:
    """Look at settings, database, key and tokens; say what is wrong and how to mend it.

    Ends with exit code 1 when something would keep Wireroom from working.
    """
    from wireroom import checking

    chosen = opening.settings_and_logs(at_least="CRITICAL")
    findings = opening.run(lambda: checking.findings(chosen))
    for finding in findings:
        mark = typer.style("ok  ", fg="green") if finding.ok else typer.style("BAD ", fg="red")
        typer.echo(f"{mark} {finding.subject}: {finding.words}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)
