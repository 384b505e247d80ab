"""Pictures are found in what the sanitiser writes, and told by their first bytes."""

import pytest

from wireroom.feeds import pictures, sanitize


def marked(url: str) -> str:
    return f"/through?{url.removeprefix('https://')}"


REWRITTEN = {
    "image": ('<img src="https://a.example/1.png">', "/through?a.example/1.png"),
    "escaped": ('<img src="https://a.example/?x=1&amp;y=2">', "/through?a.example/?x=1&amp;y=2"),
    "srcset": (
        '<img srcset="https://a.example/1.png 1x, https://a.example/2.png 2x">',
        'srcset="/through?a.example/1.png 1x, /through?a.example/2.png 2x"',
    ),
    "source": (
        '<picture><source srcset="https://a.example/1.webp" type="image/webp"></picture>',
        '<source srcset="/through?a.example/1.webp"',
    ),
    "poster": (
        '<video src="https://a.example/1.mp4" poster="https://a.example/1.jpg"></video>',
        'poster="/through?a.example/1.jpg"',
    ),
    "tricky alt": (
        '<img alt="a > b &quot; src=&quot;x" src="https://a.example/1.png">',
        'src="/through?a.example/1.png"',
    ),
}


@pytest.mark.parametrize(("raw", "expected"), REWRITTEN.values(), ids=REWRITTEN)
def test_addresses_of_pictures_are_replaced(raw: str, expected: str) -> None:
    """In every place where HTML has one."""
    clean = sanitize.html(raw, base_url="https://a.example/")

    assert expected in pictures.rewritten(clean, marked)


@pytest.mark.parametrize(
    "raw",
    [
        '<a href="https://a.example/1.png">a picture</a>',
        '<audio src="https://a.example/1.mp3"></audio>',
        '<img src="data:image/png;base64,AAAA" alt="https://a.example/">',
        "<p>&lt;img src=&quot;https://a.example/1.png&quot;&gt;</p>",
    ],
    ids=["link", "sound", "inline", "text"],
)
def test_everything_else_stays(raw: str) -> None:
    """Links, films, sounds, text, and pictures that stand in the HTML itself."""
    clean = sanitize.html(raw, base_url="https://a.example/")

    assert clean == pictures.rewritten(clean, marked)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\0\x1cftypavif", "image/avif"),
        (b'<?xml version="1.0"?><svg xmlns="x"/>', "image/svg+xml"),
        (b"<!doctype html><title>Not found</title>", None),
        (b"not a picture <svg>", None),
        (b"", None),
    ],
    ids=["png", "jpeg", "gif", "webp", "avif", "svg", "page", "text", "nothing"],
)
def test_a_picture_is_told_by_its_first_bytes(body: bytes, expected: str | None) -> None:
    """Whatever the server says that it is."""
    assert expected == pictures.kind(body)
