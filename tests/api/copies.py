"""A reader app that keeps a copy, as the documentation tells it to: the model client.

It knows items, states and the watermark, and computes what is read by the rule of the contract.
What its owner does is shown at once and queued; the queue is sent when there is a network, and
sent again when the answer got lost.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.api.apps import Phone


@dataclass
class Copy:
    """One subscription on one device."""

    phone: Phone
    subscription_id: str
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    watermark: str = ""
    since: str = ""
    state_since: str = ""
    queue: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    # -- what its owner does ----------------------------------------------------------------------

    def say(self, item: dict[str, Any], **flags: bool) -> None:
        key = item["sort_key"]
        self.queue.append(("/rss_set_item_state", {"items": [{**_key(item), **flags}]}))
        state = self.states.setdefault(key, {"is_favorite": False, "is_read_explicit": False})
        state.update(flags)
        if "is_read" in flags:
            state["is_read_explicit"] = True

    def mark_all_read(self, tapped_at: str) -> None:
        self.queue.append(
            (
                "/rss_mark_all_read",
                {"subscription_id": self.subscription_id, "watermark": tapped_at},
            )
        )

    # -- what it does when there is a network -----------------------------------------------------

    def send_queue(self, *, answer_is_lost: bool = False) -> None:
        for path, body in self.queue:
            self.phone.post(path, **body)
        if not answer_is_lost:
            self.queue.clear()

    def pull_items(self, limit: int = 50) -> bool:
        """One page; True while there is more."""
        page = self._get(since=self.since, limit=limit)
        for item in page["items"]:
            assert item["sort_key"] not in self.items, "told twice"
            self.items[item["sort_key"]] = item
        self.since = page["next_since"]
        return bool(page["has_more"])

    def pull_states(self, limit: int = 50) -> bool:
        """One page; True while there is more."""
        page = self._get(state_since=self.state_since, limit=limit)
        for state in page["states"]:
            self.states[state["sort_key"]] = state
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

    def _get(self, **query: object) -> dict[str, Any]:
        return self.phone.get("/rss_list_items", subscription_id=self.subscription_id, **query)

    # -- what it shows ----------------------------------------------------------------------------

    def shown(self) -> dict[str, tuple[bool, bool]]:
        """(read, favourite) of every item it knows."""
        return {key: self._state(key, item) for key, item in self.items.items()}

    def _state(self, key: str, item: dict[str, Any]) -> tuple[bool, bool]:
        state = self.states.get(key)
        if state is None:
            return item["published_at"] <= self.watermark, False
        if state["is_read_explicit"]:
            return state["is_read"], state["is_favorite"]
        return item["published_at"] <= self.watermark, state["is_favorite"]


def _key(item: dict[str, Any]) -> dict[str, Any]:
    return {"feed_id": item["feed_id"], "sort_key": item["sort_key"]}
