"""Filters, templates, settings, lists, links, and what is asked of a message."""

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from wireroom import doors, guilds
from wireroom.channels.discord.bot import adding
from wireroom.channels.discord.bot.reasons import without
from wireroom.feeds import filters
from wireroom.guilds import Guild
from wireroom.store.doors import Door, add_door


@pytest.fixture
async def news(bench: Bench) -> Bench:
    """A server that follows one feed, with one delivered entry."""
    await bench.run("rss add", feed_url=FEED, newest=0)
    bench.script["/feed"] = feed("3|Weekly news: harbours", "2", "1")
    await bench.run("rss poll", feed="1")
    await bench.deliver()
    return bench


async def test_a_filter_is_tried_and_set(news: Bench) -> None:
    """With what it would have done to the newest entries."""
    none = await news.run("rss filter", feed="1")
    made = await news.run("rss filter", feed="1", text="weekly")
    gone = await news.run("rss filter", feed="1", text="-")

    assert "has no filter" in none.text
    assert "Of its newest 3 entries 1 would be posted." in made.text
    assert "has no filter" in gone.text


async def test_a_filter_that_cannot_be_read(news: Bench) -> None:
    """Refused, and what stood stays."""
    await news.run("rss filter", feed="1", text="weekly")
    shown = await news.run("rss filter", feed="1", text="(((")
    stands = await news.run("rss filter", feed="1")

    assert shown.text.startswith("❌")
    assert "`weekly`" in stands.text


async def test_a_template_is_edited_in_a_form(news: Bench) -> None:
    """The form shows what stands; what is sent shows the newest entry in it, after a restart."""
    form = await news.run("rss template", feed="1")
    await news.restart()
    shown = await news.discord.fill_in(news.owner, form, source="<b>{{ title }}</b> !")
    again = await news.run("rss template", feed="1")

    assert {"source": ""} == form.fields
    assert "**Weekly news: harbours** !" in shown.all_text
    assert shown.is_private
    assert {"source": "<b>{{ title }}</b> !"} == again.fields


async def test_a_broken_template_costs_nobody_their_text(news: Bench) -> None:
    """What was written stands in the answer."""
    form = await news.run("rss template", feed="1")
    shown = await news.discord.fill_in(news.owner, form, source="{{ title")

    assert shown.text.startswith("❌")
    assert "{{ title" in shown.text


async def test_a_template_longer_than_a_form(news: Bench) -> None:
    """The form would cut it, and what comes back would be kept as cut."""
    source = "{{ title }}" + "x" * 4050
    account = await doors.account_of(news.database, Door("discord", news.guild.id))
    assert account is not None
    guild = Guild(news.guild.id, account)
    await guilds.set_settings(news.room.tools, guild, 1, {"template": source})
    shown = await news.run("rss template", feed="1")

    assert 4 == shown.interaction.kind
    assert "longer than the 4000 characters" in shown.text


async def test_a_template_is_taken_away(news: Bench) -> None:
    """By sending nothing."""
    form = await news.run("rss template", feed="1")
    await news.discord.fill_in(news.owner, form, source="{{ title }}")
    shown = await news.discord.fill_in(news.owner, form, source="")

    assert "our own layout again" in shown.text


async def test_forms_ask_for_the_right_too(news: Bench) -> None:
    """Whoever forges one gets nothing."""
    form = await news.run("rss template", feed="1")
    shown = await news.discord.fill_in(news.member, form, source="{{ title }}")

    assert shown.text.startswith("❌ You need the right")


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("quiet", "22:00-07:00", "quiet is `22:00-07:00`"),
        ("color", "#00ff00", "color is `#00ff00`"),
        ("silent", "on", "silent is `on`"),
        ("per_day", "5", "per_day is `5`"),
        ("per_day", "many", "❌"),
        ("digets", "08:00", "did you mean digest?"),
    ],
)
async def test_settings(news: Bench, setting: str, value: str, said: str) -> None:
    """All that the command line can set, checked the same way."""
    shown = await news.run("rss set", feed="1", setting=setting, value=value)

    assert said in shown.text


async def test_a_setting_is_taken_back(news: Bench) -> None:
    """By leaving its value out."""
    shown = await news.run("rss set", feed="1", setting="quiet")

    assert "quiet is taken back" in shown.text


async def test_a_setting_that_there_is_not_cannot_be_taken_back(news: Bench) -> None:
    """A slip of the pen is told, with the name that was meant."""
    shown = await news.run("rss set", feed="1", setting="quite")

    assert "did you mean quiet?" in shown.text


async def test_names_of_settings_are_suggested(news: Bench) -> None:
    """With their meaning."""
    found = await news.discord.complete(news.owner, news.channel, "rss set", "setting", "qui")

    assert ["quiet"] == [each["value"] for each in found]
    assert "silent hours" in found[0]["name"]


async def test_settings_are_explained_in_german(news: Bench) -> None:
    """And found by German words."""
    news.owner.locale = "de"
    found = await news.discord.complete(news.owner, news.channel, "rss set", "setting", "ruhe")

    assert [("quiet – Ruhezeit", "quiet")] == [(each["name"], each["value"]) for each in found]


async def test_a_role_is_called_only_when_a_filter_fits(news: Bench) -> None:
    """And in the answer itself nobody is called (wish 21)."""
    shown = await news.run("rss mention", feed="1", role="777", when="storm")
    news.script["/feed"] = feed("5|Storm ahead", "4|Calm sea", "3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.deliver()
    await news.run("rss mention", feed="1", role="777", when="-")
    news.script["/feed"] = feed("6|Storm again", "5", "4", "3", "2", "1")
    await news.run("rss poll", feed="1")
    await news.deliver()

    assert "when an entry fits `storm`" in shown.text
    calls = {each.embed["title"]: each.payload.get("content") for each in news.discord.messages}
    assert {"Calm sea": None, "Storm ahead": "<@&777>", "Storm again": None} == {
        title: calls[title] for title in ("Calm sea", "Storm ahead", "Storm again")
    }
    assert ["777"] == news.discord.messages[-2].payload["allowed_mentions"]["roles"]


async def test_a_role_that_is_called_from_the_start(bench: Bench) -> None:
    """Without a filter every entry calls it."""
    await bench.run("rss add", feed_url=FEED, mention="777", newest=2)
    await bench.deliver()

    assert ["<@&777>"] * 2 == [each.payload["content"] for each in bench.discord.messages]


async def test_a_role_is_called_for_every_entry(news: Bench) -> None:
    """Without a filter the answer speaks of every entry, and shows no sign for it."""
    shown = await news.run("rss mention", feed="1", role="777")

    assert "for every entry" in shown.text
    assert "*`" not in shown.text


async def test_a_star_lets_everything_through(news: Bench) -> None:
    """As a filter it would be a word that no entry has, and all would be lost."""
    await news.run("rss filter", feed="1", text="weekly")
    filtered = await news.run("rss filter", feed="1", text="*")
    called = await news.run("rss mention", feed="1", role="777", when="*")
    shown = await news.run("rss preview", feed="1", filter="*")

    assert "has no filter" in filtered.text
    assert "for every entry" in called.text
    assert ("<@&777>", 1) == (shown.text, len(shown.embeds))


# -- lists ----------------------------------------------------------------------------------------


async def test_lists_go_out_and_come_in(news: Bench) -> None:
    """What one server exports another imports; nothing floods the channel (OPML-13)."""
    exported = await news.run("rss export")
    ((name, document),) = exported.data["files"].items()
    theirs = news.discord.add_guild("Elsewhere")
    channel = news.discord.add_channel(theirs)
    boss = news.discord.add_member(theirs, 1 << 5)
    imported = await news.run("rss import", by=boss, in_=channel, file=(name, document))
    again = await news.run("rss import", by=boss, in_=channel, file=(name, document))
    listed = await news.run("rss list", by=boss, in_=channel)
    await news.deliver()

    assert re.fullmatch(r"wireroom-feeds-\d{8}\.opml", name)
    assert imported.text.startswith("📥 1 feed is new here; here already: 0;")
    assert again.text.startswith("📥 0 feeds are new here; here already: 1;")
    assert "#2 Harbour" in listed.all_text
    assert ["Weekly news: harbours"] == news.posts


async def test_a_file_that_is_no_list(news: Bench) -> None:
    """It is told, in one sentence."""
    shown = await news.run("rss import", file=("x.opml", b"MZ\x00"))

    assert shown.text.startswith("❌")


# -- messages -------------------------------------------------------------------------------------


async def test_why_is_this_here(news: Bench) -> None:
    """Feed, times and filter of a message, for anybody."""
    message = news.discord.messages[0]
    shown = await news.discord.menu(news.member, news.channel, "Why is this here?", message)

    fields = {each["name"]: each["value"] for each in shown.embeds[0]["fields"]}
    assert "#1 Harbour" == fields["From"]
    assert "no filter is set" == fields["Because"]
    assert shown.is_private


async def test_why_of_a_preview(bench: Bench) -> None:
    """The entry that came on adding is in the ledger, says so, and comes no second time."""
    await bench.run("rss add", feed_url=FEED)
    await bench.deliver()
    await bench.run("rss poll", feed="1")
    (message, again) = bench.discord.messages
    shown = await bench.discord.menu(bench.member, bench.channel, "Why is this here?", message)
    why = await bench.run("rss why", feed="1", entry=2)
    before = await bench.run("rss why", feed="1", entry=1)

    assert ["Story 2", "Story 2"] == [message.embed["title"], again.embed["title"]]
    assert "Story 2" == shown.embeds[0]["title"]
    assert "#1/2: Sent: shown as a preview when the feed was added." == why.text
    assert "before this route began" in before.text


async def test_news_between_adding_and_preview(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes in that moment is no preview, so it comes once."""

    async def late(*arguments: Any) -> Any:
        made = await icon(*arguments)
        bench.script["/feed"] = feed("3", "2", "1")
        bench.room.clock.move(timedelta(minutes=10))
        await bench.room.poll_when_due()
        return made

    icon = adding.with_icon
    monkeypatch.setattr(adding, "with_icon", late)
    await bench.run("rss add", feed_url=FEED)
    await bench.deliver()

    assert ["Story 2", "Story 3"] == bench.posts


async def test_a_message_of_somebody_else(news: Bench) -> None:
    """Is none of ours, even if it links to what we sent."""
    message = news.discord.messages[0]
    message.id, message.webhook = "1", "2"
    shown = await news.discord.menu(news.member, news.channel, "Why is this here?", message)

    assert "no news of ours" in shown.text


async def test_mute_words_with_signs_of_filters(news: Bench) -> None:
    """Quotes and backslashes of a title do not break the filter."""
    message = news.discord.messages[0]
    form = await news.discord.menu(news.owner, news.channel, "Mute like this", message)
    shown = await news.discord.fill_in(news.owner, form, words='C:\\"new"\\')
    stands = await news.run("rss filter", feed="1")

    assert shown.text.startswith("🔇")
    assert '`-"C: new"`' in stands.text


async def test_mute_like_this(news: Bench) -> None:
    """The head of a series is proposed; the filter keeps what it had."""
    await news.run("rss filter", feed="1", text="news or story")
    message = news.discord.messages[0]
    form = await news.discord.menu(news.owner, news.channel, "Mute like this", message)
    await news.restart()
    shown = await news.discord.fill_in(news.owner, form)
    stands = await news.run("rss filter", feed="1")
    refused = await news.discord.menu(news.member, news.channel, "Mute like this", message)

    assert {"words": "Weekly news"} == form.fields
    assert "“Weekly news”" in shown.text
    assert '`(news or story) -"Weekly news"`' in stands.text
    assert refused.text.startswith("❌ You need the right")


@pytest.mark.parametrize("stands", ["", "a or b", "-a"])
def test_muting_makes_a_filter(stands: str) -> None:
    """Whatever stood before, what comes out can be read."""
    assert filters.parse(without(stands, "Weekly news"))


async def test_save_to_my_account(news: Bench) -> None:
    """The entry is starred in one's own account, which follows the feed from then on."""
    message = news.discord.messages[0]
    first = await news.discord.menu(news.member, news.channel, "Save to my account", message)
    again = await news.discord.menu(news.member, news.channel, "Save to my account", message)

    assert "you follow Harbour" in first.text
    assert "⭐ Saved." == again.text


async def test_a_list_with_addresses_that_are_none(news: Bench) -> None:
    """They are counted as what they are, and told one by one."""
    addresses = (FEED, OTHER, "nonsense", "https://ann:secret@news.example/third")
    outlines = "".join(f"<outline xmlUrl='{each}'/>" for each in addresses)
    listed = f"<opml version='2.0'><body>{outlines}</body></opml>".encode()
    shown = await news.run("rss import", file=("f.opml", listed))

    assert "1 feed is new here; here already: 1; cannot be followed: 2." in shown.text
    assert shown.is_private


# -- links ----------------------------------------------------------------------------------------


async def test_link_a_server_with_a_code(news: Bench) -> None:
    """The server's feeds come into the account, and the server still sees only its own."""
    now = news.room.clock()
    with news.database.writing() as connection:
        add_door(connection, news.room.account, Door("password", "ann"), now=now)
    code = await doors.new_code(news.database, news.room.account, now=now)
    shown = await news.run("link server", code=code)
    await news.room.subscribe(OTHER)
    listed = await news.run("rss list")
    undone = await news.run("link undo")
    after = await news.run("rss list")

    assert "🔗 Linked." == shown.text
    assert "#1 Harbour" in listed.all_text
    assert OTHER not in listed.all_text
    assert undone.text.startswith("✂️")
    assert "#1 Harbour" in after.all_text


async def test_link_by_a_code_of_the_bot(news: Bench) -> None:
    """The other way round: the code is typed in the web reader."""
    shown = await news.run("link me", by=news.member)
    code = shown.text.split("`")[1]
    await doors.link_into(news.database, news.room.account, code, now=news.room.clock())
    behind = await doors.account_of(news.database, Door("discord-user", news.member.id))

    assert shown.is_private
    assert news.room.account == behind


async def test_a_linked_server_gives_no_code_of_its_person(news: Bench) -> None:
    """Whoever manages the server would get into that account with it."""
    now = news.room.clock()
    with news.database.writing() as connection:
        add_door(connection, news.room.account, Door("password", "ann"), now=now)
    code = await doors.new_code(news.database, news.room.account, now=now)
    await news.run("link server", code=code)

    assert "somebody's account" in (await news.run("link server")).text


async def test_a_server_that_is_not_linked(news: Bench) -> None:
    """Is called a server, not a chat."""
    shown = await news.run("link undo")

    assert "❌ This server is not linked with an account." == shown.text


async def test_a_wrong_code(news: Bench) -> None:
    """Told as such."""
    shown = await news.run("link server", code="ABCDE-FGHIJ")

    assert shown.text.startswith("❌ This code is wrong")
