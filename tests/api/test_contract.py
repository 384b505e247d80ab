"""What holds for every endpoint: tokens, errors, isolation, and the OpenAPI document."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from tests.api.apps import Phone, Station
from tests.rows import NOON, add_entry, add_feed, add_folder, at, follow
from wireroom import accounts
from wireroom.api.native import page, problems, samples
from wireroom.api.native.app import beside, build, is_ours
from wireroom.api.native.door import Tools
from wireroom.errors import StoreUnavailable
from wireroom.store import accounts as accounts_store
from wireroom.store import labels, saved_searches

_DOCUMENT: dict[str, Any] = build(
    Tools(None, None, None, None, lambda: NOON)  # type: ignore[arg-type]
).openapi_schema.to_schema()

#: (method, path) of every endpoint.
ENDPOINTS = sorted(
    (method.upper(), path) for path, ways in _DOCUMENT["paths"].items() for method in ways
)
#: Those whose answer comes to an end.
CALLS = [each for each in ENDPOINTS if each != ("GET", "/rss_events")]
_METHODS = {path: method for method, path in ENDPOINTS}


def test_the_paths_are_those_of_the_contract() -> None:
    """Exactly these, each with its one method."""
    assert [
        ("GET", "/get_preferences"),
        ("GET", "/rss_events"),
        ("GET", "/rss_fetch_history"),
        ("GET", "/rss_get_item"),
        ("GET", "/rss_get_rules"),
        ("GET", "/rss_list_items"),
        ("GET", "/rss_list_labels"),
        ("GET", "/rss_list_searches"),
        ("GET", "/rss_list_subscriptions"),
        ("GET", "/rss_opml_export"),
        ("GET", "/rss_push_key"),
        ("GET", "/rss_search"),
        ("GET", "/rss_unread_counts"),
        ("POST", "/rss_delete_folder"),
        ("POST", "/rss_delete_label"),
        ("POST", "/rss_delete_search"),
        ("POST", "/rss_label_items"),
        ("POST", "/rss_mark_all_read"),
        ("POST", "/rss_new_folder"),
        ("POST", "/rss_opml_import"),
        ("POST", "/rss_push_register"),
        ("POST", "/rss_push_unregister"),
        ("POST", "/rss_save_search"),
        ("POST", "/rss_set_item_state"),
        ("POST", "/rss_subscribe"),
        ("POST", "/rss_unsubscribe"),
        ("PUT", "/rss_rename_label"),
        ("PUT", "/rss_set_rules"),
        ("PUT", "/rss_set_tags"),
        ("PUT", "/rss_update_folder"),
        ("PUT", "/rss_update_subscription"),
        ("PUT", "/set_preferences"),
    ] == ENDPOINTS


# -- who is asking --------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_nobody_gets_in_without_a_token(
    station: Station, ada: Phone, method: str, path: str
) -> None:
    """Not without, not with a wrong one, not with a session's cookie or secret."""
    with station.database.writing() as connection:
        for kind, secret, expires_at in (
            ("session", "a session", at(60)),
            ("api", "an old token", at(-1)),
        ):
            accounts_store.add_token(
                connection,
                ada.account_id,
                kind,
                accounts.digest(secret),
                name="",
                scopes="",
                now=NOON,
                expires_at=expires_at,
            )
    tried = [
        {},
        {"authorization": "Bearer"},
        {"authorization": "Bearer wr_wrong"},
        {"authorization": "Bearer a session"},
        {"authorization": "Bearer an old token"},
        {"authorization": f"Basic {ada.token}"},
        {"cookie": "wireroom=a session; __Host-wireroom=a session"},
    ]
    for headers in tried:
        response = ada.client.request(method, path, headers=headers, content=b"{}")

        assert (401, "not_authenticated") == (response.status_code, response.json()["code"])
        assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_token_for_reading_changes_nothing(
    station: Station, ada: Phone, method: str, path: str
) -> None:
    """It may ask, and is told so when it wants more."""
    reader = Phone(ada.client, ada.account_id, station.token(ada.account_id, accounts.READ_ONLY))
    status = reader.send(method, path, content=b"{}").status_code

    assert (status != 403) == (method == "GET")


def test_a_revoked_token_opens_nothing(station: Station, ada: Phone) -> None:
    """From the next call on."""
    with station.database.writing() as connection:
        (token,) = accounts_store.list_tokens(connection, ada.account_id, "api")
        accounts_store.remove_token(connection, ada.account_id, token.id)

    answer = ada.send("GET", "/rss_list_subscriptions")

    assert 401 == answer.status_code
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    assert "was revoked" in answer.json()["Error"]


# -- isolation ------------------------------------------------------------------------------------

#: Requests about things, by their ids. Each is made with Bob's ids and with ids of nothing.
_ABOUT: list[tuple[str, dict[str, Any]]] = [
    ("/rss_subscribe", {"url": "https://new.example/feed", "folder_id": "{folder}"}),
    ("/rss_unsubscribe", {"subscription_id": "{subscription}"}),
    ("/rss_update_subscription", {"subscription_id": "{subscription}", "custom_title": "x"}),
    ("/rss_update_subscription", {"subscription_id": "{own}", "folder_id": "{folder}"}),
    ("/rss_new_folder", {"name": "x", "parent_folder_id": "{folder}"}),
    ("/rss_update_folder", {"folder_id": "{folder}", "name": "x"}),
    ("/rss_update_folder", {"folder_id": "{own_folder}", "parent_folder_id": "{folder}"}),
    ("/rss_delete_folder", {"folder_id": "{folder}"}),
    ("/rss_list_items", {"subscription_id": "{subscription}"}),
    ("/rss_list_items", {"folder_id": "{folder}"}),
    ("/rss_list_items", {"subscription_id": "{subscription}", "since": ""}),
    ("/rss_list_items", {"subscription_id": "{subscription}", "state_since": ""}),
    ("/rss_get_item", {"feed_id": "{feed}", "sort_key": "x#{item}"}),
    (
        "/rss_set_item_state",
        {"items": [{"feed_id": "{feed}", "sort_key": "x#{item}", "is_read": True}]},
    ),
    ("/rss_search", {"search_id": "{search}"}),
    ("/rss_delete_search", {"search_id": "{search}"}),
    (
        "/rss_label_items",
        {"items": [{"feed_id": "{feed}", "sort_key": "x#{item}"}], "add": ["x"]},
    ),
    ("/rss_rename_label", {"label_id": "{label}", "name": "x"}),
    ("/rss_delete_label", {"label_id": "{label}"}),
    ("/rss_fetch_history", {"subscription_id": "{subscription}"}),
    ("/rss_get_rules", {"subscription_id": "{subscription}"}),
    ("/rss_set_rules", {"subscription_id": "{subscription}", "rules": ["rust -> drop"]}),
    ("/rss_set_tags", {"subscription_id": "{subscription}", "tags": ["x"]}),
    ("/rss_mark_all_read", {"subscription_id": "{subscription}"}),
    ("/rss_mark_all_read", {"folder_id": "{folder}"}),
    ("/rss_opml_import", {"opml": "<opml><body/></opml>", "folder_id": "{folder}"}),
]
#: These name nothing by its id.
_ABOUT_NOTHING = {
    "/rss_events",
    "/rss_list_subscriptions",
    "/rss_list_searches",
    "/rss_list_labels",
    "/rss_save_search",
    "/rss_unread_counts",
    "/rss_opml_export",
    "/rss_push_key",
    "/rss_push_register",
    "/rss_push_unregister",
    "/get_preferences",
    "/set_preferences",
}


def test_isolation_is_tried_everywhere() -> None:
    """Every endpoint, and every field of the contract that holds an id."""
    tried = {(path, field) for path, fields in _ABOUT for field in fields}

    assert set(_METHODS) == {path for path, _ in _ABOUT} | _ABOUT_NOTHING
    assert set() == set(_id_fields()) - tried


def _id_fields() -> Iterator[tuple[str, str]]:
    for path, ways in _DOCUMENT["paths"].items():
        for operation in ways.values():
            names = [each["name"] for each in operation.get("parameters", ())]
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                name = schema["$ref"].rpartition("/")[2]
                names += _DOCUMENT["components"]["schemas"][name]["properties"]
            yield from ((path, name) for name in names if name.endswith("_id"))


@pytest.mark.parametrize(("path", "fields"), _ABOUT, ids=lambda value: str(value)[:60])
def test_what_is_not_yours_is_not_there(
    station: Station, ada: Phone, bob: Phone, path: str, fields: dict[str, Any]
) -> None:
    """Another account's ids are answered, byte for byte, like ids of nothing (SEC-11)."""
    with station.database.writing() as connection:
        own = follow(connection, ada.account_id, add_feed(connection, "Hers"))
        own_folder = add_folder(connection, ada.account_id, "Hers")
        folder = add_folder(connection, bob.account_id, "His")
        feed = add_feed(connection, "His")
        subscription = follow(connection, bob.account_id, feed, folder_id=folder)
        seq = add_entry(connection, feed, at(0))
        search = saved_searches.save(connection, bob.account_id, "His", "x", now=NOON).id
        label = labels.add(connection, bob.account_id, "His", now=NOON)
    mine = {"own": own, "own_folder": own_folder}
    his = {
        "folder": folder,
        "feed": feed,
        "subscription": subscription,
        "search": search,
        "label": label,
    }
    his_things = {**mine, **his, "item": f"{feed:012x}{seq:012x}"}
    nothing = {**mine, **dict.fromkeys(his, 777), "item": f"{777:012x}{seq:012x}"}
    before = bob.get("/rss_list_subscriptions"), bob.pages()
    answers = [
        _asked(ada, path, json.loads(_filled(json.dumps(fields), ids)))
        for ids in (his_things, nothing)
    ]

    assert answers[0] == answers[1]
    assert 404 == answers[0][0]
    assert before == (bob.get("/rss_list_subscriptions"), bob.pages())


def _filled(text: str, ids: dict[str, object]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: str(ids[name[1]]), text)


def _asked(phone: Phone, path: str, fields: dict[str, Any]) -> tuple[int, bytes]:
    method = _METHODS[path]
    if method == "GET":
        response = phone.send(method, path, params=fields)
    else:
        response = phone.send(method, path, content=json.dumps(fields))
    return response.status_code, response.content


# -- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path"), [each for each in ENDPOINTS if each[0] in ("POST", "PUT")]
)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"a":"\\ud800"}', b"[" * 50_000, b"url=x"],
    ids=lambda body: repr(body[:12]),
)
def test_a_body_must_be_an_object(ada: Phone, method: str, path: str, body: bytes) -> None:
    """Everything else is `invalid_json`, with the envelope (API-02)."""
    response = ada.send(method, path, content=body)

    assert (400, "invalid_json") == (response.status_code, response.json()["code"])


def test_paths_and_methods_that_are_none(ada: Phone) -> None:
    """404 and 405 speak JSON, too; 405 names the method."""
    assert (404, "not_found") == ada.refused("GET", "/rss_nothing")
    assert (405, "method_not_allowed") == ada.refused("DELETE", "/rss_list_items")
    assert "GET" in ada.send("DELETE", "/rss_list_items").headers["allow"]


def test_our_own_faults(station: Station, ada: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash is `internal_error` and tells nothing; a database that is away is `unavailable`."""

    def raising(error: Exception) -> Any:
        async def subscribe(*_: object) -> None:
            raise error

        return subscribe

    for error, expected in (
        (RuntimeError("secret details"), (500, "internal_error")),
        (StoreUnavailable("The disk is full."), (503, "unavailable")),
    ):
        monkeypatch.setattr(station, "subscribe", raising(error))
        with TestClient(station.app(), raise_server_exceptions=False) as client:
            phone = Phone(client, ada.account_id, ada.token)
            response = phone.send("POST", "/rss_subscribe", content=b'{"url":"x.example"}')

        assert expected == (response.status_code, response.json()["code"])
        assert "secret" not in response.text


def test_every_answer_forbids_caching_and_sniffing(ada: Phone) -> None:
    """Errors included."""
    for path in ("/rss_list_subscriptions", "/rss_nothing", "/openapi.json", "/api"):
        headers = ada.send("GET", path).headers

        assert ("no-store", "nosniff") == (
            headers["cache-control"],
            headers["x-content-type-options"],
        )


# -- beside the web reader ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/rss_list_items", True),
        ("/rss_nothing", True),
        ("/set_preferences", True),
        ("/openapi.json", True),
        ("/api", True),
        ("/", False),
        ("/settings", False),
        ("/apis", False),
        ("/login", False),
    ],
)
async def test_the_api_stands_beside_the_web_reader(path: str, expected: bool) -> None:
    """Its paths go to it, known or not; everything else, and start and end, to the reader."""
    chosen: list[str] = []

    def app(name: str) -> Any:
        async def called(scope: Any, receive: Any, send: Any) -> None:
            chosen.append(name)

        return called

    both: Any = beside(app("web"), app("api"))
    await both({"type": "lifespan"}, None, None)
    await both({"type": "http", "path": path}, None, None)

    assert ["web", "api" if expected else "web"] == chosen
    assert expected == is_ours(path)


# -- the document ---------------------------------------------------------------------------------


def _codes_of(operation: dict[str, Any]) -> set[tuple[int, str]]:
    return {
        (int(status), code)
        for status, answer in operation["responses"].items()
        for code in re.findall(r"^- `(\w+)`", answer.get("description", ""), re.MULTILINE)
    }


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_every_code_is_documented(method: str, path: str) -> None:
    """With the status it comes with and a meaning; fields by the rule `invalid_FIELD`."""
    operation = _DOCUMENT["paths"][path][method.lower()]
    fields = {f"invalid_{name}" for name in problems.FIELDS}

    assert path[1:] == operation["operationId"]
    for status, code in _codes_of(operation):
        assert code in problems.CODES or code in fields
        assert status == problems.status_of(code)


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_every_code_has_an_example(method: str, path: str) -> None:
    """The envelope as it is answered, with a sentence, under the code's name."""
    operation = _DOCUMENT["paths"][path][method.lower()]
    shown = {
        (int(status), name): example["value"]
        for status, answer in operation["responses"].items()
        if status != "200"
        for name, example in answer["content"]["application/json"].get("examples", {}).items()
    }

    assert _codes_of(operation) == set(shown)
    assert set(operation["responses"]) == {"200", *(str(status) for status, _ in shown)}
    assert all(name == each["code"] and each["Error"] for (_, name), each in shown.items())


def test_codes_stand_in_the_documentation() -> None:
    """docs/api.md lists every code, and no others."""
    page = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text()
    listed = dict(re.findall(r"^\| `(\w+)` \| (\d{3}) \|", page, re.MULTILINE))

    assert {code: str(status) for code, (status, _) in problems.CODES.items()} == listed


def _sent() -> Iterator[Any]:
    app = build(Tools(None, None, None, None, lambda: NOON))  # type: ignore[arg-type]
    document = samples.completed(app.openapi_schema.to_schema())
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            parameters = handler.parsed_fn_signature.parameters
            if "data" in parameters:
                (operation,) = document["paths"][route.path].values()
                (content,) = operation["requestBody"]["content"].values()
                kind = parameters["data"].annotation
                yield pytest.param(content["example"], kind, id=route.path)


@pytest.mark.parametrize(("example", "kind"), [*_sent()])
def test_requests_are_shown_by_example(example: dict[str, Any], kind: Any) -> None:
    """With every field, and as the server reads it."""
    read = msgspec.convert(example, kind)

    assert example == msgspec.to_builtins(read)


def test_the_document_is_made_once(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask for it, and it is large: nobody keeps us busy with it."""
    made: list[object] = []
    render = page.render
    monkeypatch.setattr(page, "render", lambda document: made.append(1) or render(document))
    with TestClient(station.app()) as client:
        readable = {client.get("/api").text for _ in range(3)}
        document = {client.get("/openapi.json").text for _ in range(3)}

    assert (1, 1, 1) == (len(made), len(readable), len(document))


def test_the_document_is_served_to_everybody(ada: Phone) -> None:
    """OpenAPI 3.1 for programs, and a page without any script for people."""
    document = ada.client.get("/openapi.json").json()
    page = ada.client.get("/api")

    assert "text/html; charset=utf-8" == page.headers["content-type"]
    assert document["openapi"].startswith("3.1")
    assert "<script" not in page.text
    for _, path in ENDPOINTS:
        assert f"<code>{path}</code>" in page.text
    assert {1} == {page.text.count(f"<code>{code}</code>") for code in problems.ALWAYS}
    assert "`" not in page.text
