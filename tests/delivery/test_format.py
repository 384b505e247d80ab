from tests.delivery.samples import message
from wireroom.delivery.format import Format
from wireroom.feeds.model import SafeHtml

_DEFAULT = Format(content=100, ellipsis="…")


def test_settings_of_the_route_go_on_top() -> None:
    """Known names of the right type count; a number is not a yes, nor a yes a number."""
    settings = {"content": 0, "silent": True, "preview": 0, "at_words": "no", "color": 7}

    assert Format(content=0, ellipsis="…", silent=True) == _DEFAULT.changed_by(settings)


def test_text_by_choice() -> None:
    """Full text or summary, whichever was asked for, and the other where it is missing."""
    both = message("<p>long", summary=SafeHtml("short"))
    short = _DEFAULT.changed_by({"source": "summary"})

    assert "long" == _DEFAULT.text_of(both).blocks[0].text
    assert "short" == short.text_of(both).blocks[0].text
    assert "long" == short.text_of(message("<p>long")).blocks[0].text


def test_a_text_that_will_be_cut_is_not_read_to_its_end() -> None:
    """What a cut message cannot show is not looked at; a whole one is read whole."""
    entry = message("<p>word</p>" * 10_000)

    assert not _DEFAULT.text_of(entry).complete
    assert _DEFAULT.changed_by({"content": 0}).text_of(entry).complete
