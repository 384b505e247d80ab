"""Where news go, in the browser: listed, added, steered, tried, and nobody else's."""

from collections.abc import Iterator

import pytest
from litestar.testing import TestClient
from sqlalchemy import update

from tests.rows import NOON, add_account, add_entry, add_feed, follow
from tests.web.conftest import Browser, browser_of
from tests.web.rooms import Outside
from wireroom.store import routes
from wireroom.store.places import Place
from wireroom.store.schema import feeds

_SCRIPT = {"hx-request": "true"}


@pytest.fixture
def route_id(ada: Browser, outside: Outside) -> int:
    """A route of Ada's with four entries of its feed, none of them sent yet."""
    with outside.database.writing() as connection:
        feed_id = add_feed(connection, "Harbour", last_success_at=NOON)
        for title in ("Rust 1", "Ferry", "Rust 2", "Crane"):
            add_entry(connection, feed_id, NOON, title=title)
        subscription = follow(connection, ada.account_id, feed_id)
        destination = routes.add_destination(
            connection,
            account_id=ada.account_id,
            channel="discord",
            address="1",
            secret=None,
            title="Discord …1",
            now=NOON,
        )
        return routes.add_route(
            connection,
            subscription_id=subscription,
            destination_id=destination,
            initial_items=4,
            now=NOON,
        )


@pytest.fixture
def eve(outside: Outside) -> Iterator[Browser]:
    """Somebody else, who runs nothing here."""
    with outside.database.writing() as connection:
        account_id = add_account(connection, "eve", "member")
    with TestClient(outside.app()) as client:
        yield browser_of(client, outside.database, account_id)


def test_routes_are_listed_with_how_they_stand(ada: Browser, route_id: int) -> None:
    """Where to, what waits, and a way to pause."""
    shown = ada.get("/settings/routes").text

    assert "Discord …1" in shown
    assert "4 wait" in shown
    assert f"/settings/routes/{route_id}/pause" in shown


def test_a_feed_that_never_answered_goes_by_its_address(
    ada: Browser, route_id: int, outside: Outside
) -> None:
    """Nobody has to guess which of several untitled ones a route brings."""
    with outside.database.writing() as connection:
        connection.execute(update(feeds).values(title=""))

    for page in ("/settings/routes", f"/settings/routes/{route_id}"):
        assert "https://harbour.example/feed.xml" in ada.get(page).text


def test_a_route_is_paused_and_resumed(ada: Browser, route_id: int) -> None:
    """The list says so, and offers the contrary."""
    paused = ada.post(f"/settings/routes/{route_id}/pause", days=0)
    shown = ada.get("/settings/routes").text
    ada.post(f"/settings/routes/{route_id}/resume", newest=0)
    after = ada.get("/settings/routes").text

    assert 303 == paused.status_code
    assert "Paused until further notice; 4 wait" in shown
    assert "Up to date" in after


def test_a_filter_is_tried_before_it_counts(ada: Browser, route_id: int) -> None:
    """Each entry with its reason, and nothing is stored by that."""
    answer = ada.post(f"/settings/routes/{route_id}/try", script=True, name="filter", value="rust")

    assert "Would have sent 2 of 4." in answer.text
    assert "rust" not in ada.get(f"/settings/routes/{route_id}").text


def test_a_filter_is_saved_and_taken_back(ada: Browser, route_id: int) -> None:
    """An empty text is none."""
    here = f"/settings/routes/{route_id}"
    ada.post(f"{here}/wish", name="filter", value='rust -"crypto"')
    saved = ada.get(here).text
    ada.post(f"{here}/wish", name="filter", value=" ")

    assert "rust -&#34;crypto&#34;</textarea>" in saved
    assert "crypto" not in ada.get(here).text


@pytest.mark.parametrize(
    ("name", "value"),
    [("filter", "(rust"), ("template", "{% for"), ("digest", "25:00"), ("rules", "x -> fly")],
)
def test_what_cannot_be_read_is_refused_in_place(
    ada: Browser, route_id: int, name: str, value: str
) -> None:
    """With one sentence; nothing is stored, and trying says the same."""
    here = f"/settings/routes/{route_id}"
    refused = ada.post(f"{here}/wish", name=name, value=value)
    tried = ada.post(f"{here}/try", script=True, name=name, value=value)

    assert [422, 422] == [refused.status_code, tried.status_code]
    assert 'role="alert"' in refused.text


def test_a_template_is_shown_on_the_newest_entry(ada: Browser, route_id: int) -> None:
    """As the chat would have it, with values escaped."""
    answer = ada.post(
        f"/settings/routes/{route_id}/try",
        script=True,
        name="template",
        value="<b>{{ title }}</b> &amp; more",
    )

    assert "<b>Crane</b> &amp; more" in answer.text


def test_a_template_is_sent_as_a_sample_before_it_counts(
    ada: Browser, route_id: int, outside: Outside
) -> None:
    """As on the command line: where the place does not take it, nothing is set."""
    here = f"/settings/routes/{route_id}"
    taken = ada.post(f"{here}/wish", name="template", value="<b>{{ title }}</b>")
    refused = ada.post(f"{here}/wish", name="template", value="refused {{ title }}")

    place = Place("route", route_id)
    assert ("template", ada.account_id, place, "<b>{{ title }}</b>") in outside.asked
    assert [303, 422] == [taken.status_code, refused.status_code]
    assert "did not take the sample" in refused.text
    assert "refused {{ title }}</textarea>" in refused.text
    assert "</textarea>" in ada.get(here).text
    assert "refused" not in ada.get(here).text


def test_an_entry_says_where_it_went(ada: Browser, route_id: int, outside: Outside) -> None:
    """The reading pane leads to the sentence why, which is no markup of anybody's."""
    with outside.database.reading() as connection:
        route = routes.find(connection, route_id)
    assert route is not None
    feed_id = route.feed_id
    why = f"/settings/routes/{route_id}/why/2"

    assert f'hx-get="{why}"' in ada.get(f"/entry/{feed_id}/2", headers=_SCRIPT).text
    assert "It waits for its turn." == ada.get(why, headers=_SCRIPT).text


def test_entries_are_sent_again(ada: Browser, route_id: int, outside: Outside) -> None:
    """The cursor goes back by as many."""
    ada.post(f"/settings/routes/{route_id}/resume", newest=0)
    ada.post(f"/settings/routes/{route_id}/replay", newest=3)

    assert "3 wait" in ada.get("/settings/routes").text


@pytest.mark.parametrize(
    ("since", "told"),
    [("2026-01-01", "4 wait"), ("2030-01-01", "Up to date"), ("yesterday", "is no day")],
)
def test_entries_since_a_day_are_sent_again(
    ada: Browser, route_id: int, since: str, told: str
) -> None:
    """All that came since its beginning; what is no day is refused."""
    ada.post(f"/settings/routes/{route_id}/resume", newest=0)
    answer = ada.post(f"/settings/routes/{route_id}/replay", since=since)

    is_refused = 422 == answer.status_code
    assert told in (answer.text if is_refused else ada.get("/settings/routes").text)


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("0" * 5_000, id="thousands of zeros"),
        pytest.param("9" * 21, id="21 digits"),
        pytest.param("٣", id="another script's digits"),
        pytest.param("-1", id="less than nothing"),
        pytest.param("1e3", id="a power"),
    ],
)
def test_what_is_no_number_is_refused_in_words(ada: Browser, route_id: int, typed: str) -> None:
    """However long it is: Python itself refuses to read thousands of digits."""
    answer = ada.post(f"/settings/routes/{route_id}/replay", newest=typed)

    assert 422 == answer.status_code
    assert "That is no number that fits here." in answer.text


def test_an_entry_that_waits_says_why(ada: Browser, route_id: int) -> None:
    """In one sentence, on a page of its own where no script is."""
    answer = ada.get(f"/settings/routes/{route_id}/why/2")

    assert '<p class="lead">It waits for its turn.</p>' in answer.text
    assert f'href="/settings/routes/{route_id}"' in answer.text


@pytest.mark.parametrize("what", ["", "/why/1"])
def test_somebody_elses_route_is_none(eve: Browser, route_id: int, what: str) -> None:
    """As one that is not there."""
    assert 404 == eve.get(f"/settings/routes/{route_id}{what}").status_code


@pytest.mark.parametrize("what", ["pause", "resume", "replay", "wish", "try"])
def test_somebody_elses_route_is_not_steered(eve: Browser, route_id: int, what: str) -> None:
    """Nor tried."""
    here = f"/settings/routes/{route_id}/{what}"

    assert 404 == eve.post(here, newest=1, name="filter", value="x").status_code


def test_a_feed_goes_to_one_more_place(ada: Browser, route_id: int, outside: Outside) -> None:
    """What has to be told once is told once."""
    answer = ada.post(
        "/settings/routes", subscription=1, kind="webhook", to="https://x.example/in", newest=2
    )

    assert ("send", ada.account_id, 1, "webhook:https://x.example/in", 2, True) in outside.asked
    assert "signed with this key" in answer.text


def test_only_an_operator_names_chats_and_services(eve: Browser, ada: Browser) -> None:
    """A member is offered webhooks, and told so who tries another way."""
    refused = eve.post("/settings/routes", subscription=1, kind="apprise", to="ntfy://x")

    assert 422 == refused.status_code
    assert "Only who runs this Wireroom" in refused.text


@pytest.mark.usefixtures("route_id")
def test_a_feed_leads_to_where_its_news_go(ada: Browser) -> None:
    """Its page names its routes, and the form for one more begins with this feed."""
    about = ada.get("/feed/1/about").text
    form = ada.get("/settings/routes?feed=1").text

    assert '<a href="/settings/routes/1">Discord …1</a>' in about
    assert 'href="/settings/routes?feed=1#new-route"' in about
    assert 'value="1" selected' in form


@pytest.mark.usefixtures("route_id")
def test_a_refused_place_leaves_the_form_as_it_was_filled_in(ada: Browser) -> None:
    """Feed, kind, address and number stay, so that only what is wrong has to be mended."""
    refused = ada.post(
        "/settings/routes", subscription=1, kind="telegram", to="@harbour", newest=999
    )

    assert 422 == refused.status_code
    assert 'role="alert"' in refused.text.partition('id="new-route"')[2]
    assert 'value="1" selected' in refused.text
    assert 'max="100" value="999"' in refused.text
    assert 'value="telegram" selected' in refused.text
    assert 'value="@harbour"' in refused.text
