"""Settings are read: from their sources, each by its kind, checked, and none of unknown name."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints

from wireroom.errors import SettingsError
from wireroom.settings import checks, sources
from wireroom.settings.model import Settings
from wireroom.settings.sources import PREFIX
from wireroom.settings.values import converted


def read(
    environment: Mapping[str, str],
    *,
    dotenv: Path | None = None,
    passed_over: Callable[[str], None] = lambda _: None,
) -> Settings:
    """Settings from the environment, a `.env` file behind it, and the defaults behind both.

    Every name is `WIREROOM_` and the field's name in capitals.
    Raises SettingsError with one sentence that names the setting, what it holds and what it may
    hold. RSS Bot starts all the same where a duration is wrong, and so do we in its profile:
    `passed_over` is told that sentence then, and the default holds (SCH-11).
    """
    given = {**(sources.dotenv(dotenv) if dotenv else {}), **environment}
    known = {PREFIX + each.name.upper(): each.name for each in fields(Settings)}
    values: dict[str, Any] = {}
    hints = get_type_hints(Settings)
    given = sources.with_old_names(given)
    is_forgiving = sources.profile_of(given) == "rssbot"
    for name, field_name in known.items():
        if text := sources.text_of(given, name):
            kind = hints[field_name]
            try:
                values[field_name] = converted(name, text, kind)
            except SettingsError as error:
                if not (is_forgiving and timedelta in (kind, *get_args(kind))):
                    raise
                passed_over(str(error))
    _refuse_unknown(given, known)
    settings = Settings(**values)
    checks.check(settings)
    return settings


def _refuse_unknown(given: Mapping[str, str], known: Mapping[str, str]) -> None:
    """A setting that is spelled wrong must not be passed over in silence."""
    for name in given:
        if not name.startswith(PREFIX) or name.startswith(f"{PREFIX}TEST_"):
            continue
        if name.removesuffix("_FILE") not in known and name != f"{PREFIX}CORPUS":
            raise SettingsError(f"There is no setting {name}.{_hint(name, known)}")


def _hint(name: str, known: Mapping[str, str]) -> str:
    import difflib

    suffix = "_FILE" if name.endswith("_FILE") else ""
    wanted = name.removeprefix(PREFIX).removesuffix(suffix)  # what all names share tells nothing
    near = difflib.get_close_matches(wanted, [each.removeprefix(PREFIX) for each in known], n=1)
    return f" Did you mean {PREFIX}{near[0]}{suffix}?" if near else " See docs/settings.md."
