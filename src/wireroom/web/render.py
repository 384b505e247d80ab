"""Templates to pages. Everything is escaped unless `content` made it."""

import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Response
from litestar.datastructures import Cookie

from wireroom.web import content, session
from wireroom.web.room import WebRequest, room_of

STATIC = Path(__file__).parent / "static"


@cache
def static_version() -> str:
    """Part of the address of every static file, so that browsers may keep them for ever."""
    seen = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        seen.update(path.name.encode() + b"\0" + path.read_bytes())
    return seen.hexdigest()[:12]


def static(name: str) -> str:
    return f"/static/{static_version()}/{name}"


def machine_time(moment: datetime) -> str:
    """For `<time datetime>`; script shows it in the viewer's own zone."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def written_time(moment: datetime) -> str:
    """What is read where no script runs."""
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def grouped(number: int) -> str:
    """12345 as 12 345, with a thin space."""
    return f"{number:,}".replace(",", "\u202f")


def tint(number: int) -> int:
    """One of twelve colours for a feed, always the same."""
    return number * 5 % 12


def initial(title: str) -> str:
    """The letter that stands for a feed."""
    return next((letter.upper() for letter in title if letter.isalnum()), "•")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("wireroom.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = static
    environment.filters |= {
        "machine_time": machine_time,
        "written_time": written_time,
        "grouped": grouped,
        "tint": tint,
        "initial": initial,
        "teaser": content.teaser,
        "weblink": content.weblink,
    }
    return environment


def fragment(request: WebRequest, template: str, **values: Any) -> str:
    """A template as text, with what every template may use."""
    viewer = session.viewer_of(request)
    return (
        _environment()
        .get_template(template)
        .render(viewer=viewer, csrf=viewer.csrf, likes=viewer.preferences, **values)
    )


def page(request: WebRequest, template: str, *, status: int = 200, **values: Any) -> Response[str]:
    """A template as an answer."""
    answer = Response(
        fragment(request, template, **values), status_code=status, media_type="text/html"
    )
    viewer = session.viewer_of(request)
    if viewer.is_new and request.scope.get("state", {}).get("viewer") is viewer:
        room = room_of(request)
        made: Cookie = session.cookie(room, session.visit_cookie(room), viewer.secret, None)
        answer.set_cookie(made)
    return answer


def is_partial(request: WebRequest) -> bool:
    """Did script ask, wanting a piece of a page?"""
    return request.headers.get("hx-request") == "true"
