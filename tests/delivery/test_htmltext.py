import time

import pytest
from hypothesis import given

from tests.delivery.samples import long_html, unhurried
from wireroom.delivery.htmltext import MOST_TEXT, parse
from wireroom.delivery.richtext import Block, Image, Span
from wireroom.feeds.model import SafeHtml


def _texts(html: str, **options: bool) -> list[str]:
    return [block.text for block in parse(SafeHtml(html), **options).blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>a<p>b", ["a", "b"], id="paragraphs that nobody closed"),
        pytest.param("<div> a \n b </div>", ["a b"], id="white space is one space"),
        pytest.param("a<br>b<br><br><br>c", ["a\nb\n\nc"], id="breaks, one blank line at most"),
        pytest.param("<p>&nbsp;</p><p> </p>", [], id="nothing visible is no block"),
        pytest.param("x<sup>2</sup> H<sub>2</sub>O", ["x² H₂O"], id="raised and lowered digits"),
        pytest.param("1<sup>st</sup>", ["1st"], id="raised letters that do not exist"),
        pytest.param("<q>so</q>", ["“so”"], id="quotation marks"),
        pytest.param("<script>alert(1)</script>a", ["a"], id="no scripts"),
        pytest.param("1 < 2 & 3 <4", ["1 < 2 & 3 <4"], id="signs that are no tags"),
        pytest.param('<a title="a>b">t</a>', ["t"], id="a quoted end of tag"),
        pytest.param("a<!-- <b>no</b> -->b", ["ab"], id="comments"),
        pytest.param("a<b", ["a"], id="a tag that never ends"),
        pytest.param("<p>😀\ud83d</p>", ["😀"], id="half of a surrogate pair"),
        pytest.param("\u202eabc\u202c", ["abc"], id="bidi overrides"),
        pytest.param("<pre>\n  a\n\tb\n</pre>", ["  a\n    b"], id="preformatted"),
        pytest.param(
            "<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table>", ["A │ B", "1 │ 2"], id="table"
        ),
        pytest.param(
            'a<sup><a href="https://e.org/#fn1">1</a></sup><ol><li>note <a href="https://e.org/#r">↩'
            "</a></ol>",
            ["a¹", "note"],
            id="footnotes",
        ),
    ],
)
def test_text(html: str, expected: list[str]) -> None:
    """HTML becomes the lines that a reader would see."""
    assert expected == _texts(html)


def test_newlines_of_a_template_are_line_breaks() -> None:
    """What a template lays out in lines stays in lines."""
    assert ["a\nb\n\nc"] == _texts("<b>a</b>\nb\n\n\n\nc", keep_newlines=True)


def test_marks_and_links() -> None:
    """Marks nest, links keep their address without entities, and other schemes are text."""
    html = (
        '<b>a<i>b</i></b><a href="https://e.org/?a=1&amp;b=2">c</a><a href="tg://user?id=1">d</a>'
    )

    assert (
        Span("a", frozenset(("bold",))),
        Span("b", frozenset(("bold", "italic"))),
        Span("c", href="https://e.org/?a=1&b=2"),
        Span("d"),
    ) == parse(SafeHtml(html)).blocks[0].spans


def test_lists_and_quotes_are_attributes_of_blocks() -> None:
    """Containers of any depth give a flat sequence."""
    html = "<blockquote>q<ol start=3><li>x<ul><li>y</ul><li>z</ol></blockquote>p"

    assert (
        Block("paragraph", (Span("q"),), quoted=True),
        Block("paragraph", (Span("x"),), quoted=True, indent=1, marker="3. "),
        Block("paragraph", (Span("y"),), quoted=True, indent=2, marker="• "),
        Block("paragraph", (Span("z"),), quoted=True, indent=1, marker="4. "),
        Block("paragraph", (Span("p"),)),
    ) == parse(SafeHtml(html)).blocks


def test_images_are_collected_apart() -> None:
    """Pictures leave the text; trackers are none, and drawn emoji are text."""
    html = (
        '<img src="https://e.org/a.png" alt="A" width="300px"><img src="https://e.org/t" width=1>'
        '<img src="data:x"><img src="https://e.org/s.svg" alt="🙂">'
    )
    read = parse(SafeHtml(html))

    assert (Image("https://e.org/a.png", "A", 300),) == read.images
    assert "🙂" == read.blocks[0].text


def test_a_novel_is_cut() -> None:
    """Text beyond the limit is not kept, and the reader says so."""
    read = parse(SafeHtml(f"<p>{'word ' * 200}</p>" * (MOST_TEXT // 1000 + 10)))

    assert not read.complete
    assert sum(len(block.text) for block in read.blocks) < MOST_TEXT + 1000


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param('<a "' * 100_000, id="quotes that never end"),
        pytest.param("<" * 400_000, id="signs"),
        pytest.param("<!--" * 100_000, id="comments that never end"),
        pytest.param("<div>" * 100_000, id="depth"),
        pytest.param("<ul><li>" * 50_000 + "x", id="lists in lists"),
        pytest.param("<a " + "x" * 400_000, id="an attribute as long as the text"),
        pytest.param("<p " + "a=" * 200_000 + ">", id="many attributes"),
    ],
)
def test_hostile_markup_takes_linear_time(hostile: str) -> None:
    """What keeps a tree builder busy for minutes is read at once."""
    start = time.process_time()
    parse(SafeHtml(hostile))

    assert time.process_time() - start < 10


@unhurried
@given(long_html)
def test_any_html_is_read(html: SafeHtml) -> None:
    """Whatever comes in, blocks have visible text, no blanks at the end, no half characters."""
    for block in parse(html).blocks:
        assert block.text.strip()
        assert block.text == block.text.rstrip()
        block.text.encode()
