"""The commands that Discord shows: written only where they differ from what stands there.

Writing them anew at every start would cost a bot with many processes its day's measure of changes,
and people see "this command was updated" for nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import discord
import structlog
from discord import app_commands
from discord.app_commands.translator import Translator
from discord.http import Route

log = structlog.get_logger(__name__)

_LISTS: Final = frozenset({"options", "choices"})
#: What of a command, an option and a choice is ours to say; Discord adds more when it answers.
_OURS: Final = frozenset(
    {
        *("type", "name", "name_localizations", "description", "description_localizations"),
        *("required", "options", "choices", "value", "autocomplete", "channel_types"),
        *("min_value", "max_value", "min_length", "max_length"),
        *("nsfw", "contexts", "integration_types", "default_member_permissions"),
    }
)
_UNORDERED: Final = frozenset({"channel_types", "contexts", "integration_types"})


def normal(part: Mapping[str, Any]) -> dict[str, Any]:
    """A command, option or choice without what means the same when it is left out (pure)."""
    made: dict[str, Any] = {}
    for key in _OURS & part.keys():
        value = part[key]
        if key in _LISTS:
            value = [normal(each) for each in value or ()]
        elif key in _UNORDERED:
            value = sorted(value or ())
        elif key == "default_member_permissions" and value is not None:
            value = str(value)
        is_default = value in (None, "", [], {}) or (value is False and key != "value")
        if not is_default:
            made[key] = value
    return made


def differ(ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of commands that are missing there, are too many there, or are others (pure)."""
    mine, stand = _named(ours), _named(theirs)
    return sorted({name for _, name in mine.keys() | stand if _is_other(mine, stand, name)})


_Named = dict[tuple[int, str], dict[str, Any]]


def _named(commands: Sequence[Mapping[str, Any]]) -> _Named:
    return {(each.get("type", 1), each["name"]): normal({"type": 1, **each}) for each in commands}


def _is_other(mine: _Named, stand: _Named, name: str) -> bool:
    keys = {key for key in mine.keys() | stand if key[1] == name}
    return any(mine.get(key) != stand.get(key) for key in keys)


async def register(client: discord.Client, tree: app_commands.CommandTree[Any]) -> dict[str, int]:
    """Let Discord show the commands as they are now; gives their numbers by name (DCC-26)."""
    ours = [
        await each.get_translated_payload(tree, cast("Translator", tree.translator))
        for each in tree.get_commands()
    ]
    stand = await registered(client)
    changed = differ(ours, stand)
    if changed:
        application = client.application_id
        assert application is not None
        stand = await client.http.bulk_upsert_global_commands(application, payload=ours)
    log.info("discord commands stand", application=client.application_id, written=changed)
    return {each["name"]: int(each["id"]) for each in stand}


async def registered(client: discord.Client) -> Sequence[Any]:
    """What stands at Discord, with all its languages, which discord.py does not ask for."""
    route = Route(
        "GET", "/applications/{application_id}/commands", application_id=client.application_id
    )
    asked = client.http.request(route, params={"with_localizations": "true"})
    return cast("Sequence[Any]", await asked)
