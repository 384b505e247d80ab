"""Moving here from another bot: its feeds, its chats, and nothing sent twice (IDN-21)."""
# ruff: noqa: F811 - fixtures are imported, and asked for by name

import csv
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, update

from tests.fetching.conftest import OpenSite
from tests.polling.conftest import authority, newsroom, open_client, open_site, world  # noqa: F401
from tests.polling.newsroom import Newsroom, rss
from tests.servers.scripted import Reply
from wireroom import histories, taking_over
from wireroom.errors import UserError
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.legacy import em_hash
from wireroom.feeds.model import Digest, Item
from wireroom.store.schema import destinations, entries, feeds, routes, subscriptions
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
    pasts = histories.read(path).pasts
    places = {place for past in pasts for place in past.to}
    targets = {place: Target(*place.split(":", 1)) for place in places}
    return await taking_over.take_over(newsroom.tools, newsroom.account, pasts, targets)


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


async def test_intervals_and_names_come_along(newsroom: Newsroom, tmp_path: Path) -> None:
    """Two guilds that follow one feed are served by the faster wish, within the bounds; what
    people have changed here since stays at a second time (SCH-21)."""
    path = discord_bot(tmp_path, ("generic", FEED), ("generic", FEED), ("f5", FEED))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("ALTER TABLE feeds ADD COLUMN interval_seconds INTEGER DEFAULT 14400")
        database.execute("UPDATE feeds SET interval_seconds = 1800, name = NULL WHERE id = 2")
        database.execute("UPDATE feeds SET interval_seconds = 1 WHERE id = 3")
    await move_in(newsroom, path)

    def wished(connection: Connection) -> list[tuple[int | None, str]]:
        columns = subscriptions.c.wanted_interval_seconds, subscriptions.c.custom_title
        rows = connection.execute(select(*columns).order_by(subscriptions.c.id))
        return [(row[0], row[1]) for row in rows]

    shortest = round(newsroom.tools.policy.shortest_wish.total_seconds())
    assert [(1800, "Name"), (shortest, "Name")] == await newsroom.database.read(wished)

    changed = update(subscriptions).values(wanted_interval_seconds=None, custom_title="Mine")
    await newsroom.database.write(lambda connection: connection.execute(changed))
    await move_in(newsroom, path)
    assert [(None, "Mine")] * 2 == await newsroom.database.read(wished)


def with_wishes(folder: Path, *rows: dict[str, str]) -> Path:
    """A table of El Monitorro, as PostgreSQL's client writes it."""
    path = folder / "wishes.csv"
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, names, restval="")
        table.writeheader()
        table.writerows(rows)
    return path


_ROWS = (
    {
        "url": "https://one.example/feed",
        "chat_id": "-1",
        "content_hash": "ab cd",
        "content_fields": "{title}",
        "template": "{{bot_item_name}}",
        "filter_words": '{rust,"open source",!c++,"!a b"}',
        "chat_template": "{{bold bot_item_name}}\n{{bot_item_link}}",
        "chat_filter_words": "NULL",
        "utc_offset_minutes": "120",
        "preview_enabled": "f",
    },
    {
        "url": "https://two.example/feed",
        "chat_id": "-1",
        "thread_id": "7",
        "filter_words": "{mine}",
        "chat_title": "Lab",
        "chat_filter_words": r'{"the \"chat\""}',
        "preview_enabled": "t",
    },
    {
        "url": "https://bad.example/feed",
        "chat_id": "-1",
        "content_fields": "{nothing,known}",
        "template": "{{#each x}}",
        "filter_words": "{}",
        "utc_offset_minutes": "7",
    },
)


def wished(connection: Connection) -> dict[str, dict[str, object]]:
    """All that stands with destinations and routes, by address."""
    places = connection.execute(select(destinations.c.address, destinations.c.settings))
    there = connection.execute(
        select(feeds.c.url, routes.c.settings).join(feeds, feeds.c.id == routes.c.feed_id)
    )
    return {row[0]: row[1] for row in [*places, *there]}


async def test_filters_templates_and_zones_come_along(newsroom: Newsroom, tmp_path: Path) -> None:
    """A chat's stand with the chat, a feed's with its route, and the chat's filter replaces a
    feed's, as it did there. Words are looked for in the message as it is shown; what cannot be
    is told."""
    taken = await move_in(newsroom, with_wishes(tmp_path, *_ROWS))

    assert {
        "-1": {
            "template": "{{bold bot_item_name}}\n{{bot_item_link}}",
            "utc_offset_minutes": 120,
            "preview": False,
        },
        "-1/7": {"filter": '"the \\"chat\\""', "filter_on": "message", "preview": True},
        "https://one.example/feed": {
            "template": "{{bot_item_name}}",
            "filter": '"rust", "open source", !"c++", !"a b"',
            "filter_on": "message",
        },
        "https://two.example/feed": {},
        "https://bad.example/feed": {},
    } == await newsroom.database.read(wished)
    assert [0, 0, 2] == [len(each.left) for each in taken]
    rules = dict(await newsroom.database.read(_rules))
    assert {"title"} == IdentityRule.parse(rules["https://one.example/feed"]).fields
    assert "guid" == IdentityRule.parse(rules["https://bad.example/feed"]).basis


def _rules(connection: Connection) -> list[tuple[str, str]]:
    rows = connection.execute(select(feeds.c.url, feeds.c.identity_rule))
    return [(row[0], row[1]) for row in rows]


async def test_a_chat_that_is_here_keeps_what_it_wants(newsroom: Newsroom, tmp_path: Path) -> None:
    """Its new feeds alone bring what was wished of it elsewhere; a second time changes nothing."""
    path = tmp_path / "monitorro.csv"
    await move_in(newsroom, rss_bot(tmp_path))
    path.write_text(
        'url,chat_id,content_hash,chat_filter_words\nhttps://one.example/feed,-1001,,"{a,b}"\n'
    )
    await move_in(newsroom, path)
    before = await newsroom.database.read(wished)
    await newsroom.database.write(
        lambda connection: connection.execute(update(routes).values(settings={"filter": "mine"}))
    )
    await move_in(newsroom, path)
    after = await newsroom.database.read(wished)

    assert {} == before["-1001"] == after["-1001"]
    assert '"a", "b"' == before["https://one.example/feed"]["filter"]
    assert {"filter": "mine"} == after["https://one.example/feed"]


async def test_a_filter_that_cannot_be_is_a_refusal(newsroom: Newsroom, tmp_path: Path) -> None:
    """Without it, what was kept away would be sent."""
    words = ",".join(f"word{n}" for n in range(5000))
    row = {"url": FEED, "chat_id": "1", "content_hash": "", "filter_words": f"{{{words}}}"}
    (taken,) = await move_in(newsroom, with_wishes(tmp_path, row))

    assert "" != taken.refusal
    assert {} == await newsroom.database.read(wished)


def test_what_rss_bot_takes_out_of_texts_is_read(tmp_path: Path) -> None:
    """A row each, as MySQL's client escapes them: a quote is a quote."""
    path = tmp_path / "replacements.tsv"
    path.write_text('value\tis_regex\n"Read on\t0\nThe post \\\\S+\t1\n')

    assert (('"Read on', False), ("The post \\S+", True)) == histories.read(path).removals


def test_an_old_database_has_no_types(tmp_path: Path) -> None:
    """Missing columns are those that were added later."""
    path = tmp_path / "rss.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(OLD_SCHEMA)
        database.execute("INSERT INTO feeds VALUES (1, 1, ?, NULL, NULL)", (FEED,))

    (past,) = histories.read(path).pasts
    assert (FEED, "generic", {}) == (past.url, past.adapter, past.to)


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

    (past,) = histories.read(path).pasts
    assert (str, str) == (type(past.url), type(past.title))
    assert (value == "NULL") is not any(past.to)


def test_what_a_row_has_too_much_is_passed_over(tmp_path: Path) -> None:
    """Rows behind it come along."""
    path = tmp_path / "rssbot.csv"
    path.write_text(f"url,chat_id,last_entry\n{FEED},1,2,3,4\nhttps://two.example/,1,2\n")

    assert [FEED, "https://two.example/"] == [past.url for past in histories.read(path).pasts]


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
