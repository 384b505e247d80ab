"""The command line. Commands are thin: they open the room, call a use case, and print.

Everything heavy is imported inside the commands, so that `wireroom --help` is there at once.
"""

from typing import Annotated

import typer

from wireroom import __version__
from wireroom.cli import (
    account,
    documents,
    following,
    keeping,
    lists,
    operating,
    publishing,
    routing,
    searching,
    wishing,
)

app = typer.Typer(
    name="wireroom",
    help=(
        "Wireroom polls feeds politely, keeps each item once, and brings it to everyone who "
        "asked.\n\n"
        "Start it with `wireroom run` and open the address that it prints. Everything else "
        "works beside a running Wireroom and without one.\n\n"
        "Settings are environment variables that begin with WIREROOM_, or lines of a file .env in "
        "the working directory; docs/settings.md lists them, and `wireroom check` says "
        "what is wrong with yours."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wireroom {__version__}")
        raise typer.Exit


@app.callback()
def _before_any_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass


operating.add_to(app)
account.add_to(app)
following.add_to(app)
lists.add_to(app)
routing.add_to(app)
wishing.add_to(app)
documents.add_to(app)
keeping.add_to(app)
searching.add_to(app)
publishing.add_to(app)
