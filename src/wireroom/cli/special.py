"""Options of `subscribe` for feeds that need more than an address.

Secrets are asked for, or read from files: what stands on a command line is seen by everybody on
the machine.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from wireroom.errors import UserError

if TYPE_CHECKING:
    from wireroom.fetching.access import Access

_PANEL = "Feeds that need more than an address"

Login = Annotated[
    str,
    typer.Option(
        help="User name for Basic authentication; the password is asked for. "
        "The feed is then yours alone.",
        rich_help_panel=_PANEL,
    ),
]
Cookie = Annotated[
    bool,
    typer.Option(
        "--cookie",
        help="Ask for the value of a Cookie header. The feed is then yours alone.",
        rich_help_panel=_PANEL,
    ),
]
UserAgent = Annotated[
    str, typer.Option(help="What this publisher is told we are.", rich_help_panel=_PANEL)
]
Proxy = Annotated[
    str,
    typer.Option(
        help="Ask through this proxy, http://host:port. It looks the name up itself.",
        rich_help_panel=_PANEL,
    ),
]
Certificate = Annotated[
    Path | None,
    typer.Option(
        help="PEM file with a client's certificate and its key. The feed is then yours alone.",
        rich_help_panel=_PANEL,
    ),
]
Authority = Annotated[
    Path | None,
    typer.Option(
        help="PEM file with the certificate of who signed the server's.", rich_help_panel=_PANEL
    ),
]

Validators = Annotated[
    str,
    typer.Option(
        metavar="both|etag",
        help="How ETag and Last-Modified go back to this publisher: both exactly as they came, or "
        "the ETag alone.",
        rich_help_panel=_PANEL,
    ),
]


def access(
    login: str,
    cookie: bool,
    user_agent: str,
    proxy: str,
    certificate: Path | None,
    authority: Path | None,
    validators: str,
) -> "Access":
    """What was asked for; prompts for what must not be typed in the open. Raises UserError."""
    from wireroom.fetching.access import Access, Sent, checked
    from wireroom.fetching.guard import Credentials

    way = cast("Sent", validators)
    checked(Access(validators=way))  # before anybody types a password
    credentials = None
    if login:
        credentials = Credentials(login, typer.prompt("Password", hide_input=True, err=True))
    return Access(
        user_agent=user_agent,
        cookie=typer.prompt("Cookie", hide_input=True, err=True) if cookie else "",
        credentials=credentials,
        proxy=proxy,
        certificate=_contents(certificate),
        authority=_contents(authority),
        validators=way,
    )


def _contents(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read as a PEM file.") from error
