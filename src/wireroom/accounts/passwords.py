"""Passwords and login names: how they are kept, compared and judged.

Passwords are kept as Argon2id. At most two hashes are computed at a time, since each holds 64 MiB.
"""

import asyncio
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from wireroom.errors import UserError

PASSWORD_MIN_CHARS = 10
PASSWORD_MAX_BYTES = 1024
LOGIN_CHARS = 64
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


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(
        _hashing, _hasher.hash, _normal(password)
    )


async def matches(secret_hash: str, password: str) -> bool:
    def verify() -> bool:
        try:
            return _hasher.verify(secret_hash, _normal(password))
        except (Argon2Error, InvalidHashError):
            return False

    if len(password.encode("utf-8", "replace")) > PASSWORD_MAX_BYTES:
        return False
    return await asyncio.get_running_loop().run_in_executor(_hashing, verify)


@cache
def nobodys_hash() -> str:
    """Compared with when the login is unknown, so that the answer takes as long."""
    return _hasher.hash(secrets.token_hex(16))


def _normal(password: str) -> bytes:
    # Keyboards differ in how they compose an accent; the stored form is NFC.
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")


def check_new(password: str, login: str) -> None:
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


def login_name(login: str) -> str:
    """Login names are compared without regard to case and composition."""
    return unicodedata.normalize("NFKC", login).strip().casefold()


def check_login_name(login: str) -> str:
    """A name for a new account, as it is kept. Raises UserError (invalid_login)."""
    login = login_name(login)
    if not login or len(login) > LOGIN_CHARS or not login.isprintable():
        raise UserError(f"A login name has 1 to {LOGIN_CHARS} characters.", code="invalid_login")
    return login


def needs_rehash(secret_hash: str) -> bool:
    """Was it made with other costs than we take today?"""
    return _hasher.check_needs_rehash(secret_hash)
