"""All settings with their defaults, by subject."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from wireroom.settings.values import Network


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

    egress: str = field(
        default="",
        metadata={
            "help": "Addresses that our requests come from, such as 192.0.2.7 and "
            "2001:db8::/64, on the bot page; publishers let us in by them."
        },
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
    discord_error_color: str = field(
        default="",
        metadata={"help": "Colour of embeds that tell of trouble, such as 0xE74C3C."},
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
    poll_backoff_max: timedelta | None = field(
        default=None,
        metadata={"help": "Longest wait after errors. Default: the polling policy's."},
    )
    poll_adaptive: bool = field(
        default=True,
        metadata={
            "help": "Ask feeds as often as they publish. off: every feed at the base interval."
        },
    )
    update_period: str = field(
        default="",
        metadata={
            "help": "What to make of a feed's sy:updatePeriod: ignored, honoured, or "
            "unless_hourly (WordPress writes that unasked). Default: unless_hourly, honoured in "
            "the profile cabalmail, ignored in the others."
        },
    )
    calibrate_at: str = field(
        default="",
        metadata={
            "help": "Time of day, in UTC unless a zone follows (00:01 Europe/Berlin), from which "
            "on every healthy feed is read in full once, within an hour. Default: off, 17:01 "
            "in the profile rss-feed."
        },
    )
    poll_tick: timedelta | None = field(
        default=None,
        metadata={
            "help": "How late a poll may be at most: pause between two looks for due feeds. "
            "Default: 30s, 60s in the profiles rss-feed and el-monitorro, 5m in cabalmail."
        },
    )
    poll_concurrency: int | None = field(
        default=None,
        metadata={
            "help": "How many hosts are asked at the same time. Default: 64, 8 in the profile "
            "rssbot, 5 in cabalmail."
        },
    )
    fetch_spacing: timedelta = field(
        default=timedelta(seconds=1),
        metadata={"help": "Pause between two requests to the same host."},
    )
    fetch_patience: timedelta | None = field(
        default=None,
        metadata={
            "help": "Longest wait for the next bytes of an answer. Default: 20s, 30s in the "
            "profile rssbot, 5s in el-monitorro."
        },
    )
    fetch_timeout: timedelta | None = field(
        default=None,
        metadata={
            "help": "Longest that one request may take, all redirects included. Default: 60s, 35s "
            "in the profile rssbot."
        },
    )
    verbatim_validators: bool | None = field(
        default=None,
        metadata={
            "help": "Send back ETag and Last-Modified both, exactly as they came. off: the ETag "
            "alone, without its W/. Default: off, on in the profiles rssbot and rss-feed."
        },
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
    log_dir: Path | None = field(
        default=None,
        metadata={
            "help": "Folder for the log as files, bot-YYYY-MM-DD.log, a new one at each local "
            "midnight. Empty: none, the log is on standard error only."
        },
    )
    log_backup_count: int = field(
        default=7, metadata={"help": "How many days of log files are kept."}
    )
    metrics_from: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Addresses or networks that may read /metrics (Prometheus), such as "
            "127.0.0.1, separated by commas. Empty: there is no such page."
        },
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
