"""Buttons under posts: read, favourite, and no more like this. They act on the chat's account."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from wireroom import reading, routing
from wireroom.catalogue.telegram import general
from wireroom.catalogue.telegram import marks as texts
from wireroom.channels.telegram import marks
from wireroom.channels.telegram.commands import buttons, choosing, wishing
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.command import Theme
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.feeds import filters
from wireroom.feeds.filters.tree import Field, Filter, Not, Word, both
from wireroom.reading import Entry, StateChange
from wireroom.store import posts
from wireroom.store.posts import Post

_PAUSE: Final = timedelta(days=1)
#: Categories of an entry that are offered.
_CATEGORIES: Final = 4


async def press_mark(visit: Visit, arguments: Sequence[str]) -> None:
    """`mk.r`, `mk.f`, `mk.m`, and what the last leads to; the post itself tells which entry."""
    visit = visit.about(visit.chat)  # whatever chat is managed from here
    post = await _post(visit)
    match arguments[0]:
        case "r" | "f":
            await _turn(visit, post, arguments[0])
        case "m":
            await _set(visit, _muting(visit, post))
        case "b":
            await _set(visit, _rows(await _entry(visit, post)))
        case "d":
            await _pause(visit, post)
        case "a":
            await _mute(visit, post, "author", post.author)
        case "c":
            await _mute(visit, post, "category", post.categories[int(arguments[1])])
        case _:
            raise Complaint(general.STALE)


async def _post(visit: Visit) -> Post:
    assert visit.press is not None
    account = await visit.account()
    found = await visit.desk.database.read(
        posts.find_post, account, CHANNEL, visit.chat_key, visit.press.message_id
    )
    if found is None:
        raise Complaint(texts.UNKNOWN)
    return found


async def _entry(visit: Visit, post: Post) -> Entry:
    account = await visit.account()
    entry, _ = await reading.entry_in_full(visit.desk.database, account, post.feed_id, post.seq)
    return entry


async def _turn(visit: Visit, post: Post, what: str) -> None:
    """The other way round, as the reader shows it from then on, too."""
    account, now = await visit.account(), visit.desk.now()
    entry = await _entry(visit, post)
    if what == "r":
        change = StateChange(post.feed_id, post.seq, is_read=not entry.is_read)
        note = texts.UNREAD if entry.is_read else texts.READ
    else:
        change = StateChange(post.feed_id, post.seq, is_favorite=not entry.is_favorite)
        note = texts.NO_FAVORITE if entry.is_favorite else texts.FAVORITE
    await reading.set_states(visit.desk.database, account, [change], now)
    visit.acknowledge(note)
    await _set(visit, _rows(await _entry(visit, post)))


def _rows(entry: Entry) -> list[Row]:
    made = marks.keyboard(is_read=entry.is_read, is_favorite=entry.is_favorite)
    return [
        [Button(each["text"], each["callback_data"]) for each in row]
        for row in made["inline_keyboard"]
    ]


async def _set(visit: Visit, rows: Sequence[Row]) -> None:
    assert visit.press is not None
    visit.acknowledge()
    await visit.desk.replies.set_buttons(visit.chat.id, visit.press.message_id, rows)


# -- no more like this ----------------------------------------------------------------------------


def _muting(visit: Visit, post: Post) -> list[Row]:
    """What of the entry can be kept away: its author, its categories, its feed for a while."""
    rows: list[Row] = []
    if post.author:
        label = visit.plain(texts.MUTE_AUTHOR, name=post.author)
        rows.append([Button(label, buttons.data("mk", "a"))])
    for number, category in enumerate(post.categories[:_CATEGORIES]):
        label = visit.plain(texts.MUTE_CATEGORY, name=category)
        rows.append([Button(label, buttons.data("mk", "c", number))])
    rows.append([Button(visit.plain(texts.MUTE_FEED), buttons.data("mk", "d"))])
    rows.append([Button(visit.plain(general.BACK), buttons.data("mk", "b"))])
    return rows


async def _mute(visit: Visit, post: Post, field: Field, text: str) -> None:
    """Add "not this" to the filter of the route."""
    route = await choosing.route(visit, post.route_id)
    own = (await wishing.wishes(visit, route)).get("filter")
    parts: list[Filter] = [filters.parse(own)] if own else []
    unwanted = Not(Word(text, field))
    wanted = filters.unparse(both([*parts, unwanted]))
    await wishing.set_wish(visit, route, "filter", wanted)
    await visit.note(texts.MUTED, filter=filters.unparse(unwanted))
    await _set(visit, _rows(await _entry(visit, post)))


async def _pause(visit: Visit, post: Post) -> None:
    account, now = await visit.account(), visit.desk.now()
    database = visit.desk.database
    await routing.pause(database, account, post.route_id, now=now, until=now + _PAUSE)
    await visit.note(texts.PAUSED)
    await _set(visit, _rows(await _entry(visit, post)))


THEME: Final = Theme(general.THEME, (), {marks.VERB: press_mark})
