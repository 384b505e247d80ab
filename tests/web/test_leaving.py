"""Leaving: all that an account has can be taken along and is deleted."""

import io
import json
import zipfile

from litestar.testing import TestClient
from sqlalchemy import insert, select

from tests.rows import NOON, add_entry, add_feed, at, follow
from tests.web.conftest import Browser
from tests.web.rooms import Outside
from tests.web.visiting import (
    PASSWORD,
    Visitor,
    fill,
    invitation_from,
    led_where,
    role_of,
)
from wireroom.store import schema


def _account_tables() -> set[str]:
    """Tables with rows of accounts: those that end with an account, or with what ends with it."""
    found, feeds = {"accounts"}, {"feeds", "entries"}  # feeds are everybody's
    for table in schema.metadata.sorted_tables:  # those that others refer to come first
        owners = {key.column.table.name for key in table.foreign_keys if key.ondelete == "CASCADE"}
        if owners & (found - feeds):
            found.add(table.name)
    return found


def test_every_column_that_names_an_account_is_known() -> None:
    """A new one has to be looked at: does its row go along, and does it end with the account?"""
    named = {
        f"{table.name}.{column.name}"
        for table in schema.metadata.sorted_tables
        for column in table.c
        if column.name.endswith("account_id") and not column.foreign_keys
    }

    assert {"feeds.owner_account_id"} == named
    assert {"entry_tags", "routes", "deliveries", "errands", "push_devices"} <= _account_tables()


def test_all_of_an_account_is_taken_along(outside: Outside, ada: Browser) -> None:
    """Every table that knows the account is in the file, and no secret."""
    with outside.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id, custom_title="My harbour")
        seq = add_entry(connection, feed_id, at(-5), "The ferry", content="<p>Late.</p>")
        connection.execute(
            insert(schema.entry_states).values(
                account_id=ada.account_id, feed_id=feed_id, seq=seq, is_favorite=True,
                updated_at=NOON,
            )
        )  # fmt: skip
    answer = ada.get("/settings/data/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        told = json.loads(packed.read("account.json"))
        said = [json.loads(line) for line in packed.read("said.jsonl").splitlines()]
        opml = packed.read("subscriptions.opml").decode()

    assert set() == _account_tables() - set(told) - {"entry_states"}
    assert [("The ferry", True, "<p>Late.</p>")] == [
        (each["title"], each["is_favorite"], each["content"]) for each in said
    ]
    assert "My harbour" in opml
    assert b"secret_hash" not in answer.content
    assert all("secret" not in name for rows in told.values() for row in rows for name in row)


def test_nothing_is_left_of_a_deleted_account(outside: Outside, owner: Visitor) -> None:
    """Its rows go in every table, and feeds that nobody else follows; others' stay."""
    invitation = invitation_from(owner)
    with TestClient(outside.app()) as bob:
        form = {"invitation": invitation, "password": PASSWORD, "again": PASSWORD}
        fill(bob, "/join", f"/join?invitation={invitation}", login="bob", **form)
        with outside.database.writing() as connection:
            rows = connection.execute(select(schema.accounts.c.name, schema.accounts.c.id))
            accounts_of = {row.name: row.id for row in rows}
            shared, own = add_feed(connection, "Shared"), add_feed(connection, "Own")
            for name, feed_id in (("ada", shared), ("bob", shared), ("bob", own)):
                follow(connection, accounts_of[name], feed_id)
            add_entry(connection, own, at(-5))
        page = "/settings/data"
        wrong = fill(bob, "/settings/data/delete", page, current=PASSWORD, name="ada")
        gone = fill(bob, "/settings/data/delete", page, current=PASSWORD, name="bob")
        inside = bob.get("/", follow_redirects=False)
    with outside.database.reading() as connection:
        left = [
            table.name
            for table in schema.metadata.sorted_tables
            if "account_id" in table.c
            and connection.execute(
                select(table).where(table.c.account_id == accounts_of["bob"])
            ).first()
        ]
        feeds = connection.scalars(select(schema.feeds.c.title)).all()

    assert (422, (303, "/login"), 303) == (wrong.status_code, led_where(gone), inside.status_code)
    assert ([], ["Shared"], None) == (left, feeds, role_of(outside, "bob"))


def test_the_only_operator_stays(outside: Outside, owner: Visitor) -> None:
    """A Wireroom without anybody who runs it would open itself to whoever comes next."""
    answer = fill(owner, "/settings/data/delete", "/settings/data", current=PASSWORD, name="ada")

    assert (422, "operator") == (answer.status_code, role_of(outside, "ada"))
