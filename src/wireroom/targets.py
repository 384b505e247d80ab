"""Where news may be sent, as one types it: telegram:CHAT, discord:URL, webhook:URL, mail:…"""

from typing import TYPE_CHECKING

from wireroom.errors import NotAllowed, UserError

if TYPE_CHECKING:
    from wireroom.subscribing import Target
    from wireroom.wiring import Room

HELP = (
    "Where to send its news: telegram:CHAT (number or @name, topic after a slash), "
    "discord:WEBHOOK_URL, webhook:URL, mail:ADDRESS or apprise:URL. May be given several times."
)


def target(room: "Room", account_id: int, text: str, newest: int) -> "tuple[Target, str]":
    """The target, its secret part sealed, and what has to be told once. Raises UserError."""
    kind, _, where = text.partition(":")
    makers = {
        "telegram": _telegram,
        "discord": _discord,
        "webhook": _webhook,
        "mail": _mail,
        "apprise": _apprise,
    }
    if kind in makers and not where:
        raise UserError(f"{kind} alone is no place: say where behind a colon, {kind}:…")
    if kind not in makers:
        raise UserError(f"{kind or text!r} is no place to send to: {', '.join(makers)} are.")
    return makers[kind](room, account_id, where, newest)


#: Places that anybody may name who has an account: each is opened by a secret of its own. Into a
#: chat or mailbox of strangers, and past the guard, only who runs this installation leads news.
FOR_EVERYBODY = ("discord", "webhook")


def for_member(room: "Room", account_id: int, text: str, newest: int) -> "tuple[Target, str]":
    """As `target`, for somebody who does not run this installation. Raises NotAllowed."""
    kind = text.partition(":")[0]
    if kind not in FOR_EVERYBODY:
        raise NotAllowed(
            "Only who runs this Wireroom can name such a place; a chat of yours is linked under "
            "Settings, Chats and servers.",
            code="operator_only",
        )
    return target(room, account_id, text, newest)


def _telegram(room: "Room", account_id: int, where: str, newest: int) -> "tuple[Target, str]":
    from wireroom.channels.telegram.sender import Target as Chat
    from wireroom.delivery.channel import Address
    from wireroom.subscribing import Target

    if not room.settings.telegram_token:
        raise UserError(
            "Telegram needs a bot: set WIREROOM_TELEGRAM_TOKEN to the token from @BotFather."
        )
    name, slash, topic = where.partition("/")
    if not name or name.split() != [name] or (slash and not topic.isdecimal()):
        raise UserError(
            f"{where!r} is no chat: give its number or @name, and a topic's number after a slash."
        )
    chat = str(Chat.of(Address(where)))
    return Target("telegram", chat, title=f"Telegram chat {chat}", initial_items=newest), ""


def _discord(room: "Room", account_id: int, where: str, newest: int) -> "tuple[Target, str]":
    from wireroom.channels.discord import webhook_url
    from wireroom.subscribing import Target

    address = webhook_url.parse(where)
    name = f"Discord {webhook_url.shown(address)}"
    sealed = _sealed(room, address.secret)
    return Target("discord", address.public, sealed, title=name, initial_items=newest), ""


def _webhook(room: "Room", account_id: int, where: str, newest: int) -> "tuple[Target, str]":
    from wireroom import records
    from wireroom.channels.webhook import address as addresses
    from wireroom.subscribing import Target

    # The same for all feeds that go there, so that a second one does not change it.
    key = records.open_vault(room.settings).derived(f"webhook {account_id} {where}").hex()
    address = addresses.made(where, key)
    name = f"webhook at {address.public.partition('#')[0]}"
    sealed = _sealed(room, address.secret)
    made = Target("webhook", address.public, sealed, title=name, initial_items=newest)
    return made, f"Posts to it are signed with this key: {key}"


def _mail(room: "Room", account_id: int, where: str, newest: int) -> "tuple[Target, str]":
    from wireroom.subscribing import Target

    if not room.settings.smtp or not room.settings.mail_from:
        raise UserError("Mail needs a server: set WIREROOM_SMTP and WIREROOM_MAIL_FROM.")
    name, at, domain = where.rpartition("@")
    if not at or not name or "." not in domain or any(each.isspace() for each in where):
        raise UserError(f"{where!r} is no mail address.")
    return Target("mail", where, title=where, initial_items=newest), ""


def _apprise(room: "Room", account_id: int, where: str, newest: int) -> "tuple[Target, str]":
    from wireroom.channels.apprise import sender
    from wireroom.subscribing import Target

    title, public = sender.name(where), sender.shown(where)
    if title is None:
        raise UserError("Apprise does not understand this address.")
    made = Target("apprise", public, _sealed(room, where), title=title, initial_items=newest)
    return made, ""


def _sealed(room: "Room", secret: str) -> bytes:
    from wireroom import records

    return records.open_vault(room.settings).seal(secret)
