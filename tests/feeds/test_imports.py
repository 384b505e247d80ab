"""Histories of other systems: what they announced is not announced again (IDN-21)."""

from dataclasses import replace
from hashlib import sha256

import pytest

from tests.feeds.publishing import Reader, at, item, numbered, raw
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.legacy import df_keys, em_hash, keys_of_df, keys_of_em, rb_marker
from wireroom.feeds.model import Item


def test_marker_is_guid_else_link() -> None:
    """rss-bot's marker holds 1024 characters of the guid, else of the link."""
    story = item("a")

    assert story.guid == rb_marker(story)
    assert story.link == rb_marker(replace(story, guid=None))
    assert "g" * 1024 == rb_marker(replace(story, guid="g" * 2000))


def test_discord_key_is_id_else_link_else_hash() -> None:
    """The triple chain of IDN-09; the date may have been spelled in any usual way."""
    story = replace(item("a", title="T", published=at(0)), guid=None)

    assert ("tag:example.org,2026:a",) == df_keys(item("a"))
    assert (story.link,) == df_keys(story)
    assert sha256(b"TSun, 01 Mar 2026 09:30:11 GMT").hexdigest() in df_keys(
        replace(story, link="")
    )
    assert sha256(b"T2026-03-01T09:30:11Z").hexdigest() in df_keys(replace(story, link=""))
    assert sha256(b"T").hexdigest() in df_keys(replace(story, link="", published=None))


def test_el_monitorro_hash_is_over_its_fields() -> None:
    """SHA-256 of link and title by default (IDN-10), or of the fields chosen there."""
    story = item("a", title="T", link="https://example.org/a")

    assert sha256(b"https://example.org/aT").hexdigest() == em_hash(story)
    assert sha256(b"T").hexdigest() == em_hash(story, ["title"])


def _with_marks(items: list[Item], system: str) -> Reader:
    reader = Reader()
    for one in items:
        if system == "discord":
            marks = keys_of_df(df_keys(one)[0])
        else:
            marks = keys_of_em(em_hash(one).upper())
        reader.keys.update(dict.fromkeys(marks))
    return reader


@pytest.mark.parametrize("system", ["discord", "el monitorro"])
@pytest.mark.parametrize("kind", ["guid", "link", "bare"])
def test_imported_marks_are_not_announced_again(system: str, kind: str) -> None:
    """Items with a mark become entries silently; items without one came since and are news."""
    lacking = {"guid": {}, "link": {"guid": None}, "bare": {"guid": None, "link": ""}}[kind]
    items = [raw(replace(one, **lacking)) for one in numbered(8)]  # type: ignore[arg-type]
    reader = _with_marks(items[2:], system)

    assert ["Title of n6", "Title of n7"] == reader.read(*items)
    assert 8 == len(reader.entries)
    assert [] == reader.read(*items, forgetful=True)


@pytest.mark.parametrize("order", [["title", "guid"], ["guid", "title"]])
def test_marks_over_chosen_fields_are_found_whatever_their_order(order: list[str]) -> None:
    """El Monitorro's `content_fields` come along as the feed's identity (IDN-11, IDN-21)."""
    items = numbered(8)
    reader = Reader(rule=IdentityRule.chosen(order))
    for one in items[2:]:
        reader.keys.update(dict.fromkeys(keys_of_em(em_hash(one, order))))

    assert ["Title of n6", "Title of n7"] == reader.read(*items)
    assert [] == reader.read(*items, forgetful=True)


def test_history_that_matches_nothing_floods_nobody() -> None:
    """When no imported mark is in the document any more, the first reading is a baseline."""
    reader = _with_marks(numbered(5), "discord")

    assert [] == reader.read(*numbered(20, first=100))


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        pytest.param("tag:example.org,2026:n3", ["Title of n4", "Title of n5"], id="guid"),
        pytest.param("https://example.org/n3", ["Title of n4", "Title of n5"], id="link"),
        pytest.param("https://example.org/gone", [], id="gone"),
        pytest.param("", [], id="none"),
    ],
)
def test_items_above_the_marker_are_news(marker: str, expected: list[str]) -> None:
    """What stands above rss-bot's marker is announced; a marker that is gone floods nobody."""
    reader = Reader(marker=marker)

    assert expected == reader.read(*numbered(6))
    assert [] == reader.read(*numbered(6))


def test_choosing_fields_brings_nothing_back() -> None:
    """An operator's choice finds the entries stored before it, and rules from then on (IDN-11)."""
    reader = Reader()
    reader.read(*numbered(6))
    reader.rule = IdentityRule.chosen(["title"])

    assert [] == reader.read(*numbered(6), forgetful=True)
    assert reader.rule.settled

    changed = [raw(replace(one, guid="same", link="https://example.org/")) for one in numbered(6)]

    assert [] == reader.read(*changed)
    assert ["Other"] == reader.read(item("n5", title="Other"), *changed)
    assert 7 == len(reader.entries)
