"""WebSub decisions: which hub, whose signature, when again."""

import hashlib
import hmac
from datetime import timedelta

import pytest

from tests.rows import NOON
from wireroom.polling import websub

FEED = "https://news.example/feed"
BODY = b"<rss/>"


@pytest.mark.parametrize(
    ("header", "hubs", "self_url", "expected"),
    [
        ("", (), "", ("", "")),
        ("", ("https://hub.example/",), "", ("https://hub.example/", FEED)),
        (
            "",
            ("https://hub.example/",),
            "https://x.example/f",
            ("https://hub.example/", "https://x.example/f"),
        ),
        ("", ("http://a.example/", "https://b.example/"), FEED, ("https://b.example/", FEED)),
        (
            '<https://h.example/>; rel="hub", </f>; rel=self',
            ("https://doc.example/",),
            "x",
            ("https://h.example/", "https://news.example/f"),
        ),
        ('<https://h.example/>; rel="hub self2"; x=y', (), "", ("https://h.example/", FEED)),
    ],
)
def test_hub_and_topic(
    header: str, hubs: tuple[str, ...], self_url: str, expected: tuple[str, str]
) -> None:
    """The header comes before the document, https before http, self before the address (§4)."""
    assert expected == websub.hub_and_topic(header, hubs, self_url, FEED)


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512", "SHA256"])
def test_signatures_of_all_methods(method: str) -> None:
    """Any method of the specification, hex in either case (§7.1)."""
    digest = hmac.new(b"secret", BODY, getattr(hashlib, method.lower())).hexdigest()

    assert websub.is_signed(f"{method}={digest.upper()}", BODY, "secret")
    assert not websub.is_signed(f"{method}={digest}", BODY + b" ", "secret")
    assert not websub.is_signed(f"{method}={digest}", BODY, "another")


@pytest.mark.parametrize("header", ["", "sha256", "sha256=", "md5=00", "=", "sha256=é"])
def test_what_is_no_signature(header: str) -> None:
    """Missing, empty and unknown ones are wrong ones."""
    assert not websub.is_signed(header, BODY, "secret")


@pytest.mark.parametrize(
    ("seconds", "lease"),
    [
        ("864000", timedelta(days=10)),
        ("1", timedelta(minutes=10)),
        ("99999999999", timedelta(days=30)),
        ("", None),
        ("-5", None),
        ("9" * 40, None),
    ],
)
def test_leases_are_clamped(seconds: str, lease: timedelta | None) -> None:
    """No lease is perpetual, and none makes us ask all the time."""
    query = {
        "hub.mode": "subscribe",
        "hub.topic": FEED,
        "hub.challenge": "x",
        "hub.lease_seconds": seconds,
    }
    asked = websub.verification(query)

    assert asked is not None
    assert lease == asked.lease


def test_questions_of_php_hubs_are_understood() -> None:
    """PHP turns the dots of names into underscores."""
    asked = websub.verification(
        {"hub_mode": "unsubscribe", "hub_topic": "t", "hub_challenge": "c"}
    )

    assert websub.Verification("unsubscribe", "t", "c", None) == asked


@pytest.mark.parametrize(
    "query",
    [{}, {"hub.mode": "subscribe"}, {"hub.mode": "x", "hub.topic": "t", "hub.challenge": "c"}],
)
def test_what_is_no_question(query: dict[str, str]) -> None:
    """Mode, topic and challenge are needed."""
    assert websub.verification(query) is None


def test_leases_are_renewed_in_time() -> None:
    """Between 70 and 80 % of the lease, so that renewals spread."""
    day = timedelta(days=1)

    assert NOON + day * 0.8 == websub.renew_at(day, NOON, 0)
    assert NOON + day * 0.7 == websub.renew_at(day, NOON, 1)


@pytest.mark.parametrize(("failures", "hours"), [(1, 1), (2, 1), (3, 24), (9, 24)])
def test_a_broken_hub_is_left_alone(failures: int, hours: int) -> None:
    """Hourly at first, daily from the third failure in a row."""
    assert NOON + timedelta(hours=hours) == websub.retry_at(failures, NOON)


@pytest.mark.parametrize(
    ("topic", "hub", "trusted"),
    [
        ("https://www.news.example/feed", "https://hub.example/", True),
        ("https://elsewhere.test/feed", "https://hub.example/", False),
        (FEED, "http://hub.example/", False),
    ],
)
def test_whose_pushes_are_taken_as_they_are(topic: str, hub: str, trusted: bool) -> None:
    """The topic must be on the feed's own domain, and the secret must have travelled in secret."""
    assert trusted == websub.is_trusted(FEED, topic, hub)


def test_the_secret_goes_over_https_alone() -> None:
    """A hub on plain http gets none, and its pushes are hints."""
    form = websub.subscription_form("subscribe", FEED, "cb", "s", hub_url="http://hub.example/")

    assert "hub.secret" not in form
