"""What `fetching.speaking` and `fetching.bodiless` know of aiohttp's inside, which may change with
any version of it."""

import functools
import inspect
import re

import aiohttp
import pytest
from aiohttp import client_proto, client_reqrep, connector, http_exceptions, http_parser, streams

from wireroom.fetching import bodiless
from wireroom.fetching.guard import Target
from wireroom.fetching.speaking import _Wanted

_CHANGED = (
    f"aiohttp {aiohttp.__version__} is not the one that fetching/speaking.py and "
    "fetching/bodiless.py were written for: {}. Read them beside its code before it is pinned."
)
_HANDLER = client_proto.ResponseHandler


@pytest.mark.parametrize(
    ("kind", "name", "parameters"),
    [
        (connector.BaseConnector, "connect", "self req traces timeout"),
        (connector.Connection, "close", "self"),
        (connector.Connection, "release", "self"),
        (_HANDLER, "read", "self"),
        (_HANDLER, "start_timeout", "self"),
        (_HANDLER, "is_connected", "self"),
        (_HANDLER, "__len__", "self"),
        (_HANDLER, "exception", "self"),
        (_HANDLER, "force_close", "self"),
        (_HANDLER, "data_received", "self data"),
        (_HANDLER, "__init__", "self loop"),
        (streams.StreamReader, "is_eof", "self"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_what_is_called_is_called_as_before(kind: type, name: str, parameters: str) -> None:
    """By these names, with these parameters."""
    called = getattr(kind, name, None)
    assert called is not None, _CHANGED.format(f"{kind.__name__} has no {name}")
    found = " ".join(inspect.signature(called).parameters)

    assert parameters == found, _CHANGED.format(f"{kind.__name__}.{name} takes ({found})")


def test_a_handler_is_told_what_to_expect_as_before() -> None:
    """Our four options, and others only if their defaults do."""
    known = inspect.signature(_HANDLER.set_response_params).parameters
    ours = {"read_until_eof", "auto_decompress", "max_line_size", "max_field_size"}
    needed = {name for name, each in known.items() if each.default is each.empty} - {"self"}

    assert ours <= set(known), _CHANGED.format("set_response_params lacks an option of ours")
    assert set() == needed, _CHANGED.format(f"set_response_params wants {needed}")
    assert isinstance(_HANDLER.read_timeout, property), _CHANGED.format("read_timeout is gone")


def test_connections_are_pooled_by_what_we_say() -> None:
    """The seven fields that we fill in come first, in this order; further ones need nothing."""
    first = ("host", "port", "is_ssl", "ssl", "proxy", "proxy_auth", "proxy_headers_hash")
    kind = client_reqrep.ConnectionKey
    needed = [name for name in kind._fields if name not in kind._field_defaults]

    assert first == kind._fields[:7], _CHANGED.format(f"ConnectionKey is {kind._fields}")
    assert set(needed) <= set(first), _CHANGED.format(f"ConnectionKey wants {needed}")


@pytest.mark.parametrize(
    "name",
    [
        "connect", "_create_connection", "_create_direct_connection", "_get_ssl_context",
        "_get_fingerprint", "_wrap_create_connection",
    ],
)  # fmt: skip
def test_a_connector_asks_a_request_for_no_more(name: str) -> None:
    """Every attribute of a request that the way to a host looks at, ours has."""
    way = getattr(connector.TCPConnector, name, None)
    assert way is not None, _CHANGED.format(f"TCPConnector has no {name}")
    asked = set(re.findall(r"\breq(?:uest)?\.(\w+)", inspect.getsource(way)))
    ours = _Wanted(Target("https", "news.example", 443, "/feed"), None)
    lacking = {each for each in asked if not hasattr(ours, each)}

    assert set() == lacking, _CHANGED.format(f"{name} asks a request for {lacking}")


def test_an_answer_says_what_we_read_of_it() -> None:
    """Its status and its fields as they came; why a head is none; which connection it came by."""
    for kind, names in (
        (http_parser.RawResponseMessage, {"code", "raw_headers"}),
        (connector.Connection, {"protocol", "transport"}),
    ):
        lacking = names - set(dir(kind))
        assert set() == lacking, _CHANGED.format(f"{kind.__name__} has no {lacking}")
    assert "no head" == http_exceptions.HttpProcessingError(message="no head").message


async def test_a_connector_makes_handlers_by_its_factory() -> None:
    """We put ours there; it must be a call of aiohttp's own handler with nothing but the loop."""
    theirs, ours = aiohttp.TCPConnector(), bodiless.Connector()
    try:
        factory = getattr(theirs, "_factory", None)
        assert isinstance(factory, functools.partial), _CHANGED.format("there is no _factory")
        assert _HANDLER is factory.func, _CHANGED.format(f"_factory makes {factory.func}")
        assert {"loop"} == set(factory.keywords), _CHANGED.format(f"_factory: {factory.keywords}")
        assert isinstance(ours._factory(), bodiless.Handler)
    finally:
        await theirs.close()
        await ours.close()
