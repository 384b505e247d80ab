"""How further people get an account: by an invitation, or by themselves where that is open.

Whoever joins is a member; nothing that they send says otherwise.
"""

import secrets
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection

from wireroom.accounts import passwords
from wireroom.accounts.logins import create_owner, needs_setup
from wireroom.accounts.sessions import Session, digest
from wireroom.errors import Conflict, NotAllowed, NotFound
from wireroom.store import invitations as store
from wireroom.store.engine import Database
from wireroom.store.invitations import Invitation

#: closed: nobody joins; invited: by a link that an operator gave; open: whoever comes.
Registration = Literal["closed", "invited", "open"]

INVITATION_LASTS = timedelta(days=7)


async def invite(database: Database, session: Session, *, name: str, now: datetime) -> str:
    """The secret of a link that one person may use once. Raises NotAllowed for members."""
    if session.account.role != "operator":
        raise NotAllowed("Only whoever runs this Wireroom invites.")
    secret = secrets.token_urlsafe(32)

    def write(connection: Connection) -> None:
        store.add(
            connection,
            session.account.id,
            digest(secret),
            name=name.strip()[:128],
            now=now,
            expires_at=now + INVITATION_LASTS,
        )

    await database.write(write)
    return secret


async def invitations(database: Database, account_id: int, now: datetime) -> list[Invitation]:
    """Those not used yet, newest first."""
    return await database.read(store.list_of, account_id, now)


async def withdraw(database: Database, account_id: int, invitation_id: int) -> None:
    """Raises NotFound for an invitation that is not there or not this account's."""
    if not await database.write(store.remove, account_id, invitation_id):
        raise NotFound("There is no such invitation.")


async def may_join(database: Database, rule: Registration, secret: str, now: datetime) -> bool:
    """Whether the form is shown at all."""
    if rule == "open":
        return True
    if rule == "closed" or not secret:
        return False
    return await database.read(store.is_valid, digest(secret), now)


async def join(
    database: Database,
    rule: Registration,
    *,
    secret: str,
    login: str,
    password: str,
    now: datetime,
) -> int:
    """A new member's account.

    Raises NotAllowed (not_invited), Conflict (login_taken), and UserError for a name or password
    that will not do; the invitation stays good then.
    """
    login = passwords.check_login_name(login)
    passwords.check_new(password, login)
    if not await may_join(database, rule, secret, now):
        raise _not_invited()
    secret_hash = await passwords.hash_password(password)

    def write(connection: Connection) -> int:
        if rule != "open" and not store.use(connection, digest(secret), now):
            raise _not_invited()
        made = store.add_with_password(connection, login, secret_hash, "member", now)
        if made is None:
            raise Conflict(f"The name {login} is taken; choose another.", code="login_taken")
        return made

    return await database.write(write)


async def add_by_hand(
    database: Database, login: str, password: str, *, is_operator: bool, now: datetime
) -> str:
    """An account that an operator makes on the command line; the first one is the owner's.

    Gives its role. Raises UserError, and Conflict (login_taken).
    """
    if await needs_setup(database):
        await create_owner(database, login, password, now)
        return "operator"
    login = passwords.check_login_name(login)
    passwords.check_new(password, login)
    secret_hash = await passwords.hash_password(password)
    role = "operator" if is_operator else "member"
    if await database.write(store.add_with_password, login, secret_hash, role, now) is None:
        raise Conflict(f"The name {login} is taken; choose another.", code="login_taken")
    return role


def _not_invited() -> NotAllowed:
    return NotAllowed(
        "This invitation is not valid (any more). Ask whoever runs this Wireroom for a new one.",
        code="not_invited",
    )
