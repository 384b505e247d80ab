"""Use cases of tags: words that an account puts on its subscriptions, beside folders."""

from collections.abc import Sequence

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.store import subscriptions
from wireroom.store import tags as store
from wireroom.store.engine import Database

MOST_TAGS = 20
TAG_CHARS = 64


async def tags(
    database: Database, account_id: int, subscription_id: int | None = None
) -> dict[int, list[str]]:
    """By subscription, in order; of one of them, or of all that carry any."""
    return await database.read(store.by_subscription, account_id, subscription_id)


async def set_tags(
    database: Database, account_id: int, subscription_id: int, wanted: Sequence[str]
) -> list[str]:
    """A subscription's tags are these; gives them as they are kept. Raises UserError, NotFound."""
    kept = sorted({_tag(each) for each in wanted})
    if len(kept) > MOST_TAGS:
        raise UserError(f"{MOST_TAGS} tags are enough.", code="invalid_tags")

    def write(connection: Connection) -> None:
        owned = subscriptions.belongs(
            connection, account_id=account_id, subscription_id=subscription_id
        )
        if not owned:
            raise NotFound("There is no such subscription.", code="unknown_subscription")
        store.put(connection, subscription_id, kept)

    await database.write(write)
    return kept


def _tag(typed: str) -> str:
    tag = " ".join(typed.split())
    if not 0 < len(tag) <= TAG_CHARS or not tag.isprintable():
        raise UserError(f"A tag has 1 to {TAG_CHARS} characters.", code="invalid_tags")
    return tag
