"""Use cases of accounts: the first visit, logging in, sessions, tokens, passwords.

Secrets that we make are 256 random bits and kept as SHA-256 (there is nothing to guess in them);
passwords are kept as Argon2id. At most two hashes are computed at a time, since each holds 64 MiB.
"""

import asyncio
import hashlib
import hmac
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection

from wireroom.errors import Conflict, NotAllowed, NotFound, UserError
from wireroom.store import accounts as store
from wireroom.store.accounts import Account, Token
from wireroom.store.engine import Database
from wireroom.throttle import Throttle, origin_key

SESSION_IDLE = timedelta(days=30)
SESSION_ABSOLUTE = timedelta(days=90)
#: A session's last use is written down at most this often.
TOUCH_EVERY = timedelta(minutes=10)

PASSWORD_MIN_CHARS = 10
PASSWORD_MAX_BYTES = 1024
LOGIN_CHARS = 64
#: The scope of tokens that change nothing; one without any scope may do everything.
READ_ONLY = "read"
TOKEN_PREFIX = "wr_"  # noqa: S105 - so that secret scanners can tell what they have found

#: What the first lists of every guesser hold; shorter ones are refused by their length already.
_KNOWN_BAD = """
    1234567890 12345678910 0123456789 0987654321 1234512345 1q2w3e4r5t qwertyuiop qwerty12345
    qwerty1234 1qaz2wsx3edc password12 password123 password1234 passwordpassword passw0rd123
    adminadmin admin12345 administrator letmein123 letmeinnow iloveyou12 iloveyou123 welcome123
    welcome1234 changeme123 changemenow abcdefghij abcd123456 abc1234567 football123 princess123
    sunshine123 baseball123 superman123 michael123 wireroom123 wireroomwireroom q1w2e3r4t5
    zaq12wsxcde qazwsxedcrfv asdfghjkl1
"""

_hasher = PasswordHasher()
_hashing = ThreadPoolExecutor(2, thread_name_prefix="argon2")


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is logged in, and by which session."""

    account: Account
    token: Token


# -- passwords ------------------------------------------------------------------------------------


async def _hash(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(
        _hashing, _hasher.hash, _normal(password)
    )


async def _matches(secret_hash: str, password: str) -> bool:
    def verify() -> bool:
        try:
            return _hasher.verify(secret_hash, _normal(password))
        except (Argon2Error, InvalidHashError):
            return False

    if len(password.encode("utf-8", "replace")) > PASSWORD_MAX_BYTES:
        return False
    return await asyncio.get_running_loop().run_in_executor(_hashing, verify)


@cache
def _nobodys_hash() -> str:
    """Compared with when the login is unknown, so that the answer takes as long."""
    return _hasher.hash(secrets.token_hex(16))


def _normal(password: str) -> bytes:
    # Keyboards differ in how they compose an accent; the stored form is NFC.
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")


def _check_new_password(password: str, login: str) -> None:
    if len(password) < PASSWORD_MIN_CHARS:
        raise UserError(
            f"A password needs at least {PASSWORD_MIN_CHARS} characters.", code="weak_password"
        )
    if len(_normal(password)) > PASSWORD_MAX_BYTES:
        raise UserError(
            f"A password has at most {PASSWORD_MAX_BYTES} bytes.", code="weak_password"
        )
    plain = password.casefold()
    if plain in _KNOWN_BAD.split() or plain == login or len(set(plain)) < 4:
        raise UserError(
            "That password is among the first anybody would try; take another.",
            code="weak_password",
        )


def _login_name(login: str) -> str:
    """Login names are compared without regard to case and composition."""
    return unicodedata.normalize("NFKC", login).strip().casefold()


# -- the first visit and logging in ---------------------------------------------------------------


async def needs_setup(database: Database) -> bool:
    """True while nobody runs this installation."""
    return not await database.read(store.has_operator)


async def create_owner(database: Database, login: str, password: str, now: datetime) -> int:
    """The account of whoever visits first. Raises Conflict when somebody was faster."""
    login = _login_name(login)
    if not login or len(login) > LOGIN_CHARS or not login.isprintable():
        raise UserError(f"A login name has 1 to {LOGIN_CHARS} characters.", code="invalid_login")
    _check_new_password(password, login)
    if not await needs_setup(database):
        raise _set_up_already()
    account_id = await database.write(store.add_first_operator, login, await _hash(password), now)
    if account_id is None:
        raise _set_up_already()
    return account_id


def _set_up_already() -> Conflict:
    return Conflict("This Wireroom has its owner already; log in instead.", code="set_up_already")


async def check_login(
    database: Database,
    throttle: Throttle,
    *,
    login: str,
    password: str,
    address: str,
    now: datetime,
) -> int:
    """The account behind a login name and password.

    Raises NotAllowed: with code `throttled` when there were too many wrong tries for this name or
    from this address, else `wrong_login`, which does not tell which of the two was wrong.
    """
    login = _login_name(login)[:LOGIN_CHARS]
    keys = (f"login {login}", origin_key(address))
    _wait_for(throttle, keys, now)
    found = await database.read(store.find_login, login)
    right = await _matches(found.secret_hash if found else _nobodys_hash(), password)
    if found is None or not right:
        raise NotAllowed("That login and password do not match.", code="wrong_login")
    throttle.succeeded(keys)
    if _hasher.check_needs_rehash(found.secret_hash):
        await database.write(store.set_password_hash, found.identity_id, await _hash(password))
    return found.account_id


def _wait_for(throttle: Throttle, keys: tuple[str, ...], now: datetime) -> None:
    """Count a try, or raise NotAllowed when it comes too soon."""
    wait = throttle.wait(keys, now)
    if wait > timedelta():
        seconds = max(1, round(wait.total_seconds()))
        raise NotAllowed(
            f"Too many wrong tries. Wait {_in_words(seconds)} and try again.", code="throttled"
        )
    throttle.tried(keys, now)


def _in_words(seconds: int) -> str:
    if seconds < 90:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"{round(seconds / 60)} minutes"


async def change_password(
    database: Database,
    throttle: Throttle,
    session: Session,
    *,
    current: str,
    new: str,
    now: datetime,
) -> None:
    """Every other session of the account ends. Raises NotAllowed when `current` is wrong."""
    found = await database.read(store.login_of, session.account.id)
    if found is None:
        raise NotFound("This account has no password.")
    login, door = found
    keys = (f"login {login}",)
    _wait_for(throttle, keys, now)
    if not await _matches(door.secret_hash, current):
        raise NotAllowed("The current password is not right.", code="wrong_login")
    throttle.succeeded(keys)
    _check_new_password(new, login)
    secret_hash = await _hash(new)

    def write(connection: Connection) -> None:
        store.set_password_hash(connection, door.identity_id, secret_hash)
        store.remove_other_tokens(connection, session.account.id, "session", session.token.id)

    await database.write(write)


# -- sessions and tokens --------------------------------------------------------------------------


def digest(secret: str) -> bytes:
    """What is kept of a session or token secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


async def open_session(database: Database, account_id: int, *, name: str, now: datetime) -> str:
    """A new session; gives its secret, for the cookie. `name` says what browser it is."""
    secret = secrets.token_urlsafe(32)

    def write(connection: Connection) -> None:
        store.remove_expired_tokens(connection, now)
        store.add_token(
            connection,
            account_id,
            "session",
            digest(secret),
            name=name[:128],
            scopes="",
            now=now,
            expires_at=now + SESSION_IDLE,
        )

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


async def list_tokens(database: Database, account_id: int) -> list[Token]:
    return await database.read(store.list_tokens, account_id, "api")


async def revoke_token(database: Database, account_id: int, token_id: int) -> None:
    """Raises NotFound for a token that is not there or not this account's."""
    if not await database.write(store.remove_token, account_id, token_id):
        raise NotFound("There is no such token.")


async def account_of_login(database: Database, login: str) -> int | None:
    """The account that a login name leads to, however it is spelled."""
    found = await database.read(store.find_login, _login_name(login)[:LOGIN_CHARS])
    return found.account_id if found else None


def same_secret(given: str, expected: str) -> bool:
    """Compare without telling by the time taken how much of it was right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


# -- preferences ----------------------------------------------------------------------------------


async def set_preferences(
    database: Database, account_id: int, part: str, values: dict[str, Any]
) -> None:
    """Replace one front end's part of the preferences; the other parts stay."""

    def write(connection: Connection) -> None:
        account = store.find_account(connection, account_id)
        if account is None:
            raise NotFound("There is no such account.")
        store.set_preferences(connection, account_id, {**account.preferences, part: values})

    await database.write(write)


async def preferences(database: Database, account_id: int, part: str) -> dict[str, Any]:
    """One front end's part of the preferences."""
    account = await database.read(store.find_account, account_id)
    kept = account.preferences.get(part) if account else None
    return dict(kept) if isinstance(kept, dict) else {}


async def merge_preferences(
    database: Database, account_id: int, part: str, values: dict[str, Any], *, most: int
) -> dict[str, Any]:
    """Set some of one front end's preferences, so that two devices do not undo each other.

    Gives that part as it is now. Raises UserError when it would hold more than `most`.
    """

    def write(connection: Connection) -> dict[str, Any]:
        every = store.hold_preferences(connection, account_id)
        kept = every.get(part)
        merged = {**(kept if isinstance(kept, dict) else {}), **values}
        if len(merged) > most:
            raise UserError(f"{most} preferences are enough.", code=f"invalid_{part}")
        store.set_preferences(connection, account_id, {**every, part: merged})
        return merged

    return await database.write(write)
