"""The database and the key that seals what is secret in it, opened by the settings.

What only reads and writes records, such as `wireroom feeds`, needs nothing else of Wireroom, and
starts at once: polling, channels and the network's client are `wiring`.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from wireroom.settings import Settings
from wireroom.store.engine import Database, connect
from wireroom.store.migrate import migrate

if TYPE_CHECKING:
    from wireroom.store.vault import Vault

log = structlog.get_logger(__name__)


def now() -> datetime:
    """What this machine takes the time to be."""
    return datetime.now(UTC)


def open_database(settings: Settings) -> Database:
    """The database, migrated. Raises StoreError or SettingsError in words."""
    database = connect(settings.database_url)
    applied = migrate(database)
    if applied:
        log.info("database migrated", database=database.name, revisions=applied)
    return database


def open_vault(settings: Settings) -> "Vault":
    """The vault with the operator's key, or with the one beside the data."""
    from wireroom.store.vault import vault_from_file, vault_from_text

    if settings.secret_key:
        return vault_from_text(settings.secret_key)
    return vault_from_file(settings.key_file)
