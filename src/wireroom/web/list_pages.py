"""Subscription lists: one from another reader is taken in, and one's own is given out."""

from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile

from wireroom import following, lists
from wireroom.errors import UserError
from wireroom.feeds.opml import Limits
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of

#: The largest list, and what a form puts around it.
UPLOAD_MAX_BYTES = Limits().size_bytes + 10_000


@post("/lists/import", status_code=200, request_max_body_size=UPLOAD_MAX_BYTES)
async def take_in(request: WebRequest) -> Response[Any]:
    """Follow every feed of a file; then say what came of it, feed by feed where one failed."""
    room, account_id = room_of(request), account_id_of(request)
    try:
        document = await _uploaded(request)
        taken = await lists.take_in(room.database, account_id, document, room.now())
    except UserError as error:
        shelf = await following.shelf(room.database, account_id)
        return page(request, "folders.html", status=422, shelf=shelf, error=str(error))
    room.bell.ring()  # the polling loop finds the new feeds due
    return page(request, "taken_in.html", taken=taken)


async def _uploaded(request: WebRequest) -> bytes:
    upload = (await request.form()).get("file")
    document = await upload.read() if isinstance(upload, UploadFile) else b""
    if not document:
        raise UserError("Choose a file first: the list that another reader exported.")
    return document


@get("/lists/export")
async def give_out(request: WebRequest) -> Response[bytes]:
    """Everything that is followed, as a file."""
    room, now = room_of(request), room_of(request).now()
    document = await lists.give_out(room.database, account_id_of(request), now)
    return Response(
        document,
        media_type="text/x-opml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{lists.file_name(now)}"'},
    )


ROUTES = (take_in, give_out)
