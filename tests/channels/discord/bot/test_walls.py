"""What nobody may do to other servers, people and roles, however an interaction was forged."""

from typing import Any

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench
from tests.servers.discord_bodies import Channel, Member, Shown
from tests.servers.discord_platform import ADMINISTRATOR
from wireroom import doors, guilds
from wireroom.guilds import Guild
from wireroom.store.doors import Door

HOOK = "https://discord.com/api/webhooks/123456789012345678/" + "t" * 60
ROUTES_TO_1 = "words>=0 -> route 1"


@pytest.fixture
async def elsewhere(bench: Bench) -> tuple[Channel, Member]:
    """The channel and the administrator of another server; the first one follows a feed, #1."""
    await bench.run("rss add", feed_url=FEED)
    theirs = bench.discord.add_guild("Elsewhere")
    return bench.discord.add_channel(theirs), bench.discord.add_member(theirs, ADMINISTRATOR)


async def send_form(bench: Bench, by: Member, channel: Channel, name: str, **typed: str) -> Shown:
    """A form that the bot never showed."""
    lines = [
        {"type": 18, "component": {"type": 4, "custom_id": key, "value": value}}
        for key, value in typed.items()
    ]
    data: dict[str, Any] = {"custom_id": name, "components": lines}
    return await bench.discord.interactions.bring(5, by, channel, data)


async def press(bench: Bench, by: Member, channel: Channel, name: str, *fields: str) -> Shown:
    """A button or select that the bot never showed, on a message with these fields."""
    data: dict[str, Any] = {"custom_id": name, "component_type": 3, "values": ["0"]}
    shown = [{"name": "a feed", "value": each} for each in fields]
    message = Shown(None, {"content": "x", "embeds": [{"title": "x", "fields": shown}]}, False)  # type: ignore[arg-type]
    return await bench.discord.interactions.bring(3, by, channel, data, pressed=message)


# -- servers --------------------------------------------------------------------------------------


async def test_forged_names_of_another_server(
    bench: Bench, elsewhere: tuple[Channel, Member]
) -> None:
    """Numbers of others' feeds and places are unknown behind forms, selects and suggestions, too
    (DCC-05).
    """
    channel, boss = elsewhere
    answers = [
        await send_form(bench, boss, channel, "wr:template:1", source="pwned"),
        await send_form(bench, boss, channel, "wr:mute:1", words="Story"),
        await press(bench, boss, channel, "wr:choose:1", f"<{OTHER}>"),
    ]
    suggested = await bench.discord.complete(boss, channel, "rss remove", "feed", "")
    turned = await press(bench, boss, channel, "wr:page:next:0")
    stands = await bench.run("rss filter", feed="1")

    unknown = "❌ There is no such feed in this server; /rss list shows them."
    assert {unknown} == {each.text for each in answers}
    assert [] == suggested
    assert "No feeds yet" in turned.text
    assert "has no filter" in stands.text


async def test_forged_names_by_somebody_without_the_right(
    bench: Bench, elsewhere: tuple[Channel, Member]
) -> None:
    """Forms and selects ask for the right at every press (DCC-04)."""
    answers = [
        await send_form(bench, bench.member, bench.channel, "wr:template:1", source="pwned"),
        await send_form(bench, bench.member, bench.channel, "wr:mute:1", words="Story"),
        await press(bench, bench.member, bench.channel, "wr:choose:1", f"<{OTHER}>"),
    ]

    assert {"❌ You need the right to manage this server for that."} == {
        each.text for each in answers
    }


@pytest.mark.parametrize(
    "name", ["wr:page", "wr:page:next:-5", "wr:page:next:999999999999999999", "wr:page:x:y:z"]
)
async def test_names_without_sense(bench: Bench, name: str) -> None:
    """The nearest page is shown."""
    await bench.run("rss add", feed_url=FEED)
    shown = await press(bench, bench.member, bench.channel, name)

    assert "Page 1 of 1" == shown.embeds[0]["footer"]["text"]


async def linked(bench: Bench, *servers: tuple[Channel, Member]) -> None:
    """One person's account is behind these servers."""
    account = await doors.open_door(
        bench.database, Door("password", "ann"), name="Ann", now=bench.room.clock()
    )
    for channel, by in servers:
        code = await doors.new_code(bench.database, account, now=bench.room.clock())
        await bench.run("link server", by=by, in_=channel, code=code)


async def test_rules_do_not_lead_into_another_server(
    bench: Bench, elsewhere: tuple[Channel, Member]
) -> None:
    """Two servers share a person's account: neither may send into the other's webhooks, nor to
    the person (DCC-05).
    """
    channel, boss = elsewhere
    await linked(bench, (bench.channel, bench.owner), elsewhere)
    await bench.run("rss add", by=boss, in_=channel, feed_url=OTHER)
    asked = {"feed": OTHER, "setting": "rules", "value": ROUTES_TO_1}
    shown = await bench.run("rss set", by=boss, in_=channel, **asked)
    ours = await bench.run("rss set", feed="1", setting="rules", value=ROUTES_TO_1)

    assert "❌ There is no destination 1." == shown.text
    assert "✅" in ours.text


async def test_rules_that_stand_stay(bench: Bench, elsewhere: tuple[Channel, Member]) -> None:
    """Where the person whose account it is let a feed lead elsewhere, other rules may be added."""
    channel, boss = elsewhere
    await linked(bench, (bench.channel, bench.owner), elsewhere)
    await bench.run("rss add", by=boss, in_=channel, feed_url=OTHER)
    guild = channel.guild
    assert guild is not None
    account = await doors.account_of(bench.database, Door("discord", guild.id))
    assert account is not None
    theirs = await guilds.list_feeds(bench.database, Guild(guild.id, account))
    settings = {"rules": ROUTES_TO_1}
    await guilds.set_settings(bench.room.tools, Guild(guild.id, account), theirs[0].id, settings)
    shown = await bench.run("rss mention", by=boss, in_=channel, feed=OTHER, role="77", when="b")

    assert shown.text.startswith("📣")


async def test_a_webhook_of_another_server(
    bench: Bench, elsewhere: tuple[Channel, Member]
) -> None:
    """Where two servers share an account, neither takes the other's webhook away (DCC-05)."""
    channel, boss = elsewhere
    await linked(bench, (bench.channel, bench.owner), elsewhere)
    hook = bench.discord.add_webhook(channel=bench.channel.id)
    await bench.run("rss edit", feed="1", webhook_url=hook.url)
    shown = await bench.run("rss add", by=boss, in_=channel, feed_url=OTHER, webhook_url=hook.url)
    ours = await bench.run("rss list")
    theirs = await bench.run("rss list", by=boss, in_=channel)

    assert "❌ Another server posts by this webhook already." == shown.text
    assert "#1 Harbour" in ours.all_text
    assert "No feeds yet" in theirs.text


# -- secrets and roles ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ("rss add", {"feed_url": HOOK}),
        ("rss find", {"feed_url": HOOK}),
        ("rss preview", {"feed": HOOK}),
        ("rss remove", {"feed": HOOK}),
        ("rss clone", {"feed": "1", "feed_url": HOOK}),
    ],
    ids=["add", "find", "preview", "remove", "clone"],
)
async def test_a_webhook_where_a_feed_belongs(
    bench: Bench, typed: str, options: dict[str, str]
) -> None:
    """Is not asked for, not shown, and the mistake is told (DCC-08)."""
    await bench.run("rss add", feed_url=FEED)
    shown = await bench.run(typed, **options)

    assert "belongs in `webhook_url`" in shown.text
    assert "t" * 20 not in shown.all_text
    assert shown.is_private


@pytest.mark.parametrize(
    ("typed", "options"),
    [("rss mention", {"feed": "1"}), ("rss add", {"feed_url": OTHER})],
    ids=["mention", "add"],
)
async def test_everybody_is_called_by_nothing(
    bench: Bench, typed: str, options: dict[str, str]
) -> None:
    """Discord offers @everyone among the roles; it is refused (DCD-14)."""
    await bench.run("rss add", feed_url=FEED)
    role = "role" if typed == "rss mention" else "mention"
    shown = await bench.run(typed, **options, **{role: bench.guild.id})

    assert "❌ @everyone is not called: choose another role." == shown.text
    assert 1 == len(bench.posts)


async def test_when_without_whom(bench: Bench) -> None:
    """A condition of a call that calls nobody is a mistake."""
    shown = await bench.run("rss add", feed_url=FEED, mention_when="ships")

    assert "name the role as `mention`" in shown.text
    assert [] == bench.posts
