"""The adapters on whole documents of the shapes that their publishers write."""

import pytest

from wireroom.feeds import adapters, parse
from wireroom.feeds.adapters import parsed
from wireroom.feeds.model import Item, ParsedFeed

F5 = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>Vendor knowledge: security</title><link>https://vendor.example/articles</link>
<description>New and changed articles</description>
<copyright>Copyright 2026 Vendor, Inc.</copyright><ttl>60</ttl>
<item><title>K1: a kernel flaw</title><link>https://vendor.example/articles/K1</link>
<description>Tracked as cve-2026-12345; no fix &amp; no workaround yet</description>
<guid>K1</guid><pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate></item>
<item><title>K2: CVE-2026-0001 in a library</title><link>https://vendor.example/articles/K2</link>
<description>Fixed in 17.1</description><pubDate>Sun, 29 Nov 2026 08:00:00 GMT</pubDate></item>
<item><title>K3: release notes</title><link>https://vendor.example/articles/K3</link>
<description>CVE-26-1 is no such name</description><guid>K3</guid></item>
</channel></rss>"""

ROYALROAD = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel>
<title>A long tale</title><link>https://fiction.example/fiction/1</link>
<description>Newest chapters</description><generator>Fiction host</generator>
<item><guid isPermaLink="false">2001</guid><link>https://fiction.example/chapter/2001</link>
<title>A long tale - Chapter 2</title>
<description>&lt;p&gt;She &lt;em&gt;ran&lt;/em&gt;
&lt;span&gt;far.&lt;/span&gt;&lt;/p&gt;</description>
<pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate></item>
<item><guid isPermaLink="true">https://fiction.example/chapter/2000</guid>
<title>A long tale - Chapter 1</title><description>&lt;p&gt;Once.&lt;/p&gt;</description>
<pubDate>the other day</pubDate></item>
</channel></rss>"""

UBUNTU = """<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:atom="http://www.w3.org/2005/Atom" version="2.0"><channel>
<title>Security notices</title><link>https://notices.example/security/notices</link>
<description>Recent content</description><copyright>2026 Publisher Ltd.</copyright>
<docs>http://www.rssboard.org/rss-specification</docs><generator>Feedgen</generator>
<item><title>USN-1-1: a flaw</title><link>https://notices.example/security/notices/USN-1-1</link>
<description>A flaw was fixed (CVE-2026-0001)</description>
<guid isPermaLink="false">https://notices.example/security/notices/USN-1-1</guid>
<pubDate>Mon, 30 Nov 2026 08:00:00 +0000</pubDate></item>
<item><title>USN-2-1: another</title><link>https://notices.example/security/notices/USN-2-1</link>
<description>No number was assigned</description>
<guid isPermaLink="false">https://notices.example/security/notices/USN-2-1</guid></item>
</channel></rss>"""


def _read(document: str) -> ParsedFeed:
    return parse.read(document.encode(), url="https://feed.example/rss")


def _stories(items: tuple[Item, ...]) -> list[tuple[str, str, bool]]:
    """(what it goes by, its text, whether it has a date)."""
    return [(item.guid or item.link, item.body, item.published is not None) for item in items]


@pytest.mark.parametrize(
    ("name", "document", "expected"),
    [
        pytest.param(
            "f5",
            F5,
            [
                ("K1", "Tracked as cve-2026-12345; no fix &amp; no workaround yet", True),
                ("https://vendor.example/articles/K2", "Fixed in 17.1", True),
            ],
            id="f5 keeps what names a CVE, by guid or link (ADP-10)",
        ),
        pytest.param(
            "royalroad",
            ROYALROAD,
            [
                ("2001", "<p>She <em>ran</em>\n<span>far.</span></p>", True),
                ("https://fiction.example/chapter/2000", "<p>Once.</p>", False),
            ],
            id="royalroad keeps all, with HTML (ADP-11, ADP-12)",
        ),
        pytest.param(
            "ubuntu",
            UBUNTU,
            [
                (
                    "https://notices.example/security/notices/USN-1-1",
                    "A flaw was fixed (CVE-2026-0001)",
                    True,
                ),
                (
                    "https://notices.example/security/notices/USN-2-1",
                    "No number was assigned",
                    False,
                ),
            ],
            id="ubuntu keeps all, by the notice's address (ADP-13)",
        ),
    ],
)
def test_the_publishers_shape(name: str, document: str, expected: list[object]) -> None:
    """What is kept, what each item goes by, its text, and whether its date could be read."""
    found = adapters.apply(name, _read(document))

    assert expected == _stories(found.items)
    assert () == found.warnings


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param(F5, {"rights": "Copyright 2026 Vendor, Inc.", "ttl": "60"}, id="f5"),
        pytest.param(ROYALROAD, {"generator": "Fiction host"}, id="royalroad"),
        pytest.param(
            UBUNTU,
            {
                "rights": "2026 Publisher Ltd.",
                "generator": "Feedgen",
                "docs": "http://www.rssboard.org/rss-specification",
            },
            id="ubuntu",
        ),
    ],
)
def test_adapters_see_the_channels_own_facts(document: str, expected: dict[str, str]) -> None:
    """Copyright, ttl, generator and docs under feedparser's names, and only where they are said
    (ADP-10)."""
    channel = parsed.from_feed(_read(document)).feed
    shown = {
        name: channel[name] for name in ("rights", "ttl", "generator", "docs") if name in channel
    }

    assert expected == shown
