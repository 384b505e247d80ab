"""The search page: found things with their marks, and searches that are kept."""

import pytest

from tests.rows import add_entry, add_feed, at, follow
from tests.web.conftest import Browser
from tests.web.rooms import Outside
from wireroom.store import indexing


@pytest.fixture
def feed_id(ada: Browser, outside: Outside) -> int:
    """A feed with an entry that can be found."""
    with outside.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id)
        seq = add_entry(
            connection, feed_id, at(0), "The <b>ferry</b>", content="<p>A ferry & more</p>"
        )
        indexing.note(connection, [(feed_id, seq)])
        indexing.index_some(connection)
    return feed_id


def test_what_was_found_is_marked(ada: Browser, feed_id: int) -> None:
    """In title and text, which are text and no markup; each leads to its entry."""
    page = ada.get("/search", params={"q": "ferry"}).text

    assert "The &lt;b&gt;<mark>ferry</mark>&lt;/b&gt;" in page
    assert "A <mark>ferry</mark> &amp; more" in page
    assert f"entry={feed_id}.1" in page


@pytest.mark.parametrize(
    ("q", "status", "expected"),
    [
        ("", 200, "What one can look for"),
        ("submarine", 200, "Nothing found."),
        ("is:wet", 422, "is:wet is no state"),
        ("x" * 2000, 422, "at most 1024 characters"),
    ],
    ids=["nothing typed", "nothing found", "no state", "too long"],
)
def test_what_cannot_be_found(ada: Browser, q: str, status: int, expected: str) -> None:
    """One sentence says what to do."""
    answer = ada.get("/search", params={"q": q})

    assert status == answer.status_code
    assert expected in answer.text


def test_a_search_is_kept_and_forgotten(ada: Browser, bob: Browser, feed_id: int) -> None:
    """It stands on the page until it is forgotten, and only on its owner's."""
    answer = ada.post("/search/keep", q="ferry is:unread", name="Boats")

    assert "/search?q=ferry+is%3Aunread" == answer.headers["location"]
    assert ">Boats</a>" in ada.get("/search").text
    assert ">Boats</a>" not in bob.get("/search").text
    assert 404 == bob.post("/search/1/forget").status_code
    assert 422 == ada.post("/search/keep", q="ferry", name=" ").status_code
    ada.post("/search/1/forget")
    assert ">Boats</a>" not in ada.get("/search").text
