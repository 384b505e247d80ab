"""Header fields: validators byte for byte, hints with all their nonsense."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireroom.fetching.headers import (
    conditional_headers,
    max_age,
    read_head,
    request_headers,
    retry_after,
)
from wireroom.fetching.outcome import Validators

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DATE = "Sun, 29 Nov 2026 08:00:00 GMT"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 120 ", 120),
        ("007", 7),
        ("86400000", 86_400_000),
        ("Mon, 30 Nov 2026 12:05:00 GMT", 300),
        ("Monday, 30-Nov-26 12:05:00 GMT", 300),
        ("Mon Nov 30 12:05:00 2026", 300),
        ("Mon, 30 Nov 2026 14:05:00 +0200", 300),
        ("Mon, 30 Nov 2026 12:05:00 -0000", 300),
    ],
)
def test_retry_after_is_read(value: str, seconds: int) -> None:
    """Seconds and the three forms of HTTP dates become waits."""
    assert timedelta(seconds=seconds) == retry_after(value, NOW)


@pytest.mark.parametrize(
    "value",
    [
        *["", "0", "-5", "+5", "1.5", "soon", "12 0", "٣", DATE, "Mon, 30 Nov 2026 11:59:59 GMT"],
        *["Mon, 99 Nov 2026 12:00:00 GMT", "Mon, 30 Nov 2026", "Mon, 30 Nov 0000 00:00:00 GMT"],
    ],
)
def test_useless_retry_after_is_absent(value: str) -> None:
    """Zero, negative, past and garbage mean that the server named no time (HTTP-39)."""
    assert retry_after(value, NOW) is None


@pytest.mark.parametrize("value", ["9" * 30, "9" * 9000, "Mon, 30 Nov 9999 12:00:00 GMT"])
def test_absurd_retry_after_stays_a_date(value: str) -> None:
    """A wait may be huge but added to now it is still a date."""
    wait = retry_after(value, NOW)

    assert wait is not None
    assert NOW + wait > NOW


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("max-age=60", 60),
        ("public, Max-Age=60, must-revalidate", 60),
        ("no-cache,max-age = 60", 60),
        ('max-age="60"', 60),
        ("max-age=315360000", 315_360_000),
        ("s-maxage=10, max-age=60", 60),
    ],
)
def test_max_age_is_read(value: str, seconds: int) -> None:
    """max-age comes as it is, however long; capping is the scheduler's."""
    assert timedelta(seconds=seconds) == max_age(value)


@pytest.mark.parametrize(
    "value",
    [
        *["", "no-store", "max-age", "max-age=", "max-age=abc", "max-age=0", "max-age=-1"],
        *["max-age=1.5", "s-maxage=60", "x-max-age=60", "max-age=60s", "max-age=0000"],
    ],
)
def test_useless_max_age_is_absent(value: str) -> None:
    """Zero, negative and garbage are ignored (B19)."""
    assert max_age(value) is None


@given(st.text())
def test_hints_are_never_an_error(value: str) -> None:
    """Whatever stands in a hint, reading it gives a positive wait or None."""
    for wait in (retry_after(value, NOW), max_age(value), max_age(f"max-age={value}")):
        assert wait is None or wait > timedelta(0)


@pytest.mark.parametrize(
    ("validators", "verbatim", "headers"),
    [
        (Validators(), False, {}),
        (Validators(), True, {}),
        (Validators('"a"', DATE), False, {"If-None-Match": '"a"'}),
        (Validators('W/"a"', DATE), False, {"If-None-Match": '"a"'}),
        (Validators(' W/"a-gzip" '), False, {"If-None-Match": '"a-gzip"'}),
        (Validators("", "yesterday"), False, {"If-Modified-Since": "yesterday"}),
        (
            Validators('W/"a"', "yesterday"),
            True,
            {"If-None-Match": 'W/"a"', "If-Modified-Since": "yesterday"},
        ),
        (Validators("bare"), True, {"If-None-Match": "bare"}),
        (Validators("*", "yesterday"), False, {"If-Modified-Since": "yesterday"}),
        (Validators("W/*"), True, {}),
        (Validators('""'), False, {}),
        (Validators('W/""', "yesterday"), True, {"If-Modified-Since": "yesterday"}),
    ],
)
def test_request_is_conditional(
    validators: Validators, verbatim: bool, headers: dict[str, str]
) -> None:
    """The strong ETag goes alone, its outer blanks gone; the date only in its absence; verbatim
    sends both (C5, HTTP-02, HTTP-03, HTTP-04). A tag that would match every version is none."""
    assert headers == conditional_headers(validators, verbatim=verbatim)


def test_feed_is_asked_for_by_weight() -> None:
    """The Accept field of feeds prefers what is a feed for sure (HTTP-12)."""
    accept = request_headers("feed", "agent")["Accept"].split(", ")

    assert [
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/xml;q=0.9",
        "text/xml;q=0.9",
        "application/json;q=0.8",
        "text/html;q=0.5",
        "*/*;q=0.1",
    ] == accept


def test_head_is_read() -> None:
    """All fields that matter are found, whatever the case of their names."""
    head = read_head(
        200,
        [
            (b"etag", b' W/"x"  '),
            (b"LAST-MODIFIED", DATE.encode()),
            (b"Content-Encoding", b"GZIP, identity"),
            (b"Content-Length", b"12"),
            (b"Link", b"<https://hub.example/>; rel=hub"),
            (b"Link", b"<https://news.example/>; rel=self"),
            (b"Cache-Control", b"public"),
            (b"Cache-Control", b"max-age=30"),
            (b"Retry-After", b"5"),
        ],
        NOW,
    )

    assert Validators('W/"x"', DATE) == head.validators
    assert ("gzip",) == head.content_encodings
    assert 12 == head.content_length
    assert "<https://hub.example/>; rel=hub, <https://news.example/>; rel=self" == head.link
    assert (timedelta(seconds=30), timedelta(seconds=5)) == (head.max_age, head.retry_after)
    assert head.location is None


@pytest.mark.parametrize(
    ("values", "strange"),
    [
        pytest.param([], "", id="absent"),
        pytest.param([b"chunked"], "", id="chunked"),
        pytest.param([b"Chunked, identity"], "", id="in capitals, with an old one"),
        pytest.param([b"xchunked"], "xchunked", id="unknown"),
        pytest.param([b"gzip, chunked"], "gzip", id="packed"),
        pytest.param([b"chunked", b"br"], "br", id="in a second field"),
    ],
)
def test_strange_transfer_codings_are_noticed(values: list[bytes], strange: str) -> None:
    """We say that we take none, so that every other one is a server's mistake."""
    head = read_head(200, [(b"Transfer-Encoding", value) for value in values], NOW)

    assert strange == head.strange_transfer


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([b"de"], "de", id="one"),
        pytest.param([b"pt-BR "], "pt-BR", id="with a region"),
        pytest.param([b"de, en"], "", id="several"),
        pytest.param([b"de", b"en"], "", id="several fields"),
        pytest.param([b"none at all"], "", id="nonsense"),
        pytest.param([], "", id="absent"),
    ],
)
def test_one_content_language_is_believed(values: list[bytes], expected: str) -> None:
    """Content-Language names those whom a document is for: only a single one is its language."""
    head = read_head(200, [(b"Content-Language", value) for value in values], NOW)

    assert expected == head.content_language


@pytest.mark.parametrize(
    "value", [b'"\xff"', b'"a\x01b"', b'"' + b"a" * 4000 + b'"'], ids=["latin", "control", "long"]
)
def test_validator_that_cannot_be_returned_is_dropped(value: bytes) -> None:
    """Byte for byte or not at all: a mangled validator would never match."""
    assert not read_head(200, [(b"ETag", value)], NOW).validators


@pytest.mark.parametrize(
    ("ahead", "kept"), [(timedelta(hours=23), True), (timedelta(days=30), False)]
)
def test_a_date_that_lies_ahead_is_not_sent_back(ahead: timedelta, kept: bool) -> None:
    """A server would answer 304 until then, and what is published before would never come; clocks
    that differ a little do no harm (B20)."""
    date = format_datetime(NOW + ahead, usegmt=True)
    fields = [(b"ETag", b'"a"'), (b"Last-Modified", date.encode())]

    assert Validators('"a"', date if kept else "") == read_head(200, fields, NOW).validators


def test_validator_in_utf8_is_kept() -> None:
    """Non-ASCII ETags exist; valid UTF-8 survives the way there and back."""
    assert '"ä"' == read_head(200, [(b"ETag", '"ä"'.encode())], NOW).validators.etag


def test_location_in_latin1_is_read() -> None:
    """A Location with bare Latin-1 bytes is text, not an error."""
    assert "/caf\xe9" == read_head(302, [(b"Location", b"/caf\xe9")], NOW).location


@given(st.lists(st.tuples(st.binary(max_size=20), st.binary(max_size=60))))
def test_any_head_is_read(fields: list[tuple[bytes, bytes]]) -> None:
    """No combination of bytes makes a head an error."""
    names = [b"etag", b"retry-after", b"cache-control", b"content-length", b"location"]

    read_head(200, [*fields, *((name, value) for name in names for _, value in fields)], NOW)
