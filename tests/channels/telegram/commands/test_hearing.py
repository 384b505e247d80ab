"""How updates reach us: each once, over restarts, floods, webhooks and several processes."""

import asyncio
import json
from datetime import timedelta

import pytest

from tests.channels.telegram.commands.talk import (
    ADA,
    BOT,
    EVE,
    GROUP,
    Talk,
    feed,
    open_talk,
    private,
    until,
)
from tests.rows import NOON
from tests.servers.scripted import Reply
from tests.servers.telegram import TOKEN
from wireroom.channels.telegram.commands.hook import Hook, secret_of
from wireroom.store import updates
from wireroom.store.engine import Database


class TestOnce:
    """Nothing is done twice."""

    async def test_over_a_restart(self, sqlite_database: Database) -> None:
        """The next process asks from where the last one was."""
        async with open_talk(sqlite_database) as talk:
            await talk.say("/start")
        async with open_talk(sqlite_database) as talk:
            talk.telegram._next_update = 2
            await talk.say("/help")

            offsets = [p.get("offset") for m, p in talk.telegram.requests if m == "getupdates"]
            assert 2 == int(offsets[0])

    async def test_what_was_left_is_taken_up(self, sqlite_database: Database) -> None:
        """An update that a killed process had kept is dealt with by the next."""
        body = {
            "update_id": 5,
            "message": {"message_id": 1, "chat": private(ADA), "from": ADA, "text": "/start"},
        }
        await sqlite_database.write(updates.keep, BOT, {5: body})
        async with open_talk(sqlite_database) as talk:
            await until(lambda: bool(talk.telegram.messages), "an answer")
            await talk.settled(5)


async def test_a_busy_chat_holds_up_nobody(talk: Talk) -> None:
    """While one chat waits for a slow site, another is answered."""
    talk.script["/slow"] = Reply(silent=True)
    talk.telegram.say(f"/sub {talk.url('/slow')}", chat=private(ADA), sender=ADA)
    await talk.say("/help", EVE)

    assert EVE["id"] == talk.last.chat
    talk.script["/slow"] = Reply(404)
    await talk.site.hang_up()  # otherwise the bot's end waits for its command


async def test_flood_control_is_waited_out(talk: Talk) -> None:
    """An answer is sent again after as long as Telegram says."""
    talk.telegram.fail_next(429, "Too Many Requests: retry after 1", retry_after=1)
    said = asyncio.create_task(talk.say("/help"))
    await until(lambda: any(m == "sendmessage" for m, _ in talk.telegram.requests), "a try")
    talk.clock.move(timedelta(seconds=1))

    assert "What I can do" in await said


async def test_an_answer_while_delivery_runs_full(sqlite_database: Database) -> None:
    """A group with more news than Telegram lets through takes a command at once, without a 429."""
    async with open_talk(sqlite_database, initial_items=30, delivers=True, counts=True) as talk:
        talk.script["/many"] = feed(*[str(number) for number in range(30, 0, -1)])
        await talk.say(f"/sub {talk.url('/many')}", chat=GROUP)
        await until(lambda: len(talk.telegram.messages) == 19, "as many as go into a minute")
        began = talk.clock()
        assert "What I can do" in await talk.say("/help", chat=GROUP)

        assert began == talk.clock()
        assert [] == talk.telegram.refusals
        talk.clock.move(timedelta(minutes=1))
        talk.bell.ring()
        await until(lambda: len(talk.telegram.messages) >= 32, "the others")
        assert [] == talk.telegram.refusals


async def test_lost_connections_are_mended(talk: Talk) -> None:
    """Telegram's hiccups cost a moment, not an answer."""
    talk.telegram.answer_next(502, "<h1>Bad Gateway</h1>")
    assert "What I can do" in await talk.say("/help")


class TestOneProcess:
    """Of several processes one asks."""

    async def test_a_claim(self, database: Database) -> None:
        """It is held until it runs out or is given back, on both databases."""

        async def claim(owner: str, minutes: float = 0) -> bool:
            return await database.write(
                lambda connection: updates.claim(
                    connection,
                    BOT,
                    owner,
                    now=NOON + timedelta(minutes=minutes),
                    lasting=timedelta(minutes=1),
                )
            )

        assert [True, False, True] == [await claim("a"), await claim("b"), await claim("a", 0.5)]
        assert [False, True] == [await claim("b", 1), await claim("b", 2)]
        await database.write(updates.release, BOT, "a")
        assert not await claim("a", 2)
        await database.write(updates.release, BOT, "b")
        assert await claim("a", 2)

    async def test_updates_in_the_store(self, database: Database) -> None:
        """Kept once, finished once, forgotten in time; on both databases."""
        kept = await database.write(updates.keep, BOT, {1: {"a": 1}, 2: {"b": 2}})
        again = await database.write(updates.keep, BOT, {2: {"b": 2}, 3: {}})
        await database.write(lambda c: updates.finish(c, BOT, [1, 3], now=NOON))

        assert ([1, 2], [3]) == (kept, again)
        assert {2: {"b": 2}} == await database.read(updates.unfinished, BOT)
        assert 3 == await database.read(updates.newest, BOT)
        assert 2 == await database.write(updates.forget_finished, BOT, NOON + timedelta(seconds=1))
        assert 2 == await database.read(updates.newest, BOT)


class TestHook:
    """Telegram calls us."""

    @pytest.mark.parametrize(
        ("secret", "body", "status"),
        [
            ("right", b'{"update_id": 1}', 200),
            ("wrong", b'{"update_id": 1}', 403),
            ("", b'{"update_id": 1}', 403),
            ("ä", b'{"update_id": 1}', 403),
            ("right", b"not json", 400),
            ("right", b"[]", 400),
            ("right", b'{"update_id": "x"}', 400),
        ],
    )
    async def test_what_is_taken(
        self, sqlite_database: Database, secret: str, body: bytes, status: int
    ) -> None:
        """Only what comes with the secret, and only what can be read, is kept."""
        rung: list[bool] = []
        hook = Hook(TOKEN, sqlite_database, lambda: rung.append(True))
        shown = secret_of(TOKEN) if secret == "right" else secret

        assert status == await hook.receive(shown, body)
        kept = await sqlite_database.read(updates.unfinished, BOT)
        assert (status == 200) == bool(kept) == bool(rung)

    async def test_a_command_by_webhook(self, sqlite_database: Database) -> None:
        """Telegram is told our address and secret, and what it brings is answered."""
        async with open_talk(sqlite_database, public_url="https://news.example") as talk:
            await until(lambda: bool(talk.telegram.webhook), "setWebhook")
            assert "https://news.example/telegram" == talk.telegram.webhook["url"]
            hook = Hook(TOKEN, sqlite_database, talk.bell.ring)
            message = {"message_id": 1, "chat": private(ADA), "from": ADA, "text": "/start"}
            body = json.dumps({"update_id": 9, "message": message}).encode()
            secret = talk.telegram.webhook["secret_token"]
            for _ in range(2):  # Telegram repeats
                assert 200 == await hook.receive(secret, body)
            await talk.settled(9)

            assert 1 == len(talk.telegram.messages)
            assert "getupdates" not in [method for method, _ in talk.telegram.requests]
