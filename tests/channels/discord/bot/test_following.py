"""`/rss add`, `list` and `remove`, from a person's hand to what stands in the channel."""

from tests.channels.discord.bot.conftest import FEED, Bench


async def test_the_first_feed(bench: Bench) -> None:
    """A webhook is made, the newest entry is posted, and the answer says what was added."""
    shown = await bench.run("rss add", feed_url=FEED)

    assert ["Story 2"] == bench.posts
    assert "Feed added" == shown.embeds[0]["title"]
    assert ["Name", "URL", "Interval", "Type", "ID", "Posts in"] == [
        each["name"] for each in shown.embeds[0]["fields"]
    ]
    assert shown.is_private


async def test_list_and_remove(bench: Bench) -> None:
    """What was added is listed for everybody, and gone once it was removed."""
    await bench.run("rss add", feed_url=FEED)

    listed = await bench.run("rss list", by=bench.member)
    removed = await bench.run("rss remove", feed="1")
    empty = await bench.run("rss list")

    assert not listed.is_private
    assert "#1 Harbour" == listed.embeds[0]["fields"][0]["name"]
    assert FEED in listed.embeds[0]["fields"][0]["value"]
    assert f"🗑️ No longer posted: **Harbour** <{FEED}>" == removed.text
    assert "No feeds yet" in empty.text
