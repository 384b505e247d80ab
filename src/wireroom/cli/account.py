"""`wireroom account`: tokens by which reader apps come in, and chats that join an account."""

from typing import TYPE_CHECKING, Annotated

import typer

from wireroom.cli import opening
from wireroom.errors import NotFound, UserError

if TYPE_CHECKING:
    from wireroom.store.accounts import Token
    from wireroom.store.engine import Database

_PANEL = "Running it"

Login = Annotated[
    str | None, typer.Option(help="Whose: a login name. Without it the operator's account.")
]


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    group = typer.Typer(no_args_is_help=True, help="People, tokens for reader apps, and chats.")
    for command in (add, second_step_off, token, tokens, revoke, link):
        group.command()(command)
    app.add_typer(group, name="account", rich_help_panel=_PANEL)


def add(
    login: Annotated[str, typer.Argument(help="Login name.")],
    operator: Annotated[
        bool, typer.Option("--operator", help="They run this Wireroom, too.")
    ] = False,
) -> None:
    """Make an account with a password; the first one runs this Wireroom."""
    from wireroom import records
    from wireroom.accounts import joining

    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)

    async def work() -> str:
        async with opening.operators_database() as (database, _):
            role = await joining.add_by_hand(
                database, login, password, is_operator=operator, now=records.now()
            )
            return str(role)

    typer.echo(f"{login} can log in now, as {opening.run(work)}.")


def second_step_off(
    login: Annotated[str, typer.Argument(help="Login name.")],
) -> None:
    """Let somebody in by the password alone who has lost their phone and recovery codes."""
    from wireroom.accounts import factors

    async def work() -> None:
        async with opening.operators_database() as (database, operator):
            account_id = await _account(database, login, operator)
            await factors.remove_all(database, account_id)

    opening.run(work)
    typer.echo(f"{login} logs in by the password alone now.")


def token(
    name: Annotated[str, typer.Argument(help="What it is for, such as the app's name.")],
    login: Login = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="It may read everything and change nothing.")
    ] = False,
) -> None:
    """Make a token for a reader app. It is shown this once and kept nowhere."""
    from wireroom import accounts, records

    if not name.strip() or not name.isprintable():
        raise UserError("A token needs a name that can be read.")
    scopes = accounts.READ_ONLY if read_only else ""

    async def work() -> str:
        async with opening.operators_database() as (database, operator):
            account_id = await _account(database, login, operator)
            return await accounts.create_token(
                database, account_id, name=name.strip(), scopes=scopes, now=records.now()
            )

    typer.echo(opening.run(work))


def tokens(login: Login = None) -> None:
    """List the tokens of an account: what they are for, and when they were last used."""
    from wireroom import accounts

    async def work() -> "list[Token]":
        async with opening.operators_database() as (database, operator):
            account_id = await _account(database, login, operator)
            return await accounts.list_tokens(database, account_id)

    listed = opening.run(work)
    if not listed:
        typer.echo("There are no tokens. Make one: wireroom account token NAME")
    for each in listed:
        used = f"{each.last_used_at:%Y-%m-%d %H:%M} UTC" if each.last_used_at else "never"
        scope = f" ({each.scopes})" if each.scopes else ""
        typer.echo(f"{each.id:>5}  {each.name}{scope}, last used {used}")


def revoke(
    number: Annotated[int, typer.Argument(help="Its number in `wireroom account tokens`.", min=1)],
    login: Login = None,
) -> None:
    """Make a token worthless from now on."""
    from wireroom import accounts

    async def work() -> None:
        async with opening.operators_database() as (database, operator):
            account_id = await _account(database, login, operator)
            await accounts.revoke_token(database, account_id, number)

    opening.run(work)
    typer.echo(f"Token {number} is worthless now.")


async def _account(database: "Database", login: str | None, operator: int) -> int:
    """The account behind a login name, else the operator's. Raises NotFound."""
    from wireroom import accounts

    if login is None:
        return operator
    found = await accounts.account_of_login(database, login)
    if found is None:
        raise NotFound(f"There is no account with the login {login}.")
    return found


def link(
    code: Annotated[
        str, typer.Argument(help="What the bot said to /link. Without it one is made.")
    ] = "",
    login: Login = None,
) -> None:
    """Join a chat with an account: with the chat's code, or by a code to send to the bot."""
    from wireroom import doors, records

    async def work() -> str:
        async with opening.operators_database() as (database, operator):
            account_id = await _account(database, login, operator)
            if code:
                await doors.link_into(database, account_id, code, now=records.now())
                return "The chat belongs to this account now."
            made = await doors.new_code(database, account_id, now=records.now())
            return f"Send this to the bot within 15 minutes: /link {made}"

    typer.echo(opening.run(work))
