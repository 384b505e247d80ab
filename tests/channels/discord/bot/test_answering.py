"""Who may, where, in which language, and in time."""

import asyncio
import itertools

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from tests.servers.discord_platform import ADMINISTRATOR, Channel
from tests.servers.scripted import Reply
from wireroom.channels.discord.bot import answering, listing

CHANGES = {
    "rss add": {"feed_url": FEED},
    "rss remove": {"feed": "1"},
    "rss edit": {"feed": "1", "name": "x"},
    "rss status": {},
    "rss interval": {"feed": "1", "seconds": "600"},
    "rss reset": {},
    "rss poll": {"feed": "1"},
    "rss clone": {"feed": "1", "onto": "1"},
    "rss pause": {},
    "rss resume": {},
    "rss preview": {"feed": "1"},
    "rss test": {"feed": "1"},
    "rss find": {"feed_url": FEED},
    "rss filter": {"feed": "1"},
    "rss mention": {"feed": "1", "role": "77"},
    "rss template": {"feed": "1"},
    "rss set": {"feed": "1", "setting": "media", "value": "none"},
    "rss import": {"file": ("f.opml", b"<opml/>")},
    "rss export": {},
    "link server": {},
    "link undo": {},
}

#: For whoever Discord lets use them.
OPEN = {"rss list", "rss why", "link me", "ping", "hello"}


async def test_no_command_is_forgotten(bench: Bench) -> None:
    """Each is open to all or asks for the right by itself. Discord is told no right that would
    only be a default: an admin can give it away for `/rss list` (specs/discord, trap 8)."""
    kinds = {each["name"]: each for each in bench.discord.commands if each.get("type", 1) == 1}
    names = {
        f"{name} {part['name']}" if part.get("type") == 1 else name
        for name, command in kinds.items()
        for part in command.get("options") or [{}]
    }

    assert CHANGES.keys() | OPEN == names
    assert {None} == {each.get("default_member_permissions") for each in bench.discord.commands}


async def test_presses_and_forms_need_the_right(bench: Bench) -> None:
    """A form that somebody else was shown, and the menu of a message, ask for it once more, when
    they are used (specs/discord, trap 8)."""
    await bench.run("rss add", feed_url=FEED)
    form = await bench.run("rss template", feed="1")
    message = bench.discord.messages[0]
    filled = await bench.discord.fill_in(bench.member, form, source="{{ title }}")
    menu = await bench.discord.menu(bench.member, bench.channel, "Mute like this", message)

    expected = "❌ You need the right to manage this server for that."
    assert [expected] * 2 == [filled.text, menu.text]


async def test_changes_need_the_right(bench: Bench) -> None:
    """Everybody else is refused, alone and without effect (DCC-04, DCC-25)."""
    await bench.run("rss add", feed_url=FEED)
    before = len(bench.discord.messages)
    answers = {
        typed: await bench.run(typed, by=bench.member, **options)
        for typed, options in CHANGES.items()
    }

    expected = "❌ You need the right to manage this server for that."
    assert dict.fromkeys(CHANGES, expected) == {t: each.text for t, each in answers.items()}
    assert {True} == {each.is_private for each in answers.values()}
    assert before == len(bench.discord.messages)


async def test_an_administrator_may(bench: Bench) -> None:
    """Without any other right."""
    admin = bench.discord.add_member(bench.guild, ADMINISTRATOR)
    shown = await bench.run("rss add", by=admin, feed_url=FEED)

    assert "Feed added" in shown.all_text


@pytest.mark.parametrize(
    ("override", "may"),
    [
        ({"id": "77", "type": 1, "permission": True}, True),
        ({"id": "77", "type": 1, "permission": False}, False),
        ({"id": "78", "type": 1, "permission": True}, False),
        ({"id": "{guild}", "type": 1, "permission": True}, False),
        ({"id": "{user}", "type": 2, "permission": True}, True),
    ],
    ids=["their role", "their role is denied", "another role", "everyone", "they themselves"],
)
async def test_a_server_allows_others(
    bench: Bench, override: dict[str, object], may: bool
) -> None:
    """Roles and people that an admin allowed in Integrations may change feeds."""
    bench.member.roles.append("77")
    known = {"{guild}": bench.guild.id, "{user}": bench.member.id}
    bench.guild.overrides = [{**override, "id": known.get(str(override["id"]), override["id"])}]
    shown = await bench.run("rss add", by=bench.member, feed_url=FEED)

    assert may == ("Feed added" in shown.all_text)


async def test_another_server_sees_nothing(bench: Bench) -> None:
    """Numbers and addresses of others are unknown, buttons show one's own (DCC-05).

    What an address would bring may be tried by anybody, followed or not.
    """
    await bench.run("rss add", feed_url=FEED)
    theirs = bench.discord.add_guild("Elsewhere")
    channel = bench.discord.add_channel(theirs)
    boss = bench.discord.add_member(theirs, ADMINISTRATOR)
    answers = [
        await bench.run(typed, by=boss, in_=channel, **{**options, "feed": reference})
        for reference in ("1", "#1", FEED)
        for typed, options in CHANGES.items()
        if "feed" in options and (reference != FEED or typed not in ("rss preview", "rss test"))
    ]
    listed = await bench.run("rss list", by=boss, in_=channel)
    why = await bench.run("rss why", by=boss, in_=channel, feed="1")

    unknown = "❌ There is no such feed in this server; /rss list shows them."
    assert {unknown} == {each.text for each in [*answers, why]}
    assert "No feeds yet" in listed.text


async def test_not_in_direct_messages(bench: Bench) -> None:
    """Discord offers the command in servers only; should it come all the same, it is refused
    (DCC-06).
    """
    dm = Channel("900", None, kind=1)
    person = bench.discord.add_member(None)
    shown = await bench.run("rss list", by=person, in_=dm)
    rss = next(each for each in bench.discord.commands if each["name"] == "rss")

    assert "❌ This command works in servers only." == shown.text
    assert shown.is_private
    assert [0] == (rss.get("contexts") or [0])


async def test_greetings(bench: Bench) -> None:
    """Open to all (DCC-02, DCC-03)."""
    ping = await bench.run("ping", by=bench.member)
    hello = await bench.run("hello", by=bench.member)

    assert ping.text.startswith("🏓 Pong! ")
    assert "Hello, Ann! 👋" == hello.text


async def test_german(bench: Bench) -> None:
    """Whoever has Discord in German is spoken to in German, and so are the commands."""
    bench.owner.locale = "de"
    shown = await bench.run("rss add", feed_url=FEED)
    unknown = await bench.run("rss remove", feed="99")
    why = await bench.run("rss why", feed="1", entry=2)
    rss = next(each for each in bench.discord.commands if each["name"] == "rss")

    assert "#1/2: Gesendet: als Vorschau gezeigt, als der Feed hinzukam." == why.text
    assert "Feed hinzugefügt" == shown.embeds[0]["title"]
    assert unknown.text.startswith("❌ Diesen Feed gibt es")
    assert all(each["description_localizations"]["de"] for each in rss["options"])


@pytest.mark.parametrize(
    ("typed", "options", "said"),
    [
        (
            "rss interval",
            {"seconds": "soon"},
            "❌ 'soon' ist kein Abstand: schreib Sekunden (14400), 30m, 4h, 1d oder auto.",
        ),
        ("rss set", {"setting": "color", "value": "red"}, "❌ 'red' ist keine Farbe:"),
        ("rss filter", {"text": "(a"}, "❌ Bei Zeichen 1 ((a): das schließende ) fehlt."),
        ("rss poll", {}, "❌ #1 **Harbour**: Der Host antwortet mit Status 500"),
    ],
)
async def test_refusals_in_german(
    bench: Bench, typed: str, options: dict[str, str], said: str
) -> None:
    """A sentence that is German already says what is wrong once, without a second opening."""
    await bench.run("rss add", feed_url=FEED)
    bench.owner.locale = "de"
    bench.script["/feed"] = Reply(500)
    shown = await bench.run(typed, feed="1", **options)

    assert shown.text.startswith(said)


async def test_slow_work_is_promised(bench: Bench) -> None:
    """A publisher that takes its time: the answer is promised, and comes (3 s)."""
    from dataclasses import replace

    bench.script["/feed"] = replace(bench.script["/feed"], delay=2.0)
    shown = await bench.run("rss add", feed_url=FEED)

    assert 5 == shown.interaction.kind
    assert shown.is_private
    assert "Feed added" in shown.all_text


async def test_time_before_the_work_counts(bench: Bench) -> None:
    """Discord's patience begins when something arrives, not when its turn comes: what has waited
    for too long by then is promised at once, a command as well as a press."""
    bench.script["/third"] = feed("x")
    for address in (FEED, OTHER, "https://news.example/third"):
        await bench.run("rss add", feed_url=address, newest=0)
    at_once = await bench.run("rss list")
    await bench.stop()
    await bench.start(clock=itertools.count(step=2.0).__next__)
    late = await bench.run("rss list")
    turned = await bench.discord.press(bench.owner, at_once, "Next")

    assert [4, 5, 6] == [each.interaction.kind for each in (at_once, late, turned)]
    assert "#1 Harbour" in late.all_text
    assert "#3 Harbour" in turned.all_text


async def test_suggestions_that_come_too_late(bench: Bench) -> None:
    """They cannot be promised: nothing is suggested, within the time."""
    await bench.run("rss add", feed_url=FEED)
    await bench.stop()
    await bench.start(clock=itertools.count(step=2.0).__next__)
    found = await bench.discord.complete(bench.owner, bench.channel, "rss why", "feed", "")

    assert [] == found


async def test_many_at_once(bench: Bench) -> None:
    """Commands do not wait for each other."""
    shown = await asyncio.gather(*(bench.run("rss list") for _ in range(20)))

    assert {"No feeds yet. Try `/rss add` with the address of a website."} == {
        each.text for each in shown
    }


async def test_a_mistake_of_ours(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told without details; the next command works."""

    async def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("wireroom.guilds.page_of_feeds", broken)
    shown = await bench.run("rss list")
    monkeypatch.undo()
    again = await bench.run("rss list")

    assert "our side" in shown.text
    assert "secret" not in shown.all_text
    assert "No feeds yet" in again.text


@pytest.mark.parametrize("delay", [0.0, 2.0], ids=["at once", "promised"])
async def test_an_answer_that_discord_refuses(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    """Whoever asked is told of it, instead of waiting for what never comes."""

    async def malformed(*_: object) -> answering.Reply:
        await asyncio.sleep(delay)
        return answering.Reply(embeds=({"title": "x" * 300},))

    monkeypatch.setattr(listing, "show", malformed)
    shown = await bench.run("rss list")

    assert shown.text.startswith("❌ Discord would not show the answer")
    assert shown.is_private


async def test_what_was_begun_is_finished(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord gave the interaction up before an answer was promised: half a change would be
    worse than one that nobody hears of.
    """
    finished = asyncio.Event()

    async def slow(*_: object) -> answering.Reply:
        await asyncio.sleep(0.2)
        finished.set()
        return answering.Reply("done")

    monkeypatch.setattr(listing, "show", slow)
    monkeypatch.setattr(answering, "PATIENCE_SECONDS", 0.01)
    bench.discord.interactions.patience_seconds = 0.0
    with pytest.raises(AssertionError, match="no answer within"):
        await bench.run("rss list")
    async with asyncio.timeout(5):
        await finished.wait()


async def test_a_command_of_an_earlier_version(bench: Bench) -> None:
    """Discord may still show what we no longer know; that is told, too."""
    rss = next(each for each in bench.discord.commands if each["name"] == "rss")
    rss["options"].append({"name": "gone", "description": "Gone", "type": 1})
    shown = await bench.run("rss gone")

    assert "reload Discord" in shown.text
    assert shown.is_private


async def test_commands_keep_their_secrets_out_of_logs(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """A webhook's token is in no log line, whatever happens (SEC-08)."""
    hook = bench.discord.add_webhook()
    await bench.run("rss add", feed_url=FEED, webhook_url=hook.url)
    bench.discord.webhooks.clear()
    await bench.run("rss test", feed="1")

    assert hook.token not in capsys.readouterr().out


# -- the gateway ----------------------------------------------------------------------------------


async def test_a_dropped_connection_is_resumed(bench: Bench) -> None:
    """The bot comes back by itself and goes on where it was."""
    await bench.discord.drop_gateway()
    await bench.discord.connected()
    shown = await bench.run("rss list")

    assert 1 == len(bench.discord.resumes)
    assert "No feeds yet" in shown.text


async def test_nothing_privileged_is_asked_for(bench: Bench) -> None:
    """Only servers and channels coming and going (DCC-01)."""
    assert [1] == [each["intents"] for each in bench.discord.identifies]


async def test_commands_belong_to_servers(bench: Bench) -> None:
    """Nobody carries them into servers where the bot is not (DCC-06)."""
    assert [[0]] * 7 == [each["integration_types"] for each in bench.discord.commands]


async def test_shards(bench: Bench) -> None:
    """As many connections as the operator wants; commands come by the right one."""
    await bench.stop()
    await bench.start(shards=2)
    shown = await bench.run("rss list")

    assert {0, 1} == {each["shard"][0] for each in bench.discord.identifies[1:]}
    assert "No feeds yet" in shown.text
