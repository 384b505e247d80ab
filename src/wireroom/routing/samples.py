"""Samples: a layout is shown in the real chat before it counts (TGC-23, TGC-24)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from wireroom.delivery import wishlist
from wireroom.delivery.channel import Address, Answer, Parcel, Sent, TryLater
from wireroom.delivery.compose import compose, laid_out_strictly
from wireroom.delivery.message import Message
from wireroom.delivery.replacements import Replacement
from wireroom.delivery.turn import Delivering
from wireroom.delivery.wishes import Wishes
from wireroom.errors import NotFound, SettingsError, UserError
from wireroom.feeds.model import SafeHtml
from wireroom.routing.asking import newest_entries, wishes_of
from wireroom.routing.wishes import EVERYONE, Place, operators_only, set_wish
from wireroom.store import house, places, routes
from wireroom.store.entries import Entry
from wireroom.store.routes import Destination, Route

#: Shown where a feed has no entry yet.
_SAMPLE_TITLE: Final = "A sample entry"
_SAMPLE_TEXT: Final = SafeHtml(
    "<p>This is how an entry looks: with <b>bold</b> words, an &amp; and a "
    '<a href="https://example.org/">link</a>.</p>'
)


@dataclass(frozen=True, slots=True)
class _Sample:
    """An entry on its way to a destination that may be shown it."""

    destination: Destination
    message: Message
    wanted: Wishes


async def set_template(
    tools: Delivering, account_id: int, place: Place, source: str
) -> SafeHtml | None:
    """Set a template once it rendered and a chat took a message in it; gives what was rendered.

    The sample goes to the first destination of the place's routes that takes messages; where there
    is none, rendering is enough, and with no route at all None is given. For everyone nothing is
    sent. Raises UserError: `invalid_template`, `sample_refused` or `try_later`, and then nothing
    has changed.
    """
    wishlist.check("template", source)
    sample = await tools.database.read(_sample, account_id, place, {"template": source})
    if sample is not None and place != EVERYONE:
        await _send(tools, sample)
    await set_wish(tools.database, account_id, place, "template", source, now=tools.now())
    return None if sample is None else sample.message.laid_out


async def send_sample(
    tools: Delivering, account_id: int, place: Place, changed: dict[str, Any] | None = None
) -> None:
    """Send the newest entry of a place's first route once more, outside of its order.

    `changed` settings count for this once. Raises UserError as `set_template` does, and NotFound
    when nothing goes anywhere from there.
    """
    for name, value in (changed or {}).items():
        wishlist.check(name, value)
    sample = await tools.database.read(_sample, account_id, place, changed or {})
    if sample is None:
        raise NotFound("Nothing is sent anywhere from there.", code="unknown_route")
    await _send(tools, sample)


def _sample(
    connection: Connection, account_id: int, place: Place, changed: dict[str, Any]
) -> _Sample | None:
    if place == EVERYONE:
        operators_only(connection, account_id)
    if places.settings_at(connection, account_id, place) is None:
        raise NotFound(f"There is no such {place.kind}.", code=f"unknown_{place.kind}")
    best: _Sample | None = None
    for route_id in places.routes_at(connection, account_id, place):
        found = routes.find_any(connection, route_id)
        if found is None:
            continue
        destination = routes.destination(connection, found.destination_id)
        if destination is None:
            continue
        sample = _of_route(connection, found, destination, changed)
        if destination.suspended_at is None:
            return sample
        best = best or sample
    return best


def _of_route(
    connection: Connection, route: Route, destination: Destination, changed: dict[str, Any]
) -> _Sample:
    wanted = wishes_of(connection, route, changed)
    newest = newest_entries(connection, route, 1)
    removed = [Replacement(each.value, each.is_regex) for each in house.removals(connection)]
    plain = Wishes(settings=wanted.settings, zone=wanted.zone)
    message = compose(newest[-1] if newest else _made_up(route), route, plain, removed)
    return _Sample(destination, laid_out_strictly(message, route, wanted), wanted)


def _made_up(route: Route) -> Entry:
    moment = datetime.fromisoformat("2026-01-02T03:04:05+00:00")
    return Entry(
        feed_id=route.feed_id,
        seq=0,
        public_id="",
        sort_at=moment,
        published=moment,
        first_seen=moment,
        title=_SAMPLE_TITLE,
        author="A. N. Author",
        link=route.site_url or "https://example.org/",
        summary=None,
        content=_SAMPLE_TEXT,
        image_url="",
        enclosures=(),
        categories=("sample",),
        revision=0,
        is_news=True,
        not_news_why="",
    )


async def _send(tools: Delivering, sample: _Sample) -> None:
    """Raises UserError unless the chat took all of it."""
    there = sample.destination
    channel = tools.channels.get(there.channel)
    if there.suspended_at is not None or channel is None:
        return  # nothing is sent there at all; rendering has to be enough
    try:
        secret = tools.vault.open(there.secret) if there.secret else ""
    except SettingsError as error:
        raise UserError(str(error), code="sample_refused") from error
    address = Address(there.address, secret)
    parcels = channel.render(sample.message, address, sample.wanted.settings)
    for parcel in parcels:
        _judge(await channel.send(address, _as_it_is(parcel)))


def _as_it_is(parcel: Parcel) -> Parcel:
    """Without the plain form: a layout that the platform cannot read must be told, not mended."""
    simpler = parcel.without_media and _as_it_is(parcel.without_media)
    return Parcel(parcel.method, parcel.payload, without_media=simpler)


def _judge(answer: Answer) -> None:
    if isinstance(answer, Sent):
        return
    if isinstance(answer, TryLater):
        raise UserError(
            f"The sample could not be sent now ({answer.reason}); try again in a while.",
            code="try_later",
        )
    raise UserError(f"The chat did not take the sample: {answer.reason}.", code="sample_refused")
