import pytest

from wireroom.channels.discord.markdown import escaped, escaped_words, fitting, markdown
from wireroom.delivery.htmltext import parse
from wireroom.delivery.richtext import units
from wireroom.feeds.model import SafeHtml


def _markdown(html: str) -> str:
    return markdown(parse(SafeHtml(html)).blocks)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<b>a</b> <i>b</i> <u>c</u> <s>d</s>", "**a** *b* __c__ ~~d~~", id="marks"),
        pytest.param("<b> a </b>b", "**a** b", id="blanks stay outside of the signs"),
        pytest.param("<b></b>a", "a", id="empty marks vanish"),
        pytest.param("<b>a</b><i>b</i>", "**a**\u200b*b*", id="signs do not run into one"),
        pytest.param("<b>a<br>b</b>", "**a**\n**b**", id="marks line by line"),
        pytest.param("<span class=spoiler>a</span>", "||a||", id="spoiler"),
        pytest.param(
            "<h1>a</h1><h3>b</h3><h4>c</h4>d", "# a\n\n### b\n\n**c**\n\nd", id="headings"
        ),
        pytest.param(
            "<ul><li>a<ul><li>b</ul></ul><ol><li>c</ol>", "- a\n  - b\n1. c", id="nested lists"
        ),
        pytest.param(
            "<blockquote>a<br>b<p>c</blockquote>d",
            "> a\n> b\n> \n> c\nd",
            id="quotes on each line",
        ),
        pytest.param(
            "<pre><code class='language-py'>a\n```b</code></pre>",
            "```py\na\n`\u200b``b\n```",
            id="a fence within a fence is broken",
        ),
        pytest.param("<code>a</code> <code>b`c</code>", "`a` `` b`c ``", id="code"),
        pytest.param(
            '<a href="https://e.org/a_(b)?x=1&amp;y">t [x]</a>',
            "[t \\[x\\]](https://e.org/a_%28b%29?x=1&y)",
            id="links",
        ),
        pytest.param(
            '<a href="https://evil.example/">https://bank.example/</a>',
            "<https://evil.example/>",
            id="an address that is linked elsewhere shows where",
        ),
        pytest.param("see https://e.org/a_b_c.", "see <https://e.org/a_b_c>.", id="bare address"),
        pytest.param("<table><tr><td>1<td>2</table>", "1 │ 2", id="table"),
        pytest.param("a<hr>b", "a\n\n───\n\nb", id="rule"),
    ],
)
def test_markdown(html: str, expected: str) -> None:
    """Each element has its markdown."""
    assert expected == _markdown(html)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a* _b_ ~c~ |d| `e` \\", r"\*a\* \_b\_ \~c\~ \|d\| \`e\` \\"),
        ("@everyone <@&1> <t:1:R> [x](y)", r"\@everyone \<\@&1\> \<t:1:R\> \[x\](y)"),
        ("# a\n-# b\n- c\n+ d\n> e", "\\# a\n\\-# b\n\\- c\n\\+ d\n\\> e"),
        ("1. a\n23) b", "1\\. a\n23\\) b"),
        ("a - b # c 1.5", "a - b # c 1.5"),
    ],
)
def test_escaping(text: str, expected: str) -> None:
    """A feed's text shows as it was written: no mention, list, heading or link comes of it."""
    assert expected == escaped(text)


def test_addresses_in_titles_are_text() -> None:
    """A title shows an address, and does not wrap it."""
    assert r"https://e.org/a\_b" == escaped_words("https://e.org/a_b")


def test_fitting_counts_what_is_written() -> None:
    """Escapes and addresses count, and the cut is made before they are written (trap 12)."""
    blocks = parse(SafeHtml("<b>" + "a_b " * 500 + "</b>")).blocks
    text = fitting(blocks, 1000, ellipsis=" …")

    assert 950 < units(text) <= 1000
    assert text.startswith("**a\\_b ")
    assert text.endswith("a\\_b** …")
