"""Subscribing in every kind of chat, and ending it; lists of what comes."""

import pytest
from sqlalchemy import Connection, select, update
from structlog.testing import capture_logs

from tests.channels.telegram.commands.talk import (
    ADA,
    ANONYMOUS,
    CHANNEL,
    EMIL,
    EVE,
    FORUM,
    GROUP,
    Talk,
    private,
)
from tests.rows import NOON
from tests.servers.scripted import Reply, Seen
from wireroom.delivery.richtext import units
from wireroom.store.schema import destinations, feeds, telegram_memos


@pytest.mark.parametrize("name", ["sub", "subscribe", "add", "SUB", "sub@wireroom_bot"])
async def test_subscribing_in_one_line(talk: Talk, name: str) -> None:
    """The command with an address is carried out at once, in private chats too (TGC-32)."""
    said = await talk.say(f"/{name} {talk.url()}")

    assert said == f"✅ Harbour comes here from now on.\n{talk.url()}"
    assert [("/feed", "7")] == await talk.going()


async def test_the_log_names_commands_without_what_was_typed(talk: Talk) -> None:
    """Who asked for what and where; an address may hold a password (LOG-04)."""
    with capture_logs() as logged:
        await talk.say(f"/sub {talk.url()}")
    lines = [each for each in logged if each["event"] == "command"]

    named = {"event": "command", "log_level": "info", "command": "sub"}
    assert [{**named, "chat": 7, "user": 7}] == lines


async def test_subscribing_as_a_conversation(talk: Talk) -> None:
    """The command alone asks; the next text answers (TGC-31)."""
    assert "Which site or feed?" in await talk.say("/sub")
    assert "Harbour comes here" in await talk.say(talk.url())
    assert [("/feed", "7")] == await talk.going()


async def test_a_question_is_cancelled(talk: Talk) -> None:
    """After /cancel, or any other command, a text answers nothing any more."""
    await talk.say("/sub")
    assert "Cancelled." == await talk.say("/cancel")
    await talk.say("/sub")
    await talk.press("Cancel")
    await talk.say("/sub")
    await talk.say("/list")

    assert "did not understand" in await talk.say("hello")
    assert [] == await talk.going()


async def test_subscribing_twice(talk: Talk) -> None:
    """The second time nothing changes, and one is told so (TGC-10)."""
    await talk.say(f"/sub {talk.url()}")

    assert "is here already" in await talk.say(f"/sub {talk.url()}")
    assert [("/feed", "7")] == await talk.going()


async def test_a_page_with_several_feeds_offers_them(talk: Talk) -> None:
    """Each feed is a button; the one that is pressed comes."""
    assert "several feeds" in await talk.say(f"/sub {talk.url('/page')}")
    assert ["News", "Lighthouse", "No"] == talk.last.labels

    assert "Lighthouse comes here" in await talk.press("Lighthouse")
    assert [("/other", "7")] == await talk.going()


@pytest.mark.parametrize("typed", ["/sub {}", "{}"], ids=["command", "link alone"])
async def test_a_password_typed_with_a_page_goes_along_to_its_feeds(
    talk: Talk, typed: str
) -> None:
    """It waits sealed until a feed is chosen, and is shown to nobody (OPT-02)."""
    behind = {path: talk.script[path] for path in ("/page", "/other")}

    def guarded(seen: Seen) -> Reply:
        if seen.headers.get("authorization") != "Basic YWRhOnMzY3JldA==":  # ada:s3cret
            return Reply(401)
        reply: Reply = behind[seen.path]
        return reply

    talk.script |= dict.fromkeys(behind, guarded)
    url = talk.url("/page").replace("://", "://ada:s3cret@")
    offered = await talk.say(typed.format(url))
    came = await talk.press("Lighthouse")

    assert "comes here" in came
    assert [("/other", "7")] == await talk.going()
    assert "s3cret" not in offered + came
    kept = await talk.database.read(
        lambda connection: str(connection.execute(select(telegram_memos.c.payload)).all())
    )
    assert "opening" in kept
    assert "s3cret" not in kept


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("/broken", "answered with an error"),
        ("/plain", "no feed at this address"),
        ("/missing", "nothing at this address"),
    ],
)
async def test_what_is_no_feed(talk: Talk, typed: str, told: str) -> None:
    """Each way to be no feed has its own answer, and nothing is stored (TGC-09)."""
    said = await talk.say(f"/sub {talk.url(typed)}")

    assert said.startswith("❌")
    assert told in said
    assert [] == await talk.going()


async def test_an_address_that_cannot_be(talk: Talk) -> None:
    """What is no address is told apart from what does not answer."""
    assert "address cannot be used" in await talk.say("/sub ftp://example.org/feed")
    assert "does not answer" in await talk.say(f"/sub http://127.0.0.9:{talk.site.port}/feed")


async def test_in_a_topic(talk: Talk) -> None:
    """What is subscribed in a topic comes there, and the answer does, too (TGC-37)."""
    await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)
    await talk.say(f"/sub {talk.url('/other')}", chat=FORUM)

    assert [57, None] == [message.thread for message in talk.telegram.messages]
    assert [("/feed", "-1001/57"), ("/other", "-1001")] == await talk.going()


@pytest.mark.parametrize(
    ("sender", "more", "may"),
    [
        (ADA, {}, True),
        (EVE, {}, False),
        (ANONYMOUS, {"sender_chat": {**FORUM}}, True),
        (ANONYMOUS, {"sender_chat": {**CHANNEL}}, False),
    ],
    ids=["admin", "member", "anonymous_admin", "foreign_channel"],
)
async def test_who_may_subscribe_in_a_group(
    talk: Talk, sender: dict[str, object], more: dict[str, object], may: bool
) -> None:
    """Admins may, the hidden ones too; nobody else (TGC-04)."""
    said = await talk.say(f"/sub {talk.url()}", sender, FORUM, **more)

    assert may == ("comes here" in said)
    assert may == bool(await talk.going())
    assert may or "Only admins" in said


async def test_where_members_are_hidden(talk: Talk) -> None:
    """Where we may not ask for a person, the list of admins tells."""
    talk.telegram.chats[FORUM["id"]]["members_hidden"] = True

    assert "comes here" in await talk.say(f"/sub {talk.url()}", ADA, FORUM)
    assert "Only admins" in await talk.say(f"/sub {talk.url('/other')}", EVE, FORUM)


async def test_as_the_linked_channel(talk: Talk) -> None:
    """Whoever writes as the channel that is linked with the group leads it."""
    talk.telegram.chats[FORUM["id"]]["linked_chat_id"] = CHANNEL["id"]

    said = await talk.say(f"/sub {talk.url()}", ANONYMOUS, FORUM, sender_chat=CHANNEL)
    assert "comes here" in said


async def test_in_a_channel(talk: Talk) -> None:
    """A command posted in a channel is about the channel (TGC-36); chatter is met with silence."""
    assert "" == await talk.say("Good morning, all!", None, CHANNEL)
    assert "" == await talk.say("/nothing", None, CHANNEL)
    assert "comes here" in await talk.say(f"/sub {talk.url()}", None, CHANNEL)
    assert [("/feed", "-1002")] == await talk.going()


async def test_for_a_channel_from_the_private_chat(talk: Talk) -> None:
    """An admin of a channel names it behind the address (TGC-07)."""
    talk.telegram.chats[-1001000000000] = {}
    said = await talk.say(f"/sub {talk.url()} -1002")

    assert "goes to Harbour News from now on" in said
    assert [("/feed", "-1002")] == await talk.going()
    assert "Harbour News: one subscription" in await talk.say("/list -1002")
    number = (await talk.say("/list -1002")).splitlines()[2].split()[0]
    assert "does not come here any more" in await talk.say(f"/del {number} -1002")
    assert [] == await talk.going()


@pytest.mark.parametrize(
    ("arrange", "told"),
    [
        ("missing", "no chat -1002"),
        ("left", "I am not in @harbournews"),
        ("silent", "I may not post in @harbournews"),
        ("not yours", "You are no admin of @harbournews"),
    ],
)
async def test_channels_that_cannot_be_managed(talk: Talk, arrange: str, told: str) -> None:
    """Chat, membership, right to post and the person's own standing are refused apart (TGC-08)."""
    bot = 123456789
    match arrange:
        case "missing":
            talk.telegram.chats[-1002]["missing"] = True
        case "left":
            talk.telegram.members[-1002, bot] = "left"
        case "silent":
            talk.telegram.rights[-1002, bot] = {"can_post_messages": False}
        case _:
            talk.telegram.members[-1002, ADA["id"]] = "member"

    assert told in await talk.say(f"/sub {talk.url()} -1002")
    assert [] == await talk.going()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("@harbournews", "commands here are about Harbour News"),
        ("harbournews", "commands here are about Harbour News"),
        ("https://t.me/harbournews", "commands here are about Harbour News"),
        ("-1002", "commands here are about Harbour News"),
        ("@lighthouse", "There is no chat @lighthouse, or I cannot see it"),
        ("@", "There is no chat @, or I cannot see it"),
        ("hello world", "There is no chat hello world, or I cannot see it"),
    ],
)
async def test_how_a_channel_is_named(talk: Talk, typed: str, told: str) -> None:
    """As people write it; what names no chat is told as it was written."""
    assert told in await talk.say(f"/manage {typed}")


async def test_a_choice_of_chats_goes_away(talk: Talk) -> None:
    """Whoever cancels has their own keyboard back."""
    await talk.say("/manage")
    assert "keyboard" in talk.last.payload["reply_markup"]
    await talk.say("/cancel")
    assert {"remove_keyboard": True} == talk.last.payload["reply_markup"]


class TestEnding:
    """A subscription is named by number, address, part of its title, or a button."""

    @pytest.mark.parametrize("name", ["del", "unsub", "unsubscribe"])
    @pytest.mark.parametrize("typed", ["number", "url", "title"])
    async def test_named(self, talk: Talk, name: str, typed: str) -> None:
        """All ways to name it end it (TGC-13)."""
        await talk.say(f"/sub {talk.url()}")
        number = (await talk.say("/list")).splitlines()[2].split()[0]
        word = {"number": number, "url": talk.url(), "title": "harb"}[typed]

        assert "✅ Harbour does not come here any more." == await talk.say(f"/{name} {word}")
        assert [] == await talk.going()

    async def test_by_button(self, talk: Talk) -> None:
        """The command alone offers all subscriptions."""
        await talk.say(f"/sub {talk.url()}")
        await talk.say("/del")

        assert "does not come here any more" in await talk.press("Harbour")
        assert [] == await talk.going()

    async def test_only_ones_own(self, talk: Talk) -> None:
        """A number of another chat is as good as none (promise 10)."""
        await talk.say(f"/sub {talk.url()}")
        number = (await talk.say("/list")).splitlines()[2].split()[0]
        await talk.say(f"/sub {talk.url('/other')}", EVE)

        assert "no “" in await talk.say(f"/del {number}", EVE)
        assert 2 == len(await talk.going())

    async def test_in_a_topic_that_topics(self, talk: Talk) -> None:
        """Where two topics get a feed, its address means this topic's."""
        await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)
        await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=58)
        await talk.say(f"/del {talk.url()}", chat=FORUM, topic=58)

        assert [("/feed", "-1001/57")] == await talk.going()


class TestLists:
    """What comes here, in any number."""

    @pytest.mark.parametrize("name", ["list", "rss", "feeds", "list_subscriptions"])
    async def test_names(self, talk: Talk, name: str) -> None:
        """All four names show number, title and address (TGC-14)."""
        assert "Nothing comes here yet" in await talk.say(f"/{name}")
        await talk.say(f"/sub {talk.url()}")
        said = await talk.say(f"/{name}")

        assert said.startswith("Ada: one subscription")
        assert said.endswith(f"Harbour\n{talk.url()}")

    async def test_members_may_look(self, talk: Talk) -> None:
        """Looking changes nothing."""
        await talk.say(f"/sub {talk.url()}", chat=GROUP)

        assert "Harbour" in await talk.say("/list", EVE, GROUP)

    async def test_many(self, talk: Talk) -> None:
        """A hundred feeds with long addresses come in several messages, none too long (TGC-15)."""
        outlines = "".join(
            f'<outline type="rss" text="Feed {number}" xmlUrl="https://example.org/{number}/'
            f'{"x" * 60}"/>'
            for number in range(100)
        )
        talk.telegram.files["list"] = (
            f"<opml version='2.0'><body>{outlines}</body></opml>".encode()
        )
        await talk.say("", document={"file_id": "list", "file_unique_id": "l"})
        said = await talk.say("/list")

        assert 1 < len(talk.said)
        assert [] == [each.text for each in talk.said if units(each.text) > 4096]
        assert 100 == said.count("https://example.org/")

    async def test_renamed_chats(self, talk: Talk) -> None:
        """The title is noted anew with each subscription; in private it is the name (TGC-39)."""
        await talk.say(f"/sub {talk.url()}", chat=GROUP)
        await talk.say(f"/sub {talk.url('/other')}", chat=GROUP | {"title": "Tide watch"})
        await talk.say(f"/sub {talk.url()}")

        def titles(connection: Connection) -> list[str]:
            return list(
                connection.scalars(select(destinations.c.title).order_by(destinations.c.id))
            )

        assert ["Tide watch", "Ada"] == await talk.database.read(titles)

    async def test_german(self, talk: Talk) -> None:
        """Whoever's app is German is answered in German (TGC-42)."""
        assert "Hierher kommt noch nichts" in await talk.say("/list", EMIL)
        assert "Das habe ich nicht verstanden" in await talk.say("hallo", EMIL)
        assert private(EMIL)["id"] == talk.last.chat


async def test_a_feed_that_had_been_given_up(talk: Talk) -> None:
    """Is marked in lists with the reason; following it asks again, which is told in words of its
    own (TGC-11, FAIL-16, FAIL-18)."""
    await talk.say(f"/sub {talk.url()}", EVE)

    def give_up(connection: Connection) -> None:
        connection.execute(update(feeds).values(disabled_at=NOON, disabled_reason="HTTP 410 Gone"))

    await talk.database.write(give_up)
    before = len(await talk.going())
    assert "🚫 HTTP 410 Gone" in await talk.say("/list", EVE)
    said = await talk.say(f"/sub {talk.url()}")

    assert "given up" in said
    assert (1, 2) == (before, len(await talk.going()))
    assert "🚫" not in await talk.say("/list")
