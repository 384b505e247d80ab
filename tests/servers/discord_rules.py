"""What Discord refuses of a message, written from its documentation only.

Independent of the renderer on purpose: it is what the renderer is measured by.
"""

import re
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

MESSAGES = {
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10008: "Unknown Message",
    10015: "Unknown Webhook",
    50001: "Missing Access",
    50006: "Cannot send an empty message",
    50013: "Missing Permissions",
    50027: "Invalid Webhook Token",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    130000: "API resource is currently overloaded. Try again a little later",
    160005: "Thread is locked",
    200000: "Message was blocked by automatic moderation",
    220001: "Webhooks posted to forum channels must have a thread_name or thread_id",
    220002: "Webhooks posted to forum channels cannot have both a thread_name and thread_id",
    220003: "Webhooks can only create threads in forum channels",
}


class Refused(Exception):
    def __init__(self, status: int, code: int, **more: Any) -> None:
        super().__init__(str(code))
        self.status = status
        self.body = {"code": code, "message": MESSAGES.get(code, f"Error {code}"), **more}


def invalid(path: str, code: str) -> Refused:
    """50035 with the path of the field as nested objects."""
    errors: dict[str, Any] = {"_errors": [{"code": code, "message": code}]}
    for key in reversed(path.split(".")):
        errors = {key: errors}
    return Refused(400, 50035, errors=errors)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _check_length(path: str, value: Any, most: int) -> None:
    if not isinstance(value, str):
        raise invalid(path, "BASE_TYPE_STRING")
    if not value.strip():
        raise invalid(path, "BASE_TYPE_REQUIRED")
    if _units(value) > most:
        raise invalid(path, "BASE_TYPE_MAX_LENGTH")


def _check_url(path: str, value: Any) -> None:
    _check_length(path, value, 2048)
    try:
        parts = urlsplit(value)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        raise invalid(path, "URL_TYPE_INVALID_URL") from None
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s<>\"]", value):
        raise invalid(path, "URL_TYPE_INVALID_URL")


def check_message(body: Any) -> None:
    """The limits of a message; raises what Discord would answer."""
    if not isinstance(body, dict):
        raise invalid("body", "DICT_TYPE_CONVERT")
    embeds = body.get("embeds", [])
    if body.get("flags", 0) & 32768:
        check_components(body)
        return
    if not body.get("content") and not embeds:
        raise Refused(400, 50006)
    if "content" in body:
        _check_length("content", body["content"], 2000)
    if "username" in body:
        _check_length("username", body["username"], 80)
        if re.search("clyde|discord", body["username"], re.IGNORECASE):
            raise invalid("username", "USERNAME_INVALID_CONTAINS")
    if "avatar_url" in body:
        _check_url("avatar_url", body["avatar_url"])
    if len(embeds) > 10:
        raise invalid("embeds", "BASE_TYPE_MAX_LENGTH")
    for number, embed in enumerate(embeds):
        _check_embed(f"embeds.{number}", embed)
    if sum(embed_length(embed) for embed in embeds) > 6000:
        raise invalid("embeds", "MAX_EMBED_SIZE_EXCEEDED")
    parse = body.get("allowed_mentions", {}).get("parse", [])
    if not set(parse) <= {"roles", "users", "everyone"}:
        raise invalid("allowed_mentions.parse.0", "BASE_TYPE_CHOICES")


def check_components(body: dict[str, Any]) -> None:
    """A message of components alone: at most 40 of them, with 4000 units of text."""
    if body.get("content") or body.get("embeds"):
        raise invalid("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")
    found = list(_components(body.get("components")))
    if not 1 <= len(found) <= 40:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH")
    texts = [each["content"] for each in found if each["type"] == 10]
    for text in texts:
        _check_length("components.content", text, 4000)
    if sum(map(_units, texts)) > 4000:
        raise invalid("components", "COMPONENT_MAX_TEXT_SIZE")
    for each in found:
        for item in each.get("items") or ():
            _check_url("components.items.media.url", item["media"]["url"])


def _components(part: Any) -> Any:
    for each in part or ():
        yield each
        yield from _components(each.get("components"))


_EMBED_TEXTS = {"title": 256, "description": 4096, "author.name": 256, "footer.text": 2048}
_EMBED_URLS = (
    "url",
    "author.url",
    "author.icon_url",
    "footer.icon_url",
    "image.url",
    "thumbnail.url",
)


def _at(value: Any, path: str) -> Any:
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _check_embed(where: str, embed: Any) -> None:
    for path, most in _EMBED_TEXTS.items():
        if (text := _at(embed, path)) is not None:
            _check_length(f"{where}.{path}", text, most)
    for path in _EMBED_URLS:
        if (url := _at(embed, path)) is not None:
            _check_url(f"{where}.{path}", url)
    if embed.get("author") is not None and _at(embed, "author.name") is None:
        raise invalid(f"{where}.author.name", "BASE_TYPE_REQUIRED")
    if len(embed.get("fields", [])) > 25:
        raise invalid(f"{where}.fields", "BASE_TYPE_MAX_LENGTH")
    for number, item in enumerate(embed.get("fields", [])):
        _check_length(f"{where}.fields.{number}.name", item.get("name"), 256)
        _check_length(f"{where}.fields.{number}.value", item.get("value"), 1024)
    if not 0 <= embed.get("color", 0) <= 0xFFFFFF:
        raise invalid(f"{where}.color", "NUMBER_TYPE_MAX")
    if (at := embed.get("timestamp")) is not None:
        try:
            datetime.fromisoformat(at)
        except (TypeError, ValueError):
            raise invalid(f"{where}.timestamp", "DATE_TIME_TYPE_PARSE") from None
    if not any(embed.get(key) for key in ("title", "description", "fields", "image", "author")):
        raise Refused(400, 50006)


def embed_length(embed: dict[str, Any]) -> int:
    texts = [_at(embed, path) or "" for path in _EMBED_TEXTS]
    texts += [item.get(key, "") for item in embed.get("fields", []) for key in ("name", "value")]
    return sum(_units(text.strip()) for text in texts)


def pings_of(body: dict[str, Any]) -> list[str]:
    """Mentions that would notify; embeds never do. Without allowed_mentions, users are."""
    text = body.get("content", "")
    allowed = body.get("allowed_mentions")
    kinds = {"users"} if allowed is None else set(allowed.get("parse", []))
    patterns = {"users": r"<@!?\d+>", "roles": r"<@&\d+>", "everyone": r"@everyone|@here"}
    return [found for kind in kinds for found in re.findall(patterns[kind], text)]
