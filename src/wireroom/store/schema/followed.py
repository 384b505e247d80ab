"""Subscriptions, and what accounts say of what they follow."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    false,
    true,
)

from wireroom.store.schema.columns import Id, Instant, metadata

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
    # The last entry that rules were asked about; NULL: there are none.
    Column("ruled_through", BigInteger),
    UniqueConstraint("account_id", "feed_id"),
    sqlite_autoincrement=True,
)
# Not a partial one: with no row in it, SQLite's planner takes the whole table for empty.
Index("ix_subscriptions_full_content", subscriptions.c.full_content, subscriptions.c.feed_id)
Index("ix_subscriptions_ruled_through", subscriptions.c.ruled_through)

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
    # The entry's, which never changes: a list of what carries a label is read off an index.
    Column("sort_at", Instant, nullable=False),
    ForeignKeyConstraint(
        ["feed_id", "seq"], ["entries.feed_id", "entries.seq"], ondelete="CASCADE"
    ),
    Index("ix_entry_tags_feed_id_seq", "feed_id", "seq"),
    Index("ix_entry_tags_place", "tag_id", "sort_at", "feed_id", "seq"),
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
