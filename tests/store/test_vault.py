"""Secrets at rest: sealed, opened with the same key only, and the key made once."""

import base64
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from wireroom.errors import SettingsError
from wireroom.store.vault import Vault, vault_from_file, vault_from_text

KEY = bytes(range(224, 256))  # its base64 holds both characters in which the alphabets differ


def test_a_secret_comes_back_and_its_ciphertext_tells_nothing() -> None:
    """Two seals of one secret differ, hide it, and open to it."""
    vault = Vault(KEY)
    one, other = vault.seal("s3cret ✓"), vault.seal("s3cret ✓")

    assert one != other
    assert b"s3cret" not in one
    assert ["s3cret ✓"] * 2 == [vault.open(one), vault.open(other)]


@pytest.mark.parametrize("place", [0, 5, -1], ids=["version", "nonce", "tag"])
def test_a_changed_byte_is_noticed(place: int) -> None:
    """Whatever was changed at rest, nothing wrong comes out."""
    sealed = bytearray(Vault(KEY).seal("s3cret"))
    sealed[place] ^= 1

    with pytest.raises(SettingsError, match="secret key"):
        Vault(KEY).open(bytes(sealed))


@pytest.mark.parametrize("sealed", [b"", b"\x01", b"\x01" + bytes(12)])
def test_a_cut_ciphertext_is_refused_in_words(sealed: bytes) -> None:
    """A row that was cut short is an error that names the key, not a crash."""
    with pytest.raises(SettingsError, match="secret key"):
        Vault(KEY).open(sealed)


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(KEY).decode(),
        base64.urlsafe_b64encode(KEY).decode(),
        base64.b64encode(KEY).decode() + "\n",
    ],
    ids=["as openssl writes it", "url-safe", "with a line end"],
)
def test_either_alphabet_of_base64_is_a_key(text: str) -> None:
    """`openssl rand -base64 32` makes keys with + and /; all ways of writing give the same key."""
    assert "s3cret" == vault_from_text(text).open(Vault(KEY).seal("s3cret"))


@pytest.mark.parametrize(
    "text", ["", "x", "not base64 at all!", base64.b64encode(b"9" * 31).decode()]
)
def test_what_is_no_key_is_refused_in_words(text: str) -> None:
    """A key of another length or alphabet stops the start with a sentence."""
    with pytest.raises(SettingsError, match="WIREROOM_SECRET_KEY must"):
        vault_from_text(text)


def test_the_key_file_is_made_once_and_private(tmp_path: Path) -> None:
    """A second start uses the key of the first, and nobody else can read it."""
    file = tmp_path / "data" / "secret.key"
    sealed = vault_from_file(file).seal("s3cret")

    assert "s3cret" == vault_from_file(file).open(sealed)
    assert 0o600 == file.stat().st_mode & 0o777
    assert [file] == list(file.parent.iterdir())


def test_many_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    """Whoever loses the race opens what the winner sealed, and never reads half a key."""
    file = tmp_path / "secret.key"
    with ThreadPoolExecutor(8) as threads:
        vaults = list(threads.map(lambda _: vault_from_file(file), range(16)))

    sealed = vaults[0].seal("s3cret")
    assert {"s3cret"} == {vault.open(sealed) for vault in vaults}


def test_a_key_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    """A folder where the key should be stops the start in words."""
    (tmp_path / "secret.key").mkdir()

    with pytest.raises(SettingsError, match="cannot be read"):
        vault_from_file(tmp_path / "secret.key")
