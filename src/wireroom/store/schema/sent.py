"""Where entries go: destinations, the routes to them, and what became of each message."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    false,
)

from wireroom.store.schema.columns import Id, Instant, metadata

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
    # Rules of its own were those of a wider place up to this seq, where they have marked already.
    Column("marked_through", BigInteger, nullable=False, server_default="0"),
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
