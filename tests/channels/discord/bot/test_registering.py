"""Commands are written to Discord where they differ from what stands there, and only then."""

from typing import Any

import pytest

from tests.channels.discord.bot.conftest import Bench
from wireroom.channels.discord.bot.registering import differ

COMMAND: dict[str, Any] = {
    "name": "rss",
    "type": 1,
    "description": "Feeds",
    "description_localizations": {"de": "Feeds"},
    "contexts": [0],
    "integration_types": [0],
    "nsfw": False,
    "default_member_permissions": None,
    "options": [
        {
            "type": 3,
            "name": "feed",
            "description": "A feed",
            "required": False,
            "choices": [{"name": "a", "value": "a"}, {"name": "no", "value": False}],
        }
    ],
}


async def test_nothing_is_written_twice(bench: Bench) -> None:
    """A second start finds its commands as they are (DCC-26)."""
    first = bench.discord.syncs
    await bench.restart()
    await bench.restart()

    assert (1, 1) == (first, bench.discord.syncs)
    assert "No feeds yet" in (await bench.run("rss list")).text


async def test_overrides_are_known_after_a_second_start(bench: Bench) -> None:
    """The number of /rss is found in what stands there."""
    await bench.restart()
    bench.guild.overrides = [{"id": bench.member.id, "type": 2, "permission": True}]
    shown = await bench.run("rss status", by=bench.member)

    assert "healthy" in shown.text


async def test_another_command_is_written(bench: Bench) -> None:
    """As after an update of Wireroom, or when somebody else changed them."""
    bench.discord.commands[0]["description_localizations"] = {"de": "Alt"}
    await bench.restart()
    bench.discord.commands.append({**COMMAND, "name": "gone", "id": "7"})
    await bench.restart()

    assert 3 == bench.discord.syncs
    assert "gone" not in {each["name"] for each in bench.discord.commands}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"id": "5", "version": "9", "dm_permission": False}, []),
        ({"name_localizations": None, "nsfw": None}, []),
        ({"description": "Other"}, ["rss"]),
        ({"description_localizations": {"de": "Anders"}}, ["rss"]),
        ({"default_member_permissions": "32"}, ["rss"]),
        ({"contexts": [0, 1]}, ["rss"]),
        ({"integration_types": [1, 0]}, ["rss"]),
        ({"options": []}, ["rss"]),
        ({"type": 2}, ["rss"]),
        ({"name": "feeds"}, ["feeds", "rss"]),
    ],
    ids=lambda each: ",".join(each) if isinstance(each, dict) else "",
)
def test_what_counts_as_a_difference(change: dict[str, Any], expected: list[str]) -> None:
    """What Discord adds by itself does not; everything that people see does."""
    assert expected == differ([COMMAND], [{**COMMAND, **change}])


def test_order_and_values_count() -> None:
    """Options have an order that people see, and a choice may mean nothing or no."""
    option = COMMAND["options"][0]
    turned = {**option, "choices": option["choices"][::-1]}
    without = {**option, "choices": [{"name": "a", "value": "a"}, {"name": "no"}]}

    assert ["rss"] == differ([COMMAND], [{**COMMAND, "options": [turned]}])
    assert ["rss"] == differ([COMMAND], [{**COMMAND, "options": [without]}])
