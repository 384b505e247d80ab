"""What was wished of two places is wished of one, since the wider of them ends."""

from collections.abc import Mapping
from typing import Any

import structlog

from wireroom.errors import UserError
from wireroom.feeds import filters

log = structlog.get_logger(__name__)


def together(special: Mapping[str, Any], wide: Mapping[str, Any]) -> dict[str, Any]:
    """The more special place has the last word, but filters and rules of both go on counting.

    Rules stand in the order in which they counted. Where the widest filter is to win (El
    Monitorro's way), the wide one does.
    """
    joined = {**wide, **special}
    ours, theirs = _text(special, "rules"), _text(wide, "rules")
    if ours and theirs and ours != theirs:
        joined["rules"] = f"{ours}\n{theirs}"
    ours, theirs = _text(special, "filter"), _text(wide, "filter")
    if ours and theirs and ours != theirs:
        joined["filter"] = theirs if joined.get("filter_rule") == "widest" else _both(ours, theirs)
    return joined


def marks(settings: Mapping[str, Any]) -> bool:
    """Whether rules stand there, which may mark what they find."""
    return bool(_text(settings, "rules"))


def _text(settings: Mapping[str, Any], name: str) -> str:
    value = settings.get(name)
    return value.strip() if isinstance(value, str) else ""


def _both(special: str, wide: str) -> str:
    both = f"({special}) ({wide})"
    try:
        filters.parse(both)
    except UserError as error:  # together they are too long
        log.warning("filter of the wider place not kept", why=str(error), filter=wide)
        return special
    return both
