"""Rules, devices, lists and preferences of an account: requests and answers."""

from typing import Annotated

from msgspec import Meta, Struct

from wireroom.api.native.contract.words import FolderId

RuleLines = Annotated[
    list[str],
    Meta(
        description="A filter, an arrow and an action each; see docs/filters.md. At most 50.",
        examples=[["title:sponsored -> drop", '"security update" -> tag urgent']],
    ),
]


class SetRules(Struct, frozen=True, kw_only=True):
    """These rules and no others; without `subscription_id`, those of the account."""

    rules: RuleLines
    subscription_id: str | None = None


class Rules(Struct, frozen=True, kw_only=True):
    """The rules as they are kept, for a subscription or, with "", for the account."""

    subscription_id: str
    rules: RuleLines


# -- push -----------------------------------------------------------------------------------------


class PushKey(Struct, frozen=True, kw_only=True):
    """What a device subscribes with at its push service (`applicationServerKey`, RFC 8292)."""

    key: str


class PushDevice(Struct, frozen=True, kw_only=True):
    """A device, by the address that its push service gave it (RFC 8030)."""

    endpoint: Annotated[
        str,
        Meta(
            description="https, at most 1024 characters.",
            examples=["https://push.example.net/d/4f9c"],
        ),
    ]


class PushRegistered(Struct, frozen=True, kw_only=True):
    """Whether the device is woken from now on."""

    registered: bool


# -- lists and preferences ------------------------------------------------------------------------


class ImportList(Struct, frozen=True, kw_only=True):
    """An OPML document of at most 2 MB and 1000 feeds; it only ever adds."""

    opml: str
    folder_id: FolderId | None = None


class RefusedFeed(Struct, frozen=True, kw_only=True, rename={"error": "Error"}):
    """A feed of the list that cannot be followed."""

    url: str
    code: str
    error: str


class SkippedOutline(Struct, frozen=True, kw_only=True):
    """An outline that is no feed; `line` counts from 1."""

    line: int
    name: str
    reason: str


class ImportedList(Struct, frozen=True, kw_only=True):
    """What came of the list."""

    created: int
    existing: int
    folders_created: int
    failed: list[RefusedFeed]
    skipped: list[SkippedOutline]


class ExportedList(Struct, frozen=True, kw_only=True):
    """OPML 2.0. Addresses of feeds may hold secrets of their own: keep the file to yourself."""

    opml: str
    filename: str


AppPreferences = Annotated[
    dict[str, str],
    Meta(
        description="Words by name. `filter:feeds:all` (all, unread, favorite), "
        "`order:feeds:all` (the ordering modes), `rss_mark_as_read` (manual, on_open) and "
        "`rss_picture_proxy` (off, on: pictures in items are loaded through this Wireroom) are "
        "checked; others are kept as they are.",
        examples=[{"filter:feeds:all": "unread"}],
    ),
]


class Preferences(Struct, frozen=True, kw_only=True):
    """Preferences that apps share. Setting merges name by name and takes nothing away."""

    app: AppPreferences
