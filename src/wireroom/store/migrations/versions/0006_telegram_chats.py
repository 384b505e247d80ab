"""What the Telegram bot knows of its chats, what it has asked there, and what it was told."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of chats, memos and updates."""
    op.create_table(
        "telegram_chats",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=256), server_default="", nullable=False),
        sa.Column("username", sa.String(length=64), server_default="", nullable=False),
        sa.Column("language", sa.String(length=8), server_default="", nullable=False),
        sa.Column("managing", sa.BigInteger(), nullable=True),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_telegram_chats")),
    )
    op.create_table(
        "telegram_memos",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_telegram_memos")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_telegram_memos_chat_id", "telegram_memos", ["chat_id", "user_id", "kind"])
    op.create_index("ix_telegram_memos_made_at", "telegram_memos", ["made_at"])
    op.create_table(
        "telegram_updates",
        sa.Column("bot_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("update_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("bot_id", "update_id", name=op.f("pk_telegram_updates")),
    )
    op.create_index("ix_telegram_updates_done_at", "telegram_updates", ["bot_id", "done_at"])
