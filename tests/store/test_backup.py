"""Nothing is lost on the way into a backup, out of it, or from one engine to the other."""

import asyncio
import contextlib
import gzip
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from tests.rows import NOON, add_account, at
from tests.servers.databases import Databases
from tests.store.filled import (
    call_it_migrated,
    fill_every_table,
    fill_tables,
    rows_of,
    tables_of,
)
from tests.store.polled import item, make_feed, read
from tests.store.stepping import everything
from wireroom.errors import Conflict, StoreCorrupt, UserError
from wireroom.store import backup, claims, ingest, migrate, portable_file, schema, transfer
from wireroom.store.engine import Database, connect


def _fill(address: str) -> str:
    """Rows in every table, and no lease."""
    with contextlib.closing(connect(address)) as database:
        migrate.migrate(database)
        with database.writing() as connection:
            fill_every_table(connection)
            transfer.free_leases(connection, NOON)
    return address


@pytest.fixture(scope="module")
def filled_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("filled") / "wireroom.sqlite3"
    _fill(f"sqlite:///{file}")
    return file


@pytest.fixture
def sqlite_source(filled_sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    shutil.copyfile(filled_sqlite, tmp_path / "wireroom.sqlite3")
    with contextlib.closing(connect(f"sqlite:///{tmp_path / 'wireroom.sqlite3'}")) as database:
        yield database


@pytest.fixture(scope="module")
def filled_postgresql(postgresql_databases: Databases) -> Iterator[str]:
    with postgresql_databases.bare() as address:
        yield _fill(address)


@pytest.fixture
def postgresql_source(
    filled_postgresql: str, postgresql_databases: Databases
) -> Iterator[Database]:
    with (
        postgresql_databases.bare(like=filled_postgresql) as address,
        contextlib.closing(connect(address)) as database,
    ):
        yield database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def source(request: pytest.FixtureRequest) -> Database:
    """A database of each engine with rows in every table and no lease."""
    database: Database = request.getfixturevalue(f"{request.param}_source")
    return database


@pytest.fixture
def sqlite_target(tmp_path: Path) -> Iterator[Database]:
    """A SQLite database without any table."""
    database = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")
    yield database
    database.close()


@pytest.fixture
def postgresql_target(postgresql_databases: Databases) -> Iterator[Database]:
    """A PostgreSQL database without any table, beside the one that the test may read from."""
    with (
        postgresql_databases.bare() as address,
        contextlib.closing(connect(address)) as database,
    ):
        yield database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def target(request: pytest.FixtureRequest) -> Database:
    """A database of each engine without any table."""
    database: Database = request.getfixturevalue(f"{request.param}_target")
    return database


def next_account(database: Database) -> int:
    with database.writing() as connection:
        return add_account(connection, "next")


def test_an_installation_moves_between_engines_row_for_row(
    source: Database, target: Database
) -> None:
    """Every column of every table, folders before their parents, and numbers go on behind the
    last.
    """
    told: dict[str, tuple[int, int]] = {}
    written = transfer.move(
        source, target, at(5), lambda table, done, total: told.update({table: (done, total)})
    )

    assert everything(source) == everything(target)
    assert {3} == set(written.values())
    assert dict.fromkeys(written, (3, 3)) == told
    assert 4 == next_account(target)


def test_a_number_that_was_given_out_is_not_given_again(
    source: Database, target: Database
) -> None:
    """The newest account was deleted before the move; its number stays taken."""
    newest = next_account(source)
    with source.writing() as connection:
        connection.execute(schema.accounts.delete().where(schema.accounts.c.id == newest))
    transfer.move(source, target, at(5))

    assert newest + 1 == next_account(target)


@pytest.mark.parametrize("portable", [False, True], ids=["its own", "portable"])
def test_a_backup_holds_everything(
    source: Database, target: Database, tmp_path: Path, portable: bool
) -> None:
    """Out of one engine, into the same or the other one, equal to the last byte."""
    file = tmp_path / "backup"
    backup.back_up(source, file, NOON, portable=portable)
    before = everything(source)
    with source.writing() as connection:
        connection.execute(schema.accounts.update().values(name="changed since"))
    written = backup.restore(file, target, at(5))

    assert before == everything(target)
    assert {3} == set(written.values())
    assert 0o600 == file.stat().st_mode & 0o777
    assert 4 == next_account(target)


async def test_a_backup_while_feeds_come_in_is_of_one_moment(
    sqlite_database: Database, tmp_path: Path
) -> None:
    """Polling goes on; what the file holds was true at one moment: entries up to the feed's
    number.
    """
    database = sqlite_database
    await database.write(make_feed)
    stop = asyncio.Event()

    async def poll() -> int:
        minute = 0
        while not stop.is_set():
            minute += 1
            finished = await database.write(
                lambda c, m=minute: read(c, 1, item(f"a{m}"), item(f"b{m}"), now=at(m))
            )
            await database.write(ingest.commit, [finished], at(minute))
        return minute

    polling = asyncio.create_task(poll())
    await asyncio.sleep(0.05)
    for number in range(3):
        await asyncio.to_thread(backup.back_up, database, tmp_path / f"backup{number}", NOON)
    stop.set()
    assert await polling > 1
    for number in range(3):
        with sqlite3.connect(tmp_path / f"backup{number}") as copy:
            ((last, counted),) = copy.execute(
                "SELECT last_seq, (SELECT count(*) FROM entries) FROM feeds"
            )
        copy.close()
        assert last == counted


def test_a_copy_frees_what_was_leased(sqlite_database: Database, tmp_path: Path) -> None:
    """A backup was taken of a running Wireroom: its leases bind nobody where it is restored."""
    with sqlite_database.writing() as connection:
        call_it_migrated(connection)
        make_feed(connection)
        assert claims.claim_lanes(connection, owner="old", now=NOON, limit=1)
    backup.back_up(sqlite_database, tmp_path / "backup", NOON, portable=True)
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")
    backup.restore(tmp_path / "backup", target, at(1))

    with target.writing() as connection:
        assert claims.claim_lanes(connection, owner="new", now=at(1), limit=1)
    target.close()


def test_nobody_moves_a_database_that_is_at_work(
    sqlite_database: Database, tmp_path: Path
) -> None:
    """What polling stores after the copy would be lost with the old database."""
    with sqlite_database.writing() as connection:
        call_it_migrated(connection)
        make_feed(connection)
        claims.claim_lanes(connection, owner="old", now=NOON, limit=1)
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")

    with pytest.raises(Conflict, match="stop it"):
        transfer.move(sqlite_database, target, at(1))
    target.close()


def test_data_is_never_written_over(source: Database, tmp_path: Path) -> None:
    """Neither a file that exists, nor a database that somebody uses."""
    file = tmp_path / "backup"
    backup.back_up(source, file, NOON, portable=True)

    with pytest.raises(UserError, match="exists already"):
        backup.back_up(source, file, NOON)
    with pytest.raises(Conflict, match="holds data already"):
        backup.restore(file, source, NOON)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.97])
def test_a_cut_backup_restores_nothing(source: Database, tmp_path: Path, part: float) -> None:
    """Half a file is refused as a whole, and the target stays empty."""
    file, cut = tmp_path / "backup", tmp_path / "cut"
    backup.back_up(source, file, NOON, portable=True)
    cut.write_bytes(file.read_bytes()[: round(file.stat().st_size * part)])
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")

    with pytest.raises(StoreCorrupt, match="nothing was restored"):
        backup.restore(cut, target, NOON)
    with target.reading() as connection:
        assert 0 == connection.scalar(select(func.count()).select_from(schema.accounts))
    target.close()


@pytest.mark.parametrize(
    "content", [b"", b"hello", gzip.compress(b'{"a": 1}\n')], ids=["empty", "text", "other gzip"]
)
def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    """Any other file is told from a backup before anything is touched."""
    file = tmp_path / "file"
    file.write_bytes(content)
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")

    with pytest.raises(UserError, match="no backup"):
        backup.restore(file, target, NOON)
    target.close()


def test_a_portable_backup_of_an_older_version_is_brought_forward(
    target: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first version wrote comes along, every row, and numbers go on behind the last."""
    with contextlib.closing(connect(f"sqlite:///{tmp_path / 'first.sqlite3'}")) as first:
        migrate.migrate(first, through="0001")
        with first.writing() as connection:
            tables = tables_of(connection)
            fill_tables(connection, tables)
            transfer.free_leases(connection, NOON)
            before = [rows_of(connection, table) for table in tables]
        with monkeypatch.context() as patched:
            patched.setattr(portable_file, "TABLES", tables)
            portable_file.write(first, tmp_path / "backup", NOON, transfer.silent)
    backup.restore(tmp_path / "backup", target, NOON)

    with target.reading() as connection:
        assert before == [rows_of(connection, table) for table in tables]
    assert 4 == next_account(target)
    assert {"backup", "first.sqlite3"} <= {each.name for each in tmp_path.iterdir()}
    assert [] == [each.name for each in tmp_path.iterdir() if each.name.startswith(".")]


def test_an_older_backup_that_is_cut_restores_nothing(
    target: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is gone: the counts at its head say so."""
    with contextlib.closing(connect(f"sqlite:///{tmp_path / 'first.sqlite3'}")) as first:
        migrate.migrate(first, through="0001")
        with first.writing() as connection:
            tables = tables_of(connection)
            fill_tables(connection, tables)
        monkeypatch.setattr(portable_file, "TABLES", tables)
        portable_file.write(first, tmp_path / "backup", NOON, transfer.silent)
    monkeypatch.undo()
    lines = gzip.decompress((tmp_path / "backup").read_bytes()).splitlines(keepends=True)
    (tmp_path / "backup").write_bytes(gzip.compress(b"".join([*lines[:3], *lines[4:]])))

    with pytest.raises(StoreCorrupt, match="nothing was restored"):
        backup.restore(tmp_path / "backup", target, NOON)
    with target.reading() as connection:
        assert 0 == transfer.count(connection, schema.feeds)


def changed(file: Path, of: str, line: str) -> None:
    """Put this line behind the head of a table, or ("") in place of the head of the file."""
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    found = next(
        number for number, each in enumerate(lines) if f'"table":"{of}"' in each or not of
    )
    lines[found : found + 1] = [lines[found], line] if of else [line]
    file.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))


@pytest.mark.parametrize(
    ("of", "line"),
    [
        ("accounts", '[[1],"a","admin","{}",0]'),
        ("accounts", f'[{10**30},"a","admin","{{}}",0]'),
        ("accounts", f'[9,"a","admin","{{}}",{10**30}]'),
        ("accounts", "[" * 200_000),
        ("site_icons", '{"table":"nowhere","columns":["a"]}'),
        ("", f'{{"wireroom":1,"revision":"{migrate.HEAD}","rows":{{}},"numbers":[1]}}'),
        ("", '{"wireroom":1,"revision":"0001","rows":{},"numbers":{}}'),
    ],
    ids=["type", "number", "instant", "depth", "table", "numbers", "tables of another version"],
)
def test_a_backup_with_what_nobody_wrote_restores_nothing(
    source: Database, tmp_path: Path, of: str, line: str
) -> None:
    """Values of wrong types and sizes, and tables that are not there, are damage as well."""
    backup.back_up(source, tmp_path / "backup", NOON, portable=True)
    changed(tmp_path / "backup", of, line)
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")

    with pytest.raises(StoreCorrupt, match="nothing was restored"):
        backup.restore(tmp_path / "backup", target, NOON)
    with target.reading() as connection:
        assert 0 == transfer.count(connection, schema.accounts)
    target.close()


@pytest.mark.parametrize("place", [0.1, 0.5, 1.0])
def test_a_changed_byte_restores_nothing(source: Database, tmp_path: Path, place: float) -> None:
    """At the end stands the checksum of it all, which is compared."""
    backup.back_up(source, tmp_path / "backup", NOON, portable=True)
    content = bytearray((tmp_path / "backup").read_bytes())
    content[20 + round((len(content) - 26) * place)] ^= 0x55
    (tmp_path / "backup").write_bytes(content)
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")

    with pytest.raises(StoreCorrupt, match="nothing was restored"):
        backup.restore(tmp_path / "backup", target, NOON)
    with target.reading() as connection:
        assert 0 == transfer.count(connection, schema.accounts)
    target.close()


@pytest.mark.parametrize("revision", ["9999", "", "../0001", 11])
def test_a_backup_of_a_newer_version_is_refused(
    source: Database, tmp_path: Path, revision: object
) -> None:
    """Its tables are not known; the sentence names the way."""
    backup.back_up(source, tmp_path / "backup", NOON, portable=True)
    head, _, rest = gzip.decompress((tmp_path / "backup").read_bytes()).partition(b"\n")
    changed = json.dumps({**json.loads(head), "revision": revision}).encode()
    (tmp_path / "backup").write_bytes(gzip.compress(changed + b"\n" + rest))
    target = connect(f"sqlite:///{tmp_path / 'target.sqlite3'}")

    with pytest.raises(UserError, match="restore it with the version that wrote it"):
        backup.restore(tmp_path / "backup", target, NOON)
    target.close()


def test_no_half_backup_appears(source: Database, tmp_path: Path) -> None:
    """A folder that is not there: nothing is left behind, and the sentence says why."""
    with pytest.raises(UserError, match="cannot be written"):
        backup.back_up(source, tmp_path / "nowhere" / "backup", NOON, portable=True)


def test_rows_are_compared_before_a_copy_counts(source: Database, target: Database) -> None:
    """A row that does not arrive undoes the whole copy."""
    migrate.migrate(target)
    counts = {table.name: 0 for table in transfer.TABLES} | {"facts": 2}
    one = {"key": "a", "value": 1, "updated_at": NOON}

    with pytest.raises(Exception, match="facts differ"):
        transfer.fill(
            target,
            lambda table: [one] if table.name == "facts" else [],
            counts,
            transfer.Counters({}),
            NOON,
        )
    with target.reading() as connection:
        assert 0 == connection.scalar(select(func.count()).select_from(schema.facts))
