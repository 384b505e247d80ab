"""Bot walls are told from plain refusals."""

import pytest

from wireroom.fetching.bot_walls import is_wall
from wireroom.fetching.headers import Head


@pytest.mark.parametrize(
    ("status", "wall", "page"),
    [
        (403, "challenge", b""),
        (503, "challenge", b"<html>"),
        (202, "challenge", b""),
        (405, "captcha", b""),
        (403, "", b"<html><head><title>Just a moment...</title>"),
        (403, "", b"<script src='/cdn-cgi/challenge-platform/h/b'></script>"),
        (503, "", b"<p>Checking your browser before accessing news.example"),
        (403, "", b"<script src='/_Incapsula_Resource?x'></script>"),
        (403, "", b"<script src='https://ct.captcha-delivery.com/c.js'></script>"),
    ],
)
def test_challenge_is_a_wall(status: int, wall: str, page: bytes) -> None:
    """The header says so, or the page gives itself away."""
    assert is_wall(Head(status, wall=wall), page)


@pytest.mark.parametrize(
    ("status", "wall", "page"),
    [
        (403, "", b"Forbidden"),
        (403, "", b"<h1>You are blocked. Are you a robot?</h1>"),
        (503, "", b"Down for maintenance, just a moment"),
        (404, "challenge", b""),
        (500, "", b"<title>Just a moment...</title>"),
    ],
)
def test_plain_refusal_is_none(status: int, wall: str, page: bytes) -> None:
    """Ordinary error pages stay what they are."""
    assert not is_wall(Head(status, wall=wall), page)
