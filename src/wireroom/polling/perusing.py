"""The body of an answer, read and compared with what is known of the feed."""

from datetime import datetime
from hashlib import blake2b

import structlog

from wireroom.errors import NotAFeed
from wireroom.feeds import adapters, changes, identity
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.limits import PARSER_VERSION
from wireroom.feeds.model import ParsedFeed
from wireroom.fetching.outcome import Fetched, NotModified, Outcome, Validators
from wireroom.polling import moving, websub
from wireroom.polling.health import Health
from wireroom.polling.tools import Polling
from wireroom.store import entries
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.ingest import Reading

log = structlog.get_logger(__name__)


async def peruse(
    feed: FeedToPoll, outcome: Fetched, tools: Polling, now: datetime, *, moves: bool
) -> Reading | NotAFeed | None:
    """The reading of a body that we do not know yet, or what it is if it is no feed."""
    body_hash = _hash(outcome)
    if body_hash == feed.body_hash:
        return None
    rule = IdentityRule.parse(feed.identity_rule)
    try:
        parsed = await tools.read(
            outcome.body,
            url=outcome.hops.final_url,
            content_type=outcome.content_type,
            language=outcome.content_language,
            # Under a rule that was changed by hand every item must be looked at once.
            met=feed.digests if rule.settled and feed.body_hash is not None else (),
        )
    except NotAFeed as error:
        return error
    parsed = _adapted(feed, parsed)
    keys = identity.lookup_keys(parsed, rule, imported=feed.never_read)
    memory = await tools.database.read(entries.remember, feed.id, keys)
    state = changes.FeedState(
        never_read=feed.never_read,
        rule=rule,
        followed_since=memory.followed_since,
        last_read=feed.last_success_at,
        oldest_published=memory.oldest_published,
        window=frozenset(feed.digests),
        revived=_was_off(feed),
        marker=feed.import_marker,
    )
    changed = changes.decide(parsed, memory.known, state, now)
    hub_url, topic_url = websub.hub_and_topic(
        outcome.link_header, parsed.hub_urls, parsed.self_url, outcome.hops.final_url
    )
    # An item waits for the rest of this document: a 304 about the half would keep it away.
    validators = Validators() if parsed.ends_unnamed else outcome.validators
    return Reading(
        parsed=parsed,
        changes=moving.without_flood(changed, parsed, feed.last_success_at) if moves else changed,
        body_hash=body_hash,
        etag=validators.etag,
        last_modified=validators.last_modified,
        hub_url=hub_url,
        topic_url=topic_url,
    )


def _adapted(feed: FeedToPoll, parsed: ParsedFeed) -> ParsedFeed:
    """`parsed` as the feed's adapter has it; the log hears why where it has it not (ADP-06)."""
    adapted = adapters.apply(feed.adapter, parsed)
    for warning in adapted.warnings[len(parsed.warnings) :]:
        log.warning("feed read as it is", feed=feed.id, url=feed.url, why=warning.text)
    return adapted


def _was_off(feed: FeedToPoll) -> bool:
    """Whether this reading is the first after the feed was given up or switched off."""
    health = Health.decode(feed.health)
    return bool(health.given_up or health.revived)


def _hash(fetched: Fetched) -> bytes:
    """Stands for the document and for all that its reading depends on, ourselves included."""
    hashed = blake2b(fetched.body, digest_size=16, person=b"body", key=PARSER_VERSION)
    hashed.update(b"\0".join((fetched.hops.final_url.encode(), fetched.content_type.encode())))
    return hashed.digest()


def fresh_validators(
    outcome: Outcome, reading: Reading | None, failure: NotAFeed | None
) -> tuple[str, str] | None:
    """The pair to keep where no reading brings its own.

    A 200 with a body that we know replaces both (HTTP-05); a 304 replaces what it carried
    (RFC 9111 §4.3.4); a body that could not be read replaces nothing, or a 304 would freeze it
    (HTTP-07).
    """
    if reading is not None or failure:
        return None
    if isinstance(outcome, Fetched | NotModified) and outcome.validators:
        return outcome.validators.etag, outcome.validators.last_modified
    return ("", "") if isinstance(outcome, Fetched) else None
