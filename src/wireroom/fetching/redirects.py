"""Redirects by hand: where the next hop leads and what may be remembered of it (pure)."""

from dataclasses import replace

from wireroom.errors import InvalidURL
from wireroom.fetching.guard import PLAIN_HTTP_REFUSED, Rules, Target, read_target
from wireroom.fetching.outcome import Failed, Hops
from wireroom.values import value

PERMANENT = frozenset({301, 308})
REDIRECTS = PERMANENT | {302, 303, 307}


@value
class Trail:
    """The way so far and the target to be asked next.

    `as_written` means that an http target is dialled as http, because its https form sent us
    there. `secrets_for` is the origin that cookie and credentials may go to: None before anything
    has answered, "" once a redirect has left the first origin, for good. `inside` tells whether
    all hops so far led to hosts that only the operator's allow-list permits: others may not
    redirect to those.
    """

    target: Target
    as_written: bool = False
    visited: frozenset[str] = frozenset()
    permanent_url: str | None = None
    permanent_so_far: bool = True
    count: int = 0
    secrets_for: str | None = None
    inside: bool = True

    def hops(self, answered: Target | None = None) -> Hops:
        """The way as outcomes tell it; `answered` may differ from the target in its scheme."""
        return Hops((answered or self.target).url, self.permanent_url, self.count)

    def may_carry_secrets(self, asked: Target) -> bool:
        return self.secrets_for is None or self.secrets_for == asked.origin


def follow(
    trail: Trail, asked: Target, status: int, location: str | None, rules: Rules, limit: int
) -> Trail | Failed:
    """The trail one hop on, after `asked` answered with a redirect.

    A hop down from https to http counts as temporary, and so do those behind it. It is followed
    over https where that was not what sent us here, else only if the rules allow plain http.
    """
    here = trail.hops(asked)
    if not location:
        return _failed(here, f"The host answered with a redirect ({status}) that leads nowhere.")
    if trail.count >= limit:
        return _failed(here, f"The address redirects more than {limit} times.")
    try:
        target = read_target(location, rules, base=asked.url)
    except InvalidURL as error:
        if error.code == "refused_address":
            return Failed(here, "refused_address", str(error))
        return _failed(here, f"The address redirects to one that is not fetched: {error}")
    visited = trail.visited | {asked.url}
    as_written = target.scheme == "http" and target.over_https().url in visited
    if as_written and not rules.allow_http:
        return _failed(here, f"The address redirects to plain http, and {PLAIN_HTTP_REFUSED}.")
    if target.url in visited:
        return _failed(here, "The address redirects in a circle, as sites do that want cookies.")
    downgrade = asked.scheme == "https" and target.scheme == "http"
    permanent = trail.permanent_so_far and status in PERMANENT and not downgrade
    return Trail(
        target=replace(target, credentials=None),
        as_written=as_written,
        visited=visited,
        permanent_url=target.url if permanent else trail.permanent_url,
        permanent_so_far=permanent,
        count=trail.count + 1,
        secrets_for=asked.origin if trail.may_carry_secrets(asked) else "",
    )


def _failed(hops: Hops, reason: str) -> Failed:
    return Failed(hops, "redirect", reason)
