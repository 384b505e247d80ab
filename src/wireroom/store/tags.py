"""Tags on subscriptions: words beside the one folder that each lies in."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, literal, select

from wireroom.store.schema import subscription_tags, subscriptions


def by_subscription(
    connection: Connection, account_id: int, subscription_id: int | None = None
) -> dict[int, list[str]]:
    """In order, by subscription; of one of them, or of all that carry any."""
    query = (
        select(subscription_tags.c.subscription_id, subscription_tags.c.tag)
        .join(subscriptions, subscriptions.c.id == subscription_tags.c.subscription_id)
        .where(subscriptions.c.account_id == account_id)
        .order_by(subscription_tags.c.tag)
    )
    if subscription_id is not None:
        query = query.where(subscriptions.c.id == subscription_id)
    found: dict[int, list[str]] = {}
    for number, tag in connection.execute(query):
        found.setdefault(number, []).append(tag)
    return found


def put(connection: Connection, subscription_id: int, wanted: Sequence[str]) -> None:
    """These and no others. The caller has looked whose subscription it is."""
    connection.execute(
        delete(subscription_tags).where(subscription_tags.c.subscription_id == subscription_id)
    )
    if wanted:
        connection.execute(
            insert(subscription_tags),
            [{"subscription_id": subscription_id, "tag": tag} for tag in wanted],
        )


def bring_over(connection: Connection, subscription_id: int, into: int) -> None:
    """Words on a subscription that ends go to the one that stays."""
    known = select(subscription_tags.c.tag).where(subscription_tags.c.subscription_id == into)
    coming = select(literal(into), subscription_tags.c.tag).where(
        subscription_tags.c.subscription_id == subscription_id,
        subscription_tags.c.tag.not_in(known),
    )
    connection.execute(insert(subscription_tags).from_select(["subscription_id", "tag"], coming))
