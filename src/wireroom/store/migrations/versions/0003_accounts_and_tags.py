"""Invitations, second factors, and tags of subscriptions."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
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


def _reading() -> None:
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
