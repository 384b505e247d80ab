"""What makes web applications quick to come by where each test has one of its own."""

import copy
from collections.abc import Sequence
from typing import Any

from litestar import Litestar
from litestar.datastructures import State


def share_routes(module: Any) -> None:
    """Let the applications that `module` makes of the same routes share all but their state.

    Litestar studies each function whenever an application is made, which takes it 80 ms for those
    of the API and 150 ms for the pages.
    """
    made: dict[tuple[object, ...], Litestar] = {}

    def make(routes: Sequence[Any], *, state: State, **options: Any) -> Litestar:
        key = (*routes, repr(options["cors_config"]) if "cors_config" in options else "")
        if key not in made:
            made[key] = Litestar(routes, **options)
        return _with_state(made[key], state)

    module.Litestar = make


def _with_state(application: Litestar, state: State) -> Litestar:
    """The same routes; several such applications may be open at once."""
    made = copy.copy(application)
    made.state = state
    made.event_emitter = type(application.event_emitter)([])
    made.asgi_router = type(application.asgi_router)(made)  # starts and stops; has no routes
    return made
