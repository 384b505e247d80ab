"""What hubs get from us over HTTP: the challenge byte for byte, 202, or nothing at all."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import AsyncTestClient

from wireroom.web import websub


@dataclass
class FakePushes:
    """Knows one callback, and what it was told there."""

    told: list[tuple[bytes, str, str]] = field(default_factory=list)

    async def answer(self, callback: str, query: dict[str, str]) -> str | None:
        return query.get("hub.challenge") if callback == "known" else None

    async def receive(
        self, callback: str, body: bytes, *, content_type: str, signature: str
    ) -> bool:
        if callback == "known":
            self.told.append((body, content_type, signature))
        return callback == "known"


@pytest.fixture
def pushes() -> FakePushes:
    return FakePushes()


@pytest.fixture
async def hub(pushes: Any) -> Any:
    app = Litestar([websub.router(pushes)], openapi_config=None, logging_config=None)
    async with AsyncTestClient(app) as client:
        yield client


async def test_a_question_is_answered_with_the_challenge_alone(hub: Any) -> None:
    """200, text, no byte more (§5.3)."""
    answer = await hub.get("/websub/known", params={"hub.challenge": "a <b> &"})

    assert (200, b"a <b> &") == (answer.status_code, answer.content)
    assert answer.headers["content-type"].startswith("text/plain")


async def test_unknown_callbacks_get_404(hub: Any) -> None:
    """Whoever guesses learns nothing."""
    assert 404 == (await hub.get("/websub/guess", params={"hub.challenge": "x"})).status_code
    assert 404 == (await hub.post("/websub/guess", content=b"x")).status_code


async def test_a_push_is_taken_as_it_was_signed(hub: Any, pushes: FakePushes) -> None:
    """The raw bytes, with what is needed to judge them; the hub hears 202 at once."""
    headers = {"X-Hub-Signature": "sha256=ab", "Content-Type": "application/atom+xml"}
    answer = await hub.post("/websub/known", content=b"<feed/>\n", headers=headers)

    assert 202 == answer.status_code
    assert [(b"<feed/>\n", "application/atom+xml", "sha256=ab")] == pushes.told


async def test_encoded_and_oversized_bodies_are_refused(hub: Any, pushes: FakePushes) -> None:
    """The signature is over the body as sent, and nothing is unpacked before it is believed."""
    packed = await hub.post("/websub/known", content=b"x", headers={"Content-Encoding": "gzip"})
    large = await hub.post("/websub/known", content=b"x" * (websub.BODY_MAX_BYTES + 1))

    assert (415, 413) == (packed.status_code, large.status_code)
    assert [] == pushes.told
