"""Accounts of people whom others vouch for: an OpenID Connect issuer, or a reverse proxy."""

import hashlib
from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from wireroom.accounts.sign_on import Issuer, Person
from wireroom.errors import Conflict, NotAllowed
from wireroom.store import accounts as store
from wireroom.store.engine import Database


async def account_of(database: Database, sign_on: Issuer, person: Person, now: datetime) -> int:
    """The account of somebody whom the issuer named. Raises NotAllowed for strangers."""
    return await account_behind_word(
        database,
        "oidc",
        _door(sign_on, person),
        person.name,
        makes_accounts=sign_on.makes_accounts,
        now=now,
    )


async def connect(
    database: Database, sign_on: Issuer, person: Person, account_id: int, now: datetime
) -> None:
    """Make the issuer's word a further door of an account. Raises Conflict."""
    subject = _door(sign_on, person)

    def write(connection: Connection) -> int | None:
        found = store.account_behind(connection, "oidc", subject)
        if found is None:
            store.add_identity(connection, account_id, "oidc", subject, None, now)
        return found

    if await database.write(write) not in (None, account_id):
        raise Conflict(f"{person.name} opens another account here already.")


def _door(sign_on: Issuer, person: Person) -> str:
    return _fitting(f"{sign_on.url} {person.subject}")


def _fitting(subject: str) -> str:
    """As long as the column is."""
    if len(subject) <= 256:
        return subject
    return "sha256 " + hashlib.sha256(subject.encode()).hexdigest()


async def account_behind_word(
    database: Database, kind: str, subject: str, name: str, *, makes_accounts: bool, now: datetime
) -> int:
    """The account behind a door that others vouch for; made a member's when it is new."""
    subject = _fitting(subject)
    found = await database.read(store.account_behind, kind, subject)
    if found is not None:
        return found
    if not makes_accounts:
        raise NotAllowed(f"{name} has no account here.", code="not_invited")

    def write(connection: Connection) -> int:
        return store.add_account(
            connection,
            name[:256],
            "member",
            kind=kind,
            subject=subject,
            secret_hash=None,
            now=now,
        )

    try:
        return await database.write(write)
    except IntegrityError:  # the same person at the same moment
        found = await database.read(store.account_behind, kind, subject)
        if found is None:
            raise
        return found
