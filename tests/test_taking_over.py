"""Moving here from another bot: its feeds, its chats, and nothing sent twice (IDN-21)."""
# ruff: noqa: F811 - fixtures are imported, and asked for by name

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from tests.fetching.conftest import OpenSite
from tests.polling.conftest import authority, newsroom, open_client, open_site, world  # noqa: F401
from tests.polling.newsroom import Newsroom, rss
from tests.servers.scripted import Reply
from wireroom import histories, taking_over
from wireroom.errors import UserError
from wireroom.feeds.legacy import em_hash
from wireroom.feeds.model import Digest, Item
from wireroom.store.schema import destinations, entries, feeds, routes
from wireroom.subscribing import Target
from wireroom.taking_over import TakenOver

FEED = "https://news.example/feed"
#: Of an old version, without types.
OLD_SCHEMA = """
CREATE TABLE feeds (id INTEGER PRIMARY KEY, guild_id INTEGER, url TEXT, name TEXT,
  webhook_url TEXT);
CREATE TABLE seen_entries (feed_id INTEGER, entry_key TEXT);
"""


def discord_bot(folder: Path, *rows: tuple[str, str], seen: tuple[str, ...] = ()) -> Path:
    """Its database with feeds of these types and addresses; the first has seen these entries."""
    path = folder / "rss.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(OLD_SCHEMA)
        database.execute("ALTER TABLE feeds ADD COLUMN feed_type TEXT DEFAULT 'generic'")
        database.executemany(
            "INSERT INTO feeds (guild_id, feed_type, url, name, webhook_url)"
            " VALUES (1, ?, ?, 'Name', 'https://discord.com/api/webhooks/1/token')",
            rows,
        )
        database.executemany("INSERT INTO seen_entries VALUES (1, ?)", [(each,) for each in seen])
    return path


def rss_bot(folder: Path) -> Path:
    """A table as the client of its database writes it."""
    path = folder / "rssbot.tsv"
    path.write_text(
        f"url\tchat_id\tlast_entry\n{FEED}\t-1001\t2\n{FEED}\t42\t2\nftp://old.example/\t42\tNULL\n"
    )
    return path


def monitorro(folder: Path) -> Path:
    """A table with one row an item, by default fields."""
    path = folder / "monitorro.csv"
    hashes = [
        em_hash(Item(Digest(b""), link=f"https://news.example/{n}", title=f"Story {n}"))
        for n in (1, 2)
    ]
    rows = "".join(f"{FEED},-1001,{topic},{mark}\n" for mark in hashes for topic in ("", "7"))
    path.write_text("\ufeffurl,chat_id,thread_id,content_hash\n" + rows)
    return path


async def move_in(newsroom: Newsroom, path: Path) -> list[TakenOver]:
    pasts = histories.read(path)
    places = {place for past in pasts for place in past.to}
    targets = {place: Target(*place.split(":", 1)) for place in places}
    return await taking_over.take_over(
        newsroom.database, newsroom.account, pasts, targets, newsroom.clock()
    )


@pytest.mark.parametrize("system", ["discord", "rss-bot", "monitorro"])
async def test_what_was_sent_is_not_sent_again_and_what_came_since_is(
    newsroom: Newsroom, open_site: OpenSite, tmp_path: Path, system: str
) -> None:
    """The first reading finds two stories announced there and two that came since."""
    if system == "discord":
        path = discord_bot(tmp_path, ("generic", FEED), seen=("1", "2"))
    else:
        path = rss_bot(tmp_path) if system == "rss-bot" else monitorro(tmp_path)
    await move_in(newsroom, path)
    async with open_site({"/feed": Reply(body=rss("4", "3", "2", "1"))}):
        await newsroom.poll()
        await newsroom.poll_after(timedelta(hours=1))

    (row,) = await newsroom.database.read(
        lambda connection: connection.execute(select(feeds.c.id).where(feeds.c.url == FEED)).all()
    )
    waiting = await newsroom.database.read(
        lambda connection: connection.execute(
            select(routes.c.cursor, entries.c.title)
            .join(
                entries,
                (entries.c.feed_id == routes.c.feed_id) & (entries.c.seq > routes.c.cursor),
            )
            .order_by(routes.c.id, entries.c.seq)
        ).all()
    )
    assert ["Story 3", "Story 4"] == await newsroom.titles(row.id, news=True)
    places = 1 if system == "discord" else 2
    assert ["Story 3", "Story 4"] * places == [each.title for each in waiting]


async def test_chats_topics_webhooks_and_types_come_along(
    newsroom: Newsroom, tmp_path: Path
) -> None:
    """Feeds of one address and two types stay apart; what cannot be followed is told."""
    taken = [
        *await move_in(newsroom, discord_bot(tmp_path, ("generic", FEED), ("f5", FEED))),
        *await move_in(newsroom, rss_bot(tmp_path)),
        *await move_in(newsroom, monitorro(tmp_path)),
    ]

    def kept(connection: Connection) -> tuple[list[str], list[str]]:
        adapters = connection.scalars(select(feeds.c.adapter).order_by(feeds.c.adapter))
        places = connection.scalars(select(destinations.c.address))
        return list(adapters), sorted(places)

    adapters, places = await newsroom.database.read(kept)
    assert ["f5", "generic"] == adapters
    assert [
        "-1001", "-1001/7", "42", "https://discord.com/api/webhooks/1/token",
    ] == places  # fmt: skip
    assert ["ftp://old.example/"] == [each.url for each in taken if each.refusal]
    assert [False, False, True, False, True] == [each.existing for each in taken]


async def test_a_feed_that_was_read_here_keeps_what_is_known_of_it(
    newsroom: Newsroom, open_site: OpenSite, tmp_path: Path
) -> None:
    """Its own memory is newer than the other system's."""
    async with open_site({"/feed": Reply(body=rss("4", "3"))}):
        await newsroom.subscribe(FEED)
    (taken,) = await move_in(newsroom, discord_bot(tmp_path, ("generic", FEED), seen=("1",)))

    assert (True, False, 1) == (taken.existing, taken.remembers, taken.routes)


def test_an_old_database_has_no_types(tmp_path: Path) -> None:
    """Missing columns are those that were added later."""
    path = tmp_path / "rss.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(OLD_SCHEMA)
        database.execute("INSERT INTO feeds VALUES (1, 1, ?, NULL, NULL)", (FEED,))

    (past,) = histories.read(path)
    assert (FEED, "generic", []) == (past.url, past.adapter, past.to)


@pytest.mark.parametrize("value", ["NULL", "5", "1.5", "x'ff00'"])
def test_a_database_may_hold_values_of_any_type(tmp_path: Path, value: str) -> None:
    """Types of SQLite's columns are wishes: what is no text is read as one, or as nothing."""
    path = tmp_path / "rss.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(OLD_SCHEMA.replace("TEXT", "").replace("INTEGER,", ","))
        database.execute(
            f"INSERT INTO feeds (id, url, name, webhook_url) VALUES (1, {value}, {value}, {value})"
        )
        database.execute(f"INSERT INTO seen_entries VALUES (1, {value})")

    (past,) = histories.read(path)
    assert (str, str) == (type(past.url), type(past.title))
    assert (value == "NULL") is not any(past.to)


def test_what_a_row_has_too_much_is_passed_over(tmp_path: Path) -> None:
    """Rows behind it come along."""
    path = tmp_path / "rssbot.csv"
    path.write_text(f"url,chat_id,last_entry\n{FEED},1,2,3,4\nhttps://two.example/,1,2\n")

    assert [FEED, "https://two.example/"] == [past.url for past in histories.read(path)]


def test_a_database_without_the_columns_is_another(tmp_path: Path) -> None:
    """One sentence with the file's name."""
    path = tmp_path / "rss.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(OLD_SCHEMA.replace("webhook_url", "hook"))
        database.execute("INSERT INTO feeds VALUES (1, 1, ?, NULL, NULL)", (FEED,))

    with pytest.raises(UserError, match=f"{path} is no database"):
        histories.read(path)


@pytest.mark.parametrize(
    "content", [b"url,title\n", b"SQLite format 3\0 no more", b"", b"\xff\xfe\x00", None]
)
def test_files_that_are_something_else(tmp_path: Path, content: bytes | None) -> None:
    """One sentence with the file's name."""
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(UserError, match=str(path)):
        histories.read(path)
