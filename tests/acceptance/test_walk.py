"""First light: a feed travels from its server to a chat, a webhook and the database, each once."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable

import pytest
from aiohttp import ClientSession

from tests.acceptance.conftest import World
from tests.acceptance.program import Program, until


async def test_news_travel_to_both_channels_in_order(world: World) -> None:
    """The baseline floods nobody; two new items arrive in order, each once, in both places.

    The folder is empty, as somebody has it who starts Wireroom for the first time.
    """
    (world.program.folder / "wireroom.sqlite3").unlink()
    await world.program.start()
    await world.subscribe()
    await until(lambda: len(world.publisher.statuses) >= 2, "a poll after the first reading")
    assert ([], []) == (world.told_on_telegram(), world.told_on_discord())

    world.publisher.items += [4, 5]
    await until(lambda: len(world.told_on_telegram()) >= 2, "two messages on Telegram")
    await until(lambda: len(world.told_on_discord()) >= 2, "two messages on Discord")
    polls = len(world.publisher.statuses)
    await until(lambda: len(world.publisher.statuses) >= polls + 2, "two more polls")

    assert [4, 5] == world.told_on_telegram()
    assert [4, 5] == world.told_on_discord()


@pytest.mark.postgresql
async def test_the_walk_is_the_same_on_postgresql(world: World, postgresql_address: str) -> None:
    """One setting moves everything to PostgreSQL; news travel, and a kill loses nothing."""
    world.program.settings["DATABASE"] = postgresql_address
    await world.program.start()
    await world.subscribe()
    kill_at_the_first_message(world)
    world.publisher.items += [4, 5]
    await until(lambda: world.program.is_dead, "the kill")
    await world.program.kill()
    await world.program.start()
    await until(lambda: 5 in world.told_on_telegram(), "the last story on Telegram")
    await until(lambda: 5 in world.told_on_discord(), "the last story on Discord")

    for told in (world.told_on_telegram(), world.told_on_discord()):
        assert told in ([4, 5], [4, 4, 5])


@pytest.mark.parametrize(
    "engine", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
)
async def test_the_parts_make_up_the_whole(
    world: World, engine: str, request: pytest.FixtureRequest
) -> None:
    """Polling, delivery and the web page as processes of their own: news travel as in one."""
    program = world.program
    if engine == "postgresql":
        program.settings["DATABASE"] = request.getfixturevalue("postgresql_address")
    async with (
        Program(program.folder, program.settings, program.starter) as polling,
        Program(program.folder, program.settings, program.starter) as delivering,
    ):
        await program.start("serve")
        await polling.start("poll")
        await delivering.start("deliver")
        await world.subscribe()
        world.publisher.items += [4, 5]
        await until(lambda: 5 in world.told_on_telegram(), "the last story on Telegram")
        await until(lambda: 5 in world.told_on_discord(), "the last story on Discord")
        async with ClientSession() as session:
            page = await (await session.get(program.address)).text()
        ended = [await each.stop() for each in (polling, delivering, program)]

    assert [4, 5] == world.told_on_telegram()
    assert [4, 5] == world.told_on_discord()
    assert "<form" in page
    assert [0, 0, 0] == ended


async def test_unchanged_feeds_are_asked_with_validators(world: World) -> None:
    """The feed is downloaded once; every poll after that is conditional, over restarts too."""
    await world.program.start()
    await world.subscribe()
    await until(lambda: len(world.publisher.statuses) >= 3, "polls")
    assert 0 == await world.program.stop()
    await world.program.start()
    polls = len(world.publisher.statuses)
    await until(lambda: len(world.publisher.statuses) >= polls + 2, "polls after the restart")

    assert [200] == world.publisher.statuses[:1]
    assert {304} == set(world.publisher.statuses[1:])


async def test_a_restart_asks_for_nothing_that_is_not_due(world: World) -> None:
    """Next polls are stored: a start makes no request of its own (SCH-01)."""
    world.program.settings |= {"POLL_INTERVAL": "6h", "POLL_INTERVAL_MAX": "6h"}
    await world.subscribe()
    await world.program.start()
    await asyncio.sleep(3)
    await world.program.kill()
    await world.program.start()
    await asyncio.sleep(2)

    assert [200] == world.publisher.statuses


def kill_at_the_request(world: World) -> None:
    """Die when the publisher has the request, before it answers."""
    _once(world, world.publisher, "on_request")


def kill_at_the_first_message(world: World) -> None:
    """Die when Telegram has accepted the message, before its answer is written down."""
    world.telegram.drop_next(after_accepting=True)
    seen = len(world.telegram.messages)
    asyncio.get_running_loop().create_task(
        _kill_when(world, lambda: len(world.telegram.messages) > seen)
    )


def kill_between_two_messages(world: World) -> None:
    """Die as soon as Discord has the second of three messages."""
    seen = len(world.discord.messages)
    asyncio.get_running_loop().create_task(
        _kill_when(world, lambda: len(world.discord.messages) > seen + 1)
    )


async def _kill_when(world: World, condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - another process changes it
        await asyncio.sleep(0.001)
    world.program.kill_now()


def _once(world: World, holder: object, name: str) -> None:
    before = getattr(holder, name)

    def strike() -> None:
        setattr(holder, name, before)
        world.program.kill_now()

    setattr(holder, name, strike)


@pytest.mark.parametrize(
    "strike", [kill_at_the_request, kill_at_the_first_message, kill_between_two_messages]
)
async def test_a_kill_loses_nothing(world: World, strike: Callable[[World], None]) -> None:
    """SIGKILL in the middle of the walk and a restart: all items, in order, one repeat at most."""
    await world.program.start()
    await world.subscribe()
    strike(world)
    world.publisher.items += [4, 5, 6]
    await until(lambda: world.program.is_dead, "the kill")
    await world.program.kill()
    await world.program.start()
    await until(lambda: 6 in world.told_on_telegram(), "the last story on Telegram")
    await until(lambda: 6 in world.told_on_discord(), "the last story on Discord")

    for told in (world.told_on_telegram(), world.told_on_discord()):
        assert [4, 5, 6] == sorted(set(told))
        assert told == sorted(told)
        assert len(told) <= 4, "more than one repeat"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        pytest.param("not a url", "address", id="no URL"),
        pytest.param("ftp://example.org/feed", "http", id="other scheme"),
        pytest.param("https://feeds.invalid/rss", "no host named", id="does not resolve"),
        pytest.param("{site}/status/404", "404", id="not found"),
        pytest.param("{site}/status/403", "403", id="forbidden"),
        pytest.param("{site}/bare", "web page", id="a page without a feed"),
        pytest.param("{site}/empty", "empty", id="empty"),
        pytest.param("{site}/large", "5", id="five megabytes and a little"),
        pytest.param("{site}/loop/a", "redirect", id="redirect loop"),
        pytest.param("https://192.168.1.1/feed", "public", id="private address"),
    ],
)
async def test_bad_addresses_are_refused_in_one_sentence(
    world: World, address: str, words: str
) -> None:
    """One clear sentence, exit code 1, no traceback, and nothing stored."""
    world.publisher.has_front_page = False
    code, printed = await world.program.command(
        "subscribe", address.format(site=world.publisher.url)
    )
    with contextlib.closing(sqlite3.connect(world.program.folder / "wireroom.sqlite3")) as file:
        feeds = file.execute("SELECT * FROM feeds").fetchall()

    assert (1, 1) == (code, len(printed.strip().splitlines())), printed
    assert words in printed
    assert [] == feeds


@pytest.mark.parametrize("setting", ["ALLOWED_HOSTS", "TRUSTED_PROXIES"])
async def test_behind_a_proxy_the_first_visit_needs_the_code(world: World, setting: str) -> None:
    """A proxy carries the whole world to our loopback address: only the operator may set up."""
    world.program.settings[setting] = "127.0.0.1"
    await world.program.start()
    async with ClientSession() as session:
        page = await (await session.get(f"{world.program.address}setup")).text()

    assert 'name="code"' in page
