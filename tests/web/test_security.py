"""What holds for every page: headers, forged requests, other people's things, hostile texts."""

import re

import pytest
from litestar.routes import HTTPRoute
from sqlalchemy import Connection

from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, follow
from tests.web.conftest import Browser
from tests.web.rooms import Outside, furnish
from wireroom.web.security import local_path

PAGES = [
    "/", "/?show=all", "/?show=favorite", "/follow", "/folders", "/settings", "/bot", "/health",
    "/login", "/setup", "/nowhere", "/feed/99", "/folder/99", "/feed/1/about",
    "/feed/1/unfollow", "/feed/1?show=all&entry=1.1", "/entry/1/1",
]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_policy_is_on_every_page(ada: Browser, outside: Outside, path: str) -> None:
    """Pages, errors and redirects carry the policy; none of it allows inline script or style."""
    with outside.database.writing() as connection:
        furnish(connection, ada.account_id)
    answer = ada.get(path)
    policy = answer.headers["content-security-policy"]

    assert 500 > answer.status_code
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert ("nosniff", "no-referrer", "no-store") == (
        answer.headers["x-content-type-options"],
        answer.headers["referrer-policy"],
        answer.headers["cache-control"],
    )


@pytest.mark.parametrize("path", PAGES)
def test_pages_keep_to_the_policy(ada: Browser, outside: Outside, path: str) -> None:
    """No page has a style attribute, an inline script or a handler that the policy would block."""
    with outside.database.writing() as connection:
        furnish(connection, ada.account_id)
    page = ada.get(path).text

    assert "<style" not in page
    assert " style=" not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count("<script src=")


def test_files_may_be_kept(ada: Browser) -> None:
    """Static files have an address of their version and may be kept for ever."""
    from wireroom.web.render import static

    answer = ada.get(static("wireroom.css"))

    assert 200 == answer.status_code
    assert "immutable" in answer.headers["cache-control"]
    assert 404 == ada.get(static("..%2f..%2fapp.py")).status_code


def posts(outside: Outside) -> list[str]:
    """Every address of the application that takes POST, with numbers put in."""
    return sorted(
        re.sub(r"\{[^}]*\}", "1", route.path_format)
        for route in outside.app().routes
        if isinstance(route, HTTPRoute) and "POST" in route.methods
    )


def test_every_post_refuses_forged_requests(ada: Browser, outside: Outside) -> None:
    """Without the session's token, and with it but from another site, nothing is done."""
    with outside.database.writing() as connection:
        furnish(connection, ada.account_id)
    addresses = posts(outside)
    without = {a: ada.client.post(a, follow_redirects=False).status_code for a in addresses}
    foreign = {
        address: ada.client.post(
            address,
            data={"_csrf": ada.csrf},
            headers={"sec-fetch-site": "cross-site"},
            follow_redirects=False,
        ).status_code
        for address in addresses
    }
    other_origin = {
        (address, origin): ada.client.post(
            address,
            data={"_csrf": ada.csrf},
            headers={"origin": origin},
            follow_redirects=False,
        ).status_code
        for address in addresses
        for origin in ("https://evil.example", "http://[")
    }

    assert len(addresses) >= 18
    assert {403} == {*without.values(), *foreign.values(), *other_origin.values()}
    assert [] == outside.asked


def test_tokens_of_others_do_not_fit(ada: Browser, bob: Browser) -> None:
    """A token is good for the session it was made for."""
    ada.csrf = bob.csrf

    assert 403 == ada.post("/logout").status_code


def test_getting_changes_nothing(ada: Browser, outside: Outside) -> None:
    """Every page can be asked for without anything becoming read or otherwise different."""
    with outside.database.writing() as connection:
        furnish(connection, ada.account_id)
    before = ada.get("/?show=all").text
    for path in PAGES:
        ada.get(path)

    assert before == ada.get("/?show=all").text
    assert [] == outside.asked


def theirs(connection: Connection, account_id: int) -> dict[str, int]:
    """Something of everything, owned by one account."""
    folder = add_folder(connection, account_id, "Private")
    feed_id = add_feed(connection, "Private feed")
    subscription = follow(connection, account_id, feed_id, folder_id=folder)
    return {
        "folder": folder,
        "feed": feed_id,
        "subscription": subscription,
        "seq": add_entry(connection, feed_id, NOON, "A private title"),
    }


def test_what_belongs_to_others_is_not_there(ada: Browser, bob: Browser, outside: Outside) -> None:
    """Each address with another account's numbers answers exactly as with unknown ones."""
    with outside.database.writing() as connection:
        ids = theirs(connection, ada.account_id)
    gets = ["/feed/{subscription}", "/feed/{subscription}/about", "/feed/{subscription}/unfollow",
            "/folder/{folder}", "/entry/{feed}/{seq}", "/?entry={feed}.{seq}"]  # fmt: skip
    asks = ["/feed/{subscription}/about", "/feed/{subscription}/refresh",
            "/feed/{subscription}/unfollow", "/folder/{folder}", "/folder/{folder}/remove",
            "/entry/{feed}/{seq}"]  # fmt: skip
    unknown = dict.fromkeys(ids, 7_000_000)
    fields = {"name": "x", "title": "x", "is_read": "1"}

    for path in gets:
        real, none = (bob.get(path.format(**numbers)) for numbers in (ids, unknown))
        assert (404, none.text) == (real.status_code, real.text), path
    for path in asks:
        real, none = (bob.post(path.format(**numbers), **fields) for numbers in (ids, unknown))
        assert (404, none.text) == (real.status_code, real.text), path
    into = bob.post("/folders", name="x", parent_id=ids["folder"])
    session = bob.post("/settings/sessions/1/close")
    followed = bob.post("/follow", url="https://new.example/", folder_id=ids["folder"])

    assert 404 == into.status_code
    assert 404 == session.status_code
    assert 422 == followed.status_code
    assert [] == outside.asked
    assert "A private title" in ada.get("/").text
    assert "A private title" not in bob.get("/?show=all").text


def test_hostile_texts_stay_texts(ada: Browser, outside: Outside) -> None:
    """Markup in titles, authors, names, errors and bodies reaches no page (SEC-14)."""
    bad = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'"
    with outside.database.writing() as connection:
        folder = add_folder(connection, ada.account_id, bad)
        feed_id = add_feed(
            connection, bad, host="h.example", url="https://h.example/", site_url="javascript:x()",
            description=bad, last_error=bad, failure_count=5, next_poll_reason=bad,
        )  # fmt: skip
        subscription = follow(connection, ada.account_id, feed_id, folder_id=folder)
        add_entry(
            connection, feed_id, NOON, bad, author=bad, link="javascript:alert(3)",
            categories=[bad], content=f"<p onclick=x()>{bad}<a href='java\nscript:x()'>go</a>"
            "<svg onload=x()></svg><iframe src=https://evil.example></iframe></p>"
            "<a href='data:text/html,x'>data</a><form action=/logout><button>x</button></form>",
            enclosures=[{"url": "javascript:x()", "type": "audio/mpeg"}],
        )  # fmt: skip
    pages = [
        ada.get(path).text
        for path in (f"/feed/{subscription}?entry={feed_id}.1", "/folders", "/settings", "/",
                     f"/feed/{subscription}/about", f"/feed/{subscription}/unfollow", "/follow")
    ]  # fmt: skip

    for page in pages:
        assert "<script>" not in page
        assert "<img src=x" not in page
        assert "onload=" not in page
        assert "<iframe" not in page
        assert 'href="javascript' not in page.lower()
        assert 'href="data:' not in page
        assert 'src="javascript' not in page.lower()
        assert "<form action=/logout>" not in page
    assert "&lt;script&gt;alert(1)" in pages[0]


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "evil.example:80"])
def test_other_names_are_not_answered(ada: Browser, host: str) -> None:
    """A name that an attacker points at us opens no page (DNS rebinding)."""
    answer = ada.get("/", headers={"host": host})

    assert 403 == answer.status_code


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
def test_our_own_names_are_answered(ada: Browser, host: str) -> None:
    """This machine's own names always work."""
    assert 200 == ada.get("/bot", headers={"host": host}).status_code


@pytest.mark.parametrize(
    "path",
    [
        "/feed/99999999999999999999999999",
        "/entry/1/99999999999999999999",
        "/folder/99999999999999999999",
        "/feed/abc",
        "/?entry=9999999999999999999999.1",
        "/?after=1.2",
        "/?after=99999999999999999999999.1.1",
        "/?after=1.99999999999999999999.1",
        "/?show=nonsense",
        "/?after=%F0%9F%A6%86.1.1",
    ],
)
def test_odd_addresses_are_no_accidents(ada: Browser, path: str) -> None:
    """Numbers beyond the database's and nonsense are answered, not stumbled over."""
    assert ada.get(path).status_code in {200, 400, 404}


def test_large_forms_are_refused(ada: Browser) -> None:
    """A form beyond any of ours is not read to its end."""
    answer = ada.post("/folders", name="x" * 2_000_000)

    assert answer.status_code in {400, 413}


def test_local_paths() -> None:
    """Only paths of ours are led to."""
    assert "/feed/1?x=1" == local_path("/feed/1?x=1")
    assert ["/"] * 5 == [local_path(target) for target in (None, "", "//x", "/\\x", "https://x/")]


def test_a_stranger_cannot_use_a_deleted_account(ada: Browser, outside: Outside) -> None:
    """A session ends with its account."""
    with outside.database.writing() as connection:
        add_account(connection, "someone else")
        connection.exec_driver_sql("DELETE FROM accounts WHERE name = 'ada'")

    assert "/setup" == ada.get("/").headers["location"]
