"""Icons of sites, as far as somebody looked for them, and the routes that show them on Discord."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, delete, select

from wireroom.store import places
from wireroom.store.dialects import insert_or
from wireroom.store.places import Place
from wireroom.store.schema import discord_webhooks, feeds, routes, site_icons


@dataclass(frozen=True, slots=True)
class SiteIcon:
    """What was found at a page of a host; no `url` where it has no icon."""

    host: str
    page_url: str
    url: str
    looked_at: datetime


def find(connection: Connection, host: str) -> SiteIcon | None:
    """None where nobody looked yet."""
    row = connection.execute(
        select(
            site_icons.c.host, site_icons.c.page_url, site_icons.c.url, site_icons.c.looked_at
        ).where(site_icons.c.host == host)
    ).first()
    return None if row is None else SiteIcon(*row)


def note(connection: Connection, icon: SiteIcon, *, before: str) -> None:
    """Keep what was found; what showed the icon `before` shows this one, if there is one."""
    found = {"page_url": icon.page_url, "url": icon.url, "looked_at": icon.looked_at}
    connection.execute(
        insert_or(connection, site_icons)
        .values(host=icon.host, **found)
        .on_conflict_do_update(index_elements=[site_icons.c.host], set_=found)
    )
    if before and before != icon.url:
        _replace(connection, before, icon)


def _replace(connection: Connection, before: str, icon: SiteIcon) -> None:
    for route_id, settings in _showing(connection, before):
        others = {name: value for name, value in settings.items() if name != "avatar"}
        changed = {**others, "avatar": icon.url} if icon.url else others
        places.change_settings(connection, Place("route", route_id), changed, now=icon.looked_at)


def is_shown(connection: Connection, url: str) -> bool:
    """Whether messages of any route to Discord have this picture beside them."""
    return bool(url) and bool(_showing(connection, url, most=1))


def _showing(
    connection: Connection, url: str, most: int | None = None
) -> list[tuple[int, dict[str, object]]]:
    rows = connection.execute(
        select(routes.c.id, routes.c.settings)
        .join(discord_webhooks, discord_webhooks.c.destination_id == routes.c.destination_id)
        .where(routes.c.settings["avatar"].as_string() == url)
        .order_by(routes.c.id)
        .limit(most)
    )
    return [(row.id, dict(row.settings)) for row in rows]


def list_old(connection: Connection, *, before: datetime, most: int) -> list[SiteIcon]:
    """Those that were looked for longest ago."""
    rows = connection.execute(
        select(site_icons.c.host, site_icons.c.page_url, site_icons.c.url, site_icons.c.looked_at)
        .where(site_icons.c.looked_at < before)
        .order_by(site_icons.c.looked_at)
        .limit(most)
    )
    return [SiteIcon(*row) for row in rows]


def list_unknown(connection: Connection, *, most: int) -> list[tuple[str, str]]:
    """Pages of sites whose icon is shown, with that icon, though nothing is kept of them."""
    shown = routes.c.settings["avatar"].as_string()
    rows = connection.execute(
        select(case((feeds.c.site_url != "", feeds.c.site_url), else_=feeds.c.url), shown)
        .select_from(routes)
        .join(discord_webhooks, discord_webhooks.c.destination_id == routes.c.destination_id)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .where(shown.not_in(select(site_icons.c.url)))
        .order_by(routes.c.id)
        .limit(most)
    )
    return [(page, icon) for page, icon in rows]


def forget(connection: Connection, host: str) -> None:
    """Whoever needs it next has it looked for anew."""
    connection.execute(delete(site_icons).where(site_icons.c.host == host))
