"""What the rules about single sites look at, and what they answer with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import parse_qsl, quote, unquote, urlsplit


class SiteFeed(NamedTuple):
    """A feed that a site is known to have; `title` tells it from the site's other feeds."""

    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Address:
    """A web address taken apart once, for all rules.

    `host` is lower case and without "www."; `parts` are the path's segments, decoded, without
    empty ones; `query` keeps the first value of a repeated key; `origin` is scheme, host and port.
    """

    url: str
    origin: str
    host: str
    parts: tuple[str, ...]
    query: Mapping[str, str]

    @classmethod
    def of(cls, url: str) -> Self | None:
        """Take `url` apart; None when it is no http(s) address with a host."""
        try:
            split = urlsplit(url)
            host = (split.hostname or "").rstrip(".")
            port = f":{split.port}" if split.port is not None else ""
        except ValueError:
            return None
        if split.scheme not in ("http", "https") or not host:
            return None
        bare = f"[{host}]" if ":" in host else host
        return cls(
            url=url,
            origin=f"{split.scheme}://{bare}{port}",
            host=host.removeprefix("www."),
            parts=tuple(unquote(part) for part in split.path.split("/") if part),
            query=dict(reversed(parse_qsl(split.query, max_num_fields=100)))
            if split.query.count("&") < 100
            else {},
        )

    def under(self, *domains: str) -> bool:
        """Whether the host is one of `domains` or below one of them."""
        return any(self.host == name or self.host.endswith("." + name) for name in domains)

    def part(self, index: int) -> str:
        """The path segment at `index`, or "" where the path is shorter."""
        return self.parts[index] if index < len(self.parts) else ""

    def at(self, path: str) -> str:
        """The absolute address of `path` (which begins with "/") on the same host."""
        return self.origin + path


@dataclass(frozen=True, slots=True)
class Page:
    """A web page as the rules see it: its address, its source, and the facts in its head.

    `metas` maps the lower-case name, property or itemprop of a meta element to its content (the
    first of each name). `links` are (lower-case rel, absolute href) of all link elements in
    document order.
    """

    address: Address
    source: str
    metas: Mapping[str, str]
    links: tuple[tuple[str, str], ...]

    @property
    def generator(self) -> str:
        """The software that the page says it was made with, lower case."""
        return self.metas.get("generator", "").lower()

    def linked(self, rel: str) -> str:
        """The first address linked with `rel` among its relations, or ""."""
        return next((href for rels, href in self.links if rel in rels.split()), "")


def segment(text: str) -> str:
    """`text` as one path segment or one query value: nothing in it can open a new one."""
    return quote(text, safe="@:~!$'()*,")
