"""The index of who wants articles is a whole one.

With no row in a partial index, SQLite's planner takes the whole table for empty, and reads all
entries for a list.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_NAME = "ix_subscriptions_full_content"


def upgrade() -> None:
    """Replace it."""
    op.drop_index(_NAME, table_name="subscriptions")
    op.create_index(_NAME, "subscriptions", ["full_content", "feed_id"])
