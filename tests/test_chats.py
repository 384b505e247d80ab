"""What goes to a chat, and what happens to a chat as a whole; on both databases."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from tests.doors.households import send
from tests.rows import NOON, add_account, add_entry, add_feed, at
from wireroom import chats
from wireroom.store import chat_routes, posts
from wireroom.store import chats as rows
from wireroom.store.engine import Database
from wireroom.store.schema import deliveries, destinations, feeds

CHANNEL = "telegram"


async def listed(database: Database, account: int, chat: str) -> list[tuple[str, str]]:
    found = await database.read(chat_routes.list_routes, account, CHANNEL, chat)
    return [(each.title, each.address) for each in found]


@pytest.fixture
async def account(database: Database) -> int:
    """A member whose feeds go to a chat, a topic of it, and a chat with a longer number."""

    def fill(connection: Connection) -> int:
        made = add_account(connection, "chat", "member")
        for title, address in (("B", "-42"), ("a", "-42/7"), ("C", "-421")):
            send(connection, made, add_feed(connection, title), address)
        return made

    return await database.write(fill)


async def test_a_chat_with_its_topics(database: Database, account: int) -> None:
    """All that comes to a chat and nothing of others, by title whatever its case."""
    assert [("a", "-42/7"), ("B", "-42")] == await listed(database, account, "-42")
    assert [] == await listed(database, account + 1, "-42")
    assert 2 == await database.read(chat_routes.count, account, CHANNEL, "-42")


async def test_the_end_of_a_route(database: Database, account: int) -> None:
    """The subscription goes with its last way out, and the feed with its last follower."""
    (first, _) = await database.read(chat_routes.list_routes, account, CHANNEL, "-42")

    assert await chats.end_route(database, account, first, now=NOON)
    assert [("B", "-42")] == await listed(database, account, "-42")
    assert ["B", "C"] == sorted(await titles(database))


async def test_a_reader_keeps_the_feed(database: Database) -> None:
    """Who reads elsewhere too loses the way into the chat alone."""

    def fill(connection: Connection) -> int:
        made = add_account(connection, "ada", "operator")
        send(connection, made, add_feed(connection, "A"), "-42")
        return made

    operator = await database.write(fill)
    (route,) = await database.read(chat_routes.list_routes, operator, CHANNEL, "-42")

    assert not await chats.end_route(database, operator, route, now=NOON)
    assert ["A"] == await titles(database)


async def titles(database: Database) -> list[str]:
    return await database.read(lambda each: list(each.scalars(select(feeds.c.title))))


async def test_a_chat_moves(database: Database, account: int) -> None:
    """With its topics, and as often as one likes; others stay where they are."""
    await note(database, -42)
    for _ in range(2):
        await chats.move(database, CHANNEL, -42, -1001, now=NOON)

    assert [("a", "-1001/7"), ("B", "-1001")] == await listed(database, account, "-1001")
    assert [("C", "-421")] == await listed(database, account, "-421")
    moved = await database.read(rows.find_chat, -1001)
    assert moved is not None
    assert "supergroup" == moved.kind


async def test_a_chat_is_lost_and_found(database: Database, account: int) -> None:
    """Nothing is sent to it meanwhile, its topics included; then what waited goes out."""
    await note(database, -42)
    await chats.leave(database, CHANNEL, -42, reason="out", now=NOON)
    assert [("-42", "out"), ("-42/7", "out"), ("-421", "")] == await reasons(database)
    assert {} == (await chats.numbers(database)).chats

    assert 2 == await chats.return_to(database, CHANNEL, -42, now=NOON)
    assert {""} == {reason for _, reason in await reasons(database)}
    assert {"group": 1} == (await chats.numbers(database)).chats


async def reasons(database: Database) -> list[tuple[str, str]]:
    query = select(destinations.c.address, destinations.c.suspended_reason)
    return await database.read(lambda each: sorted(tuple(row) for row in each.execute(query)))


async def note(database: Database, chat: int, **values: Any) -> None:
    given = {"kind": "group", "title": "Harbour", "username": "", "now": NOON, **values}
    await database.write(lambda each: rows.note_chat(each, chat, **given))


async def test_into_another_topic(database: Database, account: int) -> None:
    """A route ends elsewhere; where the feed comes already, one of them goes on."""

    async def move(number: int, address: str) -> None:
        found = await database.read(chat_routes.list_routes, account, CHANNEL, "-42")
        await database.write(
            lambda connection: chat_routes.move_route(
                connection,
                found[number],
                account_id=account,
                channel=CHANNEL,
                address=address,
                title="x",
                now=NOON,
            )
        )

    await move(0, "-42/9")
    assert [("a", "-42/9"), ("B", "-42")] == await listed(database, account, "-42")
    await move(0, "-42/9")
    assert [("a", "-42/9"), ("B", "-42")] == await listed(database, account, "-42")


async def test_the_entry_behind_a_message(database: Database, account: int) -> None:
    """Found by any of its message ids in this chat, and in no other."""

    def fill(connection: Connection) -> None:
        (route, _) = chat_routes.list_routes(connection, account, CHANNEL, "-42")
        seq = add_entry(connection, route.feed_id, at(-5))
        connection.execute(
            insert(deliveries).values(
                route_id=route.id, seq=seq, outcome="sent", message_ids="11,12,13", at=NOON
            )
        )

    await database.write(fill)

    async def found(message: int, chat: str = "-42") -> bool:
        post = await database.read(posts.find_post, account, CHANNEL, chat, message)
        return post is not None

    assert [True, True, True] == [await found(number) for number in (11, 12, 13)]
    assert [False, False, False] == [await found(number) for number in (1, 14, 3)]
    assert not await found(11, "-421")


async def test_memos(database: Database) -> None:
    """The newest question to somebody counts; old ones are forgotten."""

    async def add(user: int, word: str, minutes: int = 0) -> int:
        return await database.write(
            lambda each: rows.add_memo(
                each,
                chat_id=-42,
                user_id=user,
                kind="question",
                payload={"word": word},
                now=NOON + timedelta(minutes=minutes),
            )
        )

    first = await add(1, "a")
    await add(1, "b", 1)
    await add(2, "c", 2)
    newest = await database.read(rows.find_for, -42, 1, "question")
    assert newest is not None
    assert {"word": "b"} == newest.payload
    by_number = await database.read(
        lambda each: rows.find_memo(each, first, chat_id=-42, kind="question")
    )
    assert by_number is not None
    assert None is await database.read(
        lambda each: rows.find_memo(each, first, chat_id=-43, kind="question")
    )
    assert 1 == await database.write(rows.drop_old_memos, NOON + timedelta(seconds=1))
    assert 1 == await database.write(rows.drop_memos, -42, 1, "question")


async def test_what_is_known_of_a_chat(database: Database) -> None:
    """A title and a name follow the chat; language and managed chat stay."""
    await note(database, 7, kind="private", username="Ada")
    await database.write(rows.set_language, 7, "de")
    await database.write(rows.set_managing, 7, -42)
    await note(database, 7, kind="private", title="Ada L.")

    known = await database.read(rows.find_chat, 7)
    assert known is not None
    assert ("Ada L.", "", "de", -42) == (
        known.title,
        known.username,
        known.language,
        known.managing,
    )
    await database.write(rows.rename_chat, -42, -1001)
    known = await database.read(rows.find_chat, 7)
    assert known is not None
    assert -1001 == known.managing


async def test_all_feeds_with_their_chats(database: Database, account: int) -> None:
    """What the operator sees (TGC-16)."""
    found = await database.read(chat_routes.list_all, CHANNEL)

    assert [("B", ["-42"]), ("a", ["-42/7"]), ("C", ["-421"])] == [
        (feed.title, [reader.address for reader in feed.readers]) for feed in found
    ]
