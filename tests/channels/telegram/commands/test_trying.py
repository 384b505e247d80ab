"""/test and /preview show what would be posted, to the letter, where they are asked."""

import asyncio
from datetime import timedelta

import pytest

from tests.channels.telegram.commands.talk import (
    ADA,
    CHANNEL,
    FORUM,
    Talk,
    feed,
    open_talk,
    person,
    until,
)
from tests.rows import NOON
from wireroom.channels.telegram.commands.roles import Access
from wireroom.store import house
from wireroom.store.engine import Database

ERIK = person(9, "Erik", "de")


async def test_a_feed_that_nobody_follows(talk: Talk) -> None:
    """Its newest entry in the built-in layout, and nothing is followed."""
    said = await talk.say(f"/test {talk.url('/lonely')}")

    assert "Lighthouse, one entry" in said
    assert "Story 9\nLighthouse\n\nText of 9." in said
    assert [] == await talk.going()


@pytest.mark.parametrize(
    ("layouts", "expected"),
    [
        ({"feed": "S {{ title }}", "chat": "C {{ title }}", "all": "G {{ title }}"}, "S Story 2"),
        ({"chat": "C {{ title }} {{ feed_link }}", "all": "G {{ title }}"}, "C Story 2 FEED"),
        ({"all": "G {{ title }}"}, "G Story 2"),
        ({}, "Story 2\nHarbour\n\nText of 2."),
    ],
    ids=["subscription", "chat", "global", "built-in"],
)
async def test_the_template_that_counts(
    sqlite_database: Database, layouts: dict[str, str], expected: str
) -> None:
    """The subscription's before the chat's, the chat's before everyone's (TGD-39); and what comes
    afterwards is the same to the letter."""
    async with open_talk(sqlite_database, delivers=True, counts=True) as talk:
        if "all" in layouts:
            everyone = {"template": layouts["all"]}
            await talk.database.write(lambda each: house.set_settings(each, everyone, now=NOON))
        await talk.say(f"/sub {talk.url()}")
        if "feed" in layouts:
            await talk.say(f"/set_template Harbour {layouts['feed']}")
        if "chat" in layouts:
            await talk.say(f"/set_global_template {layouts['chat']}")
        expected = expected.replace("FEED", talk.url())
        await talk.say("/preview Harbour")
        preview = talk.said[-1]
        await talk.say(f"/test {talk.url()}")
        trial = talk.said[-1]
        before = len(talk.telegram.messages)
        await talk.say("/replay Harbour")
        await until(lambda: len(talk.telegram.messages) == before + 2, "the post")

        posts = [
            preview,
            trial,
            *(m for m in talk.telegram.messages[before:] if "Story" in m.text),
        ]
        assert 3 == len(posts)
        assert {expected} == {each.text for each in posts}
        assert 1 == len({str(each.entities) + str(each.preview) for each in posts})


async def test_the_chats_layout_counts_for_a_feed_that_nobody_follows(talk: Talk) -> None:
    """Template, length, buttons and previews of the chat, and the operator's removals."""
    await talk.say(f"/sub {talk.url('/other')}")
    await talk.say("/set_global_template {{ title | upper }} · {{ feed_link }}")
    await talk.say("/toggle_preview_enabled")
    await talk.say("/set chat marks on")
    await talk.say(f"/test {talk.url()}")
    post = talk.last

    assert f"STORY 2 · {talk.url()}" == post.text
    assert ["☑️", "☆", "🔇"] == post.labels
    assert {"is_disabled": True} == post.preview


async def test_what_is_taken_out_of_texts(sqlite_database: Database) -> None:
    """The operator's replacements count in trials as well (TGD-28)."""
    async with open_talk(sqlite_database, access=Access("open", {7})) as talk:
        await talk.say("/repl_add Text of")
        await talk.say(f"/test {talk.url()}")

        assert "Story 2\nHarbour\n\n2." == talk.last.text


async def test_a_number_is_a_subscriptions(talk: Talk) -> None:
    """`/test` takes the numbers of `/list`, which are no addresses, as `/preview` does."""
    await talk.say(f"/sub {talk.url()}")
    await talk.say("/preview 1")
    preview = talk.last.text

    assert preview == await talk.say("/test 1")
    assert "among the subscriptions" in await talk.say("/test 99")


class TestFilters:
    """What they say is said, and something is shown all the same."""

    async def test_the_newest_is_dropped(self, talk: Talk) -> None:
        """The newest that would come is shown, and why the newest would not."""
        await talk.say("/set_global_filter !2, story")
        said = await talk.say(f"/test {talk.url()}")

        assert "of the newest 2 entries 1 would come" in said
        assert "“Story 2”, would not: filter “!2, story” of this chat: left out by" in said
        assert talk.last.text.startswith("Story 1\n")

    async def test_none_passes(self, talk: Talk) -> None:
        """In the chat's language."""
        await talk.say("/set_global_filter nowhere", ERIK)
        said = await talk.say(f"/test {talk.url()}", ERIK)

        assert "Von den neuesten 2 Einträgen durchgelassen: 0." in said
        assert "Filter dieses Chats: passt nicht zu nowhere" in said
        assert "Ohne Filter sähe er so aus:" in said
        assert talk.last.text.startswith("Story 2\n")

    async def test_of_a_subscription(self, talk: Talk) -> None:
        """/preview judges by the subscription's filter."""
        await talk.say(f"/sub {talk.url()}")
        await talk.say("/set_filter Harbour story 1")
        assert "1 would come" in await talk.say("/preview Harbour")
        assert talk.last.text.startswith("Story 1\n")


async def test_a_digest_is_shown_as_one(talk: Talk) -> None:
    """Where all comes in one message, the trial is that message."""
    await talk.say("/set chat digest 08:00")
    await talk.say(f"/test {talk.url()}")

    assert "Harbour: 2 new entries\n• Story 1\n• Story 2" == talk.last.text


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ({"digest": "08:00"}, "⏰ In one message with what else there is, at 08:00."),
        ({"digest": "every 10"}, "⏰ In one message with others, once 10 have come together."),
        ({"quiet": "11:00-13:30"}, "⏰ At 13:30, when the silent hours are over."),
        ({"quiet": "22:00-07:00"}, ""),
        ({"per_day": "5"}, "⏰ At most 5 come in 24 hours; the others wait."),
    ],
    ids=["digest", "digest of so many", "silent now", "not silent now", "a day's measure"],
)
async def test_when_it_would_come(talk: Talk, wishes: dict[str, str], expected: str) -> None:
    """What a post waits for is said with it, by /test and by /preview (wishes 18 and 19)."""
    await talk.say(f"/sub {talk.url()}")
    for name, value in wishes.items():
        await talk.say(f"/set chat {name} {value}")
    tried, shown = await talk.say(f"/test {talk.url()}"), await talk.say("/preview Harbour")

    assert [bool(expected)] * 2 == ["⏰" in tried, "⏰" in shown]
    assert expected in tried
    assert expected in shown


async def test_shown_where_it_was_asked(talk: Talk) -> None:
    """In the topic of the command; of a channel that is managed from here, here (TGD-01)."""
    await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)
    await talk.say("/preview Harbour", chat=FORUM, topic=58)
    assert (-1001, 58) == (talk.last.chat, talk.last.thread)
    assert "Harbour News" in await talk.say("/manage @harbournews")
    await talk.say(f"/sub {talk.url()}")
    await talk.say("/preview Harbour")

    assert ADA["id"] == talk.last.chat
    assert CHANNEL["id"] not in {each.chat for each in talk.telegram.messages}


async def test_a_post_that_is_refused(talk: Talk) -> None:
    """Is told with Telegram's reason instead of a silence."""
    await talk.say("/set chat rich on")
    talk.telegram.fail_next(
        403, "Forbidden: bot was kicked from the group chat", method="sendrichmessage"
    )

    assert "did not take the post: Forbidden" in await talk.say(f"/test {talk.url()}")


async def test_a_post_that_has_to_wait(talk: Talk) -> None:
    """Is told once Telegram hears us again."""
    await talk.say("/set chat rich on")
    talk.telegram.fail_next(
        429, "Too Many Requests: retry after 1", method="sendrichmessage", retry_after=1
    )
    said = asyncio.create_task(talk.say(f"/test {talk.url()}"))
    await until(lambda: bool(talk.telegram.refusals), "the flood")
    talk.clock.move(timedelta(seconds=1))

    assert "does not take the post just now" in await said


async def test_a_feed_without_entries(talk: Talk) -> None:
    """Says so, for /test and /preview alike."""
    talk.script["/empty"] = feed()
    assert "has no entries yet" in await talk.say(f"/test {talk.url('/empty')}")
    await talk.say(f"/sub {talk.url('/empty')}")
    assert "has no entries yet" in await talk.say("/preview Harbour")
