"""Subscription lists through the browser: what is uploaded, and what is downloaded."""

import re

import pytest
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from tests.web.conftest import Browser
from tests.web.rooms import Outside, furnish

LIST = b"""<?xml version="1.0"?>
<opml version="2.0"><body>
<outline text="News"><outline text="Good" xmlUrl="https://good.example/feed"/></outline>
<outline text="Bad" xmlUrl="gopher://old.example/&lt;b&gt;"/>
</body></opml>"""


def upload(browser: Browser, document: bytes, **fields: str) -> Response:
    return browser.client.post(
        "/lists/import",
        data={"_csrf": browser.csrf, **fields},
        files={"file": ("feeds.opml", document, "text/x-opml")},
        follow_redirects=False,
    )


def test_a_list_is_taken_in(ada: Browser) -> None:
    """The result names what is new, what failed and why; a second time everything is there."""
    first, second = upload(ada, LIST), upload(ada, LIST)
    shelf = ada.get("/").text

    assert 200 == first.status_code
    assert "Feeds: 1 newly followed, 1 refused. New folders: 1." in first.text
    assert "gopher://old.example/&lt;b&gt;" in first.text
    assert re.search(r'<dd class="error">[A-Z].+\.</dd>', first.text)
    assert "Feeds: 1 followed already, 1 refused.</p>" in second.text
    assert '<span class="name">Good</span>' in shelf


@pytest.mark.parametrize(
    ("document", "words"),
    [(b"<html>no list", "OPML"), (b"", "Choose a file first")],
    ids=["not a list", "empty"],
)
def test_what_is_no_list_is_refused_in_place(ada: Browser, document: bytes, words: str) -> None:
    """The form comes again with one sentence above it."""
    answer = upload(ada, document)

    assert 422 == answer.status_code
    assert words in answer.text.partition('role="alert">')[2].partition("</p>")[0]


def test_lists_beyond_two_megabytes_are_not_read(ada: Browser) -> None:
    """A list may be larger than other forms, up to a limit; what is too large is said."""
    fits = LIST + b" " * 1_900_000
    answer = upload(ada, LIST + b" " * 2_200_000)

    assert 200 == upload(ada, fits).status_code
    assert (413, True) == (answer.status_code, "2 MB" in answer.text)


def test_a_list_from_elsewhere_is_not_taken(ada: Browser) -> None:
    """The token of the session is asked for in this form as in all."""
    assert 403 == upload(ada, LIST, _csrf="another").status_code
    assert "good.example" not in ada.get("/lists/export").text


def test_the_own_list_is_a_download(ada: Browser, outside: Outside) -> None:
    """It holds feeds and folders, and another account's browser would take it in as it is."""
    with outside.database.writing() as connection:
        furnish(connection, ada.account_id)
    answer = ada.get("/lists/export")

    assert 'attachment; filename="wireroom-feeds-' in answer.headers["content-disposition"]
    assert answer.headers["content-type"].startswith("text/x-opml")
    assert 'text="Close to home"' in answer.text
    assert "Harbour Courier" in answer.text


def test_nobody_gets_a_list_without_logging_in(visitor: TestClient[Litestar]) -> None:
    """The way to the door instead."""
    assert 303 == visitor.get("/lists/export", follow_redirects=False).status_code
