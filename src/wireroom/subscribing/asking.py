"""Asking a feed now, and how often it is asked."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection

from wireroom.errors import Conflict, NotFound
from wireroom.feeds import urls
from wireroom.feeds.identity import IdentityRule
from wireroom.polling.refresh import refresh
from wireroom.polling.tools import Polling
from wireroom.store import feeds, ingest, subscriptions, switches
from wireroom.store.ingest import Finished
from wireroom.subscribing.lane import lane_lease


def require_polling(connection: Connection) -> None:
    """Raises Conflict while the operator wants no publisher to be asked again (SCH-47)."""
    if switches.is_polling_paused(connection):
        raise Conflict(
            "Polling is paused, so nobody is asked; `wireroom resume-polling` goes on.",
            code="polling_paused",
        )


async def refresh_now(tools: Polling, feed_id: int, *, owner: str) -> Finished:
    """Ask for a feed at once, through its lane and with its validators, and store the answer.

    Raises NotFound, Conflict while polling is paused, or FeedUnavailable while the host wants to
    be left alone.
    """
    await tools.database.read(require_polling)
    feed = await tools.database.read(feeds.to_poll, feed_id)
    if feed is None:
        raise NotFound("There is no such feed.", code="unknown_feed")
    async with lane_lease(tools, feed.lane, owner) as lease:
        feed = await tools.database.read(feeds.to_poll, feed_id)
        if feed is None:
            raise NotFound("There is no such feed.", code="unknown_feed")
        finished = await refresh(feed, lease, tools)
        await tools.database.write(ingest.commit, [finished], tools.now())
    return finished


async def request_refresh(tools: Polling, account_id: int, feed_id: int | None) -> int:
    """Make a feed of this account due, or all of them, for the polling loop to take up (SCH-41).

    Gives how many. Raises NotFound for a feed that the account does not follow, and Conflict while
    polling is paused.
    """

    def work(connection: Connection) -> int:
        require_polling(connection)
        followed = subscriptions.feeds_of(connection, account_id)
        wanted = followed if feed_id is None else followed & {feed_id}
        for each in sorted(wanted):
            feeds.make_due(connection, each, now=tools.now(), reason="asked for by hand")
        return len(wanted)

    asked = await tools.database.write(work)
    if feed_id is not None and not asked:
        raise NotFound("There is no such feed.", code="unknown_feed")
    return asked


async def set_interval(
    tools: Polling, account_id: int, subscription_id: int, wanted: timedelta | None
) -> timedelta | None:
    """How often a subscription wants its feed asked; None leaves it to the policy (SCH-21).

    The fastest subscription wins. Gives the interval as it holds, raised to the operator's minimum
    and cut to the maximum (SCH-17). Raises NotFound.
    """
    interval = None if wanted is None else tools.policy.wished(wanted)
    seconds = None if interval is None else round(interval.total_seconds())

    def work(connection: Connection) -> bool:
        feed_id = subscriptions.set_wanted_interval(
            connection, account_id=account_id, subscription_id=subscription_id, seconds=seconds
        )
        if feed_id is not None and interval is not None:
            feeds.hasten(connection, feed_id, interval=interval, now=tools.now())
        return feed_id is not None

    if not await tools.database.write(work):
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return interval


async def choose_identity(tools: Polling, typed: str, names: Sequence[str]) -> list[str]:
    """Let these fields tell a feed's items apart (IDN-11); gives those of them that count.

    Raises UserError when none does, and NotFound for a feed that nobody follows.
    """
    rule = IdentityRule.chosen(names)
    key = urls.canonical(urls.checked(typed))

    def work(connection: Connection) -> bool:
        feed_id = feeds.find(connection, key, adapter="generic")
        if feed_id is not None:
            feeds.set_identity_rule(connection, feed_id, str(rule))
        return feed_id is not None

    if not await tools.database.write(work):
        raise NotFound("There is no such feed.", code="unknown_feed")
    return sorted(rule.fields)


async def read_in_full(tools: Polling, account_id: int) -> int:
    """Let every feed that this account follows be read in full once (SCH-42); gives how many."""

    def work(connection: Connection) -> int:
        followed = subscriptions.feeds_of(connection, account_id)
        return feeds.forget_validators(connection, followed, now=tools.now())

    return await tools.database.write(work)
