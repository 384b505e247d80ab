import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.delivery.samples import long_html, unhurried
from wireroom.delivery.htmltext import parse
from wireroom.delivery.richtext import (
    Block,
    Span,
    boundary,
    cut,
    is_web_address,
    length,
    split,
    units,
)
from wireroom.feeds.model import SafeHtml


def _paragraph(text: str) -> Block:
    return Block("paragraph", (Span(text),))


@pytest.mark.parametrize(
    "character",
    [
        pytest.param("😀", id="surrogate pair"),
        pytest.param("👍🏽", id="skin tone"),
        pytest.param("👩‍👩‍👧‍👦", id="family"),
        pytest.param("🇩🇪", id="flag"),
        pytest.param(
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", id="England"
        ),
        pytest.param("e\u0301", id="accent"),
        pytest.param("❤\ufe0f", id="variation"),
        pytest.param("각", id="jamo"),
    ],
)
def test_no_visible_character_is_torn(character: str) -> None:
    """A cut at any unit within a character goes back to its beginning."""
    text = "ab" + character * 3
    whole = [2 + n * len(character) for n in range(4)]

    for index in range(2, len(text) + 1):
        assert max(at for at in whole if at <= index) == boundary(text, index)


def test_cut_goes_back_to_the_last_space() -> None:
    """300 units back to the last space, then the ellipsis (DCD-05)."""
    text = "word " * 100
    shown = cut((_paragraph(text.strip()),), 302, ellipsis=" …")

    assert "word " * 59 + "word …" == shown[0].text


def test_cut_without_spaces_is_exact() -> None:
    """Three hundred letters without a space become 270 and the ellipsis (TGD-32)."""
    shown = cut((_paragraph("ж" * 300),), 270, ellipsis="...")

    assert "ж" * 270 + "..." == shown[0].text


def test_what_fits_is_not_cut() -> None:
    """A text of exactly the limit stays as it is."""
    blocks = (_paragraph("a" * 100), _paragraph("b" * 98))

    assert blocks == cut(blocks, 200)


def test_cut_keeps_marks_and_counts_markers() -> None:
    """Spans keep their look; the bullets and blank lines between blocks count."""
    blocks = parse(SafeHtml("<ul><li><b>one two</b></li><li>three</li></ul>")).blocks

    assert 17 == length(blocks)
    assert (Span("one", frozenset(("bold",))), Span(" …")) == cut(blocks, 6)[0].spans


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org", True),
        ("HTTP://example.org/a?b#c", True),
        ("https://user@example.org/", False),
        ("ftp://example.org/", False),
        ("javascript:alert(1)", False),
        ("https://", False),
        ("https://example.org/a b", False),
        ('https://example.org/"x', False),
        ("//example.org/", False),
    ],
)
def test_web_addresses(url: str, expected: bool) -> None:
    """Only absolute http(s) without anything that could break out of markup is linked."""
    assert expected == is_web_address(url)


@unhurried
@given(long_html, st.integers(64, 3000))
def test_parts_hold_everything_within_the_limit(html: SafeHtml, limit: int) -> None:
    """Splitting loses no visible character, and each part is within the limit and not empty."""
    blocks = parse(html).blocks
    parts = split(blocks, limit)

    assert all(part and length(part) <= limit for part in parts)
    assert _visible(blocks) == "".join(_visible(part) for part in parts)


@unhurried
@given(long_html, st.integers(0, 3000))
def test_a_cut_text_is_a_beginning(html: SafeHtml, limit: int) -> None:
    """What is shown is the beginning of the text, within the limit."""
    blocks = parse(html).blocks
    shown = cut(blocks, limit, ellipsis="")

    assert length(shown) <= limit or shown == ()
    assert _visible(blocks).startswith(_visible(shown))


@unhurried
@given(st.text())
def test_units_are_those_of_utf16(text: str) -> None:
    """Characters beyond the first plane count twice."""
    assert sum(2 if character > "\uffff" else 1 for character in text) == units(text)


def _visible(blocks: tuple[Block, ...]) -> str:
    return "".join("".join(block.text.split()) for block in blocks)
