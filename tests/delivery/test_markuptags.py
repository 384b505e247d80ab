import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.delivery.samples import any_html, unhurried
from wireroom.delivery.markuptags import attribute, pieces
from wireroom.feeds.model import SafeHtml


def test_pieces() -> None:
    """Texts and tags come in order; comments and declarations have no name."""
    found = [(p.text, p.name, p.closes) for p in pieces("a<B class='x>y'>b</b><!-- <i> -->c<!d>d")]

    assert [
        ("a", "b", False),
        ("b", "b", True),
        ("", "", False),
        ("c", "", False),
        ("d", "", False),
    ] == found


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        (' href="a&amp;b"', "a&b"),
        (" HREF='a'", "a"),
        (" href = a ", "a"),
        (' data-href="no" href=" a "', "a"),
        (' title="href=no" href="a"', "a"),
        (' href="a" href="b"', "a"),
        (" href", ""),
        (' href="torn', "torn"),
        ("", ""),
    ],
)
def test_attribute(attributes: str, expected: str) -> None:
    """The first attribute of that name, however it is quoted."""
    assert expected == attribute(attributes, "href")


@unhurried
@given(st.one_of(any_html, st.text("<>a/!-\"'= b")))
def test_every_character_belongs_to_one_piece(html: SafeHtml) -> None:
    """Pieces follow each other without gaps up to the end."""
    ends = [piece.end for piece in pieces(html)]

    assert sorted(ends) == ends
    assert len(html) == (ends[-1] if ends else 0)
