"""Links by which somebody may make an account, and the accounts that they make."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from wireroom.store import accounts
from wireroom.store.schema import invitations


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link that nobody has used yet; `name` says whom it is for."""

    id: int
    name: str
    created_at: datetime
    expires_at: datetime


def add(
    connection: Connection,
    account_id: int,
    secret_hash: bytes,
    *,
    name: str,
    now: datetime,
    expires_at: datetime,
) -> None:
    connection.execute(delete(invitations).where(invitations.c.expires_at <= now))
    connection.execute(
        insert(invitations).values(
            account_id=account_id,
            secret_hash=secret_hash,
            name=name,
            created_at=now,
            expires_at=expires_at,
        )
    )


def list_of(connection: Connection, account_id: int, now: datetime) -> list[Invitation]:
    """Those that an account has given and that still open the door, newest first."""
    rows = connection.execute(
        select(
            invitations.c.id,
            invitations.c.name,
            invitations.c.created_at,
            invitations.c.expires_at,
        )
        .where(invitations.c.account_id == account_id, invitations.c.expires_at > now)
        .order_by(invitations.c.id.desc())
    )
    return [Invitation(*row) for row in rows]


def remove(connection: Connection, account_id: int, invitation_id: int) -> bool:
    """False when there is none, or it is not this account's."""
    return bool(
        connection.execute(
            delete(invitations).where(
                invitations.c.id == invitation_id, invitations.c.account_id == account_id
            )
        ).rowcount
    )


def is_valid(connection: Connection, secret_hash: bytes, now: datetime) -> bool:
    """Does a link open the door?"""
    return (
        connection.scalar(
            select(invitations.c.id).where(
                invitations.c.secret_hash == secret_hash, invitations.c.expires_at > now
            )
        )
        is not None
    )


def use(connection: Connection, secret_hash: bytes, now: datetime) -> bool:
    """Take the link off; of two who use it at once, one gets False."""
    return bool(
        connection.execute(
            delete(invitations).where(
                invitations.c.secret_hash == secret_hash, invitations.c.expires_at > now
            )
        ).rowcount
    )


def add_with_password(
    connection: Connection, login: str, secret_hash: str, role: str, now: datetime
) -> int | None:
    """An account with a password; None when the name is taken."""
    try:
        with connection.begin_nested():
            return accounts.add_account(
                connection,
                login,
                role,
                kind="password",
                subject=login,
                secret_hash=secret_hash,
                now=now,
            )
    except IntegrityError:
        return None
