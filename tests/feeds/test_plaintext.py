"""Markup becomes the text that a reader would see, and invisible characters do not survive."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireroom.feeds import sanitize

TEXTS = {
    "plain": ("Plain title", "Plain title"),
    "blanks": ("  a \n\t b\xa0c  ", "a b c"),
    "comparison": ("1 < 2 & <b", "1 < 2 & <b"),
    "escaped_comparison": ("1 &lt; 2 &amp; 3", "1 < 2 & 3"),
    "twice_escaped": ("AT&amp;amp;T", "AT&T"),
    "three_times_escaped": ("a &amp;amp;amp; b", "a &amp; b"),
    "twice_escaped_tags": ("&lt;b&gt;Hi&lt;/b&gt; you", "Hi you"),
    "numeric_entities": ("caf&#233; &#x2014; &hellip;", "café — …"),
    "inline_tags_join": ("foo<b>bar</b>", "foobar"),
    "block_tags_part": ("<p>a</p><p>b<br>c</p>", "a b c"),
    "type_parameters": ("vector<int> and List<T>", "vector<int> and List<T>"),
    "only_a_tag": ("&lt;title&gt;", "<title>"),
    "angle_in_attribute": ('<a title="x > y" href="/z">t</a>', "t"),
    "lone_quote_in_tag": ("it's <a href=x it's>k</a>", "it's k"),
    "scripts_go": ("a<script>var b = '<p>'</script>c<style>p{}</style>", "a c"),
    "comments_go": ("x<!-- c > d -->y", "xy"),
    "cdata": ("<![CDATA[x & y]]>", "x & y"),
    "only_an_image": ('<img src="/a.png">', ""),
    "control_characters": ("a\x00b\x0bc\x1fd", "a b c d"),
    "spoken_of": ("How to center a &lt;div&gt;", "How to center a <div>"),
    "spoken_of_twice_escaped": ("The &amp;lt;img&amp;gt; tag &amp;amp; co", "The <img> tag & co"),
    "not_spoken_of": ("<div>a</div><table>b</table>", "a b"),
    "formatting_cut_short": ("<b>Breaking", "Breaking"),
    "next_line": ("a\x85b", "a b"),
}
INVISIBLE = {
    "zero_width_space": ("a\u200bb", "a b"),
    "word_joiner": ("a\u2060b", "a b"),
    "byte_order_mark": ("\ufefftitle", "title"),
    "escaped_blank": ("a&#32;b", "a b"),
    "escaped_zero_width": ("a&#8203;b", "a b"),
    "joiner_between_latin": ("a\u200db", "a b"),
    "non_joiner_between_latin": ("a\u200cb", "a b"),
    "nothing_but_invisible": ("\u200b\u200c\u200d\u2060\ufeff&#32;", ""),
    "persian_keeps_its_non_joiner": ("می\u200cخواهم", "می\u200cخواهم"),
    "persian_loses_it_at_the_end": ("می\u200c ", "می"),
    "hindi_keeps_its_joiner": ("क्\u200dष", "क्\u200dष"),
    "malayalam_chillu_at_the_end": ("അവന്\u200d പോയി", "അവന്\u200d പോയി"),
    "family_emoji": ("👩\u200d👩\u200d👧 x", "👩\u200d👩\u200d👧 x"),
    "emoji_with_sign": ("👩🏽\u200d⚕️", "👩🏽\u200d⚕️"),
    "emoji_then_letter": ("👩\u200da", "👩 a"),
    "override": ("\u202egnp.exe\u202c", "gnp.exe"),
    "isolates": ("\u2067a\u2069", "a"),
    "soft_hyphen": ("Donau\u00addampfer", "Donaudampfer"),
}


@pytest.mark.parametrize(("raw", "expected"), TEXTS.values(), ids=TEXTS.keys())
def test_text_of_markup(raw: str, expected: str) -> None:
    """Known tags go, entities are decoded at most twice, and what only looks like markup stays."""
    assert expected == sanitize.text(raw)


@pytest.mark.parametrize(("raw", "expected"), INVISIBLE.values(), ids=INVISIBLE.keys())
def test_invisible_characters(raw: str, expected: str) -> None:
    """Invisible characters become blanks, unless they shape the letters beside them (PRS-31)."""
    assert expected == sanitize.text(raw)


@given(st.text(max_size=200))
def test_any_text_comes_out_clean(raw: str) -> None:
    """Nothing raises, and the result is one trimmed line without control characters."""
    cleaned = sanitize.text(raw)

    assert cleaned == " ".join(cleaned.split())
    assert not any(character < " " for character in cleaned)


_VISIBLE = st.characters(exclude_characters="<&", categories=("L", "N", "Po", "Zs"))


@given(st.text(alphabet=_VISIBLE))
def test_visible_text_stays(raw: str) -> None:
    """Letters, numbers and punctuation come through unchanged."""
    assert " ".join(raw.split()) == sanitize.text(raw)


@given(st.text(alphabet=" \t\n\xa0\u3000\u200b\xadab<&;é\U0001f600", max_size=12))
def test_quick_look_says_what_the_long_one_says(raw: str) -> None:
    """Blanks in front, which no quick look lets pass, change nothing."""
    assert sanitize.text(f" \n {raw}") == sanitize.text(raw)


def test_a_megabyte_is_read_at_once() -> None:
    """A megabyte of opening brackets takes moments; the bound is generous for slow machines."""
    begin = time.monotonic()
    sanitize.text("<" * 1_000_000)
    sanitize.text("<a href='" * 100_000)

    assert time.monotonic() - begin < 30
