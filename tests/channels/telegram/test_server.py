"""The stand-in for Telegram refuses what Telegram does, or the other tests prove nothing."""

import pytest

from tests.servers.telegram_html import CannotParse, read_html, read_plain


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a<br>b", 'unsupported start tag "br" at byte offset 1'),
        ("ж<p>b</p>", 'unsupported start tag "p" at byte offset 2'),
        ("<!-- x -->", 'unsupported start tag "!--" at byte offset 0'),
        ("<b>a", 'can\'t find end tag corresponding to start tag "b"'),
        ("<b><i>a</b></i>", 'unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("a</b>", "unexpected end tag at byte offset 1"),
        ("<span>a</span>", 'tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("1 <", "unclosed start tag at byte offset 2"),
        ('<a href="x>y</a>', 'unclosed attribute in the tag "a" at byte offset 0'),
        ("<a href=/x>y</a>", 'unquoted attribute in the tag "a" at byte offset 0'),
    ],
)
def test_refusals(raw: str, expected: str) -> None:
    """Torn or unknown markup fails as a whole."""
    with pytest.raises(CannotParse) as refusal:
        read_html(raw)

    assert expected == str(refusal.value)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("&lt;&amp;&#39;&#x27;&nbsp;&mdash;", "<&''&nbsp;&mdash;"),
        ("  a\tb\r\n\u2028c  ", "a b\nc"),
        ("\u200b \n", ""),
        ("<b></b>", ""),
    ],
)
def test_text(raw: str, expected: str) -> None:
    """Few entities are known, white space is normalised, invisible text is empty."""
    assert expected == read_html(raw).text


def test_entities_count_utf16() -> None:
    """Offsets are UTF-16 units of the trimmed text."""
    parsed = read_html(' 😀<b>ж<a href="https://e.org">x</a></b>')

    assert [("bold", 2, 2), ("text_link", 3, 1)] == [
        (e.kind, e.offset, e.length) for e in parsed.entities
    ]


@pytest.mark.parametrize(
    "raw",
    [
        "<b><code>x</code></b>",
        "<pre><b>x</b></pre>",
        '<a href="https://e.org"><blockquote>x</blockquote></a>',
        "<blockquote><blockquote>x</blockquote>y</blockquote>",
        '<a href="relative">x</a>',
        '<a href="http://localhost/">x</a>',
        "<b>x</b> " * 101,
        "&#65;" * 7000,
    ],
)
def test_silent_losses_are_noted(raw: str) -> None:
    """What Telegram would drop or mend without a word is told to the test."""
    assert read_html(raw).lost


def test_language_of_a_code_block() -> None:
    """`pre` and `code` over the same text are one entity with a language."""
    (entity,) = read_html('<pre><code class="language-py">x</code></pre>').entities

    assert ("pre", "py") == (entity.kind, entity.language)


def test_plain_text_knows_no_markup() -> None:
    """Without parse mode everything is text."""
    assert "1 < 2 &amp; <b" == read_plain("1 < 2 &amp; <b").text
