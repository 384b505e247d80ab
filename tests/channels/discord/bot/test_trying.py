"""What would be posted of a feed, before anybody follows it or changes it."""

import asyncio

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from tests.servers.discord_platform import Shown
from tests.servers.scripted import Reply
from wireroom.channels.discord.bot.replies import Reply as Answer


async def test_a_stranger_is_shown_and_not_followed(bench: Bench) -> None:
    """Any address, with the wishes that were typed; nothing is posted or kept."""
    shown = await bench.run("rss preview", feed=FEED, color="#00ff00")
    listed = await bench.run("rss list")

    assert ["Story 2"] == [each["title"] for each in shown.embeds]
    assert 0x00FF00 == shown.embeds[0]["color"]
    assert shown.is_private
    assert [] == bench.posts
    assert "No feeds yet" in listed.text


async def test_a_preview_of_components(bench: Bench) -> None:
    """The layout itself is shown, in a container as it would be posted, and not its mere text."""
    shown = await bench.run("rss preview", feed=FEED, layout="components", color="#00ff00")

    (container,) = shown.data["components"]
    assert shown.is_private
    assert shown.data["flags"] & 32768
    assert (17, 0x00FF00) == (container["type"], container["accent_color"])
    assert "Story 2" in container["components"][0]["content"]
    assert ("", []) == (shown.text, shown.embeds)


def test_a_text_stands_above_components() -> None:
    """It takes the room that they leave, and a gallery keeps its pictures."""
    gallery = {"type": 12, "items": [{"media": {"url": "https://news.example/a.png"}}]}
    inside = [{"type": 10, "content": "x" * 3900}, gallery]
    answer = Answer("y" * 200, components=({"type": 17, "components": inside},))
    said, container = answer.arguments()["view"].to_components()

    assert ("y" * 99 + "…") == said["content"]
    assert [10, 12] == [each["type"] for each in container["components"]]
    pictures = [each["media"]["url"] for each in container["components"][1]["items"]]
    assert ["https://news.example/a.png"] == pictures


def _long(words: int, title: str = "Long") -> Reply:
    """A feed with one long entry."""
    text = " ".join(f"word{number}" for number in range(words))
    item = f"<item><title>{title}</title><guid>1</guid><description>{text}</description></item>"
    document = f"<rss version='2.0'><channel><title>Harbour</title>{item}</channel></rss>"
    return Reply(headers=(("Content-Type", "application/rss+xml"),), body=document.encode())


async def _messages(shown: Shown, count: int) -> list[str]:
    """The texts of an answer in so many messages."""
    async with asyncio.timeout(10):
        while len(shown.interaction.messages) < count:  # noqa: ASYNC110 - the fake's own list
            await asyncio.sleep(0.01)
    assert {True} == {is_private for _, is_private in shown.interaction.messages}
    return [
        "".join(each["description"] for each in data.get("embeds") or ()) or data["content"]
        for data, _ in shown.interaction.messages
    ]


async def test_all_messages_of_an_entry_are_shown(bench: Bench) -> None:
    """An entry that is sent whole, as it would be posted: one message after the other."""
    bench.script["/feed"] = _long(1200)
    await bench.run("rss add", feed_url=FEED, newest=0)
    await bench.run("rss set", feed="1", setting="long", value="split")
    shown = await _messages(await bench.run("rss preview", feed="1"), 3)
    await bench.run("rss test", feed="1")

    posted = [each.embed["description"] for each in bench.discord.messages]
    assert posted == shown
    assert " ".join(f"word{number}" for number in range(1200)) == " ".join(shown)


async def test_more_messages_than_are_shown(bench: Bench) -> None:
    """The first five, and how many more there are."""
    bench.script["/feed"] = _long(3300)
    await bench.run("rss add", feed_url=FEED, newest=0)
    await bench.run("rss set", feed="1", setting="long", value="split")
    shown = await _messages(await bench.run("rss preview", feed="1"), 6)
    await bench.run("rss test", feed="1")

    posted = [each.embed["description"] for each in bench.discord.messages]
    assert 7 == len(posted)
    said = "… and 2 more messages, which would be posted as well."
    assert [*posted[:5], said] == shown


async def test_a_text_of_full_length_is_not_cut(bench: Bench) -> None:
    """What filters say stands in a message of its own where there is no room for both."""
    bench.script["/feed"] = _long(600, "A long title " * 12)
    await bench.run("rss add", feed_url=FEED, newest=0, filter="storm", layout="text")
    await bench.run("rss set", feed="1", setting="long", value="split")
    said, *shown = await _messages(await bench.run("rss preview", feed="1"), 4)
    await bench.run("rss test", feed="1")

    assert said.endswith("It would look like this:")
    assert [each.payload["content"] for each in bench.discord.messages] == shown


async def test_a_stranger_is_posted(bench: Bench) -> None:
    """In the channel where that is asked for, exactly as the preview shows it."""
    shown = await bench.run("rss preview", feed=FEED, template="<b>{{ title }}</b> !")
    posted = await bench.run("rss test", feed=FEED, template="<b>{{ title }}</b> !")
    listed = await bench.run("rss list")

    (message,) = bench.discord.messages
    shown_embed = {key: value for key, value in shown.embeds[0].items() if key != "type"}
    assert shown_embed["description"] == message.embed["description"]
    assert "**Story 2** !" == message.embed["description"]
    assert posted.text.startswith("📨 **Harbour**: posted in")
    assert "No feeds yet" in listed.text


async def test_a_filter_shows_what_it_lets_through(bench: Bench) -> None:
    """The newest that fits, and why the newest of all does not."""
    fits = await bench.run("rss preview", feed=FEED, filter='"story 1"')
    none = await bench.run("rss preview", feed=FEED, filter="storm")

    assert ["Story 1"] == [each["title"] for each in fits.embeds]
    assert "“Story 2”, would not be posted: filter of the route: does not match" in fits.text
    assert "None of the newest 2 would be" in none.text


async def test_one_entry_is_told_as_one(bench: Bench) -> None:
    """Where a feed has a single entry, nothing is counted in the plural."""
    bench.script["/feed"] = feed("1")
    none = await bench.run("rss preview", feed=FEED, filter="storm")
    await bench.run("rss add", feed_url=FEED, newest=0)
    would = await bench.run("rss filter", feed="1", text="storm")

    assert none.text.endswith("\nIt would look like this:")
    assert would.text.endswith("\nOf the 1 entry so far 0 would be posted.")


async def test_one_that_is_followed_comes_as_it_is_wished(bench: Bench) -> None:
    """With its own settings, and with others for this once."""
    await bench.run("rss add", feed_url=FEED, newest=0, layout="text")
    own = await bench.run("rss preview", feed="1")
    other = await bench.run("rss preview", feed=FEED, layout="embed")
    posted = await bench.run("rss test", feed="1", layout="components")

    assert own.text.startswith("**[Story 2]")
    assert "Story 2" == other.embeds[0]["title"]
    assert posted.text.startswith("📨")
    assert "components" in bench.discord.messages[-1].payload


async def test_a_test_minds_the_filter_of_the_feed(bench: Bench) -> None:
    """It posts what really would come, and says why the newest would not."""
    await bench.run("rss add", feed_url=FEED, newest=0, filter='"story 1"')
    posted = await bench.run("rss test", feed="1")
    await bench.run("rss filter", feed="1", text="storm")
    none = await bench.run("rss test", feed="1")

    assert ["Story 1", "Story 2"] == bench.posts
    assert "“Story 2”, would not be posted: filter of the route: does not match" in posted.text
    assert "None of the newest 2 would be" in none.text


@pytest.mark.parametrize("options", [{}, {"color": "#00ff00"}], ids=["plain", "with a wish"])
async def test_a_test_goes_where_it_is_sent(bench: Bench, options: dict[str, str]) -> None:
    """A channel that was named gets it; the feed goes on where it went."""
    there = bench.discord.add_channel(bench.guild)
    await bench.run("rss add", feed_url=FEED, newest=0)
    shown = await bench.run("rss test", feed="1", channel=there, **options)
    await bench.run("rss test", feed="1", **options)

    assert f"posted in <#{there.id}>" in shown.text
    assert [there.id, bench.channel.id] == [each.channel for each in bench.discord.messages]


@pytest.mark.parametrize("layout", ["embed", "text", "components"])
async def test_why_of_a_test(bench: Bench, layout: str) -> None:
    """A test is no line of the ledger: what became of its entry in earnest is told."""
    await bench.run("rss add", feed_url=FEED, newest=1)
    await bench.run("rss test", feed="1", layout=layout)
    message = bench.discord.messages[-1]
    why = await bench.discord.menu(bench.member, bench.channel, "Why is this here?", message)
    saved = await bench.discord.menu(bench.member, bench.channel, "Save to my account", message)

    fields = {each["name"]: each["value"] for each in why.embeds[0]["fields"]}
    assert "Story 2" == why.embeds[0]["title"]
    assert "#1 Harbour" == fields["From"]
    assert "Sent: shown as a preview when the feed was added." == fields["Because"]
    assert "you follow Harbour" in saved.text


async def test_why_of_a_strangers_test(bench: Bench) -> None:
    """Nobody follows that feed here."""
    await bench.run("rss test", feed=FEED)
    (message,) = bench.discord.messages
    shown = await bench.discord.menu(bench.member, bench.channel, "Why is this here?", message)

    assert "a mere test" in shown.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"feed": "https://news.example/none"}, "404"),
        ({"feed": "99"}, "There is no such feed"),
        ({"feed": OTHER, "filter": "((("}, "❌"),
        ({"feed": OTHER, "color": "orange"}, "is no colour"),
        ({"feed": "no address at all"}, "❌"),
    ],
    ids=["no feed", "no number", "filter", "colour", "words"],
)
async def test_what_cannot_be_tried(bench: Bench, options: dict[str, str], said: str) -> None:
    """Is told alike by both."""
    bench.script["/none"] = Reply(404)
    shown = await bench.run("rss preview", **options)
    posted = await bench.run("rss test", **options)

    assert shown.text.startswith("❌")
    assert said in shown.text
    assert said in posted.text
    assert [] == bench.posts
