"""`/text/FEED/NUMBER/SIGNATURE`: one entry in full, for whoever was sent its address.

Messages that were cut lead here where a route wishes so. No session is looked at, nothing is
loaded but pictures, and no script runs.
"""

from collections.abc import Awaitable, Callable
from html import escape
from typing import Any, Final

from litestar import Response, Router, get
from litestar.params import FromPath

from wireroom.delivery.pages import PATH, Pages
from wireroom.feeds.writing import Written
from wireroom.web.session import MACHINE

_HEADERS: Final = {
    "Cache-Control": "private, max-age=300",
    "Content-Security-Policy": (
        "default-src 'none'; img-src https: http:; media-src https: http:; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
_STYLE: Final = (
    ":root{color-scheme:light dark}body{max-width:42rem;margin:2rem auto;padding:0 1rem;"
    "font:1.1rem/1.6 Georgia,serif;overflow-wrap:anywhere}img,video{max-width:100%;height:auto}"
    "pre{overflow-x:auto}header p{opacity:.7}"
)

FullText = Callable[[int, int], Awaitable[Written | None]]


def router(pages: Pages, full_text: FullText) -> Router:
    """The route below `PATH`, to be mounted beside the pages."""

    @get("/{feed_id:int}/{seq:int}/{signature:str}", opt=MACHINE)
    async def text(
        feed_id: FromPath[int], seq: FromPath[int], signature: FromPath[str]
    ) -> Response[Any]:
        """200 with the page, else 404."""
        found = await full_text(feed_id, seq) if pages.is_ours(feed_id, seq, signature) else None
        if found is None:
            return Response("There is no such text.", status_code=404, media_type="text/plain")
        return Response(_page(found), media_type="text/html", headers=_HEADERS)

    return Router(PATH, route_handlers=[text], include_in_schema=False)


def _page(entry: Written) -> str:
    title = escape(entry.title or entry.source or "Untitled")
    said_by = " · ".join(filter(None, (entry.source, entry.author, f"{entry.published:%Y-%m-%d}")))
    link = f'<p><a href="{escape(entry.link)}" rel="noreferrer">{escape(entry.link)}</a></p>'
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><article><header><h1>{title}</h1>"
        f"<p>{escape(said_by)}</p></header>{entry.html}</article>"
        f"{link if entry.link else ''}</body></html>"
    )
