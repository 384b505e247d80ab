"""Labels in the browser: put on an entry and taken off, named anew, and forgotten."""

from typing import Any
from urllib.parse import urlsplit

from litestar import Response, get, post
from litestar.params import FromPath

from wireroom import labelling, reading
from wireroom.errors import UserError
from wireroom.web.render import is_partial, page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.security import local_path
from wireroom.web.session import account_id_of, redirect


async def labels_of(request: WebRequest, feed_id: int, seq: int) -> dict[str, Any]:
    """What `labels.html` shows of an entry: what it carries, and all that it might."""
    room, account_id = room_of(request), account_id_of(request)
    on_it = await labelling.of(room.database, account_id, [(feed_id, seq)])
    return {
        "labels": on_it.get((feed_id, seq), []),
        "label_names": await labelling.names(room.database, account_id),
    }


@post("/entry/{feed_id:int}/{seq:int}/labels", status_code=200)
async def change(request: WebRequest, feed_id: FromPath[int], seq: FromPath[int]) -> Response[Any]:
    """Put a label on, or take one off; answers with all places of the page that show them."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    adding, removing = (str(form.get(each, "")) for each in ("add", "remove"))
    entry, _ = await reading.entry_in_full(room.database, account_id, feed_id, seq)  # or NotFound
    await labelling.change(
        room.database,
        account_id,
        [(feed_id, seq)],
        add=[adding] if adding.strip() else [],
        remove=[removing] if removing else [],
        now=room.now(),
    )
    if not is_partial(request):
        return redirect(local_path(str(form.get("next", "/"))))
    return page(
        request,
        "labelled.html",
        entry=entry,
        here=str(form.get("next", "/")),
        shown_path=urlsplit(request.headers.get("hx-current-url", "")).path,
        **await labels_of(request, feed_id, seq),
    )


@get("/labels")
async def manage(request: WebRequest) -> Response[Any]:
    return await _page(request)


async def _page(request: WebRequest, *, error: str = "") -> Response[Any]:
    every = await labelling.every(room_of(request).database, account_id_of(request))
    return page(request, "labels.html", status=422 if error else 200, every=every, error=error)


@post("/label/{label_id:int}")
async def rename(request: WebRequest, label_id: FromPath[int]) -> Response[Any]:
    room, form = room_of(request), await request.form()
    name = str(form.get("name", ""))
    try:
        await labelling.rename(
            room.database, account_id_of(request), label_id, name, now=room.now()
        )
    except UserError as error:
        if error.code != "invalid_label":
            raise
        return await _page(request, error=str(error))
    return redirect("/labels")


@post("/label/{label_id:int}/remove")
async def forget(request: WebRequest, label_id: FromPath[int]) -> Response[Any]:
    """Take it off everything; the entries stay."""
    room = room_of(request)
    await labelling.forget(room.database, account_id_of(request), label_id, now=room.now())
    return redirect("/labels")


ROUTES = (change, manage, rename, forget)
