"""What libxml2 complains of, in the words of people who write feeds."""

import re
from dataclasses import replace

from wireroom.feeds import model, xml

_SENTENCES = (
    (r"xmlParseEntityRef: no name", "a bare & stands where &amp; is meant"),
    (r"EntityRef: expecting ';'", "a bare &, or a reference without its semicolon"),
    (r"Entity '(\w+)' not defined", r"&\1; is a name of HTML that XML does not know"),
    (
        r"Namespace prefix ([\w.-]+) (?:for \S+ )?on (\S+) is not defined",
        r"\2 has the prefix \1, which is declared nowhere (xmlns:\1 is missing)",
    ),
    (
        r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)",
        r"</\3> stands where <\1> of line \2 is still open",
    ),
    (r"PCDATA invalid Char value (\d+)", r"a control character (number \1) that XML forbids"),
    (r"StartTag: invalid element name", "a bare < stands where &lt; is meant"),
    (
        r"Premature end of data in tag (\S+) line (\d+)",
        r"the document ends while <\1> of line \2 is open",
    ),
    (r"CData section not finished.*", "a CDATA section has no end (]]>)"),
    (r"AttValue: \" or ' expected", "the value of an attribute has no quotes"),
    (r"Attribute (\S+) redefined", r"the attribute \1 stands twice in one element"),
    (r"Specification mandates value for attribute (\S+)", r"the attribute \1 has no value"),
    (r"Extra content at the end of the document", "something stands behind the end of the feed"),
    (r"Document is empty|Start tag expected, '<' not found", "no element was found"),
    (r"Unescaped '<' not allowed in attributes values", "a bare < in the value of an attribute"),
)
_KNOWN = tuple((re.compile(pattern), sentence) for pattern, sentence in _SENTENCES)


def in_words(warning: model.Warning) -> model.Warning:
    """`warning`, in plain words where it is one of libxml2's own that is known."""
    if not xml.is_problem(warning):
        return warning
    told = warning.text.removeprefix(xml.BROKEN)
    for pattern, sentence in _KNOWN:
        if found := pattern.fullmatch(told):
            return replace(warning, text=found.expand(sentence))
    return warning
