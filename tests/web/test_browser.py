"""The reader in a real browser, with script: keys, marks, dialogs, live news, phones."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.rows import add_entry
from tests.web.conftest import session_secret
from tests.web.rooms import Outside, furnish, owner
from wireroom.store import schema
from wireroom.store.engine import connect
from wireroom.web.room import Settings

pytestmark = pytest.mark.browser

CHROMIUM = next(
    (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()),
    None,
)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Served:
    """A furnished room, served on a port of this machine from a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self.outside = Outside(connect(f"sqlite:///{folder / 'room.sqlite3'}"))
        with self.outside.database.writing() as connection:
            schema.metadata.create_all(connection)
            self.account_id = owner(connection)
            self.ids = furnish(connection, self.account_id)
        self.secret = session_secret(self.outside.database, self.account_id)
        # Bound here: whoever connects before the server runs waits in its queue.
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            self.outside.app(Settings()), log_level="error", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run_until_complete(self._server.serve(sockets=[self._socket]))
        self._loop.close()

    def arrive(self, feed_id: int, title: str) -> None:
        """An entry is stored, and the bell rings."""
        with self.outside.database.writing() as connection:
            add_entry(connection, feed_id, self.outside.now(), title)
        self._loop.call_soon_threadsafe(self.outside.bell.ring)

    def close(self) -> None:
        self._server.should_exit = True
        self._loop.call_soon_threadsafe(self.outside.closing.set)
        self._loop.call_soon_threadsafe(self.outside.bell.ring)
        self._thread.join(30)
        self._socket.close()
        self.outside.database.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


def page_of(chromium: Any, served: Served, path: str = "/?show=all", **options: Any) -> Any:
    """A page that is logged in and notes everything that the browser complains about."""
    viewer = {"timezone_id": "Europe/Berlin", "locale": "en-GB", **options}
    context = chromium.new_context(**viewer)
    context.add_cookies([{"name": "wireroom", "value": served.secret, "url": served.url}])
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda m: page.complaints.append(m.text) if m.type == "error" else None)
    page.goto(served.url + path)
    if options.get("java_script_enabled", True):
        page.wait_for_selector("html[data-script]")
    return page


def test_keys_move_open_mark_and_close(chromium: Any, served: Served) -> None:
    """j opens and marks read, m and s toggle, Escape closes, and nothing breaks the policy."""
    page = page_of(chromium, served)
    row = page.locator(".row").first
    total = int(page.locator("[data-total]").inner_text())
    page.keyboard.press("j")
    page.wait_for_selector("article")
    page.wait_for_selector(f"[data-total]:text-is('{total - 1}')")
    read = "is-unread" not in row.get_attribute("class")
    page.keyboard.press("s")
    page.wait_for_selector(".row.is-favorite")
    page.keyboard.press("m")
    page.wait_for_selector(f"[data-total]:text-is('{total}')")
    page.keyboard.press("j")
    page.wait_for_selector("article h2:has-text('Tern')")
    opened = page.url
    page.keyboard.press("Escape")
    page.wait_for_selector("article", state="detached")

    assert read
    assert "entry=" in opened
    assert "entry=" not in page.url
    assert [] == page.complaints
    page.context.close()


def test_labels_are_written_where_one_reads(chromium: Any, served: Served) -> None:
    """l, the word and Enter: the pane, the row and the shelf show it; keys walk its short list."""
    page = page_of(chromium, served)
    page.keyboard.press("j")
    page.wait_for_selector("article")
    page.keyboard.press("l")
    for word in ("to read", "ferries"):  # the field keeps the focus for a second one
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"article .tags a:text-is('{word}')")
    page.keyboard.press("Escape")
    rows = page.locator(".row .tag").all_inner_texts()
    page.click("#shelf-labels a:has-text('ferries')")
    page.wait_for_selector("h1:text-is('ferries')")
    page.wait_for_selector("html[data-script]")
    page.keyboard.press("j")
    page.wait_for_selector("article .take-off[value='ferries']").click()
    page.wait_for_selector("article .take-off[value='ferries']", state="detached")

    assert ["ferries", "to read"] == rows
    assert ["to read"] == page.locator(".row .tag").all_inner_texts()
    assert [] == page.complaints
    page.context.close()


def test_times_are_the_viewers(chromium: Any, served: Served) -> None:
    """The same moment reads 12:48 in Berlin where the server wrote 11:48 UTC."""
    page = page_of(chromium, served, f"/feed/{served.ids['Harbour Courier']}?show=all&entry=1.1")

    assert "12:48" in page.locator("article time").inner_text()
    page.context.close()


def test_news_appears_by_itself(chromium: Any, served: Served) -> None:
    """A stored entry is on top of the open list without reloading, and is counted."""
    page = page_of(chromium, served)
    page.wait_for_selector("#live-dot.is-live")
    total = int(page.locator("[data-total]").inner_text())
    served.arrive(1, "Just in from the harbour")
    page.wait_for_selector(".row.is-new")
    first = page.locator(".row .row-title").first.inner_text()
    page.wait_for_selector(f"[data-total]:text-is('{total + 1}')")

    assert "Just in from the harbour" in first
    assert [] == page.complaints
    page.context.close()


def test_news_waits_while_somebody_reads_further_down(chromium: Any, served: Served) -> None:
    """The list does not jump: a pill offers the new entries, and the click brings them."""
    page = page_of(chromium, served)
    page.wait_for_selector("#live-dot.is-live")
    page.evaluate("document.getElementById('list').scrollTop = 900")
    served.arrive(1, "Just in from the harbour")
    page.wait_for_selector("#pill:not([hidden])")
    offered = page.locator("#pill").inner_text()
    shown_before = page.locator(".row.is-new").count()
    page.click("#pill")
    page.wait_for_selector(".row.is-new")

    assert ("1 new entry", 0) == (offered, shown_before)
    page.context.close()


def test_the_list_goes_on(chromium: Any, served: Served) -> None:
    """Scrolling down brings older entries, each of them once."""
    page = page_of(chromium, served)
    page.evaluate("const l = document.getElementById('list'); l.scrollTop = l.scrollHeight")
    page.wait_for_selector(".row >> nth=60")
    ids = page.eval_on_selector_all(".row", "rows => rows.map(row => row.id)")

    assert len(set(ids)) == len(ids)
    assert [] == page.complaints
    page.context.close()


def test_the_shelf_holds_what_is_in_it(chromium: Any, served: Served) -> None:
    """The button below the feeds is as wide as its words, beside everything else there."""
    page = page_of(chromium, served)
    fits = page.locator(".follow").evaluate("each => each.scrollWidth <= each.clientWidth")

    assert fits
    page.context.close()


def test_following_says_what_is_wrong_in_place(chromium: Any, served: Served) -> None:
    """A bad address keeps the dialog with the sentence; a good one leads to the feed."""
    page = page_of(chromium, served)
    page.keyboard.press("a")
    page.fill("dialog [name=url]", "nothing.example")
    page.keyboard.press("Enter")
    page.wait_for_selector("#follow-error")
    said = page.locator("#follow-error").inner_text()
    page.fill("dialog [name=url]", "https://good.example/feed")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Freshly Followed')")

    assert "it names no feed" in said
    page.context.close()


def test_phone_shows_one_thing_at_a_time(chromium: Any, served: Served) -> None:
    """The list, then the article alone, and back to where the list was; nothing is cut off."""
    size = {"width": 390, "height": 844}
    page = page_of(chromium, served, viewport=size, is_mobile=True, has_touch=True)
    page.locator(".row").nth(8).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    page.locator(".row .row-link").nth(8).tap()
    page.wait_for_selector("article")
    alone = not page.locator("#list").is_visible()
    fits = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.go_back()
    page.wait_for_selector("#list", state="visible")

    assert alone
    assert fits
    assert abs(page.evaluate("scrollY") - before) < 50
    page.context.close()


def test_reading_works_without_script(chromium: Any, served: Served) -> None:
    """Lists, articles, marks and older entries are links and forms."""
    page = page_of(chromium, served, java_script_enabled=False)
    page.click(".row-link >> nth=1")
    title = page.locator("article h2").inner_text()
    page.click("article .star")
    page.goto(served.url + "/?show=favorite")
    favourites = page.locator(".row-title").all_inner_texts()
    page.goto(served.url + "/?show=all")
    page.click(".older a")

    assert "Tern 9.2" in title
    assert 1 == len(favourites)
    assert page.locator(".row").count() > 5
    page.context.close()


def test_the_pane_is_blank_again_and_all_is_marked_on_the_second_press(
    chromium: Any, served: Served
) -> None:
    """Escape brings the name of the house back; one Shift+A only asks, the next one marks."""
    page = page_of(chromium, served)
    page.keyboard.press("j")
    page.wait_for_selector("article")
    page.keyboard.press("Escape")
    page.wait_for_selector("#article .blank .wordmark")
    page.keyboard.press("Shift+A")
    page.wait_for_selector(".toast:has-text('once more')")
    total_before = page.locator("[data-total]").inner_text()
    page.keyboard.press("Shift+A")
    page.wait_for_selector("[data-total]:text-is('')", state="attached")

    assert int(total_before) > 0
    assert [] == page.complaints
    page.context.close()


def test_r_has_publishers_asked(chromium: Any, served: Served) -> None:
    """The key and the button ask for the feed that is shown, and say what happens."""
    harbour = served.ids["Harbour Courier"]
    page = page_of(chromium, served, f"/feed/{harbour}?show=all", locale="en-US")
    page.keyboard.press("r")
    page.wait_for_selector(".toast:has-text('Harbour Courier is asked as soon as')")
    page.get_by_role("button", name="Look for news now").click()
    page.wait_for_selector(".toast:has-text('less than a minute ago')")
    times = page.locator(".row time").all_inner_texts()

    assert ["refresh"] == [what[0] for what in served.outside.asked]
    assert not page.locator(".row .dateline b").first.is_visible()
    assert [] == [time for time in times if time.startswith("0") or " 0" in time]
    assert [] == page.complaints
    page.context.close()
