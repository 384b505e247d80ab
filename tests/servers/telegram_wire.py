"""The Bot API's envelope: how parameters come in and refusals go out."""

import json
import re
from typing import Any

from aiohttp import web

from tests.servers.telegram_html import CannotParse, Parsed, read_html, read_plain


class Refused(Exception):
    def __init__(self, code: int, description: str, parameters: dict[str, Any] | None = None):
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


async def parameters_of(request: web.Request) -> dict[str, Any]:
    """JSON, form, multipart and query alike; nested objects of forms are JSON strings."""
    parameters: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        return parameters | await request.json()
    for key, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            parameters[key] = value.file.read()
        else:
            parameters[key] = _from_form(str(value))
    for key, value in parameters.items():
        if isinstance(value, str) and value.startswith("attach://"):
            parameters[key] = parameters.get(value.removeprefix("attach://"), b"")
    return parameters


def _from_form(value: str) -> Any:
    if value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return {"true": True, "false": False}.get(value, value)


def parsed(text: str, mode: str | None) -> Parsed:
    if (mode or "").lower() != "html":
        return read_plain(text)
    try:
        return read_html(text)
    except CannotParse as error:
        raise Refused(400, f"Bad Request: can't parse entities: {error}") from None


def check_markup(markup: Any) -> None:
    if not isinstance(markup, dict):
        return
    kinds = {"inline_keyboard", "keyboard", "force_reply", "remove_keyboard"} & set(markup)
    if markup and len(kinds) != 1:
        raise Refused(400, "Bad Request: object expected as reply markup")
    rows = markup.get("inline_keyboard", [])
    if any(len(row) > 8 for row in rows):
        raise Refused(400, "Bad Request: reply markup is too long")
    buttons = [button for row in rows for button in row]
    if len(buttons) > 100:
        raise Refused(400, "Bad Request: reply markup is too long")
    for button in buttons:
        if "url" in button and not re.match(r"(https?|tg)://", button["url"]):
            raise Refused(400, "Bad Request: BUTTON_URL_INVALID")
        if len({"url", "callback_data"} & set(button)) != 1 or not button.get("text"):
            raise Refused(400, "Bad Request: can't parse inline keyboard button")
        if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= 64:
            raise Refused(400, "Bad Request: BUTTON_DATA_INVALID")


def check_reply(reply: Any) -> None:
    """`reply_parameters`: an object that names a message."""
    if reply in (None, ""):
        return
    if not isinstance(reply, dict) or not isinstance(reply.get("message_id"), int):
        raise Refused(400, "Bad Request: can't parse reply parameters JSON object")


_SCOPES = {
    "default": set(),
    "all_private_chats": set(),
    "all_group_chats": set(),
    "all_chat_administrators": set(),
    "chat": {"chat_id"},
    "chat_administrators": {"chat_id"},
    "chat_member": {"chat_id", "user_id"},
}


def check_scope(scope: Any) -> str:
    """The scope's type; each kind of scope has its own fields."""
    if scope in (None, ""):
        return "default"
    if not isinstance(scope, dict) or scope.get("type") not in _SCOPES:
        raise Refused(400, "Bad Request: can't parse BotCommandScope: Unsupported type specified")
    if set(scope) - {"type"} != _SCOPES[scope["type"]]:
        raise Refused(400, "Bad Request: can't parse BotCommandScope: fields are missing")
    return str(scope["type"])


_RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_post_messages",
)


def member(user: int, status: str) -> dict[str, Any]:
    person = {"id": user, "is_bot": False, "first_name": f"User {user}"}
    rights = dict.fromkeys(_RIGHTS, True)
    extra = rights if status == "administrator" else {"is_anonymous": False}
    extra = extra | ({"until_date": 0} if status in ("kicked", "restricted") else {})
    return {"user": person, "status": status, **extra}


def too_many(seconds: int) -> Refused:
    return Refused(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})


def refusal(refused: Refused) -> web.Response:
    body: dict[str, Any] = {
        "ok": False,
        "error_code": refused.code,
        "description": refused.description,
    }
    headers = {}
    if refused.parameters:
        body["parameters"] = refused.parameters
        if "retry_after" in refused.parameters:
            headers["Retry-After"] = str(refused.parameters["retry_after"])
    return web.json_response(body, status=refused.code, headers=headers)
