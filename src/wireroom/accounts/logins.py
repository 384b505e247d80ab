"""The first visit, and logging in with a name and a password."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection

from wireroom.accounts import passwords
from wireroom.accounts.sessions import Session
from wireroom.errors import Conflict, NotAllowed, NotFound
from wireroom.store import accounts as store
from wireroom.store.engine import Database
from wireroom.throttle import Throttle, origin_key


async def needs_setup(database: Database) -> bool:
    """True while nobody runs this installation."""
    return not await database.read(store.has_operator)


async def create_owner(database: Database, login: str, password: str, now: datetime) -> int:
    """The account of whoever visits first. Raises Conflict when somebody was faster."""
    login = passwords.check_login_name(login)
    passwords.check_new(password, login)
    if not await needs_setup(database):
        raise _set_up_already()
    account_id = await database.write(
        store.add_first_operator, login, await passwords.hash_password(password), now
    )
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
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> int:
    """The account behind a login name and password.

    Raises NotAllowed: with code `throttled` when there were too many wrong tries from this
    address, else `wrong_login`, which does not tell which of the two was wrong. Wrong tries from
    elsewhere lock nobody out: they make the answer slower, by at most `throttle.SLOWEST`.
    """
    login = passwords.login_name(login)[: passwords.LOGIN_CHARS]
    keys = (f"login {login} {origin_key(address)}", origin_key(address))
    wait_for(throttle, keys, now)
    everywhere = f"login {login}"
    throttle.tried((everywhere,), now)
    if slowness := throttle.slowness(everywhere, now):
        await pause(slowness.total_seconds())
    found = await database.read(store.find_login, login)
    right = await passwords.matches(
        found.secret_hash if found else passwords.nobodys_hash(), password
    )
    if found is None or not right:
        raise NotAllowed("That login and password do not match.", code="wrong_login")
    throttle.succeeded(keys)
    if passwords.needs_rehash(found.secret_hash):
        await database.write(
            store.set_password_hash, found.identity_id, await passwords.hash_password(password)
        )
    return found.account_id


async def confirm_password(
    database: Database, throttle: Throttle, session: Session, current: str, now: datetime
) -> store.Login | None:
    """The password of whoever is logged in, asked for again before something grave.

    None for an account without one. Raises NotAllowed when it is wrong.
    """
    found = await database.read(store.login_of, session.account.id)
    if found is None:
        return None
    keys = (f"confirm {session.account.id}",)
    wait_for(throttle, keys, now)
    if not await passwords.matches(found[1].secret_hash, current):
        raise NotAllowed("The current password is not right.", code="wrong_login")
    throttle.succeeded(keys)
    return found[1]


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
    door = await confirm_password(database, throttle, session, current, now)
    if door is None:
        raise NotFound("This account has no password.")
    passwords.check_new(new, passwords.login_name(session.account.name))
    secret_hash = await passwords.hash_password(new)

    def write(connection: Connection) -> None:
        store.set_password_hash(connection, door.identity_id, secret_hash)
        store.remove_other_tokens(connection, session.account.id, "session", session.token.id)

    await database.write(write)


async def account_of_login(database: Database, login: str) -> int | None:
    """The account that a login name leads to, however it is spelled."""
    found = await database.read(
        store.find_login, passwords.login_name(login)[: passwords.LOGIN_CHARS]
    )
    return found.account_id if found else None


def same_secret(given: str, expected: str) -> bool:
    """Compare without telling by the time taken how much of it was right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def wait_for(throttle: Throttle, keys: tuple[str, ...], now: datetime) -> None:
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
