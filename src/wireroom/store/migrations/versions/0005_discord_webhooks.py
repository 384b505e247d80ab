"""Webhooks of Discord servers, by whom they came."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Remember of a webhook which server it is of, and who hears of its end."""
    op.create_table(
        "discord_webhooks",
        sa.Column("destination_id", ID, autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.String(length=20), nullable=False),
        sa.Column("channel_id", sa.String(length=20), nullable=False),
        sa.Column("thread_id", sa.String(length=20), server_default="", nullable=False),
        sa.Column("added_by", sa.String(length=20), nullable=False),
        sa.Column("is_ours", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("told_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["destination_id"],
            ["destinations.id"],
            name=op.f("fk_discord_webhooks_destination_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("destination_id", name=op.f("pk_discord_webhooks")),
    )
    op.create_index("ix_discord_webhooks_guild_id", "discord_webhooks", ["guild_id"])
