"""What is set once for everyone, also when processes start at the same moment."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from tests.rows import NOON
from tests.store.stepping import count_statements, let_in
from wireroom.store import house, switches
from wireroom.store.engine import Database


def set_defaults(connection: Connection) -> None:
    house.set_defaults(connection, {"telegram": {"burst": 10}}, now=NOON)


def note_once(connection: Connection) -> bool:
    return house.note_once(connection, "seeded", now=NOON)


def take_turn(connection: Connection) -> bool:
    return switches.take_turn(connection, "swept", since=NOON, now=NOON)


@pytest.mark.parametrize(
    ("work", "expected"),
    [(set_defaults, [None, None]), (note_once, [False, True]), (take_turn, [False, True])],
    ids=["defaults", "once", "turn"],
)
@pytest.mark.postgresql
def test_two_that_start_at_once_do_not_fall_over_each_other(
    postgresql_database: Database, work: Callable[[Connection], Any], expected: list[object]
) -> None:
    """Wherever the second comes in between, both end well, and one of them is the first."""
    statements = count_statements(postgresql_database, work)
    for number in range(1, statements + 1):
        with postgresql_database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM facts")
        both = let_in(postgresql_database, work, number, work)

        assert expected == sorted(both, key=str)
