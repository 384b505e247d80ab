"""What follows a message once it is out, and may wait for hours: an errand until it is done.

News go on meanwhile. What comes after one another stays in that order.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from wireroom.delivery.channel import Parcel, Sent
from wireroom.store import errands
from wireroom.store.errands import Errand, NewErrand

#: What has waited for longer is no news any more.
LONGEST_WAIT: Final = timedelta(hours=12)


def keep(connection: Connection, destination_id: int, answer: Sent, *, now: datetime) -> None:
    """Remember what follows a message, in the transaction that writes down that it is out."""
    follows = answer.afterwards
    if follows is not None:
        facts = {"method": follows.method, "payload": dict(follows.payload)}
        errands.add(connection, [NewErrand(destination_id, "afterwards", facts)], now=now)


def parcel(errand: Errand, *, now: datetime) -> Parcel | None:
    """What is to be sent; None when it is too late for that."""
    if now - errand.at > LONGEST_WAIT:
        return None
    return Parcel(str(errand.facts["method"]), errand.facts["payload"])
