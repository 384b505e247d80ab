"""A reader app that keeps a copy, as the documentation tells it to: the model client.

It knows items, states and the watermark, and computes what is read by the rule of the contract.
What its owner does is shown at once and queued; the queue is sent when there is a network, and
sent again when the answer got lost. What is about things that are not there any more is dropped.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.api.apps import Phone

#: Why a queued call is vain: its subject went, or became part of something else.
GONE = frozenset({"not_subscribed", "unknown_subscription", "unknown_folder", "invalid_item"})
#: Methods and paths are told from each other by what they change.
Call = tuple[str, str, dict[str, Any]]


def send(phone: Phone, calls: list[Call]) -> None:
    for method, path, body in calls:
        answer = phone.send(method, path, content=json.dumps(body))
        assert 200 == answer.status_code or answer.json()["code"] in GONE, answer.text


@dataclass
class Copy:
    """One subscription on one device."""

    phone: Phone
    subscription_id: str
    feed_id: str = ""
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: As an item or a state told them last.
    labels: dict[str, list[str]] = field(default_factory=dict)
    watermark: str = ""
    since: str = ""
    state_since: str = ""
    queue: list[Call] = field(default_factory=list)

    # -- what its owner does ----------------------------------------------------------------------

    def say(self, item: dict[str, Any], **flags: bool) -> None:
        key = item["sort_key"]
        self.queue.append(("POST", "/rss_set_item_state", {"items": [{**_key(item), **flags}]}))
        state = self.states.setdefault(key, {"is_favorite": False, "is_read_explicit": False})
        state.update(flags)
        if "is_read" in flags:
            state["is_read_explicit"] = True

    def label(self, item: dict[str, Any], *, add: list[str], remove: list[str]) -> None:
        key = item["sort_key"]
        fields = {"items": [_key(item)], "add": add, "remove": remove}
        self.queue.append(("POST", "/rss_label_items", fields))
        self.labels[key] = sorted({*self.labels.get(key, ()), *add} - set(remove))

    def mark_all_read(self, tapped_at: str) -> None:
        self.queue.append(
            (
                "POST",
                "/rss_mark_all_read",
                {"subscription_id": self.subscription_id, "watermark": tapped_at},
            )
        )

    # -- what it does when there is a network -----------------------------------------------------

    def send_queue(self, *, answer_is_lost: bool = False) -> None:
        send(self.phone, self.queue)
        if not answer_is_lost:
            self.queue.clear()

    def pull_items(self, limit: int = 50) -> bool:
        """One page; True while there is more."""
        page = self._get(since=self.since, limit=limit)
        if page is None:
            return False
        for item in page["items"]:
            assert item["sort_key"] not in self.items, "told twice"
            self.items[item["sort_key"]] = item
            self.labels[item["sort_key"]] = item["labels"]
        self.since = page["next_since"]
        return bool(page["has_more"])

    def pull_states(self, limit: int = 50) -> bool:
        """One page; True while there is more."""
        page = self._get(state_since=self.state_since, limit=limit)
        if page is None:
            return False
        for state in page["states"]:
            self.states[state["sort_key"]] = state
            self.labels[state["sort_key"]] = state["labels"]
        self.state_since = page["next_state_since"]
        return bool(page["has_more"])

    def pull_watermark(self) -> None:
        listed = self.phone.get("/rss_list_subscriptions")["subscriptions"]
        (own,) = [each for each in listed if each["subscription_id"] == self.subscription_id]
        self.watermark = own["read_watermark"]

    def pull_everything(self, limit: int = 50) -> None:
        self.pull_watermark()
        for pull in (self.pull_items, self.pull_states):
            calls = 0
            while pull(limit):
                calls += 1
                assert calls < 1000, "a sync that does not end"

    def _get(self, **query: object) -> dict[str, Any] | None:
        """None: the subscription is gone, or has another feed; then the copy begins afresh."""
        asked = {"subscription_id": self.subscription_id, **query}
        answer = self.phone.send("GET", "/rss_list_items", params=asked)
        if answer.status_code == 200:
            return dict(answer.json())
        assert answer.json()["code"] in {"unknown_subscription", "invalid_cursor"}, answer.text
        self.begin_afresh()
        return None

    def begin_afresh(self) -> None:
        for known in (self.items, self.states, self.labels):
            known.clear()
        self.since = self.state_since = ""

    # -- what it shows ----------------------------------------------------------------------------

    def shown(self) -> dict[str, tuple[bool, bool]]:
        """(read, favourite) of every item it knows."""
        return {key: self._state(key, item) for key, item in self.items.items()}

    def labels_shown(self) -> dict[str, list[str]]:
        return {key: self.labels[key] for key in self.items}

    def _state(self, key: str, item: dict[str, Any]) -> tuple[bool, bool]:
        state = self.states.get(key)
        if state is None:
            return item["published_at"] <= self.watermark, False
        if state["is_read_explicit"]:
            return state["is_read"], state["is_favorite"]
        return item["published_at"] <= self.watermark, state["is_favorite"]


def _key(item: dict[str, Any]) -> dict[str, Any]:
    return {"feed_id": item["feed_id"], "sort_key": item["sort_key"]}


@dataclass
class Device:
    """All subscriptions of an account on one device, and the folders that they lie in."""

    phone: Phone
    copies: dict[str, Copy] = field(default_factory=dict)
    #: Folders by id with their parents, and where subscriptions lie.
    folders: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    queue: list[Call] = field(default_factory=list)

    def move(self, subscription_id: str, folder_id: str) -> None:
        fields = {"subscription_id": subscription_id, "folder_id": folder_id}
        self.queue.append(("PUT", "/rss_update_subscription", fields))
        self.places[subscription_id] = folder_id

    def send_queue(self, *, answer_is_lost: bool = False) -> None:
        send(self.phone, self.queue)
        if not answer_is_lost:
            self.queue.clear()
        for copy in self.copies.values():
            copy.send_queue(answer_is_lost=answer_is_lost)

    def pull_shelf(self) -> None:
        """Copies of what is gone go; of what has become another feed they begin afresh."""
        shelf = self.phone.get("/rss_list_subscriptions")
        self.folders = {each["folder_id"]: each["parent_folder_id"] for each in shelf["folders"]}
        listed = {each["subscription_id"]: each for each in shelf["subscriptions"]}
        self.places = {which: each["folder_id"] for which, each in listed.items()}
        self.copies = {
            which: self.copies.get(which) or Copy(self.phone, which) for which in listed
        }
        for which, copy in self.copies.items():
            if copy.feed_id not in ("", listed[which]["feed_id"]):
                copy.begin_afresh()
            copy.feed_id = listed[which]["feed_id"]

    def pull_everything(self, limit: int) -> None:
        self.pull_shelf()
        for copy in self.copies.values():
            copy.pull_everything(limit)

    def items_in(self, folder_id: str) -> set[str]:
        """The keys of all items in a folder and those inside it."""
        inside = {folder_id}
        while more := {f for f, parent in self.folders.items() if parent in inside} - inside:
            inside |= more
        return {
            key
            for which, copy in self.copies.items()
            if self.places[which] in inside
            for key in copy.items
        }
