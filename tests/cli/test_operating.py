"""Commands by which an operator steers polling."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.rows import NOON, add_feed, follow
from wireroom.cli import app
from wireroom.errors import UserError
from wireroom.store import accounts, switches
from wireroom.store.engine import connect
from wireroom.store.migrate import migrate
from wireroom.store.schema import feeds


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a fresh database that the commands use."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WIREROOM_DATA_DIR", str(tmp_path))
    address = f"sqlite:///{tmp_path}/wireroom.sqlite3"
    database = connect(address)
    migrate(database)
    with database.writing() as connection:
        account_id = accounts.operator_account(connection, NOON)
        follow(connection, account_id, add_feed(connection, "Harbour"))
    database.close()
    return address


def typed(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.output


def refusal(*words: str) -> str:
    """The sentence that the program ends with."""
    result = CliRunner().invoke(app, list(words))
    assert isinstance(result.exception, UserError)
    return str(result.exception)


def test_polling_is_paused_and_goes_on(data: str) -> None:
    """The switch is in the database, where every process looks."""
    database = connect(data)
    before = typed("pause-polling")
    with database.reading() as connection:
        was_paused = switches.is_polling_paused(connection)
    after = typed("resume-polling")
    with database.reading() as connection:
        is_paused = switches.is_polling_paused(connection)
    database.close()

    assert (0, "Polling is paused. `wireroom resume-polling` goes on.\n") == before
    assert (0, "Polling goes on.\n") == after
    assert (True, False) == (was_paused, is_paused)
    assert (0, "Polling was not paused.\n") == typed("resume-polling")


@pytest.mark.usefixtures("data")
def test_a_pause_holds_for_ones_own_hand_too() -> None:
    """`refresh` asks nobody then, and says why."""
    typed("pause-polling")

    assert "Polling is paused, so nobody is asked" in refusal("refresh")


@pytest.mark.usefixtures("data")
def test_sending_again_needs_to_know_what() -> None:
    """Without a number or a moment it says how one is given."""
    assert "--last 5, or --since 2026-11-30" in refusal("route", "replay", "1")


@pytest.mark.parametrize(
    ("duration", "said", "seconds"),
    [
        ("30m", "Harbour is asked every 30 min.", 1800),
        (
            "1s",
            "Harbour is asked every 5 min, as near as the operator's bounds allow.",
            300,
        ),
        ("auto", "Harbour is asked as the polling policy sees fit.", None),
    ],
)
def test_an_interval_of_ones_own(data: str, duration: str, said: str, seconds: int | None) -> None:
    """It is kept within the operator's bounds, and the answer says what holds."""
    assert (0, said + "\n") == typed("interval", "1", duration)
    database = connect(data)
    with database.reading() as connection:
        (kept,) = connection.execute(feeds.select()).all()
    database.close()
    assert seconds == kept.wanted_interval_seconds
