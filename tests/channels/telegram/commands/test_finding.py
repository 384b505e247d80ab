"""Discovery, lists, accounts, marks, and what people want to know."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, delete, select, update

from tests.channels.telegram.commands.talk import (
    ADA,
    CHANNEL,
    EVE,
    FORUM,
    GROUP,
    PATIENCE_SECONDS,
    Talk,
    feed,
    open_talk,
    private,
    until,
)
from tests.rows import NOON, add_account
from wireroom import doors
from wireroom.store import chat_routes
from wireroom.store import doors as door_rows
from wireroom.store.engine import Database
from wireroom.store.schema import deliveries, destinations, feeds, routes


def url_entity(text: str) -> list[dict[str, Any]]:
    return [{"type": "url", "offset": 0, "length": len(text)}]


class TestDiscovery:
    """Something is sent, and what it holds is offered."""

    async def test_a_link(self, talk: Talk) -> None:
        """The feeds behind it are buttons."""
        link = talk.url("/page")
        await talk.say(link, entities=url_entity(link))
        assert ["News", "Lighthouse", "No"] == talk.last.labels
        assert "Lighthouse comes here" in await talk.press("Lighthouse")

    async def test_a_link_to_one_feed(self, talk: Talk) -> None:
        """It is shown first, if one likes, and comes with one press."""
        link = talk.url("/lonely")
        assert "Shall I send it here?" in await talk.say(link, entities=url_entity(link))
        offer = talk.last
        assert "Story 9" in await talk.press("Show the newest", under=offer)
        assert [] == await talk.going()
        assert "Lighthouse comes here" in await talk.press("Subscribe", under=offer)
        assert "too old" in await talk.press("", data="take.99.0")

    async def test_a_link_in_a_group(self, talk: Talk) -> None:
        """There people share links for other reasons."""
        link = talk.url("/page")
        assert "" == await talk.say(link, ADA, GROUP, entities=url_entity(link))

    async def test_a_link_to_nothing(self, talk: Talk) -> None:
        """What is no feed is told as by /sub."""
        link = talk.url("/plain")
        assert "no feed" in await talk.say(link, entities=url_entity(link))

    async def test_a_forwarded_post(self, talk: Talk) -> None:
        """Of a channel that one leads: it can be managed from here; its links are looked at."""
        link = talk.url("/lonely")
        origin = {"type": "channel", "chat": CHANNEL, "message_id": 5, "date": 0}
        said = await talk.say(link, forward_origin=origin, entities=url_entity(link))

        assert "Shall I post into Harbour News?" in said
        assert "Lighthouse" in said
        offer = talk.said[0]
        assert "about Harbour News" in await talk.press("Manage it from here", under=offer)
        await talk.say(f"/sub {talk.url()}")
        assert [("/feed", "-1002")] == await talk.going()
        await talk.say("/here")
        await talk.say(f"/sub {talk.url()}")
        assert [("/feed", "-1002"), ("/feed", "7")] == await talk.going()

    async def test_an_opml_file(self, talk: Talk) -> None:
        """All its feeds come here, without their old entries (TGC-41, OPML-13)."""
        outlines = "".join(
            f'<outline type="rss" text="{path}" xmlUrl="{talk.url(path)}"/>'
            for path in ("/feed", "/other")
        )
        talk.telegram.files["list"] = (
            f'<opml version="2.0"><body>{outlines}<outline text="x" xmlUrl="ftp://x/y"/>'
            "</body></opml>"
        ).encode()
        document = {"file_id": "list", "file_unique_id": "l", "file_name": "a.opml"}
        said = await talk.say("", document=document)

        assert "2 feeds come here" in said
        assert "ftp://x/y" in said
        assert [("/feed", "7"), ("/other", "7")] == await talk.going()
        assert "Here already: 2" in await talk.say("", document=document)

    async def test_an_opml_file_in_a_group(self, talk: Talk) -> None:
        """With the command as its caption; members may not (OPML-13)."""
        talk.telegram.files["list"] = (
            f'<opml version="2.0"><body><outline xmlUrl="{talk.url()}"/></body></opml>'
        ).encode()
        more = {
            "document": {"file_id": "list", "file_unique_id": "l"},
            "caption": "/import",
            "caption_entities": [{"type": "bot_command", "offset": 0, "length": 7}],
        }
        assert "Only admins" in await talk.say("", EVE, GROUP, **more)
        assert "One feed comes here" in await talk.say("", ADA, GROUP, **more)

    async def test_export(self, talk: Talk) -> None:
        """A file that other readers take."""
        await talk.say(f"/sub {talk.url()}")
        assert "One subscription" == await talk.say("/export")

        (sent,) = talk.telegram.documents
        assert talk.url().encode() in sent["content"]


async def test_limits(sqlite_database: Database) -> None:
    """Where a chat may have so many, one more is refused (TGC-12)."""
    from wireroom.channels.telegram.commands.desk import Limits

    async with open_talk(sqlite_database, limits=Limits({"private": 1})) as talk:
        await talk.say(f"/sub {talk.url()}")
        assert "can have one subscription" in await talk.say(f"/sub {talk.url('/other')}")
        assert [("/feed", "7")] == await talk.going()


class TestFindingOut:
    """Looking without changing."""

    async def test_search(self, talk: Talk) -> None:
        """Entries of the feeds that come here are found by their words."""
        from wireroom.store import indexing

        await talk.say(f"/sub {talk.url()}")
        while await talk.database.write(indexing.index_some):
            pass
        assert "Story 2 Harbour" in await talk.say("/search story 2")
        assert "Nothing found" in await talk.say("/search nowhere")
        assert "Nothing found" in await talk.say("/search story", EVE)

    async def test_pages_of_a_search(self, talk: Talk) -> None:
        """Everything that was found can be turned to, ten at a time, by whoever reads along."""
        from wireroom.store import indexing

        talk.script["/many"] = feed(*[str(number) for number in range(125, 0, -1)])
        await talk.say(f"/sub {talk.url('/many')}", chat=GROUP)
        await talk.say(f"/sub {talk.url('/other')}", ADA)
        while await talk.database.write(indexing.index_some):
            pass
        await talk.say("/search story", EVE, GROUP)
        found, seen = talk.last, set(talk.last.text.splitlines())
        assert ["›"] == found.labels
        for _ in range(12):
            await talk.press("›", EVE, under=found)
            seen |= set(found.text.splitlines())

        assert 125 == len(seen)
        assert ["‹"] == found.labels
        assert "too old" in await self.noted(talk, "hits.1.999")

    async def noted(self, talk: Talk, data: str) -> str:
        """What a forged or old button shows."""
        await talk.press("", EVE, data=data)
        return talk.note

    async def test_status(self, talk: Talk) -> None:
        """How many, and what is in trouble."""
        await talk.say(f"/sub {talk.url()}")
        said = await talk.say("/status")

        assert said.startswith("Ada\nSubscriptions: 1\nThe next feed is asked in 10 min.")
        assert said.endswith("All feeds are well.")

    async def test_status_of_what_is_due(self, talk: Talk) -> None:
        """A feed whose time has come is asked now, not some minutes ago."""
        await talk.say(f"/sub {talk.url()}")
        for minutes in (10, 3):
            talk.clock.move(timedelta(minutes=minutes))
            assert "The next feed is asked now." in await talk.say("/status")

    async def test_buttons_of_a_feed(self, talk: Talk) -> None:
        """A filter and a template are asked for in private, and not before others (TGC-30)."""
        shown = {}
        for chat in (private(ADA), GROUP, CHANNEL):
            await talk.say(f"/sub {talk.url()}", ADA if chat != CHANNEL else None, chat)
            await talk.say("/feed Harbour", ADA if chat != CHANNEL else None, chat)
            shown[chat["type"]] = {"Filter", "Template"} & set(talk.last.labels)
            assert "Settings" in talk.last.labels

        asked = {"Filter", "Template"}
        assert {"private": asked, "group": set(), "channel": set()} == shown


class TestPosts:
    """Messages that were delivered, and their buttons."""

    @pytest.fixture
    async def delivered(self, sqlite_database: Database) -> Any:
        """Two posts with buttons under them, in Ada's chat."""
        async with open_talk(sqlite_database, delivers=True, initial_items=2) as talk:
            await talk.say("/set chat marks on")
            await talk.say(f"/sub {talk.url()}")
            await until(lambda: len(posts(talk)) == 2, "two posts")
            yield talk

    async def test_why(self, delivered: Talk) -> None:
        """A reply to a post tells its feed, its filter and its times."""
        said = await delivered.say("/why", reply_to_message=reply(posts(delivered)[0]))

        assert said.startswith(f"Story 1\nFrom Harbour: {delivered.url()}")
        assert "Sent 2026-11-30 12:00:00 UTC, 0 s after it was found" in said
        assert "No filter and no rule spoke of it" in said
        other = reply(delivered.telegram.messages[0])
        assert "none of my news" in await delivered.say("/why", reply_to_message=other)
        assert "✅ Story 2" in await delivered.say("/why Harbour")

    async def test_why_it_came_then(self, sqlite_database: Database) -> None:
        """What was noted on sending counts, a rule too, whatever is wished by now."""
        noted = update(deliveries).where(deliveries.c.seq == 2)
        ruled = noted.values(detail="rule of the account: 2 -> keep")
        async with open_talk(sqlite_database, delivers=True, initial_items=2) as talk:
            await talk.say("/set chat filter story")
            await talk.say(f"/sub {talk.url()}")
            await until(lambda: len(posts(talk)) == 2, "two posts")
            async with asyncio.timeout(PATIENCE_SECONDS):  # the ledger is behind the message
                while not await sqlite_database.write(lambda c: c.execute(ruled).rowcount):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.01)
            await talk.say("/set chat filter nothing")
            by_filter, by_rule = [
                await talk.say("/why", reply_to_message=reply(post)) for post in posts(talk)
            ]

        assert by_filter.endswith("Sent: filter of this chat: matches story.")
        assert by_rule.endswith("Sent: rule of this chat: 2 -> keep.")

    async def test_marks(self, delivered: Talk) -> None:
        """Read and favourite are turned, and the buttons show it."""
        post = posts(delivered)[1]
        assert ["☑️", "☆", "🔇"] == post.labels
        await delivered.press("☑️", under=post)
        assert ("Read.", ["✅", "☆", "🔇"]) == (delivered.note, post.labels)
        await delivered.press("☆", under=post)
        assert ("A favourite.", ["✅", "⭐", "🔇"]) == (delivered.note, post.labels)
        await delivered.press("✅", under=post)
        assert ("Unread again.", ["☑️", "⭐", "🔇"]) == (delivered.note, post.labels)

    async def test_mute(self, delivered: Talk) -> None:
        """The feed rests for a day; the way back leads back."""
        post = posts(delivered)[0]
        await delivered.press("🔇", under=post)
        assert ["🔇 this feed for a day", "‹ Back"] == post.labels
        await delivered.press("‹ Back", under=post)
        await delivered.press("🔇", under=post)
        await delivered.press("🔇 this feed", under=post)
        assert "Nothing of this feed for a day." == delivered.note
        assert "paused" in await delivered.say("/list")


async def test_older_entries_on_demand(sqlite_database: Database) -> None:
    """A new subscription offers what is there already (wish 25)."""
    async with open_talk(sqlite_database, delivers=True) as talk:
        await talk.say(f"/sub {talk.url()}")
        answer = talk.last
        assert ["Send the newest 3", "Send the newest 10"] == answer.labels[:2]
        await talk.press("Send the newest 3", under=answer)
        await until(lambda: len(posts(talk)) == 2, "all there are")

        assert ["Filter, layout, times …"] == answer.labels


async def test_no_more_of_an_author(sqlite_database: Database) -> None:
    """The author is added to the route's filter, beside what is there."""
    async with open_talk(sqlite_database, delivers=True, initial_items=1) as talk:
        item = (
            b"<rss version='2.0'><channel><title>Harbour</title><item><guid>1</guid>"
            b"<title>Story 1</title><author>jo@x.example (Jo Doe)</author>"
            b"<category>Ships</category></item></channel></rss>"
        )
        talk.script["/feed"] = feed()
        from tests.servers.scripted import Reply

        talk.script["/feed"] = Reply(body=item)
        await talk.say("/set chat marks on")
        await talk.say(f"/sub {talk.url()}")
        await until(lambda: len(posts(talk)) == 1, "a post")
        await talk.say("/set_filter Harbour Story, Ship")
        (post,) = posts(talk)
        await talk.press("🔇", under=post)
        await talk.press("🔇 about Ships", under=post)

        assert "category:Ships" in talk.note
        said = await talk.say("/get_filter Harbour")
        assert "category:Ships" in said
        assert "story" in said.lower()


def posts(talk: Talk) -> list[Any]:
    return [each for each in talk.telegram.messages if each.text.startswith("Story")]


def reply(message: Any) -> dict[str, Any]:
    return {
        "message_id": message.message_id,
        "from": {"id": 123456789, "is_bot": True, "first_name": "Wireroom"},
        "chat": {"id": message.chat, "type": "private"},
        "date": 0,
        "text": message.text,
    }


class TestAccounts:
    """A chat and a person's account become one, and two again."""

    async def test_with_a_code_of_the_reader(self, talk: Talk) -> None:
        """What the chat follows is the person's from then on."""
        account = await talk.database.write(add_account)
        password = doors.Door("password", "ada")
        await talk.database.write(
            lambda connection: door_rows.add_door(connection, account, password, now=NOON)
        )
        code = await doors.new_code(talk.database, account, now=NOON)
        await talk.say(f"/sub {talk.url()}")

        assert "belongs to the account now" in await talk.say(f"/link {code}")
        assert account == await doors.account_of(talk.database, doors.Door("telegram", "7"))
        assert "Harbour" in await talk.say("/list")
        assert "by itself again" in await talk.say("/unlink")
        assert "Harbour" in await talk.say("/list")
        assert "not linked" in await talk.say("/unlink")

    async def test_a_new_topic_of_a_linked_chat(self, talk: Talk) -> None:
        """Wants what the chat wants: there its topics hold the chat's settings."""
        account = await talk.database.write(add_account)
        door = doors.Door("password", "ada")
        await talk.database.write(lambda each: door_rows.add_door(each, account, door, now=NOON))
        code = await doors.new_code(talk.database, account, now=NOON)
        await talk.say(f"/link {code}", chat=FORUM)
        await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)
        await talk.say("/set chat marks on", chat=FORUM, topic=57)
        await talk.say(f"/sub {talk.url('/other')}", chat=FORUM, topic=58)
        await talk.say("/move Harbour", chat=FORUM, topic=59)
        held = select(destinations.c.settings).order_by(destinations.c.address)

        assert [{"marks": True}] * 3 == list(
            await talk.database.read(lambda each: each.scalars(held).all())
        )

    async def test_by_a_deep_link(self, talk: Talk) -> None:
        """t.me/bot?start=link_CODE asks first: whoever sent it may have made the code."""
        account = await talk.database.write(add_account)
        code = await doors.new_code(talk.database, account, now=NOON)
        door = doors.Door("telegram", "7")

        asked = await talk.say(f"/start link_{code}")
        before = await doors.account_of(talk.database, door)
        told = await talk.press("Yes, it is mine")

        assert "only if you made it yourself" in asked
        assert account != before
        assert "belongs to the account" in told
        assert account == await doors.account_of(talk.database, door)

    async def test_no_code_where_others_read_it(self, talk: Talk) -> None:
        """A group is asked for a code and shown none: with it a stranger could take the group."""
        said = await talk.say("/link", chat=GROUP)
        alone = await talk.say("/link")

        assert "where others read it" in said
        assert "15 minutes" in alone

    async def test_a_linked_group_gives_no_code_of_its_person(self, talk: Talk) -> None:
        """Not in private either, to whoever manages the group from there."""
        account = await talk.database.write(add_account)
        door = doors.Door("password", "ada")
        await talk.database.write(lambda each: door_rows.add_door(each, account, door, now=NOON))
        code = await doors.new_code(talk.database, account, now=NOON)
        await talk.say(f"/link {code}", chat=GROUP)
        await talk.say("/manage -42")

        assert "somebody's account" in await talk.say("/link")

    async def test_rules_of_a_linked_group_stay_in_it(self, talk: Talk) -> None:
        """Its admins do not send into the other chats of whoever the account belongs to; that
        person may, in private.
        """
        account = await talk.database.write(add_account)
        await talk.say(f"/sub {talk.url()}")
        for where in (None, GROUP):
            code = await doors.new_code(talk.database, account, now=NOON)
            await talk.say(f"/link {code}", chat=where)
        await talk.say(f"/sub {talk.url()}", chat=GROUP)
        mine = (await talk.database.read(chat_routes.destinations_of, account, "telegram", "7"))[0]
        rule = f"/set chat rules story -> route {mine[0]}"

        assert "There is no destination" in await talk.say(rule, chat=GROUP)
        assert "There is no destination" not in await talk.say(rule)

    async def test_a_list_brings_in_nothing_private(self, talk: Talk) -> None:
        """Who knows the address of a feed with a password cannot lead it into the chat by that: it
        is followed already, and stays where it goes."""
        await talk.say(f"/sub {talk.url()}")
        account = await doors.account_of(talk.database, doors.Door("telegram", "7"))

        def hide(connection: Connection) -> None:
            connection.execute(update(feeds).values(owner_account_id=account))
            connection.execute(delete(routes))

        await talk.database.write(hide)
        listed = f'<opml version="2.0"><body><outline xmlUrl="{talk.url()}"/></body></opml>'
        talk.telegram.files["list"] = listed.encode()
        document = {"file_id": "list", "file_unique_id": "l", "file_name": "a.opml"}
        await talk.say("", document=document)

        led = select(feeds.c.owner_account_id).join(routes, routes.c.feed_id == feeds.c.id)
        assert [] == list(await talk.database.read(lambda each: each.scalars(led).all()))

    async def test_wrong_codes(self, talk: Talk) -> None:
        """Are told."""
        assert "This code is wrong" in await talk.say("/link AAAAA-BBBBB")

    async def test_settings_of_a_linked_chat_are_its_own(self, talk: Talk) -> None:
        """Another chat of the same person keeps its own."""
        account = await talk.database.write(add_account)
        for who in (ADA, EVE):
            await talk.say(f"/sub {talk.url()}", who)
            code = await doors.new_code(talk.database, account, now=NOON)
            await talk.say(f"/link {code}", who)
        await talk.say("/toggle_preview_enabled")

        assert "off" in await talk.say("/get_preview_enabled")
        assert "on" in await talk.say("/get_preview_enabled", EVE)


class TestElsewhere:
    """Commands about another chat."""

    async def test_choosing_with_the_button(self, talk: Talk) -> None:
        """Telegram's own list of channels leads to the same."""
        await talk.say("/manage")
        keyboard = talk.last.payload["reply_markup"]["keyboard"]
        assert ["Choose a channel", "Choose a group"] == [each["text"] for each in keyboard[0]]
        said = await talk.say("", chat_shared={"request_id": 1, "chat_id": -1002})

        assert "about Harbour News" in said
        assert {"remove_keyboard": True} == talk.last.payload["reply_markup"]

    async def test_who_falls_manages_no_more(self, talk: Talk) -> None:
        """The admin check is made at each command (trap of roles)."""
        await talk.say("/manage -1002")
        talk.telegram.members[-1002, ADA["id"]] = "member"
        await talk.update(chat_member=membership(CHANNEL, ADA, "member"))
        await talk.say(f"/sub {talk.url()}")

        assert [("/feed", "7")] == await talk.going()

    async def test_into_another_topic(self, talk: Talk) -> None:
        """A feed is moved into the topic where one says so (wish 1)."""
        await talk.say(f"/sub {talk.url()}", chat=FORUM, topic=57)
        assert "comes here from now on, and nowhere else" in await talk.say(
            "/move Harbour", chat=FORUM, topic=58
        )
        assert [("/feed", "-1001/58")] == await talk.going()


def membership(
    chat: dict[str, Any], user: dict[str, Any], status: str, **more: Any
) -> dict[str, Any]:
    return json.loads(
        json.dumps(
            {
                "chat": chat,
                "from": ADA,
                "date": 0,
                "old_chat_member": {"user": user, "status": "left"},
                "new_chat_member": {"user": user, "status": status, **more},
            }
        )
    )
