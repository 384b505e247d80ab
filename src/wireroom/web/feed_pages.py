"""Following and unfollowing, a feed's own page with its health, and folders."""

from datetime import timedelta
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from wireroom import following, routing
from wireroom.errors import NotFound, UserError
from wireroom.following import TOP, FolderChange, Shelf, SubscriptionChange
from wireroom.subscribing import Choice
from wireroom.subscribing.opening import sealed
from wireroom.web import opening
from wireroom.web.render import is_partial, page
from wireroom.web.room import Room, Subscribed, WebRequest, room_of
from wireroom.web.security import local_path
from wireroom.web.session import account_id_of, redirect, session_of

#: Whoever asks again sooner only hears that it is under way.
ASKED_AT_MOST_EVERY = timedelta(minutes=1)

# -- following -----------------------------------------------------------------------------------


@get("/follow")
async def follow_page(request: WebRequest, url: FromQuery[str] = "") -> Response[Any]:
    """The form: in a dialog where script runs, else a page (bookmarklets lead here as well)."""
    shelf = await following.shelf(room_of(request).database, account_id_of(request))
    return page(request, _follow_template(request), shelf=shelf, url=url[:2048])


@post("/follow")
async def follow(request: WebRequest) -> Response[Any]:
    """Follow an address; what is wrong with it is said in place."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    url = opening.typed_address(form, room.vault, account_id)
    shelf = await following.shelf(room.database, account_id)
    try:
        made = await _follow(request, shelf, url, _folder_id(form.get("folder_id")))
    except UserError as error:
        return page(
            request,
            _follow_template(request),
            status=422,
            shelf=shelf,
            url=url,
            error=str(error),
            folder_id=str(form.get("folder_id", "")),
        )
    if isinstance(made, Choice):
        return page(
            request,
            _follow_template(request),
            shelf=shelf,
            url=url,
            offered=made.offered,
            opening=sealed(url, room.vault, account_id),
            folder_id=str(form.get("folder_id", "")),
        )
    if made.existing:
        return page(request, _follow_template(request), shelf=shelf, url=url, existing=made)
    return go(request, f"/feed/{made.subscription_id}?show=all")


async def _follow(
    request: WebRequest, shelf: Shelf, url: str, folder_id: int | None
) -> Subscribed | Choice:
    if not url:
        raise UserError("Type the address of a feed, or of a page that has one.")
    if folder_id is not None:
        shelf.folder(folder_id)
    return await room_of(request).subscribe(account_id_of(request), url, folder_id)


def _follow_template(request: WebRequest) -> str:
    return "follow_form.html" if is_partial(request) else "follow.html"


def go(request: WebRequest, path: str) -> Response[Any]:
    """On to another page, from a form or from script."""
    if is_partial(request):
        return Response(None, status_code=204, headers={"HX-Redirect": path})
    return redirect(path)


# -- a feed's own page ---------------------------------------------------------------------------


@get("/feed/{subscription_id:int}/about")
async def about(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    """How the feed is doing, when it is polled next and why, and what can be set."""
    return await about_page(request, subscription_id)


async def about_page(
    request: WebRequest, subscription_id: int, *, status: int = 200, access_error: str = ""
) -> Response[Any]:
    """The page, also where something that was filled in there is wrong."""
    room, account = room_of(request), session_of(request).account
    feed, fetches = await following.feed_page(room.database, account.id, subscription_id)
    return page(
        request,
        "about.html",
        status=status,
        feed=feed,
        fetches=fetches,
        ways=await routing.routes_of_feed(room.database, account.id, feed.feed_id),
        shelf=await following.shelf(room.database, account.id),
        access_error=access_error,
        is_operator=account.role == "operator",
    )


@post("/feed/{subscription_id:int}/about")
async def change(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    """Its title, its folder, and how its entries come."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    change = SubscriptionChange(
        title=str(form.get("title", "")),
        folder_id=_folder_id(form.get("folder_id")) or TOP,
        settings={"notifications_enabled": form.get("notifies") == "1"},
        full_content=form.get("full_content") == "1",
    )
    await following.change_subscription(
        room.database, account_id, subscription_id, change, room.now()
    )
    room.bell.ring()
    return redirect(f"/feed/{subscription_id}/about")


@post("/feed/{subscription_id:int}/refresh")
async def refresh(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    """Let the feed be asked as soon as its host allows."""
    room, account_id = room_of(request), account_id_of(request)
    feed = await following.subscription(room.database, account_id, subscription_id)
    asked = await _ask(room, account_id, feed.feed_id)
    words = (
        f"{feed.title} is asked as soon as its site allows; what is new appears by itself."
        if asked
        else f"{feed.title} was to be asked less than a minute ago already."
    )
    return await _after_asking(request, words, f"/feed/{subscription_id}/about")


@post("/refresh")
async def refresh_all(request: WebRequest) -> Response[Any]:
    """The same for all feeds of the account."""
    asked = await _ask(room_of(request), account_id_of(request), None)
    words = (
        "All your feeds are asked, one request to a site at a time; what is new appears by itself."
        if asked
        else "All your feeds were to be asked less than a minute ago already."
    )
    return await _after_asking(request, words, "/")


async def _ask(room: Room, account_id: int, feed_id: int | None) -> bool:
    """False when the same was asked for just now: impatience is not passed on to publishers."""
    now = room.now()
    for what, at in [*room.asked.items()]:
        if now - at >= ASKED_AT_MOST_EVERY:
            del room.asked[what]
    if (account_id, None) in room.asked or (account_id, feed_id) in room.asked:
        return False
    await room.refresh(account_id, feed_id)
    room.asked[account_id, feed_id] = now
    return True


async def _after_asking(request: WebRequest, words: str, default: str) -> Response[Any]:
    if is_partial(request):
        return Response(words, status_code=200, media_type="text/plain")
    form = await request.form()
    return redirect(local_path(str(form.get("next", "")), default))


@get("/feed/{subscription_id:int}/unfollow")
async def unfollow_page(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    """Are you sure?"""
    room, account_id = room_of(request), account_id_of(request)
    feed, _ = await following.feed_page(room.database, account_id, subscription_id)
    return page(request, "unfollow.html", feed=feed)


@post("/feed/{subscription_id:int}/unfollow")
async def unfollow(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    await following.feed_page(room.database, account_id, subscription_id)  # or NotFound
    await room.unsubscribe(account_id, subscription_id)
    return redirect("/")


# -- folders -------------------------------------------------------------------------------------


@get("/folders")
async def folders_page(request: WebRequest) -> Response[Any]:
    shelf = await following.shelf(room_of(request).database, account_id_of(request))
    return page(request, "folders.html", shelf=shelf)


@post("/folders")
async def add_folder(request: WebRequest) -> Response[Any]:
    return await _with_folders(request, _add)


@post("/folder/{folder_id:int}")
async def change_folder(request: WebRequest, folder_id: FromPath[int]) -> Response[Any]:
    return await _with_folders(request, _change, folder_id)


@post("/folder/{folder_id:int}/remove")
async def remove_folder(request: WebRequest, folder_id: FromPath[int]) -> Response[Any]:
    """What it holds moves to the folder it lies in."""
    return await _with_folders(request, _remove, folder_id)


async def _with_folders(request: WebRequest, work: Any, *args: int) -> Response[Any]:
    """Do it and show the folders again; what is wrong with it is said above them."""
    try:
        await work(request, *args)
    except NotFound:
        raise
    except UserError as error:
        shelf = await following.shelf(room_of(request).database, account_id_of(request))
        return page(request, "folders.html", status=422, shelf=shelf, error=str(error))
    return redirect("/folders")


async def _add(request: WebRequest) -> None:
    form = await request.form()
    await following.add_folder(
        room_of(request).database,
        account_id_of(request),
        str(form.get("name", "")),
        parent_id=_folder_id(form.get("parent_id")),
    )


async def _change(request: WebRequest, folder_id: int) -> None:
    database, account_id = room_of(request).database, account_id_of(request)
    form = await request.form()
    change = FolderChange(
        parent_id=_folder_id(form.get("parent_id")) or TOP, name=str(form.get("name", ""))
    )
    await following.change_folder(database, account_id, folder_id, change)


async def _remove(request: WebRequest, folder_id: int) -> None:
    await following.remove_folder(room_of(request).database, account_id_of(request), folder_id)


def _folder_id(value: object) -> int | None:
    text = str(value or "")
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise NotFound("There is no such folder.", code="unknown_folder")
    return int(text)


ROUTES = (
    follow_page,
    follow,
    about,
    change,
    refresh,
    refresh_all,
    unfollow_page,
    unfollow,
    folders_page,
    add_folder,
    change_folder,
    remove_folder,
)
