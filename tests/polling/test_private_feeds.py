"""Feeds that need more than an address: whose they are, and who gets to see what opens them."""

import os
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, select, update

from tests.fetching.conftest import OpenSite
from tests.polling.newsroom import Newsroom, rss
from tests.rows import add_account
from tests.servers.scripted import Reply, ScriptedServer, Seen, redirect
from wireroom import subscribing, unlocking
from wireroom.errors import FeedUnavailable, NotAllowed, UserError
from wireroom.fetching.access import NONE, Access, Sent
from wireroom.fetching.guard import Credentials
from wireroom.store import following
from wireroom.store.schema import accounts, feed_access, feeds
from wireroom.store.vault import Vault
from wireroom.subscribing import opening
from wireroom.subscribing.wishes import wish_of

URL = "https://news.example/feed"
BASIC = "Basic " + b64encode(b"ann:s3cret").decode()
ANN = Access(credentials=Credentials("ann", "s3cret"))


@pytest.fixture
def newsroom(newsroom: Newsroom) -> Newsroom:
    """The newsroom, with a vault."""
    vault = Vault(os.urandom(32))
    newsroom.tools = replace(newsroom.tools, vault=lambda: vault)
    return newsroom


def guarded(seen: Seen) -> Reply:
    """Open to Ann alone."""
    if seen.headers.get("authorization") != BASIC:
        return Reply(401)
    return Reply(body=rss("1", "2"), headers=(("ETag", '"ann"'),))


async def test_a_password_in_an_address_opens_a_feed_of_ones_own(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """It goes into the vault, not into the address, and polls send it again (OPT-02)."""
    async with open_site({"/feed": guarded}) as server:
        followed = await newsroom.subscribe("https://ann:s3cret@news.example/feed")
        await newsroom.poll_after(timedelta(minutes=11))

    feed = await newsroom.standing(followed.feed_id)
    assert (URL, newsroom.account, 200) == (feed.url, feed.owner_account_id, feed.last_status)
    assert [BASIC, BASIC] == [seen.headers.get("authorization") for seen in server.seen]
    kept = await newsroom.database.read(_everything_kept)
    assert "s3cret" not in kept


def _everything_kept(connection: Connection) -> str:
    rows = [*connection.execute(select(feeds)), *connection.execute(select(feed_access))]
    return repr([tuple(row) for row in rows])


async def test_a_feed_of_ones_own_is_for_nobody_else(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Whoever types the same address without a password is asked for one, and sees no item."""
    stranger = await newsroom.database.write(add_account, "Stranger")
    async with open_site({"/feed": guarded}):
        await newsroom.subscribe(URL, special=ANN)
        with pytest.raises(FeedUnavailable) as refused:
            await subscribing.subscribe(newsroom.tools, stranger, URL, owner="front end")

    assert "needs_credentials" == refused.value.code
    shelf = await newsroom.database.read(following.list_followed, stranger)
    assert [] == shelf


async def test_what_opens_a_feed_is_told_in_a_word(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Reader apps learn that there is a password, and not which (API-47)."""
    async with open_site({"/feed": guarded}):
        await newsroom.subscribe(URL, special=ANN)

    (shown,) = await newsroom.database.read(following.list_followed, newsroom.account)
    assert "basic" == shown.credentials_scheme
    assert "s3cret" not in repr((shown, ANN))


async def test_a_new_password_takes_the_place_of_the_old_one(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Following again with another one mends a feed that is shut out."""
    async with open_site({"/feed": guarded}):
        followed = await newsroom.subscribe(URL, special=ANN)
        wrong = Access(credentials=Credentials("ann", "old"))
        again = await newsroom.subscribe(URL, special=wrong)
        await newsroom.poll_after(timedelta(minutes=11))
        shut_out = await newsroom.standing(followed.feed_id)
        await newsroom.subscribe(URL, special=ANN)
        await newsroom.poll_after(timedelta(hours=7))

    mended = await newsroom.standing(followed.feed_id)
    assert (True, followed.feed_id) == (again.existing, again.feed_id)
    assert (401, 200) == (shut_out.last_status, mended.last_status)


@pytest.mark.parametrize(
    ("page", "feed", "opens"),
    [
        ("https://ann:s3cret@news.example/", "https://news.example/feed", True),
        ("https://ann:s3cret@news.example/", "https://NEWS.example:443/feed", True),
        ("https://ann:s3cret@news.example/", "https://news.example:8443/feed", False),
        ("https://ann:s3cret@news.example/", "https://other.example/feed", False),
        ("https://ann:s3cret@news.example/", "https://news.example@other.example/feed", False),
        ("https://ann:s3cret@news.example/", "http://news.example/feed", False),
        ("https://ann:s3cret@news.example:8443/", "http://news.example:8443/feed", False),
        ("http://ann:s3cret@news.example/", "http://news.example/feed", True),
        ("http://ann:s3cret@news.example/", "https://news.example/feed", True),
    ],
)
def test_a_page_leads_no_password_elsewhere_or_into_the_open(
    page: str, feed: str, opens: bool
) -> None:
    """Whose a feed behind another port is, a page does not know; it is asked without. Plain http
    hears it only where somebody typed http."""
    vault = Vault(os.urandom(32))
    wish, _ = wish_of(1, None, "generic", page, NONE)
    carried = opening.unsealed(feed, opening.sealed(page, vault, 1), vault, 1)

    assert opens is bool(wish.access_at(feed))
    assert opens is ("s3cret" in carried)


async def test_secrets_stay_on_the_host_that_they_were_given_for(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A redirect to another host is followed without them, and what is there is everybody's."""
    async with (
        open_site({"/feed": redirect("https://other.example/feed", 301)}) as first,
        open_site({"/feed": Reply(body=rss("1"))}, "other.example", "93.184.216.35") as second,
    ):
        followed = await newsroom.subscribe(URL, special=replace(ANN, cookie="id=1"))

    assert (BASIC, "id=1") == tuple(
        first.seen[0].headers.get(name) for name in ("authorization", "cookie")
    )
    assert not {"authorization", "cookie"} & set(second.seen[0].headers)
    feed = await newsroom.standing(followed.feed_id)
    assert ("https://other.example/feed", 0) == (feed.url, feed.owner_account_id)


async def test_how_a_shared_feed_is_asked_is_for_operators_to_say(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A name for one publisher holds for all who follow, so that not everybody sets it."""
    named = Access(user_agent="Harbour reader")
    await _become(newsroom, "member")
    async with open_site({"/feed": Reply(body=rss("1"))}) as server:
        with pytest.raises(NotAllowed):
            await newsroom.subscribe(URL, special=named)
        await _become(newsroom, "operator")
        followed = await newsroom.subscribe(URL, special=named)
        await newsroom.poll_after(timedelta(minutes=11))

    assert "Harbour reader" == server.seen[-1].headers["user-agent"]
    assert 0 == (await newsroom.standing(followed.feed_id)).owner_account_id


@pytest.mark.parametrize(
    ("usually", "own", "sent"),
    [
        (False, "both", ('W/"a"', "Sun, 29 Nov 2026 08:00:00 GMT")),
        (True, "etag", ('"a"', None)),
    ],
)
async def test_one_publisher_may_need_its_validators_in_another_way(
    newsroom: Newsroom,
    open_site: OpenSite,
    usually: bool,
    own: Sent,
    sent: tuple[str, str | None],
) -> None:
    """The feed's own way wins over that of all feeds (C5, HTTP-02, HTTP-03)."""
    head = (("ETag", 'W/"a"'), ("Last-Modified", "Sun, 29 Nov 2026 08:00:00 GMT"))
    newsroom.tools.verbatim = usually
    await _become(newsroom, "operator")
    async with open_site({"/feed": [Reply(headers=head, body=rss("1")), Reply(304)]}) as server:
        await newsroom.subscribe(URL, special=Access(validators=own))
        await newsroom.poll_after(timedelta(minutes=11))

    asked = server.seen[1].headers
    assert sent == (asked.get("if-none-match"), asked.get("if-modified-since"))


async def _become(newsroom: Newsroom, role: str) -> None:
    mine = update(accounts).where(accounts.c.id == newsroom.account).values(role=role)
    await newsroom.database.write(lambda connection: connection.execute(mine))


@pytest.mark.parametrize(
    ("special", "wrong"),
    [
        (Access(cookie="a=1\r\nX-Evil: 1"), "The cookie holds line breaks"),
        (Access(user_agent="x" * 20_000), "The user agent is longer than"),
        (Access(credentials=Credentials("a:b", "c")), "cannot hold a colon"),
        (Access(proxy="socks5://127.0.0.1:9050"), "begins with http://"),
        (Access(validators="weak"), "Validators go back"),  # type: ignore[arg-type]
    ],
    ids=["line break", "too long", "colon", "proxy's scheme", "validators"],
)
async def test_what_cannot_be_sent_is_refused(
    newsroom: Newsroom, special: Access, wrong: str
) -> None:
    """Nobody is asked, and the sentence does not repeat the secret."""
    with pytest.raises(UserError, match=wrong) as refused:
        await newsroom.subscribe(URL, special=special)

    assert "a=1" not in str(refused.value)


async def test_what_opens_a_followed_feed_is_given_and_forgotten_later(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A feed that others may follow becomes one's own beside it; forgotten, it is asked bare."""

    def half_open(seen: Seen) -> Reply:
        opened = seen.headers.get("authorization") == BASIC
        return Reply(body=rss("1", "2") if opened else rss("1"))

    async with open_site({"/feed": half_open}) as server:
        shared = await newsroom.subscribe(URL)
        own = await unlocking.unlock(
            newsroom.tools, newsroom.account, shared.subscription_id, ANN, owner="front end"
        )
        again = await unlocking.unlock(
            newsroom.tools, newsroom.account, own, replace(ANN, cookie="id=2"), owner="front end"
        )
        await newsroom.poll_after(timedelta(minutes=11))
        with_both = [seen.headers.get("cookie") for seen in server.seen]
        await unlocking.unlock(newsroom.tools, newsroom.account, own, NONE, owner="front end")
        server.seen.clear()
        await newsroom.poll_after(timedelta(hours=7))

    assert own == again != shared.subscription_id
    assert "id=2" in with_both
    assert {None} == {seen.headers.get("authorization") for seen in server.seen}
    shown = await newsroom.database.read(following.list_followed, newsroom.account)
    assert {"": 2} == {each.credentials_scheme: len(shown) for each in shown}


async def test_only_operators_say_how_others_feeds_are_asked_later(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Neither a name nor a proxy is a member's to set on a feed that others may follow."""
    await _become(newsroom, "member")
    async with open_site({"/feed": Reply(body=rss("1"))}):
        shared = await newsroom.subscribe(URL)
        for wanted in (Access(user_agent="Mine"), Access(proxy="http://10.0.0.1:3128"), NONE):
            with pytest.raises(NotAllowed):
                await unlocking.unlock(
                    newsroom.tools,
                    newsroom.account,
                    shared.subscription_id,
                    wanted,
                    owner="front end",
                )


async def test_no_member_s_proxy_is_dialled(newsroom: Newsroom, open_site: OpenSite) -> None:
    """It would be dialled without the guard, and a password beside it changes nothing."""
    await _become(newsroom, "member")
    async with open_site({"/feed": guarded}), ScriptedServer({}) as inside:
        wanted = replace(ANN, proxy=inside.url(""))
        with pytest.raises(NotAllowed):
            await newsroom.subscribe(URL, special=wanted)
        with pytest.raises(NotAllowed):
            await newsroom.subscribe("https://news.example/other", special=wanted)

    assert 0 == inside.connections


@pytest.mark.parametrize("is_own", [True, False], ids=["own", "shared"])
async def test_a_certificate_that_is_none_is_not_kept(
    newsroom: Newsroom, open_site: OpenSite, is_own: bool
) -> None:
    """It is refused when it is given, and not at every poll from then on."""
    async with open_site({"/feed": Reply(body=rss("1"))}):
        followed = await newsroom.subscribe(URL, special=ANN if is_own else NONE)
        with pytest.raises(UserError, match="The certificate cannot be used"):
            await unlocking.unlock(
                newsroom.tools,
                newsroom.account,
                followed.subscription_id,
                Access(certificate="nonsense"),
                owner="front end",
            )

    (shown,) = await newsroom.database.read(following.list_followed, newsroom.account)
    assert ("basic" if is_own else "") == shown.credentials_scheme


async def test_a_password_in_an_address_opens_what_is_only_looked_at(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Choosing among what an address offers, and a look at it, send it and keep nothing."""
    typed = "https://ann:s3cret@news.example/feed"
    async with open_site({"/feed": guarded}):
        offered = await subscribing.candidates(newsroom.tools, typed, owner="front end")
        looked = await subscribing.look(newsroom.tools, typed, owner="front end")

    assert [URL] == [each.url for each in offered]
    assert (URL, 2) == (looked.url, len(looked.parsed.items))
    assert "[]" == (await newsroom.database.read(_everything_kept))


async def test_what_opens_a_feed_is_not_taken_elsewhere(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A feed with credentials stays at the address that they were given for (C16)."""
    link = "<link xmlns='http://www.w3.org/2005/Atom' rel='self' href='/all.xml'/>"
    body = rss("1", more=link)
    async with open_site({"/feed": Reply(body=body), "/all.xml": Reply(body=body)}) as server:
        await newsroom.subscribe(URL, special=ANN)

    assert ["/feed"] == server.paths()
