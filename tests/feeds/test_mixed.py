"""UTF-8 with bytes of other encodings in it: every letter that can be told is kept."""

import time

import pytest

from wireroom.feeds import encoding, parse

_SOUND = "<a>Größe und Maß</a>\n".encode()
_RUSSIAN = "Съешь ещё этих мягких булок"

KEPT = {
    "letters_within_words": (b"caf\xe9, na\xefve, d\xe9j\xe0 vu", "café, naïve, déjà vu"),
    "a_letter_alone": (b"de \xe0 \xe9t\xe9 l'\xe9t\xe9", "de à été l'été"),
    "capitals": (b"\xc9COLE, \xc9cole, CAF\xc9 \xdcber", "ÉCOLE, École, CAFÉ Über"),
    "beside_utf8": ("Größe".encode() + b"n f\xfcr " + "Köln".encode(), "Größen für Köln"),
    "quotes_and_dashes": (b"\x93so\x94 \x96 it\x92s \x85 \xab1\xbb", "“so” – it’s … «1»"),
    "blank_behind_a_letter": (b"\xe9t\xe9\xa0: oui", "été\xa0: oui"),
    "money": (b"20\x80, \x80 20, \xa3 5", "20€, € 20, £ 5"),
    "a_western_piece": (
        "»Müßig«, ärgerlich, über Öl".encode("cp1252"),
        "»Müßig«, ärgerlich, über Öl",
    ),
    "a_cyrillic_piece": (_RUSSIAN.encode("cp1251"), _RUSSIAN),
    "halves_of_emoji": (b"so \xed\xa0\xbd\xed\xb8\x80 there", "so 😀 there"),
}
LEFT_OUT = {
    "cut_quote": (b"it was \xe2\x80", "it was ", 1),
    "cut_letter": (b"caf\xc3", "caf", 1),
    "cut_before_dots": (b"gr\xc3...", "gr...", 1),
    "cut_chinese": ("日本語".encode() + b"\xe6\x97", "日本語", 1),
    "cut_chinese_to_its_first_byte": ("日本語".encode() + b"\xe6", "日本語", 1),
    "cut_russian": ("Привет".encode() + b"\xd0", "Привет", 1),
    "bytes_of_no_text": (b"so\xff it \xfe is", "so it  is", 2),
    "bracket_behind_a_lead": (b"a \xc3( b", "a ( b", 1),
    "tail_without_a_lead": (b"a\x80b", "ab", 1),
    "tails_without_a_lead": (b"a \x80\x99 b", "a  b", 2),
    "half_an_emoji": (b"so \xed\xa0\xbd there", "so  there", 3),
}


@pytest.mark.parametrize(("piece", "expected"), KEPT.values(), ids=KEPT)
def test_what_can_be_told_is_kept(piece: bytes, expected: str) -> None:
    """Letters, marks and whole pieces of other encodings come out as they were meant."""
    decoded = encoding.read(_SOUND + b"<b>" + piece + b"</b>")

    assert f"{_SOUND.decode()}<b>{expected}</b>" == decoded.text
    assert ("utf-8", "replaced", 0) == (decoded.encoding, decoded.source, decoded.lost)


@pytest.mark.parametrize(("piece", "expected", "lost"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_no_text_is_left_out(piece: bytes, expected: str, lost: int) -> None:
    """Halves of characters and bytes of no text go and are counted, the rest stays (PRS-32)."""
    decoded = encoding.read(_SOUND + b"<b>" + piece + b"</b>")

    assert f"{_SOUND.decode()}<b>{expected}</b>" == decoded.text
    assert lost == decoded.lost


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        pytest.param(b"x \xf0\x9f\x98 y", "x  y", id="emoji cut short"),
        pytest.param(b"x \xe2\x82", "x ", id="sign cut short"),
        pytest.param(b"x \xed\xa0\xbd y", "x  y", id="half a pair"),
    ],
)
def test_one_character_cut_short_is_no_other_encoding(piece: bytes, expected: str) -> None:
    """In a document of nothing but ASCII that says it is UTF-8, it is left out (PRS-32)."""
    decoded = encoding.read(b"<?xml version='1.0' encoding='utf-8'?><b>" + piece + b"</b>")

    assert decoded.text.endswith(f"<b>{expected}</b>")
    assert ("utf-8", "replaced") == (decoded.encoding, decoded.source)


@pytest.mark.parametrize("claimed", ["iso-8859-1", "windows-1251", "shift_jis", "utf-8"])
def test_what_is_nearly_all_utf8_is_that(claimed: str) -> None:
    """One byte of another encoding does not make what is claimed true."""
    body = f"<?xml version='1.0' encoding='{claimed}'?>".encode() + _SOUND * 5 + b"<b>caf\xe9</b>"
    decoded = encoding.read(body, f"text/xml; charset={claimed}")

    assert ("utf-8", "replaced") == (decoded.encoding, decoded.source)
    assert decoded.text.endswith("Maß</a>\n<b>café</b>")


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        pytest.param("Хаб: новости. Текст о том, что было.", "cp1251", id="Cyrillic"),
        pytest.param("日本の新聞、今日の記事はこちらです。", "shift_jis", id="Japanese"),
        pytest.param("今天的新闻和文章都在这里。", "gb18030", id="Chinese"),
    ],
)
def test_another_encoding_is_not_taken_for_broken_utf8(text: str, codec: str) -> None:
    """Where a document says the truth, or nothing, no letter of it is dropped."""
    body = f"<?xml version='1.0' encoding='{codec}'?><a>{text}</a>".encode(codec)

    assert text in encoding.read(body).text
    assert 0 == encoding.read(body.partition(b"?>")[2]).lost


def test_items_of_two_encodings_are_both_read() -> None:
    """As planets have them that copy items byte for byte."""
    items = [f"<item><title>{title}</title></item>" for title in ("Größe", "Müller in Fürth – é")]
    body = b"<rss version='2.0'><channel><title>T</title>%s%s</channel></rss>" % (
        items[0].encode(),
        items[1].encode("cp1252"),
    )

    feed = parse.read(body, url="https://x.example/")

    assert ["Größe", "Müller in Fürth – é"] == [item.title for item in feed.items]


@pytest.mark.parametrize(
    "body",
    [b"a" * 2_000_000 + b"\xe9", b"\xe9<" * 500_000, b"a\xe9 " * 500_000, b"\xed\xa0" * 700_000],
    ids=["one byte at the end", "many pieces", "many letters", "many halves"],
)
def test_time_is_linear(body: bytes) -> None:
    """Whatever is broken, each piece is looked at a few times at most."""
    started = time.process_time()
    encoding.read(_SOUND + body)

    assert time.process_time() - started < 2
