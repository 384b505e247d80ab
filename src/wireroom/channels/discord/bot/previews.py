"""The newest entry as it will really be posted: shown, or sent to prove a place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection

from wireroom.catalogue import Text
from wireroom.channels.discord.bot.desk import Desk
from wireroom.delivery import afterwards
from wireroom.delivery.channel import Address, Answer, Parcel, Sent, TryLater
from wireroom.delivery.compose import choose, compose
from wireroom.delivery.message import Message
from wireroom.delivery.replacements import Replacement
from wireroom.delivery.wishes import Wishes
from wireroom.guilds import GuildFeed
from wireroom.routing.asking import newest_entries, wishes_of
from wireroom.routing.trials import MOST_TRIED
from wireroom.store import house, posted, routes
from wireroom.store.entries import Entry
from wireroom.store.routes import Destination, Route

NOWHERE: Final = Address("0", "")
_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """A feed's newest entry, as its route wants it."""

    message: Message
    settings: Mapping[str, Any]
    destination: Destination
    seq: int
    revision: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What Discord said, and the messages in which the sample appeared."""

    answer: Answer
    message_ids: tuple[str, ...] = ()
    #: All that was said, once the whole sample is out.
    out: tuple[Sent, ...] = ()

    @property
    def is_posted(self) -> bool:
        return isinstance(self.answer, Sent)


async def newest(
    desk: Desk,
    feed: GuildFeed,
    changed: Mapping[str, Any] | None = None,
    *,
    of_feed: int | None = None,
    through: int | None = None,
    whatever: bool = False,
) -> Sample | None:
    """The newest entry that filters and rules let through, or `whatever` they say; None: none.

    `changed` settings count for this once. `of_feed` shows another feed's as if it came this way;
    entries behind `through` do not count.
    """
    return await desk.database.read(_newest, feed, changed or {}, of_feed, through, whatever)


def _newest(
    connection: Connection,
    feed: GuildFeed,
    changed: Mapping[str, Any],
    of_feed: int | None,
    through: int | None,
    whatever: bool,
) -> Sample | None:
    route = routes.find(connection, feed.id)
    destination = routes.destination(connection, feed.destination_id)
    if route is None or destination is None:
        return None
    route = replace(route, feed_id=of_feed or route.feed_id)
    wanted = wishes_of(connection, route, changed)
    tried = newest_entries(connection, route, 1 if whatever else MOST_TRIED, through=through)
    fitting = [each for each in tried if whatever or _passes(each, route, wanted)]
    if not fitting:
        return None
    entry = fitting[-1]
    removed = [Replacement(each.value, each.is_regex) for each in house.removals(connection)]
    message = compose(entry, route, wanted, removed)
    return Sample(message, wanted.settings, destination, entry.seq, entry.revision)


def _passes(entry: Entry, route: Route, wanted: Wishes) -> bool:
    """Whether it would be sent, were it news."""
    as_asked = replace(route, asked_through=entry.seq, passed={})
    return choose(entry, as_asked, wanted).is_sent


def parcels(desk: Desk, sample: Sample) -> tuple[Parcel, ...]:
    """What would go out, by the same code as what does."""
    return desk.sender.render(sample.message, NOWHERE, sample.settings)


async def send(desk: Desk, sample: Sample) -> Outcome:
    """Post it now, outside of its order; the first answer that is not Sent, or the last."""
    there = sample.destination
    address = Address(there.address, desk.vault.open(there.secret) if there.secret else "")
    out: list[Sent] = []
    for parcel in parcels(desk, sample):
        answer = await sent(desk, address, parcel)
        if not isinstance(answer, Sent):
            return Outcome(answer, _ids(out))
        out.append(answer)
    return Outcome(Sent(), _ids(out), tuple(out))


def _ids(out: Sequence[Sent]) -> tuple[str, ...]:
    return tuple(each.message_id for each in out if each.message_id)


async def sent(desk: Desk, address: Address, parcel: Parcel) -> Answer:
    """Where Discord names a time to wait for, the same message goes again then (DCD-11)."""
    for _ in range(_ATTEMPTS):
        answer = await desk.sender.send(address, parcel)
        if not isinstance(answer, TryLater) or answer.after is None or answer.maybe_sent:
            break
    return answer


async def note(
    desk: Desk,
    feed: GuildFeed,
    sample: Sample,
    outcome: Outcome,
    because: Text,
    *,
    goes_on: bool,
) -> None:
    """Let the ledger of the feed say that and why it was posted, unless it knows better.

    With `goes_on` it counts as news, and what follows those follows this; else it is posted to
    look at, and the followers of an announcement channel do not get it.
    """

    def write(connection: Connection) -> None:
        now = desk.now()
        posted.note_posted(
            connection,
            feed.id,
            sample.seq,
            message_ids=outcome.message_ids,
            revision=sample.revision,
            detail=because.en,
            now=now,
        )
        for answer in outcome.out if goes_on else ():
            afterwards.keep(connection, sample.destination.id, answer, now=now)

    await desk.database.write(write)
