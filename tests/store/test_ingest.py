"""What polls found out is stored whole or not at all, once, and in order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, delete, func, select, update

from tests.rows import NOON, add_account, at, follow
from tests.store.polled import item, lease, make_feed, polled, read, titles
from tests.store.stepping import count_statements, everything, kill_before, let_in
from wireroom.errors import LeaseLost
from wireroom.feeds.model import Enclosure, ParsedFeed, SafeHtml
from wireroom.store import claims, entries, errands, feeds, ingest, routes, subscriptions
from wireroom.store.engine import Database
from wireroom.store.ingest import Finished
from wireroom.store.schema import (
    destinations,
    entry_bodies,
    entry_keys,
    fetches,
)
from wireroom.store.schema import entries as entry_rows
from wireroom.store.schema import feeds as feeds_table
from wireroom.store.schema import routes as route_rows


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def store(connection: Connection, *finished: Finished) -> ingest.Committed:
    return ingest.commit(connection, finished, max(each.at for each in finished))


def feed_row(connection: Connection, feed_id: int) -> feeds.FeedToPoll:
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    return feed


# -- entries --------------------------------------------------------------------------------------


def test_the_first_reading_is_a_baseline(connection: Connection) -> None:
    """All that is there on the first reading is stored and known, and none of it is news
    (IDN-18).
    """
    feed_id = make_feed(connection)
    committed = store(connection, read(connection, feed_id, item("b"), item("a")))

    assert 2 == committed.new_count
    assert [False, False] == [entry.is_news for entry in entries.after(connection, feed_id, 0, 10)]
    again = read(connection, feed_id, item("b"), item("a"), now=at(60))
    assert 0 == store(connection, again).new_count


def test_numbers_follow_each_other_from_reading_to_reading(connection: Connection) -> None:
    """New entries take the next numbers of their feed, oldest first, without a gap."""
    feed_id = make_feed(connection)
    store(connection, read(connection, feed_id, item("b"), item("a")))
    store(connection, read(connection, feed_id, item("d"), item("c"), item("b"), now=at(60)))

    assert [1, 2, 3, 4] == [entry.seq for entry in entries.after(connection, feed_id, 0, 10)]
    assert ["Title of a", "Title of b", "Title of c", "Title of d"] == titles(connection, feed_id)
    assert 4 == feed_row(connection, feed_id).last_seq


def test_an_edit_changes_the_entry_in_its_place(connection: Connection) -> None:
    """Number, first sight and publication stay (IDN-13), the text is new; no route hears of it."""
    feed_id = make_feed(connection)
    published = datetime(2026, 11, 1, tzinfo=UTC)
    store(connection, read(connection, feed_id, item("a", published=published)))
    edited = item("a", title="A better title", published=at(-5))
    committed = store(connection, read(connection, feed_id, edited, now=at(60)))

    (entry,) = entries.after(connection, feed_id, 0, 10)
    assert (0, 1, frozenset()) == (
        committed.new_count,
        committed.changed_count,
        committed.news_feed_ids,
    )
    assert (1, "A better title", 1) == (entry.seq, entry.title, entry.revision)
    assert (published, NOON) == (entry.published, entry.first_seen)


@pytest.mark.parametrize(
    ("hours", "detail", "wanted"),
    [(1, "", ["edit"]), (49, "", []), (1, "digest; rust", [])],
    ids=["sent lately", "sent long ago", "sent among others"],
)
def test_an_edit_reaches_whoever_was_sent_the_entry(
    connection: Connection, hours: int, detail: str, wanted: list[str]
) -> None:
    """Committed with the reading; for two days, and not where the message holds others."""
    feed_id = make_feed(connection)
    account_id = add_account(connection)
    subscription_id = follow(connection, account_id, feed_id)
    store(connection, read(connection, feed_id, item("a")))
    there = routes.add_destination(
        connection,
        account_id=account_id,
        channel="telegram",
        address="77",
        secret=None,
        title="",
        now=NOON,
    )
    route_id = routes.add_route(
        connection,
        subscription_id=subscription_id,
        destination_id=there,
        initial_items=1,
        now=NOON,
    )
    route = routes.find(connection, route_id)
    assert route is not None
    sent = {1: routes.Note("sent", detail)}
    routes.advance(connection, route, notes=sent, message_ids=["m1"], now=NOON)
    later = at(hours * 60)
    edited = read(connection, feed_id, item("a", title="A better title"), now=later)
    ingest.commit(connection, [edited], later)

    due = errands.due(connection, there, now=later)
    assert wanted == [each.kind for each in due]


def test_a_large_body_lies_apart_and_comes_back_whole(connection: Connection) -> None:
    """Small, large and small again: always the body that was read last, never two (PRS-22)."""
    feed_id = make_feed(connection)
    large = SafeHtml("<p>" + "long " * 80_000 + "</p>")
    bodies = []
    for minute, content in enumerate([SafeHtml("<p>one</p>"), large, SafeHtml("<p>three</p>")]):
        changed = item("a", content=content)
        store(connection, read(connection, feed_id, changed, now=at(minute)))
        (entry,) = entries.after(connection, feed_id, 0, 10)
        bodies.append(
            (entry.content == content, connection.scalar(select(func.count(entry_bodies.c.seq))))
        )

    assert [(True, 0), (True, 1), (True, 0)] == bodies


def test_everything_of_an_item_is_kept(connection: Connection) -> None:
    """Authors, media, categories and dates come out as they went in."""
    feed_id = make_feed(connection)
    media = Enclosure("https://harbour.example/a.mp3", "audio/mpeg", 1234, duration_seconds=60)
    full = item(
        "a",
        summary=SafeHtml("<b>short</b>"),
        enclosures=(media,),
        categories=("one", "two"),
        published=at(-30),
        image_url="https://harbour.example/a.png",
    )
    store(connection, read(connection, feed_id, full))

    entry = entries.one(connection, feed_id, 1)
    assert entry is not None
    assert ((media,), ("one", "two"), "<b>short</b>", at(-30)) == (
        entry.enclosures,
        entry.categories,
        entry.summary,
        entry.published,
    )
    assert ("urn:a", full.content, full.image_url) == (
        entry.public_id,
        entry.content,
        entry.image_url,
    )


def test_a_tombstone_keeps_an_entry_from_coming_back(connection: Connection) -> None:
    """A trimmed entry that the document still lists is not stored again as new (B10)."""
    feed_id = make_feed(connection)
    store(connection, read(connection, feed_id, item("a"), item("b")))
    connection.execute(delete(entry_rows).where(entry_rows.c.feed_id == feed_id))
    connection.execute(update(entry_keys).values(seq=None))
    committed = store(
        connection, read(connection, feed_id, item("b", "edited"), item("a"), now=at(60))
    )

    assert 0 == committed.new_count
    assert [] == titles(connection, feed_id)


def test_an_edit_of_an_entry_that_was_trimmed_meanwhile_leaves_nothing(
    connection: Connection,
) -> None:
    """Trimming came between the look and the commit: no body without an entry is left behind."""
    feed_id = make_feed(connection)
    store(connection, read(connection, feed_id, item("a")))
    edited = read(connection, feed_id, item("a", content=SafeHtml("long " * 80_000)), now=at(60))
    connection.execute(delete(entry_rows))
    store(connection, edited)

    assert 0 == connection.scalar(select(func.count(entry_bodies.c.seq)))


def test_a_body_of_two_megabytes_comes_back_whole(connection: Connection) -> None:
    """As large as any that is read, with letters of several bytes (B33)."""
    feed_id = make_feed(connection)
    body = SafeHtml("<p>" + "ж" * 1_048_000 + "</p>")
    store(connection, read(connection, feed_id, item("a", content=body)))

    (entry,) = entries.after(connection, feed_id, 0, 10)
    assert body == entry.content


def test_the_same_item_in_two_feeds_is_two_entries(connection: Connection) -> None:
    """What tells items apart is looked up within their feed alone (B15)."""
    one, other = make_feed(connection, "one"), make_feed(connection, "other")
    store(connection, read(connection, one, item("a")), read(connection, other, item("a")))
    again = store(connection, read(connection, other, item("b"), item("a"), now=at(60)))

    assert 1 == again.new_count
    assert (["Title of a"], ["Title of a", "Title of b"]) == (
        titles(connection, one),
        titles(connection, other),
    )


def test_a_document_with_more_keys_than_a_statement_takes_is_stored(
    connection: Connection,
) -> None:
    """More keys than are looked up in one statement, and all of them are known again (B33)."""
    feed_id = make_feed(connection)
    many = [item(str(number)) for number in range(1_500)]
    store(connection, read(connection, feed_id, *many))
    again = read(connection, feed_id, *many, item("one more"), now=at(60))

    assert 1 == store(connection, again).new_count
    assert 1_501 == feed_row(connection, feed_id).last_seq


def test_what_the_engines_cannot_keep_is_mended_or_cut(connection: Connection) -> None:
    """NUL, half surrogates and texts without end: the entry is stored, and others with it
    (B33); the identifier that APIs show has 1,024 characters (PRS-21).
    """
    feed_id = make_feed(connection)
    long_link = "https://harbour.example/" + "x" * 5_000
    bad = item(
        "a",
        guid="g" * 5_000 + "\0",
        title="one\0two\ud800three" + "t" * 5_000,
        link=long_link,
        categories=("a\0b", "c\udfff"),
        extra={"k\0": "v\ud800"},
        content=SafeHtml("<p>zero\0 half\ud800 end</p>"),
        enclosures=(Enclosure("https://harbour.example/\0\ud800"),),
    )
    parsed = ParsedFeed("rss", title="T\0\ud800", description="d" * 9_000, language="x" * 99)
    finished = read(connection, feed_id, bad, feed=parsed, error="bad\0\ud800")
    reading = finished.reading
    assert reading is not None
    store(connection, replace(finished, reading=replace(reading, etag='"\udcff\0"')))

    (entry,) = entries.after(connection, feed_id, 0, 10)
    assert 1024 == len(entry.public_id)
    assert entry.title.startswith("one�two�three")
    assert "<p>zero� half� end</p>" == entry.content
    assert ("a�b", "c�") == entry.categories
    assert "" == feed_row(connection, feed_id).etag
    assert "T��" == feed_row(connection, feed_id).title


# -- the feed's own row ---------------------------------------------------------------------------


def test_validators_come_with_the_entries_they_vouch_for(connection: Connection) -> None:
    """One commit holds validators, next poll, its reason, the window and the entries (promise
    4).
    """
    feed_id = make_feed(connection)
    finished = read(connection, feed_id, item("a"))
    store(connection, finished)

    feed = feed_row(connection, feed_id)
    assert ('"one"', "Mon, 30 Nov 2026 12:00:00 GMT") == (feed.etag, feed.last_modified)
    assert finished.reading is not None
    assert finished.reading.parsed.window == feed.digests
    assert (finished.reading.body_hash, NOON, {"kept": 1}) == (
        feed.body_hash,
        feed.last_success_at,
        feed.history,
    )


def test_a_304_replaces_only_what_it_carried(connection: Connection) -> None:
    """A poll without a reading keeps the validators, or takes those of the 304."""
    feed_id = make_feed(connection)
    store(connection, read(connection, feed_id, item("a")))
    store(connection, polled(connection, feed_id, now=at(1)))
    assert '"one"' == feed_row(connection, feed_id).etag
    store(connection, polled(connection, feed_id, now=at(2), validators=('"two"', "")))

    assert '"two"' == feed_row(connection, feed_id).etag


def test_a_feed_that_stays_off_keeps_the_day_it_was_switched_off(connection: Connection) -> None:
    """Daily probes of a feed that was given up do not make it look newly given up (B17)."""
    feed_id = make_feed(connection)
    for minute in (0, 60):
        failed = polled(connection, feed_id, "failed", now=at(minute), disabled_reason="gone")
        store(connection, failed)
    assert NOON == feed_row(connection, feed_id).disabled_at
    store(connection, polled(connection, feed_id, now=at(90)))

    assert feed_row(connection, feed_id).disabled_at is None


def test_every_poll_is_noted_for_those_who_ask(connection: Connection) -> None:
    """Outcome, status and counts of each poll; two within a millisecond do no harm."""
    feed_id = make_feed(connection)
    store(connection, read(connection, feed_id, item("a"), status=200, body_bytes=10))
    store(connection, polled(connection, feed_id, now=NOON))
    store(connection, polled(connection, feed_id, "failed", now=at(1), status=500, error="oh"))

    rows = connection.execute(
        select(fetches.c.outcome, fetches.c.status, fetches.c.new_count).order_by(fetches.c.at)
    ).all()
    assert [("news", 200, 1), ("failed", 500, 0)] == [tuple(row) for row in rows]


def test_an_error_is_kept_in_500_characters(connection: Connection) -> None:
    """However much a server wrote (FAIL-27)."""
    feed_id = make_feed(connection)
    store(connection, polled(connection, feed_id, "failed", status=500, error="e" * 900))

    assert ["e" * 500] == connection.scalars(select(feeds_table.c.last_error)).all()


# -- leases, other transactions, crashes ----------------------------------------------------------


def test_nothing_is_stored_without_the_lease(connection: Connection) -> None:
    """A worker that was overtaken is refused; the one who holds the lane commits."""
    feed_id = make_feed(connection)
    late = read(connection, feed_id, item("a"))
    current = replace(late, lease=lease(connection, feed_id))

    with pytest.raises(LeaseLost), connection.begin_nested():
        store(connection, late)
    assert [] == titles(connection, feed_id)
    assert 1 == store(connection, current).new_count


def test_one_lost_lease_refuses_the_whole_batch(connection: Connection) -> None:
    """Which feeds are innocent is found out by the caller, one by one."""
    one, other = make_feed(connection, "one"), make_feed(connection, "other")
    batch = [read(connection, one, item("a")), read(connection, other, item("b"))]
    lease(connection, other)

    with pytest.raises(LeaseLost), connection.begin_nested():
        store(connection, *batch)
    assert 1 == store(connection, batch[0]).new_count


def test_a_feed_that_was_purged_while_it_was_polled_is_passed_over(connection: Connection) -> None:
    """Its lane is still ours, its row is gone: the others of the batch are stored."""
    gone, stays = make_feed(connection, "gone"), make_feed(connection, "stays")
    batch = [read(connection, gone, item("a")), read(connection, stays, item("b"))]
    assert feeds.purge_if_unfollowed(connection, gone, now=NOON)
    committed = store(connection, *batch)

    assert 1 == committed.new_count
    assert ["Title of b"] == titles(connection, stays)


def a_full_batch(connection: Connection) -> list[Finished]:
    """Two feeds with followers: one with news, edits and a large body, one read the first time."""
    account_id = add_account(connection)
    old, new = make_feed(connection, "old"), make_feed(connection, "new")
    for feed_id in (old, new):
        subscription_id = subscriptions.add(
            connection, account_id=account_id, feed_id=feed_id, now=NOON
        ).subscription_id
        destination_id = routes.add_destination(
            connection,
            account_id=account_id,
            channel="telegram",
            address=str(feed_id),
            secret=None,
            title="",
            now=NOON,
        )
        routes.add_route(
            connection,
            subscription_id=subscription_id,
            destination_id=destination_id,
            initial_items=1,
            now=NOON,
        )
    store(connection, read(connection, old, item("a"), item("b")))
    long = SafeHtml("<p>" + "long " * 80_000 + "</p>")
    document = (item("c", content=long), item("b", title="edited"), item("a", comment_count=3))
    return [
        read(connection, old, *document, now=at(60)),
        read(connection, new, item("x"), item("y"), now=at(60)),
    ]


def test_a_crash_between_any_two_statements_leaves_nothing_half_written(
    database: Database,
) -> None:
    """Killed before each statement in turn, the store is as before; then it is stored whole:
    nothing counts as seen that is not to be delivered (B21, IDN-19).
    """
    with database.writing() as connection:
        batch = a_full_batch(connection)
    before = everything(database)

    def commit(connection: Connection) -> ingest.Committed:
        return ingest.commit(connection, batch, at(60))

    for number in range(1, count_statements(database, commit) + 1):
        kill_before(database, number, commit)
        assert before == everything(database), f"killed before statement {number}"
    with database.writing() as connection:
        assert 3 == commit(connection).new_count


@pytest.mark.postgresql
def test_a_commit_meets_every_other_transaction_without_harm(
    postgresql_database: Database,
) -> None:
    """Between any two statements of a commit, people subscribe, leave, ask and wake: no
    deadlock.
    """
    database = postgresql_database
    with database.writing() as connection:
        batch = a_full_batch(connection)
        account_id = add_account(connection, "bob")
    old, new = (each.feed.id for each in batch)

    def commit(connection: Connection) -> ingest.Committed:
        return ingest.commit(connection, batch, at(60))

    def come_and_go(connection: Connection) -> None:
        feeds.make_due(connection, new, now=at(61), reason="asked for")
        feeds.make_due(connection, old, now=at(61), reason="asked for")
        for feed_id in (new, old):
            made = subscriptions.add(
                connection, account_id=account_id, feed_id=feed_id, now=at(61)
            )
            subscriptions.remove(
                connection, account_id=account_id, subscription_id=made.subscription_id
            )
            feeds.purge_if_unfollowed(connection, feed_id, now=at(61))
        claims.wake_destinations(connection, [new, old], now=at(61))

    def stop_commit(connection: Connection) -> None:
        commit(connection)
        raise Stopped

    for number in range(1, count_statements(database, commit) + 1):
        with pytest.raises(Stopped):
            let_in(database, stop_commit, number, come_and_go)


class Stopped(Exception):
    """Ends a transaction that is only tried."""


# -- routes ---------------------------------------------------------------------------------------


def test_news_wake_those_who_wait_for_them(connection: Connection) -> None:
    """The first reading places the cursor behind the wished-for items, and its destination
    wakes.
    """
    _, new = a_full_batch(connection)
    store(connection, new)

    cursor = connection.scalar(
        select(route_rows.c.cursor).where(route_rows.c.feed_id == new.feed.id)
    )
    ready = connection.scalar(
        select(destinations.c.ready_at).where(destinations.c.address == str(new.feed.id))
    )
    assert (1, at(60)) == (cursor, ready)
