"""Rules over the API: kept by place, read as they were written, and refused when they are none."""

import pytest
from sqlalchemy import insert

from tests.api.apps import Phone, Station
from tests.rows import NOON, add_feed, follow
from wireroom.store.schema import destinations


def _follow(station: Station, phone: Phone) -> str:
    with station.database.writing() as connection:
        return str(follow(connection, phone.account_id, add_feed(connection)))


def _destination(station: Station, phone: Phone) -> int:
    with station.database.writing() as connection:
        row = {"account_id": phone.account_id, "channel": "telegram", "address": "4711"}
        made = insert(destinations).values(**row, created_at=NOON).returning(destinations.c.id)
        return int(connection.execute(made).scalar_one())


def test_rules_of_the_account_and_of_a_subscription(station: Station, ada: Phone) -> None:
    """Each place has its own; setting replaces, and an empty list takes back."""
    which = _follow(station, ada)
    ada.put("/rss_set_rules", rules=["title:sponsored -> drop", "  rust -> tag code "])
    ada.put("/rss_set_rules", rules=["lang:de -> mute"], subscription_id=which)
    at_account, at_feed = (
        ada.get("/rss_get_rules"),
        ada.get("/rss_get_rules", subscription_id=which),
    )
    ada.put("/rss_set_rules", rules=[])

    assert ["title:sponsored -> drop", "rust -> tag code"] == at_account["rules"]
    assert {"subscription_id": which, "rules": ["lang:de -> mute"]} == at_feed
    assert {"subscription_id": "", "rules": []} == ada.get("/rss_get_rules")


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("invalid_rule", ["title:sponsored"]),
        ("invalid_rule", ["rust -> explode"]),
        ("invalid_rule", [""]),
        ("invalid_rule", ["a\0b -> drop"]),
        ("invalid_rule", ["a -> drop\nb -> drop"]),
        ("invalid_rule", ["a -> drop"] * 51),
        ("invalid_rule", "a -> drop"),
        ("invalid_rule", [7]),
        ("invalid_filter", ["/(/ -> drop"]),
    ],
    ids=[
        "no_arrow",
        "no_action",
        "empty",
        "null",
        "two_lines",
        "too_many",
        "text",
        "number",
        "filter",
    ],
)
def test_rules_that_are_none(ada: Phone, code: str, rules: object) -> None:
    """Nothing of a list is kept of which one cannot be read."""
    assert (400, code) == ada.refused("PUT", "/rss_set_rules", rules=rules)
    assert [] == ada.get("/rss_get_rules")["rules"]


def test_rules_lead_to_ones_own_destinations_only(
    station: Station, ada: Phone, bob: Phone
) -> None:
    """Somebody else's is as good as none."""
    hers = _destination(station, ada)
    lead = [f"rust -> route {hers}"]

    assert lead == ada.put("/rss_set_rules", rules=lead)["rules"]
    for number in (hers, 999_999):
        refused = bob.refused("PUT", "/rss_set_rules", rules=[f"rust -> route {number}"])
        assert (404, "unknown_destination") == refused
