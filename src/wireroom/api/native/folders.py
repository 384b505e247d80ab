"""Folders: made, changed, moved and dissolved."""

from litestar import post, put
from litestar.params import JSONBody

from wireroom import following
from wireroom.api.native import contract, wire
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.api.native.subscriptions import folder_id_of, given
from wireroom.errors import NotFound, UserError
from wireroom.following import TOP, FolderChange

_TAG = ["Folders"]
_SETTINGS = ("default_filter", "ordering_mode")


def _folder_id(text: str) -> int:
    found = folder_id_of(text)
    if found is None:
        raise NotFound("The top is no folder.", code="unknown_folder")
    return found


@post(
    "/rss_new_folder",
    status_code=200,
    operation_id="rss_new_folder",
    tags=_TAG,
    summary="Make a folder",
    responses=documented(
        "invalid_name", "invalid_display_order", "invalid_parent_folder_id", "unknown_folder",
        "too_many_folders", body=True,
    ),
)  # fmt: skip
async def new_folder(
    request: ApiRequest, data: JSONBody[contract.NewFolder]
) -> contract.OneFolder:
    made = await following.add_folder(
        request.tools.database,
        request.account_id,
        data.name,
        parent_id=folder_id_of(data.parent_folder_id),
        display_order=data.display_order or 0,
    )
    return contract.OneFolder(folder=wire.folder(made))


@put(
    "/rss_update_folder",
    operation_id="rss_update_folder",
    tags=_TAG,
    summary="Rename, move or set up a folder",
    responses=documented(
        "unknown_folder", "invalid_folder_id", "cyclic_folder", "invalid_name",
        "invalid_parent_folder_id", "invalid_display_order", "invalid_default_filter",
        "invalid_ordering_mode", "nothing_to_update", body=True,
    ),
)  # fmt: skip
async def update_folder(
    request: ApiRequest, data: JSONBody[contract.UpdateFolder]
) -> contract.OneFolder:
    folder_id = _folder_id(data.folder_id)
    settings = given(data, *_SETTINGS)
    told = given(data, "name", "parent_folder_id", "display_order")
    if not settings and not told:
        raise UserError("Nothing to update was given.", code="nothing_to_update")
    parent = told.get("parent_folder_id")
    change = FolderChange(
        parent_id=None if parent is None else folder_id_of(parent) or TOP,
        name=told.get("name"),
        display_order=told.get("display_order"),
        settings=settings,
    )
    changed = await following.change_folder(
        request.tools.database, request.account_id, folder_id, change
    )
    return contract.OneFolder(folder=wire.folder(changed))


@post(
    "/rss_delete_folder",
    status_code=200,
    operation_id="rss_delete_folder",
    tags=_TAG,
    summary="Dissolve a folder",
    description="Nothing in it is deleted: subscriptions and folders go to its parent.",
    responses=documented("invalid_folder_id", "unknown_folder", body=True),
)
async def delete_folder(
    request: ApiRequest, data: JSONBody[contract.DeleteFolder]
) -> contract.DeletedFolder:
    moved_subscriptions, moved_folders, parent_id = await following.remove_folder(
        request.tools.database, request.account_id, _folder_id(data.folder_id)
    )
    return contract.DeletedFolder(
        folder_id=data.folder_id,
        moved_subscriptions=moved_subscriptions,
        moved_folders=moved_folders,
        parent_folder_id=wire.folder_id(parent_id),
    )


ROUTES = (new_folder, update_folder, delete_folder)
