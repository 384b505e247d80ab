"""What passes at a glance is what passes when every attribute is looked at."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wireroom.feeds import attributes, sanitize

BASE = "https://site.example/blog/post"
_NEVER = re.compile(r"(?!)")
_EVERY_TAG = re.compile(
    r"<(a(?= )|img|(?:audio|blockquote|code|del|iframe|ins|q|source|track|video)(?= ))([^>]*)>"
)

_hosts = st.sampled_from(
    [
        "h.example",
        "feeds.feedburner.com",
        "a.facebook.com",
        "ad.doubleclick.net",
        "H.example",
        "1.2",
        "xn--a.b",
        "h.example:80",
        "u@h.example",
        "",
    ]
)
_rests = st.text(alphabet="/.?&#;=%~'\"<> éa", max_size=6) | st.sampled_from(
    ["/~r/x", "/~r?x", "/tr", "/tr?id=1&b", "/trx", "?utm_id=1", "/?a=1&UTM_x=2", "/x?y;fbclid=1"]
)
_schemes = st.sampled_from(["https://", "http://", "//", "HTTP://"])
_others = ["", "/a", "#b", "mailto:a@b.example", "javascript:x", "data:image/png;base64,A="]
_addresses = st.builds("{}{}{}".format, _schemes, _hosts, _rests) | st.sampled_from(_others)
_sizes = st.sampled_from(["0", "1", "2", "3", "20", "100%", "1px", "", "123456"])
_words = st.text(alphabet="ab<>&\"'= \xa0", max_size=4)
_written = (
    st.tuples(st.sampled_from(["href", "src", "poster", "cite"]), _addresses)
    | st.tuples(st.sampled_from(["width", "height"]), _sizes)
    | st.tuples(st.sampled_from(["title", "alt", "lang", "dir", "class", "loading"]), _words)
)


def _element(tag: str, written: list[tuple[str, str]]) -> str:
    values = "".join(
        f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"'
        for name, value in written
    )
    return f"<{tag}{values}>x"


_bodies = st.lists(
    st.builds(
        _element,
        st.sampled_from(["a", "a", "img", "img", "video", "code", "iframe", "q", "abbr"]),
        st.lists(_written, max_size=4, unique_by=lambda pair: pair[0]),
    ),
    max_size=4,
).map("".join)


@settings(max_examples=400)
@given(_bodies, st.sampled_from([BASE, ""]))
def test_a_glance_says_what_looking_at_each_attribute_says(body: str, base: str) -> None:
    """No link and no picture that the quick patterns let pass would be changed or taken out."""
    cleaned = sanitize._CLEANER.clean(body)
    at_a_glance = attributes.with_checked_attributes(cleaned, base)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attributes, "_TAG", _EVERY_TAG)
        patch.setattr(attributes, "_SETTLED_LINK", _NEVER)
        patch.setattr(attributes, "_SETTLED_PICTURE", _NEVER)
        looked_at = attributes.with_checked_attributes(cleaned, base)

    assert looked_at == at_a_glance


NEARLY_SETTLED = {
    "tracker_behind_an_entity": ("a", 'href="https://h.example/?a=1&amp;utm_id=2"'),
    "tracker_in_capitals": ("a", 'href="https://h.example/?FBCLID=2"'),
    "tracker_behind_a_fragment": ("a", 'href="https://h.example/#a?utm_id=2"'),
    "second_address": ("a", 'href="https://h.example/" href="javascript:x"'),
    "angle_in_title": ("a", 'title="><script>x</script>" href="https://h.example/"'),
    "quote_in_title": ("a", 'title=\'" href="javascript:x\' href="https://h.example/"'),
    "counting_folder": ("img", 'src="https://feeds.feedburner.com/~r/x?y=1"'),
    "counter_with_query": ("img", 'src="https://b.doubleclick.net/x?y=1"'),
    "one_pixel_with_candidates": ("img", 'srcset="https://h.example/a 2x" width="1"'),
    "candidate_that_runs": ("img", 'src="https://h.example/a" srcset="javascript:x 1x"'),
}


@pytest.mark.parametrize(("tag", "written"), NEARLY_SETTLED.values(), ids=NEARLY_SETTLED.keys())
def test_what_is_nearly_settled_is_looked_at(tag: str, written: str) -> None:
    """Of addresses that look as if they might stay none keeps a tracker, a counter or a script."""
    cleaned = sanitize.html(f"x<{tag} {written}>t", base_url=BASE)

    refused = r"""(?i)[?&;]utm_id|fbclid|"javascript:|<script|doubleclick|~r|1x"""
    assert not re.search(refused, cleaned)
