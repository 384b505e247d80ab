"""WebSub at work: subscribing at hubs, answering their questions, taking in what they push.

A push with our signature is read like a polled document, under the lease on the feed's lane, and
stored by the same commit. Any other push, and any that cannot be taken in at once, only makes
the feed due: the hub said that there is news, and polling finds out.
"""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass, field, replace
from datetime import timedelta

import structlog
from sqlalchemy import Connection

from wireroom.errors import LeaseLost, StoreError
from wireroom.fetching.outcome import Failed, Fetched, Hops, Validators
from wireroom.polling import hub_requests, websub
from wireroom.polling.health import Health
from wireroom.polling.judging import digest
from wireroom.polling.tools import Polling
from wireroom.store import farewells, feeds, hubs, ingest, switches
from wireroom.store.bell import Bell
from wireroom.store.claims import LaneLease
from wireroom.store.farewells import Farewell
from wireroom.store.hubs import HubLease, Wanted
from wireroom.store.vault import Vault

log = structlog.get_logger(__name__)

#: Why no hub is asked, for people.
OFF = "Hubs cannot reach this Wireroom: set WIREROOM_PUBLIC_URL to an https address."

#: The path below the public URL that hubs call.
PATH = "/websub/"

_LOOK_EVERY_SECONDS = 60.0
_AT_ONCE = 20
#: How often a hub is told that we leave.
_FAREWELLS = 3
_WAITING = 200
_DUE = "its hub says that there is news"


@dataclass(frozen=True, slots=True)
class Push:
    """What a hub posted to a callback; `signature` is its X-Hub-Signature header."""

    lease: HubLease
    body: bytes
    content_type: str


@dataclass(slots=True)
class Pushes:
    """Everything about hubs: `keep_subscribed` beside the polling loop, and, in the process on
    which `web.websub` is mounted, `take_in_all`."""

    tools: Polling
    vault: Vault
    bell: Bell
    public_url: str
    owner: str
    _inbox: asyncio.Queue[Push] = field(default_factory=lambda: asyncio.Queue(_WAITING))

    @property
    def is_on(self) -> bool:
        """Hubs can call us only where the world can reach us."""
        return self.public_url.startswith("https://")

    # -- asking hubs ------------------------------------------------------------------------------

    async def keep_subscribed(self) -> None:
        """Ask hubs where that is due, until cancelled; of many processes one at a time does."""
        while True:
            try:
                if await self.tools.database.write(self._is_our_turn):
                    await self.ask_hubs()
            except StoreError as error:
                log.warning("hubs not asked", error=str(error))
            except Exception:
                log.exception("hubs not asked")
            await asyncio.sleep(_LOOK_EVERY_SECONDS)

    def _is_our_turn(self, connection: Connection) -> bool:
        if switches.is_polling_paused(connection):
            return False
        now = self.tools.now()
        since = now - timedelta(seconds=_LOOK_EVERY_SECONDS - 5)
        return switches.take_turn(connection, "hubs asked", since=since, now=now)

    async def ask_hubs(self) -> int:
        """Subscribe and renew where that is due; gives how many hubs were asked."""
        database, now = self.tools.database, self.tools.now()
        fresh = await database.read(lambda connection: hubs.wanted(connection, limit=_AT_ONCE))
        begun = [await database.write(self._begin, want) for want in fresh]
        again = await database.read(
            lambda connection: hubs.due(connection, now=now, limit=_AT_ONCE)
        )
        for lease in [*begun, *again]:
            await self._ask(lease)
        leaving = await database.read(
            lambda connection: farewells.due(connection, now=now, limit=_AT_ONCE)
        )
        for farewell in leaving:
            await self._leave(farewell)
        return len(begun) + len(again) + len(leaving)

    async def _leave(self, farewell: Farewell) -> None:
        """Tell the hub that nobody follows the feed; a few times, since its lease ends anyway."""
        again = websub.retry_at(farewell.tries + 1, self.tools.now())
        if farewell.tries >= _FAREWELLS:
            await self.tools.database.write(farewells.forget, farewell)
            return
        await self.tools.database.write(
            lambda connection: farewells.trying(connection, farewell, act_at=again)
        )
        form = websub.farewell_form(farewell.topic_url, self._callback_url(farewell.callback))
        answer = await hub_requests.say(self.tools.client, farewell.hub_url, form)
        if isinstance(answer, Failed) or not websub.is_accepted(answer.status):
            log.info("hub did not hear that we leave", hub=farewell.hub_url)

    def _callback_url(self, callback: str) -> str:
        return f"{self.public_url.rstrip('/')}{PATH}{callback}"

    def _begin(self, connection: Connection, want: Wanted) -> HubLease:
        # A feed that names another hub or topic by now: the old one hears that we leave (§6.1).
        farewells.leave(connection, want.feed_id, now=self.tools.now())
        return hubs.begin(
            connection,
            want,
            callback=secrets.token_urlsafe(32),
            secret=self.vault.seal(secrets.token_hex(32)),
            act_at=self.tools.now() + websub.VERIFY_WITHIN,
        )

    async def _ask(self, lease: HubLease) -> None:
        """One POST to the hub; its decision comes to the callback, perhaps before its answer."""
        now = self.tools.now()
        await self.tools.database.write(
            lambda connection: hubs.asking(connection, lease, act_at=now + websub.VERIFY_WITHIN)
        )
        form = websub.subscription_form(
            "subscribe",
            lease.topic_url,
            self._callback_url(lease.callback),
            self.vault.open(lease.secret),
            hub_url=lease.hub_url,
        )
        answer = await hub_requests.say(self.tools.client, lease.hub_url, form)
        if isinstance(answer, Failed):
            await self._note_refusal(lease, answer.reason)
        elif not websub.is_accepted(answer.status):
            why = f"The hub answered with status {answer.status}."
            await self._note_refusal(lease, why, answer.retry_after)

    async def _note_refusal(
        self, lease: HubLease, why: str, wait: timedelta | None = None
    ) -> None:
        at = websub.retry_at(lease.failures + 1, self.tools.now(), wait)
        log.info("hub refused", feed=lease.feed_id, hub=lease.hub_url, why=why)
        await self.tools.database.write(
            lambda connection: hubs.refused(
                connection, lease, state=hubs.FAILED, detail=why, act_at=at
            )
        )

    # -- being asked ------------------------------------------------------------------------------

    async def answer(self, callback: str, query: dict[str, str]) -> str | None:
        """The text that answers a hub's question (200), or None for "we did not ask" (404)."""
        asked = websub.verification(query)
        if asked is not None and asked.mode == "unsubscribe":
            return await self._answer_farewell(callback, asked)
        lease = await self._lease(callback)
        if asked is None or lease is None or asked.topic != lease.topic_url:
            return None
        now = self.tools.now()
        if asked.mode == "denied":
            await self.tools.database.write(
                lambda connection: hubs.refused(
                    connection,
                    lease,
                    state=hubs.DENIED,
                    detail=asked.reason or "The hub said no.",
                    act_at=websub.denied_until(now),
                )
            )
            return ""
        granted = asked.lease or websub.LEASE
        await self.tools.database.write(
            lambda connection: hubs.granted(
                connection,
                lease,
                expires_at=now + granted,
                act_at=websub.renew_at(granted, now, self.tools.random()),
            )
        )
        return asked.challenge

    async def _answer_farewell(self, callback: str, asked: websub.Verification) -> str | None:
        """We want every subscription that we have, and none to a feed that is gone."""
        farewell = await self.tools.database.read(farewells.by_callback, callback)
        if farewell is None or farewell.topic_url != asked.topic:
            return None
        await self.tools.database.write(farewells.forget, farewell)
        return asked.challenge

    async def _lease(self, callback: str) -> HubLease | None:
        return await self.tools.database.read(hubs.by_callback, callback)

    # -- being told -------------------------------------------------------------------------------

    async def receive(
        self, callback: str, body: bytes, *, content_type: str, signature: str
    ) -> bool:
        """Take a push; False when nobody asked for it (404), else the hub gets 202 and no more.

        A push with a wrong signature is dropped, and its sender hears nothing of that (§7.1).
        """
        lease = await self._lease(callback)
        if lease is None:
            return False
        secret = self.vault.open(lease.secret)
        if lease.hub_url.startswith("https:") and not websub.is_signed(signature, body, secret):
            await self.tools.database.write(self._note_forged, lease)
            return True
        push = Push(lease, body, content_type)
        if not body or self._inbox.full():
            await self._poll_instead(lease.feed_id)
        else:
            self._inbox.put_nowait(push)
        return True

    def _note_forged(self, connection: Connection, lease: HubLease) -> None:
        log.warning("push without our signature", feed=lease.feed_id, hub=lease.hub_url)
        hubs.count_forged(connection, lease)
        if lease.forged + 1 >= websub.MOST_FORGED:
            hubs.forget(connection, lease)

    async def take_in_all(self) -> None:
        """Take in what `receive` put into the inbox, until cancelled."""
        while True:
            push = await self._inbox.get()
            try:
                await self.take_in(push)
            except (StoreError, LeaseLost) as error:
                log.warning("push not taken in", feed=push.lease.feed_id, error=str(error))
            except Exception:
                log.exception("push not taken in", feed=push.lease.feed_id)

    async def take_in(self, push: Push) -> bool:
        """Store what was pushed; False when the feed was made due instead."""
        feed = await self.tools.database.read(feeds.to_poll, push.lease.feed_id)
        if feed is None:
            return False
        trusted = websub.is_trusted(feed.url, push.lease.topic_url, push.lease.hub_url)
        lane = await self.tools.lanes.claim(feed.lane, self.owner) if trusted else None
        stored = False
        if lane is not None:
            async with self.tools.lanes.held(lane):
                stored = await self._store(push, lane)
        if not stored:
            await self._poll_instead(feed.id)
        return stored

    async def _store(self, push: Push, lane: LaneLease) -> bool:
        # Looked up once more, now that nobody else works on the feed.
        feed = await self.tools.database.read(feeds.to_poll, push.lease.feed_id)
        if feed is None or feed.never_read or feed.disabled_at or feed.lane != lane.lane:
            return False
        # Without the last document: what a hub sends need not be all of it, so what it leaves out
        # has not left the feed.
        outcome = Fetched(Hops(feed.url), 200, push.body, push.content_type, Validators())
        finished = await digest(
            replace(feed, body_hash=None, packed_digests=b""),
            outcome,
            lane,
            self.tools,
            elapsed=timedelta(0),
        )
        reading = finished.reading
        if reading is None or Health.decode(feed.health).failure_count:
            return False  # no feed at all; or one whose own address is to answer first
        pushed = replace(
            finished,
            feed=feed,
            outcome="pushed",
            reading=replace(reading, is_push=True),
            next_poll_at=self.tools.now() + self.tools.policy.ceiling * 0.9,
            validators=None,
            move=None,
            announced=None,
        )
        await self.tools.database.write(ingest.commit, [pushed], self.tools.now())
        self.bell.ring()
        log.info("pushed", feed=feed.id, new=len(reading.changes.new))
        return True

    async def _poll_instead(self, feed_id: int) -> None:
        with contextlib.suppress(StoreError):
            await self.tools.database.write(
                lambda connection: feeds.make_due(
                    connection, feed_id, now=self.tools.now(), reason=_DUE
                )
            )
        self.bell.ring()
