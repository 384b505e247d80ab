"""What Discord refuses of commands and of answers to them, written from its documentation only."""

import re
from typing import Any

from tests.servers.discord_rules import Refused, check_components, check_message, invalid

_NAME = re.compile(r"[-_'\w]{1,32}")
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, ATTACHMENT = 3, 4, 5, 6, 7, 8, 11
SUB_COMMAND, GROUP = 1, 2


def check_commands(commands: Any) -> None:
    """The limits of a bulk overwrite."""
    chat = [each for each in commands if each.get("type", 1) == 1]
    menus = [each for each in commands if each.get("type", 1) != 1]
    if len(chat) > 100 or len(menus) > 10:
        raise invalid("commands", "APPLICATION_COMMANDS_MAX")
    for command in commands:
        _check_command(command)


def _check_command(command: dict[str, Any]) -> None:
    if command.get("type", 1) == 1:
        _check_name("name", command["name"])
        _check_text("description", command["description"], 1, 100)
        for option in command.get("options") or ():
            _check_option(option)
    else:
        _check_text("name", command["name"], 1, 32)
    if _size(command) > 8000:
        raise invalid("command", "APPLICATION_COMMAND_TOO_LARGE")


def _check_option(option: dict[str, Any]) -> None:
    _check_name("options.name", option["name"])
    _check_text("options.description", option["description"], 1, 100)
    for text in (option.get("description_localizations") or {}).values():
        _check_text("options.description_localizations", text, 1, 100)
    inner = option.get("options") or []
    choices = option.get("choices") or []
    if len(inner) > 25 or len(choices) > 25:
        raise invalid("options", "BASE_TYPE_MAX_LENGTH")
    if choices and option.get("autocomplete"):
        raise invalid("options.choices", "AUTOCOMPLETE_AND_CHOICES")
    seen_optional = False
    for each in inner:
        _check_option(each)
        if each["type"] not in (SUB_COMMAND, GROUP):
            if each.get("required") and seen_optional:
                raise invalid("options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID")
            seen_optional = seen_optional or not each.get("required")
    for choice in choices:
        _check_text("choices.name", choice["name"], 1, 100)


def _check_name(path: str, name: str) -> None:
    if not _NAME.fullmatch(name) or name != name.lower():
        raise invalid(path, "APPLICATION_COMMAND_INVALID_NAME")


def _check_text(path: str, text: str, least: int, most: int) -> None:
    if not least <= len(text) <= most:
        raise invalid(path, "BASE_TYPE_BAD_LENGTH")


def _size(part: Any) -> int:
    """Characters of names, descriptions and values, the longest of all languages."""
    if isinstance(part, list):
        return sum(map(_size, part))
    if not isinstance(part, dict):
        return 0
    total = 0
    for key in ("name", "description", "value"):
        texts = [str(part.get(key) or ""), *(part.get(f"{key}_localizations") or {}).values()]
        total += max(map(len, texts))
    return total + _size(part.get("options") or []) + _size(part.get("choices") or [])


def options_of(commands: list[dict[str, Any]], typed: str) -> tuple[dict[str, Any], list[Any]]:
    """The command and the options of its leaf, such as of "rss add"."""
    first, *rest = typed.split()
    command = next(each for each in commands if each["name"] == first)
    options = command.get("options") or []
    for word in rest:
        leaf = next(each for each in options if each["name"] == word)
        options = leaf.get("options") or []
    return command, options


def check_values(options: list[dict[str, Any]], given: dict[str, Any]) -> None:
    """What Discord's own client would not let anybody send."""
    known = {each["name"]: each for each in options}
    for name in given:
        assert name in known, f"there is no option {name!r}; there are {sorted(known)}"
    for name, option in known.items():
        assert name in given or not option.get("required"), f"{name} is missing"
        value = given.get(name)
        if option["type"] == STRING and isinstance(value, str):
            assert option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000)
        if option["type"] == INTEGER and value is not None:
            assert option.get("min_value", value) <= value <= option.get("max_value", value)
        if value is not None and option.get("choices"):
            assert value in [each["value"] for each in option["choices"]]


# -- answers --------------------------------------------------------------------------------------


def check_answer(kind: int, data: dict[str, Any], *, interaction: int) -> None:
    """The limits of a callback of this kind, to an interaction of that type."""
    if kind in (4, 7):
        check_shown(data)
    elif kind == 8:
        if interaction != 4 or len(data.get("choices") or ()) > 25:
            raise invalid("data.choices", "BASE_TYPE_MAX_LENGTH")
        for each in data["choices"]:
            _check_text("data.choices.name", each["name"], 1, 100)
    elif kind == 9:
        if interaction == 5:
            raise invalid("type", "MODAL_TO_MODAL")
        _check_modal(data)
    elif kind in (5, 6) and data.get("flags", 0) & ~64:
        raise invalid("data.flags", "FLAGS")


def check_shown(data: dict[str, Any]) -> None:
    """A message of an answer."""
    if data.get("flags", 0) & 32768:
        check_components(data)
    elif any(each["type"] != 1 for each in data.get("components") or ()):
        raise invalid("data.components", "UNION_TYPE_CHOICES")
    elif data.get("content") or data.get("embeds"):
        check_message({key: each for key, each in data.items() if each})
    elif not data.get("components") and not data.get("attachments"):
        raise Refused(400, 50006)
    names: list[str] = []
    rows = [each for each in data.get("components") or () if each["type"] == 1]
    if len(rows) > 5:
        raise invalid("data.components", "BASE_TYPE_MAX_LENGTH")
    for row in rows:
        _check_row(row, names)
    if len(names) != len(set(names)):
        raise invalid("data.components", "COMPONENT_CUSTOM_ID_DUPLICATED")


def _check_row(row: dict[str, Any], names: list[str]) -> None:
    inner = row["components"]
    if not 1 <= len(inner) <= 5 or (any(each["type"] == 3 for each in inner) and len(inner) > 1):
        raise invalid("data.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED")
    for each in inner:
        if "custom_id" in each:
            _check_text("custom_id", each["custom_id"], 1, 100)
            names.append(each["custom_id"])
        if each["type"] == 2:
            _check_text("label", each.get("label", ""), 1, 80)
        if each["type"] == 3:
            if not 1 <= len(each["options"]) <= 25:
                raise invalid("options", "BASE_TYPE_BAD_LENGTH")
            for option in each["options"]:
                _check_text("options.label", option["label"], 1, 100)
                _check_text("options.value", option["value"], 1, 100)


def _check_modal(data: dict[str, Any]) -> None:
    _check_text("data.title", data["title"], 1, 45)
    _check_text("data.custom_id", data["custom_id"], 1, 100)
    if not 1 <= len(data["components"]) <= 5:
        raise invalid("data.components", "BASE_TYPE_BAD_LENGTH")
    for label in data["components"]:
        if label["type"] == 18:
            _check_text("label", label["label"], 1, 45)
        line = label.get("component") or label["components"][0]
        if len(line.get("value") or "") > line.get("max_length", 4000):
            raise invalid("data.components.value", "BASE_TYPE_MAX_LENGTH")
