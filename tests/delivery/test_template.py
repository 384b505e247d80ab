"""Templates: three languages, values escaped once, and nothing that could grow without bounds."""

import time

import minijinja
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wireroom.delivery import template
from wireroom.delivery.htmltext import parse as blocks_of
from wireroom.errors import UserError

FIELDS = dict.fromkeys(template.FIELDS, "") | {
    "title": "1 < 2 & <b>",
    "link": "https://example.org/?a=1&b=2",
    "text": "Some text",
    "content": minijinja.safe("<p>Some <i>text</i></p>"),
    "categories": ("rust", "go"),
    "published": "2026-11-30 12:00:00+01:00",
    "Title": "1 < 2 & <b>",
    "FeedTitle": "Harbour News",
    "Content": "Some text",
    "PostLink": "https://example.org/?a=1&b=2",
    "PostDomain": "example.org",
    "bot_item_name": "1 < 2 & <b>",
    "bot_item_link": "https://example.org/?a=1&b=2",
    "bot_item_description": "Some text that goes on",
    "bot_feed_name": "Harbour News",
}


def shown(source: str) -> str:
    """The visible text of a rendered template."""
    html = template.render(template.parse(source), FIELDS)
    return "\n".join(block.text for block in blocks_of(html, keep_newlines=True).blocks)


RSSBOT = """<b>[#RSS] {{.Title}}</b>
<i>{{.FeedTitle}}</i>
{{- if ne .Content ""}}
{{.Content}}
{{- end}}
<a href="{{.PostLink}}">Read on at {{.PostDomain}}</a>"""


def test_the_documented_template_of_rss_bot() -> None:
    """Bold title, feed, content only where there is some, link with its domain (TGD-20)."""
    text = "[#RSS] 1 < 2 & <b>\nHarbour News\nSome text\nRead on at example.org"
    assert text == shown(RSSBOT)
    html = template.render(template.parse(RSSBOT), FIELDS | {"Content": ""})

    assert "Harbour News</i>\n<a" in html


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("{{ title }}", "1 < 2 & <b>", id="field"),
        pytest.param("<b>{{ title }}</b>", "1 < 2 & <b>", id="markup around it"),
        pytest.param("{{ bold(title) }}", "1 < 2 & <b>", id="helper"),
        pytest.param("{{ bold(italic(title)) }}", "1 < 2 & <b>", id="nested helpers"),
        pytest.param("{{ bold(title) ~ title }}", "1 < 2 & <b>1 < 2 & <b>", id="joined"),
        pytest.param("{{ create_link(title, link) }}", "1 < 2 & <b>", id="link"),
        pytest.param("{{ create_link('', link) }}", "link", id="link without text"),
        pytest.param("{{ create_link(title, 'no url') }}", "1 < 2 & <b>", id="no address"),
        pytest.param("{{ text|cut(4) }}!", "Some...!", id="cut"),
        pytest.param("{{ text|upper }}", "SOME TEXT", id="filter"),
        pytest.param("{{ categories|join(', ') }}", "rust, go", id="list"),
        pytest.param(
            "{% for each in categories %}#{{ each }} {% endfor %}", "#rust #go", id="for"
        ),
        pytest.param(
            "{% if author %}by {{ author }}{% else %}nobody{% endif %}", "nobody", id="if"
        ),
        pytest.param("{{ content }}", "Some text", id="markup of the entry"),
        pytest.param("{{ published|date('%d.%m.%Y') }}", "30.11.2026", id="date"),
        pytest.param("{{ text|replace('Some', 'Any') }}", "Any text", id="replace"),
        pytest.param("{# note #}x", "x", id="comment"),
        pytest.param("{{.Title | html}}", "1 < 2 & <b>", id="go: html"),
        pytest.param("{{with .Content}}{{.}}{{end}}", "Some text", id="go: with"),
        pytest.param(
            "{{if and .Content (eq .PostDomain `example.org`)}}y{{end}}", "y", id="go: and"
        ),
        pytest.param("{{if not .Content}}n{{else if .Title}}t{{end}}", "t", id="go: else if"),
        pytest.param("{{/* note */}}{{.FeedTitle}}", "Harbour News", id="go: comment"),
        pytest.param("{{bold bot_item_name}}", "1 < 2 & <b>", id="handlebars: bold"),
        pytest.param("{{substring bot_item_description 9}}", "Some text...", id="handlebars: cut"),
        pytest.param("{{{bot_item_name}}}", "1 < 2 & <b>", id="handlebars: escaped once anyway"),
        pytest.param(
            '{{bold (substring bot_item_name 5)}} {{create_link "more" bot_item_link}}',
            "1 < 2... more",
            id="handlebars: nested",
        ),
        pytest.param(
            "{{#if bot_item_author}}a{{else}}n{{/if}}{{! note }}{{#unless bot_date}}u{{/unless}}",
            "nu",
            id="handlebars: if",
        ),
        pytest.param("{{ bot_feed_name }}", "Harbour News", id="plain fields are the same"),
    ],
)
def test_what_is_written_is_shown(source: str, text: str) -> None:
    """Each construct of the three languages, with values that hold markup."""
    assert text == shown(source)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param(" ", "empty", id="empty"),
        pytest.param("x" * 5000, "4096 are the most", id="long"),
        pytest.param(
            "{{ headline }}",
            "there is no field headline; fields are title, link, text, content, summary, author, "
            "published, categories, domain, image, enclosure, feed, feed_link, site.",
            id="unknown field",
        ),
        pytest.param("{{.Foo}}", "no field Foo; fields are title,", id="unknown field of RSS Bot"),
        pytest.param("{{ title|sort }}", "filters are bold, capitalize,", id="unknown filter"),
        pytest.param("{{ titel }}", "did you mean title?", id="misspelt field"),
        pytest.param("{{ title|safe }}", "no filter safe", id="safe"),
        pytest.param("{{ title", "no end", id="open tag"),
        pytest.param("{% if title %}x", "", id="open if"),
        pytest.param("{% set x = 1 %}", "set", id="set"),
        pytest.param("{% macro x() %}{% endmacro %}", "macro", id="macro"),
        pytest.param("{% include 'x' %}", "include", id="include"),
        pytest.param("{{ title.__class__ }}", "with a dot", id="attribute"),
        pytest.param("{{ title.ljust(99999) }}", "with a dot", id="method"),
        pytest.param("{{ title['x'] }}", "cannot be read", id="subscript"),
        pytest.param("{{ 'a' * 999999 }}", "cannot be read", id="repetition"),
        pytest.param("{{ 10 ** 9 }}", "cannot be read", id="power"),
        pytest.param("{{ range(9999) }}", "field range", id="range"),
        pytest.param("{{ lipsum() }}", "field lipsum", id="lipsum"),
        pytest.param("{{ title() }}", "cannot be called", id="call of a field"),
        pytest.param("{{ 'x'|format(1) }}", "no filter format", id="format"),
        pytest.param("{{ 'x'|indent(9999) }}", "no filter indent", id="indent"),
        pytest.param("{{ 12345678 }}", "cannot be read", id="large number"),
        pytest.param("{{ cut(text, 'x') }}", "helper", id="odd value"),
        pytest.param("{{range .Items}}x{{end}}", "range", id="go: range"),
        pytest.param("{{.Title}}{{end}}", "too many", id="go: end"),
        pytest.param('{{printf "%999999d" .Title}}{{.Title}}', "printf", id="go: printf"),
        pytest.param("{{#each x}}{{/each}}", "not known", id="handlebars: each"),
        pytest.param("{{bold}}{{#if title}}{{/if}}", "takes 1", id="handlebars: too few"),
        pytest.param("{{> partial}}{{#if title}}{{/if}}", "", id="handlebars: partial"),
    ],
)
def test_what_could_do_harm_is_refused(source: str, words: str) -> None:
    """One sentence says what; nothing of it is ever rendered (SEC-13)."""
    with pytest.raises(UserError) as refused:
        template.parse(source)

    assert words in str(refused.value)
    assert "invalid_template" == refused.value.code


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in text %}" * 8 + "x" + "{% endfor %}" * 8,
        "{% for a in text %}{{ text }}{% endfor %}",
        "{{ " + " ~ ".join(["text"] * 600) + " }}",
        "{{ text" + "|replace('a', 'aaaaaaaaaaaaaaaaaaaaaa')" * 80 + " }}",
        "{{ " + "bold(" * 300 + "text" + ")" * 300 + " }}",
    ],
)
def test_bombs_do_not_go_off(source: str) -> None:
    """On the longest text that there is, each ends soon: refused, or within the bounds."""
    started = time.monotonic()
    try:
        read = template.parse(source)
        assert len(template.render(read, FIELDS | {"text": "a" * 10_000})) <= 64_000
    except UserError:
        pass

    assert time.monotonic() - started < 10


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "{{",
                "}}",
                "{%",
                "%}",
                "{#",
                "#}",
                "title",
                "text",
                "if",
                "endif",
                "for",
                "in",
                "else",
                ".",
                "|",
                "(",
                ")",
                "'",
                '"',
                "bold",
                "cut",
                "-",
                "~",
                "9",
                "x",
                "{{.Title",
                "{{#if",
                "{{/if}}",
                "{{end}}",
            ]
        ),
        max_size=14,
    )
)
def test_any_source_is_read_or_refused(parts: list[str]) -> None:
    """Whatever is put together gives a message or a sentence."""
    try:
        template.render(template.parse(" ".join(parts)), FIELDS)
    except UserError as error:
        assert "invalid_template" == error.code


@settings(deadline=None)
@given(st.text(max_size=60))
def test_values_are_escaped_once(value: str) -> None:
    """What a publisher writes is shown as it was written, in every language."""
    for source in ("x{{ title }}y", "x{{.Title}}y", "x{{bold bot_item_name}}y"):
        fields = FIELDS | {"title": value, "Title": value, "bot_item_name": value}
        html = template.render(template.parse(source), fields)
        plain = " ".join(f"x{value}y".split())
        read = blocks_of(html, keep_newlines=False).blocks
        told = " ".join(block.text for block in read)

        assert _visible(plain) == _visible(told)


def _visible(text: str) -> str:
    return "".join(c for c in text if c.isprintable() and not c.isspace() and c.isascii())
