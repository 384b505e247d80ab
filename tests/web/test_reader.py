"""Reading: lists, entries, what is said about them, and news."""

import asyncio
import re
from dataclasses import replace

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.rows import NOON, add_entry, add_feed, at, follow
from tests.web.conftest import Browser, session_secret
from tests.web.rooms import Outside, furnish
from wireroom import accounts
from wireroom.errors import StoreUnavailable, UserError
from wireroom.pictures.addresses import Addresses
from wireroom.reading import Place
from wireroom.store import reading
from wireroom.web.live import _beats, seen_from, seen_text
from wireroom.web.reader import place_from, place_text
from wireroom.web.room import Room, Settings


def titles(page: str) -> list[str]:
    found = re.findall(
        r'class="row-title">(?:<span class="sr">Unread: </span>)?(.*?)</span>', page
    )
    return [title.strip() for title in found]


async def session_of(somebody: Browser, outside: Outside) -> accounts.Session:
    """The session that a browser has."""
    secret = session_secret(outside.database, somebody.account_id, "another window")
    session = await accounts.session_behind(outside.database, secret, NOON)
    assert session is not None
    return session


@pytest.fixture
def feed_id(ada: Browser, outside: Outside) -> int:
    with outside.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id)
    return feed_id


def arrive(outside: Outside, feed_id: int, minutes: float, title: str, **values: object) -> int:
    with outside.database.writing() as connection:
        return add_entry(connection, feed_id, at(minutes), title, **values)


def seen_in(page: str) -> str:
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found
    return found[1]


def unread(outside: Outside, account_id: int) -> dict[int, int]:
    with outside.database.reading() as connection:
        return reading.unread_counts(connection, account_id)


def test_pages_go_on_where_the_last_one_ended(
    ada: Browser, outside: Outside, feed_id: int
) -> None:
    """Following "older" from page to page gives every entry once, whatever arrives meanwhile."""
    for minute in range(120):
        arrive(outside, feed_id, minute // 7, f"old {minute}")
    page = ada.get("/?show=all").text
    found = titles(page)
    while older := re.search(r'hx-get="([^"]+)"', page):
        arrive(outside, feed_id, 500, "new")
        address = older[1].replace("&amp;", "&")
        page = ada.get(address, headers={"hx-request": "true"}).text
        assert "<html" not in page
        found += titles(page)

    assert {f"old {minute}" for minute in range(120)} == set(found)
    assert 120 == len(found)


def test_opening_without_script(ada: Browser, outside: Outside, feed_id: int) -> None:
    """The address of a row is the list together with the article."""
    seq = arrive(outside, feed_id, 0, "The title", content="<p>The whole text</p>")
    page = ada.get(f"/?show=all&entry={feed_id}.{seq}").text

    assert "The whole text" in page
    assert ["The title"] == titles(page)


def test_saying_with_and_without_script(ada: Browser, outside: Outside, feed_id: int) -> None:
    """Script gets the state and the count; a form gets back to where it was."""
    seq = arrive(outside, feed_id, 0, "One")
    arrive(outside, feed_id, 1, "Two")
    by_script = ada.post(f"/entry/{feed_id}/{seq}", script=True, is_read=1)
    by_form = ada.post(f"/entry/{feed_id}/{seq}", is_favorite=1, next="/?show=favorite")

    assert {"is_read": True, "is_favorite": False, "unread": {str(feed_id): 1}} == by_script.json()
    assert (303, "/?show=favorite") == (by_form.status_code, by_form.headers["location"])
    assert ["One"] == titles(ada.get("/?show=favorite").text)


def test_mark_all_covers_what_was_shown(ada: Browser, outside: Outside, feed_id: int) -> None:
    """What arrived after the page was drawn stays unread, older dates included (B48)."""
    arrive(outside, feed_id, -60, "shown")
    page = ada.get("/").text
    arrive(outside, feed_id, -90, "late, with an old date")
    arrive(outside, feed_id, 5, "new")
    ada.post("/mark-read", seen=seen_in(page), show="unread", next="/")

    assert ["new", "late, with an old date"] == titles(ada.get("/?show=unread").text)


def test_news_brings_what_the_page_does_not_know(
    ada: Browser, outside: Outside, feed_id: int
) -> None:
    """Rows for the new entries, the counts of all feeds, and the numbers to go on with."""
    arrive(outside, feed_id, 0, "known")
    page = ada.get("/").text
    arrive(outside, feed_id, 5, "news")
    news = ada.post("/news", script=True, seen=seen_in(page), show="unread").text
    again = ada.post(
        "/news", script=True, seen=re.findall(r'data-seen="([^"]+)"', news)[0], show="unread"
    ).text

    assert ["news"] == titles(news)
    assert f'data-unread="{{&#34;{feed_id}&#34;: 2}}"' in news
    assert [] == titles(again)


def test_too_much_news_is_not_passed_off_as_all(
    ada: Browser, outside: Outside, feed_id: int
) -> None:
    """When more came than is shown at once, the page is told to draw itself anew."""
    page = ada.get("/").text
    for minute in range(60):
        arrive(outside, feed_id, minute, f"{minute}")
    news = ada.post("/news", script=True, seen=seen_in(page), show="unread").text

    assert 'data-too-many="1"' in news


async def test_live_says_that_something_happened(
    ada: Browser, outside: Outside, feed_id: int
) -> None:
    """The first beat is quiet when nothing changed since the page; a ring brings the next one."""
    room = Room(
        outside.database, outside.subscribe, outside.unsubscribe, outside.refresh, outside.bell,
        outside.now, Settings(), outside.vault,
    )  # fmt: skip
    with outside.database.reading() as connection:
        before = reading.pulse(connection, ada.account_id)
    beats = _beats(room, await session_of(ada, outside), before)
    first = await anext(beats)
    waiting = asyncio.ensure_future(anext(beats))
    await asyncio.sleep(0.01)
    arrive(outside, feed_id, 5, "news")
    outside.bell.ring()
    second = await asyncio.wait_for(waiting, 10)
    listening = dict(room.listeners.open)
    await beats.aclose()  # type: ignore[attr-defined]

    assert (None, "news") == (first.event, second.event)
    assert before != second.id
    assert {ada.account_id: 1} == listening
    assert {} == room.listeners.open


async def test_live_resumes_by_event_id(ada: Browser, outside: Outside, feed_id: int) -> None:
    """A browser that reconnects with an older pulse hears of the news at once."""
    room = Room(
        outside.database, outside.subscribe, outside.unsubscribe, outside.refresh, outside.bell,
        outside.now, Settings(), outside.vault,
    )  # fmt: skip
    with outside.database.reading() as connection:
        before = reading.pulse(connection, ada.account_id)
    arrive(outside, feed_id, 5, "news")
    beats = _beats(room, await session_of(ada, outside), before)
    beat = await anext(beats)
    await beats.aclose()  # type: ignore[attr-defined]

    assert "news" == beat.event


async def test_live_ends_with_the_session(ada: Browser, outside: Outside, feed_id: int) -> None:
    """A window that was left open hears nothing after its owner has logged out elsewhere."""
    room = Room(
        outside.database, outside.subscribe, outside.unsubscribe, outside.refresh, outside.bell,
        outside.now, Settings(), outside.vault,
    )  # fmt: skip
    session = await session_of(ada, outside)
    beats = _beats(room, session, "")
    await anext(beats)
    await accounts.close_session(outside.database, ada.account_id, session.token.id)
    arrive(outside, feed_id, 5, "news")
    outside.bell.ring()
    async with asyncio.timeout(20):
        after = [beat async for beat in beats]

    assert [] == after


def test_empty_states_teach(ada: Browser, outside: Outside) -> None:
    """No subscriptions, all read, no favourites: each says what to do next."""
    nothing = ada.get("/").text
    with outside.database.writing() as connection:
        follow(connection, ada.account_id, add_feed(connection))

    assert "Nothing on the wire yet" in nothing
    assert "All read" in ada.get("/?show=unread").text
    assert "No favourites here" in ada.get("/?show=favorite").text
    assert "No entries yet" in ada.get("/?show=all").text


def test_a_locked_database_is_a_page(ada: Browser, outside: Outside) -> None:
    """When the database does not answer, the sentence that says so is shown with 503."""

    async def refuse(*_: object) -> None:
        raise StoreUnavailable("The database is locked by another program.")

    outside.database.read = refuse  # type: ignore[method-assign, assignment]
    page, health = ada.get("/"), ada.get("/health")

    assert (503, "10") == (page.status_code, page.headers["retry-after"])
    assert "locked by another program" in page.text
    assert "content-security-policy" in page.headers
    assert 503 == health.status_code


def test_health_and_bot_are_public(ada: Browser) -> None:
    """Monitors and publishers need no login; those read who asks, conditionally, how often, what
    follows from failures, and within which limits (HTTP-10)."""
    ada.client.cookies.clear()
    bot = ada.get("/bot")

    assert {"status": "ok", "database": "ok"} == ada.get("/health").json()
    for words in (
        "every 5 min and every 6 h",
        "<code>Wireroom/0.1</code>",
        "If-None-Match",
        "max-age",
        "Retry-After",
        "probed once a day",
        "410",
        "5 MB, as sent and unpacked, and take 1 min; 5 redirects are followed",
        "the first 500 items",
        "WebSub",
    ):
        assert words in bot.text
    assert "Requests come from" not in bot.text


def test_publishers_read_where_requests_come_from(ada: Browser) -> None:
    """An operator with fixed addresses names them, for whoever lets robots in (HTTP-41)."""
    app: Litestar = ada.client.app  # type: ignore[assignment]
    room = app.state.room
    settings = replace(room.settings, egress="192.0.2.7", verbatim=True)
    app.state.room = replace(room, settings=settings)

    assert "Requests come from 192.0.2.7." in ada.get("/bot").text
    assert "exactly as you sent them" in ada.get("/bot").text


def test_unread_counts_of_folders_include_inner_ones(ada: Browser, outside: Outside) -> None:
    """A folder's number is the sum of all feeds anywhere in it."""
    with outside.database.writing() as connection:
        furnish(connection, ada.account_id)
    page = ada.get("/").text
    sums = dict(
        re.findall(r'class="name">([^<]+)</span>\s*<span class="count" data-sum>(\d+)', page)
    )
    feeds = sum(unread(outside, ada.account_id).values())

    assert int(sums["News"]) > int(sums["Close to home"]) > 0
    assert f"data-total>{feeds}<" in page


def test_following(ada: Browser, outside: Outside) -> None:
    """A good address leads to its feed, a bad one back to the form with the sentence."""
    good = ada.post("/follow", script=True, url="https://good.example/", folder_id="")
    bad = ada.post("/follow", script=True, url="nothing.example", folder_id="")
    empty = ada.post("/follow", url=" ")

    assert (204, "/feed/1?show=all") == (good.status_code, good.headers["hx-redirect"])
    assert (422, True) == (bad.status_code, "it names no feed" in bad.text)
    assert "<html" not in bad.text
    assert (422, True) == (empty.status_code, "<html" in empty.text)
    assert ("subscribe", ada.account_id, "https://good.example/", None) == outside.asked[0]


def test_following_what_is_followed_already(ada: Browser) -> None:
    """It is said in place, with the way to it."""
    dialog = ada.post("/follow", script=True, url="https://known.example/")
    whole = ada.post("/follow", url="https://known.example/")

    for answer in (dialog, whole):
        assert 200 == answer.status_code
        assert "You follow it already" in answer.text
        assert '<a href="/feed/1?show=all">Harbour Courier</a>' in answer.text
    assert (False, True) == ("<html" in dialog.text, "<html" in whole.text)


def test_a_page_with_several_feeds_lets_one_choose(ada: Browser, outside: Outside) -> None:
    """Each with its title and address, in the chosen folder; the choice is followed as typed."""
    ada.post("/folders", name="Papers")
    dialog = ada.post("/follow", script=True, url="https://several.example/", folder_id="1")
    chosen = ada.post("/follow", script=True, url="https://paper.example/sport", folder_id="1")

    assert 200 == dialog.status_code
    assert "This page has 2 feeds. Which one?" in dialog.text
    assert 'value="https://paper.example/world" checked' in dialog.text
    assert "World &lt;News&gt;" in dialog.text
    assert '<option value="1" selected>' in dialog.text
    assert 204 == chosen.status_code
    assert ("subscribe", ada.account_id, "https://paper.example/sport", 1) == outside.asked[-1]


def test_a_password_typed_with_a_page_goes_along_to_its_feeds(
    ada: Browser, outside: Outside
) -> None:
    """OPT-02: sealed in the form, for the host that it was typed for and no other."""
    typed = "https://ada:s3cret@paper.example/several"
    dialog = ada.post("/follow", script=True, url=typed)
    (sealed,) = re.findall('name="opening" value="([^"]+)"', dialog.text)
    chosen = [
        ada.post("/follow", script=True, url=url, opening=opening)
        for url, opening in (
            ("https://paper.example/sport", sealed),
            ("https://other.example/sport", sealed),
            ("https://paper.example/world", sealed.swapcase()),
            ("https://paper.example/culture", "forged"),
        )
    ]

    assert "s3cret" not in dialog.text
    assert [204] * 4 == [answer.status_code for answer in chosen]
    assert [
        "https://ada:s3cret@paper.example/sport",
        "https://other.example/sport",
        "https://paper.example/world",
        "https://paper.example/culture",
    ] == [asked[2] for asked in outside.asked[-4:]]


def test_a_password_may_be_typed_beside_the_address(ada: Browser, outside: Outside) -> None:
    """OPT-02: whatever characters it holds."""
    ada.post("/follow", script=True, url="paper.example/sport", user="ada", password="a@b:c/ü")

    assert "https://ada:a%40b%3Ac%2F%C3%BC@paper.example/sport" == outside.asked[-1][2]


def test_a_feeds_own_page(ada: Browser, outside: Outside) -> None:
    """Health, the next poll with its reason, the last requests; renaming, moving, unfollowing."""
    with outside.database.writing() as connection:
        ids = furnish(connection, ada.account_id)
    harbour = ids["Harbour Courier"]
    page = ada.get(f"/feed/{harbour}/about").text
    ada.post(f"/feed/{harbour}/about", title="The Courier", folder_id="")
    ada.post(f"/feed/{harbour}/refresh")
    asked = ada.get(f"/feed/{harbour}/unfollow").text
    left = ada.post(f"/feed/{harbour}/unfollow")

    assert "publishes about twice a day" in page
    assert "The host asked for silence" in page
    assert "Doing well" in page
    assert "In trouble" in ada.get(f"/feed/{ids['Birds of the Estuary']}/about").text
    assert "Failing" in ada.get(f"/feed/{ids['Closed Shop Weblog']}/about").text
    assert "Unfollow The Courier?" in asked
    assert "/" == left.headers["location"]
    assert ["refresh", "unsubscribe"] == [what[0] for what in outside.asked]


def test_folders(ada: Browser) -> None:
    """Create, rename, nest, refuse circles, remove."""
    ada.post("/folders", name="One")
    ada.post("/folders", name="Two", parent_id="1")
    ada.post("/folder/2", name="Second", parent_id="1")
    circle = ada.post("/folder/1", name="One", parent_id="2")
    nameless = ada.post("/folders", name=" ")
    ada.post("/folder/1/remove")
    page = ada.get("/folders").text

    assert (422, True) == (circle.status_code, "inside itself" in circle.text)
    assert 422 == nameless.status_code
    assert 'value="Second"' in page
    assert 'value="One"' not in page


def test_folders_of_one_name_do_not_lie_side_by_side(ada: Browser) -> None:
    """Made, renamed or moved into each other's place they are refused; elsewhere they may be."""
    ada.post("/folders", name="One")
    ada.post("/folders", name="Two")
    inner = ada.post("/folders", name="One", parent_id="2")
    refused = [
        ada.post("/folders", name=" One "),
        ada.post("/folder/2", name="One", parent_id=""),
        ada.post("/folder/3", name="One", parent_id=""),
    ]
    same = ada.post("/folder/1", name="One", parent_id="")

    assert [303, 303] == [inner.status_code, same.status_code]
    for answer in refused:
        assert 422 == answer.status_code
        assert "There is a folder “One” in this place already." in answer.text


def test_settings(ada: Browser, outside: Outside) -> None:
    """What somebody likes is on the next page; other sessions can be ended."""
    ada.post("/settings/preferences", theme="dark", density="compact", show="all")
    page = ada.get("/settings").text
    nonsense = ada.post("/settings/preferences", theme="<b>", density="", show="favorite")

    assert '<html lang="en" data-theme="dark" data-density="compact">' in page
    assert "this one" in page
    assert 303 == nonsense.status_code
    assert 'data-theme="auto"' in ada.get("/settings").text


def test_settings_say_what_was_done(ada: Browser) -> None:
    """After saving, the page says so; words of strangers in the address are not repeated."""
    saved = ada.post("/settings/preferences", theme="dark", density="compact", show="all")

    assert '<p class="said" role="status">Saved.</p>' in ada.get(saved.headers["location"]).text
    assert 'class="said"' not in ada.get("/settings?done=elsewhere").text


@pytest.mark.parametrize(
    "place", [Place(NOON, 1, 2), Place(at(-100_000_000), 9, 9), Place(at(0.5), 2**62, 2**62)]
)
def test_places_in_addresses(place: Place) -> None:
    """A cursor survives its way through an address, dates before 1970 included."""
    assert place == place_from(place_text(place))


def test_numbers_seen_in_pages() -> None:
    """What a page knows of feeds survives the way; anything else is refused."""
    assert {1: 2, 3: 4} == seen_from(seen_text({1: 2, 3: 4}))
    assert {} == seen_from("")
    for text in ("1", "1.x", "1.2.3", f"1.{2**63}", "a-b"):
        with pytest.raises(UserError):
            seen_from(text)


def test_looking_for_news_by_hand(ada: Browser, bob: Browser, outside: Outside) -> None:
    """A feed, then all; who is impatient is told so, and no publisher hears of it."""
    with outside.database.writing() as connection:
        ids = furnish(connection, ada.account_id)
    path = f"/feed/{ids['Harbour Courier']}"
    one = ada.post(f"{path}/refresh", script=True)
    again = ada.post(f"{path}/refresh", script=True)
    back = ada.post("/refresh", next=f"{path}?show=all")
    covered = ada.post(f"/feed/{ids['The Long Desk']}/refresh", script=True)
    outside.clock = at(1)
    later = ada.post(f"{path}/refresh", script=True)

    assert "Harbour Courier is asked as soon as its site allows" in one.text
    assert one.text == later.text
    assert "less than a minute ago" in again.text
    assert "less than a minute ago" in covered.text
    assert f"{path}?show=all" == back.headers["location"]
    assert 404 == bob.post(f"{path}/refresh").status_code
    assert 3 == len(outside.asked)
    assert f'action="{path}/refresh"' in ada.get(path).text
    assert 'action="/refresh"' in ada.get("/").text


def test_pictures_of_an_article_come_through_us_where_we_say_so(
    ada: Browser, outside: Outside, feed_id: int
) -> None:
    """Then the page may load pictures from nowhere else."""
    addresses = Addresses(b"k" * 32)
    url = "https://pictures.example/1.png"
    seq = arrive(outside, feed_id, 0, "One", content=f'<p><img src="{url}"></p>')
    path = f"/feed/1?show=all&entry={feed_id}.{seq}"
    direct = ada.get(path)
    with TestClient(outside.app(pictures=addresses), cookies=ada.client.cookies) as client:
        page = client.get(path)

    assert f'src="{url}"' in direct.text
    assert f'src="{addresses.of(url)}"' in page.text
    assert url not in page.text
    assert "img-src 'self' data:;" in page.headers["content-security-policy"]
