"""JSON as the database keeps it: by the quick library, by the patient one where that refuses."""

import json
from typing import Any

import orjson


def dumps(value: Any) -> str:
    """Compact JSON text."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # keys that are no text, numbers beyond 64 bits
        return json.dumps(value, separators=(",", ":"))


def loads(text: str | bytes) -> Any:
    """What the text says; also what only Python's own library writes, such as NaN."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)
