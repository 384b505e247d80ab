"""Use cases of doors: a chat or guild has an account, and can be linked with another one.

Linking takes a one-time code: whoever sees it in one place types it in the other, so both places
have agreed. Whoever calls has made sure that the person may speak for the chat.
"""

import hashlib
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Final, TypeVar

from sqlalchemy import Connection

from wireroom.delivery import marking
from wireroom.errors import Conflict, NotFound, UserError
from wireroom.store import accounts, doors
from wireroom.store.doors import Door, RulesWait
from wireroom.store.engine import Database

T = TypeVar("T")

#: How long a code can be used, and of which letters it is: none looks like another.
CODE_LIFE: Final = timedelta(minutes=15)
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LETTERS: Final = 10
#: Doors that are chats or people on a platform. Behind any other, somebody logs in.
_CHATS: Final = frozenset({"telegram", "discord", "discord-user"})


async def account_of(database: Database, door: Door) -> int | None:
    """The account behind a door, if it was ever opened."""
    return await database.read(doors.behind, door)


async def open_door(
    database: Database, door: Door, *, name: str, now: datetime, is_operators: bool = False
) -> int:
    """The account behind a door, made when it is met for the first time.

    The operator's own door leads to the operator's account from the first day.
    """

    def write(connection: Connection) -> int:
        found = doors.behind(connection, door)
        if found is not None:
            return found
        if is_operators:
            account_id = accounts.operator_account(connection, now)
            doors.add_door(connection, account_id, door, now=now)
            return account_id
        return accounts.add_account(
            connection,
            name[:256],
            "member",
            kind=door.kind,
            subject=door.subject,
            secret_hash=None,
            now=now,
        )

    found = await account_of(database, door)
    return await database.write(write) if found is None else found


async def new_code(database: Database, account_id: int, *, now: datetime) -> str:
    """A one-time code that links with this account; shown to its owner and kept nowhere.

    A code that was made before is good no longer.
    """
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))

    def write(connection: Connection) -> None:
        accounts.remove_other_tokens(connection, account_id, "link", None)
        accounts.add_token(
            connection,
            account_id,
            "link",
            _hash(letters),
            name="link",
            scopes="",
            now=now,
            expires_at=now + CODE_LIFE,
        )

    await database.write(write)
    return f"{letters[:5]}-{letters[5:]}"


async def new_code_here(database: Database, door: Door, account_id: int, *, now: datetime) -> str:
    """A code that is made in a chat of several people, for what that chat follows.

    Raises Conflict (linked) where the account has other doors: it is a person's, and whoever leads
    the chat would get into it with the code.
    """
    if await database.read(doors.list_doors, account_id) != [door]:
        raise Conflict(
            "This is linked with somebody's account. They make a code there, in the web reader.",
            code="linked",
        )
    return await new_code(database, account_id, now=now)


async def link(database: Database, door: Door, code: str, *, now: datetime) -> int:
    """Bring all that a chat follows into the account that made the code, and let it in there.

    Gives that account. Raises UserError (invalid_code) for a code that is wrong, used or too old,
    Conflict when the chat is linked already.
    """

    def write(connection: Connection) -> int:
        kept = _spend(connection, code, now)
        gone = doors.behind(connection, door)
        if gone is None:
            doors.add_door(connection, kept, door, now=now)
        elif gone != kept:
            _check_alone(connection, gone)
            doors.absorb(connection, gone=gone, kept=kept, now=now)
        return kept

    return await _after_rules(database, write, now)


async def link_into(database: Database, account_id: int, code: str, *, now: datetime) -> None:
    """The same from the other side: the code is a chat's, and comes to the account that asks."""

    def write(connection: Connection) -> None:
        gone = _spend(connection, code, now)
        if gone != account_id:
            _check_alone(connection, gone)
            doors.absorb(connection, gone=gone, kept=account_id, now=now)

    await _after_rules(database, write, now)


async def _after_rules(database: Database, write: Callable[[Connection], T], now: datetime) -> T:
    """Let accounts become one; what rules of the one that ends have before them is marked first,
    whichever processes run."""
    try:
        return await database.write(write)
    except RulesWait:
        await marking.mark_all(database, lambda: now)
        return await database.write(write)


async def unlink(
    database: Database, door: Door, *, name: str, places: Collection[int], now: datetime
) -> int:
    """Give a chat an account of its own again, with the destinations in `places`.

    Gives the account. Raises UserError (not_linked) when it has one.
    """

    def write(connection: Connection) -> int:
        account_id = doors.behind(connection, door)
        if account_id is None or doors.list_doors(connection, account_id) == [door]:
            raise UserError("This chat is not linked with an account.", code="not_linked")
        return doors.split_off(connection, door, name, places, now=now)

    return await database.write(write)


async def rename(database: Database, door: Door, subject: str, *, now: datetime) -> None:
    """The platform gave a chat another id (Telegram: a group became a supergroup).

    Where both ids were met, what the old one followed goes to the new one's account; where both
    are linked, with different people, each keeps their own.
    """

    def write(connection: Connection) -> None:
        if doors.rename_door(connection, door, subject):
            return
        gone = doors.behind(connection, door)
        kept = doors.behind(connection, Door(door.kind, subject))
        if gone is None or kept is None:
            return
        linked = [each for each in (gone, kept) if len(doors.list_doors(connection, each)) > 1]
        if gone != kept and linked == [gone]:  # a person's account: the new id is let in there
            doors.absorb(connection, gone=kept, kept=gone, now=now)
        elif gone != kept and len(linked) < 2:
            doors.absorb(connection, gone=gone, kept=kept, now=now)
        doors.remove_door(connection, door)

    await _after_rules(database, write, now)


async def list_doors(database: Database, account_id: int) -> list[Door]:
    """All doors of an account, oldest first."""
    return await database.read(doors.list_doors, account_id)


def _spend(connection: Connection, code: str, now: datetime) -> int:
    """The account that made a code, which is used up by this."""
    letters = "".join(each for each in code.upper() if each.isalnum())
    token = accounts.find_token(connection, "link", _hash(letters))
    if token is None or token.expires_at is None or token.expires_at <= now:
        raise UserError(
            "This code is wrong, was used already, or is too old. Ask for a new one.",
            code="invalid_code",
        )
    if accounts.find_account(connection, token.account_id) is None:
        raise NotFound("There is no such account.")
    accounts.remove_token(connection, token.account_id, token.id)
    return token.account_id


def _check_alone(connection: Connection, account_id: int) -> None:
    """What is to be taken over is one chat, never an account that has other doors."""
    if len(doors.list_doors(connection, account_id)) > 1:
        raise Conflict("This chat is linked with another account already. Unlink it there first.")
    if any(each.kind not in _CHATS for each in doors.list_doors(connection, account_id)):
        raise Conflict("This code belongs to an account that people log in to, not to a chat.")
    account = accounts.find_account(connection, account_id)
    if account is not None and account.role == "operator":
        raise Conflict("This chat belongs to whoever runs Wireroom, and stays with them.")


def _hash(letters: str) -> bytes:
    return hashlib.sha256(letters.encode()).digest()
