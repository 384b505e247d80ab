"""The same commands once more in a simulator that we did not write, which is strict about what a
bot may answer, send and register."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import discord
import pytest
import simcord

from tests.channels.discord.bot.conftest import FEED, OTHER, feed
from tests.fetching.conftest import OpenClient, OpenSite
from tests.polling.newsroom import open_newsroom
from tests.servers.scripted import Reply
from wireroom.channels.discord.bot import client
from wireroom.channels.discord.bot.desk import Desk
from wireroom.channels.discord.bot.icons import Icons
from wireroom.channels.discord.render import render
from wireroom.delivery.channel import Address, Answer, Go, Parcel, Sent, at_once
from wireroom.delivery.message import Message
from wireroom.store.engine import Database
from wireroom.store.vault import Vault

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@dataclass
class Posts:
    """Webhooks lie outside of the simulator: what would be posted is kept."""

    kind: str = "discord"
    pace: timedelta = timedelta(0)
    sent: list[Parcel] = field(default_factory=list)
    #: The number of the message that is posted next.
    number: str = "1"

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        return render(message, address, settings)

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        self.sent.append(parcel)
        return Sent(self.number)

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        return Sent(message_id)

    async def close(self) -> None:
        pass


@dataclass
class Stage:
    """The simulator with our bot, a channel, and somebody who may manage the server."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    boss: simcord.MemberActor
    guest: simcord.MemberActor
    role: simcord.RoleHandle
    posts: Posts


#: Opens the stage within the test: the simulator wants to end in the context that it began in.
OpenStage = Callable[[], AbstractAsyncContextManager[Stage]]


@pytest.fixture
def open_stage(
    sqlite_database: Database, open_client: OpenClient, open_site: OpenSite
) -> OpenStage:
    return lambda: _stage(sqlite_database, open_client, open_site)


@asynccontextmanager
async def _stage(
    database: Database, open_client: OpenClient, open_site: OpenSite
) -> AsyncIterator[Stage]:
    script: dict[str, Any] = {
        "/feed": _hanging_up(feed("2", "1")),
        "/other": _hanging_up(feed("b", "a")),
        "/": _hanging_up(Reply(404)),
    }
    async with (
        open_client() as http,
        open_newsroom(database, http) as room,
        open_site(script),
    ):
        posts = Posts()
        desk = Desk(room.tools, Vault(b"k" * 32), room.bell, posts, "bot", Icons(), page_size=1)
        async with simcord.run(client.Bot(desk, shards=1), settle_timeout=60) as env:
            guild = env.create_guild()
            channel = guild.create_text_channel("news")
            manager = guild.create_role(
                "manager", permissions=discord.Permissions(manage_guild=True)
            )
            boss = guild.add_member(env.create_user("boss"), roles=[manager])
            guest = guild.add_member(env.create_user("guest"))
            yield Stage(env, channel, boss, guest, manager, posts)


def _hanging_up(reply: Reply) -> Reply:
    """A publisher that keeps no connection open.

    The simulator waits after every command until each timer has run out, that of an idle
    connection as well: ten seconds of nothing.
    """
    return replace(reply, headers=(*reply.headers, ("Connection", "close")))


async def test_add_list_turn_remove(open_stage: OpenStage) -> None:
    """A feed's way through the commands, answered to who asks alone where it counts (SEC-09)."""
    async with open_stage() as stage:
        added = await stage.boss.slash(stage.channel, "rss add", feed_url=FEED)
        await stage.boss.slash(stage.channel, "rss add", feed_url=OTHER)
        listed = await stage.guest.slash(stage.channel, "rss list")
        first = listed.response.embeds[0].footer.text
        await stage.guest.click(listed.response.message, label="Next ▶")
        removed = await stage.boss.slash(stage.channel, "rss remove", feed="1")

        assert added.response.ephemeral
        assert "Feed added" == added.response.embeds[0].title
        assert 2 == len(stage.posts.sent)
        assert ("Page 1 of 2", "Page 2 of 2") == (first, listed.response.embeds[0].footer.text)
        assert removed.response.content.startswith("🗑️")


async def test_refusals(open_stage: OpenStage) -> None:
    """Whoever may not is told so, alone."""
    async with open_stage() as stage:
        shown = await stage.guest.slash(stage.channel, "rss add", feed_url=FEED)

        assert shown.response.ephemeral
        assert shown.response.content.startswith("❌ You need the right")
        assert [] == stage.posts.sent


async def test_every_command_answers(open_stage: OpenStage) -> None:
    """None leaves anybody without an answer."""
    async with open_stage() as stage:
        await stage.boss.slash(stage.channel, "rss add", feed_url=FEED)
        used: dict[str, dict[str, Any]] = {
            "ping": {},
            "hello": {},
            "rss list": {},
            "rss status": {},
            "rss why": {"feed": "1"},
            "rss preview": {"feed": "1"},
            "rss test": {"feed": "1"},
            "rss poll": {"feed": "1"},
            "rss find": {"feed_url": FEED},
            "rss filter": {"feed": "1", "text": "-crypto"},
            "rss set": {"feed": "1", "setting": "silent", "value": "on"},
            "rss edit": {"feed": "1", "name": "Ships"},
            "rss interval": {"feed": "1", "seconds": "3600"},
            "rss pause": {"feed": "1", "how_long": "2h"},
            "rss resume": {},
            "rss clone": {"feed": "1", "feed_url": OTHER},
            "rss reset": {},
            "rss export": {},
            "link server": {},
            "link me": {},
            "rss remove": {"feed": "1"},
        }
        for typed, options in used.items():
            shown = await stage.boss.slash(stage.channel, typed, **options)

            assert shown.response is not None, typed
            assert "our side" not in shown.response.content, typed


async def test_a_form(open_stage: OpenStage) -> None:
    """A template is written in a form, shown as the newest entry in it, found there again, and
    taken away by sending none."""
    async with open_stage() as stage:
        await stage.boss.slash(stage.channel, "rss add", feed_url=FEED)
        form = await stage.boss.slash(stage.channel, "rss template", feed="1")
        kept = await stage.boss.submit_modal(form, {"source": "<b>{{ title }}</b>!"})
        again = await stage.boss.slash(stage.channel, "rss template", feed="1")
        written = _field(again)
        gone = await stage.boss.submit_modal(again, {"source": " "})

        assert kept.response.ephemeral
        assert kept.response.content.startswith("✅")
        assert "**Story 2**!" == kept.response.embeds[0].description
        assert "<b>{{ title }}</b>!" == written
        assert gone.response.content.startswith("✅")
        assert [] == gone.response.embeds


async def test_a_form_with_a_mistake(open_stage: OpenStage) -> None:
    """What was typed comes back with what is wrong about it; nothing was changed."""
    async with open_stage() as stage:
        await stage.boss.slash(stage.channel, "rss add", feed_url=FEED)
        form = await stage.boss.slash(stage.channel, "rss template", feed="1")
        wrong = await stage.boss.submit_modal(form, {"source": "{{ title"})
        again = await stage.boss.slash(stage.channel, "rss template", feed="1")

        assert wrong.response.content.startswith("❌")
        assert "```\n{{ title\n```" in wrong.response.content
        assert "" == _field(again)


def _field(form: simcord.InteractionResult) -> str:
    """What stands in the only line of a form."""
    assert form.modal is not None
    return str(form.modal["components"][0]["component"].get("value") or "")


async def test_the_form_of_a_message(open_stage: OpenStage) -> None:
    """Words of a posted message are kept out from then on, by the menu and the form behind it."""
    async with open_stage() as stage:
        message = await stage.guest.send(stage.channel, "stands for what a webhook posted")
        stage.posts.number = str(message.id)
        await stage.boss.slash(stage.channel, "rss add", feed_url=FEED)
        form = await stage.boss.context_menu(stage.channel, "Mute like this", message)
        muted = await stage.boss.submit_modal(form, {"words": "storm"})
        shown = await stage.boss.slash(stage.channel, "rss filter", feed="1")

        assert muted.response.content.startswith("🔇")
        assert '-"storm"' in shown.response.content


async def test_import_and_mention(open_stage: OpenStage) -> None:
    """A file comes in, and a role is to be called for what came with it."""
    async with open_stage() as stage:
        document = b"""<opml version="2.0"><body>
            <outline type="rss" text="Harbour" xmlUrl="https://news.example/feed"/>
        </body></opml>"""
        imported = await stage.boss.slash(
            stage.channel, "rss import", file=("feeds.opml", document)
        )
        called = await stage.boss.slash(
            stage.channel, "rss mention", feed="1", role=stage.role, when="storm"
        )

        assert imported.response.content.startswith("📥 1 feed is new here; here already: 0;")
        assert "`storm`" in called.response.content


@pytest.mark.parametrize("name", ["Why is this here?", "Mute like this", "Save to my account"])
async def test_menus_of_a_message(open_stage: OpenStage, name: str) -> None:
    """A message that is none of ours is told to be so, to whoever asked."""
    async with open_stage() as stage:
        message = await stage.guest.send(stage.channel, "Hello")
        shown = await stage.boss.context_menu(stage.channel, name, message)

        assert shown.response.ephemeral
        assert "no news of ours" in shown.response.content


async def test_suggestions(open_stage: OpenStage) -> None:
    """Feeds of the server while somebody types."""
    async with open_stage() as stage:
        await stage.boss.slash(stage.channel, "rss add", feed_url=FEED)
        found = await stage.boss.autocomplete(stage.channel, "rss remove", "feed", "har")

        assert ["1"] == [each["value"] for each in found]
