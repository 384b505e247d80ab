"""A browser that was left open does nothing that outlasts the visit."""

import re
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from httpx import Response
from litestar.testing import TestClient
from sqlalchemy import select, update

from tests.accounts.authenticator import SecurityKey
from tests.accounts.issuer import URL, World
from tests.rows import NOON
from tests.web.rooms import Outside
from tests.web.visiting import (
    PASSWORD,
    Visitor,
    add_key,
    at_the_issuer,
    enrol,
    fill,
    passkey_options,
)
from wireroom.accounts.passkeys import CHALLENGE_LASTS
from wireroom.store import schema

#: What asks who it is: the form, and where it leads first when the last proof is old.
GRAVE = [
    ("/settings/tokens", "/settings/tokens", {"name": "Phone"}),
    ("/settings/links/code", "/settings/links", {}),
    ("/settings/links", "/settings/links", {"code": "ABCDE-FGHJK"}),
    ("/settings/invitations", "/settings/invitations", {"name": "Bob"}),
]


def _later(outside: Outside, minutes: float = 11) -> None:
    outside.clock += timedelta(minutes=minutes)


def _rows(outside: Outside) -> int:
    """How many tokens, codes and invitations there are."""
    with outside.database.reading() as connection:
        kinds = schema.tokens.c.kind.in_(("api", "link"))
        made = connection.scalars(select(schema.tokens.c.id).where(kinds)).all()
        return len(made) + len(connection.scalars(select(schema.invitations.c.id)).all())


def _where(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.headers.get("location", "")


@pytest.mark.parametrize("path", ["/settings", "/settings/security", "/settings/data", "/confirm"])
def test_password_managers_know_whose_password_is_asked_for(
    outside: Outside, owner: Visitor, path: str
) -> None:
    """Each form with a password names the account before it, where only programs see that."""
    _later(outside)
    forms = re.findall(r"<form.*?</form>", owner.get(path).text, re.DOTALL)
    asking = [form for form in forms if 'type="password"' in form]

    assert asking
    for form in asking:
        name, _, _ = form.partition('type="password"')
        (field,) = re.findall(r"<input[^>]*autocomplete=\"username\"[^>]*>", name)
        assert 'value="ada"' in field
        assert 'tabindex="-1" aria-hidden="true"' in field


@pytest.mark.parametrize(("path", "page", "form"), GRAVE, ids=[path for path, *_ in GRAVE])
def test_an_old_login_has_to_show_who_it_is(
    outside: Outside, owner: Visitor, path: str, page: str, form: dict[str, str]
) -> None:
    """Nothing is made, and the page offers the way to show it in place of its form."""
    _later(outside)
    shown = owner.get(page).text
    refused = fill(owner, path, "/settings", **form)

    assert f"/confirm?next={page}" in shown
    assert (303, f"/confirm?next={page}") == _where(refused)
    assert 0 == _rows(outside)


def test_the_data_of_an_account_are_not_handed_to_an_open_browser(
    outside: Outside, owner: Visitor
) -> None:
    """The file is only given to whoever showed lately who they are."""
    fresh = owner.get("/settings/data/export").status_code
    _later(outside)
    stale = owner.get("/settings/data/export", follow_redirects=False)

    assert 200 == fresh
    assert (303, "/confirm?next=/settings/data") == _where(stale)


def test_the_password_is_good_for_ten_minutes(outside: Outside, owner: Visitor) -> None:
    """It leads back to where one wanted to go; a wrong one leads nowhere."""
    _later(outside)
    wrong = fill(owner, "/confirm", next="/settings/tokens", current="not it")
    right = fill(owner, "/confirm", next="/settings/tokens", current=PASSWORD)
    _later(outside, 9)
    within = fill(owner, "/settings/tokens", name="Phone", scopes="")
    _later(outside, 2)
    after = fill(owner, "/settings/tokens", "/settings", name="Tablet", scopes="")

    assert (422, (303, "/settings/tokens")) == (wrong.status_code, _where(right))
    assert (200, True) == (within.status_code, "wr_" in within.text)
    assert (303, "/confirm?next=/settings/tokens") == _where(after)
    assert 1 == _rows(outside)


def test_passwords_cannot_be_tried_there_for_long(outside: Outside, owner: Visitor) -> None:
    """As at the door: a few tries, then a wait."""
    _later(outside)
    tries = [fill(owner, "/confirm", current=f"guess {n}").status_code for n in range(7)]

    assert [422] * 5 + [429] * 2 == tries


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil"])
def test_it_leads_to_no_other_site(outside: Outside, owner: Visitor, target: str) -> None:
    """Whatever the address says."""
    _later(outside)

    assert (303, "/settings") == _where(fill(owner, "/confirm", next=target, current=PASSWORD))


def test_a_code_of_the_app_does_as_well(outside: Outside, owner: Visitor) -> None:
    """Once; the same code a second time does not."""
    key, _ = enrol(owner)
    _later(outside)
    code = pyotp.TOTP(key).at(outside.clock)
    right = fill(owner, "/confirm", next="/settings/tokens", code=code)
    _later(outside, 0.1)
    with outside.database.writing() as connection:
        connection.execute(update(schema.tokens).values(proved_at=None))
    again = fill(owner, "/confirm", next="/settings/tokens", code=code)

    assert ((303, "/settings/tokens"), 422) == (_where(right), again.status_code)


def test_a_passkey_does_as_well_and_its_answer_once(outside: Outside, owner: Visitor) -> None:
    """A copy of the answer, with the cookie that went with it, shows nothing a second time."""
    key = SecurityKey("http://testserver.local")
    add_key(owner, key)
    _later(outside)
    page = owner.get("/confirm?next=/settings/tokens").text
    stolen = dict(owner.cookies)
    answer = key.get(passkey_options(page))
    key.uses = 0
    token = re.search(r'_csrf" value="([^"]+)"', page)
    assert token
    form = {"_csrf": token[1], "passkey": answer, "next": "/settings/tokens"}
    right = owner.post("/confirm", data=form, follow_redirects=False)
    with outside.database.writing() as connection:
        connection.execute(update(schema.tokens).values(proved_at=None))
        connection.execute(update(schema.factors).values(counter=0))
    owner.cookies.update(stolen)
    replayed = owner.post("/confirm", data=form, follow_redirects=False)

    assert ((303, "/settings/tokens"), 422) == (_where(right), replayed.status_code)


def test_a_stolen_login_by_passkey_is_not_played_again(outside: Outside, owner: Visitor) -> None:
    """Neither its cookie nor its answer opens the door once it was opened with them."""
    key = SecurityKey("http://testserver.local")
    add_key(owner, key)
    fill(owner, "/logout", "/settings")
    fill(owner, "/login", login="ada", password=PASSWORD)
    page = owner.get("/login/second").text
    stolen, answer = dict(owner.cookies), key.get(passkey_options(page))
    token = re.search(r'_csrf" value="([^"]+)"', page)
    assert token
    form = {"_csrf": token[1], "passkey": answer}
    opened = owner.post("/login/second", data=form, follow_redirects=False)
    with outside.database.writing() as connection:  # a key that does not count its uses
        connection.execute(update(schema.factors).values(counter=0))
    owner.cookies.clear()
    owner.cookies.update(stolen)
    replayed = owner.post("/login/second", data=form, follow_redirects=False)

    assert (303, 422) == (opened.status_code, replayed.status_code)


def test_answered_challenges_are_forgotten_when_they_are_worthless(
    outside: Outside, owner: Visitor
) -> None:
    """With the next login after ten minutes, so that they do not pile up."""
    add_key(owner, SecurityKey("http://testserver.local"))

    def answered() -> int:
        with outside.database.reading() as connection:
            kind = schema.tokens.c.kind == "answered"
            return len(connection.scalars(select(schema.tokens.c.id).where(kind)).all())

    before = answered()
    outside.clock = NOON + CHALLENGE_LASTS
    fill(owner, "/settings/password", "/settings", current=PASSWORD, new="a b c d e f g h",
         again="a b c d e f g h")  # fmt: skip

    assert (1, 0) == (before, answered())


def test_an_account_of_an_issuer_asks_it_again(outside: Outside, owner: Visitor) -> None:
    """The issuer is told to ask who it is, even if it knows."""
    world = World()
    outside.sign_on = world.sign_on()
    with outside.database.writing() as connection:
        connection.execute(
            update(schema.identities).values(kind="oidc", subject="ada's", secret_hash=None)
        )
    with TestClient(outside.app()) as visitor:
        visitor.cookies.update(owner.cookies)
        _later(outside)
        page = visitor.get("/confirm?next=/settings/tokens").text
        left = visitor.get(
            "/login/issuer?again=1&next=/settings/tokens", follow_redirects=False
        ).headers["location"]
        deleting = fill(visitor, "/settings/data/delete", "/settings", name="ada").text

    assert "/login/issuer?again=1&amp;next=/settings/tokens" in page
    assert "Your password" not in page
    assert "prompt=login" in left
    assert "no password to ask for" in deleting
    assert "/confirm?next=/settings/data" in deleting


@pytest.fixture
def world(outside: Outside) -> World:
    """An issuer whose word is taken."""
    world = World()
    outside.sign_on = world.sign_on()
    return world


@pytest.fixture
def comer(outside: Outside, world: World, owner: Visitor) -> Visitor:
    """The owner comes by the issuer alone."""
    with outside.database.writing() as connection:
        connection.execute(
            update(schema.identities).values(kind="oidc", subject=f"{URL} 4711", secret_hash=None)
        )
    return owner


_AGAIN = "/login/issuer?again=1&next=/settings/data"


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"auth_time": 0}, 303),
        ({"auth_time": -30}, 303),
        ({"auth_time": -3600}, 403),
        ({}, 303),
        ({"sub": "4712"}, 403),
    ],
    ids=["now", "a_clock_behind", "not_asked_again", "says_nothing", "somebody_else"],
)
def test_the_issuer_has_to_have_asked_the_same_person(
    outside: Outside, comer: Visitor, world: World, claims: dict[str, Any], status: int
) -> None:
    """Then what guards the account may be changed without a password, and not otherwise."""
    _later(outside)
    claims = {**claims, "exp": int(outside.clock.timestamp()) + 600}
    if "auth_time" in claims:
        claims["auth_time"] += int(outside.clock.timestamp())
    before = _accounts(outside)
    left = comer.get(_AGAIN, follow_redirects=False)
    back = comer.get(at_the_issuer(world, left, **claims), follow_redirects=False)
    page = comer.get("/settings/data").text
    assert (status, before) == (back.status_code, _accounts(outside))
    codes = fill(comer, "/settings/security/codes", "/settings").status_code

    assert (status == 303) == ("Show first that it is you" not in page)
    assert (200 if status == 303 else 422) == codes


def test_a_login_that_the_issuer_did_not_ask_for_proves_nothing(
    outside: Outside, comer: Visitor, world: World
) -> None:
    """It lets in, since the issuer knows who it is; what outlasts the visit asks again."""
    an_hour_ago = int(outside.clock.timestamp()) - 3600
    left = comer.get("/login/issuer", follow_redirects=False)
    comer.get(at_the_issuer(world, left, auth_time=an_hour_ago), follow_redirects=False)
    page = comer.get("/settings/data").text

    assert "Show first that it is you" in page
    assert "Your password" not in page
    assert "there is no password here" in comer.get("/settings").text


def _accounts(outside: Outside) -> int:
    with outside.database.reading() as connection:
        return len(connection.execute(select(schema.accounts.c.id)).all())
