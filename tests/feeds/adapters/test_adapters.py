import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from wireroom.errors import SettingsError
from wireroom.feeds import adapters
from wireroom.feeds.adapters import f5, generic, parsed, royalroad, ubuntu
from wireroom.feeds.adapters.parsed import Record
from wireroom.feeds.model import (
    Digest,
    Enclosure,
    Hints,
    Item,
    ParsedFeed,
    Person,
    SafeHtml,
)

_WHEN = datetime(2026, 11, 30, 8, 0, 5, 250_000, tzinfo=UTC)


def _item(number: int, **facts: Any) -> Item:
    usual: dict[str, Any] = {
        "guid": f"id-{number}",
        "link": f"https://a.example/{number}",
        "title": f"Title {number}",
        "summary": SafeHtml(f"<p>Text {number}</p>"),
        "published": _WHEN,
    }
    return Item(Digest(bytes([number]) * 16), **usual | facts)


def _feed(*items: Item) -> ParsedFeed:
    return ParsedFeed("rss", title="Feed", site_url="https://a.example/", items=items)


class _Probe:
    """An adapter made of a function from entries to entries."""

    feed_type: ClassVar[str] = "probe"
    change: ClassVar[Any] = staticmethod(lambda entries: entries)

    def __init__(self, given: list[Record]) -> None:
        self.given = given

    @classmethod
    def from_parsed(cls, parsed: Record) -> Self:
        return cls(parsed.entries)

    def entries(self) -> Iterable[Mapping[str, Any]]:
        return list(type(self).change(self.given))


def _probe(change: Any) -> type[_Probe]:
    return type("Probe", (_Probe,), {"change": staticmethod(change)})


def test_the_choices_are_generic_and_then_the_others_sorted() -> None:
    """What people choose from, in the order they see it (ADP-05)."""
    assert ("generic", "f5", "royalroad", "ubuntu") == adapters.CHOICES


_MODULE = """
class Mine:
    feed_type = {name!r}
ADAPTER = Mine
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty package called `some_adapters`, forgotten afterwards."""
    folder = tmp_path / "some_adapters"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.startswith("some_adapters")]:
        del sys.modules[name]


def test_a_file_that_exports_an_adapter_is_a_choice(package: Path) -> None:
    """Nothing but the file is needed (ADP-01); files that export none are helpers."""
    (package / "zeta.py").write_text(_MODULE.format(name="zeta"))
    (package / "beta.py").write_text(_MODULE.format(name="beta"))
    (package / "shared.py").write_text("VALUE = 1\n")

    found, broken = adapters.exported([str(package)], "some_adapters")

    assert {} == broken
    assert ["generic", "beta", "zeta"] == list(adapters.registered([*found, generic.Generic]))


def test_two_adapters_of_one_name_are_refused(package: Path) -> None:
    """The start stops with both modules named (ADP-04)."""
    (package / "one.py").write_text(_MODULE.format(name="same"))
    (package / "two.py").write_text(_MODULE.format(name="same"))

    found, _ = adapters.exported([str(package)], "some_adapters")
    with pytest.raises(SettingsError, match=r"'same': some_adapters\.one and some_adapters\.two"):
        adapters.registered(found)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        pytest.param("def (:", "SyntaxError", id="no Python"),
        pytest.param("import there_is_no_such_module", "ModuleNotFoundError", id="import"),
        pytest.param("ADAPTER = object()", "AttributeError", id="no name"),
        pytest.param(_MODULE.format(name=3), "feed_type is no text", id="a number as name"),
    ],
)
def test_a_broken_file_is_named_and_stops_nothing(
    package: Path, monkeypatch: pytest.MonkeyPatch, written: str, reason: str
) -> None:
    """The other adapters are there, and its own feeds are read as they are, with the reason."""
    (package / "beta.py").write_text(_MODULE.format(name="beta"))
    (package / "mine.py").write_text(written)

    found, broken = adapters.exported([str(package)], "some_adapters")
    monkeypatch.setattr(adapters, "BROKEN", broken)
    feed = adapters.apply("mine", _feed(_item(1)))

    assert ["beta"] == [each.feed_type for each in found]
    assert ["mine"] == list(broken)
    assert reason in broken["mine"]
    assert _feed(_item(1)).items == feed.items
    assert "The adapter 'mine' cannot be loaded" in feed.warnings[-1].text


def test_generic_changes_nothing() -> None:
    """Items come back as they are, also when walked through the bridge, digests and all."""
    feed = replace(
        _feed(_item(1), _item(2, guid=None), _item(3, link="")), met=(Digest(b"x" * 16),)
    )

    assert feed is adapters.apply("generic", feed)
    assert feed == adapters.applied(generic.Generic, feed)


def test_generic_sees_what_the_parser_found() -> None:
    """Under feedparser's names, as keys and as attributes, text as plain strings (ADP-07)."""
    item = _item(
        1,
        content=SafeHtml("<p>More</p>"),
        updated=_WHEN,
        authors=(Person("A", "a@a.example"), Person("B")),
        categories=("x", "y"),
        category_schemes={"y": "urn:tags"},
        enclosures=(Enclosure("https://a.example/1.mp3", "audio/mpeg", 5),),
        extra={"podcast:season": "2"},
    )
    feed = replace(_feed(item), description="About", hints=Hints(ttl_minutes=30))

    seen = parsed.from_feed(feed)
    entry = seen.entries[0]

    assert ("Feed", "https://a.example/", "About", "30") == (
        seen.feed.title,
        seen.feed.link,
        seen.feed.subtitle,
        seen.feed["ttl"],
    )
    assert ("id-1", "https://a.example/1", "Title 1") == (entry.id, entry.link, entry.title)
    assert "<p>Text 1</p>" == entry.summary
    assert [{"type": "text/html", "value": "<p>More</p>"}] == entry.content
    assert ("A, B", "a@a.example") == (entry.author, entry.authors[0].email)
    assert [{"term": "x"}, {"term": "y", "scheme": "urn:tags"}] == entry.tags
    expected = {"href": "https://a.example/1.mp3", "type": "audio/mpeg", "length": "5"}
    assert [expected] == entry.enclosures
    assert "Mon, 30 Nov 2026 08:00:05 +0000" == entry.published
    assert (2026, 11, 30, 8, 0, 5) == entry.updated_parsed[:6]
    assert "2" == entry.podcast_season
    assert not hasattr(entry, "comments")
    assert entry.get("comments") is None


def test_an_unknown_adapter_is_generic_with_a_warning() -> None:
    """A feed stored with an adapter that is gone still works and says so (ADP-06)."""
    found = adapters.apply("gone", _feed(_item(1)))

    assert (_item(1),) == found.items
    assert ["No adapter is called 'gone'; the feed is read as it is."] == [
        warning.text for warning in found.warnings
    ]


def _raises(_: Any) -> Any:
    raise LookupError("no such thing")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(_raises, "LookupError: no such thing", id="raises"),
        pytest.param(lambda entries: 5, "TypeError", id="no_list"),
        pytest.param(lambda entries: ["x"], "AttributeError", id="no_dictionaries"),
        pytest.param(lambda entries: [{"id": 5}], "TypeError: id is int, not text", id="number"),
        pytest.param(
            lambda entries: [{"published_parsed": "today"}], "is no struct_time", id="date_as_text"
        ),
        pytest.param(
            lambda entries: [{"published_parsed": time.struct_time([10**9] * 9)}],
            "failed",
            id="impossible_date",
        ),
    ],
)
def test_a_broken_adapter_is_named_and_loses_nothing(change: Any, reason: str) -> None:
    """Whatever it does wrong, the feed is read as it is, with a warning that names the adapter."""
    feed = _feed(_item(1), _item(2))

    found = adapters.applied(_probe(change), feed)

    assert feed.items == found.items
    assert 1 == len(found.warnings)
    assert "'probe'" in found.warnings[0].text
    assert reason in found.warnings[0].text


def test_what_an_adapter_leaves_out_is_gone_and_order_is_its_own() -> None:
    """Surviving items are the very same, in the adapter's order; known digests stay."""
    feed = replace(_feed(_item(1), _item(2), _item(3)), met=(Digest(b"x" * 16),))

    found = adapters.applied(_probe(lambda entries: [entries[2], entries[0]]), feed)

    assert (feed.items[2], feed.items[0]) == found.items
    assert feed.met == found.met


def test_changed_texts_come_out_changed_and_clean() -> None:
    """Title, link, date and text may be rewritten; the rest of the item stays the publisher's."""
    item = _item(1, content=SafeHtml("<p>Long</p>"), authors=(Person("A"),))

    def rewritten(entries: list[Record]) -> list[dict[str, Any]]:
        return [
            {
                "id": "id-1",
                "link": "/other",
                "title": "New <b>title</b>",
                "published": None,
                "published_parsed": time.struct_time((2026, 1, 2, 3, 4, 5, 0, 0, 0)),
                "summary": "<p onclick=x>Short <script>x</script></p>",
            }
        ]

    (found,) = adapters.applied(_probe(rewritten), _feed(item)).items

    assert "https://a.example/other" == found.link
    assert "New title" == found.title
    assert datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC) == found.published
    assert "<p>Short </p>" == found.body
    assert (item.digest, item.guid, item.authors) == (found.digest, found.guid, found.authors)


def test_an_id_of_the_adapters_own_becomes_the_guid() -> None:
    """Matched by its link, the item goes by the name that the adapter gave it."""
    (found,) = adapters.applied(
        _probe(lambda entries: [Record(entries[0], id="mine")]), _feed(_item(1))
    ).items

    assert _item(1, guid="mine") == found


def test_an_entry_of_the_adapters_own_becomes_an_item() -> None:
    """One item may be told as several; the same entry gets the same digest every time."""
    made = {"id": "id-1b", "link": None, "title": "Second half", "summary": "<i>x</i>"}
    probe = _probe(lambda entries: [*entries, made])

    first = adapters.applied(probe, _feed(_item(1))).items
    again = adapters.applied(probe, _feed(_item(1))).items

    assert _item(1) == first[0]
    assert ("id-1b", "Second half", "<i>x</i>") == (first[1].guid, first[1].title, first[1].body)
    assert first == again


def test_items_without_id_and_link_are_matched_by_title_in_order() -> None:
    """Even two that look alike come back as themselves."""
    items = [_item(n, guid=None, link="", title="Same") for n in (1, 2)]

    found = adapters.applied(royalroad.RoyalRoad, _feed(*items))

    assert tuple(items) == found.items


@pytest.mark.parametrize(
    ("facts", "kept"),
    [
        pytest.param({"title": "K1: OpenSSL vulnerability CVE-2026-1234"}, True, id="title"),
        pytest.param({"summary": SafeHtml("fixes cve-2026-123456.")}, True, id="any_case_in_text"),
        pytest.param({"title": "CVE-2026-123"}, False, id="three_digits"),
        pytest.param({"title": "CVE 2026 1234"}, False, id="blanks"),
        pytest.param({"title": "Release notes"}, False, id="none"),
        pytest.param({"title": "", "summary": None}, False, id="nothing_to_look_at"),
        pytest.param({"summary": None, "content": SafeHtml("CVE-2026-1234")}, True, id="content"),
    ],
)
def test_f5_keeps_what_names_a_cve(facts: dict[str, Any], kept: bool) -> None:
    """Four digits, a hyphen, four or more digits, in title or description (ADP-08)."""
    item = _item(1, **facts)

    assert ((item,) if kept else ()) == adapters.apply("f5", _feed(item)).items


def test_an_item_that_gains_a_cve_is_there_then() -> None:
    """Left out, it is not in the window, so that it is new when it comes (ADP-09)."""
    before = adapters.apply("f5", _feed(_item(1, title="Under analysis")))
    after = adapters.apply("f5", _feed(_item(1, title="CVE-2026-1234")))

    assert () == before.window
    assert ("id-1",) == tuple(item.guid for item in after.items)


@pytest.mark.parametrize("name", ["royalroad", "ubuntu"])
def test_these_keep_every_item_as_it_is(name: str) -> None:
    """No filter, HTML untouched, no warning (ADP-11, ADP-13)."""
    feed = _feed(_item(1), _item(2, published=None), _item(3, guid=None))

    assert feed == adapters.apply(name, feed)


def _document(**item: Any) -> dict[str, Any]:
    usual = {"title": "T", "link": "https://a.example/1", "description": "<p>CVE-2026-1234</p>"}
    return {"channel": {"title": "C", "items": [usual | item]}}


@pytest.mark.parametrize("adapter", [f5.F5, royalroad.RoyalRoad, ubuntu.Ubuntu])
def test_plain_data_gives_entries_of_exactly_six_keys(adapter: Any) -> None:
    """The documented shape, with the date in UTC and HTML passed through (ADP-02, ADP-03)."""
    document = _document(guid="g", pubDate="Mon, 30 Nov 2026 09:00:00 +0100")

    (entry,) = adapter.from_dict(document).entries()

    assert {
        "id": "g",
        "link": "https://a.example/1",
        "title": "T",
        "published": "Mon, 30 Nov 2026 09:00:00 +0100",
        "published_parsed": datetime(2026, 11, 30, 8, tzinfo=UTC).utctimetuple(),
        "summary": "<p>CVE-2026-1234</p>",
    } == dict(entry)


@pytest.mark.parametrize("date", [None, "", "yesterday", "Mon, 99 Nov 2026 09:00:00 GMT"])
def test_a_bad_date_is_none(date: str | None) -> None:
    """Chapters without a readable date have none (ADP-12)."""
    (entry,) = royalroad.RoyalRoad.from_dict(_document(pubDate=date)).entries()

    assert entry["published_parsed"] is None


@pytest.mark.parametrize(
    ("guid", "expected"),
    [
        pytest.param({"isPermaLink": "false", "value": "v"}, "v", id="value"),
        pytest.param({"isPermaLink": "false", "#text": "t"}, "t", id="hash_text"),
        pytest.param("plain", "plain", id="text"),
        pytest.param(None, "https://a.example/1", id="missing"),
        pytest.param({"isPermaLink": "false"}, "https://a.example/1", id="object_without_text"),
    ],
)
def test_ubuntu_reads_guids_of_three_shapes(guid: Any, expected: str) -> None:
    """An object with text under either name, plain text, or the link (ADP-14)."""
    (entry,) = ubuntu.Ubuntu.from_dict(_document(guid=guid)).entries()

    assert expected == entry["id"]
