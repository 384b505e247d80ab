"""JSON Feed, as specified and as sent."""

import contextlib
import json
import time
from typing import Any

import pytest

from wireroom.errors import NotAFeed
from wireroom.feeds import parse
from wireroom.feeds.model import Enclosure, Item, ParsedFeed, Person

URL = "https://feed.example/feed.json"


def read(body: bytes) -> ParsedFeed:
    return parse.read(body, url=URL)


def feed(*items: Any, **top: Any) -> bytes:
    document = {"version": "https://jsonfeed.org/version/1.1", "title": "T", **top}
    return json.dumps({**document, "items": list(items)}).encode()


def one(**fields: Any) -> Item:
    (item,) = read(feed({"id": "1", **fields})).items
    return item


def test_feed_facts() -> None:
    """The top of the document."""
    parsed = read(
        feed(
            home_page_url="/",
            feed_url="https://feed.example/f",
            hubs=[{"type": "WebSub", "url": "https://hub.example/"}, "junk"],
            favicon="/i.png",
            language="de",
            expired=True,
            authors=[{"name": "Ann", "url": "https://ann.example/"}],
        )
    )

    assert ("json", "1.1", "T", "de", True) == (
        parsed.format,
        parsed.version,
        parsed.title,
        parsed.language,
        parsed.expired,
    )
    assert ("https://feed.example/", "https://feed.example/f", "https://feed.example/i.png") == (
        parsed.site_url,
        parsed.self_url,
        parsed.icon_url,
    )
    assert ("https://hub.example/",) == parsed.hub_urls
    assert (Person("Ann", url="https://ann.example/"),) == parsed.authors


IDENTIFIERS = {
    "text": ("a b ", "a b "),
    "number": (17, "17"),
    "zero": (0, "0"),
    "beyond_64_bits": (12345678901234567890123, "12345678901234567890123"),
    "empty": ("", None),
    "null": (None, None),
    "object": ({"a": 1}, None),
    "boolean": (True, None),
}


@pytest.mark.parametrize(("value", "guid"), IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_identifiers(value: object, guid: str | None) -> None:
    """Numbers are text; nothing else becomes an identifier (PRS-08)."""
    assert guid == one(id=value, url="/x").guid


def test_link_is_url_else_external_url() -> None:
    """PRS-11."""
    assert "https://feed.example/a" == one(url="/a", external_url="/b").link
    assert "https://feed.example/b" == one(external_url="/b").link
    assert "https://feed.example/b" == one(id="https://feed.example/i", external_url="/b").link


def test_an_identifier_may_be_the_address() -> None:
    """Where neither address is given; the specification would have all identifiers so."""
    assert "https://feed.example/i" == one(id="https://feed.example/i").link
    assert "" == one(id="tag:feed.example,2020:i").link


def test_plain_content_becomes_paragraphs() -> None:
    """Text is escaped, line ends are kept (PRS-19, B34)."""
    item = one(content_text="use <tag> & go\nnow\n\nnext", title="1 < 2 <b>")

    assert "<p>use &lt;tag&gt; &amp; go<br>now</p><p>next</p>" == item.content
    assert "1 < 2 <b>" == item.title


def test_plain_content_stands_in_for_html_that_shows_nothing() -> None:
    """HTML of nothing but a script is none; line ends of old Macs are some (PRS-19)."""
    item = one(content_html="<script>x()</script>", content_text="a\rb")

    assert "<p>a<br>b</p>" == item.content


def test_nameless_authors_hide_no_author() -> None:
    """The author of version 1 counts where the list of 1.1 names nobody (PRS-16)."""
    assert "Bob" == one(authors=[{"name": ""}], author={"name": "Bob"}).author


def test_attachments_and_the_rest() -> None:
    """Attachments are enclosures; tags, dates, image and legacy author are read."""
    item = one(
        attachments=[
            {
                "url": "/a.mp3",
                "mime_type": "audio/mpeg",
                "size_in_bytes": 5,
                "duration_in_seconds": 6.5,
            },
            {"mime_type": "audio/mpeg"},
            None,
        ],
        tags=["x", "y", "x", 3, None],
        date_published="2020-01-02T03:04:05Z",
        image="/i.jpg",
        author={"name": "Bob"},
    )

    assert (Enclosure("https://feed.example/a.mp3", "audio/mpeg", 5, 6),) == item.enclosures
    assert ("x", "y", "3") == item.categories
    assert "2020-01-02T03:04:05+00:00" == (item.published.isoformat() if item.published else "")
    assert ("https://feed.example/i.jpg", "Bob") == (item.image_url, item.author)


def test_a_list_of_one_may_do_without_its_brackets() -> None:
    """An author, a tag or an attachment by itself is the only one (PRS-16, PRS-33)."""
    item = one(authors={"name": "Bob"}, tags="x", attachments={"url": "/a.mp3"})

    assert ("Bob", ("x",)) == (item.author, item.categories)
    assert ("https://feed.example/a.mp3",) == tuple(each.url for each in item.enclosures)


@pytest.mark.parametrize("value", [None, 0, [], {}, True, "x", [None], [{}]], ids=repr)
def test_wrong_types_spoil_one_field(value: object) -> None:
    """Whatever stands where something else belongs, the item survives (B35)."""
    fields = (
        "url title content_html summary image authors tags attachments date_published language"
    )
    for field in fields.split():
        assert "1" == one(**{field: value}).guid


BROKEN = {
    "byte_order_mark": b"\xef\xbb\xbf" + feed({"id": "a"}, {"id": "b"}),
    "utf_16": feed({"id": "a"}, {"id": "b"}).decode().encode("utf-16"),
    "line_end_in_text": feed({"id": "a", "title": "x"}, {"id": "b"}).replace(b'"x"', b'"x\ny"'),
    "trailing_comma": feed({"id": "a"}, {"id": "b"}).replace(b"}]", b"},]"),
    "cut_off_within_an_identifier": feed({"id": "a"}, {"id": "b"}, {"id": "cd"})[:-5],
    "cut_off_before_an_identifier": feed({"id": "a"}, {"id": "b"}, {"url": "https://a.example/1"})[
        :-5
    ],
    "bad_utf_8": feed({"id": "a", "title": "x"}, {"id": "b"}).replace(b'"x"', b'"\xff\xfe"'),
    "lone_surrogate": feed({"id": "a", "title": "x"}, {"id": "b"}).replace(b'"x"', b'"\\ud800"'),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_broken_json_keeps_its_items(body: bytes) -> None:
    """What can be read of broken JSON is read."""
    assert ["a", "b"] == [item.guid for item in read(body).items]


WHOLE = {"id": "a", "url": "https://a.example/1", "title": "A", "content_text": "One."}
NEXT = {"id": "b", "title": "B"}
MISTAKES = {
    "quotes_in_a_text": (b'"One."', b'"He said "no", and left."', 'He said "no", and left.'),
    "forgotten_comma": (b'"A", ', b'"A" ', "One."),
    "no_value": (b'"title": "A"', b'"title": undefined', "One."),
    "no_such_escape": (b'"One."', rb'"O\\ne\-."', "O\\ne-."),
    "list_of_names": (b'"title": "A"', b'"tags": [x, y]', "One."),
    "forgotten_comma_between": (b"}, {", b"} {", "One."),
}


@pytest.mark.parametrize(("sound", "broken", "text"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_costs_one_field_at_most(sound: bytes, broken: bytes, text: str) -> None:
    """The item's other fields and the items behind it are read."""
    first, second = read(feed(WHOLE, NEXT).replace(sound, broken, 1)).items

    assert ("a", "https://a.example/1", f"<p>{text}</p>") == (first.guid, first.link, first.body)
    assert ("b", "B") == (second.guid, second.title)


def test_wherever_it_is_cut_no_text_is_lost_and_none_made_up() -> None:
    """An item without its end keeps what came of it, once its identifier is there, but no half of
    an address, of an identifier or of a date."""
    last = {"id": "b", "url": "https://a.example/2", "title": "Two", "content_text": "More."}
    body = feed(WHOLE, last)
    start = body.index(b'"b"') + 3
    for end in range(start, len(body)):
        first, second = read(body[:end]).items

        assert ("a", "One.") == (first.guid, first.body[3:-4])
        assert ("b", True) == (second.guid, second.link in ("", "https://a.example/2"))
        assert "Two".startswith(second.title)
    assert "<p>More.</p>" == second.body


def test_broken_json_of_any_size_is_read_in_linear_time() -> None:
    """Opened and never closed, or full of quotes: each piece is looked at a few times at most."""
    head = b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "a", "x": '
    for hostile in (b"[" * 99_000, b'{"a":' * 50_000, b'"' * 99_000, b'"x" ' * 99_000):
        started = time.process_time()
        with contextlib.suppress(NotAFeed):
            read(head + hostile)

        assert time.process_time() - started < 2


def test_an_item_that_is_no_object_is_left_out() -> None:
    """Its neighbours are not (a bad item never blocks others)."""
    parsed = read(feed(None, 3, {"id": "a"}))

    assert ["a"] == [item.guid for item in parsed.items]
    assert parsed.warnings


@pytest.mark.parametrize("body", [b'{"items": []}', b'{"version": "2.0", "items": []}', b"[]"])
def test_other_json_is_no_feed(body: bytes) -> None:
    """The version makes it a JSON Feed (PRS-03)."""
    with pytest.raises(NotAFeed) as caught:
        read(body)

    assert "json" == caught.value.found


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        pytest.param({"id": "a", "title": "A"}, ["a"], id="the only item"),
        pytest.param({"0": {"id": "a"}, "2": {"id": "b"}}, ["a", "b"], id="by number"),
        pytest.param({}, [], id="none"),
        pytest.param(7, [], id="no object"),
    ],
)
def test_an_object_holds_items_as_a_list_does(items: object, expected: list[str]) -> None:
    """PHP writes a list with gaps as an object, others a single item without its list."""
    document = {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": items}

    assert expected == [item.guid for item in read(json.dumps(document).encode()).items]


def test_repoll_passes_over_what_was_met() -> None:
    """As for XML: only the new item is read."""
    before = read(feed({"id": "a"}, {"id": "b"}))

    after = parse.read(feed({"id": "c"}, {"id": "a"}, {"id": "b"}), url=URL, met=before.window)

    assert (["c"], 2) == ([item.guid for item in after.items], len(after.met))
