"""The tables, once, for SQLite and PostgreSQL (DESIGN.md §5), a module for each subject.
Migrations are held equal to them.

Conventions: instants are `Instant` (epoch milliseconds, UTC); secrets are ciphertext made by
`vault`; `ready_at` is the moment from which a lane or destination may be claimed, and while it is
claimed, the moment its lease runs out, so that one index serves both questions.
"""

from wireroom.store.schema.columns import Id, Instant, metadata
from wireroom.store.schema.followed import (
    entry_states,
    entry_tags,
    folders,
    push_devices,
    saved_searches,
    subscription_tags,
    subscriptions,
    tags,
)
from wireroom.store.schema.house import facts
from wireroom.store.schema.people import accounts, factors, identities, invitations, tokens
from wireroom.store.schema.polled import (
    feed_access,
    feeds,
    fetches,
    hub_farewells,
    hub_leases,
    lanes,
    site_icons,
)
from wireroom.store.schema.sent import (
    deliveries,
    destinations,
    discord_webhooks,
    errands,
    notices,
    replacements,
    routes,
)
from wireroom.store.schema.telegram import telegram_chats, telegram_memos, telegram_updates
from wireroom.store.schema.written import (
    SEARCH_POSTGRESQL,
    SEARCH_SQLITE,
    articles,
    entries,
    entry_bodies,
    entry_keys,
    tallies,
    unindexed,
)

__all__ = [
    "SEARCH_POSTGRESQL",
    "SEARCH_SQLITE",
    "Id",
    "Instant",
    "accounts",
    "articles",
    "deliveries",
    "destinations",
    "discord_webhooks",
    "entries",
    "entry_bodies",
    "entry_keys",
    "entry_states",
    "entry_tags",
    "errands",
    "factors",
    "facts",
    "feed_access",
    "feeds",
    "fetches",
    "folders",
    "hub_farewells",
    "hub_leases",
    "identities",
    "invitations",
    "lanes",
    "metadata",
    "notices",
    "push_devices",
    "replacements",
    "routes",
    "saved_searches",
    "site_icons",
    "subscription_tags",
    "subscriptions",
    "tags",
    "tallies",
    "telegram_chats",
    "telegram_memos",
    "telegram_updates",
    "tokens",
    "unindexed",
]
