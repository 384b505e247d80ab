"""Summary and content of an item, chosen among all the elements that publishers put them in."""

from collections.abc import Callable, Sequence

from wireroom.feeds import media
from wireroom.feeds.elements import Element, Fields, Reading
from wireroom.feeds.limits import MAX_SUMMARY
from wireroom.feeds.model import SafeHtml

#: From an element to the raw HTML that it stands for; formats differ in that.
RawHtml = Callable[[Reading, Element], str]


def read(
    reading: Reading,
    fields: Fields,
    *,
    contents: Sequence[str],
    summaries: Sequence[Sequence[str]],
    raw_html: RawHtml,
    preferred_bases: tuple[str, ...],
) -> tuple[SafeHtml | None, SafeHtml | None]:
    """(summary, content) of an item.

    The longest of the fields called `contents`, and the longest of the first group of `summaries`
    that holds anything. A summary that says the same as the content is left out (PRS-17); one that
    is too long for a summary is the content.
    """
    content_raw, content_element = _longest(reading, fields, contents, raw_html)
    summary_raw, summary_element = "", None
    for names in summaries:
        summary_raw, summary_element = _longest(reading, fields, names, raw_html)
        if summary_element is not None:
            break
    if content_element is None and len(summary_raw) > MAX_SUMMARY:
        content_raw, content_element, summary_element = summary_raw, summary_element, None
    content = summary = None
    if content_element is not None:
        content = reading.html(content_raw, reading.html_base(content_element, *preferred_bases))
    if summary_element is not None and summary_raw != content_raw:
        base = reading.html_base(summary_element, *preferred_bases)
        summary = reading.html(summary_raw[:MAX_SUMMARY], base)
    if summary and content and summary.strip() == content.strip():
        summary = None
    return summary, content


def _longest(
    reading: Reading, fields: Fields, names: Sequence[str], raw_html: RawHtml
) -> tuple[str, Element | None]:
    longest, chosen = "", None
    for name in names:
        for element in fields.get(name, ()):
            raw = raw_html(reading, element)
            if name == "media:description":
                raw = media.described(raw)
            if len(raw) > len(longest) and not raw.isspace():
                longest, chosen = raw, element
    return longest, chosen
