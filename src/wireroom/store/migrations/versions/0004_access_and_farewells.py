"""What feeds need besides their address, and hubs that are to be told good-bye."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "feed_access",
        sa.Column("feed_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("scheme", sa.String(length=16), server_default="", nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_feed_access_feed_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", name=op.f("pk_feed_access")),
    )
    op.create_table(
        "hub_farewells",
        sa.Column("callback", sa.String(length=64), nullable=False),
        sa.Column("hub_url", sa.String(length=2048), nullable=False),
        sa.Column("topic_url", sa.String(length=2048), nullable=False),
        sa.Column("act_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("callback", name=op.f("pk_hub_farewells")),
    )
    op.create_index("ix_hub_farewells_act_at", "hub_farewells", ["act_at"])
