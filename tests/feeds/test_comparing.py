"""Two versions of a document: each item is called what the next poll would call it."""

from datetime import UTC, datetime
from itertools import pairwise

from wireroom.feeds import parse
from wireroom.feeds.comparing import Comparison, compare

_NOW = datetime(2026, 6, 1, tzinfo=UTC)


def _item(name: str, *, text: str = "All there is to say about it.", day: int = 10) -> str:
    return (
        f"<item><guid>{name}</guid><link>https://x.example/{name}</link>"
        f"<title>Title {name}</title>"
        f"<description>{text} {name}</description>"
        f"<pubDate>{day} May 2026 10:00:00 GMT</pubDate></item>"
    )


def _compared(first: list[str], second: list[str]) -> Comparison:
    documents = (
        f"<rss><channel><title>t</title>{''.join(items)}</channel></rss>".encode()
        for items in (first, second)
    )
    one, other = (parse.read(document, url="https://x.example/feed") for document in documents)
    return compare(one, other, _NOW)


def _verdicts(compared: Comparison) -> dict[str, str]:
    return {judged.item.title.removeprefix("Title "): judged.verdict for judged in compared.items}


def test_each_item_has_its_verdict() -> None:
    """New at the top, edited, the same, and fallen out at the end."""
    first = [_item("c"), _item("b"), _item("a")]
    second = [_item("d", day=11), _item("c", text="Rewritten."), _item("b")]

    assert {"d": "new", "c": "changed", "b": "same", "a": "gone"} == _verdicts(
        _compared(first, second)
    )


def test_what_differs_is_named() -> None:
    """A changed item says in which fields."""
    (judged,) = _compared([_item("a")], [_item("a", text="Other.")]).items

    assert "differs in summary" == judged.why
    assert judged.before is not None


def test_what_slides_in_is_held() -> None:
    """An item older than all there was, below all that was seen, is nobody's news."""
    second = [_item("b"), _item("a", day=1)]

    assert {"b": "same", "a": "held"} == _verdicts(_compared([_item("b")], second))


def test_new_guids_of_old_stories_are_recognised() -> None:
    """A site that renumbers its stories brings none of them back."""
    first = [_item(f"n{number}") for number in range(8)]
    second = [item.replace("<guid>", "<guid>https://x.example/?p=") for item in first]
    second = [item.replace("<link>", "<link>https://y.example/") for item in second]

    assert {"re-identified"} == set(_verdicts(_compared(first, second)).values())


def test_equal_documents_have_nothing_but_the_same() -> None:
    """A document beside itself changes nothing."""
    items = [_item("b"), _item("a")]

    assert {"same"} == set(_verdicts(_compared(items, items)).values())


def test_a_feed_may_change_its_format() -> None:
    """What is read is told anew of each document, and the stories stay the same (PRS-04)."""
    words = "<title>Title a</title>"
    rss = f"<rss><channel><item><guid>u:a</guid>{words}</item></channel></rss>"
    atom = f"<feed><entry><id>u:a</id>{words}</entry></feed>"
    json = (
        '{"version": "https://jsonfeed.org/version/1.1",'
        ' "items": [{"id": "u:a", "title": "Title a"}]}'
    )
    readings = [parse.read(each.encode(), url="https://x.example/") for each in (rss, atom, json)]

    assert ["rss", "atom", "json"] == [feed.format for feed in readings]
    for one, other in pairwise(readings):
        assert {"a": "same"} == _verdicts(compare(one, other, _NOW))
