"""The second step of a login: a code from an app (RFC 6238), or a recovery code.

Passkeys, the third way, are in `passkeys`. Codes of the neighbouring half minutes are taken, and
each only once. Recovery codes are made with the first factor and work once each.
"""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection

from wireroom.accounts.logins import wait_for
from wireroom.accounts.sessions import digest
from wireroom.errors import NotAllowed, UserError
from wireroom.store import factors as store
from wireroom.store.engine import Database
from wireroom.store.factors import Factor
from wireroom.store.vault import Vault
from wireroom.throttle import Throttle

RECOVERY_CODES = 10
MOST_FACTORS = 20
_STEP_SECONDS = 30
#: Without what is easily mistaken for something else.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


async def factors(database: Database, account_id: int) -> list[Factor]:
    """All of an account, recovery codes included."""
    return await database.read(store.list_of, account_id)


def new_key() -> str:
    """A key for an authenticator app, in base32."""
    import pyotp

    return pyotp.random_base32()


def key_uri(key: str, login: str) -> str:
    """What the QR code says to the app."""
    import pyotp

    return pyotp.TOTP(key).provisioning_uri(name=login, issuer_name="Wireroom")


def qr_code(text: str) -> str:
    """An SVG picture, to stand in a page."""
    import segno

    code: str = segno.make(text, micro=False).svg_inline(scale=4, border=4, light="#fff")
    return code


async def add_app(
    database: Database, vault: Vault, account_id: int, *, key: str, code: str, now: datetime
) -> list[str]:
    """Keep the key of an app that has just shown that it has it.

    Gives the recovery codes when this is the account's first factor. Raises UserError.
    """
    step = _step_of(key, code, now)
    if step is None:
        raise UserError("That code is not right. Look at the clock of your phone, and try again.")

    def write(connection: Connection) -> list[str]:
        store.remove_kind(connection, account_id, "totp")
        store.add(connection, account_id, "totp", vault.seal(key), now, name="App", counter=step)
        return recovery_codes_if_first(connection, account_id, now)

    return await database.write(write)


def recovery_codes_if_first(connection: Connection, account_id: int, now: datetime) -> list[str]:
    """Make recovery codes unless there are some; gives them in clear, this once."""
    known = store.list_of(connection, account_id)
    if len(known) > MOST_FACTORS + RECOVERY_CODES:
        raise UserError(f"{MOST_FACTORS} passkeys are enough; remove one first.")
    if any(each.kind == "recovery" for each in known):
        return []
    return _new_recovery_codes(connection, account_id, now)


def _new_recovery_codes(connection: Connection, account_id: int, now: datetime) -> list[str]:
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(12)) for _ in range(RECOVERY_CODES)]
    for code in codes:
        store.add(connection, account_id, "recovery", digest(code), now)
    return [f"{code[:4]}-{code[4:8]}-{code[8:]}" for code in codes]


async def renew_recovery_codes(database: Database, account_id: int, now: datetime) -> list[str]:
    """The old ones are worthless then."""

    def write(connection: Connection) -> list[str]:
        store.remove_kind(connection, account_id, "recovery")
        return _new_recovery_codes(connection, account_id, now)

    return await database.write(write)


async def remove_factor(database: Database, account_id: int, factor_id: int) -> None:
    """With the last one, the recovery codes go, too. Unknown ones are passed over."""

    def write(connection: Connection) -> None:
        store.remove(connection, account_id, factor_id)
        if all(each.kind == "recovery" for each in store.list_of(connection, account_id)):
            store.remove_kind(connection, account_id, "recovery")

    await database.write(write)


async def remove_all(database: Database, account_id: int) -> None:
    """The password alone opens the door again."""

    def write(connection: Connection) -> None:
        for kind in ("totp", "passkey", "recovery"):
            store.remove_kind(connection, account_id, kind)

    await database.write(write)


async def check_code(
    database: Database,
    vault: Vault,
    throttle: Throttle,
    account_id: int,
    code: str,
    now: datetime,
) -> None:
    """A code of the app, or a recovery code. Raises NotAllowed."""
    keys = (f"second {account_id}",)
    wait_for(throttle, keys, now)
    plain = "".join(letter for letter in code.lower() if letter.isalnum())

    def write(connection: Connection) -> bool:
        if store.use_up(connection, account_id, digest(plain)):
            return True
        for each in store.list_of(connection, account_id):
            if each.kind == "totp":
                step = _step_of(vault.open(each.secret), plain, now)
                if step is not None and store.use(connection, each, step, now):
                    return True
        return False

    if not await database.write(write):
        raise NotAllowed("That code is not right, or was used before.", code="wrong_login")
    throttle.succeeded(keys)


def _step_of(key: str, code: str, now: datetime) -> int | None:
    """The time step whose code this is: this one, the one before or the one after."""
    import pyotp

    totp = pyotp.TOTP(key)
    for steps in (0, -1, 1):
        moment = now + timedelta(seconds=steps * _STEP_SECONDS)
        if code.isascii() and secrets.compare_digest(totp.at(moment), code):
            return int(moment.timestamp()) // _STEP_SECONDS
    return None
