"""Is a bot's token good?"""

import pytest

from tests.servers import discord_platform as platform
from tests.servers.discord_platform import FakePlatform
from wireroom.channels.discord.token import who_am_i
from wireroom.errors import SettingsError, WireroomError

SITE = "https://wireroom.invalid"


async def test_who_am_i() -> None:
    """The bot's name; a wrong token is said to be wrong, and not repeated."""
    async with FakePlatform() as discord:
        name = await who_am_i(platform.TOKEN, site=SITE, base_url=discord.base_url)
        with pytest.raises(SettingsError) as refused:
            await who_am_i("MTEw.other", site=SITE, base_url=discord.base_url)

    assert "wireroom" == name
    assert "MTEw" not in str(refused.value)


async def test_nobody_there() -> None:
    """One sentence."""
    with pytest.raises(WireroomError, match="does not answer"):
        await who_am_i(platform.TOKEN, site=SITE, base_url="http://127.0.0.1:1")
