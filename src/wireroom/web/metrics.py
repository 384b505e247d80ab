"""`/metrics` for Prometheus and its like, open to the networks that an operator names.

Counts are of the process that answers, so each process of a fleet is watched by itself; how many
feeds there are, and in what state, is everybody's.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any, Final

from litestar import Response, Router, get
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from wireroom.errors import NotFound
from wireroom.meters import Meters
from wireroom.store import gauges
from wireroom.store.gauges import Gauges
from wireroom.throttle import is_among
from wireroom.web.room import WebRequest, room_of
from wireroom.web.security import client_address
from wireroom.web.session import MACHINE

PATH: Final = "/metrics"
#: Without the charset, which the answer adds itself.
_TYPE: Final = CONTENT_TYPE_LATEST.partition("; charset")[0]
_GAUGES: Final = {
    "feeds": "Feeds that somebody follows.",
    "due": "Feeds whose time to be asked has come.",
    "failing": "Feeds with three errors in a row and more.",
    "disabled": "Feeds that are not asked any more.",
    "destinations": "Places that news are sent to.",
    "suspended": "Places that nothing is sent to until somebody sees to them.",
}


def router(meters: Meters, networks: tuple[str, ...]) -> Router:
    """The route at `PATH`, for addresses in these networks; for others there is no such page."""
    process = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=process)

    @get("/", opt=MACHINE)
    async def metrics(request: WebRequest) -> Response[Any]:
        """200 in Prometheus's text format, else 404."""
        room = room_of(request)
        if not is_among(client_address(request, room), networks):
            raise NotFound("There is no such page.")
        stand = await room.database.read(gauges.read, room.now())
        ours = CollectorRegistry()
        ours.register(_Measured(meters, stand))
        body = generate_latest(ours) + generate_latest(process)
        return Response(body, media_type=_TYPE)

    return Router(PATH, route_handlers=[metrics], include_in_schema=False)


class _Measured(Collector):
    def __init__(self, meters: Meters, stand: Gauges) -> None:
        self._meters = meters
        self._stand = stand

    def collect(self) -> Iterator[Metric]:
        """All families of ours."""
        meters = self._meters
        yield _counter(
            "polls", "Answers of feeds, by what became of them.", ["outcome"],
            (((outcome,), count) for outcome, count in meters.polls.items()),
        )  # fmt: skip
        yield _counter(
            "messages", "Messages, by channel and what became of them.", ["channel", "outcome"],
            meters.messages.items(),
        )  # fmt: skip
        yield _counter("new_items", "Items that were not known.", [], [((), meters.new_items)])
        yield _counter("changed_items", "Items edited.", [], [((), meters.changed_items)])
        yield _counter("fetched_bytes", "Documents read.", [], [((), meters.fetched_bytes)])
        yield _counter("lanes", "Turns that hosts had.", [], [((), meters.lanes)])
        for each in fields(self._stand):
            value = getattr(self._stand, each.name)
            yield GaugeMetricFamily(f"wireroom_{each.name}", _GAUGES[each.name], value=value)


def _counter(
    name: str, told: str, labels: list[str], counts: Iterable[tuple[tuple[str, ...], int]]
) -> Metric:
    family = CounterMetricFamily(f"wireroom_{name}", told, labels=labels)
    for values, count in counts:
        family.add_metric(values, count)
    return family
