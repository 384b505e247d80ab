"""Commands of whoever runs Wireroom: run, migrate, check."""

import typer

from wireroom.cli import opening

_PANEL = "Running it"


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(rich_help_panel=_PANEL)(run)
    app.command(rich_help_panel=_PANEL)(bots)
    app.command(rich_help_panel=_PANEL)(check)
    app.command(rich_help_panel=_PANEL)(migrate)


def run() -> None:
    """Start everything in one process: web reader, polling, delivery, and the bots with tokens.

    Prints the one address to open. Ctrl-C or SIGTERM ends it: what is under way is finished and
    written down, and the next start goes on where this one stopped.
    """
    from wireroom import bots as chat_bots
    from wireroom import wiring

    chosen = opening.settings_and_logs()
    opening.run(lambda: wiring.run(chosen, announce=_announce, bots=chat_bots.started))


def _announce(address: str, setup_code: str | None) -> None:
    typer.secho(f"\n  Wireroom runs. Open {address}\n", bold=True)
    if setup_code:
        typer.echo(f"  The first visit makes the owner's account and asks for: {setup_code}\n")


def bots() -> None:
    """Start the chat bots alone, beside a `wireroom run` on the same database.

    Ends with exit code 1 when no bot has a token.
    """
    from wireroom import bots as chat_bots

    chosen = opening.settings_and_logs()
    opening.run(lambda: chat_bots.run(chosen))


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
