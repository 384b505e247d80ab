"""The Python client against the real API: every call, refusals, and a network that fails."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from tests.api.apps import Phone, Station
from tests.rows import add_entry, at, follow
from tests.rows import add_feed as add_feed_row
from wireroom.api.native.contract import ItemState
from wireroom.client import Refused, Unreachable, Wireroom
from wireroom.store.schema import push_devices

URL = "https://harbour.example/feed.xml"


@pytest.fixture
def wireroom(ada: Phone) -> Wireroom:
    """Ada's account, through the client."""
    return Wireroom("http://testserver.local/", ada.token, http=ada.client)


@pytest.fixture
def filled(station: Station, ada: Phone) -> str:
    """A subscription with 250 items; gives its id."""
    with station.database.writing() as connection:
        feed_id = add_feed_row(connection)
        for number in range(250):
            add_entry(connection, feed_id, at(-number - 1))
        return str(follow(connection, ada.account_id, feed_id))


class TestCalls:
    """Each call of the contract."""

    def test_a_subscription_from_beginning_to_end(
        self, wireroom: Wireroom, station: Station
    ) -> None:
        """Followed into a folder, renamed, listed, moved to the top, and left."""
        station.outside.serves(URL)
        folder = wireroom.new_folder("Sea")
        made = wireroom.subscribe(URL, folder_id=folder.folder_id)
        key = made.subscription.subscription_id
        renamed = wireroom.update_subscription(key, custom_title="Harbour", folder_id="")
        listed = wireroom.subscriptions()
        deleted = wireroom.delete_folder(
            wireroom.update_folder(folder.folder_id, name="A").folder_id
        )
        gone = wireroom.unsubscribe(key)

        assert (False, folder.folder_id) == (made.existing, made.subscription.folder_id)
        assert ("Harbour", "") == (renamed.custom_title, renamed.folder_id)
        assert [key] == [each.subscription_id for each in listed.subscriptions]
        assert 0 == deleted.moved_subscriptions
        assert gone.feed_purged
        assert [] == wireroom.subscriptions().subscriptions

    def test_a_list_is_walked_through(self, wireroom: Wireroom, filled: str) -> None:
        """Pages are asked for as the list is walked through, without gap or repeat."""
        keys = [each.sort_key for each in wireroom.items(subscription_id=filled)]

        assert 250 == len(set(keys)) == len(keys)
        assert sorted(keys, reverse=True) == keys
        assert keys[:3] == [each.sort_key for each in wireroom.items(most=3)]

    def test_states_go_in_hundreds(self, wireroom: Wireroom, filled: str) -> None:
        """More states than one request takes are no matter."""
        states = [
            ItemState(feed_id=each.feed_id, sort_key=each.sort_key, is_read=True)
            for each in wireroom.items()
        ]

        assert 250 == wireroom.set_states(iter(states))
        assert [] == list(wireroom.items(filter="unread"))

    def test_all_read_and_one_item(self, wireroom: Wireroom, filled: str) -> None:
        """Everything up to a moment is read; an item is found by its key."""
        marked = wireroom.mark_all_read("2026-11-30T11:00:00Z", subscription_id=filled)
        oldest = next(wireroom.items(order="oldest"))

        assert 1 == marked.subscriptions
        assert wireroom.item(oldest.feed_id, oldest.sort_key).is_read
        assert 59 == len(list(wireroom.items(filter="unread")))

    def test_a_copy_is_kept(self, wireroom: Wireroom, filled: str) -> None:
        """Items and states come in turns, each once."""
        first = wireroom.item_news(filled)
        second = wireroom.item_news(filled, first.next_since)
        wireroom.set_states(
            [
                ItemState(feed_id=each.feed_id, sort_key=each.sort_key, is_favorite=True)
                for each in first.items[:2]
            ]
        )

        assert (100, True) == (len(first.items), first.has_more)
        assert not {each.item_id for each in first.items} & {each.item_id for each in second.items}
        assert 2 == len(wireroom.state_news(filled).states)

    def test_rules_are_kept(self, wireroom: Wireroom, filled: str) -> None:
        """Of the account and of a subscription, apart from each other."""
        wireroom.set_rules(["title:sponsored -> drop"])
        wireroom.set_rules(["has:audio -> favourite"], subscription_id=filled)

        assert ["title:sponsored -> drop"] == wireroom.rules()
        assert ["has:audio -> favourite"] == wireroom.rules(subscription_id=filled)

    def test_a_device_is_registered(self, wireroom: Wireroom, station: Station) -> None:
        """With a key to subscribe with, and it can be put to sleep again."""
        wireroom.register_device("https://push.example/phone")
        with station.database.reading() as connection:
            known = connection.scalar(select(func.count()).select_from(push_devices))
        wireroom.unregister_device("https://push.example/phone")

        assert 87 == len(wireroom.push_key())  # 65 bytes (RFC 8292 §3.2)
        assert 1 == known

    def test_lists_and_preferences(self, wireroom: Wireroom, filled: str) -> None:
        """What goes out comes in again; preferences are merged."""
        again = wireroom.import_opml(wireroom.export_opml())
        wireroom.set_preferences({"theme": "dark"})

        assert (0, 1) == (again.created, again.existing)
        assert {"theme": "dark"} == wireroom.preferences()


class TestRefusals:
    """What goes wrong has a sentence and a code."""

    @pytest.mark.parametrize(
        ("status", "code", "call"),
        [
            (404, "unknown_subscription", lambda each: each.unsubscribe("99")),
            (400, "invalid_url", lambda each: each.subscribe("gopher://hole.example")),
            (400, "invalid_name", lambda each: each.new_folder("")),
        ],
        ids=["unknown", "no_address", "no_name"],
    )
    def test_what_the_server_refuses(
        self, wireroom: Wireroom, status: int, code: str, call: Callable[[Wireroom], Any]
    ) -> None:
        """The server's sentence and code arrive with the status."""
        with pytest.raises(Refused, match=r"\w+.*\.$") as refused:
            call(wireroom)
        assert (status, code) == (refused.value.status, refused.value.code)

    def test_a_wrong_token(self, ada: Phone) -> None:
        """It is said as such."""
        with pytest.raises(Refused) as refused:
            Wireroom("http://testserver.local", "wr_wrong", http=ada.client).subscriptions()
        assert "not_authenticated" == refused.value.code

    def test_no_wireroom_at_all(self) -> None:
        """A page of somebody else's is no riddle."""
        wireroom, _ = over([httpx.Response(502, text="<h1>Bad gateway</h1>")] * 4)
        with pytest.raises(Refused, match="The server answered 502 Bad Gateway"):
            wireroom.subscriptions()

    def test_a_page_where_an_answer_should_be(self) -> None:
        """A proxy's login page comes with 200, and is no answer all the same."""
        wireroom, _ = over([httpx.Response(200, text="<h1>Log in</h1>")])
        with pytest.raises(Refused, match="The server answered 200 OK") as refused:
            wireroom.subscriptions()
        assert "unreadable" == refused.value.code


class TestStumbling:
    """Reads are tried again; writes are not."""

    def test_a_read_waits_as_asked(self) -> None:
        """The server says how long."""
        busy = httpx.Response(503, headers={"Retry-After": "7"})
        wireroom, slept = over([busy, httpx.ConnectError("refused"), EMPTY])

        assert [] == wireroom.subscriptions().subscriptions
        assert [7.0, 2.0] == slept

    def test_a_network_that_stays_away(self) -> None:
        """After the last try the error is the caller's."""
        wireroom, slept = over([httpx.ConnectError("refused")] * 4)

        with pytest.raises(Unreachable, match=r"^https://\S+ does not answer: refused\.$"):
            wireroom.subscriptions()
        assert [1.0, 2.0, 4.0] == slept

    def test_a_change_is_sent_once(self) -> None:
        """It may have arrived."""
        wireroom, slept = over([httpx.ReadTimeout("no answer")])

        with pytest.raises(Unreachable, match="does not answer: no answer"):
            wireroom.subscribe(URL)
        assert [] == slept


class TestStaying:
    """A stream of events, as typed values."""

    def test_events_are_read_as_they_come(self) -> None:
        """Names and contents; comments and ids are passed over."""
        lines = (
            ": nothing new\r\n\r\n"
            'event: watermark\r\ndata: {"subscription_id":"1","feed_id":"2",'
            '"read_watermark":"2026-11-30T12:00:00.000Z"}\r\n\r\n'
            "id: e.1\r\nevent: heard\r\ndata: e.1\r\nretry: 5000\r\n\r\n"
        )
        wireroom, _ = over([httpx.Response(200, text=lines)])
        first, last = list(wireroom.events("e.0"))

        assert ("watermark", "1") == (first[0], first[1].subscription_id)
        assert ("heard", "e.1") == last

    def test_a_stream_that_cannot_be_opened(self) -> None:
        """The same error as for every other call."""
        wireroom, _ = over([httpx.ConnectError("refused")])
        with pytest.raises(Unreachable):
            next(wireroom.events())

    def test_a_refused_stream(self) -> None:
        """It is raised as every refusal is."""
        busy = httpx.Response(429, json={"Error": "Too many.", "code": "rate_limited"})
        wireroom, _ = over([busy])
        with pytest.raises(Refused) as refused:
            next(wireroom.events())

        assert "rate_limited" == refused.value.code


EMPTY = httpx.Response(200, json={"folders": [], "subscriptions": []})


def over(answers: list[httpx.Response | Exception]) -> tuple[Wireroom, list[float]]:
    """A client whose network gives these answers in turn; and how long it slept."""
    coming: Iterator[httpx.Response | Exception] = iter(answers)

    def answer(_: httpx.Request) -> httpx.Response:
        given = next(coming)
        if isinstance(given, Exception):
            raise given
        return given

    slept: list[float] = []
    http = httpx.Client(transport=httpx.MockTransport(answer))
    return Wireroom("https://reader.example", "wr_1", http=http, sleep=slept.append), slept
