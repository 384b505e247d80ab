"""The end of a webhook: told once, to whoever added it."""

import asyncio

from tests.channels.discord.bot.conftest import FEED, Bench, feed


async def told(bench: Bench, count: int = 1) -> list[str]:
    """Whom direct messages went to, once there are so many of them."""
    bench.room.bell.ring()
    async with asyncio.timeout(10):
        while len(bench.discord.bot_messages) < count:  # noqa: ASYNC110 - the bot's own task
            await asyncio.sleep(0.02)
    await bench.run("rss list")  # whatever else it had to say is said by now
    return [person for person, _ in bench.discord.bot_messages]


async def dead_webhook(bench: Bench) -> None:
    """Somebody deletes the webhook in Discord, and news come."""
    await bench.run("rss add", feed_url=FEED)
    bench.discord.webhooks.clear()
    bench.script["/feed"] = feed("3", "2", "1")
    await bench.run("rss poll", feed="1")
    await bench.deliver()


async def test_whoever_added_it_is_told_once(bench: Bench) -> None:
    """By a direct message that names channel, reason and feeds; restarts repeat nothing."""
    await dead_webhook(bench)
    people = await told(bench)
    await bench.restart()

    assert [f"9{bench.owner.id}"] == people == await told(bench)
    ((_, said),) = bench.discord.bot_messages
    assert f"<#{bench.channel.id}>" in said["content"]
    assert "the webhook was deleted" in said["content"]
    assert "Harbour" in said["content"]


async def test_the_owner_is_told_instead(bench: Bench) -> None:
    """Where whoever added it takes no messages of bots."""
    bench.discord.silent_people.add(bench.owner.id)
    await dead_webhook(bench)

    assert ["91"] == await told(bench)


async def test_a_mended_webhook_that_ends_again(bench: Bench) -> None:
    """A second end is told as well, and what waited went out between."""
    await dead_webhook(bench)
    await told(bench)
    hook = bench.discord.add_webhook(channel=bench.channel.id)
    await bench.run("rss edit", feed="1", webhook_url=hook.url)
    await bench.deliver()
    bench.discord.webhooks.clear()
    bench.script["/feed"] = feed("4", "3", "2", "1")
    await bench.run("rss poll", feed="1")
    await bench.deliver()

    assert ["Story 2", "Story 3"] == bench.posts
    assert 2 == len(await told(bench, 2))
