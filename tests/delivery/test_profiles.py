"""What each profile wants of new routes: the numbers of the systems that people come from."""

import pytest

from wireroom.delivery import template, wishlist
from wireroom.delivery.profiles import DEFAULTS, by_channel, defaults
from wireroom.delivery.wishes import wishes


@pytest.mark.parametrize(
    ("profile", "channel", "initial_items"),
    [
        ("wireroom", "telegram", 1),
        ("rssbot", "telegram", 0),
        ("rss-feed", "discord", 1),
        ("el-monitorro", "telegram", 10),
        ("wireroom", "mail", 0),
    ],
)
def test_how_many_entries_a_new_route_begins_with(
    profile: str, channel: str, initial_items: int
) -> None:
    """None, the newest as a preview, or the last ten (C21)."""
    assert initial_items == defaults(profile, channel).initial_items


@pytest.mark.parametrize(
    ("profile", "channel", "burst", "says_how_many"),
    [("rss-feed", "discord", 5, False), ("el-monitorro", "telegram", 10, True)],
)
def test_how_much_of_a_backlog_is_sent(
    profile: str, channel: str, burst: int, says_how_many: bool
) -> None:
    """Five at Discord, ten at Telegram, which says how many others there were (C22, DCD-09)."""
    wanted = wishes(({}, {}, {}, {}, {}, by_channel(profile)[channel]))

    assert (burst, says_how_many) == (wanted.burst, wanted.more_line)


@pytest.mark.parametrize("profile", sorted(DEFAULTS))
def test_a_profile_wants_nothing_that_cannot_be_wished(profile: str) -> None:
    """Each of its settings could have been typed by its operator."""
    for settings in by_channel(profile).values():
        for name, value in settings.items():
            wishlist.check(name, value)


def test_the_layout_of_el_monitorro_is_a_template_like_any_other() -> None:
    """One engine knows its names as it knows ours (C27, TGD-24)."""
    layout = by_channel("el-monitorro")["telegram"]["template"]
    names = ("feed_name", "item_name", "item_description", "item_link")
    values = {f"bot_{name}": name for name in names} | {"bot_date": ""}

    shown = template.render(template.parse(layout), values)
    assert "feed_name\n\nitem_name\n\nitem_description\n\nitem_link" == shown


def test_an_operators_template_takes_the_place_of_the_profiles() -> None:
    """For Telegram, where both systems had one for everybody."""
    assert "{{ title }}" == by_channel("rssbot", template="{{ title }}")["telegram"]["template"]
