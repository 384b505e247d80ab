"""The second step of a login: codes of an app, recovery codes, passkeys."""

import re
from datetime import timedelta

import pyotp
import pytest
from sqlalchemy import select

from tests.accounts.authenticator import SecurityKey
from tests.rows import NOON
from tests.web.rooms import Outside
from tests.web.visiting import (
    PASSWORD,
    Visitor,
    add_key,
    enrol,
    fill,
    led_where,
    log_in,
    passkey_options,
    prove,
)
from wireroom.store import schema


def test_a_code_is_asked_for_after_the_password(outside: Outside, owner: Visitor) -> None:
    """The password alone opens nothing; each code opens once, recovery codes do as well."""
    key, recovery = enrol(owner)
    outside.clock = NOON + timedelta(minutes=5)
    asked = log_in(owner)
    inside = owner.get("/", follow_redirects=False)
    wrong = fill(owner, "/login/second", code="000000")
    code = pyotp.TOTP(key).at(outside.clock)
    right = fill(owner, "/login/second", code=f"{code[:3]} {code[3:]}")
    log_in(owner)
    again = fill(owner, "/login/second", code=code)
    by_paper = fill(owner, "/login/second", code=recovery[0])
    log_in(owner)
    twice = fill(owner, "/login/second", code=recovery[0])

    assert 10 == len(recovery)
    assert (303, "/login/second") == led_where(asked)
    assert (303, 422) == (inside.status_code, wrong.status_code)
    assert ((303, "/folders"), 422) == (led_where(right), again.status_code)
    assert ((303, "/folders"), 422) == (led_where(by_paper), twice.status_code)


def test_codes_cannot_be_tried_for_long(outside: Outside, owner: Visitor) -> None:
    """The sixth wait, the right one included."""
    key, _ = enrol(owner)
    outside.clock = NOON + timedelta(minutes=5)
    log_in(owner)
    for number in range(5):
        fill(owner, "/login/second", code=f"00000{number}")
    late = fill(owner, "/login/second", code=pyotp.TOTP(key).at(outside.clock))

    assert 429 == late.status_code


def test_the_second_step_is_forgotten_after_ten_minutes(outside: Outside, owner: Visitor) -> None:
    """Then it begins with the password again."""
    key, _ = enrol(owner)
    log_in(owner)
    page = owner.get("/login/second").text
    token = re.search(r'_csrf" value="([^"]+)"', page)
    assert token
    outside.clock = NOON + timedelta(minutes=11)
    code = pyotp.TOTP(key).at(outside.clock)
    late = owner.post(
        "/login/second", data={"_csrf": token[1], "code": code}, follow_redirects=False
    )

    assert (303, "/login") == led_where(late)


@pytest.mark.parametrize(
    ("current", "shift"), [("wrong wrong wrong", 0), (PASSWORD, 600)], ids=["password", "code"]
)
def test_an_app_is_not_added_by_half(owner: Visitor, current: str, shift: int) -> None:
    """Both the password and the app's code have to be right."""
    page = owner.get("/settings/security").text
    key = re.search(r'<code class="secret">(\w+)</code>', page)
    assert key
    code = pyotp.TOTP(key[1]).at(NOON + timedelta(seconds=shift))
    made = fill(owner, "/settings/security/app", "/settings/security", code=code, current=current)

    assert 422 == made.status_code
    assert (303, "/folders") == led_where(log_in(owner))


def test_a_passkey_opens_the_door(owner: Visitor) -> None:
    """The one that was added; not another one, and no answer twice."""
    key = SecurityKey("http://testserver.local")
    added = add_key(owner, key)
    log_in(owner)
    page = owner.get("/login/second").text
    stranger = SecurityKey("http://testserver.local", id=key.id)
    refused = prove(owner, stranger.get(passkey_options(page)), page)
    page = owner.get("/login/second").text
    answer = key.get(passkey_options(page))
    opened = prove(owner, answer, page)
    log_in(owner)
    page = owner.get("/login/second").text
    replayed = prove(owner, answer, page)

    assert (200, True) == (added.status_code, "recovery codes" in added.text)
    assert (422, (303, "/folders"), 422) == (
        refused.status_code, led_where(opened), replayed.status_code,
    )  # fmt: skip


def test_a_passkey_made_at_another_site_is_refused(owner: Visitor) -> None:
    """What a page of a stranger's got signed is worth nothing here."""
    key = SecurityKey("https://evil.example")

    assert 422 == add_key(owner, key).status_code


def test_the_last_factor_takes_the_recovery_codes_with_it(
    outside: Outside, owner: Visitor
) -> None:
    """Then the password alone opens the door again."""
    enrol(owner)
    fill(owner, "/settings/security/1/remove", "/settings/security", current=PASSWORD)
    with outside.database.reading() as connection:
        left = connection.execute(select(schema.factors.c.kind)).all()

    assert [] == left
    assert (303, "/folders") == led_where(log_in(owner))
