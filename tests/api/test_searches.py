"""Searching over the API, searches that have a name, and how feeds are doing."""

from collections.abc import Callable

import pytest

from tests.api.apps import Phone, Station
from tests.rows import add_entry, add_feed, add_fetch, at, follow
from wireroom.store import indexing


@pytest.fixture
def arrives(station: Station, ada: Phone) -> Callable[..., int]:
    """Lets an entry arrive in a feed that Ada follows, and be indexed."""
    with station.database.writing() as connection:
        feed = add_feed(connection)
        follow(connection, ada.account_id, feed)

    def add(minutes: float, title: str, content: str = "") -> int:
        with station.database.writing() as connection:
            seq = add_entry(connection, feed, at(minutes), title, content=f"<p>{content}</p>")
            indexing.note(connection, [(feed, seq)])
            indexing.index_some(connection)
            return seq

    return add


def found(phone: Phone, query: str, **more: object) -> list[str]:
    hits = phone.get("/rss_search", query=query, **more)["hits"]
    return [hit["item"]["title"] for hit in hits]


def test_the_best_hit_comes_first_and_says_why(ada: Phone, arrives: Callable[..., int]) -> None:
    """Whole items, with what was looked for marked in title and text."""
    arrives(0, "Weather", "No ferry today, because of the wind.")
    arrives(1, "The ferry is back", "It sails again.")
    arrives(2, "Something else")

    first, second = ada.get("/rss_search", query="ferry")["hits"]

    assert ["The ferry is back", "Weather"] == [each["item"]["title"] for each in (first, second)]
    assert [{"text": "ferry", "is_hit": True}] == [p for p in first["title"] if p["is_hit"]]
    assert "No ferry today" in "".join(piece["text"] for piece in second["snippet"])
    assert "<p>It sails again.</p>" == first["item"]["content_html"]


def test_hits_come_in_pages(ada: Phone, arrives: Callable[..., int]) -> None:
    """Each once."""
    for number in range(5):
        arrives(number, f"Ferry {number}")
    page = ada.get("/rss_search", query="ferry", limit=2)
    titles = [hit["item"]["title"] for hit in page["hits"]]
    while page["next_cursor"]:
        page = ada.get("/rss_search", query="ferry", limit=2, cursor=page["next_cursor"])
        titles += [hit["item"]["title"] for hit in page["hits"]]

    assert [f"Ferry {number}" for number in range(5)] == sorted(titles)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"query": ""}, "invalid_query"),
        ({"query": "is:wet"}, "invalid_query"),
        ({"query": "x " * 600}, "invalid_query"),
        ({"query": "ferry", "cursor": "h.0"}, "invalid_cursor"),
        ({"query": "ferry", "cursor": "n.1.2.3"}, "invalid_cursor"),
        ({"search_id": "x"}, "unknown_search"),
    ],
    ids=["nothing", "no state", "too long", "no place", "another list's", "no search"],
)
def test_what_cannot_be_looked_for(ada: Phone, query: dict[str, object], expected: str) -> None:
    """Each with its code."""
    assert expected == ada.refused("GET", "/rss_search", **query)[1]


def test_nobody_finds_what_others_follow(
    ada: Phone, bob: Phone, arrives: Callable[..., int]
) -> None:
    """Bob follows nothing."""
    arrives(0, "The ferry")

    assert ["The ferry"] == found(ada, "ferry")
    assert [] == found(bob, "ferry")


def test_a_search_is_kept_under_a_name(
    ada: Phone, bob: Phone, arrives: Callable[..., int]
) -> None:
    """It runs by its id, is replaced by its name, and is nobody else's."""
    arrives(0, "The ferry")
    kept = ada.post("/rss_save_search", name=" Boats ", query="ship")["search"]
    again = ada.post("/rss_save_search", name="Boats", query="ferry is:unread")["search"]

    assert kept["search_id"] == again["search_id"]
    assert [again] == ada.get("/rss_list_searches")["searches"]
    assert ["The ferry"] == found(ada, "", search_id=kept["search_id"])
    assert [] == bob.get("/rss_list_searches")["searches"]
    ada.post("/rss_delete_search", search_id=kept["search_id"])
    assert [] == ada.get("/rss_list_searches")["searches"]


def test_what_cannot_be_kept(ada: Phone) -> None:
    """A name and a query that can be searched for."""
    for name, query, expected in (
        ("", "ferry", "invalid_name"),
        ("x" * 129, "ferry", "invalid_name"),
        ("Boats", "before:never", "invalid_query"),
    ):
        assert (400, expected) == ada.refused("POST", "/rss_save_search", name=name, query=query)


def test_counts_of_what_is_unread(ada: Phone, arrives: Callable[..., int]) -> None:
    """By subscription, and what has none is left out."""
    assert {"unread": [], "total": 0} == ada.get("/rss_unread_counts")
    arrives(0, "One")
    arrives(1, "Two")

    counts = ada.get("/rss_unread_counts")

    assert (2, [2]) == (counts["total"], [each["unread"] for each in counts["unread"]])


def test_the_last_requests_for_a_feed(station: Station, ada: Phone) -> None:
    """Newest first, with its health and without a hub."""
    with station.database.writing() as connection:
        feed = add_feed(connection, failure_count=4)
        which = follow(connection, ada.account_id, feed)
        add_fetch(connection, feed, at(-20), outcome="news", status=200, new_count=3)
        add_fetch(connection, feed, at(-10), outcome="failed", status=500)

    history = ada.get("/rss_fetch_history", subscription_id=which)

    assert ["failed", "news"] == [each["outcome"] for each in history["fetches"]]
    assert 3 == history["fetches"][1]["new_items"]
    assert ("ailing", "none") == (history["health"], history["websub"]["state"])
