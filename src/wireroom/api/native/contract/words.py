"""Words, dates and keys as fields hold them."""

from typing import Annotated, Literal

from msgspec import Meta

OrderingMode = Literal[
    "newest_first", "oldest_first", "newest_day_oldest_within", "oldest_day_newest_within"
]
OpenMode = Literal["summary", "article"]
Styling = Literal["reader", "native"]
RemoteContent = Literal["inherit", "show", "hide"]
Filter = Literal["all", "unread", "favorite"]
ListOrder = Literal["newest", "oldest"]

Date = Annotated[
    str,
    Meta(
        description='UTC, always in this form; "" when there is none.',
        examples=["2026-11-30T12:00:00.000Z"],
    ),
]
FullContent = Annotated[
    bool,
    Meta(
        description="Items show the text of the page that they link to, where it can be had; it "
        "is fetched once an item, politely, a moment after the item came."
    ),
]
FolderId = Annotated[str, Meta(description='A folder; "" is the top.', examples=["7"])]
SortKey = Annotated[
    str,
    Meta(
        description="An item's place in every list, and with feed_id its key.",
        examples=["2026-11-30T12:00:00.000Z#00000000000c00000000012f"],
    ),
]
#: What a column of the database holds.
DisplayOrder = Annotated[
    int, Meta(ge=-2_147_483_648, le=2_147_483_647, description="Small ones come first.")
]
