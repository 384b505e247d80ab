"""What the fake Bot API tells and is told of chats, members, commands, files and webhooks.

Each function answers one method of the API: (server, parameters) -> result, or raises `Refused`.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.servers.telegram_wire import Refused, check_scope, member

if TYPE_CHECKING:
    from tests.servers.telegram import FakeTelegram


def get_me(telegram: "FakeTelegram", _: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": int(telegram.token.partition(":")[0]),
        "is_bot": True,
        "first_name": "Wireroom",
        "username": "wireroom_bot",
        "can_join_groups": True,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
    }


def _public(telegram: "FakeTelegram", chat: int | str) -> int:
    """The chat with this number, or with this public name."""
    if isinstance(chat, int):
        return chat
    for number, known in telegram.chats.items():
        if chat == f"@{known.get('username')}":
            return number
    raise Refused(400, "Bad Request: chat not found")


def get_chat(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    chat = _public(telegram, telegram.chat_of(parameters))
    if telegram.chats.get(chat, {}).get("missing"):
        raise Refused(400, "Bad Request: chat not found")
    more = {"accent_color_id": 0, "max_reaction_count": 11}
    gifts = dict.fromkeys(
        ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription"), False
    ) | {"gifts_from_channels": False}
    return telegram.chat_json(chat) | more | {"accepted_gift_types": gifts}


def get_chat_member(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    chat, user = telegram.chat_of(parameters), int(parameters["user_id"])
    assert isinstance(chat, int)
    if chat in telegram.chats and telegram.chats[chat].get("members_hidden"):
        raise Refused(400, "Bad Request: member list is inaccessible")
    is_bot = user == int(telegram.token.partition(":")[0])
    status = telegram.members.get((chat, user), "administrator" if is_bot else "member")
    return member(user, status) | telegram.rights.get((chat, user), {})


def get_chat_administrators(
    telegram: "FakeTelegram", parameters: dict[str, Any]
) -> list[dict[str, Any]]:
    chat = telegram.chat_of(parameters)
    leaders = ("creator", "administrator")
    return [
        member(user, status) | telegram.rights.get((where, user), {})
        for (where, user), status in telegram.members.items()
        if where == chat and status in leaders
    ]


def set_my_commands(telegram: "FakeTelegram", parameters: dict[str, Any]) -> bool:
    commands = parameters.get("commands")
    if not isinstance(commands, list) or len(commands) > 100:
        raise Refused(400, "Bad Request: can't parse commands")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
            raise Refused(400, "Bad Request: BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"]) <= 256:
            raise Refused(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
    scope = check_scope(parameters.get("scope"))
    if len(parameters.get("language_code") or "") not in (0, 2):
        raise Refused(400, "Bad Request: invalid language code specified")
    telegram.commands[f"{scope}:{parameters.get('language_code') or ''}"] = commands
    return True


def get_my_commands(telegram: "FakeTelegram", parameters: dict[str, Any]) -> list[dict[str, str]]:
    scope = check_scope(parameters.get("scope"))
    return telegram.commands.get(f"{scope}:{parameters.get('language_code') or ''}", [])


def get_my_description(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, str]:
    code = parameters.get("language_code") or ""
    return {"description": telegram.descriptions.get(f"description:{code}", "")}


def get_my_short_description(
    telegram: "FakeTelegram", parameters: dict[str, Any]
) -> dict[str, str]:
    code = parameters.get("language_code") or ""
    return {"short_description": telegram.descriptions.get(f"short_description:{code}", "")}


def set_my_description(telegram: "FakeTelegram", parameters: dict[str, Any]) -> bool:
    return _describe(telegram, "description", 512, parameters)


def set_my_short_description(telegram: "FakeTelegram", parameters: dict[str, Any]) -> bool:
    return _describe(telegram, "short_description", 120, parameters)


def _describe(telegram: "FakeTelegram", field: str, most: int, parameters: dict[str, Any]) -> bool:
    if len(str(parameters.get(field) or "")) > most:
        raise Refused(400, f"Bad Request: {field.replace('_', ' ')} is too long")
    code = parameters.get("language_code") or ""
    telegram.descriptions[f"{field}:{code}"] = str(parameters.get(field) or "")
    return True


def answer_callback_query(telegram: "FakeTelegram", parameters: dict[str, Any]) -> bool:
    if parameters.get("callback_query_id") not in telegram.callbacks:
        raise Refused(
            400,
            "Bad Request: query is too old and response timeout expired or query ID is invalid",
        )
    if len(str(parameters.get("text") or "")) > 200:
        raise Refused(400, "Bad Request: MESSAGE_TOO_LONG")
    telegram.callbacks.discard(parameters["callback_query_id"])
    telegram.answered_callbacks.append(parameters)
    return True


def get_file(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    file_id = str(parameters.get("file_id"))
    if file_id not in telegram.files:
        raise Refused(400, "Bad Request: invalid file_id")
    return {"file_id": file_id, "file_unique_id": "u", "file_path": f"{file_id}.bin"}


def set_webhook(telegram: "FakeTelegram", parameters: dict[str, Any]) -> bool:
    if not str(parameters.get("url", "")).startswith("https://"):
        raise Refused(400, "Bad Request: bad webhook: An HTTPS URL must be provided")
    if not re.fullmatch(r"[\w-]{1,256}", str(parameters.get("secret_token", "x"))):
        raise Refused(400, "Bad Request: secret token contains unallowed characters")
    telegram.webhook = parameters
    return True


def delete_webhook(telegram: "FakeTelegram", _: dict[str, Any]) -> bool:
    telegram.webhook = {}
    return True


def yes(telegram: "FakeTelegram", _: dict[str, Any]) -> bool:
    return True


METHODS: dict[str, Callable[["FakeTelegram", dict[str, Any]], Any]] = {
    "getme": get_me,
    "getchat": get_chat,
    "getchatmember": get_chat_member,
    "getchatadministrators": get_chat_administrators,
    "setmycommands": set_my_commands,
    "answercallbackquery": answer_callback_query,
    "getfile": get_file,
    "setwebhook": set_webhook,
    "sendchataction": yes,
    "deletewebhook": delete_webhook,
    "getmycommands": get_my_commands,
    "getmydescription": get_my_description,
    "getmyshortdescription": get_my_short_description,
    "setmydescription": set_my_description,
    "setmyshortdescription": set_my_short_description,
    "deletemycommands": yes,
}
