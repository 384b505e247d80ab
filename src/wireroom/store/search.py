"""Finding entries again: full text over title, author and body, best first, hits marked."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Float,
    FromClause,
    bindparam,
    column,
    select,
    text,
    true,
)

from wireroom.feeds.plaintext import text as plain_text
from wireroom.store import following, labels, reading, scopes
from wireroom.store.query import Name, Query
from wireroom.store.reading import Entry, Scope
from wireroom.store.schema import entries, entry_states, folders, subscriptions, tags
from wireroom.store.words import Piece, Term, marked, snippet


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found; title and text as pieces of plain text, hits marked."""

    entry: Entry
    title: tuple[Piece, ...]
    text: tuple[Piece, ...]


#: How many of the best matches are looked at, in turn until a page is full: a common word has
#: more than anybody leafs through, and the filters hardly ever leave less than a page of them.
_BEST = (1_000, 2**62)


def search(
    connection: Connection,
    account_id: int,
    query: Query,
    *,
    limit: int = 50,
    offset: int = 0,
    feeds: Collection[int] | None = None,
) -> list[Hit]:
    """What an account may see and is looked for: the best first, the newest first where equal.

    With `feeds` nothing else is looked at. Without a word to look for, everything that meets the
    filters, newest first.
    """
    allowed = _allowed_feeds(connection, account_id, query)
    if feeds is not None:
        allowed = set(feeds) if allowed is None else allowed & set(feeds)
    if allowed is not None and not allowed:
        return []
    conditions = [
        *_conditions(query, account_id),
        *_labelled(connection, account_id, query.labels),
    ]
    if allowed is not None:
        conditions.append(entries.c.feed_id.in_(sorted(allowed)))
    for best in _BEST if query.wanted else (0,):
        found = reading.find_entries(
            connection,
            account_id,
            _matches(connection, query.terms, best) if query.wanted else None,
            _unwanted(connection, query),
            *conditions,
            limit=limit,
            offset=offset,
        )
        if len(found) == limit:
            break
    return _shown(connection, account_id, found, query.terms)


def _shown(
    connection: Connection, account_id: int, found: Sequence[Entry], terms: Sequence[Term]
) -> list[Hit]:
    bodies = reading.bodies(connection, account_id, reading.keys_of(found))
    hits = []
    for entry in found:
        body = bodies.get((entry.feed_id, entry.seq))
        html = (body.content or body.summary or "") if body else ""
        hits.append(Hit(entry, marked(entry.title, terms), snippet(plain_text(html), terms)))
    return hits


# -- filters --------------------------------------------------------------------------------------


def _conditions(query: Query, account_id: int) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if query.is_read is not None:
        was_read = reading.was_read()
        found.append(was_read if query.is_read else ~was_read)
    if query.is_favorite is not None:
        is_favorite = entry_states.c.is_favorite == true()
        found.append(is_favorite if query.is_favorite else is_favorite.is_not(True))
    if query.before is not None:
        found.append(entries.c.sort_at < query.before)
    if query.after is not None:
        found.append(entries.c.sort_at >= query.after)
    return found


def _labelled(
    connection: Connection, account_id: int, names: Sequence[Name]
) -> Iterable[ColumnElement[bool]]:
    """One condition for each name; a label is named in full, in any case."""
    every = labels.every(connection, account_id) if names else []
    for name in names:
        ids = [each.id for each in every if each.name.casefold() == name.text.casefold()]
        has = labels.has_one_of(tags.c.id.in_(ids))
        yield ~has if name.negated else has


def _allowed_feeds(connection: Connection, account_id: int, query: Query) -> set[int] | None:
    """The feeds that the names in the query leave; None: all that the account follows."""
    if not query.feeds and not query.folders:
        return None
    followed = following.list_followed(connection, account_id)
    allowed = {each.feed_id for each in followed}
    for name in query.feeds:
        named = {
            each.feed_id
            for each in followed
            if _is_called(name, each.feed_id, each.title, each.feed_title, each.url)
        }
        allowed = allowed - named if name.negated else allowed & named
    for name in query.folders:
        inside = _inside(connection, account_id, name)
        allowed = allowed - inside if name.negated else allowed & inside
    return allowed


def _is_called(name: Name, number: int, *names: str) -> bool:
    wanted = name.text.casefold()
    return wanted == str(number) or any(wanted in each.casefold() for each in names)


def _inside(connection: Connection, account_id: int, name: Name) -> set[int]:
    rows = connection.execute(
        select(folders.c.id, folders.c.name).where(folders.c.account_id == account_id)
    )
    found: set[int] = set()
    for folder_id in [row.id for row in rows if _is_called(name, row.id, row.name)]:
        within = Scope(folder_id=folder_id)
        query = select(subscriptions.c.feed_id).where(scopes.in_scope(within.form))
        found |= set(connection.scalars(query, scopes.values_of(account_id, within)))
    return found


# -- the engines' own words -----------------------------------------------------------------------


def _matches(connection: Connection, terms: Sequence[Term], best: int) -> FromClause:
    """feed_id, seq and score (the smaller the better) of the best that the index finds in the
    feeds that the reader follows, and of all that are as good as the last of them: which are the
    newest of those is not for the index to say."""
    if connection.dialect.name == "sqlite":
        scored = (
            "SELECT rowid >> 32 AS feed_id, rowid & 4294967295 AS seq, "
            "bm25(entry_search, 10.0, 4.0, 1.0) AS score "
            "FROM entry_search WHERE entry_search MATCH :match AND (rowid >> 32) IN "
            "(SELECT feed_id FROM subscriptions WHERE account_id = :reader)"
        )
        match = _fts5(terms)
    else:
        scored = (
            "SELECT feed_id, seq, -ts_rank_cd('{0.1, 0.1, 0.4, 1.0}', document, wanted, 1) "
            "AS score FROM entry_search, CAST(:match AS tsquery) AS wanted "
            "WHERE document @@ wanted AND feed_id IN "
            "(SELECT feed_id FROM subscriptions WHERE account_id = :reader)"
        )
        match = _tsquery(terms)
    found = text(
        f"WITH scored AS MATERIALIZED ({scored}), "  # noqa: S608 - either of the two above
        "least AS MATERIALIZED (SELECT score FROM scored ORDER BY score LIMIT 1 OFFSET :best) "
        "SELECT feed_id, seq, score FROM scored "
        "WHERE NOT EXISTS (SELECT 1 FROM least WHERE least.score < scored.score)"
    ).bindparams(bindparam("match", match), bindparam("best", best - 1))
    return found.columns(
        column("feed_id", BigInteger), column("seq", BigInteger), column("score", Float)
    ).subquery("found")


def _unwanted(connection: Connection, query: Query) -> FromClause | None:
    """What the index finds of that which must not be, where there is nothing else to look for."""
    if query.wanted or not query.unwanted:
        return None
    turned = [Term(each.words, False, each.field, each.is_prefix) for each in query.unwanted]
    if connection.dialect.name == "sqlite":
        match = " OR ".join(_fts5_term(each) for each in turned)
        found = text(
            "SELECT rowid >> 32 AS feed_id, rowid & 4294967295 AS seq "
            "FROM entry_search WHERE entry_search MATCH :match"
        ).bindparams(bindparam("match", match))
    else:
        match = " | ".join(_tsquery_term(each) for each in turned)
        found = text(
            "SELECT feed_id, seq FROM entry_search WHERE document @@ CAST(:match AS tsquery)"
        ).bindparams(bindparam("match", match))
    return found.columns(column("feed_id", BigInteger), column("seq", BigInteger)).subquery("not")


def _fts5(terms: Sequence[Term]) -> str:
    """An FTS5 query. Words are letters and digits, so nothing in them needs escaping."""
    wanted = " AND ".join(_fts5_term(each) for each in terms if not each.negated)
    unwanted = [_fts5_term(each) for each in terms if each.negated]
    return f"({wanted}) NOT ({' OR '.join(unwanted)})" if unwanted else wanted


def _fts5_term(term: Term) -> str:
    phrase = '"' + " ".join(term.words) + '"' + ("*" if term.is_prefix else "")
    return f"({term.field} : {phrase})" if term.field else f"({phrase})"


def _tsquery(terms: Sequence[Term]) -> str:
    return " & ".join(("!" if each.negated else "") + _tsquery_term(each) for each in terms)


_WEIGHTS = {"": "", "title": "A", "author": "B"}


def _tsquery_term(term: Term) -> str:
    weight = _WEIGHTS[term.field]
    lexemes = []
    for place, word in enumerate(term.words, start=1):
        star = "*" if term.is_prefix and place == len(term.words) else ""
        mark = f":{star}{weight}" if star or weight else ""
        lexemes.append(f"'{word}'{mark}")
    return "(" + " <-> ".join(lexemes) + ")"
