"""Entries are tallied by date, so that unread counts cost the same however much is unread."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """The tallies of the entries that are there, in spans of 2^26 and 2^32 milliseconds."""
    op.create_table(
        "tallies",
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("width", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("span", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name="fk_tallies_feed_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", "width", "span", name="pk_tallies"),
        sqlite_with_rowid=False,
    )
    for width in (26, 32):
        op.execute(
            "INSERT INTO tallies (feed_id, width, span, number) "  # noqa: S608 - our numbers
            f"SELECT feed_id, {width}, sort_at >> {width}, count(*) "
            f"FROM entries GROUP BY feed_id, sort_at >> {width}"
        )
