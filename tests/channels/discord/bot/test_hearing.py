"""Events of the gateway that discord.py cannot read."""

from tests.channels.discord.bot.conftest import Bench


async def test_a_channel_that_cannot_be_read(bench: Bench) -> None:
    """A voice channel without a bit rate: the bot stays, and answers in this server."""
    bench.discord.add_channel(bench.guild, kind=2)
    bot = await bench.restart()
    shown = await bench.run("rss list")
    again = await bench.run("hello")

    assert "No feeds yet" in shown.text
    assert "Hello, Ann! 👋" == again.text
    assert not bot.is_closed()
