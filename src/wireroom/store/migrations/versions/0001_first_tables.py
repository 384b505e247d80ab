"""The first tables.

A migration is a record: types and defaults as they were; never edited once it is released.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make every table of the first release."""
    op.create_table(
        "accounts",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=256), nullable=False),
        sa.Column("role", sa.String(length=16), server_default="member", nullable=False),
        sa.Column("preferences", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "entry_bodies",
        sa.Column("feed_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("feed_id", "seq", name=op.f("pk_entry_bodies")),
    )
    op.create_table(
        "unindexed",
        sa.Column("feed_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("feed_id", "seq", name=op.f("pk_unindexed")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "facts",
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_facts")),
    )
    op.create_table(
        "lanes",
        sa.Column("key", sa.String(length=256), nullable=False),
        sa.Column("ready_at", sa.BigInteger(), nullable=True),
        sa.Column("paused_until", sa.BigInteger(), nullable=True),
        sa.Column("lease_owner", sa.String(length=64), nullable=True),
        sa.Column("lease_token", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("throttles", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_lanes")),
    )
    op.create_index("ix_lanes_ready_at", "lanes", ["ready_at"], unique=False)
    op.create_table(
        "replacements",
        sa.Column("id", ID, nullable=False),
        sa.Column("value", sa.String(length=255), nullable=False),
        sa.Column("is_regex", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replacements")),
        sa.UniqueConstraint("value", "is_regex", name=op.f("uq_replacements_value_is_regex")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "destinations",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("channel", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=256), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.Column("title", sa.String(length=256), server_default="", nullable=False),
        sa.Column("settings", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("suspended_at", sa.BigInteger(), nullable=True),
        sa.Column("suspended_reason", sa.String(length=256), server_default="", nullable=False),
        sa.Column("ready_at", sa.BigInteger(), nullable=True),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("lease_owner", sa.String(length=64), nullable=True),
        sa.Column("lease_token", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("woken", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_destinations_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_destinations")),
        sa.UniqueConstraint(
            "account_id",
            "channel",
            "address",
            name=op.f("uq_destinations_account_id_channel_address"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_destinations_account_id"), "destinations", ["account_id"], unique=False
    )
    op.create_index("ix_destinations_ready_at", "destinations", ["ready_at"], unique=False)
    op.create_table(
        "entry_states",
        sa.Column("account_id", ID, nullable=False),
        sa.Column("feed_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("is_read", sa.Boolean(), nullable=True),
        sa.Column("is_favorite", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_entry_states_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "feed_id", "seq", name=op.f("pk_entry_states")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_entry_states_changes",
        "entry_states",
        ["account_id", "feed_id", "updated_at", "seq"],
        unique=False,
    )
    op.create_index(
        "ix_entry_states_favorite",
        "entry_states",
        ["account_id", "feed_id", "seq"],
        unique=False,
        sqlite_where=sa.text("is_favorite = 1"),
        postgresql_where=sa.text("is_favorite = true"),
    )
    op.create_index(
        "ix_entry_states_kept_unread",
        "entry_states",
        ["account_id", "feed_id", "seq"],
        unique=False,
        sqlite_where=sa.text("is_read = 0"),
        postgresql_where=sa.text("is_read = false"),
    )
    op.create_table(
        "feeds",
        sa.Column("id", ID, nullable=False),
        sa.Column("url", sa.String(length=2048), nullable=False),
        sa.Column("canonical_key", sa.String(length=2048), nullable=False),
        sa.Column("adapter", sa.String(length=64), server_default="generic", nullable=False),
        sa.Column("owner_account_id", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("lane", sa.String(length=256), nullable=False),
        sa.Column("format", sa.String(length=16), server_default="", nullable=False),
        sa.Column("title", sa.String(length=512), server_default="", nullable=False),
        sa.Column("description", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("site_url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("icon_url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("language", sa.String(length=64), server_default="", nullable=False),
        sa.Column("hub_url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("self_url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("hints", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("etag", sa.Text(), server_default="", nullable=False),
        sa.Column("last_modified", sa.Text(), server_default="", nullable=False),
        sa.Column("body_hash", sa.LargeBinary(length=16), nullable=True),
        sa.Column("item_digests", sa.LargeBinary(), nullable=True),
        sa.Column("identity_rule", sa.String(length=64), server_default="", nullable=False),
        sa.Column("last_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("next_poll_at", sa.BigInteger(), nullable=True),
        sa.Column("next_poll_reason", sa.String(length=256), server_default="", nullable=False),
        sa.Column("wanted_interval_seconds", sa.Integer(), nullable=True),
        sa.Column("wanted_by_all", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("history", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("health", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("failure_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.String(length=500), server_default="", nullable=False),
        sa.Column("last_status", sa.Integer(), nullable=True),
        sa.Column("last_attempt_at", sa.BigInteger(), nullable=True),
        sa.Column("last_success_at", sa.BigInteger(), nullable=True),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.Column("disabled_reason", sa.String(length=256), server_default="", nullable=False),
        sa.Column(
            "redirect_conflict_url", sa.String(length=2048), server_default="", nullable=False
        ),
        sa.Column("announced_url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("announced_times", sa.Integer(), server_default="0", nullable=False),
        sa.Column("subscriber_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lane"], ["lanes.key"], name=op.f("fk_feeds_lane")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feeds")),
        sa.UniqueConstraint(
            "canonical_key",
            "adapter",
            "owner_account_id",
            name=op.f("uq_feeds_canonical_key_adapter_owner_account_id"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_feeds_with_hub",
        "feeds",
        ["id"],
        unique=False,
        sqlite_where=sa.text("hub_url != ''"),
        postgresql_where=sa.text("hub_url != ''"),
    )
    op.create_index("ix_feeds_lane_next_poll_at", "feeds", ["lane", "next_poll_at"], unique=False)
    op.create_table(
        "hub_leases",
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("hub_url", sa.String(length=2048), nullable=False),
        sa.Column("topic_url", sa.String(length=2048), nullable=False),
        sa.Column("callback", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("act_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("missed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("forged", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pushed_at", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.String(length=256), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_hub_leases_feed_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", name=op.f("pk_hub_leases")),
        sa.UniqueConstraint("callback", name=op.f("uq_hub_leases_callback")),
    )
    op.create_index("ix_hub_leases_act_at", "hub_leases", ["act_at"], unique=False)
    op.create_table(
        "folders",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("parent_id", ID, nullable=True),
        sa.Column("name", sa.String(length=256), nullable=False),
        sa.Column("display_order", sa.Integer(), server_default="0", nullable=False),
        sa.Column("settings", sa.JSON(), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_folders_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["parent_id"], ["folders.id"], name=op.f("fk_folders_parent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_folders")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_folders_account_id_parent_id",
        "folders",
        ["account_id", "parent_id", "display_order", "name"],
        unique=False,
    )
    op.create_index(op.f("ix_folders_parent_id"), "folders", ["parent_id"], unique=False)
    op.create_table(
        "identities",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=256), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_identities_account_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("kind", "subject", name=op.f("uq_identities_kind_subject")),
    )
    op.create_index(op.f("ix_identities_account_id"), "identities", ["account_id"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), server_default="", nullable=False),
        sa.Column("scopes", sa.String(length=256), server_default="", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_tokens_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_tokens_secret_hash")),
    )
    op.create_index(op.f("ix_tokens_account_id"), "tokens", ["account_id"], unique=False)
    op.create_table(
        "entries",
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("public_id", sa.String(length=1024), nullable=False),
        sa.Column("sort_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.Column("first_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.String(length=1024), server_default="", nullable=False),
        sa.Column("author", sa.String(length=256), server_default="", nullable=False),
        sa.Column("link", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("has_large_body", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("image_url", sa.String(length=2048), server_default="", nullable=False),
        sa.Column("enclosures", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("categories", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("extra", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("content_hash", sa.LargeBinary(length=16), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_news", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("not_news_why", sa.String(length=128), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_entries_feed_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", "seq", name=op.f("pk_entries")),
    )
    op.create_index(
        "ix_entries_feed_id_sort_at", "entries", ["feed_id", "sort_at", "seq"], unique=False
    )
    op.create_table(
        "entry_keys",
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("gone_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_entry_keys_feed_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", "key", name=op.f("pk_entry_keys")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entry_keys_feed_id_seq", "entry_keys", ["feed_id", "seq"], unique=False)
    op.create_table(
        "fetches",
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(length=24), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("detail", sa.String(length=500), server_default="", nullable=False),
        sa.Column("new_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("changed_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("body_bytes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("duration_ms", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_fetches_feed_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("feed_id", "at", name=op.f("pk_fetches")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", ID, nullable=False),
        sa.Column("account_id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("folder_id", ID, nullable=True),
        sa.Column("custom_title", sa.String(length=256), server_default="", nullable=False),
        sa.Column("settings", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("wanted_interval_seconds", sa.Integer(), nullable=True),
        sa.Column("read_watermark", sa.BigInteger(), nullable=True),
        sa.Column("data_store_uuid", sa.String(length=36), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_subscriptions_account_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name=op.f("fk_subscriptions_feed_id")),
        sa.ForeignKeyConstraint(
            ["folder_id"],
            ["folders.id"],
            name=op.f("fk_subscriptions_folder_id"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscriptions")),
        sa.UniqueConstraint(
            "account_id", "feed_id", name=op.f("uq_subscriptions_account_id_feed_id")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_subscriptions_feed_id"), "subscriptions", ["feed_id"], unique=False)
    op.create_index(
        op.f("ix_subscriptions_folder_id"), "subscriptions", ["folder_id"], unique=False
    )
    op.create_table(
        "routes",
        sa.Column("id", ID, nullable=False),
        sa.Column("subscription_id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("destination_id", ID, nullable=False),
        sa.Column("cursor", sa.BigInteger(), nullable=True),
        sa.Column("initial_items", sa.Integer(), server_default="0", nullable=False),
        sa.Column("asked_through", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("settings", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("paused_until", sa.BigInteger(), nullable=True),
        sa.Column("not_before", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("parcels_sent", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("cursor IS NULL OR cursor >= 0", name=op.f("ck_routes_cursor")),
        sa.ForeignKeyConstraint(
            ["destination_id"],
            ["destinations.id"],
            name=op.f("fk_routes_destination_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name=op.f("fk_routes_feed_id")),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscriptions.id"],
            name=op.f("fk_routes_subscription_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_routes")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_routes_destination_id"), "routes", ["destination_id"], unique=False)
    op.create_index("ix_routes_feed_id", "routes", ["feed_id", "destination_id"], unique=False)
    op.create_index(op.f("ix_routes_subscription_id"), "routes", ["subscription_id"], unique=False)
    op.create_table(
        "deliveries",
        sa.Column("route_id", ID, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("message_ids", sa.String(length=512), server_default="", nullable=False),
        sa.Column("detail", sa.String(length=500), server_default="", nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["route_id"], ["routes.id"], name=op.f("fk_deliveries_route_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("route_id", "seq", name=op.f("pk_deliveries")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_deliveries_at", "deliveries", ["at"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        op.execute("""CREATE VIRTUAL TABLE entry_search USING fts5 (
        title, author, body, tokenize = 'unicode61 remove_diacritics 0'
    )""")
    else:
        op.execute("""CREATE TABLE entry_search (
        feed_id BIGINT NOT NULL, seq BIGINT NOT NULL, document TSVECTOR NOT NULL,
        PRIMARY KEY (feed_id, seq)
    )""")
        op.execute("CREATE INDEX ix_entry_search_document ON entry_search USING gin (document)")
