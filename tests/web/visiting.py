"""What a visitor does at the doors: forms, logins, second factors, a passkey, the issuer."""

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyotp
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import select

from tests.accounts.authenticator import SecurityKey
from tests.accounts.issuer import CLIENT, World
from tests.rows import NOON
from tests.web.rooms import Outside
from wireroom.store import schema
from wireroom.web.room import Settings

PASSWORD = "seven grey ferries"
Visitor = TestClient[Litestar]


def settings_with(**values: Any) -> Settings:
    return Settings(allowed_hosts=("testserver.local",), **values)


def fill(visitor: Visitor, path: str, at_page: str = "", **fields: str) -> Response:
    """Send a form as its page has it."""
    page = visitor.get(at_page or path).text
    found = re.search(r'name="_csrf" value="([^"]+)"', page)
    assert found, page
    return visitor.post(path, data={"_csrf": found[1], **fields}, follow_redirects=False)


def led_where(answer: Response) -> tuple[int, str]:
    """The status, and the address that the browser is sent to."""
    return answer.status_code, answer.headers.get("location", "")


def enrol(owner: Visitor) -> tuple[str, list[str]]:
    """The key of an app that was added, and the recovery codes."""
    page = owner.get("/settings/security").text
    key = re.search(r'<code class="secret">(\w+)</code>', page)
    assert key
    code = pyotp.TOTP(key[1]).at(NOON)
    made = fill(owner, "/settings/security/app", "/settings/security", code=code, current=PASSWORD)
    return key[1], re.findall(r"<code>([a-z0-9-]{14})</code>", made.text)


def log_in(visitor: Visitor) -> Response:
    visitor.cookies.clear()
    return fill(visitor, "/login", login="ada", password=PASSWORD, next="/folders")


def passkey_options(page: str) -> str:
    found = re.search(r'data-options="([^"]+)"', page)
    assert found
    return html.unescape(found[1])


def add_key(owner: Visitor, key: SecurityKey) -> Response:
    answer = key.create(passkey_options(owner.get("/settings/security").text))
    page = owner.cookies  # the challenge is in a cookie; a second visit would change it
    assert page
    token = re.search(r'_csrf" value="([^"]+)"', owner.get("/settings").text)
    assert token
    form = {"_csrf": token[1], "passkey": answer, "name": "Blue key", "current": PASSWORD}
    return owner.post("/settings/security/passkey", data=form)


def prove(owner: Visitor, answer: str, page: str) -> Response:
    token = re.search(r'_csrf" value="([^"]+)"', page)
    assert token
    form = {"_csrf": token[1], "passkey": answer}
    return owner.post("/login/second", data=form, follow_redirects=False)


def at_the_issuer(world: World, leaving: Response, **claims: Any) -> str:
    """Where the issuer sends the browser back to."""
    query = {k: v[0] for k, v in parse_qs(urlsplit(leaving.headers["location"]).query).items()}
    assert ("code", CLIENT, "S256") == (
        query["response_type"], query["client_id"], query["code_challenge_method"],
    )  # fmt: skip
    told = {"nonce": query["nonce"], "preferred_username": "carol", **claims}
    world.codes["abc"] = (told, query["code_challenge"])
    return f"{urlsplit(query['redirect_uri']).path}?code=abc&state={query['state']}"


def invitation_from(owner: Visitor) -> str:
    """The secret of an invitation for Bob, as the page shows it once."""
    page = fill(owner, "/settings/invitations", name="Bob").text
    found = re.search(r"/join\?invitation=([\w-]+)", page)
    assert found
    return found[1]


def role_of(outside: Outside, name: str) -> str | None:
    with outside.database.reading() as connection:
        return connection.scalar(
            select(schema.accounts.c.role).where(schema.accounts.c.name == name)
        )
