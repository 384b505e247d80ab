"""Summary and content of an item, chosen among all the elements that publishers put them in."""

from collections.abc import Callable

from wireroom.feeds import media
from wireroom.feeds.choices import Choices
from wireroom.feeds.elements import Element, Fields, Reading
from wireroom.feeds.limits import MAX_SUMMARY
from wireroom.feeds.model import SafeHtml

#: From an element to the raw HTML that it stands for; formats differ in that.
RawHtml = Callable[[Reading, Element], str]
Names = tuple[str, ...]


class Bodies:
    """Where a format's items may have their texts.

    The content is the longest of the fields called `contents`, the summary the longest of the
    first group of `summaries` that holds anything.
    """

    def __init__(self, contents: Names, summaries: tuple[Names, ...], raw_html: RawHtml) -> None:
        self._contents = contents
        self._summaries = summaries
        self._raw_html = raw_html
        self._choices = Choices(self._present)

    def read(
        self, reading: Reading, fields: Fields, preferred_base: str
    ) -> tuple[SafeHtml | None, SafeHtml | None]:
        """(summary, content) of an item.

        A summary that says the same as the content is left out (PRS-17); one that is too long for
        a summary is the content.
        """
        contents, summaries = self._choices.of(fields)
        content_raw, content_element = self._longest(reading, fields, contents)
        summary_raw, summary_element = "", None
        for names in summaries:
            summary_raw, summary_element = self._longest(reading, fields, names)
            if summary_element is not None:
                break
        if content_element is None and len(summary_raw) > MAX_SUMMARY:
            content_raw, content_element, summary_element = summary_raw, summary_element, None
        content = summary = None
        if content_element is not None:
            base = reading.html_base(content_element, preferred_base)
            content = reading.html(content_raw, base)
        if summary_element is not None and summary_raw != content_raw:
            base = reading.html_base(summary_element, preferred_base)
            summary = reading.html(summary_raw[:MAX_SUMMARY], base)
        if summary and content and summary.strip() == content.strip():
            summary = None
        return summary, content

    def _present(self, names: Names) -> tuple[Names, tuple[Names, ...]]:
        groups = (_among(names, group) for group in self._summaries)
        return _among(names, self._contents), tuple(filter(None, groups))

    def _longest(
        self, reading: Reading, fields: Fields, names: Names
    ) -> tuple[str, Element | None]:
        longest, chosen = "", None
        for name in names:
            for element in fields.get(name, ()):
                raw = self._raw_html(reading, element)
                if name == "media:description":
                    raw = media.described(raw)
                if len(raw) > len(longest) and not raw.isspace():
                    longest, chosen = raw, element
        return longest, chosen


def _among(names: Names, known: Names) -> Names:
    return tuple(name for name in known if name in names)
