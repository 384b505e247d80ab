"""Devices are woken when something arrives, once a minute at most, and forgotten when gone."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete, func, select, update

from tests.rows import NOON, add_account, add_entry, add_feed, follow
from tests.servers.engines import in_memory
from wireroom import accounts
from wireroom.errors import UserError
from wireroom.fetching.outcome import Failed, Hops
from wireroom.fetching.request import Post, Response
from wireroom.store import accounts as accounts_store
from wireroom.store import schema as tables
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.vault import Vault
from wireroom.waking.devices import Waking

PHONE, LAPTOP = "https://push.example/phone", "https://push.example/laptop"


@dataclass
class Service:
    """A push service that answers as a test wishes."""

    answer: Response | Failed = field(default_factory=lambda: Response(201, {}, b""))
    asked: list[Post] = field(default_factory=list)

    async def post(self, post: Post) -> Response | Failed:
        self.asked.append(post)
        return self.answer


@dataclass
class Situation:
    """Ada follows a feed that wakes her, and one that does not."""

    database: Database
    service: Service = field(default_factory=Service)
    clock: datetime = NOON
    account: int = 0
    token: int = 0
    loud: int = 0
    quiet: int = 0

    @property
    def waking(self) -> Waking:
        return Waking(
            self.database,
            self.service,  # type: ignore[arg-type]
            Vault(bytes(32)),
            Bell(),
            lambda: self.clock,
            "mailto:op@a.example",
        )

    def arrives(self, feed_id: int, **values: object) -> None:
        """An entry, as the ingest stores one."""
        with self.database.writing() as connection:
            seq = add_entry(connection, feed_id, self.clock, "News", **values)
            connection.execute(
                update(tables.feeds).where(tables.feeds.c.id == feed_id).values(last_seq=seq)
            )

    def later(self, seconds: float) -> None:
        self.clock += timedelta(seconds=seconds)

    def devices(self) -> int:
        with self.database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(tables.push_devices)) or 0


@pytest.fixture
def ada() -> Iterator[Situation]:
    situation = Situation(in_memory())
    with situation.database.writing() as connection:
        situation.account = add_account(connection)
        accounts_store.add_token(
            connection,
            situation.account,
            "session",
            accounts.digest("secret"),
            name="",
            scopes="",
            now=NOON,
            expires_at=None,
        )
        situation.token = connection.scalar(select(tables.tokens.c.id)) or 0
        situation.loud = add_feed(connection, "Loud")
        situation.quiet = add_feed(connection, "Quiet")
        on = {"notifications_enabled": True}
        follow(connection, situation.account, situation.loud, settings=on)
        follow(connection, situation.account, situation.quiet)
    yield situation
    situation.database.close()


async def register(ada: Situation, *endpoints: str) -> None:
    """Devices that have been looked at once."""
    for endpoint in endpoints:
        await ada.waking.register(ada.account, ada.token, endpoint)
    assert 0 == await ada.waking.wake()


async def test_a_push_says_that_something_came_and_not_what(ada: Situation) -> None:
    """An empty body (API-48), our signature, and a topic: only the last one waits."""
    await register(ada, PHONE)
    ada.arrives(ada.loud)

    assert 1 == await ada.waking.wake()
    (post,) = ada.service.asked
    assert (PHONE, b"") == (post.url, post.body)
    assert post.headers["Authorization"].startswith("vapid t=")
    assert {"TTL": "86400", "Topic": "news"}.items() <= post.headers.items()


async def test_only_news_of_feeds_that_were_chosen_wake(ada: Situation) -> None:
    """Not what other feeds bring, nor what slid in and is no news, nor what was there before."""
    ada.arrives(ada.loud)
    await register(ada, PHONE)
    ada.arrives(ada.quiet)
    ada.arrives(ada.loud, is_news=False)

    assert 0 == await ada.waking.wake()


async def test_devices_are_woken_once_a_minute(ada: Situation) -> None:
    """All of an account's together; what comes meanwhile wakes them a minute later, once."""
    await register(ada, PHONE, LAPTOP)
    ada.arrives(ada.loud)
    assert 2 == await ada.waking.wake()
    for _ in range(3):
        ada.later(10)
        ada.arrives(ada.loud)
        assert 0 == await ada.waking.wake()
    ada.later(31)

    assert 2 == await ada.waking.wake()
    assert 0 == await ada.waking.wake()


@pytest.mark.parametrize("status", [404, 410])
async def test_a_device_that_is_gone_is_forgotten(ada: Situation, status: int) -> None:
    """Its service says so."""
    await register(ada, PHONE)
    ada.service.answer = Response(status, {}, b"")
    ada.arrives(ada.loud)
    await ada.waking.wake()

    assert 0 == ada.devices()


async def test_an_endpoint_that_cannot_be_read_keeps_nobody_asleep(ada: Situation) -> None:
    """Such ones were taken once; the others are woken, and it is given up with its failures."""
    await register(ada, PHONE, LAPTOP)
    broken = update(tables.push_devices).values(endpoint=Vault(bytes(32)).seal("https://["))
    with ada.database.writing() as connection:
        connection.execute(broken.where(tables.push_devices.c.id == 1))
    ada.arrives(ada.loud)

    assert 2 == await ada.waking.wake()
    assert {"https://[", LAPTOP} == {each.url for each in ada.service.asked}


async def test_a_service_that_wants_silence_gets_it(ada: Situation) -> None:
    """News wait with us until it is over."""
    await register(ada, PHONE)
    ada.service.answer = Response(429, {}, b"", retry_after=timedelta(minutes=10))
    ada.arrives(ada.loud)
    await ada.waking.wake()
    ada.later(120)
    ada.arrives(ada.loud)

    assert 0 == await ada.waking.wake()
    assert 1 == ada.devices()


async def test_a_service_that_never_answers_is_given_up(ada: Situation) -> None:
    """After twenty pushes in a row."""
    await register(ada, PHONE)
    ada.service.answer = Failed(Hops(PHONE), "connect", "Nobody answers there.")
    for count in range(20):
        assert 1 == ada.devices(), count
        ada.later(61)
        ada.arrives(ada.loud)
        await ada.waking.wake()

    assert 0 == ada.devices()


async def test_a_device_ends_with_its_session(ada: Situation) -> None:
    """Who logs out is not woken any more; a device belongs to whoever registered it last."""
    await register(ada, PHONE, PHONE)
    assert 1 == ada.devices()
    with ada.database.writing() as connection:
        connection.execute(delete(tables.tokens))

    assert 0 == ada.devices()


async def test_a_device_is_its_accounts(ada: Situation) -> None:
    """Nobody else lets it sleep."""
    await register(ada, PHONE)

    assert not await ada.waking.unregister(777, PHONE)
    assert await ada.waking.unregister(ada.account, PHONE)


@pytest.mark.parametrize("endpoint", ["", "http://push.example/x", "https://" + "x" * 1100])
async def test_what_is_no_address_of_a_service(ada: Situation, endpoint: str) -> None:
    """Only https, and not endless."""
    with pytest.raises(UserError, match="no address of a push service"):
        await ada.waking.register(ada.account, ada.token, endpoint)


async def test_the_key_is_made_once(ada: Situation) -> None:
    """With another one every device would have to subscribe again; it is kept sealed."""
    first = await ada.waking.public_key()

    assert first == await ada.waking.public_key()
    with ada.database.reading() as connection:
        assert "P-256" not in str(connection.scalar(select(tables.facts.c.value)))
