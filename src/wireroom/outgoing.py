"""What sends, built from the settings: channels, their defaults, the operator's own layout."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from wireroom.delivery import profiles, template
from wireroom.delivery.channel import Channel
from wireroom.delivery.pace import Pace
from wireroom.errors import SettingsError, UserError
from wireroom.fetching.client import Client
from wireroom.fetching.outcome import Fetched
from wireroom.fetching.request import FetchLimits, Request
from wireroom.settings import Settings

if TYPE_CHECKING:
    from wireroom.channels.discord.pace import Rhythm
    from wireroom.channels.discord.sender import DiscordChannel

#: Discord wants an address in the User-Agent; this one stands in where there is no public one.
PROJECT_SITE: Final = "https://wireroom.invalid"
#: Telegram takes photos of up to 10 MB.
_PICTURE_BYTES: Final = 10_000_000
#: Where RSS Bot keeps its layout unless a setting gives it (TGD-18).
_RSSBOT_FILE: Final = Path("post.gohtml")


@dataclass(slots=True)
class Paces:
    """The rhythm of each platform, made when it is first needed: one for all of a process."""

    telegram: Pace | None = None
    discord: "Rhythm | None" = None

    def of_telegram(self) -> Pace:
        from wireroom.channels.telegram.pace import telegram_pace

        self.telegram = self.telegram or telegram_pace()
        return self.telegram

    def of_discord(self, settings: Settings) -> "Rhythm":
        """With a bot's token the limits are divided until its process says that it is alone."""
        from wireroom.channels.discord.pace import Rhythm

        if self.discord is None:
            is_divided = bool(settings.discord_token)
            self.discord = Rhythm(settings.discord_spacing, is_divided=is_divided)
        return self.discord


def channels(settings: Settings, client: Client, paces: Paces) -> dict[str, Channel]:
    """Every channel that can send with these settings; a bot without a token is none of them."""
    from wireroom.channels.apprise.sender import AppriseChannel
    from wireroom.channels.mail import sender as mail
    from wireroom.channels.mail.sender import MailChannel
    from wireroom.channels.webhook.sender import WebhookChannel

    made: dict[str, Channel] = {
        "discord": discord(settings, paces),
        "webhook": WebhookChannel(client),
        "apprise": AppriseChannel(),
    }
    if settings.smtp and settings.mail_from:
        made["mail"] = MailChannel(mail.server(settings.smtp), settings.mail_from)
    if settings.telegram_token:
        from wireroom.channels.telegram.sender import TelegramChannel

        made["telegram"] = TelegramChannel(
            settings.telegram_token,
            base_url=settings.telegram_api,
            rhythm=paces.of_telegram(),
            download=functools.partial(_download, client),
        )
    return made


def discord(settings: Settings, paces: Paces, *, by_hand: bool = False) -> "DiscordChannel":
    """What posts on Discord: news, or what people ask for by hand."""
    from wireroom.channels.discord.sender import DiscordChannel

    return DiscordChannel(
        base_url=settings.discord_api,
        site=settings.public_url or PROJECT_SITE,
        token=settings.discord_token,
        rhythm=paces.of_discord(settings),
        by_hand=by_hand,
    )


def is_telegram_calling(settings: Settings) -> bool:
    """Whether Telegram brings updates to our address, and is not asked for them."""
    is_reachable = settings.public_url.startswith("https://")
    return bool(settings.telegram_token) and settings.telegram_webhook and is_reachable


def is_discord_calling(settings: Settings) -> bool:
    """Whether Discord brings commands to our address, and there is no gateway."""
    is_reachable = settings.public_url.startswith("https://")
    return bool(settings.discord_token) and settings.discord_interactions and is_reachable


async def _download(client: Client, url: str) -> bytes | None:
    """A picture that a platform could not load by itself, through the guarded client."""
    limits = FetchLimits(wire_bytes=_PICTURE_BYTES, body_bytes=_PICTURE_BYTES)
    outcome = await client.get(Request(url, accept="any", limits=limits))
    return outcome.body if isinstance(outcome, Fetched) else None


def defaults(settings: Settings) -> dict[str, dict[str, Any]]:
    """What the profile wants of routes, by channel, with the operator's own layout.

    Raises SettingsError for a layout that is set but cannot be used (TGD-19).
    """
    source, where = _layout(settings)
    if source:
        try:
            template.parse(source)
        except UserError as error:
            raise SettingsError(f"{where}: {error}") from error
    found = profiles.by_channel(settings.profile, template=source)
    return {**found, "discord": {**found.get("discord", {}), **_discord_defaults(settings)}}


def _discord_defaults(settings: Settings) -> dict[str, Any]:
    """The operator's own numbers for messages on Discord."""
    made: dict[str, Any] = {}
    if settings.discord_color:
        made["color"] = color(settings.discord_color)
    if settings.discord_error_color:
        made["error_color"] = color(settings.discord_error_color)
    if settings.discord_burst is not None:
        made["burst"] = settings.discord_burst
    return made


def color(text: str) -> int:
    """A colour of the settings as Discord wants it."""
    return int(text.lower().removeprefix("#").removeprefix("0x"), 16)


def _layout(settings: Settings) -> tuple[str, str]:
    """The operator's layout and where it stands; RSS Bot's file counts for its profile alone."""
    if settings.post_template:
        return settings.post_template, "WIREROOM_POST_TEMPLATE"
    if settings.profile != "rssbot" or not _RSSBOT_FILE.exists():
        return "", ""
    try:
        return _RSSBOT_FILE.read_text(encoding="utf-8"), str(_RSSBOT_FILE)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{_RSSBOT_FILE} cannot be read: {error}.") from error
