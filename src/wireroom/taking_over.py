"""Feeds of another system are followed here, and nothing that it had sent is sent again (IDN-21).

How often each was asked comes along, and how its messages looked and which of them went out.
What had been announced is written together with the feed, before anybody asks for it: its first
reading then tells what came since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection

from wireroom.delivery import wishlist
from wireroom.errors import UserError
from wireroom.feeds import plaintext, urls
from wireroom.feeds.identity import IdentityRule
from wireroom.following import NAME_CHARS
from wireroom.histories import Past, There
from wireroom.polling.policies import Policy
from wireroom.polling.tools import Polling
from wireroom.store import feeds, following, places, routes, subscriptions
from wireroom.store.places import Place
from wireroom.store.text import storable
from wireroom.subscribing import Target


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What came of one feed: whether it was followed before, and how many routes it has now.

    `remembers` is False where the feed had been read here already: then what is new is known
    better, and the other system's memory is not needed.
    """

    url: str
    existing: bool = False
    routes: int = 0
    remembers: bool = True
    #: In one sentence why it cannot be followed, or "".
    refusal: str = ""
    #: Sentences about wishes that were left behind.
    left: tuple[str, ...] = ()


async def take_over(
    tools: Polling,
    account_id: int,
    pasts: Sequence[Past],
    targets: Mapping[str, Target],
    *,
    refused: Mapping[str, str] = MappingProxyType({}),
) -> list[TakenOver]:
    """Follow these feeds and send their news where and as they went; one transaction a feed.

    Every place that `pasts` name is in `targets`, or in `refused` with the reason: a feed that
    went there is refused too, since afterwards nobody would know that news of it are missing. A
    second time changes nothing: what is followed, and the routes that are there, stay as they are.
    """
    mover = _Mover(account_id, targets, tools.policy, tools.now())
    return [
        TakenOver(past.url, refusal=no)
        if (no := next((refused[place] for place in past.to if place in refused), ""))
        else await tools.database.write(mover.take_over, past)
        for past in pasts
    ]


@dataclass(frozen=True, slots=True)
class _Mover:
    account_id: int
    targets: Mapping[str, Target]
    policy: Policy
    now: datetime
    #: Places that came into being with this move: what was wished for a whole place is theirs.
    made: set[int] = field(default_factory=set)

    def take_over(self, connection: Connection, past: Past) -> TakenOver:
        try:
            url = urls.checked(past.url)
            to, left = _possible(past.to)
        except UserError as error:
            return TakenOver(past.url, refusal=str(error))
        feed_id = feeds.make(
            connection,
            url=url,
            canonical_key=urls.canonical(url),
            lane=urls.lane(url),
            adapter=storable(past.adapter, 64),
            title=past.title,
            now=self.now,
        )
        feeds.revive(connection, feed_id, now=self.now)
        feed = feeds.to_poll(connection, feed_id)
        remembers = feed is not None and feed.never_read
        if remembers:
            _remember(connection, feed_id, past, now=self.now)
        made = subscriptions.add(
            connection, account_id=self.account_id, feed_id=feed_id, now=self.now
        )
        if not made.existing:
            self._set_up(connection, made.subscription_id, past)
        for place, there in to.items():
            self._route(connection, made.subscription_id, self.targets[place], there)
        return TakenOver(url, made.existing, len(to), remembers, left=left)

    def _set_up(self, connection: Connection, subscription_id: int, past: Past) -> None:
        if past.interval is not None:
            subscriptions.set_wanted_interval(
                connection,
                account_id=self.account_id,
                subscription_id=subscription_id,
                seconds=round(self.policy.wished(past.interval).total_seconds()),
            )
        name = plaintext.line(past.title)[:NAME_CHARS].strip() if past.is_named else ""
        if name:
            following.change_subscription(
                connection, self.account_id, subscription_id, {"custom_title": name}
            )

    def _route(
        self, connection: Connection, subscription_id: int, target: Target, there: There
    ) -> None:
        destination_id = self._destination(connection, target, there)
        # Of a place that was here before, others may have a say: its feeds bring the wishes.
        of_place = {} if destination_id in self.made else there.of_place
        routes.add_route(
            connection,
            subscription_id=subscription_id,
            destination_id=destination_id,
            initial_items=0,
            settings={**(target.settings or {}), **of_place, **there.of_feed},
            now=self.now,
        )

    def _destination(self, connection: Connection, target: Target, there: There) -> int:
        known = routes.find_destination(
            connection,
            account_id=self.account_id,
            channel=target.channel,
            address=target.address,
        )
        destination_id = routes.add_destination(
            connection,
            account_id=self.account_id,
            channel=target.channel,
            address=target.address,
            secret=target.secret,
            title=plaintext.line(there.title)[:NAME_CHARS].strip() or target.title,
            now=self.now,
        )
        if known is None:
            self.made.add(destination_id)
            place = Place("destination", destination_id)
            places.change_settings(connection, place, there.of_place, now=self.now)
        return destination_id


def _possible(to: Mapping[str, There]) -> tuple[dict[str, There], tuple[str, ...]]:
    """The places with those wishes that can be held, and sentences about the others.

    Raises UserError for a filter that cannot be: without it, unwanted messages would go out.
    """
    kept, left = {}, dict[str, None]()
    for place, there in to.items():
        kept[place] = replace(
            there,
            of_feed=_held(there.of_feed, left),
            of_place=_held(there.of_place, left),
        )
    return kept, tuple(left)


def _held(wishes: Mapping[str, Any], left: dict[str, None]) -> dict[str, Any]:
    held = {}
    for name, value in wishes.items():
        try:
            wishlist.check(name, value)
        except UserError as error:
            if name == "filter":
                raise
            left[f"its {name} is left behind: {error}"] = None
        else:
            held[name] = value
    return held


def _remember(connection: Connection, feed_id: int, past: Past, *, now: datetime) -> None:
    if past.marker:
        feeds.mark_announced(connection, feed_id, past.marker)
    feeds.keep_announced(connection, feed_id, past.keys, now=now)
    if past.fields:
        try:
            rule = IdentityRule.chosen(past.fields)
        except UserError:  # none of them is known: the usual ones it is
            return
        feeds.set_identity_rule(connection, feed_id, str(rule))
