"""Keys and cursors as clients get them: made here, and read here when they come back.

Clients never look inside. What comes back malformed, or from another list, is told apart from
what is merely not there any more.
"""

import re
from datetime import UTC, datetime, timedelta

from wireroom.errors import NotFound, UserError
from wireroom.reading import Order, Place
from wireroom.store.reading import EVER, NEVER
from wireroom.store.syncing import Point
from wireroom.syncing import Phase, StateCursor
from wireroom.watching import Mark

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)

_ID = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
_ITEM_ID = re.compile(r"([0-9a-f]{12})([0-9a-f]{12})", re.ASCII)
_CURSOR = re.compile(r"([a-z])((?:\.-?[0-9]{1,18}){2,3})", re.ASCII)

_HITS = re.compile(r"h\.([1-9][0-9]{0,2})", re.ASCII)

#: The moment in milliseconds, at most in the year 5138.
_EVENT = re.compile(r"e\.([0-9]{1,14})\.([0-9a-f]{8})", re.ASCII)

_ORDERS: dict[str, Order] = {"n": "newest", "o": "oldest"}
_PHASES: dict[str, Phase] = {"p": "pull", "w": "walk", "r": "rest"}


def date(moment: datetime | None) -> str:
    """In the one form of the contract; "" for None."""
    if moment is None:
        return ""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.isoformat("T", "milliseconds")[:-6] + "Z"


def number(text: str) -> int | None:
    """The id that `text` stands for; None when it is none that we could have given out."""
    return int(text) if _ID.fullmatch(text) else None


def of_thing(text: str, thing: str) -> int:
    """The id of a "folder", a "label" and so on. Raises NotFound (unknown_…)."""
    found = number(text)
    if found is None:
        raise NotFound(f"There is no such {thing}.", code=f"unknown_{thing}")
    return found


# -- items ----------------------------------------------------------------------------------------


def item_id(feed_id: int, seq: int) -> str:
    """Of fixed width: the order of texts is the order of numbers."""
    return f"{feed_id:012x}{seq:012x}"


def sort_key(sort_at: datetime, feed_id: int, seq: int) -> str:
    """`DATE#ITEM_ID`."""
    return f"{date(sort_at)}#{item_id(feed_id, seq)}"


def entry_of(text: str) -> tuple[int, int] | None:
    """(feed, seq) of a sort_key, or None. The id within it is what counts."""
    return _item(text.rpartition("#")[2])


def fetched_key(feed_id: int, seq: int) -> str:
    """An item's place in item sync. Numbers are given in commit order, which no clock can say."""
    return item_id(feed_id, seq)


def updated_key(moment: datetime, feed_id: int, seq: int) -> str:
    """`DATE#ITEM_ID` of what was last said of an item: state sync goes by it (SYN-11)."""
    return f"{date(moment)}#{item_id(feed_id, seq)}"


def since(text: str) -> tuple[int, int] | None:
    """(feed, seq) of a `since`; None for the empty one. Raises UserError (invalid_cursor)."""
    if not text:
        return None
    found = _item(text)
    if found is None:
        raise _invalid()
    return found


def _item(text: str) -> tuple[int, int] | None:
    found = _ITEM_ID.fullmatch(text)
    return None if found is None else (int(found[1], 16), int(found[2], 16))


# -- cursors --------------------------------------------------------------------------------------


def page_cursor(order: Order, place: Place) -> str:
    """Where the next page of a list begins."""
    return f"{order[0]}.{_to_ms(place.sort_at)}.{place.feed_id}.{place.seq}"


def page_place(text: str, order: Order) -> Place:
    """Raises UserError (invalid_cursor), also for a cursor of the other order."""
    kind, numbers = _parts(text)
    if _ORDERS.get(kind) != order or len(numbers) != 3:
        raise _invalid()
    return Place(_from_ms(numbers[0]), numbers[1], numbers[2])


def hits_cursor(offset: int) -> str:
    """Where the next page of a search begins."""
    return f"h.{offset}"


def hits_place(text: str) -> int:
    """Raises UserError (invalid_cursor)."""
    found = _HITS.fullmatch(text)
    if found is None:
        raise _invalid()
    return int(found[1])


def state_cursor(cursor: StateCursor) -> str:
    """Where state sync goes on."""
    began = "" if cursor.began is None else f".{_to_ms(cursor.began)}"
    return f"{cursor.phase[0]}{began}.{_to_ms(cursor.point.at)}.{cursor.point.seq}"


def state_place(text: str) -> StateCursor | None:
    """None for the empty cursor. Raises UserError (invalid_cursor)."""
    if not text:
        return None
    kind, numbers = _parts(text)
    phase = _PHASES.get(kind)
    if phase is None or len(numbers) != (2 if phase == "rest" else 3):
        raise _invalid()
    began = None if phase == "rest" else _from_ms(numbers[0])
    if (
        began is not None and began < _EPOCH
    ):  # our clock never said so, and it is reckoned back from
        raise _invalid()
    return StateCursor(phase, began, Point(_from_ms(numbers[-2]), numbers[-1]))


def event_id(mark: Mark) -> str:
    """Where a stream of events goes on."""
    return f"e.{_to_ms(mark.at)}.{mark.shelf}"


def event_mark(text: str) -> Mark | None:
    """None for no id, and for one that was not given out here: the stream begins now."""
    found = _EVENT.fullmatch(text)
    if found is None:
        return None
    return Mark(_EPOCH + int(found[1]) * _MILLISECOND, found[2])


def _parts(text: str) -> tuple[str, list[int]]:
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise _invalid()
    return found[1], [int(each) for each in found[2].split(".")[1:]]


def _to_ms(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


def _from_ms(milliseconds: int) -> datetime:
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError as error:
        raise _invalid() from error
    if not EVER <= moment <= NEVER:
        raise _invalid()
    return moment


def _invalid() -> UserError:
    return UserError("That cursor is none that was given out here.", code="invalid_cursor")
