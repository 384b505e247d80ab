"""What a feed needs besides its address: the form on its page."""

from tests.web.conftest import Browser
from tests.web.rooms import Outside, furnish
from wireroom.fetching.access import NONE, Access
from wireroom.fetching.guard import Credentials


def test_it_is_given_and_forgotten_and_never_shown(ada: Browser, outside: Outside) -> None:
    """All of the form goes on as one value; what is wrong is said without what was typed."""
    with outside.database.writing() as connection:
        harbour = furnish(connection, ada.account_id)["Harbour Courier"]
    path = f"/feed/{harbour}/access"
    given = ada.post(
        path,
        user="ann",
        password="s3cret",
        cookie="id=1",
        user_agent="Ann",
        certificate="A\r\nB",
        validators="both",
    )
    forgotten = ada.post(path, forget="1")
    empty = ada.post(path)
    broken = ada.post(path, user="a:b", password="s3cret")

    wanted = Access(
        user_agent="Ann",
        cookie="id=1",
        credentials=Credentials("ann", "s3cret"),
        certificate="A\nB",
        validators="both",
    )
    assert f"/feed/{harbour}/about#access" == given.headers["location"]
    assert 303 == forgotten.status_code
    assert [wanted, NONE] == [what[3] for what in outside.asked[:2]]
    assert (422, 422) == (empty.status_code, broken.status_code)
    assert "cannot hold a colon" in broken.text
    assert "s3cret" not in broken.text


def test_the_operators_fields(ada: Browser, outside: Outside) -> None:
    """A proxy and an authority are offered to whoever runs Wireroom."""
    with outside.database.writing() as connection:
        harbour = furnish(connection, ada.account_id)["Harbour Courier"]

    page = ada.get(f"/feed/{harbour}/about").text

    assert 'name="proxy"' in page
    assert 'name="authority"' in page
