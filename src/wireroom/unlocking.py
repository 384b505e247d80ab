"""What a followed feed needs besides its address, given, replaced or forgotten later.

Nothing that was given is ever shown again: whoever wants to change a part gives the whole anew.
"""

from sqlalchemy import Connection

from wireroom import following, subscribing
from wireroom.errors import NotAllowed
from wireroom.fetching import access, tls
from wireroom.fetching.access import Access
from wireroom.polling.tools import Polling
from wireroom.store import access as store_access
from wireroom.store import accounts, feeds


async def unlock(
    tools: Polling, account_id: int, subscription_id: int, wanted: Access, *, owner: str
) -> int:
    """Ask the feed in this way from now on; gives the subscription that it holds for.

    What opens a feed makes it the account's own (OPT-02): for one that others may follow, the
    account follows it once more, by itself, and that costs a request. Raises NotFound, UserError,
    FeedUnavailable, or NotAllowed where only an operator may say so.
    """
    wanted = access.checked(wanted)
    if wanted.certificate or wanted.authority:
        tls.tls_with(wanted.certificate, wanted.authority)  # refused now, or at every poll
    feed = await following.subscription(tools.database, account_id, subscription_id)
    is_own = await tools.database.read(store_access.owner_of, feed.feed_id) == account_id
    if wanted.is_private and not is_own:
        made = await subscribing.subscribe(
            tools, account_id, feed.url, owner=owner, folder_id=feed.folder_id, special=wanted
        )
        return made.subscription_id
    sealed = tools.vault().seal(access.dumps(wanted)) if wanted else None

    def keep(connection: Connection) -> None:
        if wanted.is_operators or not is_own:
            _require_operator(connection, account_id)
        store_access.put(connection, feed.feed_id, scheme=wanted.scheme, sealed=sealed)
        feeds.revive(connection, feed.feed_id, now=tools.now())
        feeds.make_due(
            connection, feed.feed_id, now=tools.now(), reason="asked in another way now"
        )

    await tools.database.write(keep)
    return subscription_id


def _require_operator(connection: Connection, account_id: int) -> None:
    account = accounts.find_account(connection, account_id)
    if account is None or account.role != "operator":
        raise NotAllowed("Only an operator may say how a feed is asked that others follow.")
