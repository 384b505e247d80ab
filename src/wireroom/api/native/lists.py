"""Subscription lists in and out, and the preferences that apps share."""

from litestar import get, post, put
from litestar.params import JSONBody

from wireroom import accounts, lists
from wireroom.api.native import contract
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.api.native.subscriptions import folder_id_of
from wireroom.errors import UserError

#: Where the apps' preferences are kept with the account.
PART = "app"
#: "on": pictures in items come through us.
PICTURES = "rss_picture_proxy"
_WORDS = {
    "filter:feeds:all": ("all", "unread", "favorite"),
    "order:feeds:all": (
        "newest_first",
        "oldest_first",
        "newest_day_oldest_within",
        "oldest_day_newest_within",
    ),
    "rss_mark_as_read": ("manual", "on_open"),
    PICTURES: ("off", "on"),
}
MOST_PREFERENCES = 500
NAME_CHARS = 600
VALUE_CHARS = 4000


@post(
    "/rss_opml_import",
    status_code=200,
    operation_id="rss_opml_import",
    tags=["Lists"],
    summary="Follow every feed of an OPML list",
    description="Nothing is removed and no publisher is asked while you wait: feeds are read in "
    "their turn. Folders of the same name are used again; those deeper than 8 are flattened.",
    responses=documented(
        "invalid_opml", "invalid_folder_id", "unknown_folder", "too_many_folders", body=True
    ),
)
async def opml_import(
    request: ApiRequest, data: JSONBody[contract.ImportList]
) -> contract.ImportedList:
    tools = request.tools
    # The mark says that this is UTF-8, whatever the document declares: it came as text.
    document = data.opml.lstrip("\ufeff").encode("utf-8-sig", "replace")
    taken = await lists.take_in(
        tools.database,
        request.account_id,
        document,
        tools.now(),
        folder_id=folder_id_of(data.folder_id),
    )
    tools.bell.ring()
    return contract.ImportedList(
        created=taken.created,
        existing=taken.existing,
        folders_created=taken.folders_created,
        failed=[
            contract.RefusedFeed(url=each.url, code=each.code, error=each.sentence)
            for each in taken.failed
        ],
        skipped=[
            contract.SkippedOutline(line=each.line, name=each.name, reason=each.reason)
            for each in taken.skipped
        ],
    )


@get(
    "/rss_opml_export",
    operation_id="rss_opml_export",
    tags=["Lists"],
    summary="Everything that the account follows, as OPML",
    responses=documented(),
)
async def opml_export(request: ApiRequest) -> contract.ExportedList:
    now = request.tools.now()
    document = await lists.give_out(request.tools.database, request.account_id, now)
    return contract.ExportedList(opml=document.decode("utf-8"), filename=lists.file_name(now))


@get(
    "/get_preferences",
    operation_id="get_preferences",
    tags=["Preferences"],
    summary="The preferences that apps share",
    responses=documented(),
)
async def get_preferences(request: ApiRequest) -> contract.Preferences:
    stored = await accounts.preferences(request.tools.database, request.account_id, PART)
    return contract.Preferences(app={name: str(value) for name, value in stored.items()})


@put(
    "/set_preferences",
    operation_id="set_preferences",
    tags=["Preferences"],
    summary="Set some of the preferences that apps share",
    description="Gives all of them, as they are now.",
    responses=documented("invalid_app", body=True),
)
async def set_preferences(
    request: ApiRequest, data: JSONBody[contract.Preferences]
) -> contract.Preferences:
    for name, value in data.app.items():
        _check(name, value)
    merged = await accounts.merge_preferences(
        request.tools.database, request.account_id, PART, data.app, most=MOST_PREFERENCES
    )
    return contract.Preferences(app={name: str(value) for name, value in merged.items()})


def _check(name: str, value: str) -> None:
    words = _WORDS.get(name)
    if words is not None and value not in words:
        raise UserError(f"{name} is one of {', '.join(words)}.", code="invalid_app")
    if not 0 < len(name) <= NAME_CHARS or len(value) > VALUE_CHARS or "\0" in name + value:
        raise UserError("A preference is too long.", code="invalid_app")


ROUTES = (opml_import, opml_export, get_preferences, set_preferences)
