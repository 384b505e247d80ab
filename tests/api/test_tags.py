"""Tags on subscriptions: kept, listed and filtered by."""

import pytest

from tests.api.apps import Phone, Station
from tests.rows import add_entry, add_feed, at, follow


@pytest.fixture
def shelf(station: Station, ada: Phone) -> list[str]:
    """Two subscriptions with two items each."""
    made = []
    with station.database.writing() as connection:
        for title in ("Harbour", "Hills"):
            feed_id = add_feed(connection, title)
            made.append(str(follow(connection, ada.account_id, feed_id)))
            for minutes in (-10, -20):
                add_entry(connection, feed_id, at(minutes))
    return made


def test_tags_choose_what_is_listed(ada: Phone, shelf: list[str]) -> None:
    """They come back with the subscription, in order, and filter lists and counts."""
    kept = ada.put("/rss_set_tags", subscription_id=shelf[0], tags=["sea", " big  ships", "sea"])
    listed = ada.get("/rss_list_subscriptions")["subscriptions"]
    tags = {each["subscription_id"]: each["tags"] for each in listed}

    assert ["big ships", "sea"] == kept["tags"]
    assert {shelf[0]: ["big ships", "sea"], shelf[1]: []} == tags
    assert {shelf[0]} == {item["subscription_id"] for item in ada.pages(tag="sea")}
    assert [] == ada.pages(tag="hills")


@pytest.mark.parametrize("tags", [[""], ["x" * 65], ["a\nb\x00"], [str(n) for n in range(21)]])
def test_tags_that_are_none(ada: Phone, shelf: list[str], tags: list[str]) -> None:
    """Empty, too long, unreadable or too many."""
    assert (400, "invalid_tags") == ada.refused(
        "PUT", "/rss_set_tags", subscription_id=shelf[0], tags=tags
    )
