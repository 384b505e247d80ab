"""The text of a page, without what stands around it."""

import pytest

from wireroom.feeds import article

URL = "https://news.example/2026/ferry"
_SENTENCE = "The ferry that has crossed the strait every morning made its last trip on Sunday. "
PAGE = f"""<!doctype html><html><head><title>Last ferry</title><meta charset="utf-8"></head><body>
<nav><a href="/">Home</a><a href="/sport">Sport</a></nav>
<article><h1>The last ferry</h1><p>{_SENTENCE * 3}</p>
<figure><img src="/ferry.jpg" alt="The Marianne"></figure>
<p>“She was never on time”, said <a href="/people">Ilse</a><script>alert(1)</script>.
{_SENTENCE}</p>
<pre><code>if a &lt; b:
    sail()</code></pre></article>
<footer>Subscribe to our newsletter</footer></body></html>"""


def test_an_article_is_what_one_came_for() -> None:
    """Text, links and pictures, whole addresses, no scripts, and no head that we show already."""
    found = article.extract(PAGE.encode(), url=URL, title="The Last Ferry")

    assert found is not None
    assert found.startswith("<p>The ferry")
    assert 'src="https://news.example/ferry.jpg"' in found
    assert 'href="https://news.example/people"' in found
    assert "sail()</pre>" in found
    for left_out in ("alert", "newsletter", "Sport", "<h1>"):
        assert left_out not in found


def test_a_heading_of_its_own_stays() -> None:
    """Only what repeats the entry's title goes."""
    found = article.extract(PAGE.encode(), url=URL, title="Another title")

    assert found is not None
    assert found.startswith("<h1>The last ferry</h1>")


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("<html><body><p>Please accept our cookies.</p></body></html>", 200),
        (PAGE, 5000),
        ("", 200),
        ("<html><body></body></html>", 200),
    ],
    ids=["a notice", "less than the feed has", "nothing", "empty page"],
)
def test_what_is_too_little_is_no_article(page: str, least: int) -> None:
    """The feed's own content is better then."""
    assert article.extract(page.encode(), url=URL, least=least) is None
