"""Invitations, second factors, push devices; tags, saved searches and full texts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add what accounts and readers have gained."""
    _accounts()
    _reading()


def _of_account(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id"],
        ["accounts.id"],
        name=op.f(f"fk_{table}_account_id"),
        ondelete="CASCADE",
    )


def _accounts() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), server_default="", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        _of_account("invitations"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_invitations_secret_hash")),
    )
    op.create_index(op.f("ix_invitations_account_id"), "invitations", ["account_id"])
    op.create_table(
        "factors",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=128), server_default="", nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=True),
        sa.Column("counter", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        _of_account("factors"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_factors")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_factors_credential_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_factors_account_id"), "factors", ["account_id"])
    op.create_table(
        "push_devices",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("endpoint_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("endpoint", sa.LargeBinary(), nullable=False),
        sa.Column("told_feeds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("told_sum", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _of_account("push_devices"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_devices")),
        sa.UniqueConstraint(
            "account_id", "endpoint_hash", name=op.f("uq_push_devices_account_id_endpoint_hash")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_push_devices_account_id"), "push_devices", ["account_id"])


def _reading() -> None:
    op.create_table(
        "full_texts",
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("content", sa.Text(), server_default="", nullable=False),
        sa.Column("problem", sa.String(length=256), server_default="", nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_full_texts_feed_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", "seq", name=op.f("pk_full_texts")),
    )
    op.create_index("ix_full_texts_fetched_at", "full_texts", ["fetched_at"])
    op.create_table(
        "subscription_tags",
        sa.Column("subscription_id", ID, nullable=False),
        sa.Column("tag", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscriptions.id"],
            name=op.f("fk_subscription_tags_subscription_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("subscription_id", "tag", name=op.f("pk_subscription_tags")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "saved_searches",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("query", sa.String(length=1024), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _of_account("saved_searches"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_searches")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_saved_searches_account_id_name")),
        sqlite_autoincrement=True,
    )
