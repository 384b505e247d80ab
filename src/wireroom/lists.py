"""Subscription lists of an account: OPML is taken in, and given out.

Taking in only adds (OPML-02) and asks no publisher (OPML-04): feeds that are new become due and
are read by the polling loop, one request to a host at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from wireroom.errors import InvalidURL, NotFound, UserError
from wireroom.feeds import opml, plaintext, urls
from wireroom.feeds.opml import OutlineFeed, Path, Skipped
from wireroom.following import FOLDERS_PER_ACCOUNT, NAME_CHARS
from wireroom.store import feeds, following, subscriptions
from wireroom.store.engine import Database
from wireroom.store.following import Folder, Followed

#: Feeds that are written in one transaction, so that others get to write in between.
AT_ONCE = 100
#: Under this attribute our own exports carry a title that the account gave, apart from the feed's.
_OWN_TITLE = "{urn:wireroom:opml}customTitle"


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
    the same parent is used again (OPML-03).
    """
    outlines = opml.read(document)
    tally = _Tally()
    places = await database.write(_make_folders, account_id, folder_id, outlines.folders, tally)
    for start in range(0, len(outlines.feeds), AT_ONCE):
        some = outlines.feeds[start : start + AT_ONCE]
        await database.write(_follow_all, account_id, some, places, tally, now)
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
    paths: Sequence[Path],
    tally: _Tally,
) -> dict[Path, int | None]:
    """Where each path of the list lies in the account."""
    following.hold_folders(connection, account_id)
    present = following.list_folders(connection, account_id)
    if root is not None and all(folder.id != root for folder in present):
        raise NotFound("There is no such folder.", code="unknown_folder")
    known = {(folder.parent_id, folder.name): folder.id for folder in reversed(present)}
    places: dict[Path, int | None] = {(): root}
    for path in paths:
        parent, name = places[path[:-1]], plaintext.line(path[-1])[:NAME_CHARS].strip()
        if not name:
            places[path] = parent
            continue
        if (parent, name) not in known:
            if len(known) >= FOLDERS_PER_ACCOUNT:
                raise UserError(
                    f"{FOLDERS_PER_ACCOUNT} folders are enough.", code="too_many_folders"
                )
            made = following.add_folder(connection, account_id, name, parent, 0)
            known[parent, name] = made.id
            tally.folders_created += 1
        places[path] = known[parent, name]
    return places


def _follow_all(
    connection: Connection,
    account_id: int,
    some: Sequence[OutlineFeed],
    places: Mapping[Path, int | None],
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
        folder_id = places[outline.folder]
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
    paths = _paths(folders)
    rank = {path: number for number, path in enumerate(paths.values())}
    outlines = [_outline(each, paths) for each in followed]  # by title already
    outlines.sort(key=lambda outline: rank[outline.folder])
    return opml.write(outlines, title="Wireroom subscriptions", created=now, folders=rank)


def file_name(now: datetime) -> str:
    """What a list that is given out is called, wherever that happens (OPML-10)."""
    return f"wireroom-feeds-{now:%Y%m%d}.opml"


def _paths(folders: Sequence[Folder]) -> dict[int | None, Path]:
    """Every folder's path, parents first and brothers in their order; None is the top."""
    inside: dict[int | None, list[Folder]] = {}
    for folder in folders:
        inside.setdefault(folder.parent_id, []).append(folder)
    paths: dict[int | None, Path] = {None: ()}
    waiting: list[int | None] = [None]
    for parent in waiting:  # it grows as we go
        for folder in inside.get(parent, ()):
            paths[folder.id] = (*paths[parent], folder.name)
            waiting.append(folder.id)
    return paths


def _outline(followed: Followed, paths: Mapping[int | None, Path]) -> OutlineFeed:
    own = {_OWN_TITLE: followed.custom_title} if followed.custom_title else {}
    return OutlineFeed(
        followed.url,
        followed.title,
        followed.site_url,
        paths.get(followed.folder_id, ()),
        own,
    )
