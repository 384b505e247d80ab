"""Labels on items: put, found, renamed, taken off, and nobody else's."""

import pytest

from tests.api.apps import Phone, Station, keys
from tests.rows import NOON, add_entry, add_feed, at, follow
from wireroom.store import tagging


@pytest.fixture
def items(station: Station, ada: Phone, bob: Phone) -> list[dict[str, object]]:
    """Two items of a feed that both follow, the newest first."""
    with station.database.writing() as connection:
        feed = add_feed(connection)
        for phone in (ada, bob):
            follow(connection, phone.account_id, feed)
        for minute in range(2):
            add_entry(connection, feed, at(minute), f"Item {minute}")
    return ada.pages()


def labels(phone: Phone) -> dict[str, int]:
    return {each["name"]: each["items"] for each in phone.get("/rss_list_labels")["labels"]}


def test_labels_are_put_on_items_and_taken_off(
    ada: Phone, bob: Phone, items: list[dict[str, object]]
) -> None:
    """Several on several at once; what others see is their own."""
    both = [keys(each) for each in items]
    assert {"updated": 2} == ada.post("/rss_label_items", items=both, add=["work", " to  read "])
    assert {"updated": 1} == ada.post("/rss_label_items", items=both[:1], remove=["work", "none"])

    assert [["to read"], ["to read", "work"]] == [each["labels"] for each in ada.pages()]
    assert {"to read": 2, "work": 1} == labels(ada)
    assert [[], []] == [each["labels"] for each in bob.pages()]
    assert {} == labels(bob)


def test_labelled_items_are_found(ada: Phone, items: list[dict[str, object]]) -> None:
    """By the label's name in any case; without one by a minus."""
    ada.post("/rss_label_items", items=[keys(items[0])], add=["To Read"])

    def found(query: str) -> list[str]:
        return [h["item"]["title"] for h in ada.get("/rss_search", query=query)["hits"]]

    assert ["Item 1"] == found('label:"to read"')
    assert ["Item 0"] == found('-label:"to read"')
    assert [] == found("label:unknown")


@pytest.mark.parametrize("order", ["newest", "oldest"])
def test_a_list_of_what_carries_a_label(
    station: Station, ada: Phone, bob: Phone, order: str
) -> None:
    """Page by page without gap or repeat, with the scope and filter that are asked for."""
    with station.database.writing() as connection:
        feeds = [add_feed(connection, name) for name in ("Harbour", "Bay")]
        for phone in (ada, bob):
            for feed in feeds:
                follow(connection, phone.account_id, feed)
        for n in range(12):  # several at each date
            add_entry(connection, feeds[n % 2], at(n // 4), f"Item {n}")
    every = ada.pages(order=order)
    marked = [each for n, each in enumerate(every) if n % 3]
    ada.post("/rss_label_items", items=[keys(each) for each in marked], add=["work"])
    read = [{**keys(each), "is_read": True} for each in marked[:4]]
    ada.post("/rss_set_item_state", items=read)
    one = str(marked[0]["subscription_id"])

    def ids(items: list[dict[str, object]]) -> list[object]:
        return [each["item_id"] for each in items]

    assert ids(marked) == ids(ada.pages(order=order, label="work", limit=3))
    assert ids(marked[4:]) == ids(ada.pages(order=order, label="work", filter="unread", limit=3))
    assert ids([each for each in marked if each["subscription_id"] == one]) == ids(
        ada.pages(order=order, label="work", subscription_id=one, limit=1)
    )
    assert [] == ada.pages(label="play")
    assert [] == bob.pages(label="work")


def test_labels_that_rules_put_are_told(station: Station, ada: Phone) -> None:
    """What a rule tags is the item's label."""
    with station.database.writing() as connection:
        feed = add_feed(connection)
        follow(connection, ada.account_id, feed)
        seq = add_entry(connection, feed, at(0))
        tagging.put(connection, ada.account_id, ["urgent"], feed, seq, now=NOON)

    assert [["urgent"]] == [each["labels"] for each in ada.pages(label="urgent")]


def test_copies_hear_of_labels(
    station: Station, ada: Phone, items: list[dict[str, object]]
) -> None:
    """State sync tells what an item carries now: put, renamed, taken off and deleted."""
    subscription = items[0]["subscription_id"]

    def told() -> list[tuple[list[str], bool, bool]]:
        station.later(1)
        said = ada.get("/rss_list_items", subscription_id=subscription, state_since=cursor)
        return [(s["labels"], s["is_read_explicit"], s["is_favorite"]) for s in said["states"]]

    cursor = ada.get("/rss_list_items", subscription_id=subscription, state_since="")[
        "next_state_since"
    ]
    ada.post("/rss_label_items", items=[keys(items[0])], add=["b", "a"])
    assert [(["a", "b"], False, False)] == told()
    first, second = ada.get("/rss_list_labels")["labels"]
    ada.put("/rss_rename_label", label_id=first["label_id"], name="c")
    assert [(["b", "c"], False, False)] == told()
    ada.post("/rss_delete_label", label_id=second["label_id"])
    assert [(["c"], False, False)] == told()
    ada.post("/rss_label_items", items=[keys(items[0])], remove=["c"])
    assert [([], False, False)] == told()
    with station.database.writing() as connection:
        feed_id, seq = int(str(items[1]["feed_id"])), 1
        tagging.put(connection, ada.account_id, ["urgent"], feed_id, seq, now=station.clock)
    assert [([], False, False), (["urgent"], False, False)] == told()


def test_labels_are_renamed_and_deleted(ada: Phone, items: list[dict[str, object]]) -> None:
    """No two have one name."""
    ada.post("/rss_label_items", items=[keys(items[0])], add=["a", "b"])
    first, second = ada.get("/rss_list_labels")["labels"]
    taken = {"label_id": first["label_id"], "name": "b"}
    assert (400, "invalid_label") == ada.refused("PUT", "/rss_rename_label", **taken)
    ada.put("/rss_rename_label", label_id=first["label_id"], name="c")
    ada.post("/rss_delete_label", label_id=second["label_id"])

    assert {"c": 1} == labels(ada)
    assert ["c"] == ada.pages()[0]["labels"]


def test_labels_end_with_the_subscription(ada: Phone, items: list[dict[str, object]]) -> None:
    """As all that was said about its items."""
    ada.post("/rss_label_items", items=[keys(items[0])], add=["a"])
    ada.post("/rss_unsubscribe", subscription_id=items[0]["subscription_id"])

    assert {"a": 0} == labels(ada)


def test_what_is_labelled_at_once_is_bounded(ada: Phone, items: list[dict[str, object]]) -> None:
    """A hundred items and five hundred labels; nothing is done of what goes beyond."""
    many = [keys(items[0])] * 101
    names = [f"label {n}" for n in range(501)]

    assert (400, "too_many_items") == ada.refused(
        "POST", "/rss_label_items", items=many, add=["a"]
    )
    assert (400, "too_many_labels") == ada.refused(
        "POST", "/rss_label_items", items=many[:1], add=names
    )
    assert {} == labels(ada)


@pytest.mark.parametrize("name", ["", "x" * 65, "a\nb\0"], ids=["none", "long", "control"])
def test_what_is_no_label(ada: Phone, items: list[dict[str, object]], name: str) -> None:
    """1 to 64 characters that one can see."""
    fields = {"items": [keys(items[0])], "add": [name]}

    assert (400, "invalid_label") == ada.refused("POST", "/rss_label_items", **fields)
