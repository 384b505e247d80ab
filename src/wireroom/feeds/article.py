"""The text of a web page without what stands around it, as `SafeHtml`.

Extraction is trafilatura's (its fast way was the best of those measured, at half the time). It may
be slow or worse on hostile pages: run it in a worker under a time limit.
"""

import re

from wireroom.feeds import sanitize, webpage
from wireroom.feeds.model import SafeHtml

#: Shorter texts are cookie notices, error pages and the like.
LEAST_CHARS = 200

# Patterns for the extractor's output and the sanitiser's.
_DOUBLED_PRE = re.compile(r"<pre>\s*<pre>(.*?)</pre>\s*</pre>", re.DOTALL)
_FIRST_HEADING = re.compile(r"\s*<h1>(.*?)</h1>", re.DOTALL)


def extract(
    page: bytes, *, url: str, content_type: str = "", title: str = "", least: int = LEAST_CHARS
) -> SafeHtml | None:
    """The article of a page; None where there is none to speak of.

    A heading that repeats `title` is left out; `least` are the characters of plain text under
    which it counts as none.
    """
    import trafilatura  # 30 MB, for those who want articles

    source = webpage.decoded(page, content_type=content_type)
    extracted = trafilatura.extract(
        source,
        url=url,
        output_format="html",
        fast=True,
        include_comments=False,
        include_formatting=True,
        include_images=True,
        include_links=True,
        include_tables=True,
    )
    if not extracted:
        return None
    clean = sanitize.html(_DOUBLED_PRE.sub(r"<pre>\1</pre>", extracted), base_url=url)
    heading = _FIRST_HEADING.match(clean)
    if heading and sanitize.text(heading[1]).casefold() == title.strip().casefold():
        clean = SafeHtml(clean[heading.end() :])
    clean = SafeHtml(clean.strip())
    return clean if len(sanitize.text(clean)) >= least else None
