"""Who is who: accounts, the doors they come in by, and the tokens that keep a door open."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, text, update

from wireroom.store.schema import accounts, identities, tokens

#: Held while the first operator is made, so that two first visitors cannot both win.
_SETUP_LOCK = 0x7769_7265_726F_6F6D


@dataclass(frozen=True, slots=True)
class Account:
    id: int
    name: str
    role: str
    preferences: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Login:
    """A password door: whose it is and the Argon2id hash that opens it."""

    account_id: int
    identity_id: int
    secret_hash: str


@dataclass(frozen=True, slots=True)
class Token:
    """A session or an API token; the secret itself is kept nowhere."""

    id: int
    account_id: int
    kind: str
    name: str
    scopes: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    #: Of a session: when its owner was last asked who they are, after it began.
    proved_at: datetime | None = None


def has_operator(connection: Connection) -> bool:
    """Can anybody log in who runs this installation?"""
    with_door = accounts.join(identities, identities.c.account_id == accounts.c.id)
    return bool(
        connection.scalar(
            select(exists().select_from(with_door).where(accounts.c.role == "operator"))
        )
    )


def operator_account(connection: Connection, now: datetime) -> int:
    """The account that the command line acts for; made without a door when there is none yet.

    The first visit to the web reader gives it one (`add_first_operator`).
    """
    known = connection.scalar(
        select(accounts.c.id).where(accounts.c.role == "operator").order_by(accounts.c.id).limit(1)
    )
    if known is not None:
        return int(known)
    made: int = connection.execute(
        insert(accounts)
        .values(name="operator", role="operator", created_at=now)
        .returning(accounts.c.id)
    ).scalar_one()
    return made


def add_first_operator(
    connection: Connection, login: str, secret_hash: str, now: datetime
) -> int | None:
    """Make the owner's account, unless there is an operator; of two that race, one gets None."""
    if connection.dialect.name == "postgresql":
        # SQLite has one writer at a time anyway.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SETUP_LOCK})
    if has_operator(connection):
        return None
    account_id = operator_account(connection, now)
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(name=login))
    add_identity(connection, account_id, "password", login, secret_hash, now)
    return account_id


def add_account(
    connection: Connection,
    name: str,
    role: str,
    *,
    kind: str,
    subject: str,
    secret_hash: str | None,
    now: datetime,
) -> int:
    """An account with its first door. The caller has looked whether that door is taken."""
    account_id: int = connection.execute(
        insert(accounts).values(name=name, role=role, created_at=now).returning(accounts.c.id)
    ).scalar_one()
    add_identity(connection, account_id, kind, subject, secret_hash, now)
    return account_id


def add_identity(
    connection: Connection,
    account_id: int,
    kind: str,
    subject: str,
    secret_hash: str | None,
    now: datetime,
) -> None:
    """A further door to an account. The caller has looked whether it is taken."""
    connection.execute(
        insert(identities).values(
            account_id=account_id,
            kind=kind,
            subject=subject,
            secret_hash=secret_hash,
            created_at=now,
        )
    )


def find_account(connection: Connection, account_id: int) -> Account | None:
    row = connection.execute(
        select(accounts.c.id, accounts.c.name, accounts.c.role, accounts.c.preferences).where(
            accounts.c.id == account_id
        )
    ).first()
    return (
        None if row is None else Account(row.id, row.name, row.role, dict(row.preferences or {}))
    )


def account_behind(connection: Connection, kind: str, subject: str) -> int | None:
    """The account that a door leads to: (telegram, chat id), (discord, guild id), …"""
    return connection.scalar(
        select(identities.c.account_id).where(
            identities.c.kind == kind, identities.c.subject == subject
        )
    )


def find_login(connection: Connection, login: str) -> Login | None:
    row = connection.execute(
        select(identities.c.account_id, identities.c.id, identities.c.secret_hash).where(
            identities.c.kind == "password",
            identities.c.subject == login,
            identities.c.secret_hash.is_not(None),
        )
    ).first()
    return None if row is None else Login(*row)


def login_of(connection: Connection, account_id: int) -> tuple[str, Login] | None:
    """The login name and password door of an account."""
    row = connection.execute(
        select(identities.c.subject, identities.c.id, identities.c.secret_hash).where(
            identities.c.kind == "password",
            identities.c.account_id == account_id,
            identities.c.secret_hash.is_not(None),
        )
    ).first()
    return None if row is None else (row.subject, Login(account_id, row.id, row.secret_hash))


def set_password_hash(connection: Connection, identity_id: int, secret_hash: str) -> None:
    connection.execute(
        update(identities).where(identities.c.id == identity_id).values(secret_hash=secret_hash)
    )


def hold(connection: Connection, account_id: int) -> None:
    """Whoever else holds this account waits until the commit."""
    connection.execute(
        select(accounts.c.id).where(accounts.c.id == account_id).with_for_update(key_share=True)
    ).first()


def hold_preferences(connection: Connection, account_id: int) -> dict[str, Any]:
    """The preferences, held against other writers until the commit."""
    kept = connection.scalar(
        select(accounts.c.preferences).where(accounts.c.id == account_id).with_for_update()
    )
    return dict(kept or {})


def set_preferences(connection: Connection, account_id: int, preferences: dict[str, Any]) -> None:
    connection.execute(
        update(accounts).where(accounts.c.id == account_id).values(preferences=preferences)
    )


# -- tokens ---------------------------------------------------------------------------------------


def add_token(
    connection: Connection,
    account_id: int,
    kind: str,
    secret_hash: bytes,
    *,
    name: str,
    scopes: str,
    now: datetime,
    expires_at: datetime | None,
) -> int:
    token_id: int = connection.execute(
        insert(tokens)
        .values(
            account_id=account_id,
            kind=kind,
            secret_hash=secret_hash,
            name=name,
            scopes=scopes,
            created_at=now,
            last_used_at=now,
            expires_at=expires_at,
        )
        .returning(tokens.c.id)
    ).scalar_one()
    return token_id


def find_token(connection: Connection, kind: str, secret_hash: bytes) -> Token | None:
    """By the hash of its secret, expired ones included: the caller knows what time it is."""
    row = connection.execute(
        select(*_TOKEN_COLUMNS).where(tokens.c.kind == kind, tokens.c.secret_hash == secret_hash)
    ).first()
    return None if row is None else Token(*row)


def is_valid(connection: Connection, token_id: int, now: datetime) -> bool:
    """Whether it was neither revoked nor came to its end."""
    ends = select(tokens.c.expires_at).where(tokens.c.id == token_id)
    row = connection.execute(ends).first()
    return row is not None and (row.expires_at is None or row.expires_at > now)


def list_tokens(connection: Connection, account_id: int, kind: str) -> list[Token]:
    """Newest use first."""
    rows = connection.execute(
        select(*_TOKEN_COLUMNS)
        .where(tokens.c.account_id == account_id, tokens.c.kind == kind)
        .order_by(tokens.c.last_used_at.desc(), tokens.c.id.desc())
    )
    return [Token(*row) for row in rows]


def touch_token(
    connection: Connection, token_id: int, now: datetime, expires_at: datetime | None
) -> None:
    connection.execute(
        update(tokens)
        .where(tokens.c.id == token_id)
        .values(last_used_at=now, expires_at=expires_at)
    )


def has_door(connection: Connection, account_id: int, kind: str) -> bool:
    """Does the account have an identity of this kind?"""
    mine = exists().where(identities.c.account_id == account_id, identities.c.kind == kind)
    return bool(connection.scalar(select(mine)))


def prove_token(connection: Connection, token_id: int, now: datetime) -> None:
    connection.execute(update(tokens).where(tokens.c.id == token_id).values(proved_at=now))


def remove_token(connection: Connection, account_id: int, token_id: int) -> bool:
    """False when there is no such token, or it is not this account's."""
    return bool(
        connection.execute(
            delete(tokens).where(tokens.c.id == token_id, tokens.c.account_id == account_id)
        ).rowcount
    )


def remove_other_tokens(
    connection: Connection, account_id: int, kind: str, keep_id: int | None
) -> int:
    """All of a kind but one; gives how many there were."""
    condition = [tokens.c.account_id == account_id, tokens.c.kind == kind]
    if keep_id is not None:
        condition.append(tokens.c.id != keep_id)
    return connection.execute(delete(tokens).where(*condition)).rowcount


def remove_expired_tokens(connection: Connection, now: datetime) -> int:
    return connection.execute(delete(tokens).where(tokens.c.expires_at <= now)).rowcount


_TOKEN_COLUMNS = (
    tokens.c.id,
    tokens.c.account_id,
    tokens.c.kind,
    tokens.c.name,
    tokens.c.scopes,
    tokens.c.created_at,
    tokens.c.last_used_at,
    tokens.c.expires_at,
    tokens.c.proved_at,
)
