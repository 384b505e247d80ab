import pytest

from wireroom.feeds import parse
from wireroom.feeds.explaining import with_all_problems


@pytest.mark.parametrize(
    ("inside", "sentence"),
    [
        pytest.param("<title>a & b</title>", "a bare & stands where &amp; is meant", id="bare"),
        pytest.param(
            "<title>caf&eacute;</title>",
            "&eacute; is a name of HTML that XML does not know",
            id="html_entity",
        ),
        pytest.param(
            "<dc:creator>a</dc:creator>",
            "creator has the prefix dc, which is declared nowhere (xmlns:dc is missing)",
            id="prefix",
        ),
        pytest.param(
            "<title><b>a</title>",
            "</title> stands where <b> of line 1 is still open",
            id="nesting",
        ),
        pytest.param(
            "<guid x='1' x='2'>a</guid>", "the attribute x stands twice in one element", id="twice"
        ),
        pytest.param(
            "<guid x=1>a</guid>", "the value of an attribute has no quotes", id="no_quotes"
        ),
        pytest.param("<title>1 < 2</title>", "a bare < stands where &lt; is meant", id="less"),
    ],
)
def test_faults_are_told_in_the_words_of_who_can_mend_them(inside: str, sentence: str) -> None:
    """Not in those of a parser, and with their line."""
    body = f"<rss><channel><title>t</title><item>{inside}</item></channel></rss>".encode()

    told = with_all_problems(parse.read(body, url="https://x.example/"), body).warnings

    assert (sentence, 1) == (told[0].text, told[0].line)
