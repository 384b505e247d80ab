"""Entries: what publishers wrote, by which names it is known, and where its words are found."""

from sqlalchemy import (
    DDL,
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
    Text,
    event,
    false,
    true,
)

from wireroom.store.schema.columns import Instant, metadata

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

# How many entries a feed has in a span of time, 2^width milliseconds long and the span-th since
# 1970 (see store.tallying).
tallies = Table(
    "tallies",
    metadata,
    Column("feed_id", ForeignKey("feeds.id", ondelete="CASCADE"), primary_key=True),
    Column("width", Integer, primary_key=True, autoincrement=False),
    Column("span", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    sqlite_with_rowid=False,
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
