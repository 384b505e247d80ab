"""Keys: which chain, what they ignore, and what they never mix up."""

from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.feeds.publishing import at, item, raw
from wireroom.errors import UserError
from wireroom.feeds.identity import (
    DEFAULT_RULE,
    FIELDS,
    IdentityRule,
    document_keys,
    keys,
    lookup_keys,
)
from wireroom.feeds.model import Item, ParsedFeed, Person, SafeHtml
from wireroom.feeds.traits import content_hash, item_key, place, public_id, sort_key

STORY = item("story", published=at(3))

RULES = [
    DEFAULT_RULE,
    IdentityRule("link", "unique", 3),
    IdentityRule("hash", "shared"),
    IdentityRule.chosen(["title", "link"]),
]


def _primary(**fields: object) -> bytes:
    return keys(replace(STORY, **fields)).primary  # type: ignore[arg-type]


def test_keys_are_128_bits_of_their_kind() -> None:
    """A key has 16 bytes, and equal text makes different keys as guid and as title (B15)."""
    assert 16 == len(item_key("guid", "x"))
    assert item_key("guid", "x") != item_key("title", "x")
    assert item_key("whole", "ab", "c") != item_key("whole", "a", "bc")


def test_primary_key_is_guid_then_link_then_text() -> None:
    """The chain of IDN-08 (C19): each further member counts only when those before are absent."""
    assert _primary() == _primary(link="", title="x", content=None)
    assert _primary() != _primary(guid="other")
    assert _primary(guid=None) == _primary(guid=None, title="x", content=None)
    assert _primary(guid=None) != _primary(guid=None, link="https://example.org/other")
    assert _primary(guid=None, link="") == _primary(guid=None, link="", published=None)
    assert _primary(guid=None, link="") != _primary(guid=None, link="", title="x")


def test_guid_is_opaque() -> None:
    """Case and blanks of a guid count (PRS-08), "0" is one, and an empty one is none (B5)."""
    assert _primary(guid="a") != _primary(guid="A")
    assert _primary(guid="a") != _primary(guid=" a")
    assert _primary(guid="0") != _primary(guid=None)
    assert _primary(guid="") == _primary(guid=None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/a", "https://example.org/a"),
        ("http://www.example.org/a", "http://example.org/a"),
        ("http://example.org/a/", "http://example.org/a"),
        ("http://EXAMPLE.org:80/a", "https://example.org/a"),
        ("http://example.org/a?utm_source=rss", "http://example.org/a"),
        ("http://example.org/a#", "http://example.org/a"),
        ("HTTP://example.org", "http://example.org/"),
    ],
)
def test_addresses_that_are_one_place(one: str, other: str) -> None:
    """Scheme, www., slash, default port and campaign do not make another place (B2)."""
    assert place(one) == place(other) != ""
    assert set(keys(replace(STORY, guid=one)).strong) & set(
        keys(replace(STORY, guid=other)).strong
    )


@pytest.mark.parametrize(
    "other",
    [
        "http://example.org/A",
        "http://example.org/a?p=2",
        "http://example.org/a#v2",
        "http://example.org:8080/a",
        "http://example.com/a",
    ],
)
def test_addresses_that_are_two_places(other: str) -> None:
    """Path, parameters, fragment, port and host tell places apart."""
    assert place("http://example.org/a") != place(other)


@pytest.mark.parametrize(
    "text", ["", "tag:x,2026:1", "0", "httpd", "http://", "http://[bad", "http:"]
)
def test_what_is_no_address_is_no_place(text: str) -> None:
    """Opaque and broken identifiers have no loose form."""
    assert "" == place(text)


def test_weak_and_strong_keys_are_apart() -> None:
    """Under the default rule only the guid is strong; link, title and text support."""
    made = keys(STORY)

    assert made.primary in made.strong
    assert not set(made.strong) & set(made.weak)
    assert {"guid", "moment"} == {named.trait for named in made.named if named.strong}
    assert {"link", "whole", "title", "text"} == {n.trait for n in made.named if not n.strong}
    assert (made.primary, *made.aliases) == tuple(named.key for named in made.named)


def test_text_is_known_by_either_end() -> None:
    """An edit at the start leaves the key of the end, and the other way round (B1)."""
    words = " ".join(f"word{i}" for i in range(100))
    texts = [words, words.replace("word3 ", ""), words.replace("word97 ", "")]
    made = [
        {n.key for n in keys(item("a", text=f"<p>{text}</p>")).named if n.trait == "text"}
        for text in texts
    ]

    assert [1, 1] == [len(made[0] & other) for other in made[1:]]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_rules_survive_the_store(rule: IdentityRule) -> None:
    """A rule is the same after being written and read."""
    assert rule == IdentityRule.parse(str(rule))


@pytest.mark.parametrize(
    "text", ["", "guid", "nonsense shared 0 - 1", "fields shared 0 - 1", "guid a b c d"]
)
def test_unreadable_rule_is_the_default(text: str) -> None:
    """What cannot be read is the rule of a feed never read."""
    assert DEFAULT_RULE == IdentityRule.parse(text)


@given(st.text())
def test_no_text_breaks_the_reading_of_rules(text: str) -> None:
    """Whatever a column holds, a rule comes out."""
    assert isinstance(IdentityRule.parse(text), IdentityRule)


def test_chosen_fields_identify() -> None:
    """With an operator's choice only the chosen fields make the primary key (IDN-11)."""
    rule = IdentityRule.chosen(["title", "link", "colour"])
    made = keys(STORY, rule).primary

    assert frozenset({"title", "link"}) == rule.fields
    assert made == keys(replace(STORY, guid="x", content=None, published=None), rule).primary
    assert made != keys(replace(STORY, title="x"), rule).primary
    assert made != keys(replace(STORY, link=""), rule).primary


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_field_can_be_chosen(field: str) -> None:
    """Each field by itself tells items apart that differ in it alone."""
    other = {
        "link": {"link": "https://example.org/x"},
        "title": {"title": "x"},
        "publication_date": {"published": at(9)},
        "guid": {"guid": "x"},
        "description": {"content": SafeHtml("x")},
        "author": {"authors": (Person("x"),)},
    }[field]
    rule = IdentityRule.chosen([field])

    assert keys(STORY, rule).primary != keys(replace(STORY, **other), rule).primary  # type: ignore[arg-type]


def test_choice_without_a_known_field_is_refused() -> None:
    """Unknown names are dropped; a choice of nothing is an error that says what there is."""
    with pytest.raises(UserError, match="publication_date"):
        IdentityRule.chosen(["colour"])


def test_chosen_fields_that_an_item_lacks_leave_the_chain() -> None:
    """An item without any chosen field is known by guid, link or text."""
    rule = IdentityRule.chosen(["author"])

    assert keys(STORY).primary == keys(STORY, rule).primary


def test_shared_guids_are_no_keys_of_a_document() -> None:
    """Items that share a guid fall back to links, and those that share links to their text."""
    one, two = item("one", guid="same"), item("two", guid="same")
    links = [each.primary for each in document_keys([one, two])]
    bare = [raw(replace(each, link="")) for each in (one, two)]

    assert [keys(replace(each, guid=None)).primary for each in (one, two)] == links
    assert [keys(replace(each, guid=None)).primary for each in bare] == [
        each.primary for each in document_keys(bare)
    ]


hostile = st.builds(
    Item,
    digest=st.binary(min_size=16, max_size=16),
    guid=st.none()
    | st.sampled_from(["", "0", "g", "http://x.org/", "https://www.x.org"])
    | st.text(),
    link=st.sampled_from(["", "http://x.org/", "https://x.org/a"]) | st.text(),
    title=st.sampled_from(["", "T", "t!"]) | st.text(),
    content=st.none() | st.sampled_from(["", "<p>", "text"]) | st.text(),
    published=st.none() | st.sampled_from([at(0), at(1), datetime(1, 1, 1, tzinfo=UTC)]),
)


@given(st.lists(hostile, max_size=12), st.sampled_from(RULES))
def test_keys_of_a_document_never_collide(items: list[Item], rule: IdentityRule) -> None:
    """Two stories of a document share no key, and every key is one that is looked up."""
    made = document_keys(items, rule)
    looked_up = set(lookup_keys(ParsedFeed("rss", items=tuple(items)), rule))
    stories = {each.primary: set(each.strong) | set(each.weak) for each in made}
    every = [key for own in stories.values() for key in own]

    assert len(items) == len(made)
    assert len(every) == len(set(every))
    assert looked_up >= set(every)


def test_content_hash_sees_what_readers_see() -> None:
    """Title, author, link, text and media count (IDN-12)."""
    changes: list[dict[str, object]] = [
        {"title": "x"},
        {"authors": (Person("x"),)},
        {"link": "https://example.org/x"},
        {"summary": SafeHtml("x")},
        {"content": SafeHtml("x")},
    ]
    hashes = {content_hash(replace(STORY, **change)) for change in [{}, *changes]}  # type: ignore[arg-type]

    assert 6 == len(hashes)
    assert {16} == {len(each) for each in hashes}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Some  text</p>\n<p>more</p>", "<p>Some text</p><p>more </p>"),
        ("<p>Text</p> 3 comments", "<p>Text</p> 14 comments"),
        ("<p>Text</p><p>Comments (3)</p>", "<p>Text</p><p>Comments (0)</p>"),
        ('<img src="https://x.org/a.png?w=3">', '<img src="https://x.org/a.png?w=4&amp;s=1">'),
        ('<a href="https://x.org/a?session=1">a</a>', '<a href="https://x.org/a">a</a>'),
    ],
)
def test_content_hash_is_blind_to_noise(before: str, after: str) -> None:
    """White space, comment counts and parameters are no edit."""
    one, other = (replace(STORY, content=SafeHtml(text)) for text in (before, after))

    assert content_hash(one) == content_hash(other)


def test_content_hash_is_blind_to_dates() -> None:
    """A bumped date is no edit (B7)."""
    assert content_hash(STORY) == content_hash(replace(STORY, published=None, updated=at(99)))


def test_public_id() -> None:
    """APIs show the guid, else the link, else a hash of title and body."""
    bare = replace(STORY, guid=None, link="", title="T", content=SafeHtml("B"))

    assert STORY.guid == public_id(STORY)
    assert STORY.link == public_id(replace(STORY, guid=None))
    assert "sha256:" + sha256(b"T\nB").hexdigest() == public_id(bare)


def test_what_was_only_updated_stands_there() -> None:
    """An entry of Atom need not say more than when it was updated (PRS-13)."""
    updated = replace(STORY, published=None, updated=at(-5))

    assert at(-5) == sort_key(updated, at(0))
    assert at(-9) == sort_key(replace(updated, published=at(-9)), at(0))


@pytest.mark.parametrize(
    ("published", "expected"),
    [(at(-5), at(-5)), (at(5), at(0)), (None, at(0))],
    ids=["past", "future", "none"],
)
def test_sort_key(published: datetime | None, expected: datetime) -> None:
    """Items stand where they were published, at the latest where we met them (B11, B12)."""
    assert expected == sort_key(replace(STORY, published=published), at(0))
