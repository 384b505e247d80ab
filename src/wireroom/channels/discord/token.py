"""Whether a bot's token is good, asked without a gateway."""

from wireroom import __version__
from wireroom.channels.discord.sender import DEFAULT_BASE_URL, USER_AGENT
from wireroom.errors import SettingsError, WireroomError


async def who_am_i(token: str, *, site: str, base_url: str = DEFAULT_BASE_URL) -> str:
    """The bot's name, which proves its token.

    Raises SettingsError when Discord refuses the token, and WireroomError when Discord cannot be
    reached or says something else.
    """
    import aiohttp

    headers = {
        "Authorization": f"Bot {token}",
        "User-Agent": USER_AGENT.format(site=site, version=__version__),
    }
    timeout = aiohttp.ClientTimeout(total=15)
    try:
        async with (
            aiohttp.ClientSession(headers=headers, timeout=timeout) as session,
            session.get(f"{base_url.rstrip('/')}/users/@me", allow_redirects=False) as answer,
        ):
            if answer.status == 401:
                raise SettingsError(
                    "Discord refuses the bot token; set WIREROOM_DISCORD_TOKEN to the one from "
                    "https://discord.com/developers/applications."
                )
            told = await answer.json(content_type=None) if answer.status == 200 else None
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as failed:
        raise WireroomError(f"Discord does not answer: {type(failed).__name__}.") from None
    if not isinstance(told, dict):
        raise WireroomError(f"Discord answers with HTTP {answer.status}.")
    return str(told.get("username", ""))
