"""Following, settings and folders over the API."""

from typing import Any

import pytest
from sqlalchemy import delete, update

from tests.api.apps import Phone, Station
from tests.rows import NOON, add_entry, add_feed, at, follow
from wireroom.fetching.outcome import (
    Failed,
    FailureKind,
    Fetched,
    Gone,
    Hops,
    Throttled,
    Validators,
)
from wireroom.store.schema import feeds, folders

URL = "https://harbour.example/feed.xml"

_SUBSCRIPTION = {
    "full_content",
    "subscription_id", "feed_id", "folder_id", "custom_title", "ordering_mode",
    "default_open_mode", "default_styling", "default_remote_content", "default_filter",
    "notifications_enabled", "tags", "credentials_scheme", "read_watermark", "data_store_uuid",
    "created_at", "feed",
}  # fmt: skip
_FEED = {
    "feed_id", "canonical_url", "feed_type", "title", "description", "site_url", "item_count",
    "last_fetched_at", "last_attempt_at", "last_status_code", "last_error",
    "consecutive_failure_count", "cadence_minutes", "next_fetch_at", "dead_lettered",
}  # fmt: skip
_HEALTH = (
    "last_attempt_at", "last_fetched_at", "last_status_code", "last_error",
    "consecutive_failure_count", "cadence_minutes", "next_fetch_at", "dead_lettered",
)  # fmt: skip
_FOLDER = {
    "folder_id", "parent_folder_id", "name", "display_order", "default_filter", "ordering_mode",
}  # fmt: skip


def test_a_new_feed_is_asked_once_and_followed(station: Station, ada: Phone) -> None:
    """The answer holds every field of the contract, and the feed's first reading (API-04, -16)."""
    station.outside.serves(URL)
    made = ada.post("/rss_subscribe", url=URL)
    subscription = made["subscription"]

    assert made["existing"] is False
    assert _SUBSCRIPTION == set(subscription)
    assert _FEED == set(subscription["feed"])
    assert ("", "unread", "newest_first", False) == (
        subscription["folder_id"],
        subscription["default_filter"],
        subscription["ordering_mode"],
        subscription["notifications_enabled"],
    )
    feed = subscription["feed"]
    assert (URL, "rss", "Harbour Courier", 1, False) == (
        feed["canonical_url"],
        feed["feed_type"],
        feed["title"],
        feed["item_count"],
        feed["dead_lettered"],
    )
    assert "2026-11-30T12:00:00.000Z" == feed["last_fetched_at"]
    assert [URL] == station.outside.asked


def test_a_feed_in_trouble_says_so(station: Station, ada: Phone) -> None:
    """Health is told by its fields and by nothing else (FAIL-26, C10): the last try and the last
    success, the status, what went wrong, how often in a row, how often it is asked, when next, and
    whether not any more."""
    station.outside.serves(URL)
    ada.post("/rss_subscribe", url=URL)
    ails = {
        "last_attempt_at": at(10),
        "last_success_at": at(-60),
        "last_status": 500,
        "last_error": "The server answered 500.",
        "failure_count": 3,
        "next_poll_at": at(100),
    }

    def health(**values: object) -> dict[str, object]:
        with station.database.writing() as connection:
            connection.execute(update(feeds).values(ails | values))
        (subscription,) = ada.get("/rss_list_subscriptions")["subscriptions"]
        return {name: subscription["feed"][name] for name in _HEALTH}

    assert {
        "last_attempt_at": "2026-11-30T12:10:00.000Z",
        "last_fetched_at": "2026-11-30T11:00:00.000Z",
        "last_status_code": 500,
        "last_error": "The server answered 500.",
        "consecutive_failure_count": 3,
        "cadence_minutes": 90,
        "next_fetch_at": "2026-11-30T13:40:00.000Z",
        "dead_lettered": False,
    } == health()
    gone = health(disabled_at=NOON, disabled_reason="gone", next_poll_at=None)
    assert (True, "", 0) == tuple(
        gone[name] for name in ("dead_lettered", "next_fetch_at", "cadence_minutes")
    )


def test_following_twice_is_following_once(station: Station, ada: Phone) -> None:
    """The second call answers with the first subscription and asks nobody (API-12, API-15)."""
    station.outside.serves(URL)
    first = ada.post("/rss_subscribe", url=URL)
    again = ada.post("/rss_subscribe", url="HTTPS://Harbour.example:443/feed.xml#top")

    assert again["existing"] is True
    assert first["subscription"] == again["subscription"]
    assert [URL] == station.outside.asked


def test_a_known_feed_is_shared(station: Station, ada: Phone, bob: Phone) -> None:
    """Another account's feed is followed without a request; the subscription is its own."""
    station.outside.serves(URL)
    hers = ada.post("/rss_subscribe", url=URL)["subscription"]
    his = bob.post("/rss_subscribe", url=URL)["subscription"]

    assert hers["feed_id"] == his["feed_id"]
    assert hers["subscription_id"] != his["subscription_id"]
    assert hers["data_store_uuid"] != his["data_store_uuid"]
    assert 1 == len(station.outside.asked)


def _failed(kind: FailureKind, status: int | None = None) -> Failed:
    return Failed(Hops(URL), kind, "It did not work.", status)


_PAGE = Fetched(Hops(URL), 200, b"<html><p>Hello</p></html>", "text/html", Validators())


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        pytest.param(_failed("status", 401), "needs_credentials", id="401"),
        pytest.param(_failed("status", 403), "needs_credentials", id="403"),
        pytest.param(_failed("status", 404), "feed_gone", id="404"),
        pytest.param(Gone(Hops(URL)), "feed_gone", id="410"),
        pytest.param(_failed("status", 500), "publisher_error", id="500"),
        pytest.param(Throttled(Hops(URL), 429), "publisher_error", id="429"),
        pytest.param(_failed("timeout"), "unreachable", id="timeout"),
        pytest.param(_failed("refused_address"), "invalid_url", id="private-address"),
        pytest.param(_PAGE, "not_a_feed", id="page"),
    ],
)
def test_why_an_address_is_no_feed(
    station: Station, ada: Phone, outcome: Failed | Gone | Throttled | Fetched, code: str
) -> None:
    """Each way to fail has its code (API-13), and nothing is followed."""
    station.outside.answers[URL] = outcome

    assert (400, code) == ada.refused("POST", "/rss_subscribe", url=URL)
    assert [] == ada.get("/rss_list_subscriptions")["subscriptions"]


@pytest.mark.parametrize("kind", ["tls", "connect", "dns", "timeout"])
def test_http_that_was_typed_and_has_no_https(
    station: Station, ada: Phone, kind: FailureKind
) -> None:
    """Only whoever typed http is told that there is no https (API-14)."""
    station.outside.answers["http://harbour.example/feed.xml"] = _failed(kind)
    station.outside.answers[URL] = _failed(kind)

    assert (400, "not_https") == ada.refused(
        "POST", "/rss_subscribe", url="http://harbour.example/feed.xml"
    )
    assert (400, "unreachable") == ada.refused("POST", "/rss_subscribe", url=URL)


@pytest.mark.parametrize("url", ["", "ftp://x.example/", "https://"])
def test_what_is_no_address(station: Station, ada: Phone, url: str) -> None:
    """It is refused before anybody is asked."""
    assert (400, "invalid_url") == ada.refused("POST", "/rss_subscribe", url=url)
    assert [] == station.outside.asked


@pytest.mark.parametrize("folder_id", ["99", "x", "-1", "9" * 40])
def test_an_unknown_folder_is_told_before_anybody_is_asked(
    station: Station, ada: Phone, folder_id: str
) -> None:
    """Whether or not it looks like one of our ids."""
    station.outside.serves(URL)

    assert (404, "unknown_folder") == ada.refused(
        "POST", "/rss_subscribe", url=URL, folder_id=folder_id
    )
    assert [] == station.outside.asked


def test_a_folder_that_goes_while_the_feed_is_asked(station: Station, ada: Phone) -> None:
    """It is not there any more, and nothing is followed."""
    station.outside.serves(URL)
    folder = ada.post("/rss_new_folder", name="News")["folder"]["folder_id"]
    answer = station.outside.get

    async def dissolving(*args: Any, **options: Any) -> Any:
        with station.database.writing() as connection:
            connection.execute(delete(folders))
        return await answer(*args, **options)

    station.outside.get = dissolving  # type: ignore[method-assign]

    assert (404, "unknown_folder") == ada.refused(
        "POST", "/rss_subscribe", url=URL, folder_id=folder
    )
    assert [] == ada.get("/rss_list_subscriptions")["subscriptions"]


def test_a_subscription_may_begin_in_a_folder(station: Station, ada: Phone) -> None:
    """`folder_id` places it; null and "" mean the top."""
    station.outside.serves(URL)
    folder = ada.post("/rss_new_folder", name="News")["folder"]
    made = ada.post("/rss_subscribe", url=URL, folder_id=folder["folder_id"])

    assert folder["folder_id"] == made["subscription"]["folder_id"]


def test_the_last_follower_takes_the_feed_along(station: Station, ada: Phone, bob: Phone) -> None:
    """`feed_purged` says whether the items are gone; a repeat finds nothing (API-17, API-18)."""
    station.outside.serves(URL)
    hers = ada.post("/rss_subscribe", url=URL)["subscription"]
    his = bob.post("/rss_subscribe", url=URL)["subscription"]
    first = ada.post("/rss_unsubscribe", subscription_id=hers["subscription_id"])
    last = bob.post("/rss_unsubscribe", subscription_id=his["subscription_id"])

    assert {
        "subscription_id": hers["subscription_id"],
        "feed_id": hers["feed_id"],
        "feed_purged": False,
    } == first
    assert last["feed_purged"] is True
    assert (404, "unknown_subscription") == ada.refused(
        "POST", "/rss_unsubscribe", subscription_id=hers["subscription_id"]
    )


def test_following_again_starts_afresh(station: Station, ada: Phone) -> None:
    """States do not come back with the feed, and old cursors are none any more."""
    station.outside.serves(URL)
    first = ada.post("/rss_subscribe", url=URL)["subscription"]
    item = ada.pages()[0]
    ada.post(
        "/rss_set_item_state",
        items=[{"feed_id": item["feed_id"], "sort_key": item["sort_key"], "is_read": True}],
    )
    ada.post("/rss_unsubscribe", subscription_id=first["subscription_id"])
    again = ada.post("/rss_subscribe", url=URL)["subscription"]

    assert first["feed_id"] != again["feed_id"]
    assert first["data_store_uuid"] != again["data_store_uuid"]
    assert [False] == [each["is_read"] for each in ada.pages()]
    assert (400, "invalid_cursor") == ada.refused(
        "GET",
        "/rss_list_items",
        subscription_id=again["subscription_id"],
        since=item["fetched_key"],
    )


# -- settings -------------------------------------------------------------------------------------


@pytest.fixture
def followed(station: Station, ada: Phone) -> str:
    """Ada's subscription to a feed with one entry."""
    with station.database.writing() as connection:
        feed_id = add_feed(connection)
        add_entry(connection, feed_id, at(-5))
        return str(follow(connection, ada.account_id, feed_id))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ordering_mode", "oldest_day_newest_within"),
        ("default_open_mode", "article"),
        ("default_styling", "native"),
        ("default_remote_content", "hide"),
        ("default_filter", "favorite"),
        ("notifications_enabled", True),
        ("custom_title", "Ships"),
    ],
)
def test_each_setting_is_kept(ada: Phone, followed: str, field: str, value: object) -> None:
    """It is answered, listed, and leaves the others as they were (API-19)."""
    before = ada.get("/rss_list_subscriptions")["subscriptions"][0]
    answered = ada.put(
        "/rss_update_subscription", subscription_id=followed, **{field: value}, unheard_of=1
    )

    assert {**before, field: value} == answered["subscription"]
    assert [answered["subscription"]] == ada.get("/rss_list_subscriptions")["subscriptions"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, (400, "nothing_to_update")),
        ({"colour": "red"}, (400, "nothing_to_update")),
        ({"ordering_mode": "upwards"}, (400, "invalid_ordering_mode")),
        ({"default_open_mode": None}, (400, "invalid_default_open_mode")),
        ({"default_styling": 1}, (400, "invalid_default_styling")),
        ({"default_remote_content": ""}, (400, "invalid_default_remote_content")),
        ({"default_filter": "starred"}, (400, "invalid_default_filter")),
        ({"notifications_enabled": "yes"}, (400, "invalid_notifications_enabled")),
        ({"custom_title": 7}, (400, "invalid_title")),
        ({"custom_title": "a\x00b"}, (400, "invalid_title")),
        ({"folder_id": "77"}, (404, "unknown_folder")),
        ({"folder_id": 77}, (400, "invalid_folder_id")),
    ],
    ids=str,
)
def test_settings_that_are_refused(
    ada: Phone, followed: str, fields: dict[str, object], problem: tuple[int, str]
) -> None:
    """Each with its own code, and nothing of the call is kept."""
    before = ada.get("/rss_list_subscriptions")

    assert problem == ada.refused(
        "PUT", "/rss_update_subscription", subscription_id=followed, **fields
    )
    assert before == ada.get("/rss_list_subscriptions")


def test_titles_are_cut_and_cleared(ada: Phone, followed: str) -> None:
    """At 256 characters; the empty title gives the feed's own back (API-21)."""
    path = "/rss_update_subscription"
    long = ada.put(path, subscription_id=followed, custom_title="x" * 300)
    cleared = ada.put(path, subscription_id=followed, custom_title="")

    assert 256 == len(long["subscription"]["custom_title"])
    assert "" == cleared["subscription"]["custom_title"]


def test_a_vanished_subscription_is_not_made_again(ada: Phone, followed: str) -> None:
    """An update after the end is answered 404 (API-20)."""
    ada.post("/rss_unsubscribe", subscription_id=followed)

    assert (404, "unknown_subscription") == ada.refused(
        "PUT", "/rss_update_subscription", subscription_id=followed, custom_title="Back"
    )
    assert [] == ada.get("/rss_list_subscriptions")["subscriptions"]


def test_moving_into_a_folder_and_to_the_top(ada: Phone, followed: str) -> None:
    """The top is the empty string on the wire (API-11)."""
    folder = ada.post("/rss_new_folder", name="News")["folder"]["folder_id"]
    path = "/rss_update_subscription"
    inside = ada.put(path, subscription_id=followed, folder_id=folder)
    outside = ada.put(path, subscription_id=followed, folder_id="")

    assert (folder, "") == (
        inside["subscription"]["folder_id"],
        outside["subscription"]["folder_id"],
    )


# -- folders --------------------------------------------------------------------------------------


def test_folders_are_listed_in_their_order(ada: Phone) -> None:
    """By parent, display_order and name (API-22), with all fields (API-06)."""
    for name, order in (("Zebra", 1), ("apple", 1), ("Last", 2), ("First", 0)):
        ada.post("/rss_new_folder", name=name, display_order=order)
    parent = ada.get("/rss_list_subscriptions")["folders"][0]["folder_id"]
    ada.post("/rss_new_folder", name="Inside", parent_folder_id=parent)
    folders = ada.get("/rss_list_subscriptions")["folders"]

    assert ["First", "apple", "Zebra", "Last", "Inside"] == [each["name"] for each in folders]
    assert _FOLDER == set(folders[0])
    assert ("unread", "newest_first", "", parent) == (
        folders[0]["default_filter"],
        folders[0]["ordering_mode"],
        folders[0]["parent_folder_id"],
        folders[-1]["parent_folder_id"],
    )


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, (400, "invalid_name")),
        ({"name": "  "}, (400, "invalid_name")),
        ({"name": "x" * 257}, (400, "invalid_name")),
        ({"name": "a\nb"}, (400, "invalid_name")),
        ({"name": 5}, (400, "invalid_name")),
        ({"name": "a", "display_order": "1"}, (400, "invalid_display_order")),
        ({"name": "a", "display_order": 1.5}, (400, "invalid_display_order")),
        ({"name": "a", "display_order": 2**31}, (400, "invalid_display_order")),
        ({"name": "a", "parent_folder_id": "9"}, (404, "unknown_folder")),
    ],
    ids=str,
)
def test_folders_that_are_refused(
    ada: Phone, fields: dict[str, object], problem: tuple[int, str]
) -> None:
    """Each with its own code (API-23)."""
    assert problem == ada.refused("POST", "/rss_new_folder", **fields)


def test_folders_change(ada: Phone) -> None:
    """Name, parent, order and both settings; `parent_folder_id` "" is the top (API-24)."""
    outer, inner = (
        ada.post("/rss_new_folder", name=name)["folder"]["folder_id"] for name in ("Out", "In")
    )
    changed = ada.put(
        "/rss_update_folder",
        folder_id=inner,
        name="Inner",
        parent_folder_id=outer,
        display_order=-3,
        default_filter="all",
        ordering_mode="oldest_first",
    )["folder"]
    back = ada.put("/rss_update_folder", folder_id=inner, parent_folder_id="")["folder"]

    assert {
        "folder_id": inner,
        "parent_folder_id": outer,
        "name": "Inner",
        "display_order": -3,
        "default_filter": "all",
        "ordering_mode": "oldest_first",
    } == changed
    assert {**changed, "parent_folder_id": ""} == back
    assert (400, "nothing_to_update") == ada.refused("PUT", "/rss_update_folder", folder_id=inner)


def test_a_circle_of_folders_is_refused_whole(ada: Phone) -> None:
    """The name in the same call is not changed either."""
    outer = ada.post("/rss_new_folder", name="Outer")["folder"]["folder_id"]
    inner = ada.post("/rss_new_folder", name="Inner", parent_folder_id=outer)["folder"]
    problem = ada.refused(
        "PUT",
        "/rss_update_folder",
        folder_id=outer,
        name="Other",
        parent_folder_id=inner["folder_id"],
    )

    assert (400, "cyclic_folder") == problem
    assert "Outer" == ada.get("/rss_list_subscriptions")["folders"][0]["name"]


def test_a_dissolved_folder_leaves_everything_to_its_parent(ada: Phone, followed: str) -> None:
    """And says how much that was (API-25)."""
    outer = ada.post("/rss_new_folder", name="Outer")["folder"]["folder_id"]
    middle, inner = (
        ada.post("/rss_new_folder", name=name, parent_folder_id=outer)["folder"]["folder_id"]
        for name in ("Middle", "Inner")
    )
    ada.put("/rss_update_folder", folder_id=inner, parent_folder_id=middle)
    ada.put("/rss_update_subscription", subscription_id=followed, folder_id=middle)
    dissolved = ada.post("/rss_delete_folder", folder_id=middle)

    assert {
        "folder_id": middle,
        "moved_subscriptions": 1,
        "moved_folders": 1,
        "parent_folder_id": outer,
    } == dissolved
    assert (404, "unknown_folder") == ada.refused("POST", "/rss_delete_folder", folder_id=middle)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "ordering_mode",
            (
                "newest_first",
                "oldest_first",
                "newest_day_oldest_within",
                "oldest_day_newest_within",
            ),
        ),
        ("default_open_mode", ("summary", "article")),
        ("default_styling", ("reader", "native")),
        ("default_remote_content", ("inherit", "show", "hide")),
        ("default_filter", ("unread", "all", "favorite")),
    ],
)
def test_every_word_of_a_setting_is_kept(
    station: Station, ada: Phone, name: str, values: tuple[str, ...]
) -> None:
    """All that the contract lists (API-09, API-10); the first holds until another is chosen."""
    with station.database.writing() as connection:
        which = str(follow(connection, ada.account_id, add_feed(connection)))
    (fresh,) = ada.get("/rss_list_subscriptions")["subscriptions"]
    kept = [
        ada.put("/rss_update_subscription", subscription_id=which, **{name: value})
        for value in values
    ]

    assert values[0] == fresh[name]
    assert list(values) == [each["subscription"][name] for each in kept]
