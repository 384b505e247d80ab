"""Notices: what people should hear of. Errands: what a destination gets beside its routes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "notices",
        sa.Column("id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=True),
        sa.Column("destination_id", ID, nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("facts", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_notices_feed_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["destination_id"],
            ["destinations.id"],
            name=op.f("fk_notices_destination_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notices_feed_id", "notices", ["feed_id"], unique=False)
    op.create_index("ix_notices_destination_id", "notices", ["destination_id"], unique=False)
    op.create_table(
        "errands",
        sa.Column("id", ID, nullable=False),
        sa.Column("destination_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("route_id", ID, nullable=True),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("parcels_sent", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["destination_id"],
            ["destinations.id"],
            name=op.f("fk_errands_destination_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["route_id"], ["routes.id"], name=op.f("fk_errands_route_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_errands")),
        sa.UniqueConstraint("route_id", "seq", "kind", name=op.f("uq_errands_route_id_seq_kind")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_errands_destination_id", "errands", ["destination_id"], unique=False)


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("errands")
    op.drop_table("notices")
