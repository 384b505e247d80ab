"""Lists, single items, and what is said about them."""

from collections.abc import Callable

import pytest

from tests.api.apps import PICTURES, Phone, Station, keys
from tests.rows import add_entry, add_feed, add_folder, at, follow
from wireroom.feeds.model import SafeHtml
from wireroom.store import articles

_ITEM = {
    "feed_id", "subscription_id", "item_id", "sort_key", "guid", "title", "author", "url",
    "published_at", "updated_at", "fetched_at", "fetched_key", "summary_html", "content_html",
    "content_source", "is_read", "is_read_explicit", "is_favorite", "labels",
}  # fmt: skip


@pytest.fixture
def feed(station: Station, ada: Phone) -> int:
    """A feed that Ada follows, without entries yet."""
    with station.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id)
    return feed_id


@pytest.fixture
def arrives(station: Station, feed: int) -> Callable[..., int]:
    """Lets an entry arrive that is dated so many minutes after noon."""

    def add(minutes: float, title: str = "", **values: object) -> int:
        with station.database.writing() as connection:
            return add_entry(connection, feed, at(minutes), title, **values)

    return add


def titles(items: list[dict[str, object]]) -> list[object]:
    return [item["title"] for item in items]


# -- lists ----------------------------------------------------------------------------------------


def test_an_item_has_every_field(ada: Phone, arrives: Callable[..., int]) -> None:
    """Of the contract (API-07), in its forms."""
    arrives(-5, "Ferry", updated_at=at(-1), first_seen_at=at(-4), summary="<p>Late</p>")
    item = ada.get("/rss_list_items")["items"][0]

    assert _ITEM == set(item)
    assert (
        "2026-11-30T11:55:00.000Z",
        "2026-11-30T11:59:00.000Z",
        "2026-11-30T11:56:00.000Z",
    ) == (
        item["published_at"],
        item["updated_at"],
        item["fetched_at"],
    )
    assert f"{item['published_at']}#{item['item_id']}" == item["sort_key"]
    assert ("<p>Late</p>", "<p>Text of Ferry</p>") == (
        item["summary_html"],
        item["content_html"],
    )


def test_large_bodies_are_inlined(ada: Phone, arrives: Callable[..., int]) -> None:
    """In lists and in single items (API-49)."""
    body = "<p>" + "word " * 80_000 + "</p>"
    arrives(0, large_body=body)
    item = ada.get("/rss_list_items")["items"][0]
    single = ada.get("/rss_get_item", feed_id=item["feed_id"], sort_key=item["sort_key"])

    assert body == item["content_html"]
    assert item == single["item"]


@pytest.mark.parametrize("order", ["newest", "oldest"])
@pytest.mark.parametrize("limit", [1, 3, 7, 100])
def test_equal_dates_neither_repeat_nor_skip(
    station: Station, ada: Phone, order: str, limit: int
) -> None:
    """Fifty items of one date in five feeds, page by page (API-28, API-32, B16)."""
    with station.database.writing() as connection:
        for number in range(5):
            feed_id = add_feed(connection, f"Feed {number}")
            follow(connection, ada.account_id, feed_id)
            for _ in range(10):
                add_entry(connection, feed_id, at(0))
    found = [item["sort_key"] for item in ada.pages(order=order, limit=limit)]

    assert 50 == len(set(found))
    assert sorted(found, reverse=order == "newest") == found


def test_arrivals_between_pages_disturb_nothing(ada: Phone, arrives: Callable[..., int]) -> None:
    """What comes while somebody pages is not in the pages before, and shifts none after."""
    for minute in range(6):
        arrives(-minute, f"at -{minute}")
    first = ada.get("/rss_list_items", limit=2)
    arrives(5, "newer")
    arrives(-0.5, "between, already passed")
    second = ada.get("/rss_list_items", limit=2, cursor=first["next_cursor"])
    third = ada.get("/rss_list_items", limit=2, cursor=second["next_cursor"])

    assert ["at -2", "at -3", "at -4", "at -5"] == titles(second["items"] + third["items"])
    assert third["next_cursor"] is None


def test_no_unread_item_is_out_of_reach(ada: Phone, arrives: Callable[..., int]) -> None:
    """Hundreds of read items before it do not hide an old unread one (API-31)."""
    arrives(-1000, "old and unread")
    for minute in range(300):
        arrives(-minute)
    read = [
        keys(item, is_read=True) for item in ada.pages(limit=100) if "old" not in item["title"]
    ]
    for start in range(0, len(read), 100):
        ada.post("/rss_set_item_state", items=read[start : start + 100])
    page = ada.get("/rss_list_items", filter="unread", limit=5)

    assert ["old and unread"] == titles(page["items"])
    assert page["next_cursor"] is None


def test_scopes(station: Station, ada: Phone) -> None:
    """One subscription, a folder with those inside it, or everything (API-26)."""
    with station.database.writing() as connection:
        outer = add_folder(connection, ada.account_id, "Outer")
        inner = add_folder(connection, ada.account_id, "Inner", parent_id=outer)
        made = {}
        for name, folder in (("Top", None), ("Out", outer), ("In", inner)):
            feed_id = add_feed(connection, name)
            made[name] = follow(connection, ada.account_id, feed_id, folder_id=folder)
            add_entry(connection, feed_id, at(0), name)

    def shown(**query: object) -> set[object]:
        return set(titles(ada.get("/rss_list_items", **query)["items"]))

    assert {"Top", "Out", "In"} == shown() == shown(folder_id="", subscription_id="")
    assert {"Out", "In"} == shown(folder_id=outer)
    assert {"In"} == shown(folder_id=inner)
    assert {"Top"} == shown(subscription_id=made["Top"])


@pytest.mark.parametrize(
    ("limit", "expected"), [(0, 1), (-5, 1), (1, 1), (101, 100), (10**30, 100), (None, 50)]
)
def test_limits_are_clamped(
    ada: Phone, arrives: Callable[..., int], limit: int | None, expected: int
) -> None:
    """1 to 100, and 50 when nothing is said (API-29)."""
    for minute in range(120):
        arrives(-minute)
    query = {} if limit is None else {"limit": limit}

    assert expected == len(ada.get("/rss_list_items", **query)["items"])


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"limit": "many"}, (400, "invalid_limit")),
        ({"limit": "1.5"}, (400, "invalid_limit")),
        ({"limit": ""}, (400, "invalid_limit")),
        ({"filter": "starred"}, (400, "invalid_filter")),
        ({"order": "up"}, (400, "invalid_order")),
        ({"cursor": "rubbish"}, (400, "invalid_cursor")),
        ({"cursor": "n.1.2"}, (400, "invalid_cursor")),
        ({"cursor": "r.1.2"}, (400, "invalid_cursor")),
        ({"cursor": f"n.{'9' * 18}.1.1"}, (400, "invalid_cursor")),
        ({"cursor": "o.1.1.1"}, (400, "invalid_cursor")),
        ({"subscription_id": "77"}, (404, "unknown_subscription")),
        ({"subscription_id": "x"}, (404, "unknown_subscription")),
        ({"folder_id": "77"}, (404, "unknown_folder")),
        ({"since": ""}, (400, "since_needs_subscription")),
        ({"state_since": ""}, (400, "state_since_needs_subscription")),
        ({"since": "", "folder_id": "1"}, (400, "since_needs_subscription")),
        ({"tag": "a\0b"}, (400, "invalid_tag")),
        ({"label": "a\0b"}, (400, "invalid_label")),
    ],
    ids=str,
)
def test_lists_that_are_refused(
    ada: Phone, query: dict[str, object], problem: tuple[int, str]
) -> None:
    """Each with its own code (API-27 to API-30, SYN-05, SYN-13)."""
    assert problem == ada.refused("GET", "/rss_list_items", **query)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({}, (400, "missing_key")),
        ({"feed_id": "1"}, (400, "missing_key")),
        ({"sort_key": "x"}, (400, "missing_key")),
        ({"feed_id": "77", "sort_key": "x"}, (404, "not_subscribed")),
        ({"feed_id": "x", "sort_key": "x"}, (404, "not_subscribed")),
        ({"feed_id": "1", "sort_key": "x"}, (404, "unknown_item")),
        (
            {"feed_id": "1", "sort_key": "x#" + "0" * 11 + "1" + "0" * 11 + "9"},
            (404, "unknown_item"),
        ),
        (
            {"feed_id": "1", "sort_key": "x#" + "0" * 11 + "2" + "0" * 11 + "1"},
            (404, "unknown_item"),
        ),
    ],
    ids=str,
)
def test_items_that_are_not_there(
    ada: Phone, feed: int, query: dict[str, object], problem: tuple[int, str]
) -> None:
    """A missing key, a feed that is not followed and an item that is not there (API-33)."""
    assert 1 == feed
    assert problem == ada.refused("GET", "/rss_get_item", **query)


# -- states ---------------------------------------------------------------------------------------


def test_states_are_said_and_shown(ada: Phone, arrives: Callable[..., int]) -> None:
    """Read and favourite are independent; absent flags stay as they are (API-27, API-34)."""
    arrives(0)
    item = ada.get("/rss_list_items")["items"][0]
    ada.post("/rss_set_item_state", items=[keys(item, is_favorite=True)])
    ada.post("/rss_set_item_state", items=[keys(item, is_read=True)])
    shown = ada.get("/rss_list_items", filter="favorite")["items"]

    assert [(True, True, True)] == [
        (each["is_read"], each["is_read_explicit"], each["is_favorite"]) for each in shown
    ]
    assert [] == ada.get("/rss_list_items", filter="unread")["items"]


def test_entries_without_flags_are_passed_over(ada: Phone, arrives: Callable[..., int]) -> None:
    """They are not counted, nor are items that are gone (API-35)."""
    arrives(0)
    item = ada.get("/rss_list_items")["items"][0]
    gone = {**keys(item), "sort_key": item["sort_key"][:-1] + "9", "is_read": True}

    assert {"updated": 1} == ada.post(
        "/rss_set_item_state", items=[keys(item), gone, keys(item, is_read=True)]
    )


@pytest.mark.parametrize(
    ("last", "problem"),
    [
        ({"feed_id": "77", "sort_key": "x", "is_read": True}, (400, "invalid_item")),
        ({"feed_id": "x", "sort_key": "x", "is_read": True}, (404, "not_subscribed")),
        ({"feed_id": "1", "sort_key": "x", "is_read": True}, (400, "invalid_item")),
        ({"feed_id": "1", "sort_key": ""}, (400, "invalid_item")),
        ({"feed_id": "1"}, (400, "invalid_item")),
        ({"sort_key": "x"}, (400, "invalid_item")),
        ({"feed_id": 1, "sort_key": "x"}, (400, "invalid_item")),
        ({"feed_id": "1", "sort_key": "x", "is_read": "true"}, (400, "invalid_item")),
        (7, (400, "invalid_item")),
        (
            {"feed_id": "77", "sort_key": "x#" + f"{77:012x}{1:012x}", "is_read": True},
            (404, "not_subscribed"),
        ),
    ],
    ids=str,
)
def test_one_bad_entry_stops_all(
    ada: Phone, arrives: Callable[..., int], last: object, problem: tuple[int, str]
) -> None:
    """Nothing is written before everything was looked at (API-50)."""
    arrives(0)
    item = ada.get("/rss_list_items")["items"][0]

    assert problem == ada.refused(
        "POST", "/rss_set_item_state", items=[keys(item, is_read=True), last]
    )
    assert [item] == ada.get("/rss_list_items")["items"]


def test_a_hundred_entries_and_no_more(ada: Phone, arrives: Callable[..., int]) -> None:
    """At most 100 in one go (API-34); `items` must be a list."""
    arrives(0)
    entry = keys(ada.get("/rss_list_items")["items"][0], is_read=True)
    path = "/rss_set_item_state"

    assert {"updated": 100} == ada.post(path, items=[entry] * 100)
    assert (400, "too_many_items") == ada.refused("POST", path, items=[entry] * 101)
    assert (400, "missing_items") == ada.refused("POST", path)
    assert (400, "missing_items") == ada.refused("POST", path, items="all")
    assert {"updated": 0} == ada.post(path, items=[])


# -- everything read ------------------------------------------------------------------------------


def _unread(phone: Phone) -> list[object]:
    return titles(phone.pages(filter="unread"))


def test_marking_reaches_up_to_the_moment(ada: Phone, arrives: Callable[..., int]) -> None:
    """What is published later stays unread, though the mark is sent after it came (API-41)."""
    arrives(-30, "before")
    arrives(-10, "after the tap")
    marked = ada.post("/rss_mark_all_read", watermark="2026-11-30T11:40:00+00:00")

    assert {
        "subscriptions": 1,
        "flipped": 0,
        "read_watermark": "2026-11-30T11:40:00.000Z",
    } == marked
    assert ["after the tap"] == _unread(ada)
    assert [False, False] == [each["is_read_explicit"] for each in ada.pages()]


@pytest.mark.parametrize(
    ("watermark", "mark"),
    [
        pytest.param(None, "2026-11-30T12:00:00.000Z", id="absent-is-now"),
        pytest.param("", "2026-11-30T12:00:00.000Z", id="empty-is-now"),
        pytest.param("2030-01-01T00:00:00Z", "2026-11-30T12:00:00.000Z", id="ahead-is-now"),
        pytest.param("2026-11-30T11:40:00", "2026-11-30T11:40:00.000Z", id="naive-is-utc"),
        pytest.param("2026-11-30T13:40:00+02:00", "2026-11-30T11:40:00.000Z", id="zone"),
        pytest.param("2026-11-30T11:40:00.123456Z", "2026-11-30T11:40:00.123Z", id="micros"),
        pytest.param("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z", id="long-ago"),
    ],
)
def test_watermarks_as_they_are_typed(
    ada: Phone, feed: int, watermark: str | None, mark: str
) -> None:
    """API-39."""
    assert mark == ada.post("/rss_mark_all_read", watermark=watermark)["read_watermark"]


@pytest.mark.parametrize("watermark", ["soon", "0001-01-01T00:00:00+14:00", "2026-13-01", "12"])
def test_watermarks_that_are_none(ada: Phone, watermark: str) -> None:
    """They are refused; nothing is marked."""
    assert (400, "invalid_watermark") == ada.refused(
        "POST", "/rss_mark_all_read", watermark=watermark
    )


def test_watermarks_never_go_back(ada: Phone, arrives: Callable[..., int]) -> None:
    """A mark that was queued offline and comes late takes nothing back."""
    arrives(-10)
    ada.post("/rss_mark_all_read", watermark="2026-11-30T11:55:00Z")
    ada.post("/rss_mark_all_read", watermark="2026-11-30T11:00:00Z")

    assert [] == _unread(ada)
    assert (
        "2026-11-30T11:55:00.000Z"
        == (ada.get("/rss_list_subscriptions")["subscriptions"][0]["read_watermark"])
    )


def test_what_was_unread_by_hand_is_flipped(ada: Phone, arrives: Callable[..., int]) -> None:
    """Only up to the mark, and counted (API-40); explicit marks beat the watermark (API-36)."""
    arrives(-30, "old")
    arrives(-10, "new")
    ada.post("/rss_mark_all_read")
    for item in ada.pages():
        ada.post("/rss_set_item_state", items=[keys(item, is_read=False)])
    kept = _unread(ada)
    marked = ada.post("/rss_mark_all_read", watermark="2026-11-30T11:40:00Z")

    assert ["new", "old"] == kept
    assert 1 == marked["flipped"]
    assert ["new"] == _unread(ada)


def test_marking_a_scope_leaves_the_rest(station: Station, ada: Phone) -> None:
    """A folder includes those inside it; unknown scopes are told (API-38)."""
    with station.database.writing() as connection:
        outer = add_folder(connection, ada.account_id, "Outer")
        inner = add_folder(connection, ada.account_id, "Inner", parent_id=outer)
        for name, folder in (("Top", None), ("Out", outer), ("In", inner)):
            feed_id = add_feed(connection, name)
            follow(connection, ada.account_id, feed_id, folder_id=folder)
            add_entry(connection, feed_id, at(-1), name)
    marked = ada.post("/rss_mark_all_read", folder_id=str(outer))

    assert 2 == marked["subscriptions"]
    assert ["Top"] == _unread(ada)
    path = "/rss_mark_all_read"
    assert (404, "unknown_folder") == ada.refused("POST", path, folder_id="77")
    assert (404, "unknown_subscription") == ada.refused("POST", path, subscription_id="77")


def test_what_is_not_followed_any_more_is_not_marked(station: Station, ada: Phone) -> None:
    """A mark that was queued before counts only what is there when it comes (API-42)."""
    with station.database.writing() as connection:
        ends, stays = (add_feed(connection, name) for name in ("Ends", "Stays"))
        gone = follow(connection, ada.account_id, ends)
        follow(connection, ada.account_id, stays)
    ada.post("/rss_unsubscribe", subscription_id=str(gone))

    assert 1 == ada.post("/rss_mark_all_read")["subscriptions"]


# -- pictures -------------------------------------------------------------------------------------


def test_pictures_come_from_their_publisher_or_through_us(
    ada: Phone, arrives: Callable[..., int]
) -> None:
    """By the account's preference, in every form in which items are given out."""
    url = "https://harbour.example/ferry.png"
    arrives(0, "The ferry", content=f'<p><img src="{url}" alt="A ship"></p>')
    (item,) = ada.get("/rss_list_items")["items"]
    assert f'src="{url}"' in item["content_html"]

    ada.put("/set_preferences", app={"rss_picture_proxy": "on"})
    which = item["subscription_id"]
    shown = [
        *ada.get("/rss_list_items")["items"],
        *ada.get("/rss_list_items", subscription_id=which, since="")["items"],
        ada.get("/rss_get_item", feed_id=item["feed_id"], sort_key=item["sort_key"])["item"],
    ]

    through = f'<p><img src="{PICTURES.of(url)}" alt="A ship"></p>'
    assert [through] * 3 == [each["content_html"] for each in shown]


# -- articles -------------------------------------------------------------------------------------


def test_items_show_the_text_of_their_page_to_whoever_wants_it(
    station: Station, ada: Phone, bob: Phone, feed: int, arrives: Callable[..., int]
) -> None:
    """Where it was got; everybody else goes on reading what the feed says."""
    seq = arrives(0, "The ferry", content="<p>Short.</p>", link="https://harbour.example/ferry")
    with station.database.writing() as connection:
        follow(connection, bob.account_id, feed)
    (subscription,) = ada.get("/rss_list_subscriptions")["subscriptions"]
    assert subscription["full_content"] is False
    which = subscription["subscription_id"]
    ada.put("/rss_update_subscription", subscription_id=which, full_content=True)

    with station.database.writing() as connection:
        due = articles.next_due(connection, "harbour.example", now=station.now())
        assert due is not None
        assert (feed, seq) == (due.feed_id, due.seq)
        articles.settle(connection, due, SafeHtml("<p>All of it.</p>"))

    shown = [(i["content_html"], i["content_source"]) for i in ada.get("/rss_list_items")["items"]]
    assert [("<p>All of it.</p>", "page")] == shown
    shown = [(i["content_html"], i["content_source"]) for i in bob.get("/rss_list_items")["items"]]
    assert [("<p>Short.</p>", "feed")] == shown


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"filter": "starred"}, "filter is one of all, unread, favorite."),
        ({"order": "best"}, "order is one of newest, oldest."),
    ],
)
def test_a_word_that_is_none_of_them_hears_which_there_are(
    ada: Phone, asked: dict[str, str], said: str
) -> None:
    """Whoever guessed reads the list in the answer."""
    answer = ada.send("GET", "/rss_list_items", params=asked)

    assert said == answer.json()["Error"]
