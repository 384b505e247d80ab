"""Authors: one person from "mail (Name)", "Name <mail>", Atom's elements or a bare name."""

import re
from collections.abc import Iterable, Sequence

from wireroom.feeds.elements import Element, Fields, Reading, as_text, as_url
from wireroom.feeds.limits import MAX_LIST, MAX_NAME
from wireroom.feeds.model import Person

_MAIL_THEN_NAME = re.compile(r"(?:mailto:)?([^\s()<>,]+@[^\s()<>,]+)\s*\((.*)\)")
_NAME_THEN_MAIL = re.compile(r"(.*?)\s*[<(\[]\s*(?:mailto:)?([^\s()<>,]+@[^\s()<>,\]]+)\s*[)>\]]")
_MAIL = re.compile(r"(?:mailto:)?([^\s()<>,@]+@[^\s()<>,@]+\.[^\s()<>,@]+)")


def from_text(text: str) -> Person | None:
    """The person that a line of text names; None for an empty line."""
    if "@" in text:
        if match := _MAIL_THEN_NAME.fullmatch(text):
            return Person(name=match[2].strip(), email=match[1])
        if match := _NAME_THEN_MAIL.fullmatch(text):
            return Person(name=match[1].strip(" \"'"), email=match[2])
        if match := _MAIL.fullmatch(text):
            return Person(email=match[1])
    if text.startswith("(") and text.endswith(")"):  # what is left of "mail (Name)" without mail
        text = text[1:-1].strip()
    return Person(name=text) if text else None


def from_element(reading: Reading, element: Element) -> Person | None:
    """A person written as Atom does, with name, email and uri inside, or as one line of text."""
    if not len(element):
        return from_text(_line(reading.raw(element)))
    fields = reading.fields(element)
    inner = {key.rpartition(":")[2]: value[0] for key, value in reversed(fields.items())}
    name = _line(reading.raw(inner["name"])) if "name" in inner else ""
    email = _line(reading.raw(inner["email"])) if "email" in inner else ""
    address = inner.get("uri", inner.get("url", inner.get("homepage")))
    url = "" if address is None else as_url(reading.base(address), reading.raw(address).strip())
    if not (name or email or url):
        return from_text(_line(reading.raw(element)))
    if name and not email:
        person = from_text(name) or Person(name=name)
        return Person(person.name, person.email, url)
    return Person(name, email, url)


def in_fields(reading: Reading, fields: Fields, names: Sequence[str]) -> tuple[Person, ...]:
    """Everyone in the first of the fields called `names` that names anyone.

    A mail address is no name, and is taken only where no field has one (PRS-16).
    """
    nameless: tuple[Person, ...] = ()
    for name in names:
        elements = fields.get(name, [])[:MAX_LIST]
        found = unique([from_element(reading, element) for element in elements])
        if any(person.name for person in found):
            return found
        nameless = nameless or found
    return nameless


def unique(people: Iterable[Person | None]) -> tuple[Person, ...]:
    """The same people in the same order, each once."""
    return tuple(dict.fromkeys([person for person in people if person is not None]))


def _line(raw: str) -> str:
    return as_text(raw, MAX_NAME) if raw else ""
