"""What an operator may set, where it comes from, and what is wrong with it.

Precedence: environment, then `.env` in the working directory, then the built-in default. Every
name is `WIREROOM_` and the field's name in capitals; a name that ends in `_FILE` gives the path of
a file that holds the value (SEC-15). An empty value is none. `docs/settings.md` lists them all; a
test holds the two together.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints

from wireroom.errors import SettingsError, UserError

PREFIX = "WIREROOM_"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|d)?")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, None: 1}
_COLOR = re.compile(r"(?:0x|#)?[0-9a-f]{6}")
_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_NO_WORDS = {"0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings with their defaults; `help` is the line that the documentation shows."""

    data_dir: Path = field(
        default=Path("data"), metadata={"help": "Folder for the database and the secret key."}
    )
    database: str = field(
        default="",
        repr=False,
        metadata={
            "help": "Database address: sqlite:///file or postgresql://user:password@host/name. "
            "Default: SQLite in the data folder.",
            "secret": True,
        },
    )
    secret_key: str = field(
        default="",
        repr=False,
        metadata={
            "help": "Key that seals stored secrets, base64 of 32 bytes. Default: the file "
            "secret.key in the data folder, made at the first start.",
            "secret": True,
        },
    )
    profile: str = field(
        default="wireroom",
        metadata={
            "help": "Set of polling defaults: wireroom, rssbot, rss-feed, el-monitorro, cabalmail."
        },
    )

    listen: str = field(
        default="127.0.0.1:8780",
        metadata={
            "help": "Address and port of the web reader. Loopback unless you say otherwise."
        },
    )
    public_url: str = field(
        default="",
        metadata={
            "help": "Address under which the world reaches this Wireroom, such as "
            "https://news.example.org. Publishers see it in the User-Agent."
        },
    )
    contact: str = field(
        default="", metadata={"help": "Mail or web address for publishers, on the bot page."}
    )

    allowed_hosts: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Further host names that the web reader answers to, separated by commas; "
            "* for any."
        },
    )
    trusted_proxies: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Addresses or networks of reverse proxies whose X-Forwarded-For is believed, "
            "separated by commas."
        },
    )

    registration: str = field(
        default="invited",
        metadata={
            "help": "Who gets an account: closed (nobody), invited (by a link of an operator's), "
            "open (whoever comes)."
        },
    )
    oidc_issuer: str = field(
        default="",
        metadata={
            "help": "Address of an OpenID Connect issuer whose word is taken for who somebody is."
        },
    )
    oidc_client_id: str = field(
        default="", metadata={"help": "What the issuer calls this Wireroom."}
    )
    oidc_client_secret: str = field(
        default="",
        repr=False,
        metadata={"help": "The issuer's secret for it; empty for public clients.", "secret": True},
    )
    oidc_title: str = field(
        default="single sign-on", metadata={"help": "What the login button calls the issuer."}
    )
    oidc_scopes: str = field(
        default="openid profile email", metadata={"help": "What the issuer is asked for."}
    )
    oidc_subject: str = field(
        default="sub",
        metadata={
            "help": "What names somebody in the issuer's tokens: sub, or username (Cognito)."
        },
    )
    oidc_audiences: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Further audiences whose bearer tokens the API takes, separated by commas."
        },
    )
    oidc_makes_accounts: bool = field(
        default=True,
        metadata={"help": "Whoever the issuer knows gets an account at their first visit."},
    )
    login_header: str = field(
        default="",
        metadata={
            "help": "Header in which a reverse proxy names who is logged in, such as Remote-User."
        },
    )
    login_header_from: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Addresses or networks of the proxies whose LOGIN_HEADER is believed, "
            "separated by commas."
        },
    )
    cors_origins: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Web apps that may call the API from a browser, such as "
            "https://app.example.org; * for any, separated by commas."
        },
    )
    api_rate: int = field(
        default=600, metadata={"help": "API calls a minute for each token; more wait (429)."}
    )
    address_rate: int = field(
        default=1200, metadata={"help": "API calls a minute from each address; more wait (429)."}
    )

    picture_proxy: bool = field(
        default=True,
        metadata={
            "help": "Load pictures in articles through this Wireroom, so that publishers do not "
            "learn who reads. off: browsers load them from their publishers."
        },
    )

    telegram_token: str = field(
        default="",
        repr=False,
        metadata={"help": "Token of the Telegram bot, from @BotFather.", "secret": True},
    )
    telegram_api: str = field(
        default="https://api.telegram.org",
        metadata={"help": "Base address of the Telegram Bot API, for local Bot API servers."},
    )
    telegram_mode: str = field(
        default="",
        metadata={
            "help": "Whom the Telegram bot answers: single-admin and owner (its operator alone), "
            "open (everybody). Default: the profile's, else owner."
        },
    )
    telegram_admin: int | None = field(
        default=None,
        metadata={"help": "Telegram number of whoever runs the bot; @userinfobot tells yours."},
    )
    telegram_owner: int | None = field(
        default=None,
        metadata={"help": "Telegram number of a second person who may do everything."},
    )
    telegram_handle: str = field(
        default="",
        metadata={"help": "User name of the bot. Empty: Telegram is asked."},
    )
    telegram_webhook: bool = field(
        default=True,
        metadata={
            "help": "Let Telegram call us where WIREROOM_PUBLIC_URL is https. off: we always ask."
        },
    )
    telegram_subscription_limit: str = field(
        default="",
        metadata={
            "help": "Most subscriptions of a chat: a number, or private=20,group=5,channel=1; 0 "
            "is any number. Default: 20 in mode open, any number otherwise."
        },
    )
    filter_limit: int = field(
        default=20, metadata={"help": "Most words of a filter list that is set in a chat."}
    )
    smtp: str = field(
        default="",
        repr=False,
        metadata={
            "help": "Mail server for news by e-mail: smtp://user:password@host:587 (STARTTLS) or "
            "smtps://user:password@host.",
            "secret": True,
        },
    )
    mail_from: str = field(
        default="", metadata={"help": "Address that mail comes from, such as news@example.org."}
    )
    post_template: str = field(
        default="",
        metadata={
            "help": "Layout of messages in Telegram chats that have none of their own, in any of "
            "the template languages. RSS Bot's POST_TEMPLATE is read, too; with its profile the "
            "file post.gohtml is as well."
        },
    )
    discord_api: str = field(
        default="https://discord.com/api/v10",
        metadata={"help": "Base address of the Discord API."},
    )
    discord_token: str = field(
        default="",
        repr=False,
        metadata={
            "help": "Token of the Discord bot, from discord.com/developers. Without it there are "
            "no commands; webhooks work all the same.",
            "secret": True,
        },
    )
    discord_shards: int | None = field(
        default=None,
        metadata={"help": "Connections of the Discord bot. Empty: as many as Discord advises."},
    )
    discord_interactions: bool = field(
        default=False,
        metadata={
            "help": "Discord brings commands to WIREROOM_PUBLIC_URL, which must be https, instead "
            "of over its gateway."
        },
    )
    discord_page_size: int = field(
        default=5, metadata={"help": "Feeds on a page of /rss list, at most 20."}
    )
    discord_color: str = field(
        default="",
        metadata={"help": "Colour of Discord's embeds, such as 0xEE802F or #ee802f."},
    )
    discord_burst: int | None = field(
        default=None,
        metadata={"help": "Most entries of a backlog that go to a Discord channel at once."},
    )
    discord_spacing: timedelta = field(
        default=timedelta(seconds=1),
        metadata={"help": "Pause between two messages of one Discord webhook."},
    )
    favicon_service: str = field(
        default="",
        metadata={
            "help": "Address that gives a site's icon, with {host} in it. Empty: sites themselves "
            "are looked at."
        },
    )

    poll: bool = field(
        default=True,
        metadata={"help": "Ask feeds for news. off: everything else goes on."},
    )
    poll_interval: timedelta | None = field(
        default=None, metadata={"help": "Base interval of the profile's polling policy."}
    )
    poll_interval_min: timedelta | None = field(
        default=None, metadata={"help": "Feeds are never asked more often than this."}
    )
    poll_interval_max: timedelta | None = field(
        default=None, metadata={"help": "Healthy feeds are asked at least this often."}
    )
    poll_tick: timedelta = field(
        default=timedelta(seconds=30),
        metadata={
            "help": "How late a poll may be at most: pause between two looks for due feeds."
        },
    )
    poll_concurrency: int = field(
        default=32, metadata={"help": "How many hosts are asked at the same time."}
    )
    fetch_spacing: timedelta = field(
        default=timedelta(seconds=1),
        metadata={"help": "Pause between two requests to the same host."},
    )
    allow_http: bool = field(
        default=False,
        metadata={"help": "Fetch over plain http where https does not answer."},
    )
    allow_networks: tuple[Network, ...] = field(
        default=(),
        metadata={
            "help": "Private networks that feeds may come from, such as 192.168.1.0/24; separated "
            "by commas. Empty: none."
        },
    )
    allow_high_ports: bool = field(
        default=True,
        metadata={
            "help": "Fetch from ports above 1023 as well, except those of databases and the like."
        },
    )
    max_body_bytes: int = field(
        default=5_000_000,
        metadata={"help": "Largest feed document, both as sent and unpacked."},
    )
    send_concurrency: int = field(
        default=64, metadata={"help": "How many destinations are sent to at the same time."}
    )

    keep_items: int | None = field(
        default=None,
        metadata={
            "help": "Newest items kept of each feed that nobody reads here, only in chats. "
            "Default: all, while somebody follows the feed."
        },
    )
    keep_items_age: timedelta | None = field(
        default=None,
        metadata={"help": "How old items of such feeds may grow. Default: no bound."},
    )
    keep_read_feeds_whole: bool = field(
        default=True,
        metadata={
            "help": "off: the two settings above count for feeds that somebody reads here as well."
        },
    )
    keep_deliveries: timedelta = field(
        default=timedelta(days=90),
        metadata={"help": "How long it is noted what was sent, as which message, or why not."},
    )
    keep_fetches: int = field(
        default=50, metadata={"help": "How many of a feed's last answers are noted."}
    )
    keep_tombstones: timedelta = field(
        default=timedelta(days=730),
        metadata={
            "help": "How long the names of items that went are known, so that none comes back as "
            "news."
        },
    )

    log_level: str = field(
        default="INFO", metadata={"help": "DEBUG, INFO, WARNING, ERROR or CRITICAL."}
    )
    log_format: str = field(
        default="console", metadata={"help": "console for people, json for machines."}
    )

    @property
    def database_url(self) -> str:
        """The database's address, the default filled in."""
        return self.database or f"sqlite:///{self.data_dir / 'wireroom.sqlite3'}"

    @property
    def key_file(self) -> Path:
        """Where the secret key lies when no setting gives it."""
        return self.data_dir / "secret.key"

    @property
    def host_and_port(self) -> tuple[str, int]:
        """`listen`, taken apart."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]") or "127.0.0.1", int(port)


def read(environment: Mapping[str, str], *, dotenv: Path | None = None) -> Settings:
    """Settings from the environment and a `.env` file.

    Raises SettingsError with one sentence that names the setting, what it holds and what it may
    hold.
    """
    given = {**(_dotenv(dotenv) if dotenv else {}), **environment}
    known = {PREFIX + each.name.upper(): each.name for each in fields(Settings)}
    values: dict[str, Any] = {}
    hints = get_type_hints(Settings)
    given = _with_old_names(given)
    for name, field_name in known.items():
        if text := _text(given, name):
            values[field_name] = _converted(name, text, hints[field_name])
    _refuse_unknown(given, known)
    settings = Settings(**values)
    _check(settings)
    return settings


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
#: Those of rss-feed that are too common to be taken for ours where its profile is not chosen.
_RSS_FEED_NAMES = {
    "DATA_DIR": f"{PREFIX}DATA_DIR",
    "LOG_LEVEL": f"{PREFIX}LOG_LEVEL",
    "MIN_INTERVAL": f"{PREFIX}POLL_INTERVAL_MIN",
    "DEFAULT_INTERVAL": f"{PREFIX}POLL_INTERVAL",
    "FETCH_SPACING": f"{PREFIX}FETCH_SPACING",
    "SEND_SPACING": f"{PREFIX}DISCORD_SPACING",
    "MAX_ITEMS_PER_POLL": f"{PREFIX}DISCORD_BURST",
    "PAGE_SIZE": f"{PREFIX}DISCORD_PAGE_SIZE",
    "RSS_COLOR": f"{PREFIX}DISCORD_COLOR",
}


def _with_old_names(given: Mapping[str, str]) -> dict[str, str]:
    """Our own names win over the old ones."""
    is_rss_feed = given.get(f"{PREFIX}PROFILE", "").strip() == "rss-feed"
    names = {**_OLD_NAMES, **(_RSS_FEED_NAMES if is_rss_feed else {})}
    old = {new: given[name] for name, new in names.items() if name in given}
    return {**old, **given}


def _text(given: Mapping[str, str], name: str) -> str:
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


def _converted(name: str, text: str, kind: Any) -> Any:
    if kind == tuple[str, ...]:
        return tuple(each.strip() for each in text.split(",") if each.strip())
    for wanted, convert, example in _CONVERTERS:
        if kind is wanted or wanted in get_args(kind):
            try:
                return convert(text)
            except (ValueError, KeyError) as error:
                raise SettingsError(f"{name}={text!r} is not {example}.") from error
    return text


def _boolean(text: str) -> bool:
    return {**_WORDS, **_NO_WORDS}[text.lower()]


def duration(text: str) -> timedelta:
    """A duration as people write it: "90s", "10m", "6h", "1d". Raises UserError."""
    try:
        return _duration(text)
    except ValueError as error:
        raise UserError(
            f"{text!r} is no duration above zero: write 90s, 10m, 6h or 1d."
        ) from error


def _duration(text: str) -> timedelta:
    found = _DURATION.fullmatch(text.lower())
    if not found or float(found[1]) <= 0:
        raise ValueError(text)
    return timedelta(seconds=float(found[1]) * _UNITS[found[2]])


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(each.strip()) for each in text.split(",") if each.strip())


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


_CONVERTERS: tuple[tuple[Any, Callable[[str], Any], str], ...] = (
    (bool, _boolean, "a switch: write on or off"),
    (int, _positive, "a whole number above zero"),
    (timedelta, _duration, "a duration above zero: write 90s, 10m, 6h or 1d"),
    (Path, lambda text: Path(text).expanduser(), "a path"),
    (Network, _networks, "a list of networks such as 192.168.1.0/24,fd00::/8"),
)


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


_CHOICES = {
    "registration": ("closed", "invited", "open"),
    "oidc_subject": ("sub", "username"),
}


def _check(settings: Settings) -> None:
    if settings.discord_color and not _COLOR.fullmatch(settings.discord_color.lower()):
        raise SettingsError(
            f"{PREFIX}DISCORD_COLOR={settings.discord_color!r} is no colour: write 0xEE802F."
        )
    host, _, port = settings.listen.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) < 65536:
        raise SettingsError(
            f"{PREFIX}LISTEN={settings.listen!r} is not an address and port: write 127.0.0.1:8780."
        )
    for name in ("public_url", "telegram_api", "discord_api", "oidc_issuer"):
        value = getattr(settings, name)
        if value and not value.startswith(("http://", "https://")):
            raise SettingsError(
                f"{PREFIX}{name.upper()}={value!r} must begin with https:// (or http://)."
            )
    for name, words in _CHOICES.items():
        if getattr(settings, name) not in words:
            raise SettingsError(
                f"{PREFIX}{name.upper()}={getattr(settings, name)!r} is none of "
                f"{', '.join(words)}."
            )
    if settings.oidc_issuer and not settings.oidc_client_id:
        raise SettingsError(f"{PREFIX}OIDC_ISSUER needs {PREFIX}OIDC_CLIENT_ID beside it.")
    if settings.login_header and not settings.login_header_from:
        raise SettingsError(
            f"{PREFIX}LOGIN_HEADER needs {PREFIX}LOGIN_HEADER_FROM: whose word is it?"
        )
    for each in (*settings.login_header_from, *settings.trusted_proxies):
        _check_network(each)
    if settings.log_level.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        raise SettingsError(
            f"{PREFIX}LOG_LEVEL={settings.log_level!r} is none of DEBUG, INFO, WARNING, ERROR, "
            "CRITICAL."
        )
    if settings.log_format not in ("console", "json"):
        raise SettingsError(f"{PREFIX}LOG_FORMAT={settings.log_format!r}: write console or json.")


def _check_network(text: str) -> None:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise SettingsError(
            f"{text!r} is no address or network: write 10.0.0.2 or 10.0.0.0/8 in "
            f"{PREFIX}TRUSTED_PROXIES and {PREFIX}LOGIN_HEADER_FROM."
        ) from error


def _dotenv(file: Path) -> dict[str, str]:
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


def described() -> list[tuple[str, str, str]]:
    """Name, default and help of every setting, for the documentation and `wireroom check`."""
    lines = []
    for each in fields(Settings):
        default = "" if each.default is MISSING else _spelled(each.default)
        lines.append((PREFIX + each.name.upper(), default, str(each.metadata["help"])))
    return lines


def is_secret(field_name: str) -> bool:
    """Whether the value of a setting must never be shown."""
    return any(each.metadata.get("secret") for each in fields(Settings) if each.name == field_name)


def _spelled(value: Any) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case timedelta(days=days) if value == timedelta(days=days):
            return f"{days}d"
        case timedelta():
            return f"{value.total_seconds():g}s"
        case None:
            return ""
        case tuple():
            return ",".join(map(str, value))
    return str(value)
