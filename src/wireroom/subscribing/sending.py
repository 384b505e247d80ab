"""Where what a subscription brings is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from wireroom.errors import NotFound
from wireroom.polling.tools import Polling
from wireroom.store import routes, subscriptions


@dataclass(frozen=True, slots=True)
class Target:
    """Where a subscription is to be sent; `secret` is sealed already."""

    channel: str
    address: str
    secret: bytes | None = None
    title: str = ""
    initial_items: int = 0
    settings: Mapping[str, Any] | None = None


async def send_to(tools: Polling, account_id: int, subscription_id: int, target: Target) -> int:
    """Make a route from a subscription of this account to a destination; gives its id."""

    def work(connection: Connection) -> int | None:
        if not subscriptions.belongs(
            connection, account_id=account_id, subscription_id=subscription_id
        ):
            return None
        destination_id = routes.add_destination(
            connection,
            account_id=account_id,
            channel=target.channel,
            address=target.address,
            secret=target.secret,
            title=target.title,
            now=tools.now(),
        )
        return routes.add_route(
            connection,
            subscription_id=subscription_id,
            destination_id=destination_id,
            initial_items=target.initial_items,
            settings=target.settings,
            now=tools.now(),
        )

    route_id = await tools.database.write(work)
    if route_id is None:
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return route_id
