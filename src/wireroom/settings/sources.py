"""Where settings come from: the environment, and `.env` in the working directory behind it.

A name that ends in `_FILE` gives the path of a file that holds the value (SEC-15). An empty value
is none. Names of the systems that Wireroom unites are taken for ours.
"""

from collections.abc import Mapping
from pathlib import Path

from wireroom.errors import SettingsError

PREFIX = "WIREROOM_"

#: Names of the systems that Wireroom unites, with ours.
_OLD_NAMES = {
    "POST_TEMPLATE": f"{PREFIX}POST_TEMPLATE",
    "BOT_TOKEN": f"{PREFIX}TELEGRAM_TOKEN",
    "TELEGRAM_BOT_TOKEN": f"{PREFIX}TELEGRAM_TOKEN",
    "TELEGRAM_BASE_URL": f"{PREFIX}TELEGRAM_API",
    "TELEGRAM_BOT_HANDLE": f"{PREFIX}TELEGRAM_HANDLE",
    "ADMIN_ID": f"{PREFIX}TELEGRAM_ADMIN",
    "ADMIN_TELEGRAM_ID": f"{PREFIX}TELEGRAM_ADMIN",
    "OWNER_TELEGRAM_ID": f"{PREFIX}TELEGRAM_OWNER",
    "SUBSCRIPTION_LIMIT": f"{PREFIX}TELEGRAM_SUBSCRIPTION_LIMIT",
    "FILTER_LIMIT": f"{PREFIX}FILTER_LIMIT",
    "DISCORD_TOKEN": f"{PREFIX}DISCORD_TOKEN",
}
#: Those that are too common to be taken for ours where their system's profile is not chosen.
_NAMES_OF_PROFILES: Mapping[str, Mapping[str, str]] = {
    "rssbot": {
        "POLL_INTERVAL": f"{PREFIX}POLL_INTERVAL",
        "POLL_INTERVAL_MAX": f"{PREFIX}POLL_INTERVAL_MAX",
        "POLL_ADAPTIVE": f"{PREFIX}POLL_ADAPTIVE",
        "POLL_CONCURRENCY": f"{PREFIX}POLL_CONCURRENCY",
        "POLL_TICK": f"{PREFIX}POLL_TICK",
    },
    "el-monitorro": {
        "SYNC_INTERVAL_SECONDS": f"{PREFIX}POLL_INTERVAL",
        "REQUEST_TIMEOUT": f"{PREFIX}FETCH_PATIENCE",
    },
    "rss-feed": {
        "DATA_DIR": f"{PREFIX}DATA_DIR",
        "LOG_LEVEL": f"{PREFIX}LOG_LEVEL",
        "LOG_DIR": f"{PREFIX}LOG_DIR",
        "LOG_BACKUP_COUNT": f"{PREFIX}LOG_BACKUP_COUNT",
        "MIN_INTERVAL": f"{PREFIX}POLL_INTERVAL_MIN",
        "DEFAULT_INTERVAL": f"{PREFIX}POLL_INTERVAL",
        "FETCH_SPACING": f"{PREFIX}FETCH_SPACING",
        "SEND_SPACING": f"{PREFIX}DISCORD_SPACING",
        "MAX_ITEMS_PER_POLL": f"{PREFIX}DISCORD_BURST",
        "PAGE_SIZE": f"{PREFIX}DISCORD_PAGE_SIZE",
        "RSS_COLOR": f"{PREFIX}DISCORD_COLOR",
        "ERROR_COLOR": f"{PREFIX}DISCORD_ERROR_COLOR",
        "FETCH_TIMEOUT": f"{PREFIX}FETCH_TIMEOUT",
        "MAX_BACKOFF": f"{PREFIX}POLL_BACKOFF_MAX",
    },
}


def with_old_names(given: Mapping[str, str]) -> dict[str, str]:
    """Our own names win over the old ones."""
    names = {**_OLD_NAMES, **_NAMES_OF_PROFILES.get(profile_of(given), {})}
    old = {new: given[name] for name, new in names.items() if name in given}
    return {**old, **given}


def profile_of(given: Mapping[str, str]) -> str:
    """The profile by name; "" when none is chosen."""
    return given.get(f"{PREFIX}PROFILE", "").strip()


def text_of(given: Mapping[str, str], name: str) -> str:
    """The text of a setting, read from the file that NAME_FILE names where that is given."""
    text, file = given.get(name, "").strip(), given.get(f"{name}_FILE", "").strip()
    if not file:
        return text
    if text:
        raise SettingsError(f"Set either {name} or {name}_FILE, not both.")
    return _contents(Path(file), f"{name}_FILE: ").strip()


def _contents(file: Path, subject: str = "") -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"{subject}{file} cannot be read: {reason}.") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{subject}{file} cannot be read: it is not UTF-8 text.") from error


def dotenv(file: Path) -> dict[str, str]:
    """Lines NAME=value of a `.env` file; # comments, `export` and quotes as shells have them."""
    if not file.exists():
        return {}
    found = {}
    for line in _contents(file).splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if not equals or name.startswith("#"):
            continue
        value = value.strip()
        if value[:1] in "'\"" and value[:1] and value.endswith(value[:1]) and len(value) > 1:
            value = value[1:-1]
        else:
            value = value.partition(" #")[0].rstrip()
        found[name.strip()] = value
    return found
