"""What passes a filter and what does not, and the reason that people are told."""

import time

import pytest

from wireroom.errors import UserError
from wireroom.feeds.filters import Subject, matches, parse

ENTRY = Subject(
    title="Rust 1.90 is out",
    text="The release brings naïve café parsing and\n  faster   builds. Привет, мир!",
    author="Ada Lovelace",
    categories=("Programming", "Free Software"),
    url="https://blog.example.org/2026/rust?page=1",
    feed="Harbour News",
    language="de-AT",
    things=frozenset(("image", "enclosure")),
)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        pytest.param("rust", True, id="word in another case"),
        pytest.param("uil", True, id="part of a word"),
        pytest.param("golang", False, id="absent"),
        pytest.param('"faster builds"', True, id="phrase over other blanks"),
        pytest.param('"builds faster"', False, id="phrase in another order"),
        pytest.param("cafe\u0301", True, id="another composition"),
        pytest.param("ПРИВЕТ", True, id="case of other scripts"),
        pytest.param("harbour", False, id="the feed's title is no part of everything"),
        pytest.param("feed:harbour", True, id="but a field"),
        pytest.param("title:release", False, id="field without it"),
        pytest.param("text:release", True, id="field with it"),
        pytest.param("author:ada", True, id="author"),
        pytest.param("category:free", True, id="category"),
        pytest.param('category:"programming free"', False, id="no phrase over two categories"),
        pytest.param("url:blog.example", True, id="url"),
        pytest.param("lang:de", True, id="language of a region"),
        pytest.param("lang:de-ch", False, id="another region"),
        pytest.param("lang:en", False, id="another language"),
        pytest.param("has:image -has:video", True, id="things"),
        pytest.param("words>5 words<20", True, id="length"),
        pytest.param("words=11", True, id="exact length"),
        pytest.param(r"/rust \d\.\d+/", True, id="expression"),
        pytest.param(r"title:/^rust/", True, id="expression in a field"),
        pytest.param(r"/\bпривет\b/", True, id="word boundary of other scripts"),
        pytest.param(r"/\bприве\b/", False, id="inside a word of other scripts"),
        pytest.param(r"/\bcafé\b/", True, id="accent at the boundary"),
        pytest.param(r"/\b(golang|rust)\b/", True, id="boundaries around a group"),
        pytest.param(r"/na\w+ve/", True, id="letters with accents"),
        pytest.param(r"/[\w-]+\.example/", True, id="class of letters"),
        pytest.param(r"/faster\b.*\bbuilds/", True, id="boundary in the middle"),
        pytest.param(r"/\Qrust?page\E/", True, id="quoted expression"),
        pytest.param("golang, rust, !hiring", True, id="list"),
        pytest.param("rust, !free software", False, id="list with an exclusion that holds"),
        pytest.param("!hiring", True, id="only an exclusion"),
    ],
)
def test_entries_pass_or_not(text: str, passes: bool) -> None:
    """Each filter against one entry."""
    assert passes is matches(parse(text), ENTRY).passes


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("rust", "matches rust"),
        ("golang", "does not match golang"),
        ("golang OR title:rust", "matches title:rust"),
        ("rust golang", "does not match golang"),
        ("golang, !hiring", "does not match golang"),
        ("rust, !café", 'left out by "café"'),
        ("rust !title:rust", "left out by title:rust"),
        ("!(golang OR café)", 'left out by "café"'),
        ("!(rust golang)", 'free of "golang"'),
        ("!hiring", 'free of "hiring"'),
        ("!(!rust)", "matches rust"),
        ("!(!golang)", "does not match golang"),
        ("golang OR perl", "does not match golang OR perl"),
    ],
)
def test_the_reason_is_the_part_that_decided(text: str, because: str) -> None:
    """Whoever asks why is told the smallest part that explains it."""
    assert because == matches(parse(text), ENTRY).because


def test_words_may_be_looked_for_in_the_message() -> None:
    """Where the rendered text is given, a word without a field is looked for there (TGD-37)."""
    shown = Subject(title="Rust", feed="Harbour News", everywhere="Harbour News\nRust")

    assert matches(parse("harbour"), shown).passes


@pytest.mark.parametrize("pattern", [r"[\W]", r"[^\S]", r"при\bвет"])
def test_what_the_engine_cannot_mean_is_refused(pattern: str) -> None:
    """Nothing that would silently mean something else is accepted."""
    with pytest.raises(UserError):
        parse(f"/{pattern}/")


def test_hostile_expressions_take_no_time() -> None:
    """What hangs other engines ends at once, on the longest text looked at (SEC-12)."""
    started = time.monotonic()
    verdict = matches(parse(r"/(a+)+$/"), Subject(text="a" * 200_000 + "!"))

    assert not verdict.passes
    assert time.monotonic() - started < 10


def test_halves_of_characters_do_no_harm() -> None:
    """A lone surrogate in a text or in an expression is no accident."""
    assert matches(parse("/x/"), Subject(text="\ud800x")).passes
    with pytest.raises(UserError):
        parse("/\ud800/")
