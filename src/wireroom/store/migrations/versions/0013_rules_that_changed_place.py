"""Rules that go with their chat into another account mark nothing a second time."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """How far rules that are a route's by now had come when they were those of a wider place."""
    op.add_column(
        "routes", sa.Column("marked_through", sa.BigInteger(), nullable=False, server_default="0")
    )
