"""Bringing a database to the tables that this Wireroom knows, at every start and by hand.

Two processes that start at once are safe: the first takes a lock, the second finds the work done.
A database that a newer Wireroom has migrated is refused, because going on would damage it.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from wireroom.errors import StoreTooNew
from wireroom.store.engine import Database

#: The newest revision in `migrations/versions`; a test holds the two together.
HEAD = "0014"

_SCRIPTS = Path(__file__).with_name("migrations")
#: Any number that nobody else uses on the same PostgreSQL database.
_LOCK = 7_491_873_221


def migrate(database: Database, through: str | None = None) -> list[str]:
    """Apply what is missing; gives the revisions that were applied, oldest first.

    `through` is an older revision to stop at, for data that was written then. Raises StoreTooNew
    when the database was migrated by a newer Wireroom.
    """
    wanted = through or HEAD
    with database.reading() as connection:
        if revision(connection) == wanted:
            return []
    with database.writing() as connection:
        if not database.is_sqlite:  # SQLite: BEGIN IMMEDIATE is the lock
            # Another process may migrate for longer than a statement waits otherwise.
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        return _upgrade(connection, wanted)


def knows(older: object) -> bool:
    """Whether it is a revision that this Wireroom brings forward."""
    names = (each.name for each in (_SCRIPTS / "versions").glob("[0-9]*.py"))
    return older in {name.partition("_")[0] for name in names}


def revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection, wanted: str) -> list[str]:
    # Imported here: it takes a second, and most starts have nothing to migrate.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.runtime.migration import MigrationInfo
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    before = revision(connection)
    if before is not None and before not in {each.revision for each in scripts.walk_revisions()}:
        raise StoreTooNew(
            f"The database was migrated to revision {before} by a newer Wireroom, and this one "
            f"knows only up to {HEAD}. Start the newer version, or restore a backup made before."
        )
    applied: list[str] = []

    def note(ctx: object, step: MigrationInfo, heads: object, run_args: object) -> None:
        applied.extend(step.up_revision_ids)

    with EnvironmentContext(
        config,
        scripts,
        fn=lambda revision, _: scripts._upgrade_revs(wanted, revision),  # noqa: SLF001
    ) as environment:
        environment.configure(
            connection=connection, transactional_ddl=False, on_version_apply=note
        )
        environment.run_migrations()
    return applied
