"""Search finds the same on both engines, only what the account may see, the best first."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, delete, insert, select, text, update

from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from tests.store.polled import item, make_feed, read
from wireroom.feeds.model import SafeHtml
from wireroom.store import indexing, ingest, retention, search
from wireroom.store.engine import Database
from wireroom.store.query import parse
from wireroom.store.retention import Keep
from wireroom.store.schema import entries, entry_states, unindexed


@pytest.fixture
def library(database: Database) -> Iterator[Connection]:
    """Two feeds that Ada follows, one of them in a folder, and one that only Bob does."""
    with database.writing() as connection:
        ada, bob = add_account(connection), add_account(connection, "bob")
        harbour, kitchen = add_feed(connection), add_feed(connection, "Kitchen Blog")
        secret = add_feed(connection, "Secret Diary")
        food = add_folder(connection, ada, "Food")
        follow(connection, ada, harbour, read_watermark=at(1))
        follow(
            connection, ada, kitchen, folder_id=add_folder(connection, ada, "Old", parent_id=food)
        )
        follow(connection, bob, secret)
        for feed_id, minute, title, author, body in (
            (
                harbour,
                0,
                "Harbour reopens",
                "Ada Lovelace",
                "<p>The <b>old</b> harbour of Élan.</p>",
            ),
            (harbour, 1, "Storm", "Bob", "<p>A storm closes the harbour; boats stay.</p>"),
            (harbour, 2, "Boats", "Ada", "<p>Two boats, old and new.</p>"),
            (kitchen, 3, "Soup", "", "<p>Fish of the harbour, 東京風の魚.</p>"),
            (kitchen, 4, "Bread &amp; butter", "Lovelace", "<p>No fish. Price: 5 &lt; 6.</p>"),
            (secret, 5, "Harbour secret", "", "<p>harbour</p>"),
        ):
            add_entry(connection, feed_id, at(minute), title, author=author, content=body)
        indexing.index_all(connection)
        while indexing.index_some(connection, 2):
            pass
        yield connection


def found(connection: Connection, typed: str, **options: int) -> list[str]:
    hits = search.search(connection, 1, parse(typed, NOON), **options)
    return [hit.entry.title for hit in hits]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("harbour", {"Harbour reopens", "Storm", "Soup"}),
        ("HARBOUR", {"Harbour reopens", "Storm", "Soup"}),
        ("elan", {"Harbour reopens"}),
        ("harbour boats", {"Storm"}),
        ('"old harbour"', {"Harbour reopens"}),
        ('"harbour old"', set()),
        ("harbour -boats", {"Harbour reopens", "Soup"}),
        ('boats -"two boats"', {"Storm"}),
        ("-harbour", {"Boats", "Bread &amp; butter"}),
        ("harb*", {"Harbour reopens", "Storm", "Soup"}),
        ("harb", set()),
        ("東京", {"Soup"}),
        ("京東", set()),
        ("title:harbour", {"Harbour reopens"}),
        ("author:ada", {"Harbour reopens", "Boats"}),
        ("author:lovelace -author:ada", {"Bread &amp; butter"}),
        ("b strong p", set()),
        ("feed:kitchen", {"Soup", "Bread &amp; butter"}),
        ("feed:1 storm", {"Storm"}),
        ("harbour -feed:kitchen", {"Harbour reopens", "Storm"}),
        ("folder:food", {"Soup", "Bread &amp; butter"}),
        ("folder:nowhere", set()),
        ("feed:secret", set()),
        ("is:unread harbour", {"Soup"}),
        ("is:read", {"Harbour reopens", "Storm"}),
        ("before:2026-11-30", set()),
        ("after:2026-11-30 soup", {"Soup"}),
        ("secret", set()),
        ("'; DROP TABLE entries; --", set()),
        ('" OR ( NEAR * : ^ | & !', set()),
    ],
)
def test_a_search_finds_what_it_says(library: Connection, typed: str, expected: set[str]) -> None:
    """Words, phrases, negation, fields and filters mean the same on both engines."""
    assert expected == set(found(library, typed))


def test_what_is_in_the_title_comes_first(library: Connection) -> None:
    """Ranked by where and how often; pages follow each other without repeating."""
    ranked = found(library, "harbour")

    assert "Harbour reopens" == ranked[0]
    assert ranked == [
        *found(library, "harbour", limit=1),
        *found(library, "harbour", limit=5, offset=1),
    ]


@pytest.mark.parametrize("typed", ["harbour", "is:unread harbour", "folder:food harbour"])
def test_a_page_is_filled_from_beyond_the_best(
    library: Connection, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """Of a common word only the best matches are looked at, unless filters leave too few."""
    expected = found(library, typed)
    monkeypatch.setattr(search, "_BEST", (1, 2**62))

    assert expected == found(library, typed)


def test_pages_go_on_beyond_the_best(library: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that are as good as the last of the best, none is left out or shown twice."""
    expected = found(library, "harbour")
    monkeypatch.setattr(search, "_BEST", (2, 2**62))
    pages = [found(library, "harbour", limit=1, offset=number) for number in range(len(expected))]

    assert expected == [title for page in pages for title in page]


def test_without_words_the_newest_come_first(library: Connection) -> None:
    """Filters alone make a list."""
    assert ["Bread &amp; butter", "Soup"] == found(library, "folder:food")


def test_hits_are_shown_as_plain_text(library: Connection) -> None:
    """Markup is gone, entities are letters, and nothing of it is HTML."""
    (hit,) = search.search(library, 1, parse("price", NOON))

    assert "No fish. [Price]: 5 < 6." == "".join(
        f"[{piece.text}]" if piece.is_hit else piece.text for piece in hit.text
    )


def test_states_are_those_of_the_account(library: Connection) -> None:
    """A favourite, and an entry that was kept unread against the watermark."""
    library.execute(
        insert(entry_states).values(
            account_id=1, feed_id=1, seq=1, is_read=False, is_favorite=True, updated_at=NOON
        )
    )

    assert ["Harbour reopens"] == found(library, "is:favorite")
    assert {"Harbour reopens", "Soup"} == set(found(library, "is:unread harbour"))


def test_what_comes_in_can_be_found_and_edits_too(database: Database) -> None:
    """Ingest notes what is new or edited; the indexer takes it from there."""
    with database.writing() as connection:
        follow(connection, add_account(connection), make_feed(connection))
        for minute, words in enumerate(("first words", "second thoughts")):
            changed = item("a", content=SafeHtml(f"<p>{words}</p>"))
            finished = read(connection, 1, changed, now=at(minute))
            ingest.commit(connection, [finished], at(minute))
            assert 1 == indexing.index_some(connection)
        assert 0 == indexing.index_some(connection)

        assert ([], ["Title of a"]) == (found(connection, "first"), found(connection, "second"))


def test_the_newest_come_first_of_those_that_are_equal(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where more are equal than are looked at otherwise."""
    monkeypatch.setattr(search, "_BEST", (1, 2**62))
    with database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, add_account(connection), feed_id)
        for minute in (1, 3, 2):
            add_entry(connection, feed_id, at(minute), f"Tide {minute}", content="<p>tide</p>")
        indexing.index_all(connection)
        indexing.index_some(connection)

        assert ["Tide 3"] == found(connection, "tide", limit=1)


async def test_what_went_is_not_found_and_leaves_the_index(database: Database) -> None:
    """A hit needs its entry; the sweep takes the rest."""

    def begin(connection: Connection) -> None:
        feed_id = add_feed(connection)
        follow(connection, add_account(connection), feed_id)
        for minute in range(3):
            add_entry(connection, feed_id, at(minute), f"Story {minute}")
        indexing.index_all(connection)
        indexing.index_some(connection)
        connection.execute(delete(entries).where(entries.c.seq == 2))

    await database.write(begin)
    assert {"Story 0", "Story 2"} == set(await database.read(found, "story"))
    assert 1 == (await retention.sweep(database, Keep(), at(60))).orphans
    count = text("SELECT count(*) FROM entry_search")
    assert 2 == await database.read(lambda c: c.scalar(count))


@pytest.mark.postgresql
def test_an_edit_while_the_indexer_reads_is_indexed_again(postgresql_database: Database) -> None:
    """The indexer read the old text; the new one stays in the queue."""
    from tests.store.stepping import count_statements, let_in

    database = postgresql_database
    with database.writing() as connection:
        follow(connection, add_account(connection), add_feed(connection))
        add_entry(connection, 1, NOON, "old")

    def edit(connection: Connection) -> None:
        connection.execute(update(entries).values(title="new"))
        indexing.note(connection, [(1, 1)])

    with database.writing() as connection:
        indexing.index_all(connection)
    for number in range(1, count_statements(database, indexing.index_some) + 1):
        with database.writing() as connection:
            connection.execute(update(entries).values(title="old"))
            indexing.index_all(connection)
        let_in(database, indexing.index_some, number, edit)
        with database.writing() as connection:
            indexing.index_some(connection)
            assert ["new"] == found(connection, "new"), f"let in before statement {number}"
            assert [] == connection.execute(select(unindexed)).all()


def test_huge_texts_and_words_do_no_harm(database: Database) -> None:
    """A megabyte without a space, a million words, and one word a thousand times."""
    with database.writing() as connection:
        follow(connection, add_account(connection), add_feed(connection))
        for body in ("x" * 1_000_000, "word ".join(map(str, range(200_000))), "same " * 100_000):
            add_entry(connection, 1, NOON, content=f"<p>{body}</p>")
        indexing.index_all(connection)
        assert 3 == indexing.index_some(connection)

        assert ["Entry 3"] == found(connection, "same")
