"""Addresses: what a person may type, what is the same feed, and what a document refers to."""

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wireroom.errors import InvalidURL
from wireroom.feeds import trackers, urls

TYPED = {
    "complete": ("https://example.org/feed", "https://example.org/feed"),
    "http_stays": ("http://example.org/feed", "http://example.org/feed"),
    "no_scheme": ("example.org/feed", "https://example.org/feed"),
    "no_scheme_with_port": ("example.org:8080/feed", "https://example.org:8080/feed"),
    "protocol_relative": ("//example.org/feed", "https://example.org/feed"),
    "feed_scheme": ("feed://example.org/feed", "https://example.org/feed"),
    "feed_scheme_short": ("feed:example.org/feed", "https://example.org/feed"),
    "feed_scheme_around_http": ("feed:http://example.org/feed", "http://example.org/feed"),
    "blanks_around": ("  https://example.org/ \n", "https://example.org/"),
    "upper_case": ("HTTPS://Example.ORG/Feed", "https://example.org/Feed"),
    "default_port": ("http://example.org:80/x", "http://example.org/x"),
    "fragment_goes": ("https://example.org/x#top", "https://example.org/x"),
    "international_name": ("münchen.example/ä", "https://xn--mnchen-3ya.example/%C3%A4"),
    "localhost": ("http://localhost:8000/rss", "http://localhost:8000/rss"),
    "ipv4": ("http://192.0.2.7/rss", "http://192.0.2.7/rss"),
    "ipv6": ("http://[2001:db8::1]/rss", "http://[2001:db8::1]/rss"),
    "numeric_host_is_unmasked": ("http://2130706433/", "http://127.0.0.1/"),
    "query_stays": ("https://example.org/?b=2&a=1", "https://example.org/?b=2&a=1"),
}
REFUSED = {
    "too_long_once_encoded": "https://example.org/" + "é" * 1500,
    "too_long_as_https": "http://example.org/" + "a" * 2029,
    "nothing": "",
    "blanks": "   ",
    "ftp": "ftp://example.org/feed",
    "javascript": "javascript:alert(1)",
    "file": "file:///etc/passwd",
    "data": "data:text/xml,<rss/>",
    "mail": "mailto:a@example.org",
    "user": "https://user@example.org/",
    "user_and_password": "https://user:secret@example.org/",
    "user_without_scheme": "user:secret@example.org",
    "single_label": "https://intranet/feed",
    "single_label_without_scheme": "feed",
    "empty_label": "https://a..example/",
    "long_label": f"https://{'a' * 64}.example/",
    "long_host": f"https://{'a.' * 130}example/",
    "port_too_high": "https://example.org:65536/",
    "port_zero": "https://example.org:0/",
    "port_no_number": "https://example.org:http/",
    "junk_brackets": "https://[junk/",
    "no_host": "https://",
    "control": "https://example.org/\x07",
    "line_break": "https://example.org/\nx",
    "blank_inside": "https://example.org/a b",
    "double_quote": 'https://example.org/"x',
    "single_quote": "https://example.org/'x",
    "curly_quote": "https://example.org/“x”",
    "angles": "<https://example.org/>",
    "backslash": "https:\\\\example.org\\x",
    "too_long": "https://example.org/" + "a" * 2_029,
}
CANONICAL = {
    "http_becomes_https": ("http://example.org/feed", "https://example.org/feed"),
    "host_case_and_dot": ("https://Example.ORG./Feed", "https://example.org/Feed"),
    "default_port": ("https://example.org:443/", "https://example.org/"),
    "http_default_port": ("http://example.org:80/", "https://example.org/"),
    "other_port": ("http://example.org:8080/", "https://example.org:8080/"),
    "www_of_an_apex": ("https://www.example.org/", "https://example.org/"),
    "www_of_an_apex_below_two_labels": ("https://www.bbc.co.uk/x", "https://bbc.co.uk/x"),
    "www_of_a_subdomain_stays": ("https://www.news.example.org/", "https://www.news.example.org/"),
    "www_of_a_suffix_stays": ("https://www.co.uk/", "https://www.co.uk/"),
    "www_of_a_private_suffix_stays": ("https://www.github.io/", "https://www.github.io/"),
    "www_of_a_hosted_site": ("https://www.me.github.io/", "https://me.github.io/"),
    "www_of_a_tld_stays": ("https://www.com/", "https://www.com/"),
    "query_sorted_by_name_then_value": (
        "https://example.org/?b=2&a=2&a=1&c=",
        "https://example.org/?a=1&a=2&b=2&c=",
    ),
    "query_sorted_as_decoded": (
        "https://example.org/?%62=1&a=1",
        "https://example.org/?a=1&%62=1",
    ),
    "blank_values_stay": ("https://example.org/?b&a=", "https://example.org/?a=&b"),
    "empty_query": ("https://example.org/x?", "https://example.org/x"),
    "fragment": ("https://example.org/x#y", "https://example.org/x"),
    "empty_path": ("https://example.org", "https://example.org/"),
    "folder": ("https://example.org/dir/", "https://example.org/dir/"),
    "no_folder": ("https://example.org/dir", "https://example.org/dir"),
    "path_case": ("https://example.org/A/b", "https://example.org/A/b"),
    "international_name": ("http://www.münchen.de/", "https://xn--mnchen-3ya.de/"),
    "ip": ("http://192.0.2.1/", "https://192.0.2.1/"),
    "blanks_around": (" https://example.org/ ", "https://example.org/"),
    "user_info_has_no_key": ("https://u:p@example.org/", ""),
    "other_scheme_has_no_key": ("ftp://example.org/", ""),
    "junk_has_no_key": ("https://[junk", ""),
    "overlong_has_no_key": ("https://example.org/" + "a" * 2_048, ""),
}
BASE = "http://site.example/blog/post?x=1"
REFERENCES = {
    "relative": ("next", "http://site.example/blog/next"),
    "up": ("../a", "http://site.example/a"),
    "rooted": ("/a?b#c", "http://site.example/a?b#c"),
    "query": ("?y=2", "http://site.example/blog/post?y=2"),
    "fragment": ("#fn1", "http://site.example/blog/post?x=1#fn1"),
    "absolute": ("https://other.example/a", "https://other.example/a"),
    "protocol_relative_is_https": ("//other.example/a", "https://other.example/a"),
    "forgotten_scheme": ("www.other.example/a", "https://www.other.example/a"),
    "forgotten_scheme_of_the_own_host": ("Site.example/a/b", "https://site.example/a/b"),
    "a_file_with_a_dot": ("site.html/a", "http://site.example/blog/site.html/a"),
    "blanks_around": (" \u200b\n/a\t", "http://site.example/a"),
    "control_inside": ("/a\r\nb", "http://site.example/ab"),
    "empty": ("", ""),
    "blank": (" \n", ""),
    "mail": ("mailto:a@b.example", ""),
    "script": ("java\nscript:alert(1)", ""),
    "junk": ("http://[junk", ""),
    "surrogate": ("http://\ud800/", ""),
    "megabyte": ("a" * 1_000_000, ""),
}


@pytest.mark.parametrize(("typed", "expected"), TYPED.values(), ids=TYPED.keys())
def test_typed_address_is_completed(typed: str, expected: str) -> None:
    """What a person means is an absolute address of http or https."""
    assert expected == urls.checked(typed)


@pytest.mark.parametrize("typed", REFUSED.values(), ids=REFUSED.keys())
def test_typed_address_is_refused(typed: str) -> None:
    """What would never be dialled is refused in one sentence without its password (IDN-06)."""
    with pytest.raises(InvalidURL) as refusal:
        urls.checked(typed)

    assert str(refusal.value).endswith(".")
    assert "secret" not in str(refusal.value)


def test_longest_address_is_accepted() -> None:
    """2048 characters are still an address."""
    longest = "https://example.org/" + "a" * 2_028

    assert longest == urls.checked(longest)


@pytest.mark.parametrize(("url", "expected"), CANONICAL.values(), ids=CANONICAL.keys())
def test_canonical_key(url: str, expected: str) -> None:
    """Spellings of one feed share a key, what may differ stays apart (IDN-02, IDN-03, IDN-04,
    IDN-05), always with https (C14)."""
    assert expected == urls.canonical(url)


@pytest.mark.parametrize("url", [expected for _, expected in CANONICAL.values() if expected])
def test_canonical_key_is_its_own_key(url: str) -> None:
    """A key, taken as an address, has itself as key."""
    assert url == urls.canonical(url)


@pytest.mark.parametrize(("reference", "expected"), REFERENCES.values(), ids=REFERENCES.keys())
def test_reference_is_resolved(reference: str, expected: str) -> None:
    """A reference in a document becomes an absolute http(s) URL, or nothing."""
    assert expected == urls.resolve(BASE, reference)


_BLANKS = [*filter(str.isspace, map(chr, range(0x3001))), *"\u200b\u200f\u2060\ufeff"]


@pytest.mark.parametrize("blank", _BLANKS, ids=ascii)
def test_every_blank_around_a_reference_goes(blank: str) -> None:
    """Whatever shows nothing at the ends of a reference is no part of it."""
    assert "https://site.example/a" == urls.resolve("https://site.example", f"{blank}a{blank}")


@pytest.mark.parametrize("base", ["", "nonsense", "mailto:a@b.example"])
def test_absolute_reference_needs_no_base(base: str) -> None:
    """A base that is none does not spoil what is absolute already."""
    assert "https://other.example/" == urls.resolve(base, "https://other.example/")
    assert "" == urls.resolve(base, "/a")


def test_other_schemes_on_request() -> None:
    """Only the schemes asked for come through."""
    schemes = frozenset({"https", "mailto"})

    assert "mailto:a@b.example" == urls.resolve_any(BASE, "mailto:a@b.example", schemes)
    assert "" == urls.resolve_any(BASE, "tel:1", schemes)


def test_host_and_lane() -> None:
    """Lower case, without dot, port or user; IPv6 keeps its brackets (HTTP-15)."""
    assert "example.org" == urls.host("https://u:p@Example.ORG.:8443/x")
    assert "example.org" == urls.lane("http://EXAMPLE.org./")
    assert "[2001:db8::1]" == urls.lane("http://[2001:DB8::1]:81/")
    assert "" == urls.host("mailto:a@b.example")


@pytest.mark.parametrize(
    "url",
    [
        "http://www.example.org/a/",
        "https://example.org/a",
        "https://example.org./a#x",
        "http://example.org:80/a",
    ],
)
def test_loose_forms_are_equal(url: str) -> None:
    """Scheme, www., trailing slash and fragment do not make two links of one."""
    assert "example.org/a" == urls.loose(url)


def test_loose_form_of_text() -> None:
    """What is no URL is compared as it stands."""
    assert "tag:example.org,2020:1" == urls.loose(" tag:example.org,2020:1 ")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        pytest.param("https://e.org/a?utm_source=x&UTM_Medium=y", "https://e.org/a", id="all"),
        pytest.param("https://e.org/a?b=1&fbclid=2&c=3#d", "https://e.org/a?b=1&c=3#d", id="some"),
        pytest.param("https://e.org/a?gclid=1#d", "https://e.org/a#d", id="fragment_stays"),
        pytest.param(
            "https://e.org/a?q=utm_source", "https://e.org/a?q=utm_source", id="value_stays"
        ),
        pytest.param("https://e.org/a?&&b", "https://e.org/a?&&b", id="untouched"),
        pytest.param("https://e.org/a", "https://e.org/a", id="no_query"),
    ],
)
def test_trackers_are_cut_off(url: str, expected: str) -> None:
    """Campaign parameters go; everything else keeps its spelling and order."""
    assert expected == urls.without_trackers(url)


def test_pixels_are_known_by_host() -> None:
    """Counters are known by host or by host and folder, subdomains included."""
    assert trackers.is_pixel("ad.doubleclick.net", "/x")
    assert trackers.is_pixel("feeds.feedburner.com", "/~r/x/~4/y")
    assert not trackers.is_pixel("feeds.feedburner.com", "/logo.png")
    assert not trackers.is_pixel("notdoubleclick.net", "/x")


@given(
    st.text(max_size=120) | st.text(alphabet="htps:/@?#[]%.&=w0", max_size=60),
    st.text(max_size=60),
)
@example("..", "")
@example("www..", "")
@example("www.e.org..", "")
def test_nothing_but_checked_raises(text: str, other: str) -> None:
    """Whatever is taken for an address, an answer comes back; `checked` raises only InvalidURL."""
    for url in (text, "http://" + text, "https://e.org/" + text):
        key = urls.canonical(url)
        assert key == urls.canonical(key)
        assert urls.resolve(url, other).startswith(("http://", "https://", ""))
        urls.host(url), urls.lane(url), urls.loose(url), urls.without_trackers(url)
        try:
            typed = urls.checked(url)
        except InvalidURL:
            continue
        assert typed == urls.checked(typed)


_PLAIN = (
    "https://news.example/",
    "http://news.example/feed.xml",
    "https://a-b.c-d.example:8080/cat/12_3/rss.php?id=1&b=%C3%A4/../x",
    "https://news.example/~me/@you/a:b;c=d,e(f)!g*h$i.j+k",
)


@pytest.mark.parametrize("url", _PLAIN)
def test_a_plain_address_is_taken_apart_without_the_parser(url: str) -> None:
    """The parser would leave it as it is, and the parts are those of the parser's answer."""
    assert url == ada_url.normalize_url(url)
    assert urls.split_normalised(url) == urls.split_plain(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://news.example",
        "HTTPS://news.example/",
        "https://News.example/",
        "https://news.example./",
        "https://xn--a.example/",
        "https://a..example/",
        "https://127.1/",
        "https://0x7f.0x1/",
        "https://news.1/",
        "https://[::1]/",
        "https://localhost/",
        "https://me@news.example/",
        "https://news.example:443/",
        "http://news.example:80/",
        "https://news.example:080/",
        "https://news.example:65536/",
        "https://news.example/a/../b",
        "https://news.example/a/.",
        "https://news.example/%2e%2e/b",
        "https://news.example//.",
        "https://news.example/a b",
        "https://news.example/a\\b",
        "https://news.example/ä",
        "https://news.example/a'?b='",
        "https://news.example/?",
        "https://news.example/#a",
        "ftp://news.example/",
        " https://news.example/",
        "https://news.example/\n",
    ],
)
def test_all_others_are_left_to_the_parser(url: str) -> None:
    """Whatever the parser may write in another way, refuse, or read as a number."""
    assert urls.split_plain(url) is None


@given(
    st.sampled_from(("a.b", "h1.x.example", "1.2", "a.0x1", "a-.b", "-a.b", "a..b", "a.e9")),
    st.sampled_from(("", ":80", ":443", ":0", ":8080", ":59999", ":65536", ":080")),
    st.text("/.%2eaZ~:@;'?#\\|^`{<(&=+é"),
)
def test_what_counts_as_plain_is_what_the_parser_leaves_alone(
    host: str, port: str, path: str
) -> None:
    """Addresses put together from what means something to the parser."""
    url = f"https://{host}{port}/{path}"
    parts = urls.split_plain(url)

    if parts is not None:
        assert url == ada_url.normalize_url(url)
        assert urls.split_normalised(url) == parts
