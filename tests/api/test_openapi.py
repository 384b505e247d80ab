"""The OpenAPI document and the API agree, whatever anybody sends: schemathesis tries."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from litestar.testing import TestClient
from schemathesis.checks import ignored_auth, load_all_checks, positive_data_acceptance
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test

from tests.api.apps import Phone, Station
from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from tests.servers.engines import in_memory
from wireroom.api.native.app import build
from wireroom.api.native.door import Tools

_DOCUMENT: dict[str, Any] = build(
    Tools(None, None, None, None, lambda: NOON)  # type: ignore[arg-type]
).openapi_schema.to_schema()
#: All but the one that does not end: see test_live.
_OPERATIONS = [
    (path, method)
    for path, operations in _DOCUMENT["paths"].items()
    for method in operations
    if path != "/rss_events"
]


@pytest.fixture(scope="module")
def schema() -> Any:
    load_all_checks()
    return schemathesis.openapi.from_dict(_DOCUMENT)


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    """An account with a folder, a feed and a few entries, so that small ids lead somewhere."""
    station = Station(in_memory())
    with station.database.writing() as connection:
        account_id = add_account(connection)
        folder = add_folder(connection, account_id, "News")
        feed_id = add_feed(connection)
        follow(connection, account_id, feed_id, folder_id=folder)
        for minutes in range(3):
            add_entry(connection, feed_id, at(-minutes))
    token = station.token(account_id)
    with TestClient(station.app(), raise_server_exceptions=False) as client:
        yield Phone(client, account_id, token)
    station.database.close()


@pytest.mark.parametrize(("path", "method"), _OPERATIONS, ids=[path for path, _ in _OPERATIONS])
def test_no_request_breaks_the_contract(phone: Phone, schema: Any, path: str, method: str) -> None:
    """No server error; statuses, types and shapes are as documented; invalid data is refused.

    Data that the types allow may be refused for its meaning (an address nobody would dial), and
    every request here carries a good token, so two checks are left out; test_contract has them.
    """
    # Its plugin does the same when tests are collected, which takes each worker 10 seconds.
    tried = build_operation_test(
        config=schema.config,
        operation=schema[path][method],
        test_func=_asked,
        given_kwargs={},
        feedback=FeedbackSources(),
    )
    tried(phone=phone)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def _asked(phone: Phone, case: Any) -> None:
    options = case.as_transport_kwargs(
        base_url="http://testserver.local", headers={"authorization": f"Bearer {phone.token}"}
    )
    options.pop("cookies", None)
    options["content"] = options.pop("data", None)
    response = phone.client.request(**options)

    case.validate_response(response, excluded_checks=[ignored_auth, positive_data_acceptance])
