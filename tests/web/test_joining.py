"""Joining: by invitation, or uninvited where that is allowed."""

import re
from datetime import timedelta

import httpx
import pytest
from litestar.testing import TestClient
from sqlalchemy import select

from tests.rows import NOON
from tests.web.conftest import Browser
from tests.web.rooms import Outside
from tests.web.visiting import (
    PASSWORD,
    Visitor,
    fill,
    invitation_from,
    led_where,
    role_of,
    settings_with,
)
from wireroom.store import schema
from wireroom.subscribing import opening


def test_an_invitation_lets_one_person_in(outside: Outside, owner: Visitor) -> None:
    """Once; whoever comes is a member, whatever the form says."""
    invitation = invitation_from(owner)
    form = {"invitation": invitation, "password": PASSWORD, "again": PASSWORD, "role": "operator"}
    with TestClient(outside.app()) as bob:
        came = fill(bob, "/join", f"/join?invitation={invitation}", login="Bob", **form)
        reads = bob.get("/").status_code
    with TestClient(outside.app()) as eve:
        token = re.search(r'_csrf" value="([^"]+)"', eve.get("/login").text)
        assert token
        late = eve.post("/join", data={"_csrf": token[1], "login": "eve", **form})

    assert ((303, "/"), 200, "member") == (led_where(came), reads, role_of(outside, "bob"))
    assert (422, None) == (late.status_code, role_of(outside, "eve"))


def test_a_name_that_is_taken_leaves_the_invitation_good(outside: Outside, owner: Visitor) -> None:
    """The form comes back, and a second try with another name works."""
    invitation = invitation_from(owner)
    page = f"/join?invitation={invitation}"
    form = {"invitation": invitation, "password": PASSWORD, "again": PASSWORD}
    with TestClient(outside.app()) as bob:
        taken = fill(bob, "/join", page, login="ada", **form)
        came = fill(bob, "/join", page, login="bob", **form)

    assert (422, True) == (taken.status_code, "is taken" in taken.text)
    assert (303, "/") == led_where(came)


def test_invitations_end(outside: Outside, owner: Visitor) -> None:
    """After a week, and when they are withdrawn."""
    first, second = invitation_from(owner), invitation_from(owner)
    with TestClient(outside.app()) as bob:
        good = bob.get(f"/join?invitation={first}").status_code
        with outside.database.reading() as connection:
            newest = connection.scalars(select(schema.invitations.c.id)).all()[-1]
        fill(owner, f"/settings/invitations/{newest}/withdraw", "/settings/invitations")
        withdrawn = bob.get(f"/join?invitation={second}").status_code
        outside.clock = NOON + timedelta(days=7)
        late = bob.get(f"/join?invitation={first}").status_code

    assert (200, 404, 404) == (good, withdrawn, late)


@pytest.mark.parametrize(("rule", "status"), [("open", 303), ("invited", 422), ("closed", 422)])
def test_who_joins_uninvited(outside: Outside, owner: Visitor, rule: str, status: int) -> None:
    """Whoever comes where that is open, and nobody elsewhere."""
    form = {"login": "eve", "password": PASSWORD, "again": PASSWORD}
    with TestClient(outside.app(settings_with(registration=rule))) as eve:
        came = fill(eve, "/join", "/login", **form)

    assert status == came.status_code
    assert (None if status == 422 else "member") == role_of(outside, "eve")


async def test_one_network_joins_slowly(outside: Outside, owner: Visitor) -> None:
    """A customer has a whole /64 of addresses: another one of them is nobody else."""
    app, form = (
        outside.app(settings_with(registration="open")),
        {"login": "ada", "password": PASSWORD},
    )
    answers = []
    for number in range(7):
        peer = httpx.ASGITransport(app, client=(f"2001:db8::{number}", 1))
        async with httpx.AsyncClient(transport=peer, base_url="http://localhost") as eve:
            token = re.search(r'_csrf" value="([^"]+)"', (await eve.get("/login")).text)
            assert token
            answer = await eve.post("/join", data={"_csrf": token[1], "again": PASSWORD, **form})
            answers.append(answer.text)

    assert [False, True] == ["Too many tries" in answers[number] for number in (0, 6)]


def test_what_we_sealed_for_something_else_is_no_login(outside: Outside) -> None:
    """The sealed text of a form's hidden field, sent as a cookie, opens nothing."""
    carried = opening.sealed("https://ann:s3cret@news.example/", outside.vault, 1)
    with TestClient(outside.app()) as eve:
        eve.cookies.set("wireroom-step", carried)
        answer = eve.get("/login/second", follow_redirects=False)

    assert (303, "/login") == led_where(answer)


def test_members_invite_nobody(bob: Browser) -> None:
    """Neither by the page nor by its form."""
    page, form = bob.get("/settings/invitations"), bob.post("/settings/invitations", name="x")

    assert (403, 403) == (page.status_code, form.status_code)
