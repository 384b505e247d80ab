"""`/metrics`: for the networks that an operator names, and for nobody else."""

from collections.abc import Callable

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.parser import text_string_to_metric_families

from tests.rows import NOON, add_feed
from tests.web.rooms import Outside
from wireroom.meters import Meters
from wireroom.web import metrics
from wireroom.web.room import Settings

PROXY = "192.0.2.7"
MONITOR = "198.51.100.9"


@pytest.fixture
def meters() -> Meters:
    return Meters()


Caller = Callable[[str], TestClient[ASGIApp]]


@pytest.fixture
def caller(outside: Outside, meters: Meters) -> Caller:
    """Somebody at an address, of a program that shows its numbers to `MONITOR`."""
    settings = Settings(allowed_hosts=("testserver.local",), trusted_proxies=(PROXY,))
    app = outside.app(settings, beside=[metrics.router(meters, (f"{MONITOR}/32",))])

    def at(address: str) -> TestClient[ASGIApp]:
        async def from_there(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                scope["client"] = (address, 4711)
            await app(scope, receive, send)

        return TestClient(from_there)

    return at


def _samples(text: str) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_monitor_reads_counts_and_states(
    outside: Outside, meters: Meters, caller: Caller
) -> None:
    """What happened in this process, how feeds stand, and what the process takes (LOG-11)."""
    meters.polls.update(not_modified=7, news=2)
    meters.new_items, meters.changed_items, meters.fetched_bytes, meters.lanes = 5, 1, 4096, 8
    meters.message("telegram", "sent", 3)
    with outside.database.writing() as connection:
        add_feed(connection, "Due", next_poll_at=NOON)
        add_feed(connection, "Failing", failure_count=3)
        add_feed(connection, "Off", failure_count=20, disabled_at=NOON)
    with caller(MONITOR) as monitor:
        answer = monitor.get("/metrics")

    assert (200, CONTENT_TYPE_LATEST) == (answer.status_code, answer.headers["content-type"])
    told = _samples(answer.text)
    expected = {
        ("wireroom_polls_total", "not_modified"): 7,
        ("wireroom_polls_total", "news"): 2,
        ("wireroom_messages_total", "telegram", "sent"): 3,
        ("wireroom_new_items_total",): 5,
        ("wireroom_changed_items_total",): 1,
        ("wireroom_fetched_bytes_total",): 4096,
        ("wireroom_lanes_total",): 8,
        ("wireroom_feeds",): 3,
        ("wireroom_due",): 1,
        ("wireroom_failing",): 1,
        ("wireroom_disabled",): 1,
        ("wireroom_destinations",): 0,
        ("wireroom_suspended",): 0,
    }
    assert expected == {name: told.get(name) for name in expected}
    assert told["process_resident_memory_bytes",] > 0


@pytest.mark.parametrize(
    ("address", "forwarded"),
    [
        pytest.param("203.0.113.5", "", id="a stranger"),
        pytest.param("203.0.113.5", MONITOR, id="a stranger who says that he is the monitor"),
        pytest.param(PROXY, "203.0.113.5", id="a stranger behind the proxy"),
    ],
)
def test_for_strangers_there_is_no_such_page(caller: Caller, address: str, forwarded: str) -> None:
    """404, as for any page that is none; what a header says counts from known proxies only."""
    with caller(address) as stranger:
        answer = stranger.get("/metrics", headers={"X-Forwarded-For": forwarded})

    assert 404 == answer.status_code
    assert "wireroom_" not in answer.text


def test_a_monitor_behind_a_known_proxy_is_known(
    caller: Caller,
) -> None:
    """The proxy's word for who asks counts."""
    with caller(PROXY) as monitor:
        answer = monitor.get("/metrics", headers={"X-Forwarded-For": MONITOR})

    assert 200 == answer.status_code


def test_without_the_setting_there_is_no_such_page(visitor: TestClient[Litestar]) -> None:
    """By default nobody is shown anything."""
    assert 404 == visitor.get("/metrics", follow_redirects=False).status_code
