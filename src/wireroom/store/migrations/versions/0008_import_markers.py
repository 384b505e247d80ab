"""What rss-bot announced last of a feed, until Wireroom has read the feed itself."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column of feeds, empty for all but those that an import has brought."""
    op.add_column(
        "feeds",
        sa.Column("import_marker", sa.String(length=1024), server_default="", nullable=False),
    )
