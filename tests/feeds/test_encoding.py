"""Bytes become text, whoever lies about them."""

import pytest

from wireroom.feeds import encoding

_RUSSIAN = "<?xml version='1.0' encoding='windows-1251'?><a>Съешь ещё этих мягких булок</a>"
_XML = "<?xml version='1.0'?><a>é – ü</a>"

ORDER = {
    "utf8_mark_beats_declaration": (
        b"\xef\xbb\xbf" + "<?xml encoding='iso-8859-1'?>é".encode(),
        "",
        ("utf-8", "bom"),
    ),
    "utf16_mark": ("<a>é</a>".encode("utf-16"), "text/xml; charset=utf-8", ("utf-16le", "bom")),
    "utf32_mark": (b"\0\0\xfe\xff" + "<a>é</a>".encode("utf-32-be"), "", ("utf-32be", "bom")),
    "utf16_shape": (_XML.encode("utf-16-be"), "", ("utf-16be", "detected")),
    "utf32_shape": (("\n" + _XML).encode("utf-32-le"), "", ("utf-32le", "detected")),
    "valid_utf8_beats_header": (_XML.encode(), "text/xml; charset=iso-8859-1", ("utf-8", "utf-8")),
    "header_beats_declaration": (
        _RUSSIAN.encode("koi8-r"),
        'text/xml; charset="koi8-r"',
        ("koi8-r", "header"),
    ),
    "declaration": (_RUSSIAN.encode("cp1251"), "", ("windows-1251", "declaration")),
    "blanks_before_the_declaration": (
        ("\r\n \t" + _RUSSIAN).encode("cp1251"),
        "text/xml",
        ("windows-1251", "declaration"),
    ),
    "declaration_that_lies": (
        _RUSSIAN.replace("windows-1251", "utf-8").encode("cp1251"),
        "text/xml",
        ("windows-1251", "detected"),
    ),
    "valid_utf8_beats_declaration": (_RUSSIAN.encode(), "", ("utf-8", "utf-8")),
    "latin_1_means_windows_1252": (
        "<?xml version='1.0' encoding='ISO-8859-1'?>é – ü".encode("cp1252"),
        "",
        ("windows-1252", "declaration"),
    ),
    "gb2312_means_gb18030": (
        "<?xml version='1.0' encoding='gb2312'?>朱镕基".encode("gb18030"),
        "",
        ("gb18030", "declaration"),
    ),
    "escaped_japanese_passes_for_ascii": (
        "<?xml version='1.0' encoding='iso-2022-jp'?>日本".encode("iso-2022-jp"),
        "",
        ("iso2022-jp", "declaration"),
    ),
    "unknown_label_is_ignored": (
        "<?xml version='1.0' encoding='windows-1251'?>мягких".encode("cp1251"),
        "text/xml; charset=x-nonsense",
        ("windows-1251", "declaration"),
    ),
    "codec_that_is_no_character_set": (b"<a>\xe9</a>", "text/xml; charset=base64", None),
}


@pytest.mark.parametrize(("body", "content_type", "expected"), ORDER.values(), ids=ORDER)
def test_who_is_believed(body: bytes, content_type: str, expected: tuple[str, str] | None) -> None:
    """Mark, shape, UTF-8, header, declaration, guess, in this order (B30); labels are those of
    browsers."""
    decoded = encoding.read(body, content_type)

    if expected is not None:
        assert expected == (decoded.encoding, decoded.source)
    assert "\ufffd" not in decoded.text


def test_bad_bytes_in_utf8_are_left_out() -> None:
    """A few bad bytes cost themselves, not the rest (PRS-32)."""
    body = "Ünïcödé".encode() + b"\xff" + "größer".encode()

    decoded = encoding.read(body)

    assert ("Ünïcödégrößer", "utf-8", "replaced", 1) == (
        decoded.text,
        decoded.encoding,
        decoded.source,
        decoded.lost,
    )


def test_latin_1_that_claims_to_be_utf8() -> None:
    """A declaration that lies is not followed into garbage."""
    decoded = encoding.read(
        "<?xml encoding='utf-8'?>Fran\xe7ais \xe0 l'\xe9cole".encode("latin-1")
    )

    assert "Français à l'école" in decoded.text


def test_utf8_is_passed_on_without_copying() -> None:
    """The usual document is checked and nothing else."""
    body = _XML.encode()

    assert encoding.utf8(body).utf8 is body


TWICE = {"twice": ("Ã©tÃ©", "été"), "once": ("été", "été"), "other": ("Ü€", "Ü€")}


@pytest.mark.parametrize(("text", "expected"), TWICE.values(), ids=TWICE)
def test_double_utf8(text: str, expected: str) -> None:
    """Only what was encoded twice is decoded twice."""
    assert expected == encoding.repair_double_utf8(text)
