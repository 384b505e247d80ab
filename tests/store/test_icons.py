"""Icons of sites and the routes that show them, on both engines."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import select, update

from tests.rows import NOON, add_account, add_feed
from tests.store.test_guilds import connect
from wireroom.store import icons
from wireroom.store.engine import Database
from wireroom.store.icons import SiteIcon
from wireroom.store.schema import routes

OLD = SiteIcon("e.org", "https://e.org/", "https://e.org/old.png", NOON)
NEW = replace(OLD, url="https://e.org/new.png", looked_at=NOON + timedelta(days=8))


def test_another_icon_is_shown_where_the_old_one_was(database: Database) -> None:
    """Other pictures and other wishes stay; without an icon nothing is said of a picture."""
    with database.writing() as connection:
        account, feed = add_account(connection), add_feed(connection)
        wishes = ({"avatar": OLD.url, "color": 1}, {"avatar": "https://e.org/b.png"}, {})
        for number, each in enumerate(wishes):
            route = connect(connection, account, feed, address=str(number))
            connection.execute(update(routes).where(routes.c.id == route).values(settings=each))
        icons.note(connection, OLD, before="")
        unknown = icons.list_unknown(connection, most=9)
        shown = [icons.is_shown(connection, url) for url in (OLD.url, NEW.url, "")]
        icons.note(connection, NEW, before=OLD.url)
        settings = select(routes.c.settings).order_by(routes.c.id)
        changed = list(connection.execute(settings).scalars())
        icons.note(connection, replace(NEW, url=""), before=NEW.url)
        bare = list(connection.execute(settings).scalars())

    assert ["https://e.org/b.png"] == [icon for _, icon in unknown]
    assert [True, False, False] == shown
    assert [{"color": 1, "avatar": NEW.url}, *wishes[1:]] == changed
    assert [{"color": 1}, *wishes[1:]] == bare


def test_the_oldest_come_first(database: Database) -> None:
    """Of those before a moment, and no more than were asked for."""
    found = [
        replace(OLD, host=f"{day}.org", looked_at=NOON + timedelta(days=day)) for day in (2, 0, 1)
    ]
    with database.writing() as connection:
        for each in found:
            icons.note(connection, each, before="")
        old = icons.list_old(connection, before=NOON + timedelta(days=2), most=9)
        first = icons.list_old(connection, before=NOON + timedelta(days=9), most=1)
        icons.forget(connection, "0.org")
        left = icons.find(connection, "0.org")

    assert [found[1], found[2]] == old
    assert [found[1]] == first
    assert left is None
