"""Feeds, the hosts they are asked from, what asking brought, and the hubs that push."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from wireroom.store.schema.columns import Id, Instant, metadata

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

# Icons of sites, for feeds without one of their own: what was found at a page of each host.
site_icons = Table(
    "site_icons",
    metadata,
    Column("host", String(255), primary_key=True),
    Column("page_url", String(2048), nullable=False),
    Column("url", String(2048), nullable=False, server_default=""),  # "": it has none
    Column("looked_at", Instant, nullable=False),
    Index("ix_site_icons_looked_at", "looked_at"),
)

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

# What a hub pushes to us (WebSub): one row for each feed that has a hub.
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
