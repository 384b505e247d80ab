import dataclasses
from typing import Any

import pytest
from hypothesis import given

from tests.delivery.samples import any_html, any_message, long_html, message, unhurried
from tests.servers.telegram_html import Parsed, read_html, read_plain, utf16
from wireroom.channels.telegram.render import is_visible, render
from wireroom.delivery.channel import Address, Parcel
from wireroom.delivery.message import Message
from wireroom.feeds.model import SafeHtml

_CHAT = Address("-100")
_WHOLE = {"content": 0}


def _rendered(entry: Message, **settings: Any) -> Parcel:
    (parcel,) = render(entry, _CHAT, settings)
    return parcel


def _text(entry: Message, **settings: Any) -> str:
    text: str = _rendered(entry, **settings).payload["text"]
    return text


def _accepted(parcel: Parcel) -> Parsed:
    """The parcel as Telegram reads it, after all its refusals."""
    payload = parcel.payload
    limit = 4096 if parcel.method == "sendMessage" else 1024
    raw = payload["text"] if parcel.method == "sendMessage" else payload["caption"]
    parsed = read_html(raw) if payload.get("parse_mode") == "HTML" else read_plain(raw)

    assert parsed.text
    assert utf16(parsed.text) <= limit
    return parsed


def test_default_layout() -> None:
    """Bold linked title, feed's title, text, as HTML (TGD-15); nothing to read on unless cut."""
    expected = (
        '<a href="https://example.org/p/9?a=1&amp;b=2"><b>Release 4.2 &amp; notes</b></a>\n'
        "<i>Example Blog</i>\n\nFirst lines."
    )

    assert expected == _text(message())
    assert "HTML" == _rendered(message()).payload["parse_mode"]


def test_cut_text_says_where_it_goes_on() -> None:
    """270 units of text, an ellipsis, and the link to read on."""
    text = read_html(_text(message("<p>" + "word " * 100))).text

    assert text.endswith("word word…\n\nRead on example.org")
    assert 270 >= utf16(text.split("\n\n")[1].removesuffix("…")) > 260


def test_words_of_ours_are_in_the_places_language() -> None:
    """Where a text goes on, and what is said in place of nothing, in German, too (TGC-42)."""
    long, nothing = message("<p>" + "word " * 100), message("", title="")

    assert read_html(_text(long, language="de")).text.endswith("\n\nWeiterlesen auf example.org")
    paged = message("<p>" + "word " * 100, page_url="https://example.net/p")
    assert read_html(_text(paged, language="de")).text.endswith("\n\nGanz lesen")
    assert "Weiterlesen auf example.org" in _text(nothing, language="de")
    bare = message("", title="", feed_title="")
    assert "Weiterlesen" in _text(bare, language="de")
    bare = message("", title="", feed_title="", link="")
    assert "Dieser Eintrag hat weder Titel noch Text." == _text(bare, language="de")
    assert "Nichts da." == _text(bare, language="de", empty="Nichts da.")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Hi <b>you</b></h2><p>a", "<b>Hi you</b>\n\na"),
        ("<ul><li>a<li><b>b</b></ul>", "• a\n• <b>b</b>"),
        ("<p>a<blockquote>b<p>c</blockquote>d", "a\n<blockquote>b\n\nc</blockquote>\nd"),
        (
            "<pre><code class='language-py'>a &lt;</code></pre>",
            '<pre><code class="language-py">a &lt;</code></pre>',
        ),
        ("<b>a <code>b</code></b>", "<b>a </b><code>b</code>"),
        ('<a href="https://e.org/"><code>b</code></a>', '<a href="https://e.org/">b</a>'),
        (
            "<span class=spoiler>a<i>b</i></span>",
            "<tg-spoiler>a</tg-spoiler><i><tg-spoiler>b</tg-spoiler></i>",
        ),
        ("a &quot;b&quot; &amp;nbsp;", "a &quot;b&quot; &amp;nbsp;"),
        ("a<hr>b", "a\n\n───\n\nb"),
    ],
)
def test_markup(html: str, expected: str) -> None:
    """What Telegram has tags for keeps its look; the rest is text (TGD-26, TGD-27)."""
    assert expected == _text(message(html)).split("\n\n", 1)[1]


def test_preview_is_of_the_entry() -> None:
    """The preview is that of the entry's link, or there is none (trap 6, TGD-16)."""
    link = message().link

    assert {"url": link} == _rendered(message()).payload["link_preview_options"]
    shown = _rendered(message(), preview=False).payload["link_preview_options"]
    assert {"is_disabled": True} == shown


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "\u200b", "feed_title": " ", "link": "not a url"},
        {"title": "", "feed_title": "", "link": ""},
        {"title": "", "feed_title": "", "laid_out": SafeHtml("<b> </b>\n&nbsp;")},
    ],
    ids=["zero width", "nothing at all", "empty template"],
)
def test_empty_message_has_a_placeholder(changes: dict[str, Any]) -> None:
    """Something visible is said when nothing remains (TGD-34)."""
    assert "This entry has no title and no text." in _text(message("", **changes))


def test_a_note_is_not_said_twice() -> None:
    """A title that is the whole text stands alone."""
    assert (
        "A note\nExample Blog" == read_html(_text(message("<p>A note</p>", title="A note"))).text
    )


def test_laid_out_text_replaces_the_layout() -> None:
    """What a template gave is sent as it is, within the limits."""
    assert "<b>x</b>\n\ny" == _text(message(laid_out=SafeHtml("<b>x</b>\n\ny")))


def test_what_a_template_made_is_cut() -> None:
    """At 4000 characters and "...", its last tag closed; whole where that is wanted (TGD-33)."""
    entry = message(laid_out=SafeHtml(f"<i>{'&lt;' * 5000}</i>"))
    shown = read_html(_text(entry))

    assert "<" * 4000 + "..." == shown.text
    assert ["italic"] == [each.kind for each in shown.entities]
    assert 2 == len(render(entry, _CHAT, {"long": "split"}))


def test_a_digest_is_never_cut() -> None:
    """Its entries are noted as sent: all of them are in its messages."""
    lines = "\n".join(f"• {number} {'x' * 190}" for number in range(30))
    entry = message("", title="", laid_out=SafeHtml(lines))
    shown = " ".join(read_html(each.payload["text"]).text for each in render(entry, _CHAT, {}))

    assert [] == [number for number in range(30) if f"• {number} " not in shown]


def test_the_full_content_is_sent_and_the_summary_by_choice() -> None:
    """Content if there is any, else the description (PRS-18); the short form on demand (C26)."""
    both = message("<p>long", summary=SafeHtml("<p>short"))
    described = message("", summary=SafeHtml("<p>short"))

    assert ["long", "short"] == [_text(both)[-4:], _text(described)[-5:]]
    assert _text(both, source="summary").endswith("short")


def test_settings_of_a_wrong_type_are_passed_over() -> None:
    """A setting that nobody can use changes nothing."""
    assert _text(message()) == _text(message(), content="many", unknown=1, preview=1)


def test_plain_form_has_the_same_text_and_the_link() -> None:
    """Without parse mode, and with the address that hung on the title."""
    plain = _rendered(message("<b>1 &lt; 2</b>")).plain

    assert plain is not None
    assert "parse_mode" not in plain.payload
    assert (
        "Release 4.2 & notes\nExample Blog\n\n1 < 2\n\nhttps://example.org/p/9?a=1&b=2"
        == plain.payload["text"]
    )


def test_photo_falls_back_to_text() -> None:
    """A picture is a photo with caption; without it, the message with a preview (B40)."""
    parcel = _rendered(message(image_url="https://example.org/i.png"), media="auto")

    assert ("sendPhoto", "https://example.org/i.png") == (parcel.method, parcel.payload["photo"])
    assert parcel.without_media is not None
    assert parcel.payload["caption"] == parcel.without_media.payload["text"]


def test_long_text_in_parts() -> None:
    """A text sent whole is several messages; only the first has sound and preview."""
    parcels = render(message("<p>" + "word " * 2000), _CHAT, _WHOLE)

    assert 3 == len(parcels)
    assert [False, True, True] == [p.payload["disable_notification"] for p in parcels]
    assert {"is_disabled": True} == parcels[1].payload["link_preview_options"]
    assert 2000 == sum(_accepted(p).text.count("word") for p in parcels)


def test_hundreds_of_links_all_survive() -> None:
    """A long list of links is spread over messages with at most a hundred entities (trap 5)."""
    html = "".join(f'<li><a href="https://e.org/{n}">link {n}</a>' for n in range(300))
    parcels = render(message(f"<ul>{html}</ul>"), _CHAT, _WHOLE)
    links = [
        e for p in parcels for e in _accepted(p).entities if e.url.startswith("https://e.org")
    ]

    assert 300 == len(links)
    assert [] == [lost for p in parcels for lost in _accepted(p).lost]


def test_bold_emoji_by_the_thousand() -> None:
    """Ten thousand emoji are cut between emoji and within tags (B39)."""
    parcels = render(message("<b>" + "👩‍👩‍👧‍👦" * 1500 + "</b>"), _CHAT, _WHOLE)
    texts = [_accepted(p).text for p in parcels]

    assert 1500 == sum(text.count("👩‍👩‍👧‍👦") for text in texts)


def test_the_last_part_is_cut() -> None:
    """One entry is at most ten messages; the tenth says that there is more."""
    parcels = render(message("<p>" + "word " * 20_000), _CHAT, _WHOLE)

    assert 10 == len(parcels)
    assert _accepted(parcels[-1]).text.endswith("…")


@unhurried
@given(any_message())
def test_any_message_is_accepted(entry: Message) -> None:
    """Whatever an entry holds, every form of every parcel is within Telegram's rules."""
    for settings in ({}, _WHOLE, {"media": "auto"}, {"media": "all"}):
        for parcel in render(entry, _CHAT, settings):
            for form in (parcel, parcel.plain, parcel.without_media):
                if form is not None:
                    assert [] == _accepted(form).lost


@unhurried
@given(long_html)
def test_no_text_is_lost_unless_cut(html: SafeHtml) -> None:
    """Asked for whole, the parts together hold the whole text in order."""
    entry = message(html, title="", feed_title="", link="")
    parcels = render(entry, _CHAT, _WHOLE)
    marked = "".join(_accepted(p).text for p in parcels)
    plain = "".join(_accepted(p.plain).text for p in parcels if p.plain)

    assert "".join(plain.split()) == "".join(marked.split())
    whole = _whole_text(html)
    if len(parcels) < 10 and is_visible(whole):
        assert whole == "".join(marked.replace("•", "").split())


@unhurried
@given(any_html)
def test_templates_of_any_shape_are_accepted(html: SafeHtml) -> None:
    """A template's text goes through the same writer."""
    entry = dataclasses.replace(message(), laid_out=html)

    assert [] == _accepted(_rendered(entry)).lost


def _whole_text(html: SafeHtml) -> str:
    from wireroom.delivery.htmltext import parse

    blocks = parse(html).blocks
    return "".join("".join((b.marker + b.text).replace("•", "").split()) for b in blocks)
