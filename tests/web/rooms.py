"""A web application with hand-written stand-ins around it, and a room furnished with entries."""

import asyncio
import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from litestar import Litestar, Router
from sqlalchemy import Connection

from tests.rows import NOON, add_account, add_entry, add_feed, add_fetch, add_folder, at, follow
from tests.servers.applications import share_routes
from wireroom import targets
from wireroom.accounts.sign_on import SignOn
from wireroom.delivery import wishlist
from wireroom.errors import FeedUnavailable, NotAllowed, UserError
from wireroom.feeds.discovery import Candidate
from wireroom.fetching import access
from wireroom.fetching.access import Access
from wireroom.pictures.addresses import Addresses
from wireroom.routing import Posting
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.places import Place
from wireroom.store.vault import Vault
from wireroom.subscribing import Choice
from wireroom.web import app
from wireroom.web.room import Settings

share_routes(app)


@dataclass(frozen=True, slots=True)
class Made:
    subscription_id: int
    feed_id: int
    title: str
    existing: bool


@dataclass
class Outside:
    """What the pages ask of the rest of the program: remembered, and answered as a test wishes."""

    database: Database
    asked: list[tuple[object, ...]] = field(default_factory=list)
    clock: datetime = NOON
    bell: Bell = field(default_factory=Bell)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    vault: Vault = field(default_factory=lambda: Vault(bytes(32)))
    sign_on: SignOn | None = None

    def now(self) -> datetime:
        return self.clock

    async def subscribe(self, account_id: int, url: str, folder_id: int | None) -> Made | Choice:
        self.asked.append(("subscribe", account_id, url, folder_id))
        if "nothing" in url:
            raise FeedUnavailable(
                "At nothing.example there is a page, but it names no feed. "
                "Look there for a link that says RSS or Atom, and paste its address."
            )

        if "several" in url:
            titles = {"/world": "World <News>", "/sport": "Sport"}
            return Choice(
                tuple(Candidate(f"https://paper.example{path}", titles[path]) for path in titles)
            )
        if "known" in url:
            return Made(1, 1, "Harbour Courier", existing=True)

        def write(connection: Connection) -> Made:
            feed_id = add_feed(connection, "Freshly Followed", url=url)
            subscription = follow(connection, account_id, feed_id, folder_id=folder_id)
            return Made(subscription, feed_id, "Freshly Followed", existing=False)

        return await self.database.write(write)

    async def unsubscribe(self, account_id: int, subscription_id: int) -> None:
        self.asked.append(("unsubscribe", account_id, subscription_id))

    async def refresh(self, account_id: int, feed_id: int | None) -> None:
        self.asked.append(("refresh", account_id, feed_id))

    async def unlock(self, account_id: int, subscription_id: int, wanted: Access) -> int:
        self.asked.append(("unlock", account_id, subscription_id, wanted))
        access.checked(wanted)
        return subscription_id

    async def send_to(
        self, account_id: int, subscription_id: int, place: str, newest: int, is_operator: bool
    ) -> str:
        self.asked.append(("send", account_id, subscription_id, place, newest, is_operator))
        if not is_operator and not place.startswith(targets.FOR_EVERYBODY):
            raise NotAllowed("Only who runs this Wireroom can name such a place.")
        return "Posts to it are signed with this key: 12" if "webhook" in place else ""

    async def set_template(self, account_id: int, place: Place, source: str) -> None:
        self.asked.append(("template", account_id, place, source))
        wishlist.check("template", source)
        if "refused" in source:
            raise UserError("The chat did not take the sample: no.", code="sample_refused")

    async def show_posting(
        self, account_id: int, place: Place, changed: Mapping[str, Any]
    ) -> Posting | None:
        self.asked.append(("posting", account_id, place, dict(changed)))
        for name, value in changed.items():
            wishlist.check(name, value)
        if "nowhere" in changed.values():
            return None
        return Posting("Pier", ("Ships & <sails>",), is_silent=True, comes_at=NOON)

    def app(
        self,
        settings: Settings | None = None,
        pictures: Addresses | None = None,
        beside: Sequence[Router] = (),
    ) -> Litestar:
        return app.build(
            database=self.database,
            subscribe=self.subscribe,
            unsubscribe=self.unsubscribe,
            refresh=self.refresh,
            bell=self.bell,
            now=self.now,
            vault=self.vault,
            sign_on=self.sign_on,
            closing=self.closing,
            settings=settings or Settings(allowed_hosts=("testserver.local",)),
            pictures=pictures,
            unlock=self.unlock,
            send_to=self.send_to,
            set_template=self.set_template,
            show_posting=self.show_posting,
            beside=beside,
        )


_HARBOUR = """
<p>The ferry that has crossed the strait every morning since 1931 made its last trip on Sunday,
with flags up and the café open until the end. Four hundred people came to see it off; about half
of them had to watch from the pier.</p>
<p>“She was never on time,” said <a href="https://example.org/people">Ilse Brandt</a>, who took it
to school for eleven years, “but she always came.”</p>
<figure><img src="PICTURE" alt="Evening over the bay" width="1200" height="675">
<figcaption>The <em>Marianne</em> at the east pier, a little before eight.</figcaption></figure>
<h2>What comes next</h2>
<p>An electric boat takes over in spring. It is smaller and quieter, and it will not need to warm
up. Until then a bus goes round the bay, which takes fifty minutes.</p>
<blockquote><p>We asked for a bridge in 1968. I would not ask again.</p></blockquote>
<ul><li>Last departure of the bus: 22:40</li><li>Bicycles travel free until April</li>
<li>Season tickets stay valid</li></ul>
"""

_COMPILER = """
<p>Version 9.2 is a small release with one large change: incremental builds no longer need the
daemon. The cache moved into the project folder and is safe to share between machines.</p>
<pre><code class="language-sh">tern build --watch
# 412 modules, 3 changed, 0.18 s</code></pre>
<p>The old <code>--daemon</code> flag is accepted and ignored until version 10.</p>
<table><thead><tr><th>Project</th><th>9.1</th><th>9.2</th></tr></thead><tbody>
<tr><td>small</td><td>0.9 s</td><td>0.2 s</td></tr>
<tr><td>large</td><td>41 s</td><td>6.5 s</td></tr>
</tbody></table>
"""


def evening() -> str:
    """A small picture of a sky over water, as a data address."""
    width, height, rows = 48, 27, b""
    for y in range(height):
        sky = y < 16
        share = y / 16 if sky else (y - 16) / 11
        top, bottom = ((58, 78, 112), (236, 170, 128)) if sky else ((150, 122, 118), (40, 52, 72))
        colour = bytes(int(a + (b - a) * share) for a, b in zip(top, bottom, strict=True))
        rows += b"\0" + colour * width

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
    return "data:image/png;base64," + base64.b64encode(png + chunk(b"IEND", b"")).decode()


def furnish(connection: Connection, account_id: int, now: datetime = NOON) -> dict[str, int]:
    """Folders, feeds in all states of health, and entries as publishers write them."""
    shift = now - NOON
    news = add_folder(connection, account_id, "News")
    near = add_folder(connection, account_id, "Close to home", parent_id=news)
    craft = add_folder(connection, account_id, "Craft")
    ids: dict[str, int] = {}

    def made(title: str, folder: int | None, **values: object) -> int:
        feed_id = add_feed(connection, title, **values)
        ids[title] = follow(connection, account_id, feed_id, folder_id=folder)
        return feed_id

    harbour = made(
        "Harbour Courier",
        near,
        description="Ships, weather and council meetings from the east side of the bay.",
        next_poll_at=at(14) + shift,
        next_poll_reason="publishes about twice a day, mostly before nine",
        last_attempt_at=at(-21) + shift,
        last_success_at=at(-21) + shift,
        last_status=304,
    )
    world = made("The Long Desk", news)
    tern = made("Tern compiler: releases", craft)
    letters = made("Letters from a type foundry", craft)
    birds = made(
        "Birds of the Estuary",
        None,
        failure_count=4,
        failing_since=at(-2000) + shift,
        last_error="The server closed the connection before it answered.",
        last_attempt_at=at(-120) + shift,
        next_poll_at=at(240) + shift,
        next_poll_reason="after 4 failures in a row: wait doubled",
    )
    made(
        "Closed Shop Weblog",
        None,
        failure_count=22,
        last_status=410,
        disabled_at=at(-5000) + shift,
        disabled_reason="gone (410)",
        last_error="The publisher says that the feed is gone for good (410).",
    )
    podcast = made("Night Ferry Radio", None)

    def entry(feed_id: int, minutes: float, title: str, content: str, **values: object) -> None:
        add_entry(connection, feed_id, at(minutes) + shift, title, content=content, **values)

    def said(text: str) -> str:
        return f"<p>{text}</p>"

    entry(
        harbour,
        -12,
        "The last ferry of the strait had the café open until the end",
        _HARBOUR.replace("PICTURE", evening()),
        author="Tove Lind",
        categories=["harbour", "transport"],
    )
    entry(tern, -55, "Tern 9.2: builds without the daemon", _COMPILER, author="The Tern team")
    entry(
        world,
        -80,
        "Nine countries agree on a common gauge for night trains",
        said(
            "After four years of talks the transport ministers signed in Trieste; the first "
            "carriages that fit everywhere are to run in 2031. "
        ),
    )
    entry(
        letters,
        -130,
        "On the ampersand, and why ours has a tail",
        said(
            "Every cutting of the italic begins with the ampersand, because it is the one place "
            "where nobody will complain. This one took eleven drawings."
        ),
        author="M. Okafor",
    )
    entry(
        podcast,
        -200,
        "Episode 88: The man who repairs foghorns",
        said("A visit to a workshop that smells of brass and bread, and a walk at five."),
        enclosures=[
            {
                "url": "https://media.example/88.mp3",
                "type": "audio/mpeg",
                "seconds": 3140,
                "bytes": 50_400_000,
                "title": "Episode 88",
            }
        ],
    )
    entry(
        birds,
        -300,
        "First whimbrels of the season <i>& a question</i>",
        said(
            "Seven birds on the mud below the old gasworks on Saturday, three of them ringed. "
            "If you read the rings, please write."
        ),
    )
    entry(
        harbour,
        -420,
        "Council votes 6 to 5 for the smaller car park",
        said("The vote came after midnight. The larger plan would have needed the allotments."),
    )
    entry(
        world,
        -600,
        "What the price of salt says about the winter",
        said("Road salt is cheap for the second year, and the people who buy it are nervous."),
    )
    for number in range(60):
        feed_id = (harbour, world, letters, birds)[number % 4]
        entry(
            feed_id,
            -900 - 97 * number,
            (
                "Tide table for the week",
                "In short: the morning in seven lines",
                "A specimen sheet, found in a drawer",
                "Count of the week",
            )[number % 4]
            + f", no. {160 - number}",
            said("A regular column, as every week, with the usual small surprise at the end."),
        )
    for minutes, values in [
        (-21, {"duration_ms": 212}),
        (
            -381,
            {
                "outcome": "fetched",
                "status": 200,
                "new_count": 1,
                "body_bytes": 48_213,
                "duration_ms": 640,
            },
        ),
        (-741, {"duration_ms": 198}),
        (
            -1101,
            {
                "outcome": "throttled",
                "status": 429,
                "duration_ms": 155,
                "detail": "The host asked for silence until 17:20 (Retry-After).",
            },
        ),
    ]:
        add_fetch(connection, harbour, at(minutes) + shift, **values)
    return ids


def owner(connection: Connection) -> int:
    return add_account(connection, "ada")
