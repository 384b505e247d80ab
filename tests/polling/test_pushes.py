"""WebSub over real sockets: a hub is asked, asks back, pushes, and is believed if it signs."""

import hashlib
import hmac
from collections.abc import AsyncIterator
from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from sqlalchemy import select

from tests.fetching.conftest import OpenSite
from tests.polling.newsroom import Newsroom, rss
from tests.servers.scripted import Reply, ScriptedServer, redirect
from wireroom import subscribing
from wireroom.polling.pushes import PATH, Pushes
from wireroom.store import switches
from wireroom.store.hubs import HubLease
from wireroom.store.schema import hub_leases
from wireroom.store.vault import Vault

FEED = "https://news.example/feed"
HUB = (("Link", f'<https://hub.example/>; rel="hub", <{FEED}>; rel="self"'), ("ETag", '"a"'))
PUBLIC = "https://reader.example"


@pytest.fixture
def pushes(newsroom: Newsroom) -> Pushes:
    return Pushes(newsroom.tools, Vault(bytes(32)), newsroom.bell, PUBLIC, "hub side")


@pytest.fixture
async def hub(open_site: OpenSite) -> AsyncIterator[ScriptedServer]:
    """A hub that accepts everything."""
    async with open_site({"/": Reply(202)}, "hub.example", "93.184.216.40") as server:
        yield server


async def the_lease(newsroom: Newsroom) -> HubLease:
    from wireroom.store import hubs

    def work(connection: object) -> HubLease | None:
        callback = connection.scalar(select(hub_leases.c.callback))  # type: ignore[attr-defined]
        return hubs.by_callback(connection, callback)  # type: ignore[arg-type]

    lease = await newsroom.database.read(work)
    assert lease is not None
    return lease


def question(**changes: str) -> dict[str, str]:
    asked = {
        "hub.mode": "subscribe",
        "hub.topic": FEED,
        "hub.challenge": "42",
        "hub.lease_seconds": "86400",
    }
    return asked | {name.replace("_", ".", 1): value for name, value in changes.items()}


def signature(pushes: Pushes, lease: HubLease, body: bytes) -> str:
    key = pushes.vault.open(lease.secret).encode()
    return "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()


async def followed_and_active(newsroom: Newsroom, pushes: Pushes) -> HubLease:
    await newsroom.subscribe(FEED)
    await pushes.ask_hubs()
    lease = await the_lease(newsroom)
    assert "42" == await pushes.answer(lease.callback, question())
    return await the_lease(newsroom)


async def push(pushes: Pushes, lease: HubLease, body: bytes, signed: str | None = None) -> bool:
    """What the hub posts, taken in at once; whether it was stored."""
    given = signature(pushes, lease, body) if signed is None else signed
    assert await pushes.receive(lease.callback, body, content_type="", signature=given)
    if pushes._inbox.empty():
        return False
    return await pushes.take_in(pushes._inbox.get_nowait())


async def test_a_hub_is_asked_once_and_answered(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """Topic, callback and secret go to the hub; its question is answered; then there is peace."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("1"))}):
        lease = await followed_and_active(newsroom, pushes)
        assert 0 == await pushes.ask_hubs()

    form = {name: values[0] for name, values in parse_qs(hub.seen[0].body.decode()).items()}
    assert ("subscribe", FEED) == (form["hub.mode"], form["hub.topic"])
    assert f"{PUBLIC}{PATH}{lease.callback}" == form["hub.callback"]
    assert pushes.vault.open(lease.secret) == form["hub.secret"]
    assert ("active", newsroom.clock() + timedelta(days=1)) == (lease.state, lease.expires_at)
    newsroom.clock.move(timedelta(hours=20))
    assert 1 == await pushes.ask_hubs()


@pytest.mark.parametrize(
    "asked",
    [
        question(hub_topic="https://news.example/other"),
        question(hub_mode="unsubscribe"),
        question(hub_challenge=""),
    ],
)
async def test_only_our_own_wishes_are_confirmed(
    newsroom: Newsroom,
    open_site: OpenSite,
    hub: ScriptedServer,
    pushes: Pushes,
    asked: dict[str, str],
) -> None:
    """Another topic, an end that we do not want, and half a question get 404."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("1"))}):
        lease = await followed_and_active(newsroom, pushes)

    assert await pushes.answer(lease.callback, asked) is None
    assert await pushes.answer("guessed", question()) is None


async def test_a_signed_push_is_stored_at_once(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """No request to the publisher; the validators of its own document stay as they were."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("2", "1"))}) as server:
        lease = await followed_and_active(newsroom, pushes)
        assert await push(pushes, lease, rss("3"))
        assert await push(pushes, lease, rss("3"))
        assert 1 == len(server.seen)

    assert ["Story 1", "Story 2", "Story 3"] == await newsroom.titles(1)
    assert ["Story 3"] == await newsroom.titles(1, news=True)
    feed = await newsroom.standing(1)
    assert ('"a"', 32) == (feed.etag, len(feed.item_digests))


@pytest.mark.parametrize("signed", ["", "sha256=00", "md5=00"])
async def test_a_forged_push_changes_nothing(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes, signed: str
) -> None:
    """Without our signature a push is dropped in silence; after many, the callback is changed."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("1"))}):
        lease = await followed_and_active(newsroom, pushes)
        before = await newsroom.standing(1)
        assert not await push(pushes, lease, rss("evil"), signed)
        assert before == await newsroom.standing(1)
        for _ in range(19):
            await push(pushes, lease, rss("evil"), signed)
        assert not await pushes.receive(lease.callback, b"x", content_type="", signature="")
        await pushes.ask_hubs()

    assert lease.callback != (await the_lease(newsroom)).callback


@pytest.mark.parametrize("body", [b"", b"<html>ping</html>"])
async def test_a_thin_ping_makes_the_feed_due(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes, body: bytes
) -> None:
    """Nothing to read in it: the feed is asked, with its validators."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("2", "1"))}) as server:
        lease = await followed_and_active(newsroom, pushes)
        assert not await push(pushes, lease, body)
        await newsroom.poll()

    assert '"a"' == server.seen[1].headers["if-none-match"]
    assert 0 == (await newsroom.standing(1)).failure_count


async def test_a_push_while_the_host_is_asked_waits_for_the_poll(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """Two readings of one feed at a time would store an item twice."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("1"))}):
        lease = await followed_and_active(newsroom, pushes)
        lane = await newsroom.tools.lanes.claim("news.example", "poller")
        assert lane is not None
        assert not await push(pushes, lease, rss("2", "1"))
        await newsroom.tools.lanes.give_back(lane)

    assert "its hub says that there is news" == (await newsroom.standing(1)).next_poll_reason


async def test_a_hub_lets_polls_be_rare_until_it_misses_news(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """Polls go on as a backup; twice they find news first, and the pace is the usual one (B29)."""
    answers = [Reply(headers=HUB, body=rss(*map(str, range(n, 0, -1)))) for n in range(1, 6)]
    waits = []
    async with open_site({"/feed": answers}):
        await followed_and_active(newsroom, pushes)
        for _ in range(4):
            await newsroom.poll_when_due()
            due = (await newsroom.standing(1)).next_poll_at
            waits.append((due - newsroom.clock()) / timedelta(hours=1))

    assert [5.7, 5.7] == [round(wait, 1) for wait in waits[:2]]
    assert waits[3] < 1


async def test_a_hub_that_refuses_is_asked_less(
    newsroom: Newsroom, open_site: OpenSite, pushes: Pushes
) -> None:
    """The row says why; polling goes on as if there were no hub."""
    async with (
        open_site({"/feed": Reply(headers=HUB, body=rss("1"))}),
        open_site({"/": Reply(500)}, "hub.example", "93.184.216.40") as hub,
    ):
        await newsroom.subscribe(FEED)
        for _ in range(3):
            await pushes.ask_hubs()
            newsroom.clock.move(timedelta(hours=1, minutes=1))
        await pushes.ask_hubs()

    assert 3 == len(hub.seen)
    assert ("failed", 3) == (
        (await the_lease(newsroom)).state,
        (await the_lease(newsroom)).failures,
    )


async def test_a_hub_that_has_moved_is_asked_where_it_is(
    newsroom: Newsroom, open_site: OpenSite, pushes: Pushes
) -> None:
    """The same is said there; a hub that asks for time gets it (§5.1, B18)."""
    moved, busy = redirect("https://new.example/hub", 307), Reply(429, (("Retry-After", "7200"),))
    async with (
        open_site({"/feed": Reply(headers=HUB, body=rss("1"))}),
        open_site({"/": moved}, "hub.example", "93.184.216.40") as old,
        open_site({"/hub": [Reply(202), busy]}, "new.example", "93.184.216.41") as new,
    ):
        await followed_and_active(newsroom, pushes)
        newsroom.clock.move(timedelta(days=1))
        await pushes.ask_hubs()
        newsroom.clock.move(timedelta(minutes=119))
        asked_too_soon = await pushes.ask_hubs()
        newsroom.clock.move(timedelta(minutes=1))
        asked_in_time = await pushes.ask_hubs()

    assert old.seen[0].body == new.seen[0].body
    assert (0, 1) == (asked_too_soon, asked_in_time)


async def test_a_feed_that_names_another_hub_leaves_the_old_one(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """It is subscribed at the new one, and what the old one pushes is nobody's (§6.1)."""
    new_head = (("Link", f'<https://new.example/>; rel="hub", <{FEED}>; rel="self"'),)
    answers = [Reply(headers=HUB, body=rss("1")), Reply(headers=new_head, body=rss("2", "1"))]
    async with (
        open_site({"/feed": answers}),
        open_site({"/": Reply(202)}, "new.example", "93.184.216.41") as new,
    ):
        old = await followed_and_active(newsroom, pushes)
        await newsroom.poll_when_due()
        await pushes.ask_hubs()

    modes = [parse_qs(each.body.decode())["hub.mode"] for each in (*hub.seen, *new.seen)]
    assert [["subscribe"], ["unsubscribe"], ["subscribe"]] == modes
    assert not await pushes.receive(old.callback, b"x", content_type="", signature="")


async def test_no_hub_is_asked_while_polling_is_paused_or_the_feed_is_over(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """A pause means everybody (SCH-47), and nobody needs news of a feed that has ended."""
    async with open_site({"/feed": [Reply(headers=HUB, body=rss("1")), Reply(410)]}):
        await followed_and_active(newsroom, pushes)
        with newsroom.database.writing() as connection:
            switches.pause_polling(connection, now=newsroom.clock())
            assert not pushes._is_our_turn(connection)
            switches.resume_polling(connection)
            assert pushes._is_our_turn(connection)
        await newsroom.poll_when_due()
        newsroom.clock.move(timedelta(days=1))

    assert 0 == await pushes.ask_hubs()


async def test_of_many_processes_one_asks_the_hubs(newsroom: Newsroom, pushes: Pushes) -> None:
    """Within a minute a second process finds that another has looked."""

    async def look() -> bool:
        return await newsroom.database.write(pushes._is_our_turn)

    first, second = await look(), await look()
    newsroom.clock.move(timedelta(minutes=1))

    assert (True, False, True) == (first, second, await look())


async def test_without_a_public_address_it_is_off(newsroom: Newsroom) -> None:
    """No hub could reach us."""
    off = Pushes(newsroom.tools, Vault(bytes(32)), newsroom.bell, "", "hub side")

    assert not off.is_on


async def test_a_hub_hears_when_nobody_follows_any_more(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """The end is posted, the hub's question about it is answered once, and nothing is kept."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("1"))}):
        lease = await followed_and_active(newsroom, pushes)
        followed = await newsroom.subscribe(FEED)
        await subscribing.unsubscribe(newsroom.tools, newsroom.account, followed.subscription_id)
        asked = await pushes.ask_hubs()

    form = {name: values[0] for name, values in parse_qs(hub.seen[-1].body.decode()).items()}
    assert (1, "unsubscribe", FEED) == (asked, form["hub.mode"], form["hub.topic"])
    assert f"{PUBLIC}{PATH}{lease.callback}" == form["hub.callback"]
    wrong = question(hub_mode="unsubscribe", hub_topic="https://news.example/other")
    assert await pushes.answer(lease.callback, wrong) is None
    assert "42" == await pushes.answer(lease.callback, question(hub_mode="unsubscribe"))
    assert await pushes.answer(lease.callback, question(hub_mode="unsubscribe")) is None


async def test_a_hub_that_does_not_hear_is_told_three_times(
    newsroom: Newsroom, open_site: OpenSite, hub: ScriptedServer, pushes: Pushes
) -> None:
    """Its lease ends by itself, so that it is not told for ever."""
    async with open_site({"/feed": Reply(headers=HUB, body=rss("1"))}):
        await followed_and_active(newsroom, pushes)
        followed = await newsroom.subscribe(FEED)
        await subscribing.unsubscribe(newsroom.tools, newsroom.account, followed.subscription_id)
        before = len(hub.seen)
        for _ in range(6):
            await pushes.ask_hubs()
            newsroom.clock.move(timedelta(days=2))

    assert 3 == len(hub.seen) - before
