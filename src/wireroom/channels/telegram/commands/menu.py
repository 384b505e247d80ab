"""What Telegram shows of us: menus of commands by kind of chat and language, and who we are.

It only shows: who may do what is decided elsewhere. What stands there already is not sent again.
"""

from typing import Any, Final

import structlog

from wireroom.catalogue import DEFAULT, LANGUAGES, Language, Text
from wireroom.catalogue.telegram import general as texts
from wireroom.channels.telegram.api import TelegramError
from wireroom.channels.telegram.commands import roles
from wireroom.channels.telegram.commands.command import Command, Table
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.roles import Role
from wireroom.channels.telegram.commands.splitting import cut

log = structlog.get_logger(__name__)

#: Telegram's scopes, and who sees the menu there.
SCOPES: Final[tuple[tuple[str, Role], ...]] = (
    ("default", "reader"),
    ("all_private_chats", "manager"),
    ("all_group_chats", "reader"),
    ("all_chat_administrators", "manager"),
)
_MOST: Final = 100
_MOST_ABOUT: Final = 256


def entries(
    table: Table, role: Role, *, private: bool, language: Language
) -> list[dict[str, str]]:
    """What setMyCommands takes for one scope and language."""
    shown: list[Command] = []
    for command in table.commands.values():
        is_needed = roles.may(role, command.needs) and not command.hidden
        if is_needed and (private or not command.private_only) and command not in shown:
            shown.append(command)
    return [
        {"command": each.name, "description": cut(each.about.say(language), _MOST_ABOUT)}
        for each in shown[:_MOST]
    ]


async def introduce(desk: Desk) -> None:
    """Give Telegram what it lacks; what it does not take is no reason not to serve."""
    try:
        for scope, role in _scopes(desk):
            for language in LANGUAGES:
                await _show_menu(desk, scope, role, language)
        for language in LANGUAGES:
            await _describe(desk, "Description", "description", texts.DESCRIPTION, language)
            await _describe(
                desk, "ShortDescription", "short_description", texts.SHORT_DESCRIPTION, language
            )
    except TelegramError as error:
        log.info("telegram menus not set", reason=str(error))


async def _show_menu(desk: Desk, scope: dict[str, Any], role: Role, language: Language) -> None:
    where: dict[str, Any] = {"scope": scope, "language_code": _code(language)}
    wanted = entries(desk.table, role, private=_is_private(scope), language=language)
    if _plain(await desk.api.call("getMyCommands", **where)) != wanted:
        await desk.api.call("setMyCommands", commands=wanted, **where)


def _plain(shown: Any) -> list[dict[str, str]]:
    """Commands as we write them; Telegram may say more of each."""
    return [
        {"command": str(each.get("command")), "description": str(each.get("description"))}
        for each in shown or ()
    ]


async def _describe(desk: Desk, what: str, field: str, text: Text, language: Language) -> None:
    """Say who we are, where nobody has; what the operator wrote at BotFather stays."""
    wanted = text.say(language)
    found = await desk.api.call(f"getMy{what}", language_code=_code(language))
    shown = str(found.get(field) or "") if isinstance(found, dict) else ""
    if shown != wanted and shown in ("", *(text.say(each) for each in LANGUAGES)):
        words: dict[str, Any] = {field: wanted}
        await desk.api.call(f"setMy{what}", language_code=_code(language), **words)


def _code(language: Language) -> str | None:
    return None if language == DEFAULT else language


def _scopes(desk: Desk) -> list[tuple[dict[str, Any], Role]]:
    """Where only the operator is answered, nobody else is shown a menu."""
    own = [
        ({"type": "chat", "chat_id": each}, "operator") for each in sorted(desk.access.operators)
    ]
    found: list[tuple[dict[str, Any], Role]] = []
    if desk.access.mode == "open":
        found += [({"type": scope}, role) for scope, role in SCOPES]
    found += own  # type: ignore[arg-type]
    return found


def _is_private(scope: dict[str, Any]) -> bool:
    return scope["type"] in ("all_private_chats", "chat", "default")
