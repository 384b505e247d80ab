"""What each profile wants of routes where nobody said otherwise (C21, C22, C29) (pure).

These are the numbers of the systems that Wireroom unites; people move without retuning.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

#: El Monitorro's own layout (TGD-24): five parts with blank lines between.
_MONITORRO_LAYOUT: Final = (
    "{% if bot_feed_name %}{{ bot_feed_name }}\n\n{% endif %}"
    "{% if bot_item_name %}{{ bot_item_name }}\n\n{% endif %}"
    "{% if bot_item_description %}{{ bot_item_description }}\n\n{% endif %}"
    "{% if bot_date %}{{ bot_date }}\n\n{% endif %}"
    "{{ bot_item_link }}"
)


@dataclass(frozen=True, slots=True)
class Defaults:
    """Of one channel: settings below all others, and how many entries a new route begins with."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    initial_items: int = 0


DEFAULTS: Final[Mapping[str, Mapping[str, Defaults]]] = MappingProxyType(
    {
        "wireroom": {
            "telegram": Defaults({"on_update": "edit"}, initial_items=1),
            "discord": Defaults({"on_update": "edit"}, initial_items=1),
        },
        "rssbot": {
            "telegram": Defaults({"content": 270, "preview": False, "notices": "operator"})
        },
        "rss-feed": {
            "discord": Defaults(
                {"burst": 5, "more_line": False, "notices": "here"}, initial_items=1
            )
        },
        "el-monitorro": {
            "telegram": Defaults(
                {"burst": 10, "content": 3000, "template": _MONITORRO_LAYOUT, "notices": "here"},
                initial_items=10,
            )
        },
        "cabalmail": {
            "telegram": Defaults({"notices": "off"}),
            "discord": Defaults({"notices": "off"}),
        },
    }
)


def defaults(profile: str, channel: str) -> Defaults:
    """A channel that a profile says nothing of has none."""
    return DEFAULTS.get(profile, {}).get(channel, Defaults())


def by_channel(profile: str, *, template: str = "") -> dict[str, dict[str, Any]]:
    """A profile's defaults as they are stored; `template` is the operator's own for Telegram."""
    found = {channel: dict(each.settings) for channel, each in DEFAULTS[profile].items()}
    if template:
        found.setdefault("telegram", {})["template"] = template
    return found
