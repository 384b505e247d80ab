"""A client of the reader API, small enough to be read before it is used::

    with Wireroom("https://reader.example.org", token) as wireroom:
        wireroom.subscribe("example.org")
        for item in wireroom.items(filter="unread", most=20):
            print(item.published_at, item.title)

Every call is one of docs/api.md, with its types from `api.native.contract`; what the server
refuses is raised as `Refused` with its sentence and code, a server that does not answer as
`Unreachable`. Reads are tried again when the network or the server stumbles; what changes
something is sent once, because only its caller knows whether twice would harm.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import httpx
import msgspec

from wireroom.api.native import contract
from wireroom.api.native.contract import (
    Filter,
    Folder,
    Item,
    ItemNews,
    ItemState,
    ListOrder,
    State,
    StateNews,
    Subscribed,
    Subscription,
    Subscriptions,
    Watermark,
)

T = TypeVar("T")

#: What the server takes in one request, and what a page of a list holds.
STATES_AT_ONCE: Final = 100
PAGE: Final = 100
#: Answers after which a read is tried again, and how often at most.
_STUMBLES: Final = frozenset({429, 502, 503, 504})
_TRIES: Final = 4
_LONGEST_WAIT_SECONDS: Final = 30.0


class Refused(Exception):
    """The server did not do it: a sentence for people, a code for programs, the HTTP status."""

    def __init__(self, sentence: str, code: str, status: int) -> None:
        super().__init__(sentence)
        self.code = code
        self.status = status


class Unreachable(Exception):
    """No answer came; the cause says what the network did.

    What changes something may have been done all the same.
    """


class Wireroom:
    """A Wireroom as the account with this token sees it. Not for use by several threads."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`http` replaces the connection, for proxies and certificates; it is closed with us."""
        self._http = http or httpx.Client(timeout=30)
        self._address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"}
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # -- subscriptions and folders ----------------------------------------------------------------

    def subscriptions(self) -> Subscriptions:
        """Everything that the account follows, with the folders that it lies in."""
        return self._read("/rss_list_subscriptions", Subscriptions)

    def subscribe(self, url: str, *, folder_id: str = "") -> Subscribed:
        """Follow a feed, or the feed that a web page advertises."""
        ask = contract.Subscribe(url=url, folder_id=folder_id)
        return self._send("POST", "/rss_subscribe", ask, Subscribed)

    def unsubscribe(self, subscription_id: str) -> contract.Unsubscribed:
        ask = contract.Unsubscribe(subscription_id=subscription_id)
        return self._send("POST", "/rss_unsubscribe", ask, contract.Unsubscribed)

    def update_subscription(self, subscription_id: str, **changes: Any) -> Subscription:
        """Change settings, by their names in `contract.UpdateSubscription`."""
        ask = contract.UpdateSubscription(subscription_id=subscription_id, **changes)
        answer = self._send("PUT", "/rss_update_subscription", ask, contract.Updated)
        return answer.subscription

    def set_tags(self, subscription_id: str, tags: Iterable[str]) -> list[str]:
        """These tags and no others; gives them as they are kept."""
        ask = contract.SetTags(subscription_id=subscription_id, tags=list(tags))
        return self._send("PUT", "/rss_set_tags", ask, contract.Tags).tags

    def new_folder(self, name: str, *, parent_folder_id: str = "") -> Folder:
        ask = contract.NewFolder(name=name, parent_folder_id=parent_folder_id)
        return self._send("POST", "/rss_new_folder", ask, contract.OneFolder).folder

    def update_folder(self, folder_id: str, **changes: Any) -> Folder:
        """Change a folder, by the names in `contract.UpdateFolder`."""
        ask = contract.UpdateFolder(folder_id=folder_id, **changes)
        return self._send("PUT", "/rss_update_folder", ask, contract.OneFolder).folder

    def delete_folder(self, folder_id: str) -> contract.DeletedFolder:
        """What it holds goes to its parent."""
        ask = contract.DeleteFolder(folder_id=folder_id)
        return self._send("POST", "/rss_delete_folder", ask, contract.DeletedFolder)

    # -- items ------------------------------------------------------------------------------------

    def items(
        self,
        *,
        subscription_id: str = "",
        folder_id: str = "",
        tag: str = "",
        label: str = "",
        filter: Filter = "all",  # noqa: A002 - the contract's word
        order: ListOrder = "newest",
        most: int | None = None,
    ) -> Iterator[Item]:
        """A list, page after page as it is walked through; at most the first `most`."""
        scope = {"subscription_id": subscription_id, "folder_id": folder_id}
        scope |= {"tag": tag, "label": label}
        query = {**scope, "filter": filter, "order": order, "limit": str(_page(most))}
        return islice(self._walk(query), most)

    def _walk(self, query: dict[str, str]) -> Iterator[Item]:
        while True:
            page = self._read("/rss_list_items", contract.ItemPage, query)
            yield from page.items
            if page.next_cursor is None:
                return
            query = {**query, "cursor": page.next_cursor}

    def item(self, feed_id: str, sort_key: str) -> Item:
        query = {"feed_id": feed_id, "sort_key": sort_key}
        return self._read("/rss_get_item", contract.OneItem, query).item

    def set_states(self, states: Iterable[ItemState]) -> int:
        """Say what is read and what is a favourite; gives how many items were written about.

        Goes in hundreds, and each hundred wholly or not at all.
        """
        remaining = iter(states)
        updated = 0
        while some := list(islice(remaining, STATES_AT_ONCE)):
            ask = contract.SetItemState(items=some)
            answer = self._send("POST", "/rss_set_item_state", ask, contract.StatesSet)
            updated += answer.updated
        return updated

    def mark_all_read(
        self, watermark: str, *, subscription_id: str = "", folder_id: str = ""
    ) -> contract.MarkedRead:
        """Everything up to `watermark` is read: the moment the button was pressed, ISO 8601."""
        ask = contract.MarkAllRead(
            subscription_id=subscription_id, folder_id=folder_id, watermark=watermark
        )
        return self._send("POST", "/rss_mark_all_read", ask, contract.MarkedRead)

    def labels(self) -> list[contract.Label]:
        """By name, with how many items carry each."""
        return self._read("/rss_list_labels", contract.Labels).labels

    def label(
        self, items: Iterable[Item], *, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> int:
        """Put labels on at most 100 items and take others off; gives how many are still there."""
        which = [contract.ItemKey(feed_id=i.feed_id, sort_key=i.sort_key) for i in items]
        ask = contract.LabelItems(items=which, add=list(add), remove=list(remove))
        return self._send("POST", "/rss_label_items", ask, contract.StatesSet).updated

    def rename_label(self, label_id: str, name: str) -> None:
        ask = contract.RenameLabel(label_id=label_id, name=name)
        self._send("PUT", "/rss_rename_label", ask, contract.OneLabelId)

    def delete_label(self, label_id: str) -> None:
        """Take it off everything."""
        ask = contract.DeleteLabel(label_id=label_id)
        self._send("POST", "/rss_delete_label", ask, contract.OneLabelId)

    # -- search and health ------------------------------------------------------------------------

    def search(
        self, query: str = "", *, search_id: str = "", most: int | None = None
    ) -> Iterator[contract.SearchHit]:
        """Hits, the best first, page after page; a saved search by its id instead of a query."""
        given = {"query": query, "search_id": search_id, "limit": str(_page(most))}
        return islice(self._hits({name: value for name, value in given.items() if value}), most)

    def _hits(self, query: dict[str, str]) -> Iterator[contract.SearchHit]:
        while True:
            page = self._read("/rss_search", contract.SearchPage, query)
            yield from page.hits
            if page.next_cursor is None:
                return
            query = {**query, "cursor": page.next_cursor}

    def searches(self) -> list[contract.Search]:
        """Those that have a name."""
        return self._read("/rss_list_searches", contract.Searches).searches

    def save_search(self, name: str, query: str) -> contract.Search:
        """In place of the one that has the name, if there is one."""
        ask = contract.SaveSearch(name=name, query=query)
        return self._send("POST", "/rss_save_search", ask, contract.OneSearch).search

    def delete_search(self, search_id: str) -> None:
        ask = contract.DeleteSearch(search_id=search_id)
        self._send("POST", "/rss_delete_search", ask, contract.DeletedSearch)

    def unread_counts(self) -> contract.UnreadCounts:
        return self._read("/rss_unread_counts", contract.UnreadCounts)

    def fetch_history(self, subscription_id: str) -> contract.FetchHistory:
        """How a feed is doing, its last requests, and its hub."""
        query = {"subscription_id": subscription_id}
        return self._read("/rss_fetch_history", contract.FetchHistory, query)

    # -- rules and push ---------------------------------------------------------------------------

    def rules(self, *, subscription_id: str = "") -> list[str]:
        """Of a subscription, or of the account."""
        query = {"subscription_id": subscription_id}
        return self._read("/rss_get_rules", contract.Rules, query).rules

    def set_rules(self, rules: Iterable[str], *, subscription_id: str = "") -> list[str]:
        """These and no others, one a line: `title:sponsored -> drop`; gives them as kept."""
        ask = contract.SetRules(subscription_id=subscription_id, rules=list(rules))
        return self._send("PUT", "/rss_set_rules", ask, contract.Rules).rules

    def push_key(self) -> str:
        """What a device subscribes with at its push service."""
        return self._read("/rss_push_key", contract.PushKey).key

    def register_device(self, endpoint: str) -> None:
        """Wake a device when something arrives, as long as this token is valid."""
        ask = contract.PushDevice(endpoint=endpoint)
        self._send("POST", "/rss_push_register", ask, contract.PushRegistered)

    def unregister_device(self, endpoint: str) -> None:
        ask = contract.PushDevice(endpoint=endpoint)
        self._send("POST", "/rss_push_unregister", ask, contract.PushRegistered)

    # -- keeping a copy ---------------------------------------------------------------------------

    def item_news(self, subscription_id: str, since: str = "") -> ItemNews:
        """Items in the order in which the server met them; pass `next_since` the next time."""
        query = {"subscription_id": subscription_id, "since": since, "limit": str(PAGE)}
        return self._read("/rss_list_items", ItemNews, query)

    def state_news(self, subscription_id: str, state_since: str = "") -> StateNews:
        """What was said about items; pass `next_state_since` the next time."""
        query = {
            "subscription_id": subscription_id,
            "state_since": state_since,
            "limit": str(PAGE),
        }
        return self._read("/rss_list_items", StateNews, query)

    def events(self, since: str = "") -> Iterator[tuple[str, Any]]:
        """What is new, as it happens, until the server ends the stream (ten minutes).

        Pairs of name and content, see docs/api.md; the last `heard` is where to go on from.
        """
        kinds: dict[str, Any] = {"item": Item, "state": State, "watermark": Watermark}
        headers = {**self._headers, "Last-Event-ID": since}
        try:
            for name, value in self._stream("/rss_events", headers):
                kind = kinds.get(name)
                yield name, msgspec.json.decode(value, type=kind) if kind else value
        except httpx.TransportError as error:
            raise self._unreachable(error) from error

    # -- lists and preferences --------------------------------------------------------------------

    def import_opml(self, opml: str, *, folder_id: str = "") -> contract.ImportedList:
        ask = contract.ImportList(opml=opml, folder_id=folder_id)
        return self._send("POST", "/rss_opml_import", ask, contract.ImportedList)

    def export_opml(self) -> str:
        """The list may hold addresses with secrets in them."""
        return self._read("/rss_opml_export", contract.ExportedList).opml

    def preferences(self) -> Mapping[str, str]:
        return self._read("/get_preferences", contract.Preferences).app

    def set_preferences(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Merged name by name; gives all of them as they are now."""
        ask = contract.Preferences(app=dict(values))
        return self._send("PUT", "/set_preferences", ask, contract.Preferences).app

    # -- over the wire ----------------------------------------------------------------------------

    def _read(self, path: str, kind: type[T], query: Mapping[str, str] | None = None) -> T:
        for tries_left in reversed(range(_TRIES)):
            try:
                answer = self._http.get(
                    self._address + path, params=query or {}, headers=self._headers
                )
            except httpx.TransportError as error:
                if not tries_left:
                    raise self._unreachable(error) from error
                self._sleep(2.0 ** (_TRIES - 1 - tries_left))
                continue
            if answer.status_code not in _STUMBLES or not tries_left:
                return _taken(answer, kind)
            self._sleep(_wait(answer, tried=_TRIES - tries_left))
        raise AssertionError("the last try answers or raises")

    def _send(self, method: str, path: str, ask: msgspec.Struct, kind: type[T]) -> T:
        try:
            answer = self._http.request(
                method,
                self._address + path,
                content=msgspec.json.encode(ask),
                headers={**self._headers, "Content-Type": "application/json"},
            )
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        return _taken(answer, kind)

    def _stream(self, path: str, headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Events with their data, as they come."""
        with self._http.stream(
            "GET", self._address + path, headers=headers, timeout=None
        ) as answer:
            if not answer.is_success:
                answer.read()
                _taken(answer, contract.Problem)
            name = ""
            for line in answer.iter_lines():
                word, _, value = line.partition(": ")
                if word == "event":
                    name = value
                elif word == "data":
                    yield name, value

    def _unreachable(self, error: httpx.TransportError) -> Unreachable:
        reason = str(error) or type(error).__name__
        return Unreachable(f"{self._address} does not answer: {reason}.")


def _page(most: int | None) -> int:
    return PAGE if most is None else max(1, min(most, PAGE))


def _wait(answer: httpx.Response, *, tried: int) -> float:
    """As long as the server asks for, but no longer than a program likes to stand still."""
    asked = answer.headers.get("Retry-After", "")
    seconds = float(asked) if asked.isdecimal() else 2.0 ** (tried - 1)
    return min(seconds, _LONGEST_WAIT_SECONDS)


def _taken(answer: httpx.Response, kind: type[T]) -> T:
    try:
        if answer.is_success:
            return msgspec.json.decode(answer.content, type=kind)
        problem = msgspec.json.decode(answer.content, type=contract.Problem)
    except msgspec.MsgspecError:  # a proxy on the way, or no Wireroom at all
        sentence = f"The server answered {answer.status_code} {answer.reason_phrase}."
        raise Refused(sentence, "unreadable", answer.status_code) from None
    raise Refused(problem.error, problem.code, answer.status_code)
