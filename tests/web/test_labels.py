"""Labels in the reader: put on, shown, listed, taken off; without script, too."""

import re

import pytest

from tests.rows import add_entry, add_feed, at, follow
from tests.web.conftest import Browser
from tests.web.rooms import Outside
from tests.web.test_reader import seen_in, titles, unread
from wireroom.store import read_states
from wireroom.store.read_states import StateChange


@pytest.fixture
def feed_id(ada: Browser, outside: Outside) -> int:
    """Three entries, the newest of which is read."""
    with outside.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id)
        for number in range(1, 4):
            add_entry(connection, feed_id, at(number), f"Story {number}")
        said = StateChange(feed_id, 3, is_read=True)
        read_states.set_states(connection, ada.account_id, [said], outside.clock)
    return feed_id


def put(ada: Browser, feed_id: int, seq: int, name: str, *, script: bool = False) -> str:
    answer = ada.post(f"/entry/{feed_id}/{seq}/labels", script=script, add=name, next="/?show=all")
    return answer.text if script else answer.headers["location"]


def test_labels_are_put_on_and_taken_off_without_script(ada: Browser, feed_id: int) -> None:
    """Forms do it: the page they lead back to shows the label on the entry and on the shelf."""
    assert "/?show=all" == put(ada, feed_id, 1, " to  read ")
    page = ada.get(f"/?show=all&entry={feed_id}.1").text
    ada.post(f"/entry/{feed_id}/1/labels", remove="to read")
    after = ada.get(f"/?show=all&entry={feed_id}.1").text

    assert ["to read"] == re.findall(r'<span class="tag">(.*?)</span>', page)
    assert 'name="remove" value="to read"' in page
    assert '<a href="/label/1?show=all"' in page
    assert [] == re.findall(r'<span class="tag">(.*?)</span>', after)
    assert '<option value="to read">' in after  # offered where it is not on the entry


def test_what_carries_a_label_is_listed(ada: Browser, feed_id: int) -> None:
    """All of it, read or not; filters and the other pages of the list are of the label, too."""
    for seq in (1, 3):
        put(ada, feed_id, seq, "work")
    every, fresh = ada.get("/label/1").text, ada.get("/label/1?show=unread").text

    assert ["Story 3", "Story 1"] == titles(every)
    assert ["Story 1"] == titles(fresh)
    assert 'href="/label/1?show=favorite"' in every
    assert re.search(r'<a href="/label/1\?show=all" aria-current="page">', every)
    assert 'data-grows="0"' in every  # what arrives carries no label yet
    assert 404 == ada.get("/label/99").status_code


def test_a_long_list_of_a_label_has_pages(ada: Browser, outside: Outside, feed_id: int) -> None:
    """The second page goes on where the first one ended."""
    with outside.database.writing() as connection:
        for number in range(60):
            add_entry(connection, feed_id, at(10 + number), f"More {number}")
    for seq in range(4, 64):
        put(ada, feed_id, seq, "work")
    first = ada.get("/label/1").text
    older = re.search(r'hx-get="([^"]+)"', first)
    assert older
    address = older[1].replace("&amp;", "&")
    second = ada.get(address, headers={"hx-request": "true"}).text

    assert [f"More {n}" for n in reversed(range(60))] == titles(first) + titles(second)


def test_marking_a_list_of_a_label_leaves_the_rest_unread(
    ada: Browser, outside: Outside, feed_id: int
) -> None:
    """Only what carries it, and what the list could show, is read then."""
    put(ada, feed_id, 1, "work")
    page = ada.get("/label/1").text
    put(ada, feed_id, 2, "play")
    with outside.database.writing() as connection:
        add_entry(connection, feed_id, at(-5), "A latecomer")
    put(ada, feed_id, 4, "work")
    assert {feed_id: 3} == unread(outside, ada.account_id)
    answer = ada.post("/mark-read", seen=seen_in(page), show="all", label="1", next="/label/1")

    assert (303, "/label/1") == (answer.status_code, answer.headers["location"])
    assert {feed_id: 2} == unread(outside, ada.account_id)
    assert ["A latecomer"] == titles(ada.get("/label/1?show=unread").text)


def test_all_places_that_show_labels_follow(ada: Browser, feed_id: int) -> None:
    """With script, one answer brings the pane, the row of the list and the shelf up to date."""
    put(ada, feed_id, 1, "work")
    there = {"hx-current-url": "https://reader.example/label/1?show=all", "hx-request": "true"}
    fields = {"_csrf": ada.csrf, "add": "<b>urgent</b>"}
    answer = ada.client.post(f"/entry/{feed_id}/1/labels", data=fields, headers=there).text

    swapped = re.findall(r'id="([\w-]+)" hx-swap-oob="true"', answer)
    assert [f"l-{feed_id}-1", "shelf-labels"] == swapped
    assert "&lt;b&gt;urgent" in answer
    assert "<b>urgent" not in answer
    assert '<a href="/label/1?show=all" aria-current="page">' in answer


def test_labels_are_renamed_and_forgotten(ada: Browser, feed_id: int) -> None:
    """On a page of their own, which says what is wrong with a name."""
    for name in ("work", "play"):
        put(ada, feed_id, 1, name)
    taken = ada.post("/label/1", name="play")
    renamed = ada.post("/label/1", name="labour")
    forgotten = ada.post("/label/2/remove")
    page = ada.get("/labels").text

    assert (422, True) == (taken.status_code, "There is a label “play” already." in taken.text)
    assert ["/labels", "/labels"] == [a.headers["location"] for a in (renamed, forgotten)]
    assert ["labour"] == re.findall(r'name="name" value="([^"]*)"', page)
    assert "1 entry<" in page


@pytest.mark.parametrize("name", ["x" * 65, "a\x07b"], ids=["long", "control"])
def test_what_is_no_label_is_said(ada: Browser, feed_id: int, name: str) -> None:
    """One sentence, and nothing is put on."""
    answer = ada.post(f"/entry/{feed_id}/1/labels", script=True, add=name)

    assert (400, "A label has 1 to 64 characters.") == (answer.status_code, answer.text)
