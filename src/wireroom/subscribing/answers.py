"""What an address answered to somebody who asked for a feed, and where that leads."""

from dataclasses import dataclass, replace

from wireroom.errors import FeedUnavailable
from wireroom.feeds import discovery, urls
from wireroom.feeds.discovery import Candidate
from wireroom.feeds.model import Hints
from wireroom.fetching.outcome import Failed, Fetched, Gone, Outcome, Throttled
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.ingest import Finished

#: Of the feeds that a page names so many are asked.
MOST_OFFERED = 8
_SEARCHED = (
    "This address answers with a web page, not with a feed. Neither what it links to, nor the "
    "site's front page, nor the places where feeds usually lie (/feed/, /rss.xml and others) "
    "gave one; give the feed's own address if you know it."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answered, and what reading it as a feed came to."""

    url: str
    outcome: Outcome
    finished: Finished

    @property
    def is_page(self) -> bool:
        return self.finished.not_a_feed == "html"


def blank(url: str, adapter: str) -> FeedToPoll:
    """A feed that nobody has asked yet."""
    return FeedToPoll(
        id=0,
        url=url,
        canonical_key=urls.canonical(url),
        adapter=adapter,
        lane=urls.lane(url),
        title="",
        etag="",
        last_modified="",
        body_hash=None,
        packed_digests=b"",
        identity_rule="",
        last_seq=0,
        hints=Hints(),
        history={},
        health={},
        wanted_interval_seconds=None,
        last_success_at=None,
        disabled_at=None,
        subscriber_count=0,
    )


def address_to_keep(url: str, outcome: Outcome) -> str:
    """Where to ask from now on: past permanent moves and the step to https, not past others."""
    moved_to = outcome.hops.permanent_url
    if moved_to and urls.canonical(moved_to):
        return moved_to
    return outcome.hops.final_url if outcome.hops.count == 0 else url


def leads(answer: Answer, url: str) -> list[str]:
    """Addresses that the answer gives reason to try, likeliest first."""
    found = [each.url for each in offered(answer.outcome)[:MOST_OFFERED]]
    if answer.is_page:  # nothing else gives reason to look around
        found += pages_beside(answer)
        found += [each.url for each in discovery.well_known(answer.outcome.hops.final_url)]
    # Without a key (too long, or with a user name and password in it) it could be no feed of ours.
    found = [each for each in found if urls.canonical(each)]
    with_www = discovery.www_variant(url) if _may_live_at_www(answer) else ""
    return [*found, with_www] if with_www else found


def pages_beside(answer: Answer) -> tuple[str, ...]:
    """Pages of the same site to look through, where a page itself declares no feed."""
    outcome = answer.outcome
    if not (isinstance(outcome, Fetched) and answer.is_page):
        return ()
    if any(each.origin != "anchor" for each in offered(outcome)):
        return ()
    return discovery.pages_beside(
        outcome.body, url=outcome.hops.final_url, content_type=outcome.content_type
    )


def offered(outcome: Outcome) -> tuple[Candidate, ...]:
    """The feeds that a page speaks of: over https where the page itself came so, or a password
    that opened it might go in the open to one of them."""
    if not isinstance(outcome, Fetched):
        return ()
    page = outcome.hops.final_url
    found = discovery.candidates(
        outcome.body,
        url=page,
        content_type=outcome.content_type,
        link_header=outcome.link_header,
    )
    return tuple(replace(each, url=urls.over_https(each.url, page)) for each in found)


def _may_live_at_www(answer: Answer) -> bool:
    """Whether it is worth a second request: the bare host has something else there, or nothing at
    all (HTTP-34). A host that says "gone" or "too many" means the whole site (HTTP-35)."""
    match answer.outcome:
        case Fetched():
            return True
        case Failed(kind=kind, status=status):
            return status == 404 or kind in ("dns", "connect", "tls")
    return False


def refusal(answer: Answer, *, searched: bool = False) -> FeedUnavailable:
    """One sentence for whoever typed the address; `searched` after all its `leads` were asked."""
    outcome = answer.outcome
    if isinstance(outcome, Fetched):
        told = _SEARCHED if searched and answer.is_page else answer.finished.error
        return FeedUnavailable(told, code="not_a_feed")
    if isinstance(outcome, Gone):
        return FeedUnavailable(
            "The publisher says that this feed is gone for good (HTTP 410).", code="feed_gone"
        )
    if isinstance(outcome, Throttled):
        return FeedUnavailable(
            f"The server asks for fewer requests (HTTP {outcome.status}); try again later.",
            code="publisher_error",
        )
    assert isinstance(outcome, Failed)
    return FeedUnavailable(outcome.reason, code=_code(outcome, answer.url))


def _code(failed: Failed, url: str) -> str:
    if url.startswith("http:") and failed.kind in ("tls", "connect", "dns", "timeout"):
        return "not_https"  # API-14: https was tried for it, and there is none
    match failed.kind, failed.status:
        case "invalid_url" | "refused_address", _:
            return "invalid_url"
        case _, 401 | 403:
            return "needs_credentials"
        case _, 404:
            return "feed_gone"
        case "status" | "bot_wall" | "protocol" | "too_large" | "redirect" | "postponed", _:
            return "publisher_error"
    return "unreachable"
