"""Subscription lists of an account: OPML is taken in, and given out.

Taking in only adds (OPML-02) and asks no publisher (OPML-04): feeds that are new become due and
are read by the polling loop, one request to a host at a time.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from wireroom.errors import InvalidURL, NotFound, UserError
from wireroom.feeds import opml, plaintext, urls
from wireroom.feeds.opml import OutlineFeed, OutlineFolder, Skipped
from wireroom.following import FOLDERS_PER_ACCOUNT, NAME_CHARS
from wireroom.store import feeds, following, subscriptions
from wireroom.store.engine import Database
from wireroom.store.following import Folder, Followed

#: Feeds that are written in one transaction, so that others get to write in between.
AT_ONCE = 100
#: Under this attribute our own exports carry a title that the account gave, apart from the feed's.
_OWN_TITLE = "{urn:wireroom:opml}customTitle"
#: And so does the place that a folder was given among its brothers.
_ORDER = "{urn:wireroom:opml}displayOrder"
_SOME_ORDER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Refused:
    """A feed of a list that cannot be followed, and why."""

    url: str
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of a list: `created` and `existing` count feeds."""

    created: int
    existing: int
    folders_created: int
    failed: tuple[Refused, ...]
    skipped: tuple[Skipped, ...]

    @property
    def in_words(self) -> str:
        """What came of it in one sentence; the feeds that failed are told one by one beside it."""
        parts = [
            f"{self.created} newly followed",
            f"{self.existing} followed already",
            f"{len(self.failed)} refused",
        ]
        told = [part for part in parts if not part.startswith("0 ")] or ["there were none"]
        sentence = f"Feeds: {', '.join(told)}."
        if self.folders_created:
            sentence += f" New folders: {self.folders_created}."
        return sentence


# -- in -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tally:
    created: int = 0
    existing: int = 0
    folders_created: int = 0
    failed: list[Refused] = field(default_factory=list)


async def take_in(
    database: Database,
    account_id: int,
    document: bytes,
    now: datetime,
    *,
    folder_id: int | None = None,
) -> TakenIn:
    """Follow every feed of an OPML document, its folders below `folder_id`.

    Raises UserError (invalid_opml) and NotFound (unknown_folder). A folder of the same name under
    the same parent is used again (OPML-03), each for one of the list: brothers of one name stay
    apart, here as there (OPML-12).
    """
    outlines = opml.read(document)
    tally = _Tally()
    places = await database.write(_make_folders, account_id, folder_id, outlines.folders, tally)
    for start in range(0, len(outlines.feeds), AT_ONCE):
        some = outlines.feeds[start : start + AT_ONCE]
        await database.write(_follow_all, account_id, some, folder_id, places, tally, now)
    return TakenIn(
        tally.created,
        tally.existing,
        tally.folders_created,
        tuple(tally.failed),
        outlines.skipped,
    )


def _make_folders(
    connection: Connection,
    account_id: int,
    root: int | None,
    wanted: Sequence[OutlineFolder],
    tally: _Tally,
) -> list[int | None]:
    """Where each folder of the list lies in the account."""
    following.hold_folders(connection, account_id)
    present = following.list_folders(connection, account_id)
    if root is not None and all(folder.id != root for folder in present):
        raise NotFound("There is no such folder.", code="unknown_folder")
    unused: dict[tuple[int | None, str], deque[int]] = {}
    for known in present:
        unused.setdefault((known.parent_id, known.name), deque()).append(known.id)
    places: list[int | None] = []
    for folder in wanted:
        parent = root if folder.parent is None else places[folder.parent]
        name = plaintext.line(folder.name)[:NAME_CHARS].strip()
        if not name:
            places.append(parent)
        elif same := unused.get((parent, name)):
            places.append(same.popleft())
        elif len(present) + tally.folders_created >= FOLDERS_PER_ACCOUNT:
            raise UserError(f"{FOLDERS_PER_ACCOUNT} folders are enough.", code="too_many_folders")
        else:
            order = _order(folder)
            places.append(following.add_folder(connection, account_id, name, parent, order).id)
            tally.folders_created += 1
    return places


def _order(folder: OutlineFolder) -> int:
    told = folder.extra.get(_ORDER, "")
    return int(told) if _SOME_ORDER.fullmatch(told) else 0


def _follow_all(
    connection: Connection,
    account_id: int,
    some: Sequence[OutlineFeed],
    root: int | None,
    places: Sequence[int | None],
    tally: _Tally,
    now: datetime,
) -> None:
    present = {None, *following.hold_folders(connection, account_id)}
    for outline in some:
        try:
            url = urls.checked(outline.url)
        except InvalidURL as error:
            tally.failed.append(Refused(outline.url, error.code, str(error)))
            continue
        folder_id = root if outline.folder is None else places[outline.folder]
        if folder_id not in present:  # it was dissolved since
            folder_id = None
        made = _follow(connection, account_id, outline, url, folder_id, now)
        tally.existing += made.existing
        tally.created += not made.existing


def _follow(
    connection: Connection,
    account_id: int,
    outline: OutlineFeed,
    url: str,
    folder_id: int | None,
    now: datetime,
) -> subscriptions.Made:
    key = urls.canonical(url)
    feed_id = feeds.find(connection, key, adapter="generic", owner_account_id=account_id)
    if feed_id is None:
        feed_id = feeds.find(connection, key, adapter="generic")
    if feed_id is None:
        title = plaintext.text(outline.title)[:512]
        feed_id = feeds.make(
            connection, url=url, canonical_key=key, lane=urls.lane(url), now=now, title=title
        )
    else:
        feeds.revive(connection, feed_id, now=now)
    made = subscriptions.add(
        connection, account_id=account_id, feed_id=feed_id, folder_id=folder_id, now=now
    )
    own = plaintext.line(outline.extra.get(_OWN_TITLE, ""))[:NAME_CHARS].strip()
    if own and not made.existing:
        following.change_subscription(
            connection, account_id, made.subscription_id, {"custom_title": own}
        )
    return made


# -- out ------------------------------------------------------------------------------------------


async def give_out(database: Database, account_id: int, now: datetime) -> bytes:
    """All subscriptions as OPML 2.0, in their folders, those at the top too (OPML-11).

    Folders come by display order and name, subscriptions by title (OPML-10).
    """

    def read(connection: Connection) -> tuple[list[Folder], list[Followed]]:
        return (
            following.list_folders(connection, account_id),
            following.list_followed(connection, account_id),
        )

    folders, followed = await database.read(read)
    shelf = _parents_first(folders)
    index: dict[int | None, int] = {folder.id: number for number, folder in enumerate(shelf)}
    return opml.write(
        [_outline(each, index) for each in followed],  # by title already
        title="Wireroom subscriptions",
        created=now,
        folders=[_outline_folder(each, index) for each in shelf],
    )


def file_name(now: datetime) -> str:
    """What a list that is given out is called, wherever that happens (OPML-10)."""
    return f"wireroom-feeds-{now:%Y%m%d}.opml"


def _parents_first(folders: Sequence[Folder]) -> list[Folder]:
    """All folders, each behind the one around it, and brothers in their order."""
    inside: dict[int | None, list[Folder]] = {}
    for folder in folders:
        inside.setdefault(folder.parent_id, []).append(folder)
    shelf = list(inside.get(None, ()))
    for folder in shelf:  # it grows as we go
        shelf += inside.get(folder.id, ())
    return shelf


def _outline_folder(folder: Folder, index: Mapping[int | None, int]) -> OutlineFolder:
    own = {_ORDER: str(folder.display_order)} if folder.display_order else {}
    return OutlineFolder(folder.name, index.get(folder.parent_id), own)


def _outline(followed: Followed, index: Mapping[int | None, int]) -> OutlineFeed:
    own = {_OWN_TITLE: followed.custom_title} if followed.custom_title else {}
    return OutlineFeed(
        followed.url,
        followed.title,
        followed.site_url,
        index.get(followed.folder_id),
        own,
    )
