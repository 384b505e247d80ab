"""What a second document changes: one row of the field lessons after the other."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.feeds.publishing import START, Reader, at, item, numbered, raw
from wireroom.feeds.model import Item, SafeHtml

# --- the first reading


def test_first_reading_is_the_baseline() -> None:
    """500 items at the first reading are stored and nobody is told (B14, IDN-18)."""
    reader = Reader()

    assert [] == reader.read(*numbered(500))
    assert 500 == len(reader.entries)
    assert reader.changes is not None
    assert reader.changes.baseline


def test_new_items_come_oldest_first() -> None:
    """Items above those already seen are news, delivered oldest first."""
    reader = Reader()
    reader.read(*numbered(5))

    assert ["Title of n5", "Title of n6"] == reader.read(*numbered(7))
    assert [] == reader.read(*numbered(7))


# --- B1: edits


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({"title": "A better title"}, id="title"),
        pytest.param({"content": SafeHtml("<p>Another text altogether</p>")}, id="text"),
        pytest.param({"published": at(-1)}, id="date"),
        pytest.param({"link": "https://example.org/other"}, id="link"),
        pytest.param({"guid": "tag:other"}, id="guid"),
        pytest.param({"guid": None}, id="guid gone"),
        pytest.param({"guid": "http://example.org/foo-bar", "title": "Foo, bar"}, id="guid+title"),
        pytest.param(
            {
                "guid": "https://example.org/foo-bar",
                "link": "https://example.org/foo-bar",
                "title": "Foo, bar",
            },
            id="guid+link+title",
        ),
        pytest.param({"guid": "x", "link": "https://other.example/1"}, id="guid+link"),
        pytest.param({"guid": "x", "published": at(-3)}, id="guid+date"),
        pytest.param({"guid": "x", "content": SafeHtml("New words")}, id="guid+text"),
        pytest.param(
            {"title": "T", "content": SafeHtml("New words"), "published": at(-2)},
            id="title+text+date",
        ),
    ],
)
def test_edited_item_is_not_news(edit: dict[str, object]) -> None:
    """However an item is edited, it is told once and stored once (B1, B7, wish 4)."""
    story = item("foo", guid="https://example.org/foo", published=at(-11.3))
    reader = Reader()
    reader.read(story, *numbered(3))
    edited = raw(replace(story, **edit))  # type: ignore[arg-type]

    assert [] == reader.read(edited, *numbered(3))
    assert [] == reader.read(edited, *numbered(4))[:-1]
    assert 5 == len(reader.entries)


_TALE = " ".join(f"word{n}" for n in range(60))


def by_day(name: str, text: str) -> Item:
    """An item of a site that puts the title into guid and link, and dates by day."""
    address = f"https://example.org/{name}"
    return item(name, guid=address, link=address, text=text, published=_MIDNIGHT)


_MIDNIGHT = START.replace(hour=0, minute=0, second=0)


def test_renamed_item_of_a_site_that_dates_by_day_is_not_news() -> None:
    """Guid, link and title change together; the text in place of the old one is left (B1)."""
    others = [by_day(f"n{n}", f"Words of {n}") for n in range(3)]
    reader = Reader()
    reader.read(by_day("foo", f"<p>{_TALE}</p>"), *others)

    assert [] == reader.read(by_day("foo-bar", f"<p>{_TALE}</p>"), *others)
    assert 4 == len(reader.entries)


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        pytest.param(_TALE, f"{_TALE}, and then it ends {_TALE[::-1]}", False, id="one end"),
        pytest.param("Read all of it here", "Read all of it here", False, id="short"),
        pytest.param(_TALE, _TALE, True, id="both listed"),
    ],
)
def test_what_a_site_writes_under_all_stories_makes_none_another_one(
    before: str, after: str, stays: bool
) -> None:
    """Two stories of one day may begin or end alike, say little, or stand beside each other."""
    old = by_day("foo", before)
    others = [by_day(f"n{n}", f"Words of {n}") for n in range(3)]
    reader = Reader()
    reader.read(old, *others)

    assert ["Title of bar"] == reader.read(
        by_day("bar", after), *([old] if stays else []), *others
    )


def test_edited_item_updates_its_row() -> None:
    """An edit changes the stored entry (IDN-12); a bumped date alone changes nothing (B7)."""
    story = item("foo", published=at(-11))
    reader = Reader()
    reader.read(story)
    reader.read(raw(replace(story, published=at(5))))
    assert reader.changes is not None

    assert () == reader.changes.changed

    reader.read(raw(replace(story, title="Better", published=at(5))))

    assert ["Better"] == reader.titles()


# --- B2: moves


def _moved(kind: str) -> list[object]:
    """The ten items of a feed after its site moved."""
    moved = []
    for one in numbered(10):
        guid, link = one.link, one.link
        if kind == "scheme":
            guid, link = guid.replace("https:", "http:"), link.replace("https:", "http:")
        elif kind == "www":
            guid, link = guid.replace("//", "//www."), link.replace("//", "//www.") + "/"
        elif kind == "host":
            guid, link = (one.replace("example.org", "blog.example.net") for one in (guid, link))
        elif kind == "paths":
            guid, link = (
                guid.replace(".org/n", ".org/2026/x"),
                link.replace(".org/n", ".org/2026/x"),
            )
        moved.append(raw(replace(one, guid=guid, link=link)))
    return moved


@pytest.mark.parametrize("kind", ["scheme", "www", "host", "paths"])
def test_moved_site_is_not_news(kind: str) -> None:
    """A site that moves and so changes all its guids and links is not sent again (B2)."""
    reader = Reader()
    reader.read(*(raw(replace(one, guid=one.link)) for one in numbered(10)))

    assert [] == reader.read(*_moved(kind))  # type: ignore[arg-type]
    assert 10 == len(reader.entries)


def test_renumbered_site_with_new_dates_is_not_news() -> None:
    """A migration that changes guid, link and date of all items is recognised by titles (B2)."""
    reader = Reader()
    reader.read(*numbered(12))
    moved = [
        item(
            f"m{i}", title=one.title, text=f"<p>Rendered otherwise: {i}</p>", published=at(-9 + i)
        )
        for i, one in enumerate(reversed(numbered(12)), start=-20)
    ]

    assert [] == reader.read(*reversed(moved))
    assert 12 == len(reader.entries)


def test_what_a_renumbering_brings_up_is_held() -> None:
    """Old items that a renumbered feed lists for the first time are stored, not sent."""
    reader = Reader()
    reader.read(*numbered(10, first=10))
    moved = [
        raw(replace(one, guid=f"new:{i}", link="")) for i, one in enumerate(numbered(10, first=10))
    ]
    old = [item(f"old{i}", published=at(-9000 - i)) for i in range(5)]

    assert ["Fresh"] == reader.read(item("f", title="Fresh", published=at(15)), *moved, *old)
    assert reader.changes is not None
    assert 5 == reader.changes.held
    assert 16 == len(reader.entries)


def test_a_late_story_is_news_where_every_reading_is_renumbered() -> None:
    """A cache shows a story after the reading that it is dated before."""
    reader = Reader()
    reader.read(*numbered(10, first=10))
    moved = [
        raw(replace(one, guid=f"new:{i}", link="")) for i, one in enumerate(numbered(10, first=10))
    ]

    assert ["Late"] == reader.read(item("l", title="Late", published=at(-90)), *moved)


def test_a_late_story_that_is_dated_by_day_is_news_where_every_reading_is_renumbered() -> None:
    """Its date is the beginning of a day in which it came late, and that day may be over."""
    midnight = START.replace(hour=0, minute=0, second=0)
    items = [
        raw(replace(one, published=midnight - timedelta(days=i)))
        for i, one in enumerate(numbered(10, first=10))
    ]
    reader = Reader(clock=midnight)
    reader.read(*items, after=timedelta(minutes=20))
    moved = [raw(replace(one, guid=f"new:{i}", link="")) for i, one in enumerate(items)]
    late = item("l", title="Late", published=midnight - timedelta(days=1))

    assert ["Late"] == reader.read(late, *moved)


def test_busy_feed_that_turns_over_is_all_news() -> None:
    """A window that holds nothing but new items is news, all of it."""
    reader = Reader()
    reader.read(*numbered(20))

    assert 20 == len(reader.read(*numbered(20, first=20), after=timedelta(days=3)))


# --- B3 to B6: guids that are none


@pytest.mark.parametrize("guid", ["", "0", "same"])
@pytest.mark.parametrize("linked", [True, False])
def test_items_that_share_a_guid_are_told_apart(guid: str, linked: bool) -> None:
    """Ten items with one guid, or none, are ten stories, and the eleventh is news (B3, B4, B5)."""
    items = [raw(replace(one, guid=guid or None)) for one in numbered(12)]
    if not linked:
        items = [raw(replace(one, link="")) for one in items]
    reader = Reader()
    reader.read(*items[2:])

    assert 10 == len(reader.entries)
    assert ["Title of n10"] == reader.read(*items[1:-1])
    assert ["Title of n11"] == reader.read(*items[:-2])
    assert [] == reader.read(*items)


@pytest.mark.parametrize("day", [None, START.replace(hour=0, minute=0, second=0)])
def test_what_all_items_share_makes_none_another_one(day: datetime | None) -> None:
    """Where guid and link are the same for all, a new item is told although the one that was met
    with them leaves the document, whether nothing is dated or all only by day (B3, B5)."""
    items = [
        raw(replace(one, guid="0", link="https://example.org/", published=day))
        for one in reversed(numbered(12))
    ]
    reader = Reader()
    reader.read(*items[:4])
    for newest in range(5, 13):
        reader.read(*items[newest - 4 : newest])

    assert [f"Title of n{n}" for n in range(4, 12)] == reader.told


def test_guid_zero_is_a_guid() -> None:
    """ "0" identifies an item like any other guid (B5)."""
    reader = Reader()
    reader.read(item("a", guid="0"), item("b", guid="1"))

    assert [] == reader.read(item("c", guid="0", link=""), item("b", guid="1"))


def test_feed_that_is_briefly_broken_brings_nothing_back() -> None:
    """Good guids, then one guid for all, then good ones again: nothing is news (B6)."""
    good = numbered(10)
    broken = [raw(replace(one, guid="broken")) for one in good]
    reader = Reader()
    reader.read(*good)

    assert [] == reader.read(*broken)
    assert [] == reader.read(*good)
    assert 10 == len(reader.entries)
    assert "link" == reader.rule.basis
    assert ["Title of n10"] == reader.read(*numbered(11))


@pytest.mark.parametrize("home", ["https://example.org/", "https://example.org/changes"])
def test_one_link_for_all_items_swallows_nothing(home: str) -> None:
    """Where every item links to one page, guids tell the items apart."""
    items = [raw(replace(one, link=home)) for one in numbered(8)]
    reader = Reader()
    reader.read(*items[5:])

    assert ["Title of n3"] == reader.read(*items[4:-1])
    assert ["Title of n4", "Title of n5"] == reader.read(*items[2:5])
    assert ["Title of n6", "Title of n7"] == reader.read(*items[0:2])


def test_feed_of_one_item_delivers_each() -> None:
    """A news bulletin with one item at a time, one page and one title, is news each hour."""
    reader = Reader()

    def bulletin(hour: int) -> object:
        return item(
            guid=f"b{hour}",
            link="https://example.org/",
            title="The news",
            text="The latest in five minutes",
            audio=f"https://example.org/{hour}.mp3?token={hour}",
            published=at(60 * hour),
        )

    reader.read(bulletin(0))  # type: ignore[arg-type]
    told = [reader.read(bulletin(hour)) for hour in range(1, 5)]  # type: ignore[arg-type]

    assert [["The news"]] * 4 == told


def test_session_guids_are_seen_through() -> None:
    """Guids that change at every reading bring nothing back, and lose their trust."""
    reader = Reader()
    reader.read(*numbered(6))
    for session in range(6):
        changed = [raw(replace(one, guid=f"{one.guid}?s={session}")) for one in numbered(6)]
        assert [] == reader.read(*changed)
    keys = len(reader.keys)
    reader.read(*(raw(replace(one, guid=f"{one.guid}?s=x")) for one in numbered(6)))

    assert "link" == reader.rule.basis
    assert keys == len(reader.keys)


@pytest.mark.parametrize("guid", [None, "0", "session"])
def test_session_links_are_seen_through(guid: str | None) -> None:
    """Links that change at every reading lose their trust, too: an undated item that was away for
    a while and comes back is known by its words (B10)."""
    stories = numbered(6)

    def listed(session: int) -> list[Item]:
        named = f"{guid}{session}" if guid == "session" else guid
        return [
            raw(replace(one, published=None, guid=named, link=f"{one.link}?sid={session}{i}"))
            for i, one in enumerate(stories)
        ]

    reader = Reader()
    for session in range(8):
        assert [] == reader.read(*listed(session))
    away = [reader.read(*listed(session)[1:]) for session in range(8, 10)]
    back = [reader.read(*listed(session)) for session in range(10, 12)]

    assert [[], []] == away == back
    assert "hash" == reader.rule.basis
    assert 6 == len(reader.entries)


def test_reused_guid_is_a_new_story() -> None:
    """A guid under which link, title, text and date are all others is not the old story."""
    reader = Reader()
    reader.read(item("a", guid="latest", published=at(-50)))

    assert ["Title of b"] == reader.read(item("b", guid="latest", published=at(5)))
    assert ["Title of c"] == reader.read(item("c", guid="latest", published=at(15)))


# --- B7 to B12: dates


def test_back_dated_item_on_top_is_news() -> None:
    """An unseen item is news whatever its date, when it stands above what was seen (B8)."""
    reader = Reader()
    reader.read(*numbered(5))
    late = item("late", published=at(-50_000))

    assert ["Title of late"] == reader.read(late, *numbered(5))


def test_out_of_order_item_is_news() -> None:
    """An item dated before the newest one and sorted in below it is news (B8)."""
    reader = Reader()
    reader.read(*numbered(5))
    first, *rest = numbered(5)
    late = item("late", published=first.published - timedelta(minutes=7))  # type: ignore[operator]

    assert ["Title of late"] == reader.read(first, late, *rest)


def test_older_item_that_slides_in_is_stored_silently() -> None:
    """An item vanishes and an older one takes the last place: stored, not news (B9, wish 17)."""
    window = numbered(11)
    reader = Reader()
    reader.read(*window[:10])

    assert [] == reader.read(*window[:2], *window[3:])
    assert 11 == len(reader.entries)
    assert reader.changes is not None
    assert 1 == reader.changes.held


def test_removed_and_returned_item_is_not_news() -> None:
    """A purged entry whose item the feed still lists stays away (B10)."""
    reader = Reader()
    reader.read(*numbered(3))
    reader.purge("Title of n1")
    reader.window = frozenset()

    assert [] == reader.read(*numbered(3))
    assert 2 == len(reader.entries)


def test_item_that_leaves_the_window_and_returns_is_not_news() -> None:
    """Keys are remembered beyond the window (B10)."""
    window = numbered(4)
    reader = Reader()
    reader.read(*window)
    reader.read(*window[1:])

    assert [] == reader.read(*window)


def test_undated_item_is_read_once() -> None:
    """An item without a date is stored as such, and nothing changes at the next reading (B11)."""
    reader = Reader()
    reader.read(*numbered(2))

    assert ["Title of u"] == reader.read(item("u"), *numbered(2))
    assert [] == reader.read(item("u"), *numbered(2))
    assert reader.changes is not None
    assert ((), ()) == (reader.changes.changed, reader.changes.seen_again)


def test_future_item_neither_blocks_nor_hides() -> None:
    """What comes after an item dated a year ahead is news (PRS-15)."""
    reader = Reader()
    reader.read(*numbered(2))
    future = item("future", published=at(500_000))

    assert ["Title of future"] == reader.read(future, *numbered(2))
    assert ["Title of n2"] == reader.read(future, *numbered(3))


# --- IDN-14 to IDN-17


@pytest.mark.parametrize(
    "second",
    [
        pytest.param({}, id="copy"),
        pytest.param({"content": SafeHtml("<p>An older text</p>")}, id="other text"),
        pytest.param({"title": "An older title"}, id="other title"),
        pytest.param({"guid": "other"}, id="other guid"),
    ],
)
def test_story_told_twice_in_one_document_is_stored_once(second: dict[str, object]) -> None:
    """Two tellings in one document make one entry, at any reading (IDN-14)."""
    story = item("twice", published=at(3.3))
    again = raw(replace(story, **second, comments_url="https://example.org/c"))  # type: ignore[arg-type]
    reader = Reader()
    reader.read(*numbered(3))

    assert ["Title of twice"] == reader.read(story, again, *numbered(3))
    assert [] == reader.read(again, *numbered(3), story)
    assert [] == reader.read(*numbered(3), again)
    assert 4 == len(reader.entries)


def test_second_telling_that_comes_later_is_not_news() -> None:
    """A second telling that joins the first in the document is passed over."""
    story = item("twice", published=at(3.3))
    again = raw(replace(story, content=SafeHtml("<p>An older text</p>")))
    reader = Reader()
    reader.read(story, *numbered(3))

    assert [] == reader.read(again, story, *numbered(3))
    assert 4 == len(reader.entries)


def test_unpublished_newest_item_floods_nobody() -> None:
    """The newest item goes away: nothing is news (IDN-15)."""
    reader = Reader()
    reader.read(*numbered(10))

    assert [] == reader.read(*numbered(10)[1:])


def test_oldest_first_feed_delivers_all_in_order() -> None:
    """A feed that appends at the end delivers each new item, the oldest first (IDN-16)."""
    reader = Reader()
    reader.read(*reversed(numbered(5)))

    assert ["Title of n5", "Title of n6"] == reader.read(*reversed(numbered(7)))


def test_oldest_first_feed_without_dates_delivers_in_order() -> None:
    """The same without dates: what is appended below everything seen comes in document order."""
    undated = [raw(replace(one, published=None)) for one in reversed(numbered(7))]
    reader = Reader()
    reader.read(*undated[:5])

    assert ["Title of n5", "Title of n6"] == reader.read(*undated)


def test_pinned_item_hides_nothing() -> None:
    """Items below a pinned first one are news (IDN-16)."""
    pinned = item("pinned", published=at(-99_999))
    reader = Reader()
    reader.read(pinned, *numbered(5))

    assert ["Title of n5"] == reader.read(pinned, *numbered(6))


def test_more_than_500_items_are_announced_once() -> None:
    """A document of 700 items is never announced again (IDN-17), also when all are read anew."""
    reader = Reader()
    reader.read(*numbered(700))
    reader.window = frozenset()

    assert [] == reader.read(*numbered(700))
    assert ["Title of n700"] == reader.read(*numbered(701))


# --- nameless items


def test_same_words_on_another_day_are_another_story() -> None:
    """Nameless items with equal words and other dates are each news; a copy is not."""

    def done(minutes: int) -> object:
        return item(guid="", link="", title="Backup finished", text="", published=at(minutes))

    reader = Reader()
    reader.read(done(1))  # type: ignore[arg-type]

    assert ["Backup finished"] == reader.read(done(12), done(1))  # type: ignore[arg-type]
    assert ["Backup finished"] == reader.read(done(25), done(12), done(1))  # type: ignore[arg-type]
    assert [] == reader.read(done(25), done(12), done(1))  # type: ignore[arg-type]
    assert 3 == len(reader.entries)


# --- operator's choice, revival, imports


def test_revived_feed_delivers_the_newest_few() -> None:
    """The backlog of a feed that was switched off is stored; ten of it are news (promise 8)."""
    reader = Reader()
    reader.read(*numbered(5))
    reader.revived = True

    news = reader.read(*numbered(40, first=5), after=timedelta(days=40))

    assert [f"Title of n{i}" for i in range(35, 45)] == news
    assert 45 == len(reader.entries)


def test_start_is_fixed() -> None:
    """The clock of these tests is not the machine's."""
    assert 2026 == START.year
