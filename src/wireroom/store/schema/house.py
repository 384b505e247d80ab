"""Small facts of the whole installation."""

from sqlalchemy import JSON, Column, String, Table, text

from wireroom.store.schema.columns import Instant, metadata

# Small facts of the installation: bot offsets, last job runs.
facts = Table(
    "facts",
    metadata,
    Column("key", String(128), primary_key=True),
    Column("value", JSON, nullable=False),
    Column("updated_at", Instant, nullable=False, server_default=text("0")),
)
