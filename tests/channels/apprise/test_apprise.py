"""Apprise in a thread: what it says becomes an answer, and its address is never shown."""

import threading

import pytest

from tests.delivery.samples import message
from wireroom.channels.apprise.sender import AppriseChannel, name, notify, shown
from wireroom.delivery.channel import Address, Answer, Channel, Gone, Sent, TryLater

_THERE = Address("ntfy#1", "ntfys://token@push.example/topic")


@pytest.mark.parametrize(
    ("took", "expected"),
    [
        (True, Sent()),
        (False, TryLater("the service did not take it")),
        (None, Gone("Apprise does not understand the address")),
    ],
    ids=["taken", "refused", "no address"],
)
async def test_what_the_library_says(took: bool | None, expected: Answer) -> None:
    """It is called beside the loop, with the sealed address."""
    called = []

    def instead(url: str, title: str, body: str) -> bool | None:
        called.append((url, title, body, threading.current_thread() is threading.main_thread()))
        return took

    channel: Channel = AppriseChannel(instead)
    (parcel,) = channel.render(message(title="Ships", body="<p>sail</p>"), _THERE, {})

    assert expected == await channel.send(_THERE, parcel)
    ((url, title, body, on_loop),) = called
    assert (_THERE.secret, "Ships", False) == (url, title, on_loop)
    assert body.startswith("sail")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("json://user:pass@hooks.example/path", "JSON at hooks.example #"),
        ("ntfys://token@push.example/topic", "ntfy at push.example #"),
        ("ntfy://secret.topic", "ntfy #"),
        ("slack://TokenA12345/TokenB12345/TokenC1234567890123456/#c", "Slack #"),
        ("sendgrid://SG.token.x:me@example.org/you@example.org", "SendGrid #"),
    ],
)
def test_a_place_is_called_by_its_service(address: str, expected: str) -> None:
    """Service and host, a mark of four signs, and never what may be a token or a topic."""
    called = name(address) or ""

    assert (expected, 4) == (called[:-4], len(called) - len(expected))


def test_two_places_at_a_host_have_two_names() -> None:
    """Whoever has two topics there sees which is which."""
    assert name("ntfys://push.example/one") != name("ntfys://push.example/two")


def test_an_unknown_service_has_no_name() -> None:
    """An address that nobody understands is none."""
    assert name("nonsense://x") is None


def test_what_is_stored_in_the_open() -> None:
    """The scheme, and nothing that is secret."""
    assert shown(_THERE.secret).startswith("ntfys#")
    assert "token" not in shown(_THERE.secret)


def test_an_address_that_nobody_understands() -> None:
    """The real library says so without any request."""
    assert notify("nonsense://", "title", "text") is None
