"""The operator's table of what is taken out of all texts (TGC-17 … TGC-20, TGD-28 … TGD-30)."""

import pytest

from tests.delivery.scripted import WireRoom
from tests.rows import NOON, add_account
from wireroom import routing
from wireroom.delivery import seeds
from wireroom.delivery.replacements import Replacement, check, removed
from wireroom.errors import Conflict, NotAllowed, NotFound, UserError
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


async def add(room: WireRoom, value: str, *, is_regex: bool = False) -> int:
    return await routing.add_replacement(
        room.database, room.account_id, value, is_regex=is_regex, now=NOON
    )


async def test_rows_are_added_listed_and_deleted(room: WireRoom) -> None:
    """In the order in which they came; a text and an expression may look the same."""
    first = await add(room, "[ad]")
    second = await add(room, "[ad]", is_regex=True)
    await routing.delete_replacement(room.database, room.account_id, first)
    rows = await routing.list_replacements(room.database, room.account_id)

    assert [(second, "[ad]", True)] == [(each.id, each.value, each.is_regex) for each in rows]


async def test_a_duplicate_is_told(room: WireRoom) -> None:
    """It is not added twice."""
    await add(room, "[ad]")
    with pytest.raises(Conflict) as told:
        await add(room, "[ad]")

    assert "duplicate_replacement" == told.value.code


async def test_what_is_not_there_cannot_be_deleted(room: WireRoom) -> None:
    """One sentence with the number."""
    with pytest.raises(NotFound, match="number 7"):
        await routing.delete_replacement(room.database, room.account_id, 7)


@pytest.mark.parametrize(
    ("value", "is_regex"),
    [("", False), ("   ", False), ("x" * 256, False), ("(", True), (r"(a)\1", True)],
    ids=["empty", "blank", "256 characters", "no expression", "a back-reference"],
)
async def test_what_could_never_be_applied_is_refused(
    room: WireRoom, value: str, is_regex: bool
) -> None:
    """With the code that front ends know."""
    with pytest.raises(UserError) as refused:
        await add(room, value, is_regex=is_regex)

    assert "invalid_replacement" == refused.value.code


async def test_they_are_the_operators(room: WireRoom) -> None:
    """Nobody else lists, adds, deletes or seeds."""
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    for attempt in (
        routing.list_replacements(room.database, eve),
        routing.add_replacement(room.database, eve, "x", now=NOON),
        routing.delete_replacement(room.database, eve, 1),
        routing.seed_replacements(room.database, eve, now=NOON),
    ):
        with pytest.raises(NotAllowed):
            await attempt


async def test_seeding_twice_adds_nothing_twice(room: WireRoom) -> None:
    """36 texts and 5 expressions, of which one stood there already."""
    await add(room, "[mehr]")
    first = await routing.seed_replacements(room.database, room.account_id, now=NOON)
    again = await routing.seed_replacements(room.database, room.account_id, now=NOON)
    rows = await routing.list_replacements(room.database, room.account_id)

    assert (40, 0, 41) == (first, again, len(rows))
    assert 5 == sum(each.is_regex for each in rows)


@pytest.mark.parametrize("seed", seeds.SEEDS, ids=lambda seed: seed.value[:24])
def test_every_seed_can_be_applied(seed: seeds.Replacement) -> None:
    """The engine takes it."""
    check(seed)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("News. The post Ships sail appeared first on Harbour.", "News. "),
        ("News. Der Beitrag Schiffe erschien zuerst auf Hafen. Mehr", "News. Mehr"),
        ("Ships [Update 2] sail", "Ships  sail"),
        ("See https://feedproxy.google.com/~r/ships/1 now", "See  now"),
        ('a <b class="x">bold</b> word, 1 < 2 > 0', "a bold word, 1 < 2 > 0"),
        ("Tides rise. Read more…", "Tides rise. "),
        ("The post office opened.", "The post office opened."),
    ],
)
def test_what_the_seeds_take_out(text: str, left: str) -> None:
    """Teasers and signatures go, what is said stays."""
    assert left == removed(text, seeds.SEEDS)


@pytest.mark.parametrize(
    ("text", "row", "left"),
    [
        ("Read MORE, read more", Replacement("read more"), "Read MORE, "),
        ("a.c abc", Replacement("a.c"), " abc"),
        ("a.c abc", Replacement("a.c", is_regex=True), " "),
        ("Ad: x", Replacement("(?i)ad: ", is_regex=True), "x"),
        ("ab", Replacement("a(?=b)", is_regex=True), "ab"),
        ("aa", Replacement(r"(a)\1", is_regex=True), "aa"),
    ],
    ids=["case counts", "a text", "an expression", "flags", "look-around", "back-reference"],
)
def test_the_engine(text: str, row: Replacement, left: str) -> None:
    """Texts as they are written; expressions without look-around and back-references (TGD-29)."""
    assert left == removed(text, [row])


def test_the_engine_takes_linear_time() -> None:
    """Nested repetition, which stops a backtracking engine for ever, is over at once (TGD-29)."""
    text = "a" * 20_000
    assert text == removed(text, [Replacement("(a+)+$b", is_regex=True)])
