"""Single sign-on: an issuer's word, or a proxy's."""

from typing import Any

import pytest
from litestar.testing import TestClient
from sqlalchemy import select

from tests.accounts.issuer import URL, World
from tests.web.rooms import Outside
from tests.web.visiting import (
    PASSWORD,
    Visitor,
    at_the_issuer,
    fill,
    led_where,
    role_of,
    settings_with,
)
from wireroom.store import schema


@pytest.fixture
def world(outside: Outside) -> World:
    world = World()
    outside.sign_on = world.sign_on(title="Harbour ID")
    return world


def test_the_issuer_lets_people_in(outside: Outside, owner: Visitor, world: World) -> None:
    """By code and verifier; the same person has one account."""
    with TestClient(outside.app()) as carol:
        door = carol.get("/login").text
        for _ in range(2):
            leaving = carol.get("/login/issuer?next=/folders", follow_redirects=False)
            back = carol.get(at_the_issuer(world, leaving), follow_redirects=False)
            reads = carol.get("/").status_code
    with outside.database.reading() as connection:
        names = connection.scalars(select(schema.accounts.c.name)).all()

    assert "Log in with Harbour ID" in door
    assert ((303, "/folders"), 200) == (led_where(back), reads)
    assert ["ada", "carol"] == sorted(names)
    assert "Authorization" in world.posts[0].headers


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param({"nonce": "another"}, id="token_of_another_login"),
        pytest.param({"aud": "another-program"}, id="token_for_another_program"),
        pytest.param({"iss": "https://evil.example"}, id="token_of_another_issuer"),
    ],
)
def test_words_of_the_issuer_that_are_not_taken(
    outside: Outside, owner: Visitor, world: World, spoil: dict[str, str]
) -> None:
    """Nobody is logged in."""
    with TestClient(outside.app()) as carol:
        leaving = carol.get("/login/issuer", follow_redirects=False)
        back = carol.get(at_the_issuer(world, leaving, **spoil), follow_redirects=False)
        inside = carol.get("/", follow_redirects=False)

    assert (403, 303) == (back.status_code, inside.status_code)


def test_a_login_begun_in_another_browser_is_refused(
    outside: Outside, owner: Visitor, world: World
) -> None:
    """A stranger's code cannot be slipped to somebody (login CSRF)."""
    with TestClient(outside.app()) as eve, TestClient(outside.app()) as carol:
        begun = at_the_issuer(world, eve.get("/login/issuer", follow_redirects=False))
        carol.get("/login/issuer", follow_redirects=False)
        back = carol.get(begun, follow_redirects=False)

    assert 403 == back.status_code


def test_a_sealed_cookie_is_good_for_one_thing(outside: Outside, world: World) -> None:
    """What was remembered of one login is nothing under the name of another step."""
    with TestClient(outside.app()) as eve:
        eve.get("/login/issuer", follow_redirects=False)
        sealed = next(each for each in eve.cookies.jar if each.name.endswith("-issuer"))
        eve.cookies.set(sealed.name.replace("-issuer", "-step"), str(sealed.value))
        answer = eve.get("/login/second", follow_redirects=False)

    assert (303, "/login") == led_where(answer)


def test_the_issuer_becomes_a_further_door(outside: Outside, world: World, owner: Visitor) -> None:
    """Connected while logged in, it opens the same account from then on."""
    fill_page = "/settings/security"
    unsure = fill(owner, "/settings/issuer", fill_page, current="not the password")
    leaving = fill(owner, "/settings/issuer", fill_page, current=PASSWORD)
    connected = owner.get(at_the_issuer(world, leaving), follow_redirects=False)
    owner.cookies.clear()
    again = owner.get("/login/issuer", follow_redirects=False)
    owner.get(at_the_issuer(world, again), follow_redirects=False)

    assert 422 == unsure.status_code
    assert (303, "/settings/security") == led_where(connected)
    assert "You log in as <b>ada</b>" in owner.get("/settings").text


def test_an_issuer_that_cannot_be_asked_is_said(outside: Outside, owner: Visitor) -> None:
    """In words, with the way by password still open."""
    world = World(about={"issuer": URL + "/other"})
    outside.sign_on = world.sign_on()
    with TestClient(outside.app()) as carol:
        leaving = carol.get("/login/issuer", follow_redirects=False)

    assert (400, True) == (leaving.status_code, "issuer cannot be asked" in leaving.text)


@pytest.mark.parametrize(
    ("trusted", "led_to"), [("testclient", "/login"), ("127.0.0.1", "/folders")]
)
def test_only_the_named_proxy_is_believed(
    outside: Outside, owner: Visitor, trusted: str, led_to: str
) -> None:
    """By the address of the connection; the header alone opens nothing."""
    settings = settings_with(login_header="Remote-User", login_header_from=("127.0.0.0/8",))
    peer = ("127.0.0.1", 1) if led_to == "/folders" else ("192.0.2.9", 1)
    app: Any = outside.app(settings)

    async def from_peer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope["client"] = peer
        await app(scope, receive, send)

    with TestClient(from_peer) as dora:  # type: ignore[arg-type, type-var]
        headers = {"Remote-User": "dora", "X-Forwarded-For": "127.0.0.1"}
        answer = dora.get("/login?next=/folders", headers=headers, follow_redirects=False)
        other = dora.get("/", headers={"Remote-User": "emil"}, follow_redirects=False)

    if led_to == "/folders":
        assert ((303, "/folders"), "member") == (led_where(answer), role_of(outside, "dora"))
    else:
        assert (200, None) == (answer.status_code, role_of(outside, "dora"))
    assert 303 == other.status_code
