"""Searching, and searches that have a name."""

from typing import Annotated

from litestar import get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from wireroom import searching
from wireroom.api.native import contract, keys, wire
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.items import shown
from wireroom.api.native.problems import documented

_TAG = ["Search"]


@get(
    "/rss_search",
    operation_id="rss_search",
    tags=_TAG,
    summary="Items by their words, the best first",
    description='Words, `"a phrase"`, `begin*`, `-without`, `title:`, `author:`, `feed:`, '
    "`folder:`, `label:`, `is:unread`, `is:read`, `is:favorite`, `before:2026-11-30`, "
    "`after:7d`; all of it must hold. Or a saved search by its id. At most the first 1000 hits "
    "are served.",
    responses=documented("invalid_query", "invalid_limit", "invalid_cursor", "unknown_search"),
)
async def search(
    request: ApiRequest,
    wanted: Annotated[str, QueryParameter(name="query", description="What to look for.")] = "",
    search_id: Annotated[str, QueryParameter(description="A saved search instead.")] = "",
    limit: Annotated[
        int, QueryParameter(description="1 to 100; what lies outside is taken for the nearest.")
    ] = searching.DEFAULT_LIMIT,
    cursor: FromQuery[str] = "",
) -> contract.SearchPage:
    tools, account_id = request.tools, request.account_id
    if search_id:
        kept = await searching.saved_one(
            tools.database, account_id, keys.of_thing(search_id, "search")
        )
        wanted = kept.query
    found = await searching.find(
        tools.database,
        account_id,
        wanted,
        tools.now(),
        limit=limit,
        offset=keys.hits_place(cursor) if cursor else 0,
    )
    items = await shown(request, [hit.entry for hit in found.hits], found.bodies)
    return contract.SearchPage(
        hits=[wire.hit(hit, item) for hit, item in zip(found.hits, items, strict=True)],
        next_cursor=None if found.next is None else keys.hits_cursor(found.next),
    )


@get(
    "/rss_list_searches",
    operation_id="rss_list_searches",
    tags=_TAG,
    summary="Searches that have a name",
    responses=documented(),
)
async def list_searches(request: ApiRequest) -> contract.Searches:
    kept = await searching.saved(request.tools.database, request.account_id)
    return contract.Searches(searches=[wire.search(each) for each in kept])


@post(
    "/rss_save_search",
    status_code=200,
    operation_id="rss_save_search",
    tags=_TAG,
    summary="Give a search a name",
    description="In place of the one that has the name, if there is one.",
    responses=documented("invalid_name", "invalid_query", "too_many_searches", body=True),
)
async def save_search(
    request: ApiRequest, data: JSONBody[contract.SaveSearch]
) -> contract.OneSearch:
    tools = request.tools
    kept = await searching.save(
        tools.database, request.account_id, data.name, data.query, tools.now()
    )
    return contract.OneSearch(search=wire.search(kept))


@post(
    "/rss_delete_search",
    status_code=200,
    operation_id="rss_delete_search",
    tags=_TAG,
    summary="Forget a search",
    responses=documented("invalid_search_id", "unknown_search", body=True),
)
async def delete_search(
    request: ApiRequest, data: JSONBody[contract.DeleteSearch]
) -> contract.DeletedSearch:
    tools = request.tools
    await searching.forget(
        tools.database, request.account_id, keys.of_thing(data.search_id, "search")
    )
    return contract.DeletedSearch(search_id=data.search_id)


ROUTES = (search, list_searches, save_search, delete_search)
