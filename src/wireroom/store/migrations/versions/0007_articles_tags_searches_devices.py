"""Articles, tags, saved searches, and devices that are woken."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Tables for all four, and two columns of subscriptions."""
    _articles()
    _subscriptions()
    _tags()
    _saved_searches()
    _push_devices()


def _articles() -> None:
    op.create_table(
        "articles",
        sa.Column("feed_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("lane", sa.String(length=256), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("give_up_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("detail", sa.String(length=256), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("feed_id", "seq", name=op.f("pk_articles")),
        sa.ForeignKeyConstraint(
            ["feed_id", "seq"],
            ["entries.feed_id", "entries.seq"],
            name=op.f("fk_articles_feed_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_articles_due",
        "articles",
        ["due_at"],
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )


def _subscriptions() -> None:
    op.add_column(
        "subscriptions",
        sa.Column("full_content", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column("subscriptions", sa.Column("notified_seq", sa.BigInteger(), nullable=True))
    # A whole index: with no row in a partial one, SQLite's planner takes the table for empty, and
    # reads all entries for a list.
    op.create_index("ix_subscriptions_full_content", "subscriptions", ["full_content", "feed_id"])


def _tags() -> None:
    op.create_table(
        "tags",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_tags_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tags")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_tags_account_id_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "entry_tags",
        sa.Column("tag_id", ID, nullable=False),
        sa.Column("feed_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["tag_id"], ["tags.id"], name=op.f("fk_entry_tags_tag_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["feed_id", "seq"],
            ["entries.feed_id", "entries.seq"],
            name=op.f("fk_entry_tags_feed_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tag_id", "feed_id", "seq", name=op.f("pk_entry_tags")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entry_tags_feed_id_seq", "entry_tags", ["feed_id", "seq"])


def _saved_searches() -> None:
    op.create_table(
        "saved_searches",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("query", sa.String(length=1024), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_saved_searches_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_searches")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_saved_searches_account_id_name")),
        sqlite_autoincrement=True,
    )


def _push_devices() -> None:
    op.create_table(
        "push_devices",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("token_id", ID, nullable=False),
        sa.Column("endpoint", sa.LargeBinary(), nullable=False),
        sa.Column("endpoint_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("pushed_at", sa.BigInteger(), nullable=True),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_push_devices_account_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["token_id"],
            ["tokens.id"],
            name=op.f("fk_push_devices_token_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_devices")),
        sa.UniqueConstraint("endpoint_hash", name=op.f("uq_push_devices_endpoint_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_push_devices_account_id", "push_devices", ["account_id"])
    op.create_index("ix_push_devices_token_id", "push_devices", ["token_id"])
