"""The chat bots: which there are with these settings, and how they run, here or by themselves."""

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final

from wireroom import outgoing, records, wiring
from wireroom.delivery import profiles
from wireroom.errors import SettingsError
from wireroom.settings import Settings
from wireroom.wiring import Room

if TYPE_CHECKING:
    from wireroom.channels.discord.bot.desk import Desk as DiscordDesk
    from wireroom.channels.discord.bot.interactions import Interactions
    from wireroom.channels.telegram.commands.roles import Access
    from wireroom.channels.telegram.commands.service import Conduct

#: Runs until it is cancelled; an exception ends the program.
Bot = Callable[[], Coroutine[Any, Any, None]]

_NO_BOT = (
    "No bot has a token: set WIREROOM_DISCORD_TOKEN (from https://discord.com/developers) or "
    "WIREROOM_TELEGRAM_TOKEN (from @BotFather), then start again."
)


def started(room: Room) -> dict[str, Bot]:
    """Every bot that has a token, by name."""
    found: dict[str, Bot] = {}
    if room.settings.discord_token:
        found["discord bot"] = lambda: _discord(room)
    if room.settings.telegram_token:
        found["telegram bot"] = lambda: _telegram(room)
    return found


def check(settings: Settings) -> None:
    """Raises SettingsError when no bot could start."""
    if not settings.discord_token and not settings.telegram_token:
        raise SettingsError(_NO_BOT)


# -- Discord --------------------------------------------------------------------------------------


async def _discord(room: Room) -> None:
    from wireroom.channels.discord.bot import client, interactions
    from wireroom.channels.discord.bot.holding import Hold, while_held
    from wireroom.channels.discord.bot.staying import stay

    settings = room.settings
    called_at = ""
    if outgoing.is_discord_calling(settings):
        called_at = settings.public_url.rstrip("/") + interactions.PATH
    desk = _discord_desk(room)
    rhythm = room.paces.of_discord(settings)

    def share(is_shared: bool) -> None:
        rhythm.is_divided = is_shared

    async def be_there() -> None:
        bot = client.Bot(desk, shards=settings.discord_shards)
        await client.run(
            bot, settings.discord_token, base_url=settings.discord_api, called_at=called_at
        )

    bot = settings.discord_token.partition(".")[0][:64]
    hold = Hold(room.database, room.owner, room.now, share, bot)
    try:
        await while_held(hold, lambda: stay(be_there))
    finally:
        await desk.sender.close()


def _discord_desk(room: Room) -> "DiscordDesk":
    from wireroom.channels.discord.bot.desk import Desk
    from wireroom.channels.discord.bot.icons import Icons

    settings = room.settings
    vault = records.open_vault(settings)
    return Desk(
        polling=room.polling,
        vault=vault,
        bell=room.bell,
        sender=outgoing.discord(settings, room.paces, by_hand=True),
        owner=room.owner,
        icons=Icons(settings.favicon_service),
        page_size=min(20, settings.discord_page_size),
        pages=wiring.pages_of(settings, vault),
        **_error_color(settings),
    )


def _error_color(settings: Settings) -> dict[str, int]:
    written = settings.discord_error_color
    return {"error_color": outgoing.color(written)} if written else {}


def interactions(room: Room) -> "Interactions | None":
    """What answers the commands that Discord brings to our address, where it does."""
    if not outgoing.is_discord_calling(room.settings):
        return None
    from wireroom.channels.discord.bot import client
    from wireroom.channels.discord.bot.interactions import Interactions

    client.use(room.settings.discord_api)
    desk = _discord_desk(room)
    return Interactions(
        lambda: client.Bot(desk, registers=False),
        room.settings.discord_token,
        room.now,
        desk.sender.close,
    )


# -- Telegram -------------------------------------------------------------------------------------

#: Modes of profiles that say so themselves; all others serve their operator alone.
_MODES: Final[Mapping[str, str]] = {"rssbot": "single-admin", "el-monitorro": "open"}
#: Subscriptions of a chat where anybody may come (TGC-12).
_OPEN_LIMIT: Final = 20
_KINDS: Final = ("private", "group", "supergroup", "channel")


async def _telegram(room: Room) -> None:
    from wireroom.channels.telegram.commands.service import House, serve

    conduct = telegram_conduct(room.settings)
    tools = wiring.delivering(room)
    house = House(room.polling, tools, room.paces.of_telegram(), room.owner, room.now, room.bell)
    try:
        await serve(conduct, house)
    finally:
        await wiring.close(tools.channels)


def telegram_conduct(settings: Settings) -> "Conduct":
    """How the bot behaves. Raises SettingsError for what cannot be."""
    from wireroom.channels.telegram.commands.desk import Limits
    from wireroom.channels.telegram.commands.service import Conduct

    access = _access(settings)
    limits = Limits(_limits(settings, is_open=access.mode == "open"), settings.filter_limit)
    return Conduct(
        token=settings.telegram_token,
        base_url=settings.telegram_api,
        access=access,
        limits=limits,
        initial_items=profiles.defaults(settings.profile, "telegram").initial_items,
        contact=settings.contact,
        public_url=settings.public_url,
        is_called=outgoing.is_telegram_calling(settings),
        handle=settings.telegram_handle.lstrip("@"),
    )


def _access(settings: Settings) -> "Access":
    from wireroom.channels.telegram.commands.roles import MODES, Access

    wanted = settings.telegram_mode or _MODES.get(settings.profile, "owner")
    if settings.telegram_owner is not None and not settings.telegram_mode:
        wanted = "owner"  # El Monitorro's users say it by naming the owner (TGC-02)
    mode = next((each for each in MODES if each == wanted), None)
    if mode is None:
        raise SettingsError(f"WIREROOM_TELEGRAM_MODE={wanted!r} is none of {', '.join(MODES)}.")
    given = (settings.telegram_admin, settings.telegram_owner)
    operators = frozenset(each for each in given if each is not None)
    if mode == "single-admin" and not operators:
        raise SettingsError(
            "In mode single-admin WIREROOM_TELEGRAM_ADMIN must be the admin's Telegram number; "
            "@userinfobot tells yours."
        )
    return Access(mode, operators)


def _limits(settings: Settings, *, is_open: bool) -> Mapping[str, int]:
    """20 for all chats, or private=20,group=5,channel=1; a group is a supergroup, too."""
    text = settings.telegram_subscription_limit
    if not text:
        return dict.fromkeys(_KINDS, _OPEN_LIMIT) if is_open else {}
    if text.isdecimal():
        return dict.fromkeys(_KINDS, int(text)) if int(text) else {}
    found: dict[str, int] = {}
    for part in text.split(","):
        kind, _, number = part.strip().partition("=")
        if kind not in _KINDS or not number.isdecimal():
            raise SettingsError(
                f"WIREROOM_TELEGRAM_SUBSCRIPTION_LIMIT={text!r} is not a number or a list such "
                "as private=20,group=5,channel=1."
            )
        found[kind] = int(number)
    return {**({"supergroup": found["group"]} if "group" in found else {}), **found}
