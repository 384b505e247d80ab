"""Labels know the dates of their entries, and clients that keep copies are told of them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Made anew: SQLite adds no column that must hold something to a table that has rows."""
    op.execute("CREATE TABLE entry_tags_before AS SELECT tag_id, feed_id, seq FROM entry_tags")
    op.drop_table("entry_tags")
    op.create_table(
        "entry_tags",
        sa.Column("tag_id", ID, nullable=False),
        sa.Column("feed_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sort_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tag_id"], ["tags.id"], name="fk_entry_tags_tag_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["feed_id", "seq"],
            ["entries.feed_id", "entries.seq"],
            name="fk_entry_tags_feed_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tag_id", "feed_id", "seq", name="pk_entry_tags"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO entry_tags (tag_id, feed_id, seq, sort_at) "
        "SELECT b.tag_id, b.feed_id, b.seq, e.sort_at FROM entry_tags_before b "
        "JOIN entries e ON e.feed_id = b.feed_id AND e.seq = b.seq"
    )
    op.drop_table("entry_tags_before")
    op.create_index("ix_entry_tags_feed_id_seq", "entry_tags", ["feed_id", "seq"])
    op.create_index("ix_entry_tags_place", "entry_tags", ["tag_id", "sort_at", "feed_id", "seq"])
    _tell()


def _tell() -> None:
    """What carries a label has a state from now on, said at the moment of this change."""
    clock = {
        "sqlite": "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
        "postgresql": "CAST(extract(epoch FROM now()) * 1000 AS BIGINT)",
    }[op.get_bind().dialect.name]
    labelled = (
        "SELECT t.account_id, c.feed_id, c.seq FROM entry_tags c "
        "JOIN tags t ON t.id = c.tag_id "
        "JOIN subscriptions s ON s.account_id = t.account_id AND s.feed_id = c.feed_id"
    )
    op.execute(
        f"UPDATE entry_states SET updated_at = {clock} "  # noqa: S608 - our own words
        f"WHERE (account_id, feed_id, seq) IN ({labelled})"
    )
    op.execute(
        "INSERT INTO entry_states (account_id, feed_id, seq, updated_at) "  # noqa: S608 - the same
        f"SELECT DISTINCT account_id, feed_id, seq, {clock} FROM ({labelled}) l WHERE NOT EXISTS "
        "(SELECT 1 FROM entry_states e WHERE e.account_id = l.account_id "
        "AND e.feed_id = l.feed_id AND e.seq = l.seq)"
    )
