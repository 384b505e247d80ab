import pytest

from wireroom.suggesting import nearest

_NAMES = ("burst", "digest", "filter", "language", "quiet", "sub", "template", "zone")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("filer", "filter", id="a letter too few"),
        pytest.param("Digets", "digest", id="two letters swapped"),
        pytest.param("quite", "quiet", id="another word"),
        pytest.param("lang", "language", id="begun"),
        pytest.param("sup", "sub", id="short"),
        pytest.param("bogus", "", id="letters shared by chance"),
        pytest.param("nonsense", "", id="nothing like it"),
        pytest.param("t", "", id="a single letter"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_only_a_slip_of_the_hand_gets_a_suggestion(typed: str, meant: str) -> None:
    """A wrong guess is worse than the list of all names."""
    assert meant == nearest(typed, _NAMES)
