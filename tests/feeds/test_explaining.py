"""Where the fields of an item came from, and what of it was taken away."""

import json

import pytest

from wireroom.errors import NotAFeed
from wireroom.feeds.explaining import Explained, explain

_URL = "https://x.example/feed"
_RSS = """<rss xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>t</title>
<item><guid>https://x.example/1</guid><title>a</title><dc:creator>Me</dc:creator>
<dc:date>2026-01-01T00:00:00Z</dc:date><category>one</category><category>two</category>
<content:encoded>&lt;p onclick="x"&gt;b&lt;/p&gt;&lt;script&gt;c&lt;/script&gt;</content:encoded>
</item><item><title>next</title></item></channel></rss>"""
_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>urn:1</id>
<link href="/a"/><title>a</title><updated>2026-01-01T00:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><font>b</font></div></content>
</entry></feed>"""
_JSON = {
    "version": "https://jsonfeed.org/version/1.1",
    "items": [{"id": "1", "url": "https://x.example/1", "content_html": "<object>x</object>b"}],
}


def _first(document: str) -> Explained:
    return explain(document.encode(), url=_URL)[0]


def test_elements_are_named_by_what_they_give() -> None:
    """Each field names the elements without which it would read differently."""
    origins = _first(_RSS).origins

    assert ("guid",) == origins["link"]
    assert ("guid",) == origins["guid"]
    assert ("dc:creator",) == origins["authors"]
    assert ("dc:date",) == origins["published"]
    assert ("category",) == origins["categories"]
    assert ("content:encoded",) == origins["content"]


def test_what_several_elements_tell_comes_from_each_of_them() -> None:
    """A guid that is the link, too, makes neither of them useless; a bad date is."""
    same = "<guid>https://x.example/1</guid><link>https://x.example/1</link>"
    item = f"<item>{same}<title>a</title><pubDate>31 Foo</pubDate></item>"
    told = _first(f"<rss><channel>{item}</channel></rss>")

    assert ("guid", "link") == told.origins["link"]
    assert ("pubDate: 31 Foo",) == told.unused


def test_what_no_element_tells_comes_from_around_them() -> None:
    """RDF names its items by rdf:about, an attribute of the item."""
    told = _first(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns="http://purl.org/rss/1.0/"><channel><title>t</title></channel>'
        '<item rdf:about="urn:1"><title>a</title><link>https://x.example/</link></item></rdf:RDF>'
    )

    assert ("around the elements",) == told.origins["guid"]


def test_removals_are_those_of_the_texts_shown() -> None:
    """What sanitising took out is listed, for escaped HTML, XHTML and JSON alike."""
    assert ("attribute onclick of <p>", "<script> with its content") == _first(_RSS).removed
    assert any("font" in phrase for phrase in _first(_ATOM).removed)
    assert ("<object> with its content",) == _first(json.dumps(_JSON)).removed


def test_keys_are_those_of_the_document() -> None:
    """The keys are the ones by which the next poll finds the item, the telling ones first."""
    keys = _first(_RSS).keys

    assert ("guid", True) == (keys.named[0].trait, keys.named[0].strong)


def test_a_document_too_broken_to_cut_is_still_listed() -> None:
    """Without single items to take out, there are keys and no origins."""
    broken = _RSS.replace("</item>", "")

    assert {} == _first(broken).origins


def test_what_is_no_feed_is_refused() -> None:
    """A page has nothing to explain."""
    with pytest.raises(NotAFeed):
        explain(b"<html><p>x</p></html>", url=_URL)
