"""What goes wrong, as clients hear of it: `{"Error", "code"}`, always (API-02).

Every code that an endpoint can answer with is on this page; the OpenAPI document and docs/api.md
are held to it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.types import ExceptionHandlersMap

from wireroom.api.native.contract import Filter, ListOrder, Problem
from wireroom.errors import Conflict, NotAllowed, NotFound, StoreError, UserError

log = structlog.get_logger(__name__)

#: Code: status, and what it means.
CODES: Mapping[str, tuple[int, str]] = {
    # anywhere
    "invalid_json": (400, "The body is not JSON, or not an object."),
    "invalid_request": (400, "The request makes no sense here."),
    "not_authenticated": (401, "No token, or one that is not known, has expired or was revoked."),
    "not_allowed": (403, "The token does not cover this."),
    "not_found": (404, "There is no such path."),
    "method_not_allowed": (405, "The path takes another method."),
    "too_large": (413, "The body is larger than 5 MB."),
    "rate_limited": (429, "Too many calls; `Retry-After` says how long to wait."),
    "internal_error": (500, "Our fault; the log has the details."),
    "unavailable": (503, "The database, or an issuer of tokens, is not available; try again."),
    # feeds
    "invalid_url": (400, "Not a web address, or one that is never dialled."),
    "not_https": (400, "The address was typed with http, and there is no https at it."),
    "unreachable": (400, "Nobody answers there."),
    "not_a_feed": (400, "What is there is no feed and leads to none."),
    "needs_credentials": (400, "The server wants a login (401, 403)."),
    "feed_gone": (400, "There is nothing at that address (404, 410)."),
    "publisher_error": (400, "The server answers, but not with a feed."),
    # subscriptions and folders
    "missing_subscription": (400, "subscription_id is missing."),
    "unknown_subscription": (404, "No such subscription, or not yours."),
    "unknown_folder": (404, "No such folder, or not yours."),
    "nothing_to_update": (400, "No setting was given."),
    "invalid_title": (400, "A title holds control characters or is no text."),
    "invalid_name": (400, "A name is missing, too long, taken, or holds control characters."),
    "cyclic_folder": (400, "A folder cannot lie inside itself."),
    "too_many_folders": (400, "An account has at most 1000 folders."),
    # items
    "invalid_limit": (400, "limit is not an integer."),
    "invalid_cursor": (400, "The cursor was not given out for this list."),
    "since_needs_subscription": (400, "since goes with a subscription_id."),
    "state_since_needs_subscription": (400, "state_since goes with a subscription_id."),
    "missing_key": (400, "feed_id or sort_key is missing."),
    "not_subscribed": (404, "The account does not follow that feed."),
    "unknown_item": (404, "There is no such item."),
    "missing_items": (400, "items is missing or no list."),
    "too_many_items": (400, "At most 100 items in one go."),
    "invalid_item": (400, "One of the items lacks its key or has a flag that is none."),
    "invalid_watermark": (400, "The watermark is no ISO 8601 time."),
    # search
    "invalid_query": (400, "There is nothing to look for, or a filter says something impossible."),
    "unknown_search": (404, "No such search, or not yours."),
    "too_many_searches": (400, "An account keeps at most 200 searches."),
    # labels and tags
    "invalid_label": (400, "A label has 1 to 64 characters, and no two have one name."),
    "unknown_label": (404, "No such label, or not yours."),
    "too_many_labels": (400, "An account has at most 500 labels."),
    "invalid_tags": (400, "A tag is empty, longer than 64 characters, or there are over 20."),
    # rules and push
    "invalid_rule": (400, "A rule cannot be read, or there are over 50 of them."),
    "unknown_destination": (404, "A rule leads to a destination that is not there, or not yours."),
    "invalid_endpoint": (400, "That is no address of a push service."),
    "endpoint_taken": (409, "That device is woken for another account."),
    "no_push": (404, "This Wireroom wakes nobody, or not by the token of another issuer."),
    # lists and preferences
    "invalid_opml": (400, "No OPML, too large, too many feeds, or it declares entities."),
    "invalid_app": (400, "A preference has a value that is not among its words, or is too long."),
}
#: Fields and parameters that are answered with `invalid_` and their name.
FIELDS = (
    "subscription_id", "feed_id", "sort_key", "folder_id", "parent_folder_id", "display_order",
    "ordering_mode", "default_open_mode", "default_styling", "default_remote_content",
    "default_filter", "notifications_enabled", "full_content", "filter",
    "order", "since", "state_since", "cursor", "search_id", "label_id",
    "add", "remove", "tag",
)  # fmt: skip

#: A field of this name is absent.
_MISSING = {
    "url": "invalid_url",
    "subscription_id": "missing_subscription",
    "folder_id": "unknown_folder",
    "name": "invalid_name",
    "items": "missing_items",
    "opml": "invalid_opml",
    "query": "invalid_query",
    "rules": "invalid_rule",
    "app": "invalid_app",
}
#: A field of this name holds something else than it should; otherwise `invalid_` and its name.
_WRONG = {"custom_title": "invalid_title", "items": "missing_items", "rules": "invalid_rule"}

#: Parameters that take one of a few words.
_WORDS = {"filter": get_args(Filter), "order": get_args(ListOrder)}

_ABSENT = re.compile(r"missing required field `(\w+)`$")
_PATH = re.compile(r" - at `\$((?:\.\w+|\[[^\]]*\])+)`$")


def status_of(code: str) -> int:
    """400 unless noted; `invalid_FIELD` is not noted."""
    return CODES.get(code, (400, ""))[0]


def of_body(message: str) -> UserError:
    """What msgspec says of a body, as an error with its code."""
    path = _PATH.search(message)
    absent = _ABSENT.search(message)
    inside = path[1].lstrip(".") if path else ""
    sentence = message.partition(" - at ")[0] + (f" at {inside}." if inside else ".")
    if inside.startswith("items["):
        return UserError(sentence, code="invalid_item")
    if absent and not inside:
        return _error(sentence, _MISSING.get(absent[1], f"invalid_{absent[1]}"))
    field = re.split(r"[.\[]", inside)[0]
    return _error(sentence, _WRONG.get(field, f"invalid_{field}") if field else "invalid_json")


def _error(sentence: str, code: str) -> UserError:
    return (NotFound if status_of(code) == 404 else UserError)(sentence, code=code)


# -- answers --------------------------------------------------------------------------------------


def answer(sentence: str, code: str, *, status: int | None = None) -> Response[Problem]:
    return Response(
        Problem(error=sentence, code=code),
        status_code=status or status_of(code),
        media_type="application/json",
    )


def _asked_wrongly(_: Request[Any, Any, Any], error: UserError) -> Response[Problem]:
    if error.code == "issuer_unavailable":
        return answer(str(error), "unavailable")
    status = 400
    for kind, number in ((NotFound, 404), (NotAllowed, 403), (Conflict, 409)):
        if isinstance(error, kind):
            status = number
    return answer(str(error), error.code, status=status)


def _store_refused(request: Request[Any, Any, Any], error: StoreError) -> Response[Problem]:
    log.warning("the database refused", path=request.url.path, error=str(error))
    response = answer(str(error), "unavailable")
    response.headers["Retry-After"] = "10"
    return response


def _invalid(_: Request[Any, Any, Any], error: ValidationException) -> Response[Problem]:
    """A query parameter that Litestar could not read, or a body that is not there at all."""
    said: Any = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    key = said.get("key", "data")
    if key == "data":
        return answer("The request needs a JSON object as its body.", "invalid_json")
    name = {"show": "filter"}.get(key, key)
    if name in _WORDS:
        return answer(f"{name} is one of {', '.join(_WORDS[name])}.", f"invalid_{name}")
    return answer(f"{name}: {said.get('message', 'not valid')}.", f"invalid_{name}")


def _http_problem(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    if error.status_code == 404:
        return answer("There is no such path.", "not_found")
    if error.status_code == 405:
        response = answer("This path takes another method.", "method_not_allowed")
        response.headers["Allow"] = ", ".join(_methods(request))
        return response
    if error.status_code == 413:
        return answer("The body is too large.", "too_large")
    if error.status_code >= 500:
        return _our_fault(request, error)
    return answer("The request makes no sense here.", "invalid_request", status=error.status_code)


def _methods(request: Request[Any, Any, Any]) -> Iterable[str]:
    for route in request.app.routes:
        if route.path == request.url.path.rstrip("/"):
            return sorted(getattr(route, "methods", ()))
    return ()


def _our_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    log.error("an API call failed", path=request.url.path, exc_info=error)
    return answer("Something went wrong on our side; the log has the details.", "internal_error")


HANDLERS: ExceptionHandlersMap = {
    UserError: _asked_wrongly,
    StoreError: _store_refused,
    ValidationException: _invalid,
    HTTPException: _http_problem,
    Exception: _our_fault,
}


# -- the document ---------------------------------------------------------------------------------

#: Whatever is called, and however.
ALWAYS = ("not_authenticated", "not_allowed", "rate_limited", "internal_error", "unavailable")


def documented(*codes: str, body: bool = False) -> dict[int, ResponseSpec]:
    """The answers of an endpoint that go wrong, by status, for the OpenAPI document."""
    also = ("invalid_json", "too_large") if body else ()
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*codes, *also, *ALWAYS)):
        by_status.setdefault(status_of(code), []).append(code)
    return {
        status: ResponseSpec(
            Problem,
            generate_examples=False,
            description="\n".join(f"- `{code}`: {meaning(code)}" for code in some),
            examples=[_example(code) for code in some],
        )
        for status, some in sorted(by_status.items())
    }


def _example(code: str) -> Example:
    return Example(
        id=code, summary=code, value={"Error": meaning(code).replace("`", ""), "code": code}
    )


def meaning(code: str) -> str:
    """In one sentence."""
    if code in CODES:
        return CODES[code][1]
    return f"{code.removeprefix('invalid_')} holds something else than it should."
