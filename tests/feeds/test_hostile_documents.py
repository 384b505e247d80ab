"""Documents made to hurt: each ends soon, within bounded memory, and never leaves the process.

Each is read in a child process that counts its own CPU seconds, up to three times, since a busy
machine makes even those longer; a limit far above stops whatever grows without bound.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from time import process_time

import pytest

from wireroom.feeds import parse

#: Seconds of CPU that one document may take; the slowest takes about half of it.
_SECONDS = 1.0
#: Seconds of CPU after which a child is stopped.
_CPU_SECONDS = 60
_MEBIBYTES = 64

DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "entity_bomb": lambda: (
        b'<!DOCTYPE r [<!ENTITY a0 "ha">'
        + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
        + b']><rss><channel><item><title a="&a11;">&a11;</title></item></channel></rss>'
    ),
    "external_entities": lambda: (
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM'
        b' "http://127.0.0.1:9/x">%p;]><rss><channel><item><title>&x;</title></item></channel></rss>'
    ),
    "deep_nesting": lambda: _item(b"<b>" * 100_000 + b"x" + b"</b>" * 100_000),
    "deep_nesting_never_closed": lambda: _item(b"<x>" * 100_000),
    "deep_escaped_nesting": lambda: _item(b"<description>" + b"&lt;div&gt;" * 100_000),
    "bases_within_bases": lambda: (
        b"<feed><entry><content type='xhtml'>"
        + b"<div xml:base='x/'>" * 200
        + b"<a href='q'>x</a>" * 2_000
        + b"</div>" * 200
        + b"</content></entry></feed>"
    ),
    "many_items": lambda: _channel(b"<item><title>a</title><guid>b</guid></item>" * 200_000),
    "many_items_never_closed": lambda: _channel(b"<item><title>a</title>" * 200_000),
    "items_within_items": lambda: _channel(b"<item>" * 200_000 + b"</item>" * 200_000),
    "huge_cdata": lambda: _item(
        b"<description><![CDATA[" + b"<p>hello</p> " * 900_000 + b"]]></description>"
    ),
    "huge_text_in_latin_1": lambda: _item(b"<title>" + b"\xe9t\xe9 " * 3_000_000 + b"</title>"),
    "huge_numeric_references": lambda: _item(
        b"<title>&#99999999999999;&#" + b"9" * 1_000_000 + b";</title>"
    ),
    "many_attributes": lambda: _channel(
        b"<item " + b" ".join(b'a%d="x"' % n for n in range(100_000)) + b"/>"
    ),
    "many_attributes_of_a_link": lambda: _channel(
        b"<item><link " + b" ".join(b'a%d="x"' % n for n in range(100_000)) + b"/></item>"
    ),
    "a_million_attributes": lambda: _channel(
        b"<item " + b" ".join(b'a%d="x"' % n for n in range(1_000_000)) + b"/>"
    ),
    "many_namespaces": lambda: (
        b"<rss "
        + b" ".join(b'xmlns:a%d="x"' % n for n in range(50_000))
        + b"><channel>"
        + b"<item><title>a</title></item>" * 500
        + b"</channel></rss>"
    ),
    "many_categories": lambda: _item(b"<category>abc</category>" * 100_000),
    "many_descriptions": lambda: _item(b"<description>&lt;b&gt;x</description>" * 60_000),
    "many_empty_elements": lambda: _item(b"<a/>" * 3_000_000),
    "many_end_tags": lambda: _channel(b"</x>" * 2_500_000),
    "many_open_comments": lambda: _item(b"<description>" + b"<!--" * 100_000),
    "many_open_comments_before_an_end": lambda: _item(
        b"<description>" + b"<!-- <item " * 400_000 + b"-->"
    ),
    "many_ends_of_items": lambda: _channel(b"<item></item>" + b"</item>" * 1_000_000),
    "many_starts_before_an_end": lambda: _channel(b"<item>" * 800_000 + b"</item>"),
    "many_open_cdata": lambda: _item(b"<description>" + b"<![CDATA[" * 100_000),
    "many_open_quotes": lambda: _channel(b'<a b="' * 1_000_000),
    "many_less_thans": lambda: _channel(b"<" * 10_000_000),
    "many_ampersands": lambda: _channel(b"<title>" + b"&" * 10_000_000 + b"</title>"),
    "endless_tag": lambda: b"<rss><channel><x " + b"a=b " * 2_500_000,
    "endless_doctype": lambda: b"<!DOCTYPE r [" + b'<!ENTITY a "b">' * 600_000,
    "deep_json": lambda: b"[" * 10_000_000,
    "many_json_items": lambda: (
        b'{"version":"https://jsonfeed.org/version/1","items":[' + b"{}," * 3_000_000 + b"{}]}"
    ),
    "zeros": lambda: b"\0" * 10_000_000,
    "noise": lambda: bytes(range(256)) * 40_000,
}


def _item(inner: bytes) -> bytes:
    return _channel(b"<item><title>a</title>" + inner + b"</item>")


def _channel(inner: bytes) -> bytes:
    return b"<rss><channel>" + inner + b"</channel></rss>"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_hostile_document_stays_within_its_bounds(name: str) -> None:
    """A feed or NotAFeed comes out within a second and 64 MiB beside the document (SEC-17)."""
    child = subprocess.run(
        [sys.executable, "-m", __name__, name],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert (0, "") == (child.returncode, child.stderr)
    mebibytes, seconds = map(float, child.stdout.split())
    assert mebibytes <= _MEBIBYTES
    assert seconds <= _SECONDS


def _peak() -> float:
    """Mebibytes of memory that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _refuse_the_outside(event: str, arguments: tuple[object, ...]) -> None:
    # Modules may still be imported, such as the codec of an encoding.
    is_module = event == "open" and str(arguments[0]).startswith((sys.prefix, sys.base_prefix))
    if event in {"open", "socket.connect", "socket.getaddrinfo"} and not is_module:
        raise AssertionError(f"{event} {arguments[0]}")


def _measure(name: str) -> None:
    from contextlib import suppress

    from wireroom.errors import NotAFeed
    from wireroom.feeds import parse

    url = "https://feed.example/"
    parse.read(_item(b"<description>&lt;b&gt;x\xff&lt;iframe&gt;</description>"), url=url)
    body = DOCUMENTS[name]()
    before = _peak()
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    sys.addaudithook(_refuse_the_outside)
    fastest = float("inf")
    for _ in range(3):
        begin = process_time()
        with suppress(NotAFeed):
            parse.read(body, url=url)
        fastest = min(fastest, process_time() - begin)
        if fastest <= _SECONDS:
            break
    print(_peak() - before, fastest)


if __name__ == "__main__":
    _measure(sys.argv[1])


def test_nothing_that_is_read_of_json_holds_a_nul() -> None:
    """JSON can spell U+0000, which no PostgreSQL text can hold: it becomes U+FFFD, as in HTML."""
    text = "a\0b"
    entry = {
        "id": text,
        "url": f"https://example.org/{text}",
        "title": text,
        "content_html": text,
        "language": text,
        "tags": [text],
        "authors": [{"name": text, "url": text}],
        "attachments": [{"url": text, "mime_type": text, "title": text}],
    }
    version = "https://jsonfeed.org/version/1.1"
    feed = {"version": version, "title": text, "language": text, "items": [entry]}
    parsed = parse.read(json.dumps(feed).encode(), url="https://example.org/feed")

    assert ["a\ufffdb"] == [item.guid for item in parsed.items]
    assert "\\x00" not in repr(parsed)
