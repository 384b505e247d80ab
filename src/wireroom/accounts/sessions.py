"""Sessions of browsers and tokens of apps.

Their secrets are 256 random bits and kept as SHA-256: there is nothing to guess in them.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from wireroom.errors import NotFound
from wireroom.store import accounts as store
from wireroom.store.accounts import Account, Token
from wireroom.store.engine import Database

SESSION_IDLE = timedelta(days=30)
SESSION_ABSOLUTE = timedelta(days=90)
#: A session's last use is written down at most this often.
TOUCH_EVERY = timedelta(minutes=10)

#: What is grave needs the password, or what stands for it, given no longer ago than this.
PROOF_LASTS = timedelta(minutes=10)

#: The scope of tokens that change nothing; one without any scope may do everything.
READ_ONLY = "read"
#: The scope of tokens that read, and say what was read and what is liked.
READ_AND_MARK = "mark"
TOKEN_PREFIX = "wr_"  # noqa: S105 - so that secret scanners can tell what they have found


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is logged in, and by which session."""

    account: Account
    token: Token

    def is_proved(self, now: datetime) -> bool:
        """Did whoever has it show lately who they are? Logging in counts."""
        return now - (self.token.proved_at or self.token.created_at) < PROOF_LASTS


def digest(secret: str) -> bytes:
    """What is kept of a session or token secret."""
    return digest_of(secret.encode("utf-8", "replace"))


def digest_of(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()


async def open_session(
    database: Database,
    account_id: int,
    *,
    name: str,
    now: datetime,
    proved_at: datetime | None = None,
) -> str:
    """A new session; gives its secret, for the cookie. `name` says what browser it is.

    `proved_at` is when they showed who they are, if that was not now.
    """
    secret = secrets.token_urlsafe(32)

    def write(connection: Connection) -> None:
        store.remove_expired_tokens(connection, now)
        token_id = store.add_token(
            connection,
            account_id,
            "session",
            digest(secret),
            name=name[:128],
            scopes="",
            now=now,
            expires_at=now + SESSION_IDLE,
        )
        if proved_at is not None:
            store.prove_token(connection, token_id, min(proved_at, now))

    await database.write(write)
    return secret


async def session_behind(database: Database, secret: str, now: datetime) -> Session | None:
    """Who is logged in by this secret; None when nobody is (any more)."""

    def read(connection: Connection) -> Session | None:
        token = store.find_token(connection, "session", digest(secret))
        if token is None or (token.expires_at is not None and token.expires_at <= now):
            return None
        account = store.find_account(connection, token.account_id)
        return None if account is None else Session(account, token)

    session = await database.read(read)
    if session and now - (session.token.last_used_at or session.token.created_at) >= TOUCH_EVERY:
        end = min(now + SESSION_IDLE, session.token.created_at + SESSION_ABSOLUTE)
        await database.write(store.touch_token, session.token.id, now, end)
    return session


async def prove_session(database: Database, session: Session, now: datetime) -> None:
    """Whoever has it has just shown who they are."""
    await database.write(store.prove_token, session.token.id, now)


async def list_sessions(database: Database, account_id: int) -> list[Token]:
    return await database.read(store.list_tokens, account_id, "session")


async def close_session(database: Database, account_id: int, token_id: int) -> None:
    """Raises NotFound for a session that is not there or not this account's."""
    if not await database.write(store.remove_token, account_id, token_id):
        raise NotFound("There is no such session.")


async def close_other_sessions(database: Database, session: Session) -> int:
    """All but the one in use; gives how many there were."""
    return await database.write(
        store.remove_other_tokens, session.account.id, "session", session.token.id
    )


async def create_token(
    database: Database, account_id: int, *, name: str, scopes: str = "", now: datetime
) -> str:
    """An API token without an end; its secret is given here once and never again."""
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)

    def write(connection: Connection) -> None:
        store.add_token(
            connection,
            account_id,
            "api",
            digest(secret),
            name=name[:128],
            scopes=scopes,
            now=now,
            expires_at=None,
        )

    await database.write(write)
    return secret


async def token_behind(database: Database, secret: str, now: datetime) -> Token | None:
    """The API token with this secret; None when it was revoked or never was."""
    token = await database.read(store.find_token, "api", digest(secret))
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    if now - (token.last_used_at or token.created_at) >= TOUCH_EVERY:
        await database.write(store.touch_token, token.id, now, token.expires_at)
    return token


async def is_valid(database: Database, token_id: int, now: datetime) -> bool:
    """Does a token or session still let in whoever came by it?"""
    return await database.read(store.is_valid, token_id, now)


async def list_tokens(database: Database, account_id: int) -> list[Token]:
    return await database.read(store.list_tokens, account_id, "api")


async def revoke_token(database: Database, account_id: int, token_id: int) -> None:
    """Raises NotFound for a token that is not there or not this account's."""
    if not await database.write(store.remove_token, account_id, token_id):
        raise NotFound("There is no such token.")
