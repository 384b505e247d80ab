"""Rules of accounts are asked about all that is followed, whether it is sent anywhere or not."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """How far they have come in each subscription.

    Until now a route asked them: they go on behind the last entry that one has dealt with.
    """
    op.add_column("subscriptions", sa.Column("ruled_through", sa.BigInteger()))
    op.execute(
        "UPDATE subscriptions SET ruled_through = coalesce("
        "(SELECT max(cursor) FROM routes WHERE subscription_id = subscriptions.id"
        " AND routes.feed_id = subscriptions.feed_id), "
        "(SELECT feeds.last_seq FROM feeds WHERE feeds.id = subscriptions.feed_id)) "
        "WHERE CAST(settings AS TEXT) LIKE '%\"rules\"%' "
        "OR account_id IN "
        "(SELECT id FROM accounts WHERE CAST(preferences AS TEXT) LIKE '%\"rules\"%') "
        "OR EXISTS (SELECT 1 FROM facts"
        " WHERE key = 'delivery' AND CAST(value AS TEXT) LIKE '%\"rules\"%')"
    )
    op.create_index("ix_subscriptions_ruled_through", "subscriptions", ["ruled_through"])
