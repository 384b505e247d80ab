"""Places that news are sent to, as people type them."""

from typing import Any

import pytest

from wireroom import targets
from wireroom.errors import UserError


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("telegram:", "telegram alone is no place: say where behind a colon, telegram:…"),
        ("mail", "mail alone is no place: say where behind a colon, mail:…"),
        ("slack:harbour", "'slack' is no place to send to"),
        (":42", "':42' is no place to send to"),
    ],
)
def test_what_is_no_place_is_refused_in_words(typed: str, said: str) -> None:
    """A kind without a place is told from a kind that does not exist."""
    nowhere: Any = None
    with pytest.raises(UserError) as refused:
        targets.target(nowhere, 1, typed, 0)

    assert said in str(refused.value)
