"""What an account is asked for after its password."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from wireroom.store.schema import factors

Kind = Literal["totp", "passkey", "recovery"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One way to prove it; what `secret` and `counter` hold depends on the kind (schema)."""

    id: int
    account_id: int
    kind: Kind
    name: str
    secret: bytes
    credential_id: bytes | None
    counter: int
    created_at: datetime
    last_used_at: datetime | None


_COLUMNS = (
    factors.c.id,
    factors.c.account_id,
    factors.c.kind,
    factors.c.name,
    factors.c.secret,
    factors.c.credential_id,
    factors.c.counter,
    factors.c.created_at,
    factors.c.last_used_at,
)


def list_of(connection: Connection, account_id: int) -> list[Factor]:
    rows = connection.execute(
        select(*_COLUMNS).where(factors.c.account_id == account_id).order_by(factors.c.id)
    )
    return [Factor(*row) for row in rows]


def add(
    connection: Connection,
    account_id: int,
    kind: Kind,
    secret: bytes,
    now: datetime,
    **values: Any,
) -> int:
    made: int = connection.execute(
        insert(factors)
        .values(account_id=account_id, kind=kind, secret=secret, created_at=now, **values)
        .returning(factors.c.id)
    ).scalar_one()
    return made


def use(connection: Connection, factor: Factor, counter: int, now: datetime) -> bool:
    """Note that a factor was used; False when somebody used the same code or count before.

    Passkeys that do not count say 0 every time.
    """
    unused = factors.c.counter < counter if counter else factors.c.counter == 0
    return bool(
        connection.execute(
            update(factors)
            .where(factors.c.id == factor.id, unused)
            .values(counter=counter, last_used_at=now)
        ).rowcount
    )


def use_up(connection: Connection, account_id: int, secret: bytes) -> bool:
    """Take a recovery code; False when there is none such."""
    return bool(
        connection.execute(
            delete(factors).where(
                factors.c.account_id == account_id,
                factors.c.kind == "recovery",
                factors.c.secret == secret,
            )
        ).rowcount
    )


def remove(connection: Connection, account_id: int, factor_id: int) -> bool:
    """False when there is none, or it is not this account's."""
    return bool(
        connection.execute(
            delete(factors).where(
                factors.c.id == factor_id,
                factors.c.account_id == account_id,
                factors.c.kind != "recovery",
            )
        ).rowcount
    )


def remove_kind(connection: Connection, account_id: int, kind: Kind) -> None:
    connection.execute(
        delete(factors).where(factors.c.account_id == account_id, factors.c.kind == kind)
    )
