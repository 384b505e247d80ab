"""When the owner of a session last showed who they are, beside its beginning."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column of tokens, empty until a session is proved again."""
    op.add_column("tokens", sa.Column("proved_at", sa.BigInteger()))
