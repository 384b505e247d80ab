"""What is done with a feed once it is here: changes, pauses, polls, and questions."""

from datetime import timedelta

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from tests.servers.discord_bodies import THREAD
from tests.servers.discord_platform import FORUM, SEND_IN_THREADS, VIEW
from tests.servers.scripted import Reply


@pytest.fixture
async def news(bench: Bench) -> Bench:
    """A server that follows one feed, its preview posted."""
    await bench.run("rss add", feed_url=FEED)
    return bench


async def test_edit_tells_what_changed(news: Bench) -> None:
    """Name (PRS-24) and interval; everybody sees it, since nothing secret is in it."""
    shown = await news.run("rss edit", feed="1", name="Ships", interval="30m")

    fields = {each["name"]: each["value"] for each in shown.embeds[0]["fields"]}
    assert {"Name": "Ships", "Interval": "every 30 min"} == fields
    assert not shown.is_private


async def test_a_feed_that_is_off_is_marked(news: Bench) -> None:
    """With the reason, in the list (FAIL-18); whoever saves an entry of it follows the feed, which
    is asked again (FAIL-16)."""
    message = news.discord.messages[0]
    news.script["/feed"] = Reply(410)
    await news.run("rss poll", feed="1")
    off = await news.run("rss list")
    await news.discord.menu(news.member, news.channel, "Save to my account", message)
    on = await news.run("rss list")

    assert "🚫 HTTP 410 Gone" in off.all_text
    assert "🚫" not in on.all_text


async def test_edit_hides_a_webhook(news: Bench) -> None:
    """Its address shows nowhere, and the answer is for the asker alone (DCC-18)."""
    there = news.discord.add_channel(news.guild)
    hook = news.discord.add_webhook(channel=there.id)

    shown = await news.run("rss edit", feed=FEED, webhook_url=hook.url)
    news.script["/feed"] = feed("3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.deliver()

    assert shown.is_private
    assert hook.token not in shown.all_text
    assert "updated" in shown.all_text
    assert [there.id] == [m.channel for m in news.discord.messages if "Story 3" in str(m.payload)]


async def test_edit_changes_the_type_in_place(news: Bench) -> None:
    """The number stays, the newest entry is shown in the new reading, nothing is told twice
    (ADP-15).
    """
    shown = await news.run("rss edit", feed="1", feed_type="ubuntu")
    listed = await news.run("rss list")
    await news.deliver()

    assert "ubuntu" in shown.all_text
    assert "#1 Harbour" in listed.all_text
    assert "ubuntu" in listed.all_text
    assert ["Story 2", "Story 2"] == news.posts


async def test_an_entry_that_comes_with_the_change_of_type(news: Bench) -> None:
    """What the old reading had not met is no baseline of the new one: it comes once (DCC-17)."""
    news.script["/feed"] = feed("4", "3", "2", "1")
    await news.run("rss edit", feed="1", feed_type="ubuntu")
    await news.deliver()

    assert ["Story 2", "Story 2", "Story 3", "Story 4"] == news.posts


async def test_a_change_of_type_looks_for_the_icon_again(news: Bench) -> None:
    """A site that was away when its feed was added may have one by now (DCD-03)."""
    news.script["/"] = Reply(
        headers=(("Content-Type", "text/html"),),
        body=b'<link rel="icon" sizes="96x96" href="/l.png">',
    )
    news.room.clock.move(timedelta(days=2))
    await news.run("rss edit", feed="1", feed_type="ubuntu")
    await news.run("rss poll", feed="1")

    shown = [each.payload.get("avatar_url") for each in news.discord.messages]
    assert None is shown[0]
    assert "https://news.example/l.png" == shown[-1]


async def test_much_that_comes_with_the_change_of_type(news: Bench) -> None:
    """Ten are posted; of the others the ledger says that they were passed over (DCC-17)."""
    news.script["/feed"] = feed(*(str(number) for number in range(14, 0, -1)))
    await news.run("rss edit", feed="1", feed_type="ubuntu")
    await news.deliver()
    fates = [(await news.run("rss why", feed="1", entry=seq)).text for seq in (2, 3, 4, 5)]

    assert [f"Story {number}" for number in range(5, 15)] == news.posts[-10:]
    passed = "passed over: only the newest 10 of 12 that waited are sent"
    assert [False, True, True, False] == [passed in fate for fate in fates]


async def test_a_change_of_type_keeps_what_waits_and_what_was_told(news: Bench) -> None:
    """Entries that wait go on waiting; the ledger still knows the old messages (DCC-17)."""
    await news.run("rss pause", feed="1")
    news.script["/feed"] = feed("3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.run("rss edit", feed="1", feed_type="ubuntu")
    first = news.discord.messages[0]
    shown = await news.discord.menu(news.member, news.channel, "Why is this here?", first)
    await news.run("rss resume")
    await news.deliver()

    assert "Story 2" == shown.embeds[0]["title"]
    assert ["Story 2", "Story 2", "Story 3"] == news.posts


async def test_the_first_entry_comes_with_the_change_of_type(bench: Bench) -> None:
    """A feed that was empty has no baseline either (DCC-17)."""
    bench.script["/feed"] = feed()
    await bench.run("rss add", feed_url=FEED)
    bench.script["/feed"] = feed("1")
    await bench.run("rss edit", feed="1", feed_type="ubuntu")
    await bench.deliver()

    assert ["Story 1"] == bench.posts


async def test_a_type_that_cannot_be_shown_changes_nothing(news: Bench) -> None:
    """Discord refuses the preview: the feed stays as it was (ADP-15)."""
    news.discord.fail_next(403, 50013)
    shown = await news.run("rss edit", feed="1", feed_type="ubuntu")
    listed = await news.run("rss list")

    assert shown.text.startswith("❌")
    assert "generic" in listed.all_text


async def test_an_interval_is_raised_not_refused(news: Bench) -> None:
    """Too short an interval becomes the operator's shortest (DCC-20)."""
    shown = await news.run("rss interval", feed="1", seconds="10")

    assert "⏱️ #1 **Harbour**: every 5 min" == shown.text


async def test_reset_announces_only_what_is_new(news: Bench) -> None:
    """All feeds are read in full; what was there stays known (DCC-21)."""
    shown = await news.run("rss reset")
    await news.room.poll()
    await news.deliver()

    assert shown.text.startswith("🔄 1 feed")
    assert ["Story 2"] == news.posts


async def test_reset_of_nothing(bench: Bench) -> None:
    """A server without feeds hears so, for itself."""
    shown = await bench.run("rss reset")

    assert "No feeds yet" in shown.text
    assert shown.is_private


async def test_clone_to_another_channel(news: Bench) -> None:
    """One feed in two places, with one request to its publisher and two numbers."""
    there = news.discord.add_channel(news.guild)
    shown = await news.run("rss clone", feed="1", channel=there)

    assert "#2" in shown.all_text
    assert f"<#{there.id}>" in shown.all_text
    assert ["Story 2", "Story 2"] == news.posts


async def test_clone_to_another_feed(news: Bench) -> None:
    """Another feed gets the same wishes in the same place (wish 35)."""
    await news.run("rss filter", feed="1", text="-crypto")
    await news.run("rss clone", feed="1", feed_url=OTHER)
    shown = await news.run("rss filter", feed="2")

    assert "`-crypto`" in shown.text


async def test_clone_onto_a_feed(news: Bench) -> None:
    """Settings of one that is here already."""
    await news.run("rss add", feed_url=OTHER)
    await news.run("rss filter", feed="1", text="-crypto")
    shown = await news.run("rss clone", feed="1", onto="2")
    there = await news.run("rss filter", feed="2")

    assert shown.text.startswith("📋")
    assert "`-crypto`" in there.text


async def test_a_feed_is_not_copied_onto_itself(news: Bench) -> None:
    """There is nothing to copy: what may be said instead is told."""
    shown = await news.run("rss clone", feed="1", onto="1")

    assert not shown.text.startswith("📋")
    assert "channel" in shown.text
    assert shown.is_private


async def test_a_filter_of_a_feed_without_entries(bench: Bench) -> None:
    """Nothing is counted where nothing is."""
    bench.script["/feed"] = feed()
    await bench.run("rss add", feed_url=FEED)
    shown = await bench.run("rss filter", feed="1", text="storm")

    assert "`storm`" in shown.text
    assert "newest 0" not in shown.text


async def test_a_pause_holds_back_and_lets_go(news: Bench) -> None:
    """What comes meanwhile waits; the newest so many of it go out in the end."""
    paused = await news.run("rss pause", feed="1")
    news.script["/feed"] = feed("4", "3", "2", "1")
    held = await news.run("rss poll", feed="1")
    await news.deliver()
    resumed = await news.run("rss resume", newest=1)
    await news.deliver()

    assert paused.text.startswith("⏸️ 1 feed")
    assert "2 new entries" in held.text
    assert resumed.text.startswith("▶️ 1 feed")
    assert ["Story 2", "Story 4"] == news.posts


@pytest.mark.parametrize("typed", ["rss edit", "rss clone", "rss import"])
async def test_a_forum_that_wants_tags(news: Bench, typed: str) -> None:
    """Posts without one would not be taken, so nothing is sent there (wish 20)."""
    forum = news.discord.add_channel(news.guild, FORUM, tags=(("5", "News"),), needs_tag=True)
    outline = f"<outline xmlUrl='{OTHER}'/>"
    listed = f"<opml version='2.0'><body>{outline}</body></opml>".encode()
    what: dict[str, object] = {"feed": "1"}
    if typed == "rss import":
        what = {"file": ("f.opml", listed)}
    shown = await news.run(typed, channel=forum, **what)
    after = await news.run("rss list")

    assert "wants a tag on every post" in shown.text
    assert ["Story 2"] == news.posts
    assert f"<#{news.channel.id}>" in after.all_text
    assert 1 == len(after.embeds[0]["fields"])


@pytest.mark.parametrize("typed", ["rss edit", "rss add"])
async def test_a_post_in_a_forum_that_wants_tags(news: Bench, typed: str) -> None:
    """Messages in a post that stands have no tags, so none is wanted (wish 20)."""
    forum = news.discord.add_channel(news.guild, FORUM, tags=(("5", "News"),), needs_tag=True)
    post = news.discord.add_channel(news.guild, THREAD, parent=forum)
    what = {"feed": "1"} if typed == "rss edit" else {"feed_url": OTHER}
    shown = await news.run(typed, channel=post, **what)

    assert f"<#{post.id}>" in shown.all_text


# -- polls ----------------------------------------------------------------------------------------


async def test_a_poll_pushes_news_once(news: Bench) -> None:
    """What is new goes its usual way, and is not told again (DCC-23)."""
    news.script["/feed"] = feed("3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.deliver()
    await news.room.poll()
    await news.deliver()

    assert ["Story 2", "Story 3"] == news.posts


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en-US", ": 2 new entries. It waits: paused until 2026-"),
        ("de", ": 2 neue Beiträge. Er wartet: angehalten bis 2026-"),
    ],
)
async def test_a_poll_of_a_paused_feed(news: Bench, locale: str, said: str) -> None:
    """What is new waits, and that is what is told (DCC-22)."""
    news.owner.locale = locale
    await news.run("rss pause", feed="1", how_long="2h")
    news.script["/feed"] = feed("4", "3", "2", "1")
    shown = await news.run("rss poll", feed="1")
    await news.deliver()

    assert shown.text.startswith("⏸️ #1 **Harbour**")
    assert said in shown.text
    assert ["Story 2"] == news.posts


async def test_a_poll_without_news_shows_the_newest(news: Bench) -> None:
    """So that people see it works (DCC-22)."""
    shown = await news.run("rss poll", feed="1")

    assert shown.text.startswith("🔄")
    assert ["Story 2", "Story 2"] == news.posts


async def test_a_poll_of_a_broken_feed(news: Bench) -> None:
    """The publisher's trouble is told (DCC-22)."""
    news.script["/feed"] = Reply(500)
    shown = await news.run("rss poll", feed="1")

    assert shown.text.startswith("❌ #1 **Harbour**")
    assert "500" in shown.text
    assert shown.is_private


async def test_a_poll_of_an_empty_feed(bench: Bench) -> None:
    """No entries is no error (DCC-22)."""
    bench.script["/feed"] = feed()
    await bench.run("rss add", feed_url=FEED)
    shown = await bench.run("rss poll", feed="1")

    assert shown.text.startswith("⚠️")


async def test_a_poll_that_discord_refuses(news: Bench) -> None:
    """The place's trouble is told apart from the feed's (DCC-22, DCD-12)."""
    news.discord.webhooks.clear()
    shown = await news.run("rss poll", feed="1")

    assert shown.text.startswith("❌ #1 **Harbour**")
    assert "webhook was deleted" in shown.text
    listed = await news.run("rss list")
    assert "⚠️" not in listed.embeds[0]["fields"][0]["value"]


async def test_what_a_dead_webhook_did_not_take_comes_by_another(news: Bench) -> None:
    """It stays in the outbox, and the feed has not failed (DCD-12)."""
    news.discord.webhooks.clear()
    news.script["/feed"] = feed("3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.deliver()
    listed = await news.run("rss list")
    before = list(news.posts)
    hook = news.discord.add_webhook(channel=news.channel.id)
    await news.run("rss edit", feed="1", webhook_url=hook.url)
    await news.deliver()

    assert ["Story 2"] == before
    assert "⚠️" not in listed.embeds[0]["fields"][0]["value"]
    assert ["Story 2", "Story 3"] == news.posts


# -- looking --------------------------------------------------------------------------------------


async def test_all_is_well(news: Bench) -> None:
    """Nothing to attend to, told to the asker alone."""
    shown = await news.run("rss status")

    assert shown.text.startswith("✅")
    assert shown.is_private


async def test_status_shows_both_kinds_of_trouble(news: Bench) -> None:
    """A failing feed with its next try, and a dead webhook with its reason (DCC-19, DCD-13)."""
    await news.run("rss add", feed_url=OTHER)
    news.script["/other"] = Reply(500)
    await news.run("rss poll", feed="2")
    news.script["/feed"] = feed("3", "2", "1")
    news.discord.webhooks.clear()
    await news.run("rss poll", feed="1")
    await news.deliver()
    shown = await news.run("rss status")

    values = {each["name"]: each["value"] for each in shown.embeds[0]["fields"]}
    assert {"#1 Harbour", "#2 Harbour"} == set(values)
    assert "the webhook was deleted" in values["#1 Harbour"]
    assert "1 failure: " in values["#2 Harbour"]
    assert "next try <t:" in values["#2 Harbour"]


async def test_a_preview_is_the_real_post(news: Bench) -> None:
    """The same embed as was posted, to the asker alone (wish 22)."""
    shown = await news.run("rss preview", feed="1")

    posted = news.discord.messages[0].embed
    assert posted == {key: shown.embeds[0][key] for key in posted}
    assert shown.is_private


async def test_test_posts(news: Bench) -> None:
    """Once more, really."""
    shown = await news.run("rss test", feed="1")

    assert "posted in" in shown.text
    assert ["Story 2", "Story 2"] == news.posts


async def test_find_follows_nothing(bench: Bench) -> None:
    """A look at what an address has."""
    shown = await bench.run("rss find", feed_url=FEED)
    listed = await bench.run("rss list")

    assert "Harbour" in shown.all_text
    assert "No feeds yet" in listed.text


async def test_why(news: Bench) -> None:
    """Each of the newest entries with what became of it; one of them by its number."""
    await news.run("rss filter", feed="1", text="-crypto")
    news.script["/feed"] = feed("4|About crypto", "3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.deliver()
    shown = await news.run("rss why", feed="1", by=news.member)
    one = await news.run("rss why", feed="1", entry=4)

    values = {each["name"]: each["value"] for each in shown.embeds[0]["fields"]}
    assert "Not sent" in values["4 · About crypto"]
    assert values["3 · Story 3"].startswith("Sent")
    assert "Not sent" in one.text


# -- where ----------------------------------------------------------------------------------------


async def test_threads(bench: Bench) -> None:
    """A thread gets its messages by its channel's webhook."""
    thread = bench.discord.add_channel(bench.guild, 11, parent=bench.channel, name="talk")
    await bench.run("rss add", feed_url=FEED, channel=thread)

    assert [thread.id] == [each.channel for each in bench.discord.messages]


async def test_a_command_in_a_thread_means_the_thread(bench: Bench) -> None:
    """Where it was typed is where it appears."""
    thread = bench.discord.add_channel(bench.guild, 11, parent=bench.channel, name="talk")
    await bench.run("rss add", feed_url=FEED, in_=thread)

    assert [thread.id] == [each.channel for each in bench.discord.messages]


async def test_nobody_posts_where_they_may_not(bench: Bench) -> None:
    """The bot lends its rights to nobody."""
    secret = bench.discord.add_channel(
        bench.guild, name="staff", member_rights=VIEW | SEND_IN_THREADS
    )
    shown = await bench.run("rss add", feed_url=FEED, channel=secret)

    assert "may not post" in shown.text
    assert [] == bench.posts
