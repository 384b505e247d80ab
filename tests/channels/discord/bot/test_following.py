"""`/rss add`, `list` and `remove`, from a person's hand to what stands in the channel."""

import asyncio

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from tests.servers.discord_platform import FORUM, SEND, VIEW
from tests.servers.scripted import Reply, Seen

HTML = (("Content-Type", "text/html"),)


async def test_the_first_feed(bench: Bench) -> None:
    """A webhook of the feed's title posts only the newest (DCC-12, DCD-15, PRS-24)."""
    shown = await bench.run("rss add", feed_url=FEED)
    await bench.deliver()

    assert ["Story 2"] == bench.posts
    assert "Feed added" == shown.embeds[0]["title"]
    assert ["Name", "URL", "Interval", "Type", "ID", "Posts in"] == [
        each["name"] for each in shown.embeds[0]["fields"]
    ]
    assert "Harbour" in shown.embeds[0]["fields"][0]["value"]
    assert "preview" in shown.embeds[0]["footer"]["text"]
    assert shown.is_private


async def test_all_options_at_once(bench: Bench) -> None:
    """Name, interval, type and wishes; the preview looks as the wishes want it."""
    shown = await bench.run(
        "rss add",
        feed_url=FEED,
        name="Ships",
        interval="1h",
        feed_type="generic",
        filter="-crypto",
        layout="text",
        color="#00ff00",
        media="none",
        digest="08:00",
    )

    assert "Ships" in shown.all_text
    assert "every 1 h" in shown.all_text
    assert bench.discord.messages[0].payload["content"].startswith("**[Story 2]")


async def test_the_preview_passes_the_filter(bench: Bench) -> None:
    """What the filter keeps out is not posted as a preview either (DCC-11, wish 22)."""
    shown = await bench.run("rss add", feed_url=FEED, filter='-"Story 2"')

    assert ["Story 1"] == bench.posts
    assert "posted as a preview" in shown.embeds[0]["footer"]["text"]


@pytest.mark.parametrize(
    ("locale", "said"), [("en-US", "passes the filter"), ("de", "passt zum Filter")]
)
async def test_no_entry_passes_the_filter(bench: Bench, locale: str, said: str) -> None:
    """Nothing is posted, neither now nor by a poll; the first that fits is (DCC-11, DCC-22)."""
    bench.owner.locale = locale
    added = await bench.run("rss add", feed_url=FEED, filter="whales")
    polled = await bench.run("rss poll", feed="1")
    before = list(bench.posts)
    bench.script["/feed"] = feed("3|whales", "2", "1")
    await bench.run("rss poll", feed="1")
    await bench.deliver()

    assert said in added.embeds[0]["footer"]["text"]
    assert polled.text.startswith("➖ #1 **Harbour**")
    assert said in polled.text
    assert [] == before
    assert ["whales"] == bench.posts


async def test_several_feeds_with_long_names(bench: Bench) -> None:
    """All are told of in one answer, which Discord would refuse as a whole if it were too long."""
    typed = []
    for number in range(4):
        path = f"/{number}-" + "x" * 900
        bench.script[path] = feed("1")
        typed.append(f"https://news.example{path}")
    shown = await bench.run("rss add", feed_url="\n".join(typed), name="😀" * 120)
    many = await bench.run("rss list")

    assert 4 == len(shown.embeds)
    assert {"Feed added"} == {each["title"] for each in shown.embeds}
    assert 2 == len(many.embeds[0]["fields"])


@pytest.mark.parametrize(
    ("dates", "timestamp"),
    [
        ("<published>2026-11-29T10:00:00+02:00</published>", "2026-11-29T08:00:00Z"),
        ("<updated>2026-11-29T10:00:00+02:00</updated>", "2026-11-29T08:00:00Z"),
        ("", None),
    ],
    ids=["published", "updated", "none"],
)
async def test_the_time_of_an_entry(bench: Bench, dates: str, timestamp: str | None) -> None:
    """When it was published, else updated, in UTC; none where the feed says none (DCD-07)."""
    entry = f"<entry><id>1</id><title>Story</title>{dates}</entry>"
    atom = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>Ships</title>{entry}</feed>"
    bench.script["/feed"] = Reply(
        headers=(("Content-Type", "application/atom+xml"),), body=atom.encode()
    )
    await bench.run("rss add", feed_url=FEED)

    assert timestamp == bench.discord.messages[0].embed.get("timestamp")


async def test_news_follow(bench: Bench) -> None:
    """What comes later is posted once, in order."""
    await bench.run("rss add", feed_url=FEED)
    bench.script["/feed"] = feed("4", "3", "2", "1")
    await bench.room.poll_when_due()
    await bench.deliver()

    assert ["Story 2", "Story 3", "Story 4"] == bench.posts


async def test_a_webhook_that_somebody_brought(bench: Bench) -> None:
    """It is used and never shown; the bot makes none (DCC-07, DCD-01)."""
    hook = bench.discord.add_webhook(channel=bench.channel.id)
    shown = await bench.run("rss add", feed_url=FEED, webhook_url=hook.url)

    assert [hook.id] == [each.webhook for each in bench.discord.messages]
    assert hook.token not in shown.all_text
    assert 1 == len(bench.discord.webhooks)


@pytest.mark.parametrize(
    "url",
    [
        "http://discord.com/api/webhooks/123456789012345678/" + "t" * 60,
        "https://example.org/api/webhooks/123456789012345678/" + "t" * 60,
        "https://discord.com/api/webhooks/abc/" + "t" * 60,
        "https://discord.com/channels/1/2",
    ],
    ids=["no https", "other host", "no number", "no webhook"],
)
async def test_addresses_that_are_no_webhooks(bench: Bench, url: str) -> None:
    """Refused before anybody is asked; nothing of the address is repeated (DCC-08)."""
    shown = await bench.run("rss add", feed_url=FEED, webhook_url=url)

    assert shown.text.startswith("❌")
    assert "t" * 20 not in shown.all_text
    assert [] == bench.posts


async def test_a_webhook_that_is_gone(bench: Bench) -> None:
    """Discord does not know it, so nothing is followed."""
    hook = bench.discord.add_webhook()
    bench.discord.webhooks.clear()
    shown = await bench.run("rss add", feed_url=FEED, webhook_url=hook.url)
    listed = await bench.run("rss list")

    assert "does not know this webhook" in shown.text
    assert "No feeds yet" in listed.text


async def test_a_preview_that_is_refused(bench: Bench) -> None:
    """The feed is not added, and the reason is told (DCC-11)."""
    bench.discord.refuse_messages(403, 50013)
    shown = await bench.run("rss add", feed_url=FEED)
    bench.discord.refuse_messages(0, 0)
    listed = await bench.run("rss list")

    assert shown.text.startswith("❌ Not added.")
    assert "permissions are missing" in shown.text
    assert "No feeds yet" in listed.text


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(500), "500"),
        (Reply(404), "404"),
        (Reply(410), "gone for good"),
        (Reply(headers=HTML, body=b"<p>Hello"), "feed"),
    ],
    ids=["broken", "missing", "gone", "a page without feeds"],
)
async def test_feeds_that_are_none(bench: Bench, reply: Reply, words: str) -> None:
    """What the address answered is told, and nothing stays (DCC-09)."""
    bench.script["/feed"] = reply
    shown = await bench.run("rss add", feed_url=FEED)
    listed = await bench.run("rss list")

    assert shown.text.startswith("❌")
    assert words in shown.text
    assert "No feeds yet" in listed.text


async def test_a_feed_twice_at_once(bench: Bench) -> None:
    """Of several who add a feed, or clone it, in the same moment one does (DCC-10)."""
    elsewhere = bench.discord.add_channel(bench.guild)
    both = (bench.channel, elsewhere, bench.channel)
    added = await asyncio.gather(
        *(bench.run("rss add", feed_url=FEED, channel=each) for each in both)
    )
    first = list(bench.posts)
    again = bench.discord.add_channel(bench.guild)
    cloned = await asyncio.gather(
        *(bench.run("rss clone", feed="1", channel=again) for _ in range(2))
    )

    assert [False, False, True] == sorted("Feed added" in each.all_text for each in added)
    assert {"", "❌ That feed goes there already, as #1."} == {each.text for each in added}
    assert ["Story 2"] == first
    assert [False, True] == sorted("Feed added" in each.all_text for each in cloned)
    assert ["Story 2", "Story 2"] == bench.posts


async def test_a_feed_twice(bench: Bench) -> None:
    """Refused with its number, however the address is spelled (DCC-10)."""
    await bench.run("rss add", feed_url=FEED)
    shown = await bench.run("rss add", feed_url="news.example/feed/?utm_source=x#top")

    assert "already, as #1" in shown.text or "❌" in shown.text
    again = await bench.run("rss add", feed_url="http://NEWS.example/feed")
    assert "already, as #1" in again.text
    assert ["Story 2"] == bench.posts


async def test_several_feeds_in_one_go(bench: Bench) -> None:
    """Good ones are followed, bad ones told; one answer."""
    bench.script["/gone"] = Reply(410)
    shown = await bench.run(
        "rss add", feed_url=f"{FEED} {OTHER}, https://news.example/gone", newest=0
    )

    assert 2 == len(shown.embeds)
    assert "❌ <https://news.example/gone>" in shown.text
    assert [] == bench.posts


async def test_more_of_the_newest(bench: Bench) -> None:
    """As many as wanted, oldest first (wish 25)."""
    shown = await bench.run("rss add", feed_url=FEED, newest=2)
    await bench.deliver()

    assert "newest 2 entries" in shown.all_text
    assert ["Story 1", "Story 2"] == bench.posts


def page(*names: str) -> Reply:
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" title="{each}" href="/{each}">'
        for each in names
    )
    return Reply(headers=HTML, body=f"<head>{links}</head>".encode())


async def test_a_page_with_several_feeds(bench: Bench) -> None:
    """They are offered; the one that is chosen is followed, also after a restart."""
    bench.script["/"] = page("feed", "other")
    offered = await bench.run("rss add", feed_url="https://news.example/")
    await bench.restart()
    refused = await bench.discord.press(bench.member, offered, "Choose", "1")
    shown = await bench.discord.press(bench.owner, offered, "Choose", "1")

    assert ["news.example", "other"] == [each["name"] for each in offered.embeds[0]["fields"]]
    assert refused.text.startswith("❌ You need the right")
    assert OTHER in shown.all_text
    assert ["Story b"] == bench.posts


async def test_a_password_typed_with_a_page_goes_along_to_its_feeds(bench: Bench) -> None:
    """The chosen feed is asked with it; no message shows it (OPT-02)."""
    bench.room.tools.vault = lambda: bench.vault
    behind = {"/": page("feed", "other"), "/other": bench.script["/other"]}

    def guarded(seen: Seen) -> Reply:
        if seen.headers.get("authorization") != "Basic YWRhOnMzY3JldA==":  # ada:s3cret
            return Reply(401)
        reply: Reply = behind[seen.path]
        return reply

    bench.script |= dict.fromkeys(behind, guarded)
    typed = "https://ada:s3cret@news.example/"
    offered = await bench.run("rss add", feed_url=typed)
    shown = await bench.discord.press(bench.owner, offered, "Choose", "1")
    told = await bench.run("rss add", feed_url=typed, filter="-crypto")
    failed = await bench.run("rss add", feed_url=f"{typed}none https://news.example/nothing")

    assert OTHER in shown.all_text
    assert ["Story b"] == bench.posts
    answers = [each.all_text for each in (offered, shown, told, failed)]
    assert [False] * 4 == ["s3cret" in answer for answer in answers]


async def test_several_feeds_of_a_page_with_wishes(bench: Bench) -> None:
    """Wishes would be lost in a choice: the addresses are told, to be typed with them."""
    bench.script["/"] = page("feed", "other")
    shown = await bench.run("rss add", feed_url="https://news.example/", filter="-crypto")

    assert f"<{FEED}>" in shown.text
    assert f"<{OTHER}>" in shown.text
    assert [] == bench.posts


async def test_webhooks_are_used_again(bench: Bench) -> None:
    """One webhook of ours serves a channel; one that was deleted is made anew."""
    await bench.run("rss add", feed_url=FEED)
    await bench.run("rss add", feed_url=OTHER)
    first = set(bench.discord.webhooks)
    bench.discord.webhooks.clear()
    bench.script["/third"] = feed("x")
    await bench.run("rss add", feed_url="https://news.example/third")

    assert 1 == len(first)
    assert 3 == len(bench.posts)


async def test_the_bot_may_not_make_webhooks(bench: Bench) -> None:
    """What to do about it is told."""
    closed = bench.discord.add_channel(bench.guild, bot_rights=VIEW | SEND)
    shown = await bench.run("rss add", feed_url=FEED, channel=closed)

    assert "“Manage Webhooks”" in shown.text
    assert f"<#{closed.id}>" in shown.text


async def test_a_channel_full_of_webhooks(bench: Bench) -> None:
    """Discord allows fifteen."""
    for _ in range(15):
        bench.discord.add_webhook(channel=bench.channel.id)
    shown = await bench.run("rss add", feed_url=FEED)

    assert "as many webhooks as Discord allows" in shown.text


# -- forums --------------------------------------------------------------------------------------


async def test_a_forum_with_tags(bench: Bench) -> None:
    """Each entry is a post of its own, with the tags that were named."""
    tags = (("71", "News"), ("72", "Ships"))
    forum = bench.discord.add_channel(bench.guild, FORUM, tags=tags, needs_tag=True)
    without = await bench.run("rss add", feed_url=FEED, channel=forum)
    await bench.run("rss add", feed_url=FEED, channel=forum, tags="ships")

    assert "there are: News, Ships" in without.text
    assert ["Story 2"] == [each.payload["thread_name"] for each in bench.discord.messages]
    assert [["72"]] == [each.payload["applied_tags"] for each in bench.discord.messages]


# -- the list -------------------------------------------------------------------------------------


async def test_list_and_remove(bench: Bench) -> None:
    """What was added is listed for everybody, and gone once it was removed (DCC-13)."""
    await bench.run("rss add", feed_url=FEED)

    listed = await bench.run("rss list", by=bench.member)
    removed = await bench.run("rss remove", feed="1")
    empty = await bench.run("rss list")

    assert not listed.is_private
    assert "#1 Harbour" == listed.embeds[0]["fields"][0]["name"]
    assert FEED in listed.embeds[0]["fields"][0]["value"]
    assert f"🗑️ No longer posted: **Harbour** <{FEED}>" == removed.text
    assert "No feeds yet" in empty.text
    assert empty.is_private


async def test_a_line_of_the_list(bench: Bench) -> None:
    """Number, name, address, type, interval, last asked, and how often it failed (DCC-15)."""
    await bench.run("rss add", feed_url=FEED, name="S" * 200, interval="1h")
    bench.script["/feed"] = Reply(500)
    await bench.run("rss poll", feed="1")
    (line,) = (await bench.run("rss list")).embeds[0]["fields"]

    assert "#1 " + "S" * 179 + "…" == line["name"]
    for part in (f"<{FEED}>", "generic · every 1 h", "<t:", "⚠️ 1 failure"):
        assert part in line["value"]


@pytest.mark.parametrize("named", ["1", "#1", FEED], ids=["number", "hash", "address"])
async def test_how_a_feed_is_named(bench: Bench, named: str) -> None:
    """All digits are a number, anything else an address (DCC-13, DCC-24)."""
    await bench.run("rss add", feed_url=FEED, newest=0)
    removed = await bench.run("rss remove", feed=named)

    assert removed.text.startswith("🗑️")


async def add_feeds(bench: Bench, count: int) -> None:
    for number in range(count):
        bench.script[f"/f{number}"] = feed(f"{number}")
    urls = " ".join(f"https://news.example/f{number}" for number in range(count))
    await bench.run("rss add", feed_url=urls, newest=0)


def disabled(shown: object) -> list[bool]:
    return [bool(each.get("disabled")) for each in shown.pressable]  # type: ignore[attr-defined]


async def test_pages_turn_after_a_restart(bench: Bench) -> None:
    """The buttons of a list from before still work, for everybody (DCC-14, DCC-16)."""
    await add_feeds(bench, 5)
    first = await bench.run("rss list")
    await bench.restart()
    second = await bench.discord.press(bench.member, first, "Next")
    third = await bench.discord.press(bench.member, second, "Next")
    back = await bench.discord.press(bench.member, third, "Previous")

    feet = [each.embeds[0]["footer"]["text"] for each in (first, second, third, back)]
    assert ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3", "Page 2 of 3"] == feet
    assert [[True, False], [False, False], [False, True]] == [
        disabled(each) for each in (first, second, third)
    ]
    assert 7 == second.interaction.kind


async def test_a_page_that_is_gone(bench: Bench) -> None:
    """Feeds were removed meanwhile: the nearest page is shown."""
    await add_feeds(bench, 3)
    first = await bench.run("rss list")
    for number in ("1", "2", "3"):
        await bench.run("rss remove", feed=number)
    shown = await bench.discord.press(bench.member, first, "Next")

    assert "No feeds yet" in shown.text


async def test_suggestions(bench: Bench) -> None:
    """Feeds whose name or address holds what was typed, by their numbers."""
    await bench.run("rss add", feed_url=f"{FEED} {OTHER}", newest=0)
    all_ = await bench.discord.complete(bench.owner, bench.channel, "rss remove", "feed", "")
    one = await bench.discord.complete(bench.owner, bench.channel, "rss remove", "feed", "other")

    assert ["1", "2"] == [each["value"] for each in all_]
    assert 1 == len(one)
