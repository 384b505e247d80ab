"""`wireroom account add` and `second-step-off`, run as an operator runs them."""

import asyncio
from pathlib import Path

import pyotp
import pytest
from argon2 import PasswordHasher
from typer.testing import CliRunner

from tests.rows import NOON
from wireroom.accounts import factors, passwords
from wireroom.cli import app
from wireroom.errors import Conflict
from wireroom.store.engine import connect
from wireroom.store.vault import Vault

PASSWORD = "seven grey ferries"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with an empty Wireroom, where hashes cost little."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WIREROOM_DATABASE", f"sqlite:///{tmp_path / 'room.sqlite3'}")
    monkeypatch.setenv("WIREROOM_DATA_DIR", str(tmp_path))
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", quick)
    return tmp_path


def _add(*words: str) -> str:
    answer = CliRunner().invoke(app, ["account", "add", *words], input=f"{PASSWORD}\n{PASSWORD}\n")
    if answer.exception:
        raise answer.exception
    return answer.stdout.splitlines()[-1]


def test_accounts_are_made_by_hand(home: Path) -> None:
    """The first one runs the installation, further ones when that is said."""
    made = [_add("ada"), _add("grace"), _add("joan", "--operator")]
    with pytest.raises(Conflict):
        _add("Grace")

    assert ["operator", "member", "operator"] == [
        line.rpartition(" ")[2].rstrip(".") for line in made
    ]


def test_who_lost_their_phone_is_let_in(home: Path) -> None:
    """All factors of the account go, recovery codes as well."""
    _add("ada")
    database = connect(f"sqlite:///{home / 'room.sqlite3'}")
    key = factors.new_key()
    code = pyotp.TOTP(key).at(NOON)
    vault = Vault(bytes(32))
    asyncio.run(factors.add_app(database, vault, 1, key=key, code=code, now=NOON))
    before = len(asyncio.run(factors.factors(database, 1)))
    answer = CliRunner().invoke(app, ["account", "second-step-off", "ada"])
    after = asyncio.run(factors.factors(database, 1))
    database.close()

    assert (0, 11, []) == (answer.exit_code, before, after)
