"""What the Telegram bot has to remember."""

from sqlalchemy import JSON, BigInteger, Column, Index, String, Table

from wireroom.store.schema.columns import Id, Instant, metadata

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
