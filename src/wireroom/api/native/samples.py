"""The OpenAPI document with a request of every kind, made from the examples of its fields."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

#: What fields hold whose type has no example of its own.
_TEXTS = {
    "subscription_id": "34",
    "feed_id": "12",
    "folder_id": "7",
    "name": "News",
    "search_id": "3",
    "label_id": "4",
    "custom_title": "Harbour",
    "opml": '<opml version="2.0"><body><outline xmlUrl="https://example.org/feed.xml"/>'
    "</body></opml>",
    "tags": "sea",
    "add": "urgent",
    "remove": "later",
}


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """The same document, changed in place."""
    for operation in operations(document):
        for answer in operation["responses"].values():
            for content in answer.get("content", {}).values():
                for example in content.get("examples", {}).values():
                    example.pop("id", None)  # Litestar's own: OpenAPI 3.1 §4.8.19 has none
        for content in operation.get("requestBody", {}).get("content", {}).values():
            content["example"] = sample(content["schema"], document["components"]["schemas"])
    return document


def operations(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for ways in document["paths"].values():
        yield from ways.values()


def sample(schema: Mapping[str, Any], schemas: Mapping[str, Any], name: str = "") -> Any:
    """A value of this schema; `name` is the field's that holds it."""
    if "$ref" in schema:
        return sample(schemas[schema["$ref"].rpartition("/")[2]], schemas, name)
    if schema.get("examples"):
        return schema["examples"][0]
    if "oneOf" in schema:
        return sample(next(each for each in schema["oneOf"] if not _is_null(each)), schemas, name)
    if "enum" in schema:
        return schema["enum"][0]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    match next(kind for kind in kinds if kind != "null"):
        case "object":
            fields = schema.get("properties", {})
            return {field: sample(fields[field], schemas, field) for field in fields}
        case "array":
            return [sample(schema["items"], schemas, name)]
        case "boolean":
            return True
        case "integer":
            return 1
    return _TEXTS.get(name, name)


def _is_null(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "null"


def readable(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
