"""The OpenAPI document as a page for people: no script, nothing from elsewhere."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from wireroom.api.native.samples import readable

#: The page has one style element and nothing else that a browser would load or run.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto;
padding: 0 1rem }
code { font: .9em ui-monospace, monospace }
h2 { margin-top: 3rem } h3 { margin: 2.2rem 0 .4rem; padding-top: 1rem;
border-top: 1px solid var(--line) }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 }
td, th { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap } .codes td:first-child { width: 3rem }
pre { overflow-x: auto; padding: .6rem .8rem; background: var(--soft); border-radius: .3rem }
nav a { margin-right: 1rem }
.method { padding: .1rem .45rem; background: var(--soft); border-radius: .3rem }
"""

Node = Mapping[str, Any]


def render(document: Node) -> str:
    """One HTML page; every text in it is escaped."""
    title = escape(document["info"]["title"])
    body = "\n".join(_body(document))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _body(document: Node) -> Iterator[str]:
    info = document["info"]
    yield f"<h1>{escape(info['title'])}</h1><p>Version {escape(info['version'])}. "
    yield 'The same for programs: <a href="openapi.json">openapi.json</a>.</p>'
    yield from (f"<p>{_prose(each)}</p>" for each in info["description"].split("\n\n"))
    shared = _shared(document)
    yield "<p>Any call may be answered with:</p>"
    yield from _codes(shared)
    yield "<nav>"
    tags = document["tags"]
    yield from (f'<a href="#{escape(t["name"])}">{escape(t["name"])}</a>' for t in tags)
    yield '<a href="#objects">Objects</a></nav>'
    for tag in tags:
        yield f'<h2 id="{escape(tag["name"])}">{escape(tag["name"])}</h2>'
        yield f"<p>{_prose(tag['description'])}</p>"
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                if tag["name"] in operation["tags"]:
                    yield from _operation(method, path, operation, shared)
    yield '<h2 id="objects">Objects</h2>'
    for name, schema in document["components"]["schemas"].items():
        yield f'<h3 id="{escape(name)}">{escape(name)}</h3>'
        yield from _fields(schema.get("properties", {}), schema.get("required", ()))


def _shared(document: Node) -> list[tuple[str, str]]:
    """What goes wrong with every call is said once: (status, line)."""
    told = [
        list(_problems(operation))
        for operations in document["paths"].values()
        for operation in operations.values()
    ]
    return [each for each in told[0] if all(each in others for others in told)]


def _problems(operation: Node) -> Iterator[tuple[str, str]]:
    for status, answer in operation["responses"].items():
        if status != "200":
            for line in answer["description"].splitlines():
                yield status, line.removeprefix("- ")


def _codes(problems: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield '<table class="codes">'
    for status in dict.fromkeys(status for status, _ in problems):
        lines = [_prose(line) for of, line in problems if of == status]
        yield f"<tr><td>{status}<td>{'<br>'.join(lines)}"
    yield "</table>"


def _prose(text: str) -> str:
    """Escaped, with what stands between backticks as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _operation(
    method: str, path: str, operation: Node, shared: Sequence[tuple[str, str]]
) -> Iterator[str]:
    yield f'<h3><span class="method">{method.upper()}</span> <code>{escape(path)}</code></h3>'
    yield f"<p>{_prose(operation['summary'])}. {_prose(operation.get('description', ''))}</p>"
    if parameters := operation.get("parameters"):
        schemas = {each["name"]: _described(each) for each in parameters}
        yield from _fields(schemas, ())
    if sent := operation.get("requestBody"):
        yield f"<p>Body: {_type(_schema_of(sent))}</p>"
        yield from _example(sent)
    for status, answer in operation["responses"].items():
        if status == "200":
            yield f"<p>Answer: {_type(_schema_of(answer))}</p>"
    yield from _codes([each for each in _problems(operation) if each not in shared])


def _example(sent: Node) -> Iterator[str]:
    for content in sent["content"].values():
        if "example" in content:
            yield f"<pre>{escape(readable(content['example']), quote=False)}</pre>"


def _described(parameter: Node) -> Node:
    return {**parameter["schema"], "description": parameter.get("description", "")}


def _schema_of(holder: Node) -> Node:
    schema: Node = next(iter(holder["content"].values()))["schema"]
    return schema


def _fields(schemas: Mapping[str, Node], required: Sequence[str]) -> Iterator[str]:
    yield "<table>"
    for name, schema in schemas.items():
        mark = "" if name in required or not required else " (optional)"
        text = _prose(schema.get("description", ""))
        yield f"<tr><td><code>{escape(name)}</code>{mark}<td>{_type(schema)}<td>{text}"
    yield "</table>"


def _type(schema: Node) -> str:
    """A schema in a few words, with links to the objects it names."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "oneOf" in schema:
        return " or ".join(_type(each) for each in schema["oneOf"])
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    return escape(str(schema.get("type", "anything")))
