"""Settings are explained in all languages."""

from wireroom.catalogue.meanings import MEANINGS
from wireroom.delivery.wishlist import WISHES


def test_every_setting_has_its_meaning() -> None:
    """In English the same as where it is checked, and none is forgotten."""
    assert {name: wish.meaning for name, wish in WISHES.items()} == {
        name: meaning.en for name, meaning in MEANINGS.items()
    }
