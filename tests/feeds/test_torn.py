"""A document may break off anywhere: no half item is told as another one."""

from datetime import UTC, datetime

import pytest

from tests.feeds.documents import atom, rss
from wireroom.errors import NotAFeed
from wireroom.feeds import parse, refusal, torn
from wireroom.feeds.comparing import compare
from wireroom.feeds.model import Digest, ParsedFeed

_URL = "https://feed.example/"
_NOW = datetime(2026, 11, 30, tzinfo=UTC)


def _item(name: int, *, guid: str = "<guid>g:{}</guid>") -> str:
    return (
        f"<item><title>Title {name}</title><link>https://feed.example/{name}</link>"
        f"<description>Words &amp; more of {name}.</description>{guid.format(name)}"
        f"<pubDate>Mon, 30 Nov 2026 0{name}:00:00 GMT</pubDate></item>"
    )


def _entry(name: int) -> str:
    return (
        f"<entry><id>u:{name}</id><title>Title {name}</title>"
        f"<link href='https://feed.example/{name}'/>"
        f"<content type='html'><![CDATA[<p>Words of {name}.</p>]]></content>"
        f"<updated>2026-11-30T0{name}:00:00Z</updated></entry>"
    )


DOCUMENTS = {
    "guids": [rss("".join(map(_item, names))) for names in ((2, 1), (3, 2, 1))],
    "links": [
        rss("".join(_item(name, guid="") for name in names)) for names in ((2, 1), (3, 2, 1))
    ],
    "atom": [atom("".join(map(_entry, names))) for names in ((2, 1), (3, 2, 1))],
}


def _polled(body: bytes, met: tuple[Digest, ...] = ()) -> ParsedFeed | None:
    """What polling takes of `body`; None where it is a failure."""
    try:
        feed = torn.whole_items(parse.read(body, url=_URL, met=met))
    except NotAFeed:
        return None
    return None if refusal.of_ruin(feed) else feed


@pytest.mark.parametrize(("earlier", "later"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_wherever_it_breaks_off_each_story_is_told_once(earlier: str, later: str) -> None:
    """Nothing but the third story is news, with its date, and no story when the whole one comes
    (PRS-05)."""
    whole, first = later.encode(), parse.read(earlier.encode(), url=_URL)
    last = parse.read(whole, url=_URL)
    for end in range(later.index("<title>"), len(whole)):
        if (half := _polled(whole[:end])) is None:
            continue
        news = [each.item for each in compare(first, half, _NOW).items if each.verdict == "new"]
        then = [each.item for each in compare(half, last, _NOW).items if each.verdict == "new"]

        assert [] == [one for one in news if one.title != "Title 3"], whole[:end]
        assert not {one.title for one in then} & {one.title for one in half.items}, whole[:end]
        assert {3} >= {one.published.hour for one in news if one.published}, whole[:end]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_repoll_leaves_out_the_same(cut: int) -> None:
    """Items that were met change nothing about it."""
    earlier, later = DOCUMENTS["guids"]
    met = parse.read(earlier.encode(), url=_URL).window
    whole = later.encode()
    broken = whole[: whole.rindex(b"<item>") + cut]

    again, anew = _polled(broken, met), _polled(broken)

    assert again is not None
    assert anew is not None
    assert "Title 1" not in [item.title for item in again.items]
    assert ["Title 3", "Title 2"] == [item.title for item in anew.items]


def test_a_half_item_that_is_named_is_taken() -> None:
    """It has its identifier; what is missing comes as an edit."""
    body = atom(_entry(1) + _entry(2)).encode()
    read = parse.read(body[: body.rindex(b"<content")], url=_URL)

    assert not read.ends_unnamed
    assert ["u:1", "u:2"] == [item.guid for item in read.items]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_whole_documents_are_left_alone(name: str) -> None:
    """So are those that lack nothing but their last end tags."""
    for document in DOCUMENTS[name]:
        for body in (document, document[: document.rindex("</")]):
            assert body.encode() == torn.without_halves(body.encode())
            assert not parse.read(body.encode(), url=_URL).ends_unnamed
