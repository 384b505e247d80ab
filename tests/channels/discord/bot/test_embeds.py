"""The bot's own embeds within Discord's limits, whatever is in them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.servers.discord_rules import check_message
from wireroom.channels.discord.bot import embeds, finding, listing, replies, status
from wireroom.channels.discord.bot.buttons import Option, Select
from wireroom.channels.discord.bot.desk import Visitor
from wireroom.delivery.richtext import units
from wireroom.store.guilds import GuildFeed, NamedFeed

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
VISITOR = Visitor("1", "Harbour", 1, "2", "en")
LONG = "😀" * 300


def failing(number: int) -> GuildFeed:
    """A feed that fails, while its webhook takes everything."""
    return replace(ailing(number), suspended_at=None, paused_until=None, attempts=0)


def ailing(number: int, title: str = LONG) -> GuildFeed:
    """A feed of which there is much to tell: it fails, and so does its webhook."""
    return GuildFeed(
        id=number,
        subscription_id=1,
        feed_id=1,
        destination_id=1,
        custom_title=title,
        feed_title="",
        url="https://news.example/" + "x" * 1500,
        site_url="",
        icon_url="",
        feed_type="generic",
        interval_seconds=3600,
        last_attempt_at=NOW,
        next_poll_at=NOW + timedelta(hours=1),
        failure_count=5,
        last_error="The host answered " + "**badly** " * 60,
        disabled_at=None,
        disabled_reason="",
        last_seq=9,
        cursor=3,
        settings={},
        paused_until=NOW + timedelta(hours=1),
        attempts=2,
        suspended_at=NOW,
        suspended_reason="the webhook was deleted " * 20,
        channel_id="1200000000000000001",
        thread_id="",
        added_by="2",
    )


@pytest.mark.parametrize(("count", "one"), [(1, ailing), (5, ailing), (12, ailing), (25, failing)])
def test_all_of_a_page_is_listed(count: int, one: Callable[[int], GuildFeed]) -> None:
    """However long names and addresses are, no feed of a page is left out (DCC-14, DCC-15)."""
    room = embeds.share(count)
    lines = [listing.line(VISITOR, one(each), NOW, room) for each in range(1, count + 1)]
    made = embeds.embed("Feeds", lines, footer="Page 1 of 1")

    check_message({"embeds": [made]})
    assert count == len(made["fields"])
    assert "Page 1 of 1" == made["footer"]["text"]
    assert all("5 failures" in each["value"] for each in made["fields"])


def test_25_ailing_feeds() -> None:
    """As many are shown, with their errors as far as there is room; of more the number is told
    (DCC-19).
    """
    made = status.report(VISITOR, [failing(each) for each in range(1, 31)], color=1)

    check_message({"embeds": [made]})
    assert 25 == len(made["fields"])
    assert "+5" == made["footer"]["text"]
    assert all("next try <t:" in each["value"] for each in made["fields"])


def test_one_ailing_feed() -> None:
    """200 characters of its error (DCC-19)."""
    made = status.report(VISITOR, [ailing(1)], color=1)
    lines = made["fields"][0]["value"].split("\n")

    assert 200 == len(lines[1].removeprefix("⚠️ 5 failures: ").replace("\\", ""))


def test_names_are_no_markdown() -> None:
    """What a publisher calls its feed looks like that in lists, too (DCC-15)."""
    name, _, _ = listing.line(VISITOR, ailing(7, "**b** <@&77> [x](y)"), NOW, 5000)

    assert r"#7 \*\*b\*\* \<\@&77\> \[x\](y)" == name


def test_what_is_left_out_is_counted() -> None:
    """Fields that do not fit are missing at the end, and the footer says how many."""
    made = embeds.embed("x", [("n", "v" * 1024, False)] * 10, footer="below")

    assert "below · +5" == made["footer"]["text"]
    assert 5 == len(made["fields"])


def test_several_embeds_of_one_message() -> None:
    """They share one sum; each says less, and none is missing."""
    one = embeds.embed("Feed added", [("URL", "v" * 1024, False), ("Name", LONG, False)])
    made = embeds.together([one] * 10)

    check_message({"embeds": list(made)})
    assert 10 == len(made)
    assert (one,) == embeds.together([one])


def test_texts_that_are_counted_in_another_way() -> None:
    """Where a sign counts twice, nothing is longer than Discord takes."""
    listed = [NamedFeed(1, 1, LONG, "", "https://news.example/", "generic")]
    suggested = finding.choices(listed, "")
    select = Select("wr:x", LONG, (Option(LONG, "1", LONG),))
    view = replies.Reply("x", rows=(select,)).arguments()["view"].to_components()
    option = view[0]["components"][0]["options"][0]
    texts = [suggested[0].name, option["label"], option["description"]]

    assert [100, 100, 100] == [units(each) + units(each) % 2 for each in texts]
