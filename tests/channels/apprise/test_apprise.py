"""Apprise in a thread: what it says becomes an answer, and its address is never shown."""

import threading

import pytest

from tests.delivery.samples import message
from wireroom.channels.apprise.sender import AppriseChannel, notify, shown
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


def test_what_is_shown_of_an_address() -> None:
    """The service, and nothing that is secret."""
    assert shown(_THERE.secret).startswith("ntfys#")
    assert "token" not in shown(_THERE.secret)


def test_an_address_that_nobody_understands() -> None:
    """The real library says so without any request."""
    assert notify("nonsense://", "title", "text") is None
