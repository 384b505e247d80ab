"""Broken documents without items are failures, not empty feeds."""

import pytest

from tests.feeds.documents import atom, item, rss
from wireroom.feeds import parse, refusal

_URL = "https://feed.example/"

RUINS = {
    "cut_in_a_title": ("<rss version='2.0'><channel><title>T", "xml"),
    "cut_in_the_channel": ("<rss version='2.0'><channel><title>T</title>", "xml"),
    "wrong_end_tag": ("<rss><channel><title>T</title></chanel></rss>", "xml"),
    "bare_ampersand": ("<rss><channel><title>A & B</title></channel></rss>", "xml"),
    "cut_atom": ("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>", "xml"),
    "cut_json": ('{"version": "https://jsonfeed.org/version/1.1", "items": [', "json"),
}
FEEDS = {
    "empty": rss(""),
    "empty_atom": atom(""),
    "empty_json": '{"version": "https://jsonfeed.org/version/1.1", "items": []}',
    "undeclared_prefix": "<rss><channel><sy:updatePeriod>daily</sy:updatePeriod></channel></rss>",
    "broken_with_an_item": rss(item("<title>A & B</title>"))[:-20],
}


@pytest.mark.parametrize(("document", "found"), RUINS.values(), ids=RUINS)
def test_a_broken_document_without_items_is_refused(document: str, found: str) -> None:
    """Half an answer must not pass for a feed in which nothing is new (PRS-05)."""
    error = refusal.of_ruin(parse.read(document.encode(), url=_URL))

    assert error is not None
    assert found == error.found
    assert str(error).startswith("This address answers with a broken feed without any items: ")


@pytest.mark.parametrize("document", FEEDS.values(), ids=FEEDS)
def test_all_others_are_feeds(document: str) -> None:
    """A sound feed may be empty (PRS-07), a broken one may not (PRS-05)."""
    assert refusal.of_ruin(parse.read(document.encode(), url=_URL)) is None


def test_items_that_were_met_are_items() -> None:
    """A broken document in which nothing is new is no ruin at the second reading, either."""
    document = rss(item("<guid>1</guid>")).replace("</rss>", "").encode()
    met = parse.read(document, url=_URL).window

    again = parse.read(document, url=_URL, met=met)

    assert ((), None) == (again.items, refusal.of_ruin(again))
