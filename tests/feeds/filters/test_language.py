"""The filter language: what people write, what it means, and how refusals are worded."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wireroom.errors import UserError
from wireroom.feeds.filters import Filter, parse, unparse
from wireroom.feeds.filters.tree import (
    And,
    Has,
    Language,
    Length,
    Not,
    Or,
    Regex,
    Word,
    both,
    either,
)

RUST, GO, C = Word("rust"), Word("go"), Word("c++")

MEANINGS = [
    pytest.param("rust", RUST, id="one word"),
    pytest.param("rust go", And((RUST, GO)), id="two words"),
    pytest.param("rust AND go", And((RUST, GO)), id="and"),
    pytest.param("rust and go", And((RUST, Word("and"), GO)), id="small and is a word"),
    pytest.param("rust OR go c++", Or((RUST, And((GO, C)))), id="and binds closer"),
    pytest.param("(rust OR go) c++", And((Or((RUST, GO)), C)), id="brackets"),
    pytest.param('"open  source"', Word("open source"), id="phrase"),
    pytest.param(r'"say \"hi\""', Word('say "hi"'), id="quote in a phrase"),
    pytest.param('"title:"', Word("title:"), id="name of a field in quotes"),
    pytest.param("-rust", Not(RUST), id="minus"),
    pytest.param("!rust go", And((Not(RUST), GO)), id="exclamation"),
    pytest.param("NOT (rust OR go)", Not(Or((RUST, GO))), id="not"),
    pytest.param("x-ray", Word("x-ray"), id="hyphen within a word"),
    pytest.param("title:rust", Word("rust", "title"), id="field"),
    pytest.param('TAG:"free software"', Word("free software", "category"), id="other name"),
    pytest.param("-author:bob", Not(Word("bob", "author")), id="not in a field"),
    pytest.param("https://example.org/x", Word("https://example.org/x"), id="address"),
    pytest.param("10:30", Word("10:30"), id="a time is a word"),
    pytest.param("lang:pt-BR", Language("pt-br"), id="language"),
    pytest.param("has:image", Has("image"), id="has"),
    pytest.param("words>=300", Length(">=", 300), id="length"),
    pytest.param("words < 50 rust", And((Length("<", 50), RUST)), id="length with blanks"),
    pytest.param("/ru(st|by) [0-9]+/", Regex("ru(st|by) [0-9]+"), id="expression"),
    pytest.param(r"url:/\/blog\//", Regex("/blog/", "url"), id="slashes in an expression"),
    pytest.param("rust,go", Or((RUST, GO)), id="list"),
    pytest.param("rust lang, go", Or((Word("rust lang"), GO)), id="phrases in a list"),
    pytest.param("rust, go, !c++", And((Or((RUST, GO)), Not(C))), id="list with an exclusion"),
    pytest.param("!rust, !go on", And((Not(RUST), Not(Word("go on")))), id="only exclusions"),
    pytest.param(" rust , , go,", Or((RUST, GO)), id="sloppy list"),
    pytest.param("title:rust, go", Or((Word("rust", "title"), GO)), id="field in a list"),
    pytest.param("привет", Word("привет"), id="other scripts"),
]


@pytest.mark.parametrize(("text", "tree"), MEANINGS)
def test_what_is_written_is_understood(text: str, tree: Filter) -> None:
    """Each spelling gives its tree, and what is written back means the same."""
    assert tree == parse(text)
    assert tree == parse(unparse(tree))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "at least one word", id="empty"),
        pytest.param(" , ,", "at least one word", id="only commas"),
        pytest.param("(rust", "closing ) is missing", id="open bracket"),
        pytest.param("rust)", "no ( for this )", id="closing bracket"),
        pytest.param("()", "a word is missing before )", id="empty brackets"),
        pytest.param("rust OR", "missing at the end", id="ends with OR"),
        pytest.param("OR rust", "a word is missing before OR", id="begins with OR"),
        pytest.param('"rust', 'closing " is missing', id="open quote"),
        pytest.param('""', "nothing between the quotes", id="empty quotes"),
        pytest.param("/rust", "closing / is missing", id="open expression"),
        pytest.param("titel:rust", "did you mean title:?", id="misspelt field"),
        pytest.param("price:10", "there is no field price:", id="unknown field"),
        pytest.param("title:", "nothing stands behind title:", id="empty field"),
        pytest.param("has:wings", "has: knows", id="unknown thing"),
        pytest.param("lang:!", "lang:en", id="no language"),
        pytest.param("/(/", "a ( is never closed", id="broken expression"),
        pytest.param("/(?=x)/", "Look-around", id="look-around"),
        pytest.param(r"/a(b)\1/", "back-references", id="back-reference"),
        pytest.param("(" * 40 + "x" + ")" * 40, "nested too deeply", id="deep"),
        pytest.param("x " * 300, "at most 200 words", id="many"),
        pytest.param("x" * 5000, "at most 4000 characters", id="long"),
        pytest.param("/" + "x" * 600 + "/", "at most 500 characters", id="long expression"),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str, words: str) -> None:
    """One sentence says what is wrong."""
    with pytest.raises(UserError, match=r".") as refused:
        parse(text)

    assert words in str(refused.value)
    assert "invalid_filter" == refused.value.code


def test_a_refusal_names_the_place() -> None:
    """The place is counted in characters from one."""
    with pytest.raises(UserError) as refused:
        parse("rust titel:go")

    assert str(refused.value).startswith("At character 6 (titel:go)")


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever is typed gives a filter or a sentence; a filter survives being written."""
    try:
        tree = parse(text)
    except UserError:
        return

    assert tree == parse(unparse(tree))


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b",
                "OR",
                "AND",
                "NOT",
                "-",
                "!",
                "(",
                ")",
                '"',
                "/",
                ",",
                "title:",
                "has:",
                "words>3",
                "\\",
            ]
        )
    )
)
def test_any_mixture_of_signs_is_read_or_refused(signs: list[str]) -> None:
    """The language's own signs in any order do no harm."""
    test_any_text_is_read_or_refused.hypothesis.inner_test(" ".join(signs))  # type: ignore[attr-defined]
    test_any_text_is_read_or_refused.hypothesis.inner_test("".join(signs))  # type: ignore[attr-defined]


LEAVES = st.one_of(
    st.builds(
        Word,
        st.text(min_size=1, max_size=12).map(lambda t: " ".join(t.split())).filter(bool),
        st.sampled_from(["", "title", "text", "author", "category", "url", "feed"]),
    ),
    st.builds(Regex, st.sampled_from(["a/b", r"\/x", "[/]", r"\bx\b", r"\\"])),
    st.builds(Has, st.sampled_from(["image", "enclosure"])),
    st.builds(Length, st.sampled_from(["<", "<=", "=", ">=", ">"]), st.integers(0, 9999)),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.lists(inner, min_size=2, max_size=4).map(both),
        st.lists(inner, min_size=2, max_size=4).map(either),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(TREES)
def test_every_tree_can_be_written(tree: Filter) -> None:
    """`parse` undoes `unparse`; expressions may gain marks that change nothing."""
    written = unparse(tree)

    assert written == unparse(parse(written))
