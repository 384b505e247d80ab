import re
from pathlib import Path
from typing import Any

from wireroom.feeds import adapters
from wireroom.feeds.model import Digest, Item, ParsedFeed, SafeHtml

_PAGE = Path(__file__).parents[3] / "docs" / "adapters.md"


def test_the_adapter_of_the_documentation_works() -> None:
    """What authors copy does what the page says."""
    source = re.search(r"```python\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert source is not None
    module: dict[str, Any] = {"__name__": "widgetshop"}
    exec(source[1], module)
    widget = Item(Digest(b"1" * 16), guid="1", title="A widget (5 EUR)", summary=SafeHtml("x"))
    screw = Item(Digest(b"2" * 16), guid="2", title="A screw", categories=("spare-parts",))

    found = adapters.applied(module["ADAPTER"], ParsedFeed("rss", items=(widget, screw)))

    assert () == found.warnings
    assert [("1", "A widget", "x")] == [(i.guid, i.title, i.summary) for i in found.items]


def test_every_adapter_is_documented() -> None:
    """The page lists all choices by name."""
    page = _PAGE.read_text(encoding="utf-8")

    assert [] == [name for name in adapters.CHOICES if f"| `{name}` |" not in page]
