"""Joining, the second step, single sign-on, tokens and leaving, as a browser goes through them."""

import html
import io
import json
import re
import zipfile
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pyotp
import pytest
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import insert, select

from tests.accounts.authenticator import SecurityKey
from tests.accounts.issuer import CLIENT, URL, World
from tests.rows import NOON, add_entry, add_feed, at, follow
from tests.web.conftest import Browser
from tests.web.rooms import Outside
from wireroom import doors
from wireroom.store import schema
from wireroom.store.doors import Door
from wireroom.subscribing import opening
from wireroom.web.room import Settings

PASSWORD = "seven grey ferries"
Visitor = TestClient[Litestar]


def _settings(**values: Any) -> Settings:
    return Settings(allowed_hosts=("testserver.local",), **values)


def fill(visitor: Visitor, path: str, at_page: str = "", **fields: str) -> Response:
    """Send a form as its page has it."""
    page = visitor.get(at_page or path).text
    found = re.search(r'name="_csrf" value="([^"]+)"', page)
    assert found, page
    return visitor.post(path, data={"_csrf": found[1], **fields}, follow_redirects=False)


@pytest.fixture
def owner(outside: Outside) -> Any:
    """An owner with a password, logged in."""
    with TestClient(outside.app()) as client:
        fill(client, "/setup", login="ada", password=PASSWORD, again=PASSWORD)
        yield client


def _location(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.headers.get("location", "")


# -- joining --------------------------------------------------------------------------------------


def _invitation(owner: Visitor) -> str:
    page = fill(owner, "/settings/invitations", name="Bob").text
    found = re.search(r"/join\?invitation=([\w-]+)", page)
    assert found
    return found[1]


def _role(outside: Outside, name: str) -> str | None:
    with outside.database.reading() as connection:
        return connection.scalar(
            select(schema.accounts.c.role).where(schema.accounts.c.name == name)
        )


def test_an_invitation_lets_one_person_in(outside: Outside, owner: Visitor) -> None:
    """Once; whoever comes is a member, whatever the form says."""
    invitation = _invitation(owner)
    form = {"invitation": invitation, "password": PASSWORD, "again": PASSWORD, "role": "operator"}
    with TestClient(outside.app()) as bob:
        came = fill(bob, "/join", f"/join?invitation={invitation}", login="Bob", **form)
        reads = bob.get("/").status_code
    with TestClient(outside.app()) as eve:
        token = re.search(r'_csrf" value="([^"]+)"', eve.get("/login").text)
        assert token
        late = eve.post("/join", data={"_csrf": token[1], "login": "eve", **form})

    assert ((303, "/"), 200, "member") == (_location(came), reads, _role(outside, "bob"))
    assert (422, None) == (late.status_code, _role(outside, "eve"))


def test_a_name_that_is_taken_leaves_the_invitation_good(outside: Outside, owner: Visitor) -> None:
    """The form comes back, and a second try with another name works."""
    invitation = _invitation(owner)
    page = f"/join?invitation={invitation}"
    form = {"invitation": invitation, "password": PASSWORD, "again": PASSWORD}
    with TestClient(outside.app()) as bob:
        taken = fill(bob, "/join", page, login="ada", **form)
        came = fill(bob, "/join", page, login="bob", **form)

    assert (422, True) == (taken.status_code, "is taken" in taken.text)
    assert (303, "/") == _location(came)


def test_invitations_end(outside: Outside, owner: Visitor) -> None:
    """After a week, and when they are withdrawn."""
    first, second = _invitation(owner), _invitation(owner)
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
    with TestClient(outside.app(_settings(registration=rule))) as eve:
        came = fill(eve, "/join", "/login", **form)

    assert status == came.status_code
    assert (None if status == 422 else "member") == _role(outside, "eve")


async def test_one_network_joins_slowly(outside: Outside, owner: Visitor) -> None:
    """A customer has a whole /64 of addresses: another one of them is nobody else."""
    app, form = outside.app(_settings(registration="open")), {"login": "ada", "password": PASSWORD}
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

    assert (303, "/login") == _location(answer)


def test_members_invite_nobody(bob: Browser) -> None:
    """Neither by the page nor by its form."""
    page, form = bob.get("/settings/invitations"), bob.post("/settings/invitations", name="x")

    assert (403, 403) == (page.status_code, form.status_code)


# -- the second step ------------------------------------------------------------------------------


def _enrol(owner: Visitor) -> tuple[str, list[str]]:
    """The key of an app that was added, and the recovery codes."""
    page = owner.get("/settings/security").text
    key = re.search(r'<code class="secret">(\w+)</code>', page)
    assert key
    code = pyotp.TOTP(key[1]).at(NOON)
    made = fill(owner, "/settings/security/app", "/settings/security", code=code, current=PASSWORD)
    return key[1], re.findall(r"<code>([a-z0-9-]{14})</code>", made.text)


def _log_in(visitor: Visitor) -> Response:
    visitor.cookies.clear()
    return fill(visitor, "/login", login="ada", password=PASSWORD, next="/folders")


def test_a_code_is_asked_for_after_the_password(outside: Outside, owner: Visitor) -> None:
    """The password alone opens nothing; each code opens once, recovery codes do as well."""
    key, recovery = _enrol(owner)
    outside.clock = NOON + timedelta(minutes=5)
    asked = _log_in(owner)
    inside = owner.get("/", follow_redirects=False)
    wrong = fill(owner, "/login/second", code="000000")
    code = pyotp.TOTP(key).at(outside.clock)
    right = fill(owner, "/login/second", code=f"{code[:3]} {code[3:]}")
    _log_in(owner)
    again = fill(owner, "/login/second", code=code)
    by_paper = fill(owner, "/login/second", code=recovery[0])
    _log_in(owner)
    twice = fill(owner, "/login/second", code=recovery[0])

    assert 10 == len(recovery)
    assert (303, "/login/second") == _location(asked)
    assert (303, 422) == (inside.status_code, wrong.status_code)
    assert ((303, "/folders"), 422) == (_location(right), again.status_code)
    assert ((303, "/folders"), 422) == (_location(by_paper), twice.status_code)


def test_codes_cannot_be_tried_for_long(outside: Outside, owner: Visitor) -> None:
    """The sixth wait, the right one included."""
    key, _ = _enrol(owner)
    outside.clock = NOON + timedelta(minutes=5)
    _log_in(owner)
    for number in range(5):
        fill(owner, "/login/second", code=f"00000{number}")
    late = fill(owner, "/login/second", code=pyotp.TOTP(key).at(outside.clock))

    assert 429 == late.status_code


def test_the_second_step_is_forgotten_after_ten_minutes(outside: Outside, owner: Visitor) -> None:
    """Then it begins with the password again."""
    key, _ = _enrol(owner)
    _log_in(owner)
    page = owner.get("/login/second").text
    token = re.search(r'_csrf" value="([^"]+)"', page)
    assert token
    outside.clock = NOON + timedelta(minutes=11)
    code = pyotp.TOTP(key).at(outside.clock)
    late = owner.post(
        "/login/second", data={"_csrf": token[1], "code": code}, follow_redirects=False
    )

    assert (303, "/login") == _location(late)


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
    assert (303, "/folders") == _location(_log_in(owner))


def _options(page: str) -> str:
    found = re.search(r'data-options="([^"]+)"', page)
    assert found
    return html.unescape(found[1])


def _add_key(owner: Visitor, key: SecurityKey) -> Response:
    answer = key.create(_options(owner.get("/settings/security").text))
    page = owner.cookies  # the challenge is in a cookie; a second visit would change it
    assert page
    token = re.search(r'_csrf" value="([^"]+)"', owner.get("/settings").text)
    assert token
    form = {"_csrf": token[1], "passkey": answer, "name": "Blue key", "current": PASSWORD}
    return owner.post("/settings/security/passkey", data=form)


def _prove(owner: Visitor, answer: str, page: str) -> Response:
    token = re.search(r'_csrf" value="([^"]+)"', page)
    assert token
    form = {"_csrf": token[1], "passkey": answer}
    return owner.post("/login/second", data=form, follow_redirects=False)


def test_a_passkey_opens_the_door(owner: Visitor) -> None:
    """The one that was added; not another one, and no answer twice."""
    key = SecurityKey("http://testserver.local")
    added = _add_key(owner, key)
    _log_in(owner)
    page = owner.get("/login/second").text
    stranger = SecurityKey("http://testserver.local", id=key.id)
    refused = _prove(owner, stranger.get(_options(page)), page)
    page = owner.get("/login/second").text
    answer = key.get(_options(page))
    opened = _prove(owner, answer, page)
    _log_in(owner)
    page = owner.get("/login/second").text
    replayed = _prove(owner, answer, page)

    assert (200, True) == (added.status_code, "recovery codes" in added.text)
    assert (422, (303, "/folders"), 422) == (
        refused.status_code, _location(opened), replayed.status_code,
    )  # fmt: skip


def test_a_passkey_made_at_another_site_is_refused(owner: Visitor) -> None:
    """What a page of a stranger's got signed is worth nothing here."""
    key = SecurityKey("https://evil.example")

    assert 422 == _add_key(owner, key).status_code


def test_the_last_factor_takes_the_recovery_codes_with_it(
    outside: Outside, owner: Visitor
) -> None:
    """Then the password alone opens the door again."""
    _enrol(owner)
    fill(owner, "/settings/security/1/remove", "/settings/security", current=PASSWORD)
    with outside.database.reading() as connection:
        left = connection.execute(select(schema.factors.c.kind)).all()

    assert [] == left
    assert (303, "/folders") == _location(_log_in(owner))


# -- single sign-on -------------------------------------------------------------------------------


@pytest.fixture
def world(outside: Outside) -> World:
    world = World()
    outside.sign_on = world.sign_on(title="Harbour ID")
    return world


def at_the_issuer(world: World, leaving: Response, **claims: Any) -> str:
    """Where the issuer sends the browser back to."""
    query = {k: v[0] for k, v in parse_qs(urlsplit(leaving.headers["location"]).query).items()}
    assert ("code", CLIENT, "S256") == (
        query["response_type"], query["client_id"], query["code_challenge_method"],
    )  # fmt: skip
    told = {"nonce": query["nonce"], "preferred_username": "carol", **claims}
    world.codes["abc"] = (told, query["code_challenge"])
    return f"{urlsplit(query['redirect_uri']).path}?code=abc&state={query['state']}"


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
    assert ((303, "/folders"), 200) == (_location(back), reads)
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

    assert (303, "/login") == _location(answer)


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
    assert (303, "/settings/security") == _location(connected)
    assert "You log in as <b>ada</b>" in owner.get("/settings").text


def test_an_issuer_that_cannot_be_asked_is_said(outside: Outside, owner: Visitor) -> None:
    """In words, with the way by password still open."""
    world = World(about={"issuer": URL + "/other"})
    outside.sign_on = world.sign_on()
    with TestClient(outside.app()) as carol:
        leaving = carol.get("/login/issuer", follow_redirects=False)

    assert (400, True) == (leaving.status_code, "issuer cannot be asked" in leaving.text)


# -- a proxy's word -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trusted", "led_to"), [("testclient", "/login"), ("127.0.0.1", "/folders")]
)
def test_only_the_named_proxy_is_believed(
    outside: Outside, owner: Visitor, trusted: str, led_to: str
) -> None:
    """By the address of the connection; the header alone opens nothing."""
    settings = _settings(login_header="Remote-User", login_header_from=("127.0.0.0/8",))
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
        assert ((303, "/folders"), "member") == (_location(answer), _role(outside, "dora"))
    else:
        assert (200, None) == (answer.status_code, _role(outside, "dora"))
    assert 303 == other.status_code


# -- tokens ---------------------------------------------------------------------------------------


def test_tokens_are_shown_once_and_revoked(outside: Outside, owner: Visitor) -> None:
    """Scoped and named; afterwards only their names are to be seen."""
    made = fill(owner, "/settings/tokens", name="Pocket", scopes="read").text
    secret = re.search(r"wr_[\w-]+", made)
    assert secret
    listed = owner.get("/settings/tokens").text
    fill(owner, "/settings/tokens/2/revoke", "/settings/tokens")

    assert "Pocket" in listed
    assert "may only read" in listed
    assert secret[0] not in listed
    assert "Pocket" not in owner.get("/settings/tokens").text


@pytest.mark.parametrize("form", [{"name": ""}, {"name": "Phone", "scopes": "all power"}])
def test_tokens_that_are_not_made(owner: Visitor, form: dict[str, str]) -> None:
    """Without a name or with a scope that is none."""
    assert 422 == fill(owner, "/settings/tokens", **{"scopes": "", **form}).status_code


def test_tokens_of_others_are_unknown(ada: Browser, bob: Browser) -> None:
    """Revoking one is answered like a number that never was."""
    ada.post("/settings/tokens", name="Phone", scopes="")
    answers = [bob.post(f"/settings/tokens/{number}/revoke") for number in (3, 9999)]

    assert [404, 404] == [answer.status_code for answer in answers]


# -- linking --------------------------------------------------------------------------------------


async def test_a_chat_is_linked_by_a_code(outside: Outside, ada: Browser) -> None:
    """Given out here and told to the bot, or the other way round; a wrong one is said to be."""
    chat = Door("telegram", "4711")
    made = ada.post("/settings/links/code").text
    code = re.search(r"/link ([A-Z0-9-]+)", made)
    assert code
    linked = await doors.link(outside.database, chat, code[1], now=NOON)
    group = await doors.open_door(
        outside.database, Door("discord", "99"), name="Harbour", now=NOON
    )
    from_there = await doors.new_code(outside.database, group, now=NOON)
    answer = ada.post("/settings/links", code=from_there)
    again = ada.post("/settings/links", code=from_there)
    page = ada.get("/settings/links").text

    assert ada.account_id == linked
    assert ((303, "/settings/links"), 422) == (_location(answer), again.status_code)
    assert ("4711" in page, "99" in page) == (True, True)


# -- leaving --------------------------------------------------------------------------------------


def _account_tables() -> set[str]:
    """Tables with rows of accounts: those that end with an account, or with what ends with it."""
    found, feeds = {"accounts"}, {"feeds", "entries"}  # feeds are everybody's
    for table in schema.metadata.sorted_tables:  # those that others refer to come first
        owners = {key.column.table.name for key in table.foreign_keys if key.ondelete == "CASCADE"}
        if owners & (found - feeds):
            found.add(table.name)
    return found


def test_every_column_that_names_an_account_is_known() -> None:
    """A new one has to be looked at: does its row go along, and does it end with the account?"""
    named = {
        f"{table.name}.{column.name}"
        for table in schema.metadata.sorted_tables
        for column in table.c
        if column.name.endswith("account_id") and not column.foreign_keys
    }

    assert {"feeds.owner_account_id"} == named
    assert {"entry_tags", "routes", "deliveries", "errands", "push_devices"} <= _account_tables()


def test_all_of_an_account_is_taken_along(outside: Outside, ada: Browser) -> None:
    """Every table that knows the account is in the file, and no secret."""
    with outside.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id, custom_title="My harbour")
        seq = add_entry(connection, feed_id, at(-5), "The ferry", content="<p>Late.</p>")
        connection.execute(
            insert(schema.entry_states).values(
                account_id=ada.account_id, feed_id=feed_id, seq=seq, is_favorite=True,
                updated_at=NOON,
            )
        )  # fmt: skip
    answer = ada.get("/settings/data/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        told = json.loads(packed.read("account.json"))
        said = [json.loads(line) for line in packed.read("said.jsonl").splitlines()]
        opml = packed.read("subscriptions.opml").decode()

    assert set() == _account_tables() - set(told) - {"entry_states"}
    assert [("The ferry", True, "<p>Late.</p>")] == [
        (each["title"], each["is_favorite"], each["content"]) for each in said
    ]
    assert "My harbour" in opml
    assert b"secret_hash" not in answer.content
    assert all("secret" not in name for rows in told.values() for row in rows for name in row)


def test_nothing_is_left_of_a_deleted_account(outside: Outside, owner: Visitor) -> None:
    """Its rows go in every table, and feeds that nobody else follows; others' stay."""
    invitation = _invitation(owner)
    with TestClient(outside.app()) as bob:
        form = {"invitation": invitation, "password": PASSWORD, "again": PASSWORD}
        fill(bob, "/join", f"/join?invitation={invitation}", login="bob", **form)
        with outside.database.writing() as connection:
            rows = connection.execute(select(schema.accounts.c.name, schema.accounts.c.id))
            accounts_of = {row.name: row.id for row in rows}
            shared, own = add_feed(connection, "Shared"), add_feed(connection, "Own")
            for name, feed_id in (("ada", shared), ("bob", shared), ("bob", own)):
                follow(connection, accounts_of[name], feed_id)
            add_entry(connection, own, at(-5))
        page = "/settings/data"
        wrong = fill(bob, "/settings/data/delete", page, current=PASSWORD, name="ada")
        gone = fill(bob, "/settings/data/delete", page, current=PASSWORD, name="bob")
        inside = bob.get("/", follow_redirects=False)
    with outside.database.reading() as connection:
        left = [
            table.name
            for table in schema.metadata.sorted_tables
            if "account_id" in table.c
            and connection.execute(
                select(table).where(table.c.account_id == accounts_of["bob"])
            ).first()
        ]
        feeds = connection.scalars(select(schema.feeds.c.title)).all()

    assert (422, (303, "/login"), 303) == (wrong.status_code, _location(gone), inside.status_code)
    assert ([], ["Shared"], None) == (left, feeds, _role(outside, "bob"))


def test_the_only_operator_stays(outside: Outside, owner: Visitor) -> None:
    """A Wireroom without anybody who runs it would open itself to whoever comes next."""
    answer = fill(owner, "/settings/data/delete", "/settings/data", current=PASSWORD, name="ada")

    assert (422, "operator") == (answer.status_code, _role(outside, "ada"))
