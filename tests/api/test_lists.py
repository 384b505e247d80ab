"""OPML in and out, and the preferences that apps share."""

import pytest
from sqlalchemy import select, update

from tests.api.apps import Phone, Station
from tests.rows import NOON, add_feed, follow
from wireroom.store.schema import feeds

LIST = """<?xml version="1.0" encoding="iso-8859-1"?><opml version="1.0"><body>
<outline text="News"><outline text="Über den Fluß" xmlurl="https://fluss.example/feed"/>
<outline text="Close"><outline text="Harbour" XMLURL="http://www.harbour.example/feed"/></outline></outline>
<outline text="Top" xmlUrl="https://top.example/feed"/>
<outline text="Again" xmlUrl="https://top.example/feed"/>
<outline text="Files" xmlUrl="file:///etc/passwd"/>
<outline text="Elsewhere" type="link" url="https://x.example/list.opml"/>
</body></opml>"""


def tree(phone: Phone) -> set[tuple[str, str, str]]:
    """(path of folders, address, title) of everything that is followed."""
    listed = phone.get("/rss_list_subscriptions")
    folders = {each["folder_id"]: each for each in listed["folders"]}

    def path(folder_id: str) -> str:
        if not folder_id:
            return ""
        folder = folders[folder_id]
        return f"{path(folder['parent_folder_id'])}/{folder['name']}"

    return {
        (
            path(each["folder_id"]),
            each["feed"]["canonical_url"],
            each["custom_title"] or each["feed"]["title"],
        )
        for each in listed["subscriptions"]
    }


def test_a_list_is_taken_in(station: Station, ada: Phone) -> None:
    """Folders, titles, refusals and what was skipped (OPML-01, OPML-03, OPML-07); nobody is asked,
    all are due with the outline's title, and what fails then is told as health (OPML-04)."""
    rings = station.bell.rings
    came = ada.post("/rss_opml_import", opml=LIST)

    assert {"created": 3, "existing": 0, "folders_created": 2} == {
        name: came[name] for name in ("created", "existing", "folders_created")
    }
    assert [("file:///etc/passwd", "invalid_url")] == [
        (each["url"], each["code"]) for each in came["failed"]
    ]
    assert all(each["Error"] for each in came["failed"])
    assert ["Elsewhere"] == [each["name"] for each in came["skipped"]]
    assert {
        ("/News", "https://fluss.example/feed", "Über den Fluß"),
        ("/News/Close", "http://www.harbour.example/feed", "Harbour"),
        ("", "https://top.example/feed", "Top"),
    } == tree(ada)
    assert [] == station.outside.asked
    with station.database.writing() as connection:
        assert [NOON] * 3 == list(connection.scalars(select(feeds.c.next_poll_at)))
        connection.execute(update(feeds).values(failure_count=5, last_error="No feed."))
    shelf = ada.get("/rss_list_subscriptions")["subscriptions"]
    assert ["No feed."] * 3 == [each["feed"]["last_error"] for each in shelf]
    assert rings < station.bell.rings


def test_a_second_time_changes_nothing(ada: Phone) -> None:
    """Everything exists, folders included (OPML-02)."""
    ada.post("/rss_opml_import", opml=LIST)
    before = tree(ada)
    again = ada.post("/rss_opml_import", opml=LIST)

    assert (0, 3, 0) == (again["created"], again["existing"], again["folders_created"])
    assert before == tree(ada)


def test_a_list_goes_into_a_folder(ada: Phone) -> None:
    """Its folders are looked for and made below it (OPML-03)."""
    root = ada.post("/rss_new_folder", name="Imported")["folder"]["folder_id"]
    ada.post("/rss_new_folder", name="News", parent_folder_id=root)
    came = ada.post("/rss_opml_import", opml=LIST, folder_id=root)

    assert 1 == came["folders_created"]
    assert {"/Imported", "/Imported/News", "/Imported/News/Close"} == {
        folder for folder, _, _ in tree(ada)
    }


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, (400, "invalid_opml")),
        ({"opml": ""}, (400, "invalid_opml")),
        ({"opml": 5}, (400, "invalid_opml")),
        ({"opml": "<html>no</html>"}, (400, "invalid_opml")),
        (
            {"opml": '<!DOCTYPE o [<!ENTITY a "b">]><opml><body/></opml>'},
            (400, "invalid_opml"),
        ),
        ({"opml": "<opml><body/></opml>", "folder_id": "77"}, (404, "unknown_folder")),
        ({"opml": "<opml>" + " " * 2_100_000 + "</opml>"}, (400, "invalid_opml")),
        ({"opml": " " * 6_000_000}, (413, "too_large")),
        (
            {
                "opml": "<opml><body>"
                + "".join(f'<outline xmlUrl="https://a.example/{n}"/>' for n in range(1001))
                + "</body></opml>"
            },
            (400, "invalid_opml"),
        ),
    ],
    ids=["absent", "empty", "number", "html", "entities", "folder", "2MB", "6MB", "1001"],
)
def test_lists_that_are_refused(
    ada: Phone, fields: dict[str, object], problem: tuple[int, str]
) -> None:
    """Before anything of them is followed (OPML-05, OPML-06, OPML-08)."""
    assert problem == ada.refused("POST", "/rss_opml_import", **fields)
    assert set() == tree(ada)


def test_a_round_trip_gives_the_same_tree(station: Station, ada: Phone, bob: Phone) -> None:
    """Out of one account and into an empty one, own titles and the top too (OPML-09, OPML-11,
    OPML-12)."""
    ada.post("/rss_opml_import", opml=LIST)
    with station.database.writing() as connection:
        own = add_feed(connection, "Its own title", url="https://own.example/feed")
        follow(connection, ada.account_id, own, custom_title='Mine & "hers" <b>')
    exported = ada.get("/rss_opml_export")
    bob.post("/rss_opml_import", opml=exported["opml"])

    assert "wireroom-feeds-20261130.opml" == exported["filename"]
    assert 'text="Mine &amp; &quot;hers&quot; &lt;b&gt;"' in exported["opml"]
    assert tree(ada) == tree(bob)


def test_folders_come_back_without_any_feed(ada: Phone, bob: Phone) -> None:
    """An account of nothing but empty folders is a tree, too (OPML-12)."""
    outer = ada.post("/rss_new_folder", name="Later")["folder"]["folder_id"]
    ada.post("/rss_new_folder", name="Harbour", parent_folder_id=outer)
    came = bob.post("/rss_opml_import", opml=ada.get("/rss_opml_export")["opml"])

    assert 2 == came["folders_created"]
    folders = bob.get("/rss_list_subscriptions")["folders"]
    assert {"Later": False, "Harbour": True} == {
        each["name"]: bool(each["parent_folder_id"]) for each in folders
    }


def test_brothers_of_one_name_come_back_as_two(ada: Phone, bob: Phone) -> None:
    """Each with what it holds, and no third one at a second time (OPML-02, OPML-03, OPML-12)."""
    brothers = "".join(
        f'<outline text="News"><outline xmlUrl="https://{name}.example/feed"/></outline>'
        for name in ("one", "two")
    )
    came = ada.post("/rss_opml_import", opml=f"<opml><body>{brothers}</body></opml>")
    exported = ada.get("/rss_opml_export")["opml"]
    again = ada.post("/rss_opml_import", opml=exported)
    bob.post("/rss_opml_import", opml=exported)

    assert (2, 0) == (came["folders_created"], again["folders_created"])
    for phone in (ada, bob):
        shelf = phone.get("/rss_list_subscriptions")
        assert ["News", "News"] == [each["name"] for each in shelf["folders"]]
        assert 2 == len({each["folder_id"] for each in shelf["subscriptions"]})
    assert exported == bob.get("/rss_opml_export")["opml"]


def test_the_order_of_folders_comes_back(ada: Phone, bob: Phone) -> None:
    """What an account arranged stands so in the next; a list of somebody else has no such order,
    and folders that were there keep theirs (OPML-02, OPML-12)."""
    for name, order in (("a", 2), ("b", -1)):
        ada.post("/rss_new_folder", name=name, display_order=order)
    bob.post("/rss_new_folder", name="b", display_order=9)
    exported = ada.get("/rss_opml_export")["opml"]
    bob.post("/rss_opml_import", opml=exported)
    bob.post("/rss_opml_import", opml=exported.replace('"2"', '"2 of 3"').replace('"a"', '"c"'))

    folders = bob.get("/rss_list_subscriptions")["folders"]
    assert {"a": 2, "b": 9, "c": 0} == {each["name"]: each["display_order"] for each in folders}


@pytest.mark.parametrize(
    "name", ["a  b", "\u202edlrow", "x" * 256, "A & B / <C>", "zero\u200bwide"]
)
def test_names_come_back_as_they_are_kept(ada: Phone, name: str) -> None:
    """Folders and own titles that the API takes are those of its own lists (OPML-02, OPML-12)."""
    ada.post("/rss_opml_import", opml=LIST)
    folder = ada.post("/rss_new_folder", name=name)["folder"]
    (first, *_) = ada.get("/rss_list_subscriptions")["subscriptions"]
    which = first["subscription_id"]
    ada.put("/rss_update_subscription", subscription_id=which, custom_title=name)
    again = ada.post("/rss_opml_import", opml=ada.get("/rss_opml_export")["opml"])

    assert {"created": 0, "existing": 3, "folders_created": 0} == {
        what: again[what] for what in ("created", "existing", "folders_created")
    }
    assert not {"\u202e", "\u200b"} & set(folder["name"])


def test_a_feed_of_ones_own_is_known_in_a_list(station: Station, ada: Phone, bob: Phone) -> None:
    """What credentials open is followed already, and others get a feed that is open (OPML-02)."""
    with station.database.writing() as connection:
        own = add_feed(
            connection, "Own", url="https://own.example/feed", owner_account_id=ada.account_id
        )
        follow(connection, ada.account_id, own)
    exported = ada.get("/rss_opml_export")["opml"]
    hers = ada.post("/rss_opml_import", opml=exported)
    his = bob.post("/rss_opml_import", opml=exported)

    assert (0, 1) == (hers["created"], hers["existing"])
    assert (1, 0) == (his["created"], his["existing"])


def test_export_follows_the_shelf(ada: Phone) -> None:
    """Folders by display_order, then name; the file is called for its day (OPML-10)."""
    for name, order in (("b", 1), ("a", 1), ("z", 0)):
        ada.post("/rss_new_folder", name=name, display_order=order)
    exported = ada.get("/rss_opml_export")
    places = [exported["opml"].index(f'text="{name}"') for name in "zab"]

    assert sorted(places) == places
    assert "wireroom-feeds-20261130.opml" == exported["filename"]


# -- preferences ----------------------------------------------------------------------------------


def test_preferences_merge_by_name(ada: Phone, bob: Phone) -> None:
    """A device that knows fewer names takes nothing from the others (API-45)."""
    ada.put("/set_preferences", app={"filter:feeds:all": "unread", "rss_swipe_leading": "none"})
    ada.put("/set_preferences", app={"order:feeds:all": "oldest_first"})

    assert {
        "filter:feeds:all": "unread",
        "order:feeds:all": "oldest_first",
        "rss_swipe_leading": "none",
    } == ada.get("/get_preferences")["app"]
    assert {} == bob.get("/get_preferences")["app"]


@pytest.mark.parametrize(
    "app",
    [
        None,
        {"filter:feeds:all": "starred"},
        {"order:feeds:all": "up"},
        {"rss_mark_as_read": "never"},
        {"": "x"},
        {"x" * 601: "x"},
        {"x": "y" * 4001},
        {"x": "a\x00"},
        {"x": 1},
        {str(n): "x" for n in range(501)},
    ],
    ids=lambda app: str(app)[:40],
)
def test_preferences_that_are_refused(ada: Phone, app: object) -> None:
    """Unknown words of known names, and what is too much."""
    assert (400, "invalid_app") == ada.refused("PUT", "/set_preferences", app=app)
    assert {} == ada.get("/get_preferences")["app"]
