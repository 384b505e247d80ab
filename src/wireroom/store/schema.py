"""The tables, once, for SQLite and PostgreSQL (DESIGN.md §5). Migrations are held equal to this
page.

Conventions: instants are `Instant` (epoch milliseconds, UTC); secrets are ciphertext made by
`vault`;
`ready_at` is the moment from which a lane or destination may be claimed, and while it is claimed,
the
moment its lease runs out, so that one index serves both questions.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    DDL,
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    event,
    false,
    text,
    true,
)
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Instant(TypeDecorator[datetime]):
    """An aware UTC datetime kept as epoch milliseconds: eight bytes, ordered, equal on both
    engines."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive datetime {value!r} offered to the store")
        return (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + timedelta(milliseconds=value)


#: SQLite numbers rows by itself only where the key is spelled INTEGER.
Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# -- who ------------------------------------------------------------------------------------------

accounts = Table(
    "accounts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(256), nullable=False),
    # operator: everything; member: own rows only (C32)
    Column("role", String(16), nullable=False, server_default="member"),
    Column("preferences", JSON, nullable=False, server_default="{}"),
    Column("created_at", Instant, nullable=False),
    sqlite_autoincrement=True,  # ids are never used again
)

# An account's doors: password (subject = login name), telegram (chat id), discord (guild id),
# oidc.
identities = Table(
    "identities",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),
    Column("subject", String(256), nullable=False),
    Column("secret_hash", Text),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("kind", "subject"),
)

# Web sessions and API tokens; only SHA-256 of the secret is kept.
tokens = Table(
    "tokens",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),
    Column("secret_hash", LargeBinary(32), nullable=False, unique=True),
    Column("name", String(128), nullable=False, server_default=""),
    Column("scopes", String(256), nullable=False, server_default=""),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    Column("expires_at", Instant),
)

# A link by which one person may make an account; it goes when it is used.
invitations = Table(
    "invitations",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("secret_hash", LargeBinary(32), nullable=False, unique=True),
    Column("name", String(128), nullable=False, server_default=""),  # for whom
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
)

# What is asked for after the password: totp, passkey, or a recovery code that works once.
factors = Table(
    "factors",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),
    Column("name", String(128), nullable=False, server_default=""),
    # totp: its sealed key; passkey: the credential's public key; recovery: SHA-256 of the code
    Column("secret", LargeBinary, nullable=False),
    Column("credential_id", LargeBinary, unique=True),  # of a passkey
    # totp: the last time step that was used; passkey: its sign count
    Column("counter", BigInteger, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    sqlite_autoincrement=True,
)

# -- feeds ----------------------------------------------------------------------------------------

# The unit of politeness: one host. A row exists while feeds on that host do.
lanes = Table(
    "lanes",
    metadata,
    Column("key", String(256), primary_key=True),
    Column("ready_at", Instant),  # NULL: nothing to poll here
    Column("paused_until", Instant),  # the host asked for silence (Retry-After)
    Column("lease_owner", String(64)),
    Column(
        "lease_token", BigInteger, nullable=False, server_default="0"
    ),  # fencing: grows by claim
    # How often in a row the host said "too many": without a Retry-After, the pauses double.
    Column("throttles", Integer, nullable=False, server_default="0"),
    Index("ix_lanes_ready_at", "ready_at"),
)

feeds = Table(
    "feeds",
    metadata,
    Column("id", Id, primary_key=True),
    Column("url", String(2048), nullable=False),
    Column("canonical_key", String(2048), nullable=False),
    Column("adapter", String(64), nullable=False, server_default="generic"),
    # 0: shared. Otherwise the one account whose credentials it carries.
    Column("owner_account_id", BigInteger, nullable=False, server_default="0"),
    Column("lane", ForeignKey("lanes.key"), nullable=False),
    # what it says about itself
    Column("format", String(16), nullable=False, server_default=""),
    Column("title", String(512), nullable=False, server_default=""),
    Column("description", String(2048), nullable=False, server_default=""),
    Column("site_url", String(2048), nullable=False, server_default=""),
    Column("icon_url", String(2048), nullable=False, server_default=""),
    Column("language", String(64), nullable=False, server_default=""),
    Column("hub_url", String(2048), nullable=False, server_default=""),
    Column("self_url", String(2048), nullable=False, server_default=""),
    Column("hints", JSON, nullable=False, server_default="{}"),
    # what we hold of it
    Column("etag", Text, nullable=False, server_default=""),
    Column("last_modified", Text, nullable=False, server_default=""),
    Column("body_hash", LargeBinary(16)),
    Column("item_digests", LargeBinary),  # 16 bytes for each item of the last document
    Column("identity_rule", String(64), nullable=False, server_default=""),
    # What rss-bot announced last, for the first reading after an import; "" from then on.
    Column("import_marker", String(1024), nullable=False, server_default=""),
    Column("last_seq", BigInteger, nullable=False, server_default="0"),
    # when to ask again, and why
    Column("next_poll_at", Instant),  # NULL: never by itself (disabled, or nobody follows it)
    Column("next_poll_reason", String(256), nullable=False, server_default=""),
    Column("wanted_interval_seconds", Integer),  # smallest that a subscription asks for (SCH-21)
    Column("wanted_by_all", Boolean, nullable=False, server_default=false()),
    Column("history", JSON, nullable=False, server_default="{}"),
    # how it is doing
    Column("health", JSON, nullable=False, server_default="{}"),
    Column("failure_count", Integer, nullable=False, server_default="0"),
    Column("failing_since", Instant),
    Column("last_error", String(500), nullable=False, server_default=""),
    Column("last_status", Integer),
    Column("last_attempt_at", Instant),
    Column("last_success_at", Instant),
    Column("disabled_at", Instant),
    Column("disabled_reason", String(256), nullable=False, server_default=""),
    Column("redirect_conflict_url", String(2048), nullable=False, server_default=""),
    # Where the document says that the feed has moved, and at how many readings in a row.
    Column("announced_url", String(2048), nullable=False, server_default=""),
    Column("announced_times", Integer, nullable=False, server_default="0"),
    Column("subscriber_count", Integer, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("canonical_key", "adapter", "owner_account_id"),
    Index("ix_feeds_lane_next_poll_at", "lane", "next_poll_at"),
    sqlite_autoincrement=True,
)

# Few feeds have a hub: those are found without looking at the others.
Index(
    "ix_feeds_with_hub",
    feeds.c.id,
    sqlite_where=feeds.c.hub_url != "",
    postgresql_where=feeds.c.hub_url != "",
)

# Our record of an item. `seq` counts within the feed, in commit order.
entries = Table(
    "entries",
    metadata,
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("public_id", String(1024), nullable=False),  # guid, else link, else sha256:…
    Column("sort_at", Instant, nullable=False),  # min(published, first seen): never ahead of us
    Column("published_at", Instant),
    Column("updated_at", Instant),
    Column("first_seen_at", Instant, nullable=False),
    Column("title", String(1024), nullable=False, server_default=""),
    Column("author", String(256), nullable=False, server_default=""),
    Column("link", String(2048), nullable=False, server_default=""),
    Column("summary", Text),
    Column("content", Text),  # NULL beside has_large_body: look into entry_bodies
    Column("has_large_body", Boolean, nullable=False, server_default=false()),
    Column("image_url", String(2048), nullable=False, server_default=""),
    Column("enclosures", JSON, nullable=False, server_default="[]"),
    Column("categories", JSON, nullable=False, server_default="[]"),
    Column("extra", JSON, nullable=False, server_default="{}"),
    Column("content_hash", LargeBinary(16), nullable=False),
    Column("digest", LargeBinary(16), nullable=False),  # of the raw item that was last read for it
    Column("revision", Integer, nullable=False, server_default="0"),  # edits since first seen
    # False: stored for readers, but not news for routes (slid in, re-numbered); `not_news_why`
    # says why.
    Column("is_news", Boolean, nullable=False, server_default=true()),
    Column("not_news_why", String(128), nullable=False, server_default=""),
    Index("ix_entries_feed_id_sort_at", "feed_id", "sort_at", "seq"),
)

entry_bodies = Table(
    "entry_bodies",
    metadata,
    Column("feed_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
)

# The text of the page that an entry links to, for those who want it in place of the feed's own:
# asked for once, kept beside the feed's content.
articles = Table(
    "articles",
    metadata,
    Column("feed_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("lane", String(256), nullable=False),  # the page's host
    Column("due_at", Instant),  # when to ask for the page; NULL: settled
    # Routes hold the entry back for its text until then, and no longer.
    Column("give_up_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("content", Text),  # sanitised HTML; NULL: not yet, or not to be had
    Column("detail", String(256), nullable=False, server_default=""),  # why there is none
    ForeignKeyConstraint(
        ["feed_id", "seq"], ["entries.feed_id", "entries.seq"], ondelete="CASCADE"
    ),
)
Index(
    "ix_articles_due",
    articles.c.due_at,
    sqlite_where=articles.c.due_at.is_not(None),
    postgresql_where=articles.c.due_at.is_not(None),
)

# All names an entry has ever had (see feeds.identity). A row outlives its entry as a tombstone,
# seq NULL.
entry_keys = Table(
    "entry_keys",
    metadata,
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), primary_key=True),
    Column("key", LargeBinary(16), primary_key=True),
    Column("seq", BigInteger),
    Column("gone_at", Instant),  # of a tombstone: when its entry was trimmed; NULL: keep for ever
    Index("ix_entry_keys_feed_id_seq", "feed_id", "seq"),
    sqlite_with_rowid=False,
)

# Entries whose text has yet to go into the full-text index (see store.indexing).
unindexed = Table(
    "unindexed",
    metadata,
    Column("feed_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# The index itself is each engine's own; it holds nothing that is not in `entries` too.
# SQLite: rowid is feed_id << 32 | seq.
SEARCH_SQLITE = (
    """CREATE VIRTUAL TABLE entry_search USING fts5 (
        title, author, body, tokenize = 'unicode61 remove_diacritics 0'
    )""",
)
SEARCH_POSTGRESQL = (
    """CREATE TABLE entry_search (
        feed_id BIGINT NOT NULL, seq BIGINT NOT NULL, document TSVECTOR NOT NULL,
        PRIMARY KEY (feed_id, seq)
    )""",
    "CREATE INDEX ix_entry_search_document ON entry_search USING gin (document)",
)
for _dialect, _statements in (("sqlite", SEARCH_SQLITE), ("postgresql", SEARCH_POSTGRESQL)):
    for _statement in _statements:
        event.listen(
            metadata,
            "after_create",
            DDL(_statement).execute_if(dialect=_dialect),  # type: ignore[no-untyped-call]
        )
event.listen(
    metadata,
    "before_drop",
    DDL("DROP TABLE IF EXISTS entry_search"),  # type: ignore[no-untyped-call]
)

# The last outcomes of a feed, bounded; for people who ask what is going on.
fetches = Table(
    "fetches",
    metadata,
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Instant, primary_key=True),
    Column("outcome", String(24), nullable=False),
    Column("status", Integer),
    Column("detail", String(500), nullable=False, server_default=""),
    Column("new_count", Integer, nullable=False, server_default="0"),
    Column("changed_count", Integer, nullable=False, server_default="0"),
    Column("body_bytes", Integer, nullable=False, server_default="0"),
    Column("duration_ms", Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)

# What a hub pushes to us (WebSub): one row for each feed that has a hub.
# What a feed needs besides its address. `scheme` may be shown, the rest is sealed.
feed_access = Table(
    "feed_access",
    metadata,
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), primary_key=True),
    Column("scheme", String(16), nullable=False, server_default=""),
    Column("sealed", LargeBinary, nullable=False),
)

# Hubs that are to be told that nobody follows a feed here any more: the feed is gone by then.
hub_farewells = Table(
    "hub_farewells",
    metadata,
    Column("callback", String(64), primary_key=True),
    Column("hub_url", String(2048), nullable=False),
    Column("topic_url", String(2048), nullable=False),
    Column("act_at", Instant, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Index("ix_hub_farewells_act_at", "act_at"),
)

hub_leases = Table(
    "hub_leases",
    metadata,
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), primary_key=True),
    Column("hub_url", String(2048), nullable=False),
    Column("topic_url", String(2048), nullable=False),
    # Nobody guesses it: it is the last part of the address that the hub calls.
    Column("callback", String(64), nullable=False, unique=True),
    Column("secret", LargeBinary, nullable=False),  # encrypted: signs what the hub sends
    Column("state", String(16), nullable=False),  # asked, active, denied, failed, leaving
    Column("expires_at", Instant),  # of the lease, as the hub granted it
    Column("act_at", Instant),  # when to ask, ask again or renew; NULL: nothing to do
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("missed", Integer, nullable=False, server_default="0"),  # news that polls found first
    Column("forged", Integer, nullable=False, server_default="0"),
    Column("pushed_at", Instant),
    Column("detail", String(256), nullable=False, server_default=""),
    Index("ix_hub_leases_act_at", "act_at"),
)

# -- who follows what -----------------------------------------------------------------------------

folders = Table(
    "folders",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("parent_id", ForeignKey("folders.id"), index=True),
    Column("name", String(256), nullable=False),
    Column("display_order", Integer, nullable=False, server_default="0"),
    Column("settings", JSON, nullable=False, server_default="{}"),
    Index("ix_folders_account_id_parent_id", "account_id", "parent_id", "display_order", "name"),
    sqlite_autoincrement=True,
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("feed_id", ForeignKey("feeds.id"), nullable=False, index=True),
    Column("folder_id", ForeignKey("folders.id", ondelete="SET NULL"), index=True),
    Column("custom_title", String(256), nullable=False, server_default=""),
    Column("settings", JSON, nullable=False, server_default="{}"),
    Column("wanted_interval_seconds", Integer),
    Column("read_watermark", Instant),
    Column("data_store_uuid", String(36), nullable=False),
    Column("created_at", Instant, nullable=False),
    # Whether entries show the text of the page they link to.
    Column("full_content", Boolean, nullable=False, server_default=false()),
    # The last entry that the account's devices were woken for; NULL: none was looked at yet.
    Column("notified_seq", BigInteger),
    UniqueConstraint("account_id", "feed_id"),
    sqlite_autoincrement=True,
)
# Not a partial one: with no row in it, SQLite's planner takes the whole table for empty.
Index("ix_subscriptions_full_content", subscriptions.c.full_content, subscriptions.c.feed_id)

# Words that an account puts on its subscriptions, beside the one folder that each lies in.
subscription_tags = Table(
    "subscription_tags",
    metadata,
    Column(
        "subscription_id", ForeignKey("subscriptions.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("tag", String(64), primary_key=True),
    sqlite_with_rowid=False,
)

# What an account said about an entry, explicitly. No row: the watermark decides.
entry_states = Table(
    "entry_states",
    metadata,
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("feed_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("is_read", Boolean),
    Column("is_favorite", Boolean, nullable=False, server_default=false()),
    Column("updated_at", Instant, nullable=False),
    Index("ix_entry_states_changes", "account_id", "feed_id", "updated_at", "seq"),
    sqlite_with_rowid=False,
)

# The few rows that lists ask for directly: kept unread, and favourites.
Index(
    "ix_entry_states_kept_unread",
    entry_states.c.account_id,
    entry_states.c.feed_id,
    entry_states.c.seq,
    sqlite_where=entry_states.c.is_read == false(),
    postgresql_where=entry_states.c.is_read == false(),
)
Index(
    "ix_entry_states_favorite",
    entry_states.c.account_id,
    entry_states.c.feed_id,
    entry_states.c.seq,
    sqlite_where=entry_states.c.is_favorite == true(),
    postgresql_where=entry_states.c.is_favorite == true(),
)

# Words that an account puts on entries.
tags = Table(
    "tags",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("account_id", "name"),
    sqlite_autoincrement=True,
)

entry_tags = Table(
    "entry_tags",
    metadata,
    Column("tag_id", ForeignKey("tags.id", ondelete="CASCADE"), primary_key=True),
    Column("feed_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    ForeignKeyConstraint(
        ["feed_id", "seq"], ["entries.feed_id", "entries.seq"], ondelete="CASCADE"
    ),
    Index("ix_entry_tags_feed_id_seq", "feed_id", "seq"),
    sqlite_with_rowid=False,
)

# Searches that somebody gave a name.
saved_searches = Table(
    "saved_searches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(128), nullable=False),
    Column("query", String(1024), nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("account_id", "name"),
    sqlite_autoincrement=True,
)

# Browsers and apps that are woken when something arrives (Web Push, RFC 8030).
push_devices = Table(
    "push_devices",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    # The session or token that registered it: both end together.
    Column("token_id", ForeignKey("tokens.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", LargeBinary, nullable=False),  # encrypted: whoever has it may wake
    Column("endpoint_hash", LargeBinary(32), nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("pushed_at", Instant),
    Column("retry_at", Instant),  # its service asked us to wait
    Column("failures", Integer, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)

# -- where it goes --------------------------------------------------------------------------------

destinations = Table(
    "destinations",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("channel", String(16), nullable=False),  # telegram, discord, …
    Column("address", String(256), nullable=False),  # public part: chat id and topic, webhook id
    Column("secret", LargeBinary),  # encrypted part: webhook token
    Column("title", String(256), nullable=False, server_default=""),
    Column("settings", JSON, nullable=False, server_default="{}"),
    Column("created_at", Instant, nullable=False),
    Column("suspended_at", Instant),
    Column("suspended_reason", String(256), nullable=False, server_default=""),
    # claims, as for lanes; NULL: nothing to send, or suspended
    Column("ready_at", Instant),
    Column("retry_at", Instant),  # asked to wait, or backing off: news do not come before
    Column("lease_owner", String(64)),
    Column("lease_token", BigInteger, nullable=False, server_default="0"),
    Column("woken", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("account_id", "channel", "address"),
    Index("ix_destinations_ready_at", "ready_at"),
    sqlite_autoincrement=True,
)

# Destinations that are webhooks of a Discord server, brought or made by way of the bot.
discord_webhooks = Table(
    "discord_webhooks",
    metadata,
    Column(
        "destination_id",
        ForeignKey("destinations.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("guild_id", String(20), nullable=False),
    Column("channel_id", String(20), nullable=False),
    Column("thread_id", String(20), nullable=False, server_default=""),
    Column("added_by", String(20), nullable=False),  # who hears of its end
    Column("is_ours", Boolean, nullable=False, server_default=false()),  # made by the bot
    Column("told_at", Instant),  # when somebody was told of its end
    Index("ix_discord_webhooks_guild_id", "guild_id"),
)

routes = Table(
    "routes",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "subscription_id",
        ForeignKey("subscriptions.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("feed_id", ForeignKey("feeds.id"), nullable=False),
    Column(
        "destination_id",
        ForeignKey("destinations.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    # The last seq dealt with; entries past it are the outbox. NULL: waits for the feed's first
    # reading, which sets it so that `initial_items` remain ahead of it (promise 8).
    Column("cursor", BigInteger),
    Column("initial_items", Integer, nullable=False, server_default="0"),
    # Entries up to this seq were asked for, news or not: the initial ones, and those of a replay.
    Column("asked_through", BigInteger, nullable=False, server_default="0"),
    Column("settings", JSON, nullable=False, server_default="{}"),
    Column("paused_until", Instant),
    # Nothing goes out before: backoff of the entry at the head, quiet hours, the next digest.
    Column("not_before", Instant),
    # of the entry after the cursor: failed tries, since when, and how many parcels were accepted
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("failing_since", Instant),
    Column("parcels_sent", Integer, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    CheckConstraint("cursor IS NULL OR cursor >= 0", name="cursor"),
    Index("ix_routes_feed_id", "feed_id", "destination_id"),
    sqlite_autoincrement=True,
)

# What was sent, as which message, or why not. Bounded by age.
deliveries = Table(
    "deliveries",
    metadata,
    Column("route_id", ForeignKey("routes.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("outcome", String(16), nullable=False),  # sent, skipped, rejected
    Column("message_ids", String(512), nullable=False, server_default=""),
    Column("detail", String(500), nullable=False, server_default=""),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("at", Instant, nullable=False),
    Index("ix_deliveries_at", "at"),
    sqlite_with_rowid=False,
)

# What happened to feeds and destinations, until it is decided whom it is told (C10).
notices = Table(
    "notices",
    metadata,
    Column("id", Id, primary_key=True),
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), index=True),
    Column("destination_id", ForeignKey("destinations.id", ondelete="CASCADE"), index=True),
    Column("kind", String(16), nullable=False),
    Column("facts", JSON, nullable=False, server_default="{}"),
    Column("at", Instant, nullable=False),
    sqlite_autoincrement=True,
)

# What a destination gets beside its routes: a notice, an edit of what was sent, an entry that a
# rule of another route led here.
errands = Table(
    "errands",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "destination_id",
        ForeignKey("destinations.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("kind", String(16), nullable=False),
    Column("route_id", ForeignKey("routes.id", ondelete="CASCADE")),
    Column("seq", BigInteger),
    Column("facts", JSON, nullable=False, server_default="{}"),
    Column("at", Instant, nullable=False),
    # as of the entry at the head of a route
    Column("not_before", Instant),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("failing_since", Instant),
    Column("parcels_sent", Integer, nullable=False, server_default="0"),
    UniqueConstraint("route_id", "seq", "kind"),
    sqlite_autoincrement=True,
)

# What is taken out of every text that goes out (C30), in this order.
replacements = Table(
    "replacements",
    metadata,
    Column("id", Id, primary_key=True),
    Column("value", String(255), nullable=False),
    Column("is_regex", Boolean, nullable=False, server_default=false()),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("value", "is_regex"),
    sqlite_autoincrement=True,
)

# Small facts of the installation: bot offsets, last job runs.
facts = Table(
    "facts",
    metadata,
    Column("key", String(128), primary_key=True),
    Column("value", JSON, nullable=False),
    Column("updated_at", Instant, nullable=False, server_default=text("0")),
)

# -- bots -----------------------------------------------------------------------------------------

# A Telegram chat in which the bot was spoken to.
telegram_chats = Table(
    "telegram_chats",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),  # private, group, supergroup, channel
    Column("title", String(256), nullable=False, server_default=""),
    Column("username", String(64), nullable=False, server_default=""),
    Column("language", String(8), nullable=False, server_default=""),  # "": that of who writes
    # A private chat: the chat whose feeds its commands are about, if it is another one.
    Column("managing", BigInteger),
    Column("left_at", Instant),  # we were removed or blocked
    Column("seen_at", Instant, nullable=False),
)

# What the bot has to remember of a conversation: questions it asked, choices it offered.
telegram_memos = Table(
    "telegram_memos",
    metadata,
    Column("id", Id, primary_key=True),
    Column("chat_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("payload", JSON, nullable=False),
    Column("made_at", Instant, nullable=False),
    Index("ix_telegram_memos_chat_id", "chat_id", "user_id", "kind"),
    Index("ix_telegram_memos_made_at", "made_at"),
    sqlite_autoincrement=True,
)

# What a Telegram bot was told. A row is there before Telegram may forget it, and stays for two
# days as the mark that it is dealt with.
telegram_updates = Table(
    "telegram_updates",
    metadata,
    Column("bot_id", BigInteger, primary_key=True, autoincrement=False),
    Column("update_id", BigInteger, primary_key=True, autoincrement=False),
    Column("body", JSON(none_as_null=True)),  # NULL once it is dealt with
    Column("done_at", Instant),
    Index("ix_telegram_updates_done_at", "bot_id", "done_at"),
)
