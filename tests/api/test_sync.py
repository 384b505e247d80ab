"""Copies on devices: item sync, state sync, and that all interleavings end at the same state."""

import contextlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from litestar.testing import TestClient
from sqlalchemy import insert, select

from tests.api.apps import Phone, Station, keys
from tests.api.copies import Copy, Device
from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from tests.servers.engines import in_memory
from wireroom import syncing
from wireroom.store import merges, read_states, schema
from wireroom.store.read_states import StateChange


@pytest.fixture
def subscription(station: Station, ada: Phone) -> str:
    with station.database.writing() as connection:
        return str(follow(connection, ada.account_id, add_feed(connection)))


@pytest.fixture
def arrives(station: Station, subscription: str) -> Callable[..., int]:
    def add(minutes: float, **values: object) -> int:
        with station.database.writing() as connection:
            return add_entry(connection, int(subscription), at(minutes), **values)

    return add


def _items(phone: Phone, subscription: str, since: str, **query: object) -> dict[str, Any]:
    return phone.get("/rss_list_items", subscription_id=subscription, since=since, **query)


def _states(phone: Phone, subscription: str, since: str, **query: object) -> dict[str, Any]:
    return phone.get("/rss_list_items", subscription_id=subscription, state_since=since, **query)


# -- items ----------------------------------------------------------------------------------------


def test_items_come_in_the_order_they_were_met(
    ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """Backdated ones too, each once, strictly after the cursor (SYN-01 to -03)."""
    for minutes in (-10, -500, -5):
        arrives(minutes)
    first = _items(ada, subscription, "", limit=2)
    second = _items(ada, subscription, first["next_since"], limit=2)
    nothing = _items(ada, subscription, second["next_since"])
    arrives(-9000)
    backdated = _items(ada, subscription, nothing["next_since"])

    assert (["Entry 1", "Entry 2"], True) == (_titles(first), first["has_more"])
    assert (["Entry 3"], False) == (_titles(second), second["has_more"])
    assert ([], second["next_since"]) == (nothing["items"], nothing["next_since"])
    assert ["Entry 4"] == _titles(backdated)


def _titles(page: dict[str, Any]) -> list[str]:
    return [item["title"] for item in page["items"]]


def test_a_cursor_is_the_key_of_an_item(
    ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """A client that lost its cursor may go on from the largest `fetched_key` it has (SYN-04)."""
    for minutes in (0, -1, -2):
        arrives(minutes)
    items = ada.pages()
    newest = max(item["fetched_key"] for item in items)

    assert [] == _items(ada, subscription, newest)["items"]
    assert ["Entry 3"] == _titles(_items(ada, subscription, items[1]["fetched_key"]))


def test_item_sync_hears_nothing_of_states(
    ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """Marking moves no item (SYN-12)."""
    arrives(0)
    page = _items(ada, subscription, "")
    ada.post("/rss_set_item_state", items=[keys(page["items"][0], is_read=True)])

    assert [] == _items(ada, subscription, page["next_since"])["items"]


@pytest.mark.parametrize("since", ["x", "0" * 23, "G" * 24, "2026-11-30T12:00:00.000Z#1"])
def test_item_cursors_that_are_none(ada: Phone, subscription: str, since: str) -> None:
    """They are refused, not taken for the beginning."""
    assert (400, "invalid_cursor") == ada.refused(
        "GET", "/rss_list_items", subscription_id=subscription, since=since
    )


# -- states ---------------------------------------------------------------------------------------


def test_the_first_pull_goes_by_place(
    station: Station, ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """All states in sort_key order, whenever they were said (API-08, SYN-06, SYN-07)."""
    for minutes in (-30, -10, -20):
        arrives(minutes)
    for item in ada.pages():
        station.later(100)
        ada.post("/rss_set_item_state", items=[keys(item, is_favorite=True)])
    first = _states(ada, subscription, "", limit=2)
    second = _states(ada, subscription, first["next_state_since"], limit=2)
    found = first["states"] + second["states"]

    assert (True, False) == (first["has_more"], second["has_more"])
    assert sorted(state["sort_key"] for state in found) == [s["sort_key"] for s in found]
    assert {
        "feed_id", "sort_key", "item_id", "is_read", "is_read_explicit", "is_favorite",
        "labels", "updated_at", "updated_key",
    } == set(found[0])  # fmt: skip
    assert {(False, False, True)} == {
        (state["is_read"], state["is_read_explicit"], state["is_favorite"]) for state in found
    }


def test_each_write_of_a_state_moves_its_key(
    station: Station, ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """`updated_key` is UPDATED_AT#ITEM_ID, new with each write, and the order of sync (SYN-11)."""
    for minutes in (-30, -20, -10):
        arrives(minutes)
    items = ada.pages()
    cursor = _states(ada, subscription, "")["next_state_since"]
    writes = [
        ("/rss_set_item_state", {"items": [keys(items[2], is_read=False)]}),
        ("/rss_set_item_state", {"items": [keys(each, is_favorite=True) for each in items[:2]]}),
        ("/rss_label_items", {"items": [keys(items[1])], "add": ["work"]}),
        ("/rss_mark_all_read", {"subscription_id": subscription}),
    ]
    seen: list[str] = []
    for path, body in writes:
        station.later(0.25)
        ada.post(path, **body)
        states = _states(ada, subscription, cursor)["states"]
        told = [state["updated_key"] for state in states]
        seen += sorted(set(told) - set(seen))

        assert sorted(told) == told
        assert [f"{s['updated_at']}#{s['item_id']}" for s in states] == told

    when = [f"2026-11-30T12:00:0{n}" for n in ("0.250Z", "0.500Z", "0.500Z", "0.750Z", "1.000Z")]
    which = [items[n]["item_id"] for n in (2, 1, 0, 1, 2)]
    assert [f"{at}#{item}" for at, item in zip(when, which, strict=True)] == seen


def test_what_changes_during_the_first_pull_is_told_after_it(
    station: Station, ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """Behind the place that the pull has passed (SYN-10)."""
    for minutes in (-30, -20, -10):
        arrives(minutes)
    oldest, *_ = items = ada.pages(order="oldest")
    ada.post("/rss_set_item_state", items=[keys(item, is_read=True) for item in items])
    first = _states(ada, subscription, "", limit=2)
    station.later(1)
    ada.post("/rss_set_item_state", items=[keys(oldest, is_read=False)])
    station.later(300)
    last = _states(ada, subscription, first["next_state_since"])
    after = _states(ada, subscription, last["next_state_since"])

    assert [(oldest["sort_key"], False)] == [
        (state["sort_key"], state["is_read"])
        for state in after["states"]
        if state["sort_key"] == oldest["sort_key"]
    ]


def test_a_change_that_is_committed_late_is_not_stepped_over(
    station: Station, ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """It waited for its turn to write while the cursor of a client went on (SYN-08)."""
    arrives(-1)
    arrives(-2)
    _, late = ada.pages()
    asked_at = station.clock
    station.later(4)
    ada.post("/rss_set_item_state", items=[keys(_, is_read=True)])
    cursor = _states(ada, subscription, "")["next_state_since"]
    station.later(1)
    cursor = _states(ada, subscription, cursor)["next_state_since"]
    with station.database.writing() as connection:
        change = StateChange(int(subscription), 2, is_read=True)
        read_states.set_states(connection, ada.account_id, [change], asked_at)
    station.later(1)
    told = _states(ada, subscription, cursor)["states"]

    assert late["sort_key"] in {state["sort_key"] for state in told}


def test_the_cursor_trails_and_then_rests(
    station: Station, ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """A recent change is told again for a while, then no more (SYN-08, SYN-09)."""
    arrives(-1)
    ada.post("/rss_set_item_state", items=[keys(ada.pages()[0], is_read=True)])
    cursor, told = "", []
    for _ in range(5):
        page = _states(ada, subscription, cursor)
        told.append(len(page["states"]))
        cursor = page["next_state_since"]
        station.later(syncing.TRAILING.total_seconds())

    assert [1, 1, 1, 0, 0] == told


def test_many_changes_at_once_are_paged_to_their_end(
    ada: Phone, subscription: str, arrives: Callable[..., int]
) -> None:
    """250 changes of one millisecond, 20 by 20: no page comes twice, and there is an end."""
    for minute in range(250):
        arrives(-minute)
    cursor = _states(ada, subscription, "")["next_state_since"]
    items = ada.pages(limit=100)
    for start in range(0, 250, 50):
        changes = [keys(item, is_read=True) for item in items[start : start + 50]]
        ada.post("/rss_set_item_state", items=changes)
    found: list[str] = []
    more = True
    while more:
        page = _states(ada, subscription, cursor, limit=20)
        found += [state["sort_key"] for state in page["states"]]
        cursor, more = page["next_state_since"], page["has_more"]
        assert len(found) <= 250

    assert {item["sort_key"] for item in items} == set(found)


@pytest.mark.parametrize(
    "cursor",
    [
        "x", "r.1", "r.1.2.3", "p.1.2", "n.1.2.3", f"r.{'9' * 18}.1",
        "p.-62135596800000.1.1", "w.-62135596800000.1.1", "p.-1.1.1",
    ],
)  # fmt: skip
def test_state_cursors_that_are_none(ada: Phone, subscription: str, cursor: str) -> None:
    """Those of lists are none here, either."""
    assert (400, "invalid_cursor") == ada.refused(
        "GET", "/rss_list_items", subscription_id=subscription, state_since=cursor
    )


# -- everything, in any order ---------------------------------------------------------------------


#: Words that devices put on items.
_WORDS = st.sampled_from([["work"], ["play"], ["work", "later"], []])
_WHICH, _PICK = st.integers(0, 1), st.integers(0, 100)


class Devices(RuleBasedStateMachine):
    """Two devices of one account, and a server on which items arrive, in any order of events."""

    def __init__(self) -> None:
        super().__init__()
        self.closing = contextlib.ExitStack()
        self.station = Station(in_memory())
        self.closing.callback(self.station.database.close)
        with self.station.database.writing() as connection:
            account_id = add_account(connection)
            #: Two that are followed, and two that are not.
            self.feeds = [add_feed(connection, f"Feed {n}") for n in range(4)]
            for feed_id in self.feeds[:2]:
                follow(connection, account_id, feed_id)
            outer = add_folder(connection, account_id, "Outer")
            inner = add_folder(connection, account_id, "Inner", parent_id=outer)
            self.folders = ["", str(outer), str(inner)]
        client = self.closing.enter_context(TestClient(self.station.app()))
        self.phone = Phone(client, account_id, self.station.token(account_id))
        self.devices = [Device(self.phone), Device(self.phone)]
        self.stories = 0

    def teardown(self) -> None:
        self.converge()
        self.closing.close()

    @initialize(count=st.integers(2, 8))
    def begin(self, count: int) -> None:
        for number in range(count):
            self.arrive([number % 2], 0)
        for device in self.devices:
            device.pull_everything(limit=5)

    # -- the server -------------------------------------------------------------------------------

    @rule(seconds=st.sampled_from([0, 0.001, 1, 5, 60, 4000]))
    def wait(self, seconds: float) -> None:
        self.station.later(seconds)

    @rule(
        picks=st.lists(st.integers(0, 3), min_size=1, max_size=2), age_minutes=st.integers(0, 300)
    )
    def arrive(self, picks: list[int], age_minutes: int) -> None:
        """A story in one feed, or the same one in two."""
        now = self.station.clock
        self.stories += 1
        with self.station.database.writing() as connection:
            for feed_id in {self.feeds[pick % len(self.feeds)] for pick in picks}:
                add_entry(
                    connection, feed_id, now - timedelta(minutes=age_minutes, seconds=feed_id),
                    first_seen_at=now, public_id=f"urn:{self.stories}",
                )  # fmt: skip
                seq = connection.scalar(
                    select(schema.feeds.c.last_seq).where(schema.feeds.c.id == feed_id)
                )
                row = {"feed_id": feed_id, "seq": seq, "key": f"urn:{self.stories}".encode()}
                connection.execute(insert(schema.entry_keys), row)

    @precondition(lambda self: len(self.feeds) > 1)
    @rule(gone=_PICK, kept=_PICK)
    def merge(self, gone: int, kept: int) -> None:
        """A feed moves to where another one is, whoever follows which of them."""
        gone, kept = gone % len(self.feeds), kept % len(self.feeds)
        if gone == kept:
            return
        with self.station.database.writing() as connection:
            merges.absorb(
                connection, gone=self.feeds[gone], kept=self.feeds[kept], now=self.station.clock
            )
        del self.feeds[gone]

    @rule(which=_PICK, name=st.sampled_from(["work", "rest", ""]))
    def change_a_label(self, which: int, name: str) -> None:
        """Another name, if nobody has it, or forgotten."""
        known = self.phone.get("/rss_list_labels")["labels"]
        if not known:
            return
        label_id = known[which % len(known)]["label_id"]
        if not name:
            self.phone.post("/rss_delete_label", label_id=label_id)
        elif name not in {each["name"] for each in known}:
            self.phone.put("/rss_rename_label", label_id=label_id, name=name)

    @precondition(lambda self: len(self.folders) > 1)
    @rule(which=_PICK)
    def dissolve_a_folder(self, which: int) -> None:
        folder = self.folders.pop(1 + which % (len(self.folders) - 1))
        self.phone.post("/rss_delete_folder", folder_id=folder)

    # -- the devices ------------------------------------------------------------------------------

    def _copy(self, which: int, pick: int) -> Copy | None:
        copies = list(self.devices[which].copies.values())
        return copies[pick % len(copies)] if copies else None

    def _item(self, which: int, pick: int) -> tuple[Copy, dict[str, Any]] | None:
        there = [
            (copy, item)
            for copy in self.devices[which].copies.values()
            for item in copy.items.values()
        ]
        return there[pick % len(there)] if there else None

    @rule(which=_WHICH, pick=_PICK, limit=st.integers(1, 4))
    def pull_items(self, which: int, pick: int, limit: int) -> None:
        if copy := self._copy(which, pick):
            copy.pull_items(limit)

    @rule(which=_WHICH, pick=_PICK, limit=st.integers(1, 4))
    def pull_states(self, which: int, pick: int, limit: int) -> None:
        if copy := self._copy(which, pick):
            copy.pull_states(limit)

    @rule(which=_WHICH, all_of_it=st.booleans())
    def pull(self, which: int, *, all_of_it: bool) -> None:
        if all_of_it:
            self.devices[which].pull_everything(limit=3)
        else:
            self.devices[which].pull_shelf()

    @rule(
        which=_WHICH,
        pick=_PICK,
        flags=st.sampled_from(
            [
                {"is_read": True},
                {"is_read": False},
                {"is_favorite": True},
                {"is_favorite": False},
                {"is_read": True, "is_favorite": True},
            ]
        ),
    )
    def say(self, which: int, pick: int, flags: dict[str, bool]) -> None:
        if found := self._item(which, pick):
            copy, item = found
            copy.say(item, **flags)

    @rule(which=_WHICH, pick=_PICK, add=_WORDS, remove=_WORDS)
    def label(self, which: int, pick: int, add: list[str], remove: list[str]) -> None:
        if found := self._item(which, pick):
            copy, item = found
            copy.label(item, add=add, remove=remove)

    @rule(which=_WHICH, pick=_PICK, flag=st.booleans())
    def say_of_all(self, which: int, pick: int, *, flag: bool) -> None:
        """More at the same moment than a page holds."""
        if copy := self._copy(which, pick):
            for item in list(copy.items.values()):
                copy.say(item, is_favorite=flag)
            copy.send_queue()

    @rule(which=_WHICH, pick=_PICK, seconds_ago=st.integers(-100, 10_000))
    def mark_all_read(self, which: int, pick: int, seconds_ago: int) -> None:
        tapped = self.station.clock - timedelta(seconds=seconds_ago)
        if copy := self._copy(which, pick):
            copy.mark_all_read(tapped.isoformat())

    @rule(which=_WHICH, pick=_PICK, folder=_PICK)
    def move(self, which: int, pick: int, folder: int) -> None:
        if copy := self._copy(which, pick):
            target = self.folders[folder % len(self.folders)]
            self.devices[which].move(copy.subscription_id, target)

    @rule(which=_WHICH, lost=st.booleans())
    def send_queue(self, which: int, *, lost: bool) -> None:
        self.devices[which].send_queue(answer_is_lost=lost)

    # -- the end ----------------------------------------------------------------------------------

    def converge(self) -> None:
        """Everybody comes online; after that, all show what the server shows.

        What changed behind a first pull is told by the sync after it (SYN-10), hence two.
        """
        for device in self.devices:
            device.send_queue()
        for device in (*self.devices, *self.devices):
            device.pull_everything(limit=3)
        served = {item["sort_key"]: item for item in self.phone.pages(limit=100)}
        states = {key: (item["is_read"], item["is_favorite"]) for key, item in served.items()}
        labels = {key: item["labels"] for key, item in served.items()}
        for device in self.devices:
            copies = device.copies.values()
            assert states == {key: v for copy in copies for key, v in copy.shown().items()}
            assert labels == {key: v for copy in copies for key, v in copy.labels_shown().items()}
            for folder in self.folders[1:]:
                listed = self.phone.pages(folder_id=folder, limit=100)
                assert {item["sort_key"] for item in listed} == device.items_in(folder)


Devices.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestDevices = Devices.TestCase
TestDevices.__doc__ = (
    "Every interleaving ends at the server's state: queues, replays, labels, moves and merges."
)


@pytest.fixture
def device(ada: Phone, subscription: str) -> Copy:
    """A device that has seen nothing yet."""
    return Copy(ada, subscription)


def test_a_queue_sent_twice_changes_nothing(
    station: Station, device: Copy, arrives: Callable[..., int]
) -> None:
    """The answer got lost on the way; the same calls come again an hour later."""
    arrives(-10)
    device.pull_everything()
    (item,) = device.items.values()
    device.say(item, is_favorite=True)
    device.mark_all_read(NOON.isoformat())
    device.send_queue(answer_is_lost=True)
    arrives(5)
    station.later(3600)
    device.send_queue()
    device.pull_everything()

    assert [(True, True), (False, False)] == list(device.shown().values())


@pytest.mark.parametrize("follows_both", [True, False], ids=["both", "the_one_that_goes"])
def test_what_was_said_comes_along_when_feeds_become_one(
    station: Station, ada: Phone, *, follows_both: bool
) -> None:
    """Said long before, and still told to copies of the feed that stays (HTTP-29)."""
    with station.database.writing() as connection:
        gone, kept = add_feed(connection, "Old"), add_feed(connection, "New")
        for feed_id in (gone, kept)[: 2 if follows_both else 1]:
            follow(connection, ada.account_id, feed_id)
        for feed_id in (gone, kept):
            add_entry(connection, feed_id, at(-feed_id))
    device = Device(ada)
    device.pull_everything(limit=3)
    (item,) = device.copies["1"].items.values()
    device.copies["1"].say(item, is_favorite=True)
    device.copies["1"].label(item, add=["work"], remove=[])
    device.send_queue()
    station.later(600)
    if other := device.copies.get("2"):  # its cursor moves on
        other.say(next(iter(other.items.values())), is_read=True)
        other.send_queue()
    for _ in range(2):
        station.later(600)
        device.pull_everything(limit=3)
    device.copies["1"].say(item, is_read=False)  # offline, and vain by then
    with station.database.writing() as connection:
        merges.absorb(connection, gone=gone, kept=kept, now=station.clock)
    device.send_queue()
    for _ in range(2):
        device.pull_everything(limit=3)

    served = ada.pages()
    assert 2 == len(served)
    (copy,) = device.copies.values()
    assert {s["sort_key"]: (s["is_read"], s["is_favorite"]) for s in served} == copy.shown()
    assert {s["sort_key"]: s["labels"] for s in served} == copy.labels_shown()
    assert [["work"]] == [s["labels"] for s in served if s["is_favorite"]]
