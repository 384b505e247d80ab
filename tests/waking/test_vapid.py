"""Push services know who we are by what we sign."""

import base64
from datetime import UTC, datetime

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from wireroom.waking import vapid

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ENDPOINT = "https://push.example:8443/send/abc?x=1"


def test_the_headers_are_signed_for_one_service() -> None:
    """The token names the service's origin, when it ends, and our operator (RFC 8292)."""
    key = vapid.new_key()
    scheme, _, given = vapid.headers(key, ENDPOINT, "mailto:op@a.example", NOW)[
        "Authorization"
    ].partition(" ")
    token, _, public = given.removeprefix("t=").partition(", k=")
    point = base64.urlsafe_b64decode(public + "=")
    half = [base64.urlsafe_b64encode(part).decode().rstrip("=") for part in _halves(point)]
    ours = ECKey.import_key({"kty": "EC", "crv": "P-256", "x": half[0], "y": half[1]})

    assert "vapid" == scheme
    assert (65, 4) == (len(point), point[0])
    assert {
        "aud": "https://push.example:8443",
        "exp": int(NOW.timestamp()) + 12 * 3600,
        "sub": "mailto:op@a.example",
    } == jwt.decode(token, ours, algorithms=["ES256"]).claims


def _halves(point: bytes) -> tuple[bytes, bytes]:
    return point[1:33], point[33:]


@pytest.mark.parametrize(
    ("contact", "public_url", "expected"),
    [
        ("op@a.example", "", "mailto:op@a.example"),
        ("mailto:op@a.example", "", "mailto:op@a.example"),
        ("https://a.example/about", "", "https://a.example/about"),
        ("ring twice", "https://a.example", "https://a.example"),
        ("", "http://a.example", "mailto:nobody@wireroom.invalid"),
    ],
)
def test_the_operator_has_an_address_that_services_take(
    contact: str, public_url: str, expected: str
) -> None:
    """mailto: or https:, whatever is set."""
    assert expected == vapid.subject(contact, public_url)
