"""Icons of sites outlive a restart, and are looked for again after a while."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What was found of each host, and when; empty until somebody needs an icon."""
    op.create_table(
        "site_icons",
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("page_url", sa.String(length=2048), nullable=False),
        sa.Column("url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("looked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("host", name="pk_site_icons"),
    )
    op.create_index("ix_site_icons_looked_at", "site_icons", ["looked_at"])
