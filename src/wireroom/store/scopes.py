"""Which of an account's subscriptions are looked at, and the places of entries in lists.

Statements here and in the modules beside it are built once for each form: who asks and what for
comes in by parameters, since building them costs more than most of them take to run.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import (
    CTE,
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    String,
    and_,
    bindparam,
    exists,
    func,
    literal,
    select,
    text,
)

from wireroom.store.schema import Id, Instant, folders, subscription_tags, subscriptions, tags

Show = Literal["all", "unread", "favorite"]
Order = Literal["newest", "oldest"]

#: Before and after every date that a feed can carry.
EVER = datetime(1, 1, 1, tzinfo=UTC)
NEVER = datetime(9999, 12, 31, tzinfo=UTC)

#: The account that asks; a parameter of every statement made here.
READER: BindParameter[int] = bindparam("reader", type_=BigInteger)


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of an account's subscriptions that is looked at; no field set: all of them.

    A folder includes the folders inside it; with a tag, only what carries it.
    """

    subscription_id: int | None = None
    folder_id: int | None = None
    tag: str | None = None

    @property
    def form(self) -> "Form":
        """What a statement has to ask about; the rest are parameters."""
        return (self.subscription_id is not None, self.folder_id is not None, self.tag is not None)


#: Whether a subscription, a folder and a tag are given.
Form = tuple[bool, bool, bool]

EVERYTHING = Scope()


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an entry stands in a list that merges feeds."""

    sort_at: datetime
    feed_id: int
    seq: int


def values_of(account_id: int, scope: Scope = EVERYTHING) -> dict[str, Any]:
    """The parameters of a statement about a scope."""
    return {
        "reader": account_id,
        "scope_subscription": scope.subscription_id,
        "scope_folder": scope.folder_id,
        "scope_tag": scope.tag,
    }


#: Which label of the account is meant; its name is a parameter, see `labelled`.
LABEL_ID: ScalarSelect[int] = (
    select(tags.c.id)
    .where(tags.c.account_id == READER, tags.c.name == bindparam("label", type_=String))
    .scalar_subquery()
)


def labelled(name: str) -> dict[str, str]:
    """The parameter of a statement that speaks of `LABEL_ID`."""
    return {"label": name}


def in_scope(form: Form) -> ColumnElement[bool]:
    """A condition on `subscriptions`; rows of other accounts never meet it."""
    by_subscription, by_folder, by_tag = form
    conditions = [subscriptions.c.account_id == READER]
    if by_subscription:
        conditions.append(subscriptions.c.id == bindparam("scope_subscription", type_=BigInteger))
    if by_folder:
        conditions.append(subscriptions.c.folder_id.in_(_within()))
    if by_tag:
        conditions.append(
            exists().where(
                subscription_tags.c.subscription_id == subscriptions.c.id,
                subscription_tags.c.tag == bindparam("scope_tag", type_=String),
            )
        )
    return and_(*conditions)


def _within() -> Select[tuple[int]]:
    folder = bindparam("scope_folder", type_=BigInteger)
    inside = (
        select(folders.c.id)
        .where(folders.c.account_id == READER, folders.c.id == folder)
        .cte("inside", recursive=True)
    )
    # UNION, not UNION ALL: a circle in the tree would end the walk instead of running for ever.
    inside = inside.union(select(folders.c.id).join(inside, folders.c.parent_id == inside.c.id))
    return select(inside.c.id)


def scope_exists(connection: Connection, account_id: int, scope: Scope) -> bool:
    """Is there such a subscription or folder, and is it this account's? A tag always is."""
    checks = []
    if scope.subscription_id is not None:
        checks.append(
            exists().where(
                subscriptions.c.id == scope.subscription_id,
                subscriptions.c.account_id == account_id,
            )
        )
    if scope.folder_id is not None:
        checks.append(
            exists().where(folders.c.id == scope.folder_id, folders.c.account_id == account_id)
        )
    return not checks or bool(connection.scalar(select(and_(*checks))))


def followed_in(form: Form) -> CTE:
    """followed(feed_id, floor): the feeds in a scope, and up to when their entries are read."""
    floor = func.coalesce(subscriptions.c.read_watermark, literal(EVER, Instant))
    return (
        select(subscriptions.c.feed_id, floor.label("floor")).where(in_scope(form)).cte("followed")
    )


def pairs(dialect: str, name: str, first: str, second: str) -> CTE:
    """Pairs of numbers to join with, from one parameter: JSON made by `pairs_value`.

    As a table and not `(…, …) IN (…)`, which SQLite answers by reading everything; as one
    parameter, so that any number of pairs is the same statement. Materialised: SQLite would read
    the JSON again for every row that it is joined with.
    """
    sql = {
        "sqlite": f"SELECT json_extract(value, '$[0]') AS {first}, json_extract(value, '$[1]') "  # noqa: S608
        f"AS {second} FROM json_each(:{name})",
        "postgresql": f"SELECT (value->>0)::bigint AS {first}, (value->>1)::bigint AS {second} "  # noqa: S608
        f"FROM json_array_elements(CAST(:{name} AS json))",
    }[dialect]
    columns = {first: Id, second: BigInteger()}
    return text(sql).columns(**columns).cte(name).prefix_with("MATERIALIZED")
