"""Who wants to follow what, and writing it down: all or nothing, in the caller's transaction."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from wireroom.errors import NotAllowed, NotFound
from wireroom.feeds import urls
from wireroom.fetching import access, guard
from wireroom.fetching.access import NONE, Access
from wireroom.polling.tools import Polling
from wireroom.store import access as store_access
from wireroom.store import accounts, claims, feeds, following, ingest, subscriptions
from wireroom.store.feed_to_poll import SHARED
from wireroom.store.ingest import Finished


@dataclass(frozen=True, slots=True)
class Subscribed:
    """An account follows a feed; `existing` when it did before (IDN-20)."""

    subscription_id: int
    feed_id: int
    title: str
    url: str
    existing: bool
    #: The feed had been given up and is asked again from now on (FAIL-16).
    revived: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants to follow, and how."""

    account_id: int
    folder_id: int | None
    adapter: str
    access: Access = NONE
    #: The address that `access` was given for.
    opens: str = ""

    def access_at(self, url: str) -> Access:
        """Credentials are for the host and port that somebody typed, and for no other."""
        return self.access if urls.shares_secrets(self.opens, url) else NONE

    def owner_at(self, url: str) -> int:
        """Whose the feed is: what credentials open is for nobody else (OPT-02)."""
        return self.account_id if self.access_at(url).is_private else SHARED


def wish_of(
    account_id: int, folder_id: int | None, adapter: str, typed: str, special: Access
) -> tuple[Wish, str]:
    """The wish and the address to ask, which holds no secret any more. Raises UserError."""
    url, special = opened(typed, special)
    return Wish(account_id, folder_id, adapter, special, url), url


def opened(typed: str, special: Access = NONE) -> tuple[str, Access]:
    """The address without what stood before its host, and that as what opens it."""
    url, user_info = urls.without_user_info(typed)
    if user_info:
        special = replace(special, credentials=guard.credentials(user_info))
    return urls.checked(url), access.checked(special)


def follow_known(
    connection: Connection, wish: Wish, url: str, tools: Polling
) -> Subscribed | None:
    _require_folder(connection, wish)
    feed_id = feeds.find(
        connection,
        urls.canonical(url),
        adapter=wish.adapter,
        owner_account_id=wish.owner_at(url),
    )
    if feed_id is None:
        return None
    if wish.access_at(url):
        _keep_access(connection, wish, feed_id, tools)
        feeds.make_due(connection, feed_id, now=tools.now(), reason="asked in another way now")
    revived = feeds.revive(connection, feed_id, now=tools.now())
    return _follow(connection, wish, feed_id, tools, revived=revived)


def follow_new(
    connection: Connection, wish: Wish, url: str, finished: Finished, tools: Polling
) -> Subscribed:
    """The feed's row, the subscription and the first reading, all or nothing."""
    _require_folder(connection, wish)
    feed_id = feeds.make(
        connection,
        url=url,
        canonical_key=urls.canonical(url),
        lane=urls.lane(url),
        adapter=wish.adapter,
        owner_account_id=wish.owner_at(url),
        now=tools.now(),
    )
    if wish.access_at(url):
        _keep_access(connection, wish, feed_id, tools)
    # A redirect or a self link may lead to a feed that we know, and had given up (FAIL-16).
    revived = feeds.revive(connection, feed_id, now=tools.now())
    followed = _follow(connection, wish, feed_id, tools, revived=revived)
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    if feed.never_read:  # otherwise it led to a feed that we know
        stored = replace(finished, feed=feed, move=None)
        ingest.commit(connection, [stored], tools.now())
        claims.wake_lane(connection, feed.lane, at=stored.next_poll_at or tools.now())
        assert stored.reading is not None
        return replace(followed, title=stored.reading.parsed.title or url)
    return followed


def _follow(
    connection: Connection, wish: Wish, feed_id: int, tools: Polling, *, revived: bool = False
) -> Subscribed:
    made = subscriptions.add(
        connection,
        account_id=wish.account_id,
        feed_id=feed_id,
        folder_id=wish.folder_id,
        now=tools.now(),
    )
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    return Subscribed(
        subscription_id=made.subscription_id,
        feed_id=feed_id,
        title=feed.title or feed.url,
        url=feed.url,
        existing=made.existing,
        revived=revived,
    )


def _require_folder(connection: Connection, wish: Wish) -> None:
    """It may have gone while the feed was asked. Raises NotFound."""
    if wish.folder_id is None:
        return
    if wish.folder_id not in following.hold_folders(connection, wish.account_id):
        raise NotFound("There is no such folder.", code="unknown_folder")


def require_right(connection: Connection, wish: Wish) -> None:
    """Raises NotAllowed where only an operator may ask in this way."""
    if not wish.access or (wish.access.is_private and not wish.access.is_operators):
        return
    account = accounts.find_account(connection, wish.account_id)
    if account is None or account.role != "operator":
        raise NotAllowed("Only an operator may say how a feed is asked that others follow.")


def _keep_access(connection: Connection, wish: Wish, feed_id: int, tools: Polling) -> None:
    """Sealed with the feed, in the same transaction. Raises NotAllowed."""
    require_right(connection, wish)
    sealed = tools.vault().seal(access.dumps(wish.access))
    store_access.put(connection, feed_id, scheme=wish.access.scheme, sealed=sealed)
