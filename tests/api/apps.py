"""The API over a database, the web outside as a table of answers, and phones with tokens."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from tests.rows import NOON
from tests.servers.applications import share_routes
from wireroom import accounts, subscribing
from wireroom.api.native import app
from wireroom.api.native.door import Rates, Tools
from wireroom.feeds import parse
from wireroom.feeds.model import ParsedFeed
from wireroom.fetching.outcome import Failed, Fetched, Hops, Outcome, Validators
from wireroom.fetching.request import Request
from wireroom.pictures.addresses import Addresses
from wireroom.polling.policies import PROFILES
from wireroom.polling.tools import Polling
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.vault import Vault
from wireroom.subscribing import Subscribed, Unsubscribed
from wireroom.throttle import Rate
from wireroom.waking.devices import Waking

share_routes(app)

FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour Courier</title>
<link>https://harbour.example/</link><description>Ships and weather</description>
<item><guid>a</guid><title>The ferry is late</title><description>It is.</description>
<pubDate>Mon, 30 Nov 2026 10:00:00 GMT</pubDate></item>
</channel></rss>"""


#: Where pictures come from for those who like it so.
PICTURES = Addresses(b"k" * 32, "https://reader.example")


@dataclass
class Outside:
    """What is at the addresses of the world; asking is remembered. Everything else has no name."""

    answers: dict[str, Outcome] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def get(self, request: Request, **_: object) -> Outcome:
        self.asked.append(request.url)
        nobody = Failed(Hops(request.url), "dns", "There is no such host.")
        return self.answers.get(request.url, nobody)

    def serves(self, url: str, body: bytes = FEED, content_type: str = "text/xml") -> None:
        self.answers[url] = Fetched(Hops(url), 200, body, content_type, Validators())


@dataclass
class Station:
    """An installation whose clock stands until a test moves it."""

    database: Database
    outside: Outside = field(default_factory=Outside)
    bell: Bell = field(default_factory=Bell)
    clock: datetime = NOON

    def now(self) -> datetime:
        return self.clock

    def later(self, seconds: float) -> None:
        self.clock += timedelta(seconds=seconds)

    @property
    def polling(self) -> Polling:
        return Polling(
            database=self.database,
            client=self.outside,  # type: ignore[arg-type]
            read=_read,
            policy=PROFILES["wireroom"],
            now=self.now,
            random=lambda: 0.5,
        )

    async def subscribe(self, account_id: int, url: str, folder_id: int | None) -> Subscribed:
        return await subscribing.subscribe(
            self.polling, account_id, url, owner="tests", folder_id=folder_id
        )

    async def unsubscribe(self, account_id: int, subscription_id: int) -> Unsubscribed:
        return await subscribing.unsubscribe(self.polling, account_id, subscription_id)

    @property
    def waking(self) -> Waking:
        return Waking(
            self.database,
            self.outside,  # type: ignore[arg-type]
            Vault(bytes(32)),
            self.bell,
            self.now,
            "mailto:op@reader.example",
        )

    @property
    def tools(self) -> Tools:
        return Tools(
            self.database,
            self.subscribe,
            self.unsubscribe,
            self.bell,
            self.now,
            PICTURES,
            waking=self.waking,
            rates=Rates(Rate(10_000), Rate(10_000)),
        )

    def app(self, *, cors_origins: tuple[str, ...] = (), **tools: Any) -> Litestar:
        return app.build(replace(self.tools, **tools), cors_origins=cors_origins)

    def token(self, account_id: int, scopes: str = "") -> str:
        return asyncio.run(
            accounts.create_token(
                self.database, account_id, name="Phone", scopes=scopes, now=self.clock
            )
        )


async def _read(body: bytes, **options: Any) -> ParsedFeed:
    return parse.read(body, **options)


@dataclass
class Phone:
    """A reader app of one account. `get` and the like expect 200; `refused` tells what is not."""

    client: TestClient[Litestar]
    account_id: int
    token: str

    def send(self, method: str, path: str, **options: Any) -> Response:
        headers = {"authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **options)

    def get(self, path: str, **query: object) -> dict[str, Any]:
        return _answer(self.send("GET", path, params=_text(query)))

    def post(self, path: str, **body: object) -> dict[str, Any]:
        return _answer(self.send("POST", path, content=json.dumps(body)))

    def put(self, path: str, **body: object) -> dict[str, Any]:
        return _answer(self.send("PUT", path, content=json.dumps(body)))

    def refused(self, method: str, path: str, **fields: object) -> tuple[int, str]:
        """Status and code of a call that must not succeed."""
        options: dict[str, Any] = (
            {"params": _text(fields)} if method == "GET" else {"content": json.dumps(fields)}
        )
        response = self.send(method, path, **options)
        problem = response.json()
        assert {"Error", "code"} == set(problem), problem
        assert problem["Error"]
        return response.status_code, problem["code"]

    def pages(self, **query: object) -> list[dict[str, Any]]:
        """All items of a list, page by page."""
        items: list[dict[str, Any]] = []
        page = self.get("/rss_list_items", **query)
        while True:
            items += page["items"]
            if page["next_cursor"] is None:
                return items
            page = self.get("/rss_list_items", **query, cursor=page["next_cursor"])


def _text(query: dict[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in query.items()}


def _answer(response: Response) -> dict[str, Any]:
    assert 200 == response.status_code, response.text
    answer: dict[str, Any] = response.json()
    return answer


def keys(item: dict[str, Any], **flags: bool) -> dict[str, Any]:
    """An item's entry for /rss_set_item_state."""
    return {"feed_id": item["feed_id"], "sort_key": item["sort_key"], **flags}
