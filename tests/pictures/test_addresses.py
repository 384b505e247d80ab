"""An address of ours leads to what we signed, and to nothing else."""

import pytest

from wireroom.pictures.addresses import PATH, Addresses

URL = "https://pictures.example/ferry.png?w=800"
ADDRESSES = Addresses(b"k" * 32)


def parts(address: str) -> tuple[str, str]:
    signature, packed = address.removeprefix(PATH).split("/")
    return signature, packed


def test_what_was_signed_comes_back() -> None:
    """The publisher's address stands in ours, in letters that every path may hold."""
    assert URL == ADDRESSES.behind(*parts(ADDRESSES.of(URL)))


def test_an_address_is_always_the_same() -> None:
    """So that browsers and apps keep their copies."""
    assert ADDRESSES.of(URL) == Addresses(b"k" * 32).of(URL)


def test_apps_get_it_with_our_name() -> None:
    """A picture in an app has no page that it is relative to."""
    base = "https://reader.example"

    assert base + ADDRESSES.of(URL) == Addresses(b"k" * 32, base).of(URL)


@pytest.mark.parametrize(
    "change",
    [
        lambda signature, packed: (signature, Addresses(b"x").of(URL + "!").rpartition("/")[2]),
        lambda signature, packed: (signature[:-1], packed),
        lambda signature, packed: ("", packed),
        lambda signature, packed: (signature, "%%%"),
        lambda signature, packed: (signature, ""),
        lambda signature, packed: ("ä" * 27, packed),
        lambda signature, packed: parts(Addresses(b"another key").of(URL)),
    ],
    ids=["other address", "cut", "none", "garbage", "empty", "letters", "other key"],
)
def test_what_we_did_not_sign_leads_nowhere(change: object) -> None:
    """Nobody fetches through us what we did not write into an article."""
    signature, packed = change(*parts(ADDRESSES.of(URL)))  # type: ignore[operator]

    assert ADDRESSES.behind(signature, packed) is None


@pytest.mark.parametrize(
    "url",
    ["https://user:secret@pictures.example/1.png", "https://a.example/" + "x" * 3000],
    ids=["login", "very long"],
)
def test_some_pictures_stay_with_their_publisher(url: str) -> None:
    """An address with a login in it is no matter of ours."""
    assert url == ADDRESSES.of(url)
