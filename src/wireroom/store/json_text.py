"""JSON as the database keeps it: by the quick library, by the patient one where that refuses."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import orjson


def dumps(value: Any) -> str:
    """Compact JSON text."""
    try:
        return orjson.dumps(value, _of_mapping).decode()
    except TypeError:  # keys that are no text, numbers beyond 64 bits
        return json.dumps(value, separators=(",", ":"), default=_of_mapping)


def dumps_all(values: Iterable[Any]) -> list[str]:
    """The same of many values, in less time."""
    values = [*values]
    try:
        return [orjson.dumps(value, _of_mapping).decode() for value in values]
    except TypeError:
        return [dumps(value) for value in values]


def _of_mapping(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def loads(text: str | bytes) -> Any:
    """What the text says; also what only Python's own library writes, such as NaN."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)
