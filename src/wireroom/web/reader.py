"""The reader: the shelf, a list of entries, and the one that is open."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath

from wireroom import following, labelling, reading, routing
from wireroom.errors import NotFound, UserError
from wireroom.following import Followed, Shelf
from wireroom.reading import EVERYTHING, Body, Entry, Page, Place, Scope, Show, StateChange
from wireroom.web import content
from wireroom.web.label_pages import labels_of
from wireroom.web.live import seen_from, seen_text
from wireroom.web.render import is_partial, page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.security import local_path
from wireroom.web.session import account_id_of, redirect, viewer_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SHOWS: dict[str, Show] = {"all": "all", "unread": "unread", "favorite": "favorite"}


@dataclass(frozen=True, slots=True)
class View:
    """What a list is about: which part of the shelf, which entries of it, and its address."""

    scope: Scope
    show: Show
    title: str
    path: str
    followed: list[Followed]
    #: Only what carries this label.
    label_id: int | None = None

    @property
    def grows(self) -> bool:
        """Does what arrives belong on the list?"""
        return self.show != "favorite" and self.label_id is None

    def href(self, **changes: str | None) -> str:
        """The address of this list, or of a neighbour that differs in `changes`."""
        query = {"show": self.show, **changes}
        return f"{self.path}?{urlencode({k: v for k, v in query.items() if v})}"

    @property
    def seen(self) -> str:
        return seen_text({f.feed_id: f.last_seq for f in self.followed})


# -- pages ---------------------------------------------------------------------------------------


@get("/")
async def everything(request: WebRequest) -> Response[Any]:
    """All subscriptions."""
    return await _reader(request, EVERYTHING)


@get("/folder/{folder_id:int}")
async def folder(request: WebRequest, folder_id: FromPath[int]) -> Response[Any]:
    """A folder with the folders inside it."""
    return await _reader(request, Scope(folder_id=folder_id))


@get("/feed/{subscription_id:int}")
async def feed(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    """One subscription."""
    return await _reader(request, Scope(subscription_id=subscription_id))


@get("/label/{label_id:int}")
async def label(request: WebRequest, label_id: FromPath[int]) -> Response[Any]:
    """All that carries a label."""
    return await _reader(request, EVERYTHING, label_id)


async def _reader(request: WebRequest, scope: Scope, label_id: int | None = None) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    # The shelf first: an entry that arrives between the two is on the list and not yet "seen".
    shelf = await following.shelf(room.database, account_id)
    names = await labelling.names(room.database, account_id)
    if label_id is None:
        view = _view(request, shelf, scope)
    else:
        view = _labelled(request, shelf, label_id, names)
    after = place_from(request.query_params.get("after"))
    listed = await reading.list_entries(
        room.database, account_id, scope,
        show=view.show, after=after, label=None if label_id is None else view.title,
    )  # fmt: skip
    carried = await labelling.of(room.database, account_id, reading.keys_of(listed.entries))
    rows: dict[str, Any] = {
        "view": view,
        "listed": listed,
        "carried": carried,
        "older": _older(view, listed),
    }
    if is_partial(request) and after is not None:
        return page(request, "rows.html", **rows)
    pulse = await reading.pulse(room.database, account_id)
    opened = await _opened(request, account_id)
    return page(
        request,
        "reader.html",
        shelf=shelf,
        pulse=pulse,
        **rows,
        **_branches(shelf),
        **{"label_names": names, **opened},
    )


def _view(request: WebRequest, shelf: Shelf, scope: Scope) -> View:
    asked = request.query_params.get("show", "")
    show = _SHOWS.get(asked, viewer_of(request).preferences.show)
    if scope.subscription_id is not None:
        one = shelf.subscription(scope.subscription_id)
        return View(scope, show, one.title, f"/feed/{one.subscription_id}", [one])
    if scope.folder_id is not None:
        chosen = shelf.folder(scope.folder_id)
        inside = shelf.inside(chosen.id)
        followed = [f for f in shelf.followed if f.folder_id in inside]
        return View(scope, show, chosen.name, f"/folder/{chosen.id}", followed)
    title = {"all": "Everything", "unread": "Unread", "favorite": "Favourites"}[show]
    return View(scope, show, title, "/", shelf.followed)


def _labelled(request: WebRequest, shelf: Shelf, label_id: int, names: Mapping[int, str]) -> View:
    """Everything that carries it, read or not, unless asked otherwise."""
    show = _SHOWS.get(request.query_params.get("show", ""), "all")
    if label_id not in names:
        raise NotFound("There is no such label.")
    path = f"/label/{label_id}"
    return View(EVERYTHING, show, names[label_id], path, shelf.followed, label_id)


def _branches(shelf: Shelf) -> dict[str, Any]:
    """Feeds by folder (None: at the top), and unread counts that include inner folders."""
    by_folder: dict[int | None, list[Followed]] = {}
    unread = dict.fromkeys((f.id for f in shelf.folders), 0)
    parents = {f.id: f.parent_id for f in shelf.folders}
    for followed in shelf.followed:
        by_folder.setdefault(followed.folder_id, []).append(followed)
        above, steps = followed.folder_id, 0
        while above in unread and steps <= len(parents):
            unread[above] += shelf.unread.get(followed.feed_id, 0)
            above, steps = parents[above], steps + 1
    return {"by_folder": by_folder, "folder_unread": unread}


def _older(view: View, listed: Page) -> str | None:
    return view.href(after=place_text(listed.next)) if listed.next else None


async def _opened(request: WebRequest, account_id: int) -> dict[str, Any]:
    """What the template needs of the entry named in the address, if there is one."""
    feed_id, _, seq = request.query_params.get("entry", "").partition(".")
    if not (_is_number(feed_id) and _is_number(seq)):
        return {"entry": None, "body": None, "media": []}
    found = await reading.entry_in_full(
        room_of(request).database, account_id, int(feed_id), int(seq)
    )
    return await _article(request, *found)


def _number(text: str) -> int:
    """0 for what is none, which is nobody's."""
    return int(text) if _is_number(text) else 0


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18


async def _article(request: WebRequest, entry: Entry, body: Body) -> dict[str, Any]:
    room = room_of(request)
    clean, pictures = content.clean_body(entry, body), room.pictures
    return {
        "entry": entry,
        "body": content.with_pictures(clean, pictures),
        "is_article": body.is_article,
        "media": content.media_of(entry, clean, pictures),
        "categories": body.categories[:12],
        **await labels_of(request, entry.feed_id, entry.seq),
        "ways": await routing.routes_of_feed(room.database, account_id_of(request), entry.feed_id),
    }


@get("/entry/{feed_id:int}/{seq:int}")
async def entry(request: WebRequest, feed_id: FromPath[int], seq: FromPath[int]) -> Response[Any]:
    """An article for the reading pane; asked for directly, the page that it is a part of."""
    found = await reading.entry_in_full(
        room_of(request).database, account_id_of(request), feed_id, seq
    )
    if not is_partial(request):
        where = f"/feed/{found[0].subscription_id}"
        return redirect(f"{where}?show=all&entry={feed_id}.{seq}")
    return page(request, "article.html", **await _article(request, *found), back=None, here=None)


# -- what is said about entries ------------------------------------------------------------------


@post("/entry/{feed_id:int}/{seq:int}", status_code=200)
async def say(request: WebRequest, feed_id: FromPath[int], seq: FromPath[int]) -> Response[Any]:
    """Read, unread, favourite or not; answers with how it stands now, and the feed's count."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    change = StateChange(feed_id, seq, _flag(form.get("is_read")), _flag(form.get("is_favorite")))
    await reading.entry_in_full(room.database, account_id, feed_id, seq)  # or NotFound
    await reading.set_states(room.database, account_id, [change], room.now())
    room.bell.ring()  # other windows, and apps that stay connected
    if not is_partial(request):
        return redirect(local_path(str(form.get("next", "/"))))
    found, _ = await reading.entry_in_full(room.database, account_id, feed_id, seq)
    scope = Scope(subscription_id=found.subscription_id)
    unread = await reading.unread_counts(room.database, account_id, scope)
    return Response(
        {
            "is_read": found.is_read,
            "is_favorite": found.is_favorite,
            "unread": {feed_id: unread.get(feed_id, 0)},
        }
    )


def _flag(value: object) -> bool | None:
    return {"1": True, "0": False}.get(str(value))


@post("/mark-read")
async def mark_read(request: WebRequest) -> Response[Any]:
    """All that the list could show when it was drawn is read (B48)."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    show = _SHOWS.get(str(form.get("show")), "all")
    seen = seen_from(str(form.get("seen", "")))
    label: str | None = None
    if label_id := str(form.get("label", "")):
        label = await labelling.name_of(room.database, account_id, _number(label_id))
    await reading.mark_seen(
        room.database, account_id, seen, show=show, now=room.now(), label=label
    )
    room.bell.ring()  # other windows of the same person
    return redirect(local_path(str(form.get("next", "/"))))


# -- places in addresses -------------------------------------------------------------------------


def place_text(place: Place) -> str:
    """A cursor as it stands in an address: milliseconds, feed, number."""
    milliseconds = (place.sort_at - _EPOCH) // timedelta(milliseconds=1)
    return f"{milliseconds}.{place.feed_id}.{place.seq}"


def place_from(text: str | None) -> Place | None:
    """The reverse of `place_text`. Raises UserError for anything else."""
    if not text:
        return None
    try:
        milliseconds, feed_id, seq = (int(part) for part in text[:80].split("."))
        sort_at = _EPOCH + timedelta(milliseconds=milliseconds)
    except (ValueError, OverflowError) as error:
        raise UserError("There is no such place in the list.", code="invalid_cursor") from error
    if not (0 <= feed_id < 2**63 and 0 <= seq < 2**63):
        raise NotFound("There is no such place in the list.")
    return Place(sort_at, feed_id, seq)


ROUTES = (everything, folder, feed, label, entry, say, mark_read)
