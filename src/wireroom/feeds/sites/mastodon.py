"""Mastodon and its kin: a person's public posts at /@name.rss, a hashtag's at /tags/name.rss."""

import re
from collections.abc import Iterator
from dataclasses import replace

from wireroom.feeds.sites.address import Address, SiteFeed, segment

# Hosts where /@name means something else and another module knows what.
_OTHERS = (
    "youtube.com", "medium.com", "substack.com", "tiktok.com", "threads.net", "threads.com",
    "odysee.com", "hashnode.com",
)  # fmt: skip

# What follows /users/ where it is the ActivityPub name of a person, or of something they wrote.
_PERSON = re.compile(r"(?!sign_(?:in|up)$)(?=.*[a-z])\w+(?:[.-]+\w+)*", re.ASCII | re.IGNORECASE)
_BELOW_PERSON = frozenset({"", "statuses", "outbox", "followers", "following", "collections"})


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Any host may run it, so the shape of the path is all there is to go by.

    /@name@elsewhere is a person of another host: their feed is at home, over there.
    """
    if address.part(0) in ("web", "deck") and address.part(1).startswith("@"):
        address = replace(address, parts=address.parts[1:])  # as its web apps have it
    elif address.part(0) == "users" and _is_person(address):
        address = replace(address, parts=("@" + address.part(1), *address.parts[2:]))
    name = address.part(0).removeprefix("@")
    if address.under(*_OTHERS) or not name:
        return
    if address.part(0).startswith("@") and not name.endswith(".rss"):
        person, _, home = name.partition("@")
        origin = f"https://{home}" if home else address.origin
        if person and "/" not in home:
            profile = f"{origin}/@{segment(person)}"
            yield from _listing(profile, address.parts[1:])
            yield SiteFeed(f"{profile}.rss", f"@{person}")


def hashtag(address: Address) -> Iterator[SiteFeed]:
    """What is said under a tag; on most hosts /tags/name is something else."""
    kind, name = (*address.parts, "", "")[:2]
    if kind == "tags" and len(address.parts) == 2 and not name.endswith(".rss"):
        yield SiteFeed(address.at(f"/tags/{segment(name)}.rss"), "#" + name)


def _is_person(address: Address) -> bool:
    return bool(_PERSON.fullmatch(address.part(1))) and address.part(2) in _BELOW_PERSON


def _listing(profile: str, view: tuple[str, ...]) -> Iterator[SiteFeed]:
    """The feed of what the page itself lists, where that is not a person's posts as such."""
    if view in (("with_replies",), ("media",)):
        yield SiteFeed(f"{profile}/{view[0]}.rss", view[0].replace("_", " "))
    elif view[:1] == ("tagged",) and len(view) == 2 and not view[1].endswith(".rss"):
        yield SiteFeed(f"{profile}/tagged/{segment(view[1])}.rss", "#" + view[1])
