"""Answers that are too long for Discord end where nothing breaks."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.servers.discord_markdown import shown
from wireroom.channels.discord.bot.embeds import address, embed
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.cutting import shortened
from wireroom.channels.discord.markdown import escaped, markdown
from wireroom.delivery.htmltext import parse
from wireroom.delivery.richtext import units
from wireroom.feeds.model import SafeHtml


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        pytest.param("hello world", 11, "hello world", id="what fits stays"),
        pytest.param("hello world", 8, "hello w…", id="plain text"),
        pytest.param("hello world", 7, "hello…", id="no blank before the ellipsis"),
        pytest.param("**hello world** and more", 12, "**hello w…**", id="bold"),
        pytest.param("||~~__hello__~~|| more", 15, "||~~__he…__~~||", id="nested"),
        pytest.param("***hello*** and more", 10, "***hel…***", id="bold and italic"),
        pytest.param("`hello world` and more", 9, "`hello…`", id="code"),
        pytest.param("`` a`b c d e `` and", 12, "`` a`b c…``", id="code with a tick in it"),
        pytest.param("```py\na = 1\nb = 2\n```", 16, "```py\na = 1…\n```", id="fence"),
        pytest.param(
            "> ```\n> a = 1\n> b\n> ```", 21, "> ```\n> a = 1…\n> ```", id="quoted fence"
        ),
        pytest.param("a [link](https://e.org/abc) b", 20, "a…", id="a link is whole"),
        pytest.param("see https://e.org/a_long_path", 20, "see…", id="an address is whole"),
        pytest.param("by <@&1234567890> and", 12, "by…", id="a mention is whole"),
        pytest.param("it is <t:1234567:R> now", 15, "it is…", id="a time is whole"),
        pytest.param(r"a\*\*\* b", 5, r"a\*…", id="an escaped sign is whole"),
        pytest.param("2 * 3 ** 4 and so on", 12, "2 * 3 ** 4…", id="signs that mean nothing"),
        pytest.param("snake_case_words are long", 14, "snake_case_wo…", id="underscores"),
        pytest.param("hello\n## more of it", 10, "hello…", id="no head without its line"),
        pytest.param("🇩🇪🇩🇪🇩🇪", 7, "🇩🇪…", id="a flag is whole"),
    ],
)
def test_shortened(text: str, most: int, expected: str) -> None:
    """What is open is closed, what is whole stays whole."""
    assert expected == shortened(text, most)


def _written() -> st.SearchStrategy[str]:
    """Markdown as our answers have it: words of others escaped, signs of our own."""
    words = st.text(st.sampled_from("ab ä🙂*_~|`[]()<>\\#-1."), max_size=12).map(escaped)
    code = st.text(st.sampled_from("ab .-"), min_size=1, max_size=9).filter(str.strip)
    leaves = st.one_of(
        words,
        code.map(lambda text: f" `{text.strip()}` "),
        code.map(lambda text: f"\n```py\n{text.strip()}\nx\n```\n"),
        code.map(lambda text: f"\n> ```\n> {text.strip()}\n> x\n> ```\n"),
        st.sampled_from(
            [
                "\n",
                "\n> ",
                "\n- ",
                "\n## ",
                " <#123>",
                " <t:1700000000:R>",
                " <https://e.org/a_b>",
                "[ab c](https://e.org/x_y)",
                " https://e.org/a?b=c ",
                " 2 * 3 ",
                "snake_case",
            ]
        ),
    )

    def marked(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        flat = inner.map(lambda text: "".join(text.split("\n")).strip()).filter(
            lambda text: bool(text) and not any(each in text for each in "*_~|`>#")
        )
        bold = st.sampled_from(["**", "__", "~~", "||", "*", "***"])
        return st.builds(lambda sign, text: f" {sign}{text}{sign} ", bold, flat)

    return st.lists(st.one_of(leaves, marked(leaves)), max_size=12).map("".join)


@given(_written(), st.integers(12, 90))
@example("**a `b` c** d e f g", 12)
def test_what_is_left_looks_as_before(text: str, most: int) -> None:
    """Every visible character but the ellipsis has the look that it had, in the same order."""
    cut = shortened(text, most)
    left = shown(cut)

    assert units(cut) <= most
    if cut != text.strip():
        (*left, last) = left
        assert "…" == last[0]
    assert shown(text.strip())[: len(left)] == left


@given(st.integers(20, 120))
def test_a_page_of_a_publisher(most: int) -> None:
    """The same for what is made of HTML."""
    html = (
        "<h2>News <i>of</i> it</h2><p><b>Bold <i>both</i></b> and <s>gone</s> "
        "<a href='https://e.org/a'>a link</a></p><ul><li>one <u>two</u><li>three</ul>"
        "<blockquote>said <b>loud</b><pre><code class='language-py'>a = 1\nb = 2</code></pre>"
        "</blockquote><p><code>c`d</code> <span class=spoiler>end of it</span>"
    )
    text = markdown(parse(SafeHtml(html)).blocks)
    *left, _ = shown(shortened(text, most))

    assert shown(text)[: len(left)] == left


@pytest.mark.parametrize(
    ("place", "most"),
    [("content", 2000), ("title", 256), ("description", 4096), ("name", 256), ("value", 1024)],
)
def test_answers_are_cut_so(place: str, most: int) -> None:
    """Texts and every part of an embed that shows markdown; footers show none and are left so."""
    text = "**" + "x" * 5000 + "**"
    made = embed(text, [(text, "v", False), ("n", text, False)], text=text, footer=text)
    parts = {
        "content": Reply(text).arguments()["content"],
        "title": made["title"],
        "description": made["description"],
        "name": embed("t", [(text, "v", False)])["fields"][0]["name"],
        "value": embed("t", [("n", text, False)])["fields"][0]["value"],
    }

    assert "**" + "x" * (most - 5) + "…**" == parts[place]
    assert made["footer"]["text"].endswith("x…")


def test_a_long_address_leads_nowhere() -> None:
    """A part of it would lead astray."""
    assert "<https://e.org/a>" == address("https://e.org/a", 20)
    assert "`https://e.org/aaaaa…`" == address("https://e.org/" + "a" * 90, 20)
