"""The menu of commands that Telegram shows, by kind of chat and language. It only shows: who may
do what is decided elsewhere."""

from typing import Any, Final

import structlog

from wireroom.catalogue import DEFAULT, LANGUAGES, Language
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
    """Give Telegram all menus; what it does not take is no reason not to serve."""
    try:
        for scope, role in _scopes(desk):
            for language in LANGUAGES:
                await desk.api.call(
                    "setMyCommands",
                    scope=scope,
                    language_code=None if language == DEFAULT else language,
                    commands=entries(
                        desk.table, role, private=_is_private(scope), language=language
                    ),
                )
    except TelegramError as error:
        log.info("telegram menus not set", reason=str(error))


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
