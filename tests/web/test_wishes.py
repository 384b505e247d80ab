"""What is wished of messages, in the browser: at each place, tried first, and nobody else's."""

from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from tests.rows import NOON, add_account, add_entry, add_feed, follow
from tests.web.conftest import Browser, browser_of
from tests.web.rooms import Outside
from wireroom.store import routes
from wireroom.store.places import Place, settings_at

ROOT = "/settings/wishes"
PLACES = {
    "account": ("account", ""),
    "everyone": ("everyone", ""),
    "destination": ("destination", "/1"),
    "subscription": ("subscription", "/1"),
}
EVERYWHERE = pytest.mark.parametrize("kind", PLACES)


@pytest.fixture
def two_ways(ada: Browser, outside: Outside) -> list[int]:
    """A feed of Ada's with four entries, which goes to two places."""
    with outside.database.writing() as connection:
        feed_id = add_feed(connection, "Harbour", last_success_at=NOON)
        for title in ("Rust 1", "Ferry [Ad]", "Rust 2", "Crane"):
            add_entry(connection, feed_id, NOON, title=title)
        subscription = follow(connection, ada.account_id, feed_id)
        made = []
        for address in ("1", "2"):
            destination = routes.add_destination(
                connection,
                account_id=ada.account_id,
                channel="discord",
                address=address,
                secret=None,
                title=f"Discord …{address}",
                now=NOON,
            )
            made.append(
                routes.add_route(
                    connection,
                    subscription_id=subscription,
                    destination_id=destination,
                    initial_items=4,
                    now=NOON,
                )
            )
        return made


@pytest.fixture
def eve(outside: Outside) -> Iterator[Browser]:
    """Somebody else, who runs nothing here."""
    with outside.database.writing() as connection:
        account_id = add_account(connection, "eve", "member")
    with TestClient(outside.app()) as client:
        yield browser_of(client, outside.database, account_id)


def here(kind: str) -> str:
    return f"{ROOT}/{kind}{PLACES[kind][1]}"


def standing(outside: Outside, ada: Browser, kind: str) -> object:
    number = {"account": ada.account_id, "everyone": 0}.get(kind, 1)
    with outside.database.reading() as connection:
        return settings_at(connection, ada.account_id, Place(kind, number))  # type: ignore[arg-type]


def test_all_places_are_listed(ada: Browser, two_ways: list[int]) -> None:
    """Those of the account, each place and feed, and for whoever runs it, everyone's."""
    shown = ada.get(ROOT).text

    for kind in PLACES:
        assert here(kind) in shown
    assert "/settings/replacements" in shown
    assert ROOT in ada.get("/settings/routes").text


@EVERYWHERE
def test_a_filter_is_tried_on_all_ways_of_a_place(
    ada: Browser, two_ways: list[int], outside: Outside, kind: str
) -> None:
    """Each way with its count, and nothing is stored by that."""
    answer = ada.post(f"{here(kind)}/try", script=True, name="filter", value="rust")

    ways = 1 if kind == "destination" else 2
    assert ways == answer.text.count("ould have sent 2 of 4.")
    assert "<html" not in answer.text
    assert {} == standing(outside, ada, kind)


def test_trying_works_without_script(ada: Browser, two_ways: list[int]) -> None:
    """The whole page comes back, with what was typed and what came of it."""
    answer = ada.post(f"{here('account')}/try", name="rules", value="rust -> drop")
    shown = ada.post(f"{here('account')}/try", name="template", value="*{{ title }}*")

    assert "<html" in answer.text
    assert "rust -&gt; drop</textarea>" in answer.text
    assert "would have sent 2 of 4." in answer.text
    assert "*Crane*" in shown.text


@EVERYWHERE
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_any_wish_is_shown_before_it_counts(
    ada: Browser, two_ways: list[int], outside: Outside, kind: str, script: bool
) -> None:
    """How the newest would come with it, and when; what was typed stays, and is not kept."""
    answer = ada.post(f"{here(kind)}/try", script=script, name="digest", value="12:00")

    number = {"account": ada.account_id, "everyone": 0}.get(kind, 1)
    asked = ("posting", ada.account_id, Place(kind, number), {"digest": "12:00"})  # type: ignore[arg-type]
    assert asked == outside.asked[-1]
    assert "come to Pier like this, at 2026-11-30 12:00 UTC, without a sound:" in answer.text
    assert "Ships &amp; &lt;sails&gt;</pre>" in answer.text
    assert script or 'value="12:00"' in answer.text
    assert script or '<option value="digest" selected>' in answer.text
    assert {} == standing(outside, ada, kind)


def test_a_wish_with_nothing_to_show_it_on(ada: Browser) -> None:
    """Who sends nothing anywhere is told so."""
    answer = ada.post(f"{here('account')}/try", script=True, name="empty", value="nowhere")

    assert "nothing to try it on" in answer.text


@EVERYWHERE
@pytest.mark.parametrize(
    ("name", "typed", "stored"),
    [
        ("filter", "rust", "rust"),
        ("rules", "rust -> read", "rust -> read"),
        ("digest", "08:00", "08:00"),
        ("burst", "5", 5),
        ("silent", "on", True),
    ],
)
def test_a_wish_is_set_and_taken_back(
    ada: Browser,
    two_ways: list[int],
    outside: Outside,
    kind: str,
    name: str,
    typed: str,
    stored: object,
) -> None:
    """An empty text takes it back."""
    saved = ada.post(f"{here(kind)}/wish", name=name, value=typed)

    assert f"{here(kind)}?done=saved" == saved.headers["location"]
    assert {name: stored} == standing(outside, ada, kind)
    assert typed.replace(">", "&gt;") in ada.get(here(kind)).text
    ada.post(f"{here(kind)}/wish", name=name, value="")
    assert {} == standing(outside, ada, kind)


@EVERYWHERE
def test_a_template_is_sent_as_a_sample_before_it_counts(
    ada: Browser, two_ways: list[int], outside: Outside, kind: str
) -> None:
    """The place it is for takes it first."""
    ada.post(f"{here(kind)}/wish", name="template", value="{{ title }}")

    number = {"account": ada.account_id, "everyone": 0}.get(kind, 1)
    assert ("template", ada.account_id, Place(kind, number), "{{ title }}") in outside.asked  # type: ignore[arg-type]


@EVERYWHERE
@pytest.mark.parametrize(
    ("name", "value"),
    [("filter", "(rust"), ("template", "{{ headline }}"), ("digest", "25:00"), ("rules", "x")],
)
def test_what_cannot_be_is_refused_in_place(
    ada: Browser, two_ways: list[int], outside: Outside, kind: str, name: str, value: str
) -> None:
    """With one sentence, what was typed stays, and nothing is stored."""
    refused = ada.post(f"{here(kind)}/wish", name=name, value=value)
    tried = ada.post(f"{here(kind)}/try", script=True, name=name, value=value)

    assert [422, 422] == [refused.status_code, tried.status_code]
    form = name if name in ("filter", "template", "rules") else "other"
    assert f'aria-describedby="tried-{form}" autofocus' in refused.text
    assert '<p class="error" role="alert">' in refused.text.partition(f'id="tried-{form}"')[2]
    assert {} == standing(outside, ada, kind)


@pytest.mark.parametrize("what", ["wish", "try"])
@pytest.mark.parametrize("digits", [10, 30, 5000])
def test_numbers_beyond_all_bounds_are_refused(
    ada: Browser, two_ways: list[int], digits: int, what: str
) -> None:
    """No such number reaches the store, and none is too long to be read."""
    answer = ada.post(f"{here('destination')}/{what}", name="burst", value="9" * digits)

    assert 422 == answer.status_code


def test_nothing_to_try_it_on(ada: Browser) -> None:
    """Who sends nothing anywhere is told so."""
    answer = ada.post(f"{here('account')}/try", script=True, name="filter", value="rust")

    assert "nothing to try it on" in answer.text


@pytest.mark.parametrize("what", ["", "/wish", "/try"])
@pytest.mark.parametrize(
    ("kind", "status"), [("destination", 404), ("subscription", 404), ("everyone", 403)]
)
def test_nobody_elses(
    eve: Browser, ada: Browser, two_ways: list[int], kind: str, status: int, what: str
) -> None:
    """Somebody else's place is none, and everyone's are whose it runs."""
    path = f"{here(kind)}{what}"
    answer = eve.post(path, name="filter", value="x") if what else eve.get(path)

    assert status == answer.status_code


# -- what is taken out ----------------------------------------------------------------------------


def test_a_replacement_is_tried_added_and_deleted(ada: Browser, two_ways: list[int]) -> None:
    """The trial shows an entry before and after; blanks at the ends of a text count."""
    table = "/settings/replacements"
    tried = ada.post(f"{table}/try", script=True, value=" [Ad]")
    plainly = ada.post(f"{table}/try", value=r"\[[A-Z]\w\]", is_regex="1")
    assert "It would change 1 of the newest 4 entries" in tried.text
    assert "<del>Ferry [Ad]</del>" in tried.text
    assert "It would change 1 of the newest 4 entries" in plainly.text
    assert "<html" in plainly.text
    assert "Nothing is taken out." in ada.get(table).text

    ada.post(table, value=" [Ad]")
    assert "<code> [Ad]</code>" in ada.get(table).text
    again = ada.post(table, value=" [Ad]")
    assert (422, True) == (again.status_code, "taken out already" in again.text)
    ada.post(f"{table}/1/delete")
    assert "Nothing is taken out." in ada.get(table).text


def test_replacements_are_seeded(ada: Browser) -> None:
    """All 41 of them."""
    ada.post("/settings/replacements/seed")

    assert 41 == ada.get("/settings/replacements").text.count("/delete")


@pytest.mark.parametrize("what", ["", "/try"])
def test_an_expression_that_cannot_be_read(ada: Browser, what: str) -> None:
    """Is refused with a sentence, and stays in its field."""
    answer = ada.post(f"/settings/replacements{what}", value="(x", is_regex="1")

    assert (422, True) == (answer.status_code, "(x</textarea>" in answer.text)


def test_the_table_is_the_operators(eve: Browser) -> None:
    """Seen, tried and changed by nobody else."""
    path = "/settings/replacements"
    asked = [eve.post(f"{path}{what}", value="x") for what in ("", "/try", "/1/delete", "/seed")]

    assert [403] * 5 == [each.status_code for each in (eve.get(path), *asked)]
