"""How a place's newest entry would be posted with one wish changed, in words; nothing is sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from wireroom.delivery import wording
from wireroom.delivery.channel import Address, Parcel
from wireroom.delivery.turn import Delivering
from wireroom.delivery.wishes import Wishes, next_time, quiet_until
from wireroom.feeds.model import SafeHtml
from wireroom.routing import asking
from wireroom.routing.steering import found
from wireroom.routing.trials import Trial, trial_of
from wireroom.routing.wishes import Place, own_routes, standing_at
from wireroom.store import routes
from wireroom.store.routes import Route

#: Keys of parcels, of all channels, under which people read words or find pictures.
_READ: Final = ("subject", "title", "text", "caption", "content", "description", "body")
_SEEN: Final = ("photo", "photos", "video", "audio", "image", "media")


@dataclass(frozen=True, slots=True)
class Posting:
    """The newest entry that would be sent, as it would come to a destination."""

    destination: str
    #: What is read in each message, the pictures behind the words.
    messages: tuple[str, ...]
    is_silent: bool
    #: When the next digest comes, or the silent hours that last now end: on the owner's clocks.
    comes_at: datetime | None


async def show_posting(
    tools: Delivering, account_id: int, place: Place, changed: Mapping[str, Any]
) -> Posting | None:
    """On the place's first route that has an entry; None when there is none.

    Raises NotFound, NotAllowed, and UserError for a wish that cannot be.
    """
    asking.check(changed)

    def look(connection: Connection) -> Posting | None:
        standing_at(connection, account_id, place)
        for route_id in own_routes(connection, account_id, place):
            route = routes.find_any(connection, route_id)
            if route is None:
                continue
            trial = trial_of(connection, route, tools, changed, place.kind)
            if trial.message is not None:
                name = found(connection, account_id, route_id).destination
                wanted = asking.wishes_of(connection, route, changed, place.kind)
                return _posting(name, route, trial, wanted, tools)
        return None

    return await tools.database.read(look)


def _posting(name: str, route: Route, trial: Trial, wanted: Wishes, tools: Delivering) -> Posting:
    channel = tools.channels.get(route.channel)
    parcels: tuple[Parcel, ...] = ()
    if channel is not None and trial.message is not None:
        parcels = channel.render(trial.message, Address("0"), trial.settings)
    return Posting(
        destination=name,
        messages=tuple("\n".join(_read(each.payload)) for each in parcels),
        is_silent=trial.settings.get("silent") is True,
        comes_at=_comes_at(wanted, tools.now()),
    )


def _comes_at(wanted: Wishes, now: datetime) -> datetime | None:
    moment = quiet_until(wanted, now)
    if wanted.digest:
        moment = next_time(wanted.digest, wanted.zone, now)
    return None if moment is None else moment.astimezone(wanted.zone)


def _read(payload: Any) -> Iterator[str]:
    """What somebody would read or see of a request, from its top to its end."""
    if isinstance(payload, list | tuple):
        for each in payload:
            yield from _read(each)
    if not isinstance(payload, Mapping):
        return
    is_html = payload.get("parse_mode") == "HTML"
    for key in sorted(payload, key=lambda key: key in _SEEN):
        value = payload[key]
        if key in _SEEN:
            yield from _addresses(value)
        elif key in _READ and isinstance(value, str):
            yield wording.lines(SafeHtml(value)) if is_html else value
        elif key == "rich_message":
            yield wording.lines(SafeHtml(str(value["html"])))
        else:
            yield from _read(value)


def _addresses(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _addresses(value.get("url"))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _addresses(each)
