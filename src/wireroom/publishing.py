"""Feeds of our own: what an account follows, or a part, under an address that nobody guesses.

The part is written as one says it: `all`, `folder:3`, `feed:12` (a subscription), `search:WORDS`
or `filter:FILTER`. Whoever has the address may read, and do nothing else.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.feeds import filters, plaintext
from wireroom.feeds.filters import Subject
from wireroom.feeds.model import SafeHtml
from wireroom.feeds.writing import Written
from wireroom.store import accounts, entries, following, notices, query, reading, search
from wireroom.store.accounts import Token
from wireroom.store.engine import Database
from wireroom.store.reading import Body, Entry, Scope

_KIND: Final = "feed"
#: Entries in a feed, and how many a filter is tried on.
MOST_ENTRIES: Final = 50
MOST_LOOKED_AT: Final = 300
MOST_FEEDS: Final = 100
#: Letters of a part, which a search or filter is the longest of.
MOST_PART: Final = 250
#: Above every number that a database row can have.
_TOO_LARGE: Final = 2**63
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Published:
    """A feed of ours as it stands: its entries, newest first."""

    id: int
    title: str
    entries: tuple[Written, ...]

    @property
    def updated(self) -> datetime:
        """When the newest of its entries last changed."""
        return max((each.updated for each in self.entries), default=_EPOCH)


async def publish(
    database: Database, account_id: int, part: str, *, title: str, now: datetime
) -> tuple[int, str]:
    """Open an address for a part of what an account follows; gives its number and its secret.

    The secret is not kept, so it is told only now. Raises UserError for a part that is none.
    """
    part = part.strip()
    secret = secrets.token_urlsafe(32)

    def work(connection: Connection) -> int:
        _check(connection, account_id, part, now)
        if len(accounts.list_tokens(connection, account_id, _KIND)) >= MOST_FEEDS:
            raise UserError(f"There are at most {MOST_FEEDS} feeds of one's own.", code="too_many")
        return accounts.add_token(
            connection,
            account_id,
            _KIND,
            _digest(secret),
            name=(title or _title(connection, account_id, part))[:128],
            scopes=part,
            now=now,
            expires_at=None,
        )

    return await database.write(work), secret


async def list_published(database: Database, account_id: int) -> Sequence[Token]:
    """The open addresses of an account; `scopes` is the part, the secret is not known."""
    return await database.read(accounts.list_tokens, account_id, _KIND)


async def unpublish(database: Database, account_id: int, feed_id: int) -> None:
    """Close an address; whoever has it reads nothing any more. Raises NotFound."""

    def work(connection: Connection) -> bool:
        mine = {token.id for token in accounts.list_tokens(connection, account_id, _KIND)}
        return feed_id in mine and accounts.remove_token(connection, account_id, feed_id)

    if not await database.write(work):
        raise NotFound("There is no such feed of ours.", code="unknown_feed")


async def published(database: Database, secret: str, *, now: datetime) -> Published | None:
    """What is behind a secret; None when nothing is, or its part is gone."""

    def look(connection: Connection) -> Published | None:
        token = accounts.find_token(connection, _KIND, _digest(secret))
        if token is None:
            return None
        try:
            listed = _listed(connection, token.account_id, token.scopes, now)
        except UserError:  # a folder that was deleted, a subscription that ended
            return None
        bodies = reading.bodies(connection, token.account_id, reading.keys_of(listed))
        written = (_written(each, bodies.get((each.feed_id, each.seq))) for each in listed)
        return Published(token.id, token.name, tuple(written))

    return await database.read(look)


async def full_text(database: Database, feed_id: int, seq: int) -> Written | None:
    """One entry in full, whoever follows its feed: for addresses that we signed ourselves."""

    def look(connection: Connection) -> Written | None:
        if not 0 < feed_id < _TOO_LARGE or not 0 < seq < _TOO_LARGE:
            return None
        found = next(iter(entries.after(connection, feed_id, seq - 1, 1)), None)
        if found is None or found.seq != seq:
            return None
        published = found.published or found.first_seen
        return Written(
            id=f"urn:wireroom:entry:{feed_id}:{seq}",
            title=found.title,
            link=found.link,
            author=found.author,
            published=published,
            updated=published,
            html=found.content or found.summary or "",
            source=notices.feed_words(connection, feed_id)["feed"],
        )

    return await database.read(look)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _check(connection: Connection, account_id: int, part: str, now: datetime) -> None:
    if len(part) > MOST_PART:
        raise UserError(f"A part is written in {MOST_PART} letters at most.", code="invalid_part")
    kind, _, what = part.partition(":")
    if kind == "filter":
        filters.parse(what)
    elif kind == "search":
        query.parse(what, now)
    elif not reading.scope_exists(connection, account_id, _scope(part)):
        raise NotFound(f"There is no such {kind}.", code=f"unknown_{kind}")


def _title(connection: Connection, account_id: int, part: str) -> str:
    """What a part is called where nobody says otherwise."""
    kind, _, what = part.partition(":")
    if kind == "folder":
        folders = following.list_folders(connection, account_id)
        return next(each.name for each in folders if each.id == int(what))
    if kind == "feed":
        followed = following.find_followed(connection, account_id, int(what))
        return followed.title if followed else part
    return "Everything" if kind == "all" else what


def _scope(part: str) -> Scope:
    kind, _, number = part.partition(":")
    if kind == "all" and not number:
        return Scope()
    if number.isascii() and number.isdecimal() and len(number) < 19:
        if kind == "folder":
            return Scope(folder_id=int(number))
        if kind == "feed":
            return Scope(subscription_id=int(number))
    raise UserError(
        "A part is all, folder:NUMBER, feed:NUMBER, search:WORDS or filter:FILTER.",
        code="invalid_part",
    )


def _listed(connection: Connection, account_id: int, part: str, now: datetime) -> list[Entry]:
    kind, _, what = part.partition(":")
    if kind == "search":
        hits = search.search(connection, account_id, query.parse(what, now), limit=MOST_ENTRIES)
        return sorted((hit.entry for hit in hits), key=lambda each: each.place, reverse=True)
    scope = Scope() if kind == "filter" else _scope(part)
    if not reading.scope_exists(connection, account_id, scope):
        raise NotFound(f"There is no such {kind}.")
    most = MOST_LOOKED_AT if kind == "filter" else MOST_ENTRIES
    listed = reading.list_entries(
        connection, account_id, scope, show="all", order="newest", after=None, limit=most
    )
    return _passing(connection, account_id, listed, what) if kind == "filter" else listed


def _passing(
    connection: Connection, account_id: int, listed: list[Entry], text: str
) -> list[Entry]:
    wanted = filters.parse(text)
    bodies = reading.bodies(connection, account_id, reading.keys_of(listed))
    passing = []
    for entry in listed:
        body = bodies.get((entry.feed_id, entry.seq))
        looked_at = Subject(
            title=entry.title,
            text=plaintext.text(SafeHtml(body.fullest)) if body else "",
            author=entry.author,
            categories=body.categories if body else (),
            url=entry.link,
            feed=entry.feed_title,
        )
        if filters.matches(wanted, looked_at).passes:
            passing.append(entry)
    return passing[:MOST_ENTRIES]


def _written(entry: Entry, body: Body | None) -> Written:
    published = entry.published_at or entry.first_seen_at
    return Written(
        id=f"urn:wireroom:entry:{entry.feed_id}:{entry.seq}",
        title=entry.title,
        link=entry.link,
        author=entry.author,
        published=published,
        updated=max(published, entry.updated_at or published),
        html=body.fullest if body else "",
        source=entry.feed_title,
        categories=body.categories if body else (),
        enclosures=entry.enclosures,
    )
