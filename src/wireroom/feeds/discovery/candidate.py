"""What discovery answers with."""

from dataclasses import dataclass
from typing import Literal

Origin = Literal["link element", "link header", "anchor", "site rule", "well-known path"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that may be a feed's; absolute http(s), not yet dialled.

    `title` tells it from the others found with it. `media_type` and `language` are what the page
    says, or "". `origin` says where it was found. Comments below the posts are seldom what people
    want: `is_about_comments` where it looks like those.
    """

    url: str
    title: str = ""
    media_type: str = ""
    origin: Origin = "link element"
    language: str = ""
    is_about_comments: bool = False
