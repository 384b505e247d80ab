"""The web application, built from what it is handed."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

import structlog
from litestar import Litestar, Response, Router
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.static_files import create_static_files_router
from litestar.types import ExceptionHandlersMap

from wireroom.accounts.sign_on import SignOn
from wireroom.errors import Conflict, NotAllowed, NotFound, StoreError, UserError
from wireroom.pictures.addresses import Addresses
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.vault import Vault
from wireroom.waking.devices import Waking
from wireroom.watching import Listeners
from wireroom.web import (
    access_pages,
    account_pages,
    door,
    feed_pages,
    label_pages,
    linking_pages,
    list_pages,
    live,
    proof,
    public,
    push_pages,
    reader,
    replacement_pages,
    route_pages,
    search_pages,
    second_step,
    security,
    settings_pages,
    single_sign_on,
    wish_pages,
)
from wireroom.web.render import STATIC, is_partial, page, static_version
from wireroom.web.room import (
    Now,
    Refresh,
    Room,
    SendTo,
    SetTemplate,
    Settings,
    ShowPosting,
    Subscribe,
    Unlock,
    Unsubscribe,
    WebRequest,
)
from wireroom.web.session import FILES, gate

#: Forms are small; a list of numbers of ten thousand feeds is the largest.
BODY_MAX_BYTES = 1_000_000

log = structlog.get_logger(__name__)


def build(
    *,
    database: Database,
    subscribe: Subscribe,
    unsubscribe: Unsubscribe,
    refresh: Refresh,
    bell: Bell,
    now: Now,
    settings: Settings,
    vault: Vault,
    sign_on: SignOn | None = None,
    pictures: Addresses | None = None,
    waking: Waking | None = None,
    unlock: Unlock | None = None,
    send_to: SendTo | None = None,
    set_template: SetTemplate | None = None,
    show_posting: ShowPosting | None = None,
    closing: asyncio.Event | None = None,
    beside: Sequence[Router] = (),
) -> Litestar:
    """All pages of the reader; it opens and closes nothing that it is handed.

    `beside` are routes of other kinds, such as those that hubs call, and those that `pictures`
    leads to.

    When the program stops, set `closing` and ring the bell: live streams end at once, which a
    server that waits for its connections would otherwise wait for.
    """
    room = Room(
        database,
        subscribe,
        unsubscribe,
        refresh,
        bell,
        now,
        settings,
        vault,
        sign_on,
        pictures,
        waking,
        unlock,
        send_to,
        set_template,
        show_posting,
        listeners=Listeners(closing or asyncio.Event()),
    )
    return Litestar(
        [
            _files(),
            *door.ROUTES,
            *second_step.ROUTES,
            *proof.ROUTES,
            *single_sign_on.ROUTES,
            *reader.ROUTES,
            *feed_pages.ROUTES,
            *access_pages.ROUTES,
            *list_pages.ROUTES,
            *search_pages.ROUTES,
            *label_pages.ROUTES,
            *settings_pages.ROUTES,
            *account_pages.ROUTES,
            *linking_pages.ROUTES,
            *route_pages.ROUTES,
            *wish_pages.ROUTES,
            *replacement_pages.ROUTES,
            *live.ROUTES,
            *push_pages.ROUTES,
            *public.ROUTES,
            *beside,
        ],
        state=State({"room": room}),
        before_request=gate,
        before_send=[security.add_headers],
        exception_handlers=_PROBLEMS,
        request_max_body_size=BODY_MAX_BYTES,
        openapi_config=None,
        logging_config=None,
    )


@cache
def _files() -> Router:
    return create_static_files_router(
        path=f"/static/{static_version()}",
        directories=[STATIC],
        opt=FILES,
        cache_control=None,
        after_request=_keep_for_ever,
        include_in_schema=False,
    )


def _keep_for_ever(response: Response[Any]) -> Response[Any]:
    # The address changes whenever a file does.
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


# -- what goes wrong -----------------------------------------------------------------------------


def _problem(request: WebRequest, status: int, title: str, sentence: str) -> Response[Any]:
    if is_partial(request):
        return Response(sentence, status_code=status, media_type="text/plain")
    return page(request, "problem.html", status=status, title=title, sentence=sentence)


def _asked_wrongly(request: WebRequest, error: UserError) -> Response[Any]:
    if isinstance(error, NotFound):
        return _problem(request, 404, "Not here", str(error))
    if isinstance(error, NotAllowed):
        return _problem(request, 403, "Not allowed", str(error))
    status = 409 if isinstance(error, Conflict) else 400
    return _problem(request, status, "That did not work", str(error))


def _store_refused(request: WebRequest, error: StoreError) -> Response[Any]:
    log.warning("the database refused", path=request.url.path, error=str(error))
    answer = _problem(request, 503, "The database is not available", str(error))
    answer.headers["Retry-After"] = "10"
    return answer


def _http_problem(request: WebRequest, error: HTTPException) -> Response[Any]:
    if error.status_code == 404:
        return _problem(request, 404, "Not here", "There is no such page.")
    if error.status_code == 413:
        return _problem(
            request,
            413,
            "Too large",
            "That is larger than any form of ours takes: a list of feeds may have 2 MB.",
        )
    answer = _problem(
        request, error.status_code, "That did not work", "The request makes no sense here."
    )
    answer.headers.update(error.headers or {})
    return answer


def _our_fault(request: WebRequest, error: Exception) -> Response[Any]:
    log.error("a page failed", path=request.url.path, exc_info=error)
    return _problem(
        request, 500, "Our fault", "Something went wrong on our side; the log has the details."
    )


_PROBLEMS: ExceptionHandlersMap = {
    UserError: _asked_wrongly,
    StoreError: _store_refused,
    HTTPException: _http_problem,
    Exception: _our_fault,
}
