"""A room with its owner in it, and browsers without a screen."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from argon2 import PasswordHasher
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from tests.rows import NOON, add_account
from tests.servers.engines import in_memory
from tests.web.rooms import Outside
from tests.web.visiting import PASSWORD, fill
from wireroom import accounts
from wireroom.store import accounts as accounts_store
from wireroom.store.engine import Database
from wireroom.web.session import Viewer


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Argon2id costs is not the subject of these tests."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts.passwords, "_hasher", quick)
    accounts.passwords.nobodys_hash.cache_clear()


@pytest.fixture
def outside() -> Iterator[Outside]:
    """An empty database with the stand-ins around it."""
    database = in_memory()
    yield Outside(database)
    database.close()


@pytest.fixture
def visitor(outside: Outside) -> Iterator[TestClient[Litestar]]:
    """Somebody who is not logged in."""
    with TestClient(outside.app()) as client:
        yield client


@pytest.fixture
def owner(outside: Outside) -> Any:
    """An owner with a password, logged in."""
    with TestClient(outside.app()) as client:
        fill(client, "/setup", login="ada", password=PASSWORD, again=PASSWORD)
        yield client


@dataclass
class Browser:
    """Somebody who is logged in; `post` sends the token of their session along."""

    client: TestClient[Litestar]
    account_id: int
    csrf: str

    def get(self, path: str, **options: Any) -> Response:
        return self.client.get(path, follow_redirects=False, **options)

    def post(self, path: str, *, script: bool = False, **fields: object) -> Response:
        headers = {"hx-request": "true"} if script else {}
        data = {"_csrf": self.csrf, **{name: str(value) for name, value in fields.items()}}
        return self.client.post(path, data=data, headers=headers, follow_redirects=False)


def session_secret(database: Database, account_id: int, where: str = "here") -> str:
    """Log an account in without its password."""
    secret = f"a session secret of {account_id} {where}"
    with database.writing() as connection:
        accounts_store.add_token(
            connection,
            account_id,
            "session",
            accounts.digest(secret),
            name="Firefox on Linux",
            scopes="",
            now=NOON,
            expires_at=NOON + accounts.SESSION_IDLE,
        )
    return secret


def browser_of(client: TestClient[Litestar], database: Database, account_id: int) -> Browser:
    secret = session_secret(database, account_id)
    client.cookies.set("wireroom", secret)
    return Browser(client, account_id, Viewer(secret).csrf)


@pytest.fixture
def ada(outside: Outside) -> Iterator[Browser]:
    """The owner, logged in."""
    with outside.database.writing() as connection:
        account_id = accounts_store.add_account(
            connection,
            "ada",
            "operator",
            kind="password",
            subject="ada",
            secret_hash="no hash",
            now=NOON,
        )
    with TestClient(outside.app()) as client:
        yield browser_of(client, outside.database, account_id)


@pytest.fixture
def bob(outside: Outside, ada: Browser) -> Iterator[Browser]:
    """A second account, logged in elsewhere."""
    with outside.database.writing() as connection:
        account_id = add_account(connection, "bob", "member")
    with TestClient(outside.app()) as client:
        yield browser_of(client, outside.database, account_id)
