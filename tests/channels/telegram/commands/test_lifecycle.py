"""Chats come and go: nothing is sent where we may not write, and nothing is forgotten."""

from typing import Any

import pytest
from sqlalchemy import select, update

from tests.channels.telegram.commands.talk import (
    ADA,
    CHANNEL,
    EMIL,
    EVE,
    FORUM,
    GROUP,
    Talk,
    open_talk,
    person,
    private,
)
from tests.channels.telegram.commands.test_finding import membership
from tests.rows import NOON
from wireroom.channels.telegram.commands.roles import Access
from wireroom.store.engine import Database
from wireroom.store.schema import destinations, feeds

BOT = {"id": 123456789, "is_bot": True, "first_name": "Wireroom", "username": "wireroom_bot"}


async def suspended(talk: Talk) -> list[str]:
    """Why nothing is sent, for each destination."""
    return await talk.database.read(
        lambda connection: list(
            connection.scalars(select(destinations.c.suspended_reason).order_by(destinations.c.id))
        )
    )


@pytest.mark.parametrize(
    ("status", "more", "reason"),
    [
        ("kicked", {}, "the bot was removed"),
        ("left", {}, "the bot was removed"),
        ("restricted", {"is_member": True, "can_send_messages": False}, "may not write"),
    ],
)
async def test_put_out_and_let_in_again(
    talk: Talk, status: str, more: dict[str, Any], reason: str
) -> None:
    """Subscriptions rest until we are back; who knows us in private is told (wish 24)."""
    await talk.say("/start")
    await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)
    said = await talk.update(my_chat_member=membership(FORUM, BOT, status, **more))

    assert "Shipping" in said
    assert private(ADA)["id"] == talk.last.chat
    assert reason in (await suspended(talk))[0]
    await talk.update(my_chat_member=membership(FORUM, BOT, "member"))
    assert [""] == await suspended(talk)
    assert [("/feed", "-1001/57")] == await talk.going()


async def test_blocked_in_private(talk: Talk) -> None:
    """Whoever blocks us is sent nothing, and finds everything again."""
    await talk.say(f"/sub {talk.url()}")
    assert "" == await talk.update(my_chat_member=membership(private(ADA), BOT, "kicked"))
    assert ["the bot was removed"] == await suspended(talk)
    await talk.update(my_chat_member=membership(private(ADA), BOT, "member"))
    assert [""] == await suspended(talk)


async def test_blocked_before_the_answer(talk: Talk) -> None:
    """An answer that is refused for good ends the chat's messages, too."""
    await talk.say(f"/sub {talk.url()}")
    talk.telegram.fail_next(403, "Forbidden: bot was blocked by the user")
    await talk.say("/list")

    assert ["Forbidden: bot was blocked by the user"] == await suspended(talk)


class TestAnswersThatCannotBePosted:
    """Whoever asked is told elsewhere, and never nothing."""

    @pytest.mark.parametrize(
        ("topics", "reason"),
        [
            ({"topics": {57}, "closed_topics": {57}}, "the topic is closed"),
            ({"topics": {58}}, "the topic is not there any more"),
        ],
        ids=["closed", "deleted"],
    )
    async def test_in_private(self, talk: Talk, topics: dict[str, Any], reason: str) -> None:
        """With what was asked, and why it comes there; what was asked for is done."""
        await talk.say("/start")
        talk.telegram.chats[FORUM["id"]] |= topics
        said = await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)

        assert f"I cannot write in Shipping ({reason})" in said
        assert "Harbour comes here" in said
        assert ADA["id"] == talk.last.chat
        assert [("/feed", "-1001/57")] == await talk.going()

    async def test_of_a_question(self, talk: Talk) -> None:
        """What a command asks back goes there, too."""
        await talk.say("/start", EMIL)
        talk.telegram.members[-42, EMIL["id"]] = "administrator"
        talk.telegram.fail_next(400, "Bad Request: CHAT_WRITE_FORBIDDEN")
        said = await talk.say("/sub", EMIL, GROUP)

        assert "In Harbour watch kann ich nicht schreiben" in said
        assert EMIL["id"] == talk.last.chat

    async def test_over_the_button(self, talk: Talk) -> None:
        """Who never spoke with us is shown it over the chat, cut to what fits there."""
        await talk.say("/help", chat=GROUP)
        menu = talk.last
        for method in ("editmessagetext", "sendmessage"):
            talk.telegram.fail_next(400, "Bad Request: CHAT_WRITE_FORBIDDEN", method=method)
        await talk.press("Feeds", under=menu)
        (shown,) = talk.telegram.answered_callbacks

        assert shown["show_alert"]
        assert shown["text"].startswith("Feeds /sub URL")
        assert len(shown["text"]) <= 200

    async def test_nowhere(self, talk: Talk) -> None:
        """Who has no private chat with us, and pressed nothing, cannot be told."""
        talk.telegram.fail_next(400, "Bad Request: CHAT_WRITE_FORBIDDEN")

        assert "" == await talk.say("/help", chat=GROUP)


async def test_greeting(talk: Talk) -> None:
    """A group that lets us in is told how to begin, once."""
    assert "An admin writes /sub" in await talk.update(
        my_chat_member=membership(GROUP, BOT, "member")
    )
    assert "" == await talk.update(my_chat_member=membership(GROUP, BOT, "administrator"))


async def test_a_group_becomes_a_supergroup(talk: Talk) -> None:
    """Told three times, done once: account, subscriptions and settings go along (TGD-14)."""
    await talk.say(f"/sub {talk.url()}", chat=GROUP)
    await talk.say("/toggle_preview_enabled", chat=GROUP)
    new = GROUP | {"id": -1042, "type": "supergroup"}
    talk.telegram.members[-1042, ADA["id"]] = "creator"
    service = {"message_id": 1, "date": 0}
    await talk.update(message=service | {"chat": GROUP, "migrate_to_chat_id": -1042})
    await talk.update(message=service | {"chat": new, "migrate_from_chat_id": -42})

    assert [("/feed", "-1042")] == await talk.going()
    assert "Harbour" in await talk.say("/list", chat=new)
    assert "off" in await talk.say("/get_preview_enabled", chat=new)


async def test_a_move_that_an_answer_tells(talk: Talk) -> None:
    """An answer to the old id goes to the new one."""
    talk.telegram.migrate(-42, -1042)
    await talk.say("/help", chat=GROUP)

    assert -1042 == talk.last.chat


class TestModes:
    """Whom the bot answers."""

    @pytest.mark.parametrize("mode", ["single-admin", "owner"])
    async def test_one_person_alone(self, sqlite_database: Database, mode: Any) -> None:
        """Others get no answer, by text, by button, nor in channels (TGC-01, TGC-02)."""
        async with open_talk(sqlite_database, access=Access(mode, {7})) as talk:
            assert "" == await talk.say("/start", EVE)
            assert "" == await talk.say(f"/sub {talk.url()}", EVE, FORUM)
            assert "" == await talk.say(f"/sub {talk.url()}", None, {**CHANNEL, "id": -1003})
            await talk.say("/settings")
            before = list(talk.last.labels)
            await talk.press("Link preview", EVE)
            assert before == talk.last.labels
            assert "comes here" in await talk.say(f"/sub {talk.url()}", ADA, FORUM, topic=5)
            assert "Harbour" in await talk.say("/rss_all")

    async def test_nobody_yet(self, sqlite_database: Database) -> None:
        """A bot without an operator tells how to become it, and does nothing else."""
        async with open_talk(sqlite_database, access=Access("owner")) as talk:
            assert "Yours is 7." in await talk.say("/start")
            assert "" == await talk.say("/list")
            assert "" == await talk.say("/start", ADA, GROUP)

    async def test_operators_commands(self, sqlite_database: Database) -> None:
        """Are unknown to everybody else (TGC-28); a feed that is off is marked (FAIL-18)."""
        async with open_talk(sqlite_database, access=Access("open", {7})) as talk:
            await talk.say(f"/sub {talk.url()}", EVE)
            assert "I do not know /info" in await talk.say("/info", EVE)
            said = await talk.say("/info")
            assert said == "Feeds: 1\nIn trouble: 0\nChats: 2\n    private: 2"
            assert "66 User 66" in (await talk.say("/rss_all")) or "66" in talk.last.text
            with talk.database.writing() as connection:
                connection.execute(
                    update(feeds).values(disabled_at=NOON, disabled_reason="HTTP 410 Gone")
                )
            assert "🚫 HTTP 410 Gone" in await talk.say("/rss_all")
            assert "in our private chat" in await talk.say("/rss_all", ADA, GROUP)

    async def test_replacements(self, sqlite_database: Database) -> None:
        """What is taken out of all texts is the operator's (TGC-17, 18, 19, 20; SEC-19)."""
        async with open_talk(sqlite_database, access=Access("open", {7})) as talk:
            assert "Nothing is taken out" in await talk.say("/repl_list")
            assert "Taken out" in await talk.say("/repl_add Read  more")
            assert "already" in await talk.say("/repl_add Read  more")
            assert "Taken out" in await talk.say("/repl_add_re (?i)advert.*$")
            assert "cannot be taken out" in await talk.say("/repl_add_re (")
            listed = (await talk.say("/repl_list")).splitlines()
            assert [True, False] == ["RegEx" not in line for line in listed]
            number = listed[0].split()[0]
            assert "Left in" in await talk.say(f"/repl_del {number}")
            assert "no such replacement" in await talk.say(f"/repl_del {number}")
            assert "no number" in await talk.say("/repl_del x")
            assert "255" in await talk.say(f"/repl_add {'x' * 256}")
            assert "cannot be taken out" in await talk.say(r"/repl_add_re (a)\1")
            assert "in our private chat" in await talk.say("/repl_list", ADA, GROUP)
            assert "do not know" in await talk.say("/repl_add x", EVE)

    async def test_what_makes_an_entry_new(self, sqlite_database: Database) -> None:
        """The operator chooses the fields (TGC-29); too few words are told how (TGC-40)."""
        async with open_talk(sqlite_database, access=Access("open", {7})) as talk:
            await talk.say(f"/sub {talk.url()}")
            said = await talk.say(f"/set_content_fields {talk.url()} link, nonsense")
            assert said.endswith("link")
            assert "at least one" in await talk.say(f"/set_content_fields {talk.url()} nothing")
            assert "Write it like this" in await talk.say("/set_content_fields")
            assert "Write it like this" in await talk.say(f"/set_content_fields {talk.url()}")

    async def test_anybody(self, sqlite_database: Database) -> None:
        """Is told what the bot does, and served in their own chat (TGC-03, TGC-05)."""
        async with open_talk(sqlite_database) as talk:
            assert "brings news of web sites" in await talk.say("/start", EVE)
            assert "comes here" in await talk.say(f"/sub {talk.url()}", EVE)

    async def test_start_is_the_help_for_one_admin(self, sqlite_database: Database) -> None:
        """As it is in RSS Bot (TGC-05)."""
        async with open_talk(sqlite_database, access=Access("single-admin", {7})) as talk:
            assert await talk.say("/help") == await talk.say("/start")


class TestUnknown:
    """What is no command of ours."""

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("/helpfoo", "I do not know /helpfoo"),
            ("/lst", "Did you mean /list?"),
            ("/stat", "Did you mean /status?"),
            ("/help@other_bot", ""),
            ("/", "did not understand"),
        ],
    )
    async def test_in_private(self, talk: Talk, text: str, told: str) -> None:
        """Whole words only, near ones are guessed, other bots' passed over (TGC-33 … TGC-35)."""
        said = await talk.say(text)
        assert told in said
        assert bool(told) == bool(said)

    async def test_in_groups(self, talk: Talk) -> None:
        """Silence, unless we are named."""
        assert "" == await talk.say("/roll", EVE, GROUP)
        assert "" == await talk.say("hello", EVE, GROUP)
        assert "I do not know" in await talk.say("/roll@wireroom_bot", EVE, GROUP)

    async def test_a_command_inside_a_link(self, talk: Talk) -> None:
        """Stays a part of the link."""
        talk.script["/subscribe/feed"] = talk.script["/feed"]
        await talk.say(f"/subscribe {talk.url('/subscribe/feed')}")
        assert [("/subscribe/feed", "7")] == await talk.going()


class TestHelp:
    """One button for each theme, one page for each command."""

    async def test_walk(self, talk: Talk) -> None:
        """Into a theme and back, in one message; operators' commands are not shown (TGC-06)."""
        await talk.say("/help")
        menu = talk.last
        assert "Feeds" in menu.labels
        assert "Running it" not in menu.labels
        assert "/sub URL" in await talk.press("Feeds", under=menu)
        assert "Choose a theme" in await talk.press("‹ Back", under=menu)
        await talk.press("Close", under=menu)
        assert menu not in talk.telegram.messages

    @pytest.mark.parametrize("name", ["sub", "/subscribe", "set_filter"])
    async def test_one_command(self, talk: Talk, name: str) -> None:
        """With what it takes and its other names."""
        assert f"/{name.lstrip('/')}"[:4] in await talk.say(f"/help {name}")

    async def test_every_command_is_explained(self, talk: Talk) -> None:
        """In both languages, within what Telegram takes."""
        from wireroom.channels.telegram.commands.table import TABLE

        german = person(9, "Emil", "de")
        for name in TABLE.commands:
            if TABLE.commands[name].needs != "operator":
                assert "/" in await talk.say(f"/help {name}", german)
        assert not [m for m in talk.telegram.messages if m.lost]

    async def test_language(self, talk: Talk) -> None:
        """A chat's language stays as it was chosen."""
        await talk.say("/language")
        await talk.press("Deutsch")
        assert "Hierher kommt noch nichts" in await talk.say("/list")
        assert "I speak English here." == await talk.say("/language en")

    async def test_posts_speak_as_the_chat_does(self, talk: Talk) -> None:
        """As whoever subscribed does, until somebody chooses; notices, too (TGC-42)."""
        german = person(9, "Emil", "de")
        await talk.say(f"/sub {talk.url()}", german)
        await talk.say("/set chat digest 08:00", german)
        await talk.say("/preview Harbour", german)
        assert "Harbour: 2 neue Einträge" in talk.last.text
        await talk.say("/language en", german)
        await talk.say("/preview Harbour", german)
        assert "Harbour: 2 new entries" in talk.last.text

    async def test_commands_as_buttons(self, talk: Talk) -> None:
        """A button gives its command (TGC-30)."""
        await talk.say("/commands")
        assert "Nothing comes here yet" in await talk.press("/list")
