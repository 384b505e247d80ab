"""What people say about how a feed's messages should be, read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wireroom.catalogue import Language
from wireroom.channels.discord.bot.adding import Order
from wireroom.channels.discord.bot.references import colour, interval, named
from wireroom.channels.discord.bot.webhooks import ChannelFacts, Place, Webhooks
from wireroom.channels.discord.bot.wishing import ALL, EVERYTHING, calling
from wireroom.delivery import wishlist
from wireroom.errors import UserError
from wireroom.feeds.adapters import CHOICES, GENERIC


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of /rss add as they were typed; "" or None where nothing was."""

    webhook: str = ""
    place: Place | None = None
    interval: str = ""
    feed_type: str = ""
    name: str = ""
    newest: int | None = None
    filter: str = ""
    template: str = ""
    layout: str = ""
    color: str = ""
    media: str = ""
    digest: str = ""
    tags: str = ""
    crosspost: bool | None = None
    #: A role's number, and the filter on which it is called.
    mention: str = ""
    mention_when: str = ""

    @property
    def needs_channel(self) -> bool:
        """Whether the channel has to be looked at first."""
        return bool(self.tags) or bool(self.crosspost)


def order(asked: Asked, settings: Mapping[str, Any]) -> Order:
    """Raises UserError for what cannot be read."""
    if asked.feed_type and asked.feed_type not in CHOICES:
        raise UserError(
            f"There is no type {asked.feed_type!r}; there are: {', '.join(CHOICES)}.",
            code="invalid_setting",
        )
    return Order(
        webhook=asked.webhook,
        place=asked.place,
        interval=interval(asked.interval) if asked.interval else None,
        feed_type=asked.feed_type or GENERIC,
        name=" ".join(asked.name.split()),
        newest=1 if asked.newest is None else asked.newest,
        settings=settings,
    )


def settings(asked: Asked, channel: ChannelFacts | None) -> dict[str, Any]:
    """The wishes of a route that were typed, checked. Raises UserError."""
    made: dict[str, Any] = {}
    if asked.color:
        made["color"] = colour(asked.color)
    for name in ("filter", "template", "layout", "media", "digest"):
        if value := getattr(asked, name):
            value = EVERYTHING if name == "filter" and value.strip() == ALL else value
            wishlist.check(name, value)
            made[name] = value
    if asked.mention_when and not asked.mention:
        raise UserError(
            "`mention_when` says when a role is called: name the role as `mention`.",
            code="invalid_setting",
        )
    if asked.mention:
        when = "" if asked.mention_when.strip() == ALL else " ".join(asked.mention_when.split())
        made["rules"] = calling("", asked.mention, when)
        wishlist.check("rules", made["rules"])
    return made | _of_channel(asked, channel)


async def check_tags(
    webhooks: Webhooks, place: Place, settings: Mapping[str, Any], language: Language
) -> None:
    """Whether posts with these settings are taken there. Raises UserError."""
    if place.thread_id:  # messages in a post have no tags
        return
    facts = await webhooks.channel(place.channel_id, language)
    tags = str(settings.get("tags") or "").split(",")
    if facts.needs_tag and not {number for number, _ in facts.tags}.intersection(tags):
        raise UserError(
            "This forum wants a tag on every post: follow the feed there by `/rss add` and "
            "`tags`.",
            code="tag_needed",
        )


def _of_channel(asked: Asked, channel: ChannelFacts | None) -> dict[str, Any]:
    if channel is None:
        return {}
    made: dict[str, Any] = {}
    if asked.tags:
        made["tags"] = ",".join(named(asked.tags, channel.tags)[:5])
    elif channel.needs_tag:
        there_are = ", ".join(name for _, name in channel.tags) or "none"
        raise UserError(
            f"This forum wants a tag on every post: name one as `tags`; there are: {there_are}.",
            code="tag_needed",
        )
    if asked.crosspost:
        if not channel.is_announcement:
            raise UserError(
                "Only messages in announcement channels can be published.", code="not_announcement"
            )
        made["crosspost"] = True
    return made
