"""Passkeys and security keys as the second step of a login (WebAuthn).

The browser is handed options as JSON and gives an answer as JSON; the challenge in between is kept
by the caller. A challenge is good for one answer, right or wrong, whoever kept a copy of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from wireroom.accounts.factors import recovery_codes_if_first
from wireroom.accounts.logins import wait_for
from wireroom.accounts.sessions import digest_of
from wireroom.errors import Conflict, NotAllowed, UserError
from wireroom.store import accounts as accounts_store
from wireroom.store import factors as store
from wireroom.store.accounts import Account
from wireroom.store.engine import Database
from wireroom.store.factors import Factor
from wireroom.throttle import Throttle

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor


#: How long a challenge may be kept before it is answered, by whoever keeps it.
CHALLENGE_LASTS = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Site:
    """Where the browser is: `name` such as reader.example.org, `origin` with scheme and port."""

    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the browser is asked, as JSON, and the challenge in it."""

    options: str
    challenge: bytes


def ask_for_new(site: Site, account: Account, known: Sequence[Factor]) -> Asked:
    """Make a passkey for this account, on a device that has none of its yet."""
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=site.name,
        rp_name="Wireroom",
        user_name=account.name,
        user_id=account.id.to_bytes(8, "big"),
        exclude_credentials=_descriptors(known),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.DISCOURAGED,
            user_verification=UserVerificationRequirement.DISCOURAGED,
        ),
    )
    return Asked(webauthn.options_to_json(options), options.challenge)


async def add_passkey(
    database: Database,
    site: Site,
    account_id: int,
    *,
    answer: str,
    challenge: bytes,
    name: str,
    now: datetime,
) -> list[str]:
    """Keep a new passkey; gives recovery codes when it is the first factor. Raises UserError."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    await _use_up(database, account_id, challenge, now)
    try:
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise UserError("The browser's answer is not right. Try again.") from error

    def write(connection: Connection) -> list[str]:
        store.add(
            connection,
            account_id,
            "passkey",
            made.credential_public_key,
            now,
            name=name.strip()[:128] or "Passkey",
            credential_id=made.credential_id,
            counter=made.sign_count,
        )
        return recovery_codes_if_first(connection, account_id, now)

    try:
        return await database.write(write)
    except IntegrityError as error:
        raise Conflict("This passkey is known already.") from error


def ask_for_proof(site: Site, known: Sequence[Factor]) -> Asked:
    """Show that one of these passkeys is at hand."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=site.name,
        allow_credentials=_descriptors(known),
        user_verification=UserVerificationRequirement.DISCOURAGED,
    )
    return Asked(webauthn.options_to_json(options), options.challenge)


async def check_passkey(
    database: Database,
    throttle: Throttle,
    site: Site,
    account_id: int,
    *,
    answer: str,
    challenge: bytes,
    now: datetime,
) -> None:
    """Raises NotAllowed when the answer is not one of this account's passkeys'."""
    import webauthn
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    keys = (f"second {account_id}",)
    wait_for(throttle, keys, now)
    await _use_up(database, account_id, challenge, now)
    known = await database.read(store.list_of, account_id)
    try:
        given = parse_authentication_credential_json(answer)
        (passkey,) = [each for each in known if each.credential_id == given.raw_id]
        proved = webauthn.verify_authentication_response(
            credential=given,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=passkey.secret,
            credential_current_sign_count=passkey.counter,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise _refused() from error
    if not await database.write(store.use, passkey, proved.new_sign_count, now):
        raise _refused()
    throttle.succeeded(keys)


async def _use_up(database: Database, account_id: int, challenge: bytes, now: datetime) -> None:
    """Remember that a challenge was answered, as long as it could be. Raises NotAllowed."""

    def write(connection: Connection) -> None:
        accounts_store.add_token(
            connection,
            account_id,
            "answered",
            digest_of(challenge),
            name="",
            scopes="",
            now=now,
            expires_at=now + CHALLENGE_LASTS,
        )

    try:
        await database.write(write)
    except IntegrityError as error:
        raise _refused() from error


def _refused() -> NotAllowed:
    return NotAllowed("That passkey was not accepted.", code="wrong_login")


def _descriptors(known: Sequence[Factor]) -> "list[PublicKeyCredentialDescriptor]":
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return [
        PublicKeyCredentialDescriptor(id=each.credential_id)
        for each in known
        if each.credential_id
    ]
