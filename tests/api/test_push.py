"""Devices that apps register: whose they are, how long they stay, and what is refused."""

import pytest
from litestar.testing import TestClient
from sqlalchemy import select, update

from tests.api.apps import Phone, Station
from wireroom.store import accounts as store
from wireroom.store.schema import push_devices, tokens

ENDPOINT = "https://push.example/phone"


def _owners(station: Station) -> list[int]:
    with station.database.reading() as connection:
        return list(connection.scalars(select(push_devices.c.account_id)))


def test_a_device_lives_as_long_as_its_token(station: Station, ada: Phone) -> None:
    """Revoking the token that registered it ends it."""
    ada.post("/rss_push_register", endpoint=ENDPOINT)
    before = _owners(station)
    with station.database.writing() as connection:
        (token,) = store.list_tokens(connection, ada.account_id, "api")
        store.remove_token(connection, ada.account_id, token.id)

    assert [ada.account_id] == before
    assert [] == _owners(station)


def test_nobody_puts_somebody_elses_device_to_sleep(
    station: Station, ada: Phone, bob: Phone
) -> None:
    """The answer is that for an unknown one."""
    ada.post("/rss_push_register", endpoint=ENDPOINT)

    assert {"registered": False} == bob.post("/rss_push_unregister", endpoint=ENDPOINT)
    assert [ada.account_id] == _owners(station)


def test_nobody_takes_somebody_elses_device(station: Station, ada: Phone, bob: Phone) -> None:
    """Registered again it stays whose it is, until the session that registered it has ended."""
    ada.post("/rss_push_register", endpoint=ENDPOINT)
    refused = bob.refused("POST", "/rss_push_register", endpoint=ENDPOINT)
    ada.post("/rss_push_register", endpoint=ENDPOINT)
    before = _owners(station)
    with station.database.writing() as connection:
        connection.execute(
            update(tokens)
            .where(tokens.c.account_id == ada.account_id)
            .values(expires_at=station.clock)
        )
    bob.post("/rss_push_register", endpoint=ENDPOINT)

    assert (409, "endpoint_taken") == refused
    assert [ada.account_id] == before
    assert [bob.account_id] == _owners(station)


@pytest.mark.parametrize(
    "endpoint",
    [
        "", "http://push.example/p", "https://" + "x" * 1024, "https://[", 7,
        "https://push.example/\r\nX-Sent: by us", "https://me:word@push.example/p", "https://push/p",
    ],
)  # fmt: skip
def test_endpoints_that_are_none(ada: Phone, endpoint: object) -> None:
    """Only https, not without end, and only what can be dialled."""
    refused = ada.refused("POST", "/rss_push_register", endpoint=endpoint)

    assert (400, "invalid_endpoint") == refused


def test_a_wireroom_that_wakes_nobody(station: Station, ada: Phone) -> None:
    """It says so."""
    with TestClient(station.app(waking=None)) as client:
        phone = Phone(client, ada.account_id, ada.token)

        assert (404, "no_push") == phone.refused("GET", "/rss_push_key")
