"""Doors of accounts: the chats, guilds and logins that lead to them, and accounts becoming one.

A chat begins with an account of its own. Linking brings all that it follows into another account,
whose door it is from then on; unlinking gives it an account of its own again, and leaves there
what was followed.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)

from wireroom.errors import Conflict, NotFound
from wireroom.store import errands, feeds, merges, ruled, wished
from wireroom.store import subscriptions as follow
from wireroom.store import tags as words
from wireroom.store.dialects import insert_or
from wireroom.store.feed_to_poll import SHARED
from wireroom.store.schema import (
    Instant,
    accounts,
    destinations,
    entry_states,
    entry_tags,
    folders,
    identities,
    routes,
    saved_searches,
    subscriptions,
    tags,
    tokens,
)
from wireroom.store.schema import feeds as feeds_table

_LATER = "A message is on its way right now. Try again in a few seconds."


class RulesWait(Conflict):
    """Rules of the account that ends have entries before them, which would go unmarked."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where somebody comes in: (telegram, chat id), (discord, guild id), (password, login), …"""

    kind: str
    subject: str


def behind(connection: Connection, door: Door) -> int | None:
    """The account that a door leads to."""
    return connection.scalar(select(identities.c.account_id).where(*_at(door)))


def list_doors(connection: Connection, account_id: int) -> list[Door]:
    """The doors of an account, oldest first."""
    rows = connection.execute(
        select(identities.c.kind, identities.c.subject)
        .where(identities.c.account_id == account_id)
        .order_by(identities.c.id)
    )
    return [Door(*row) for row in rows]


def add_door(connection: Connection, account_id: int, door: Door, *, now: datetime) -> None:
    """Let a door that nobody has lead to an account."""
    connection.execute(
        insert(identities).values(
            account_id=account_id, kind=door.kind, subject=door.subject, created_at=now
        )
    )


def move_door(connection: Connection, door: Door, account_id: int) -> None:
    """Let a door that stands lead to another account."""
    connection.execute(update(identities).where(*_at(door)).values(account_id=account_id))


def rename_door(connection: Connection, door: Door, subject: str) -> bool:
    """The platform gave a chat another id; False when that one is known already, or the old not.

    Then nothing is changed: the caller lets the two accounts become one.
    """
    if behind(connection, Door(door.kind, subject)) is not None:
        return False
    changed = connection.execute(update(identities).where(*_at(door)).values(subject=subject))
    return changed.rowcount > 0


def remove_door(connection: Connection, door: Door) -> None:
    """Nobody comes in here any more; the account stays."""
    connection.execute(delete(identities).where(*_at(door)))


def _at(door: Door) -> tuple[ColumnElement[bool], ...]:
    return identities.c.kind == door.kind, identities.c.subject == door.subject


# -- two accounts become one ----------------------------------------------------------------------


def absorb(connection: Connection, *, gone: int, kept: int, now: datetime) -> None:
    """Let everything of the account `gone` be of the account `kept`, and forget `gone`.

    What both follow is followed once, and goes to all places that either wanted. What `kept` said
    about an entry stands. Raises Conflict while a message of `gone` is being sent, since its
    worker would not find its route again, and RulesWait while rules of it, which end, have entries
    before them.
    """
    _hold(connection, gone, kept)
    if ruled.is_behind(connection, subscriptions.c.account_id == gone):
        raise RulesWait(_LATER)
    places = _join_destinations(connection, gone, kept)
    # Before feeds become one, which marks what came along.
    _join_states(connection, gone, kept, now)
    _join_private_feeds(connection, gone, kept, now)
    _join_subscriptions(connection, gone, kept, places)
    _join_words(connection, gone, kept)
    for table in (folders, identities):
        connection.execute(update(table).where(table.c.account_id == gone).values(account_id=kept))
    published = (tokens.c.account_id == gone, tokens.c.kind == "feed")
    connection.execute(update(tokens).where(*published).values(account_id=kept))
    connection.execute(delete(tokens).where(tokens.c.account_id == gone))
    connection.execute(delete(destinations).where(destinations.c.account_id == gone))
    connection.execute(delete(accounts).where(accounts.c.id == gone))
    ruled.settle(connection, subscriptions.c.account_id == kept)
    _wake(connection, kept, now)


def _hold(connection: Connection, gone: int, kept: int) -> None:
    """Both accounts and their destinations stand still until we commit."""
    found = connection.execute(
        select(accounts.c.id)
        .where(accounts.c.id.in_((gone, kept)))
        .order_by(accounts.c.id)
        .with_for_update()
    ).all()
    if len(found) < 2:
        raise NotFound("There is no such account.")
    leased = connection.execute(
        select(destinations.c.lease_owner)
        .where(destinations.c.account_id.in_((gone, kept)))
        .order_by(destinations.c.id)
        .with_for_update()
    )
    if any(row.lease_owner is not None for row in leased):
        raise Conflict(_LATER)


def _join_destinations(connection: Connection, gone: int, kept: int) -> dict[int, int]:
    """Bring the places over; gives those that `kept` had already, by the id they have there.

    What `gone` wished of all its messages is from now on wished of the places it had.
    """
    preferences = connection.execute(
        select(accounts.c.preferences).where(accounts.c.id == gone)
    ).scalar_one()
    of_account = (preferences or {}).get("delivery") or {}
    have = {
        (row.channel, row.address): row.id
        for row in connection.execute(
            select(destinations).where(destinations.c.account_id == kept)
        )
    }
    places = {}
    for row in connection.execute(
        select(destinations).where(destinations.c.account_id == gone)
    ).all():
        twin = have.get((row.channel, row.address))
        if twin is not None:
            places[row.id] = twin
            errands.move(connection, row.id, twin)
            continue
        connection.execute(
            update(destinations)
            .where(destinations.c.id == row.id)
            .values(account_id=kept, settings=wished.together(row.settings, of_account))
        )
        if wished.marks(of_account) and not wished.marks(row.settings):
            _note_marked(connection, routes.c.destination_id == row.id)
    return places


def _note_marked(connection: Connection, which: ColumnElement[bool]) -> None:
    """Rules that are of these routes from now on have marked all that is stored by now."""
    last_seq = select(feeds_table.c.last_seq).where(feeds_table.c.id == routes.c.feed_id)
    connection.execute(
        update(routes).where(which).values(marked_through=last_seq.scalar_subquery())
    )


def _join_private_feeds(connection: Connection, gone: int, kept: int, now: datetime) -> None:
    """Feeds that need a password are their owner's alone, and each address is there once.

    Where both have one, it is asked in the way of `kept` from now on.
    """
    twins = feeds_table.alias()
    same = (
        (twins.c.owner_account_id == kept)
        & (twins.c.canonical_key == feeds_table.c.canonical_key)
        & (twins.c.adapter == feeds_table.c.adapter)
    )
    both = (
        select(feeds_table.c.id, twins.c.id.label("twin"))
        .join(twins, same)
        .where(feeds_table.c.owner_account_id == gone)
        .order_by(feeds_table.c.id)
    )
    for feed_id, twin in connection.execute(both).all():
        merges.absorb(connection, gone=feed_id, kept=twin, now=now)
        feeds.revive(connection, twin, now=now)
    connection.execute(
        update(feeds_table)
        .where(feeds_table.c.owner_account_id == gone)
        .values(owner_account_id=kept)
    )


def _join_subscriptions(
    connection: Connection, gone: int, kept: int, places: dict[int, int]
) -> None:
    standing = {
        row.feed_id: row.id
        for row in connection.execute(
            select(subscriptions.c.id, subscriptions.c.feed_id).where(
                subscriptions.c.account_id == kept
            )
        )
    }
    coming = connection.execute(
        select(subscriptions)
        .where(subscriptions.c.account_id == gone)
        .order_by(subscriptions.c.feed_id)
    ).all()
    for row in coming:
        into = standing.get(row.feed_id, row.id)
        _join_routes(connection, row.id, into, places, {} if into == row.id else row.settings)
        if into == row.id:
            connection.execute(
                update(subscriptions).where(subscriptions.c.id == row.id).values(account_id=kept)
            )
        else:
            words.bring_over(connection, row.id, into)
            connection.execute(  # feeds of our own under a secret address
                update(tokens)
                .where(tokens.c.account_id == gone, tokens.c.kind == "feed")
                .where(tokens.c.scopes == f"feed:{row.id}")
                .values(scopes=f"feed:{into}")
            )
            connection.execute(delete(subscriptions).where(subscriptions.c.id == row.id))
        feeds.count_followers(connection, row.feed_id)


def _join_routes(
    connection: Connection,
    subscription: int,
    into: int,
    places: dict[int, int],
    wishes: Mapping[str, Any],
) -> None:
    """A route that goes where one of the other account goes already ends: that one goes on.

    The `wishes` of a subscription that ends are from now on those of its routes.
    """
    rows = connection.execute(
        select(routes.c.id, routes.c.destination_id, routes.c.settings)
        .where(routes.c.subscription_id == subscription)
        .order_by(routes.c.id)
    ).all()
    for row in rows:
        place = places.get(row.destination_id, row.destination_id)
        twin = connection.execute(
            select(routes.c.id).where(
                routes.c.subscription_id == into,
                routes.c.destination_id == place,
                routes.c.id != row.id,
            )
        ).first()
        if twin is not None and into != subscription:
            connection.execute(delete(routes).where(routes.c.id == row.id))
        else:
            connection.execute(
                update(routes)
                .where(routes.c.id == row.id)
                .values(
                    subscription_id=into,
                    destination_id=place,
                    settings=wished.together(row.settings, wishes),
                )
            )
            if wished.marks(wishes) and not wished.marks(row.settings):
                _note_marked(connection, routes.c.id == row.id)


def _join_states(connection: Connection, gone: int, kept: int, now: datetime) -> None:
    """What the other said, where nothing was said here; new to clients that keep a copy."""
    rows = [
        {**row, "account_id": kept, "updated_at": now}
        for row in connection.execute(
            select(entry_states).where(entry_states.c.account_id == gone)
        ).mappings()
    ]
    if rows:
        adding = insert_or(connection, entry_states)
        told = adding.on_conflict_do_update(
            index_elements=["account_id", "feed_id", "seq"], set_={"updated_at": now}
        )
        connection.execute(told, rows)
    connection.execute(delete(entry_states).where(entry_states.c.account_id == gone))


def _join_words(connection: Connection, gone: int, kept: int) -> None:
    """Tags on entries and searches that have a name; of a name that both used, one is left."""
    twins = tags.alias()
    both = select(tags.c.id, twins.c.id.label("twin")).join(
        twins, (twins.c.name == tags.c.name) & (twins.c.account_id == kept)
    )
    for tag, twin in connection.execute(both.where(tags.c.account_id == gone)).all():
        columns = ["feed_id", "seq", "sort_at"]
        rows = select(literal(twin), *(entry_tags.c[each] for each in columns)).where(
            entry_tags.c.tag_id == tag
        )
        adding = insert_or(connection, entry_tags).from_select(["tag_id", *columns], rows)
        connection.execute(adding.on_conflict_do_nothing())
    for table in (tags, saved_searches):
        taken = select(table.c.name).where(table.c.account_id == kept)
        connection.execute(
            update(table)
            .where(table.c.account_id == gone, table.c.name.not_in(taken))
            .values(account_id=kept)
        )


def _wake(connection: Connection, account_id: int, now: datetime) -> None:
    """Whatever came over with something to send is looked at."""
    connection.execute(
        update(destinations)
        .where(destinations.c.account_id == account_id, destinations.c.suspended_at.is_(None))
        .values(ready_at=func.coalesce(destinations.c.ready_at, literal(now, Instant)))
    )


# -- one account becomes two ----------------------------------------------------------------------


def split_off(
    connection: Connection, door: Door, name: str, places: Collection[int], *, now: datetime
) -> int:
    """Give a door an account of its own, with these destinations and what goes to them.

    Feeds are followed by both from then on, but for those that the old account's credentials open:
    these stay with it, and what went from them to the destinations ends. Gives the new account.
    Raises NotFound for a door that leads nowhere, and Conflict while a message is being sent.
    """
    old = behind(connection, door)
    if old is None:
        raise NotFound("There is no such account.")
    new = int(
        connection.execute(
            insert(accounts)
            .values(name=name[:256], role="member", created_at=now)
            .returning(accounts.c.id)
        ).scalar_one()
    )
    _hold(connection, old, new)
    move_door(connection, door, new)
    mine = (destinations.c.account_id == old, destinations.c.id.in_(places))
    connection.execute(update(destinations).where(*mine).values(account_id=new))
    _end_private_routes(connection, new)
    going = connection.execute(
        select(
            routes.c.id,
            routes.c.feed_id,
            subscriptions.c.custom_title,
            subscriptions.c.settings,
            subscriptions.c.ruled_through,
        )
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .where(destinations.c.account_id == new)
        .order_by(routes.c.feed_id, routes.c.id)
    ).all()
    for row in going:
        made = follow.add(connection, account_id=new, feed_id=row.feed_id, now=now)
        connection.execute(
            update(subscriptions)
            .where(subscriptions.c.id == made.subscription_id)
            .values(
                custom_title=row.custom_title,
                settings=row.settings,
                ruled_through=row.ruled_through,
            )
        )
        connection.execute(
            update(routes)
            .where(routes.c.id == row.id)
            .values(subscription_id=made.subscription_id)
        )
    ruled.settle(connection, subscriptions.c.account_id == new)
    return new


def _end_private_routes(connection: Connection, account_id: int) -> None:
    """Nothing goes to this account's destinations from feeds that others have credentials for."""
    theirs = select(feeds_table.c.id).where(
        feeds_table.c.owner_account_id.not_in((SHARED, account_id))
    )
    here = select(destinations.c.id).where(destinations.c.account_id == account_id)
    connection.execute(
        delete(routes).where(routes.c.destination_id.in_(here), routes.c.feed_id.in_(theirs))
    )
