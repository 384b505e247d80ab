"""Labels: words on items, any number on each."""

from litestar import get, post, put
from litestar.params import JSONBody

from wireroom import labelling
from wireroom.api.native import contract, keys
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.items import key_of
from wireroom.api.native.problems import documented

_TAG = ["Items"]


@get(
    "/rss_list_labels",
    operation_id="rss_list_labels",
    tags=_TAG,
    summary="The account's labels, and how many items have each",
    responses=documented(),
)
async def list_labels(request: ApiRequest) -> contract.Labels:
    every = await labelling.every(request.tools.database, request.account_id)
    return contract.Labels(
        labels=[contract.Label(label_id=str(t.id), name=t.name, items=t.count) for t in every]
    )


@post(
    "/rss_label_items",
    status_code=200,
    operation_id="rss_label_items",
    tags=_TAG,
    summary="Put labels on items, or take them off",
    description="All of it or nothing. Names that are new make labels; items that are gone are "
    "passed over and not counted. Find them again by `label` in a list, by `label:` in a search.",
    responses=documented(
        "missing_items", "too_many_items", "invalid_item", "not_subscribed", "invalid_label",
        "too_many_labels", "invalid_add", "invalid_remove", body=True,
    ),
)  # fmt: skip
async def label_items(
    request: ApiRequest, data: JSONBody[contract.LabelItems]
) -> contract.StatesSet:
    tools = request.tools
    updated = await labelling.change(
        tools.database,
        request.account_id,
        [key_of(each.feed_id, each.sort_key) for each in data.items],
        add=data.add,
        remove=data.remove,
        now=tools.now(),
    )
    return contract.StatesSet(updated=updated)


@put(
    "/rss_rename_label",
    operation_id="rss_rename_label",
    tags=_TAG,
    summary="Give a label another name",
    responses=documented(
        "invalid_label_id", "unknown_label", "invalid_name", "invalid_label", body=True
    ),
)
async def rename_label(
    request: ApiRequest, data: JSONBody[contract.RenameLabel]
) -> contract.OneLabelId:
    tools, label_id = request.tools, keys.of_thing(data.label_id, "label")
    await labelling.rename(
        tools.database, request.account_id, label_id, data.name, now=tools.now()
    )
    return contract.OneLabelId(label_id=data.label_id)


@post(
    "/rss_delete_label",
    status_code=200,
    operation_id="rss_delete_label",
    tags=_TAG,
    summary="Take a label off everything",
    responses=documented("invalid_label_id", "unknown_label", body=True),
)
async def delete_label(
    request: ApiRequest, data: JSONBody[contract.DeleteLabel]
) -> contract.OneLabelId:
    tools, label_id = request.tools, keys.of_thing(data.label_id, "label")
    await labelling.forget(tools.database, request.account_id, label_id, now=tools.now())
    return contract.OneLabelId(label_id=data.label_id)


ROUTES = (list_labels, label_items, rename_label, delete_label)
