"""What a running Wireroom does when it is spoken to."""

from types import SimpleNamespace

import pytest

from wireroom import running
from wireroom.settings import Settings


@pytest.mark.parametrize(
    ("parts", "marks"),
    [({"poll"}, True), ({"deliver"}, True), ({"serve"}, False), ({"bots"}, False)],
    ids=lambda each: "".join(each) if isinstance(each, set) else "",
)
def test_rules_are_carried_out_where_feeds_become_one(
    parts: set[running.Part], marks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge waits for rules, so a process that polls must not wait for one that delivers."""
    for package in (running.bots, running.serving):
        for name in ("started", "waking"):
            monkeypatch.setattr(package, name, lambda _: SimpleNamespace(run=None), raising=False)
    monkeypatch.setattr(running.bots, "started", lambda _: {})
    monkeypatch.setattr(running, "_articles", lambda _: SimpleNamespace(run=None))
    works = running._loops(
        SimpleNamespace(settings=Settings()), parts, SimpleNamespace(is_on=False)
    )

    assert marks == ("rules" in works)
