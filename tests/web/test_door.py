"""The first visit, logging in and out, and what keeps strangers from doing it for you."""

import re
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.web.conftest import Browser
from tests.web.rooms import Outside
from wireroom.web.render import static
from wireroom.web.room import Settings

PASSWORD = "seven grey ferries"
Visitor = TestClient[Litestar]


def csrf_of(page: str) -> str:
    found = re.search(r'name="_csrf" value="([0-9a-f]{64})"', page)
    assert found, page
    return found[1]


def fill(visitor: Visitor, path: str, **fields: str) -> Any:
    """Open a page with a form and send it."""
    token = csrf_of(visitor.get(path).text)
    return visitor.post(path, data={"_csrf": token, **fields}, follow_redirects=False)


def set_up(visitor: Visitor) -> None:
    answer = fill(visitor, "/setup", login="ada", password=PASSWORD, again=PASSWORD)
    assert answer.status_code == 303, answer.text


def test_every_way_leads_to_the_first_visit(visitor: Visitor) -> None:
    """While nobody owns the place, pages and the login lead to the setup."""
    for path in ("/", "/settings", "/login"):
        assert "/setup" == visitor.get(path, follow_redirects=False).headers["location"]


def test_first_visit_logs_in_and_closes_the_setup(visitor: Visitor) -> None:
    """The owner is logged in at once; the setup page then leads home."""
    set_up(visitor)

    assert "Nothing on the wire yet" in visitor.get("/").text
    assert "/" == visitor.get("/setup", follow_redirects=False).headers["location"]


def test_setup_says_what_is_wrong(visitor: Visitor) -> None:
    """Two different passwords, or a weak one: said on the page, and nothing is made."""
    differ = fill(visitor, "/setup", login="ada", password=PASSWORD, again=PASSWORD + "!")
    weak = fill(visitor, "/setup", login="ada", password="short", again="short")

    assert (422, True) == (differ.status_code, "differ" in differ.text)
    assert (422, True) == (weak.status_code, "at least 10" in weak.text)
    assert 200 == visitor.get("/setup").status_code


def test_setup_asks_for_the_code_that_was_printed(outside: Outside) -> None:
    """Where strangers can visit first, only who reads the program's output becomes the owner."""
    settings = Settings(allowed_hosts=("testserver.local",), setup_code="tern-4821")
    with TestClient(outside.app(settings)) as visitor:
        fields = {"login": "ada", "password": PASSWORD, "again": PASSWORD}
        without = fill(visitor, "/setup", **fields)
        right = fill(visitor, "/setup", code=" tern-4821 ", **fields)

    assert 422 == without.status_code
    assert 303 == right.status_code


def test_setup_codes_cannot_be_tried_for_long(outside: Outside) -> None:
    """After five wrong codes even the right one waits."""
    settings = Settings(allowed_hosts=("testserver.local",), setup_code="tern-4821")
    fields = {"login": "ada", "password": PASSWORD, "again": PASSWORD}
    with TestClient(outside.app(settings)) as visitor:
        for number in range(5):
            fill(visitor, "/setup", code=str(number), **fields)
        late = fill(visitor, "/setup", code="tern-4821", **fields)

    assert (422, True) == (late.status_code, "Wait" in late.text)


def test_login_and_logout(visitor: Visitor, outside: Outside) -> None:
    """A new session at login, none after logout: the old cookie opens nothing any more."""
    set_up(visitor)
    kept = visitor.cookies["wireroom"]
    page = visitor.get("/").text
    visitor.post("/logout", data={"_csrf": csrf_of(page)})
    with TestClient(outside.app()) as thief:
        thief.cookies.set("wireroom", kept)
        stolen = thief.get("/", follow_redirects=False)
    back = fill(visitor, "/login", login="Ada", password=PASSWORD)

    assert "/login" == stolen.headers["location"]
    assert (303, "/") == (back.status_code, back.headers["location"])
    assert kept != visitor.cookies["wireroom"]


def test_cookie_is_out_of_reach_of_scripts(visitor: Visitor) -> None:
    """HttpOnly and SameSite=Lax over plain http."""
    answer = fill(visitor, "/setup", login="ada", password=PASSWORD, again=PASSWORD)
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("wireroom="))

    assert {"httponly", "samesite=lax", "path=/"} <= set(cookie.lower().split("; "))


def test_cookie_is_bound_to_the_host_over_https(outside: Outside) -> None:
    """__Host-, Secure and HSTS when the base URL says https."""
    settings = Settings(base_url="https://testserver.local")
    with TestClient(outside.app(settings), base_url="https://testserver.local") as visitor:
        answer = fill(visitor, "/setup", login="ada", password=PASSWORD, again=PASSWORD)
    cookies = answer.headers.get_list("set-cookie")
    cookie = next(c for c in cookies if c.startswith("__Host-wireroom="))

    assert "secure" in cookie.lower()
    assert "domain" not in cookie.lower()
    assert "max-age=" in answer.headers["strict-transport-security"]


def test_wrong_name_and_wrong_password_look_alike(visitor: Visitor) -> None:
    """The two answers differ in nothing but the name that was typed."""
    set_up(visitor)
    visitor.cookies.clear()
    one = fill(visitor, "/login", login="ada", password="wrong wrong wrong")
    two = fill(visitor, "/login", login="bob", password="wrong wrong wrong")

    assert one.status_code == two.status_code == 422
    assert one.text == two.text.replace('value="bob"', 'value="ada"')


def test_login_is_throttled(visitor: Visitor) -> None:
    """The sixth try in a row waits, right or wrong."""
    set_up(visitor)
    visitor.cookies.clear()
    for _ in range(5):
        fill(visitor, "/login", login="ada", password="wrong wrong wrong")
    late = fill(visitor, "/login", login="ada", password=PASSWORD)

    assert (429, True) == (late.status_code, "Too many wrong tries" in late.text)


@pytest.mark.parametrize(
    ("asked", "led_to"),
    [
        ("/feed/3?show=all", "/feed/3?show=all"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\nSet-Cookie: a=b", "/"),
        ("", "/"),
    ],
)
def test_login_leads_only_to_our_own_pages(visitor: Visitor, asked: str, led_to: str) -> None:
    """`next` is a path here or it is the front page."""
    set_up(visitor)
    visitor.cookies.clear()
    token = csrf_of(visitor.get("/login", params={"next": asked}).text)
    answer = visitor.post(
        "/login",
        data={"_csrf": token, "login": "ada", "password": PASSWORD, "next": asked},
        follow_redirects=False,
    )

    assert (303, led_to) == (answer.status_code, answer.headers["location"])


def test_a_page_that_needs_login_comes_back_after_it(ada: Browser) -> None:
    """Where somebody wanted to go is kept through the login."""
    ada.client.cookies.clear()
    answer = ada.get("/feed/3?show=all")

    assert "/login?next=/feed/3%3Fshow%3Dall" == answer.headers["location"]


def test_script_is_told_in_its_own_way(ada: Browser) -> None:
    """A request by script is not redirected into a login page but answered 401."""
    ada.client.cookies.clear()
    answers = [ada.get(path, headers={"hx-request": "true"}) for path in ("/", "/entry/1/1")]
    stream = ada.get("/live")

    assert [(401, "/login")] * 3 == [
        (answer.status_code, answer.headers["hx-redirect"]) for answer in (*answers, stream)
    ]


def test_forms_that_no_browser_sends_are_refused_in_words(outside: Outside) -> None:
    """Unknown charsets and U+0000 (which PostgreSQL keeps nowhere) are the sender's fault."""
    headers = {"content-type": "multipart/form-data; boundary=x"}
    part = (
        b"--x\r\nContent-Disposition: form-data; name=a\r\n"
        b"Content-Type: text/plain; charset=nope\r\n\r\n\xff\r\n--x--"
    )
    with TestClient(outside.app()) as visitor:
        unknown_charset = visitor.post("/login", content=part, headers=headers)
        nul = visitor.post("/login", data={"login": "a\0", "password": "b\0"})

    assert (400, True) == (unknown_charset.status_code, "cannot be read" in unknown_charset.text)
    assert (400, True) == (nul.status_code, "U+0000" in nul.text)


def test_a_file_whose_name_holds_a_nul_is_not_there(visitor: Visitor) -> None:
    """No file system knows such a name: 404, as for any other that is not there."""
    assert 404 == visitor.get(static("%00")).status_code
