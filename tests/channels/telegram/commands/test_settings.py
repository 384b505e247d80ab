"""Settings of chats and subscriptions: by command, as a conversation, and by buttons."""

import pytest

from tests.channels.telegram.commands.talk import (
    ADA,
    EVE,
    FORUM,
    GROUP,
    Talk,
    feed,
)


@pytest.fixture
async def followed(talk: Talk) -> Talk:
    """Ada follows the publisher's feed in private."""
    await talk.say(f"/sub {talk.url()}")
    return talk


class TestFilters:
    """Words or a rule, of a feed and of the chat."""

    async def test_in_one_line(self, followed: Talk) -> None:
        """The answer shows what passes; the filter is told, and taken away again (TGC-25)."""
        said = await followed.say("/set_filter Harbour  Story 2 , !Secret")
        assert "Of the newest 2 entries 1 would pass" in said
        assert "story 2, !secret" == await followed.say("/get_filter Harbour")
        assert "filter is gone" in await followed.say("/remove_filter Harbour")
        assert "no filter" in await followed.say("/get_filter Harbour")

    async def test_as_a_conversation(self, followed: Talk) -> None:
        """The command alone offers the feeds, then asks for the words."""
        await followed.say("/set_filter")
        assert "Which entries shall come?" in await followed.press("Harbour")
        assert "1 would pass" in await followed.say("title:2")
        assert "title:2" == await followed.say("/get_filter Harbour")

    async def test_too_many_words(self, followed: Talk) -> None:
        """A list has at most twenty words."""
        words = ",".join(f"w{n}" for n in range(21))
        assert "at most 20 words" in await followed.say(f"/set_filter Harbour {words}")

    async def test_unreadable(self, followed: Talk) -> None:
        """What cannot be read is refused, and nothing changes."""
        assert "cannot be read" in await followed.say("/set_filter Harbour /(/")
        assert "no filter" in await followed.say("/get_filter Harbour")

    async def test_of_the_chat(self, followed: Talk) -> None:
        """The chat's own filter is apart from the feeds' (TGC-26)."""
        assert "set" in await followed.say("/set_global_filter rust, go")
        assert "rust, go" == await followed.say("/get_global_filter")
        assert "no filter" in await followed.say("/get_filter Harbour")
        assert "gone" in await followed.say("/remove_global_filter")


class TestTemplates:
    """A sample first, then the template."""

    async def test_a_sample_is_sent(self, followed: Talk) -> None:
        """What one sees is what will come (TGC-23)."""
        await followed.say("/set_template Harbour <b>{{ title }}</b>\n{{ feed }}")

        assert ["Story 2\nHarbour", "✅ Messages look like the sample from now on."] == [
            message.text for message in followed.said
        ]
        assert "<b>{{ title }}</b>\n{{ feed }}" == await followed.say("/get_template Harbour")
        assert "gone" in await followed.say("/remove_template Harbour")
        assert "no template" in await followed.say("/get_template Harbour")

    async def test_as_a_conversation(self, followed: Talk) -> None:
        """Line breaks of an answer are those of the template."""
        await followed.say("/set_template Harbour")
        await followed.say("{{ title }}\n\n{{ link }}")

        assert followed.said[0].text == "Story 2\n\nhttps://news.example/2"

    @pytest.mark.parametrize("source", ["{{ nothing", "{{ 1 / 0 }}"])
    async def test_unusable(self, followed: Talk, source: str) -> None:
        """A template that does not render is refused."""
        said = await followed.say(f"/set_template Harbour {source}")
        assert 1 == said.count("cannot be used")
        assert "no template" in await followed.say("/get_template Harbour")

    async def test_refused_by_telegram(self, followed: Talk) -> None:
        """A template whose sample Telegram does not take changes nothing."""
        followed.telegram.fail_next(400, "Bad Request: message is too long")

        said = await followed.say("/set_template Harbour {{ title }}")
        assert "Nothing was changed. The chat did not take the sample: " in said
        assert "no template" in await followed.say("/get_template Harbour")

    async def test_of_the_chat(self, followed: Talk) -> None:
        """The chat's template is for feeds that have none (TGC-24)."""
        await followed.say("/set_global_template {{ title | upper }}")

        assert "STORY 2" == followed.said[0].text
        assert "{{ title | upper }}" == await followed.say("/get_global_template")
        await followed.say("/remove_global_template")
        assert "no template" in await followed.say("/get_global_template")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("60", "Time zone: 60. It is 13:00 there."),
        ("-300", "Time zone: -300. It is 07:00 there."),
        ("europe/berlin", "Time zone: Europe/Berlin. It is 13:00 there."),
        ("45", "“45” is no time zone"),
        ("-750", "“-750” is no time zone"),
        ("Atlantis", "“Atlantis” is no time zone"),
    ],
)
async def test_time_zone(talk: Talk, typed: str, told: str) -> None:
    """Minutes as in El Monitorro, negative ones too, or a name (TGC-21, TGC-22)."""
    assert told in await talk.say(f"/set_timezone {typed}")
    zone = told.removeprefix("Time zone: ").split(".")[0] if "It is" in told else "not set"
    assert f"Time zone: {zone}" == await talk.say("/get_timezone")


async def test_link_previews(talk: Talk) -> None:
    """On at first, and turned by each toggle (TGC-27)."""
    assert "Link previews: on" == await talk.say("/get_preview_enabled")
    assert "Link previews: off" == await talk.say("/toggle_preview_enabled")
    assert "Link previews: off" == await talk.say("/get_preview_enabled")
    assert "Link previews: on" == await talk.say("/toggle_preview_enabled")


class TestMenus:
    """Buttons for everything, that go on working."""

    async def test_a_switch_is_turned(self, talk: Talk) -> None:
        """The menu is the same message, with the new value."""
        await talk.say("/settings")
        menu = talk.last
        assert "Link preview: on" in menu.labels
        await talk.press("Link preview")

        assert "Link preview: off" in menu.labels
        assert 1 == len(talk.telegram.messages)
        assert "Link previews: off" == await talk.say("/get_preview_enabled")

    async def test_a_value_is_chosen(self, talk: Talk) -> None:
        """Settings with several values show them, and can be taken back."""
        await talk.say("/settings")
        menu = talk.last
        await talk.press("Length of texts", under=menu)
        await talk.press("1000", under=menu)
        assert "Length of texts: 1000" in menu.labels

        await talk.press("Length of texts", under=menu)
        await talk.press("Take it back", under=menu)
        assert "Length of texts: 270" in menu.labels

    async def test_a_value_is_written(self, talk: Talk) -> None:
        """What is free text is asked for; what cannot be is refused."""
        await talk.say("/settings")
        await talk.press("Silent hours")
        assert "22:00-07:00" in await talk.press("Write it")
        assert "✅ Silent hours: 23:00-06:00" == await talk.say("23:00-06:00")
        assert "❌" in await talk.say("/set chat quiet sometimes")
        assert "taken back" in await talk.say("/set chat quiet -")

    async def test_of_one_feed(self, followed: Talk) -> None:
        """A feed's own settings stand beside the chat's."""
        await followed.say("/settings Harbour")
        menu = followed.last
        await followed.press("Without a sound", under=menu)

        assert "Without a sound: on" in menu.labels
        await followed.say("/settings")
        assert "Without a sound: off" in followed.last.labels

    async def test_the_list_leads_to_all(self, followed: Talk) -> None:
        """From the list to a feed's card, to its end, in one message."""
        await followed.say("/list")
        menu = followed.last
        await followed.press("As buttons")
        card = await followed.press("Harbour", under=menu)
        assert card.startswith(f"Harbour\n{followed.url()}")

        assert "does not come here" in await followed.press("🗑 Unsubscribe", under=menu)
        assert [] == await followed.going()

    async def test_long_lists_are_paged(self, talk: Talk) -> None:
        """More subscriptions than a page holds are turned over; pages that are gone turn back."""
        for number in range(12):
            talk.script[f"/f{number}"] = feed(f"{number}")
            await talk.say(f"/sub {talk.url(f'/f{number}')}")
        await talk.say("/del")
        assert "1/2" in talk.last.labels
        await talk.press("›")
        assert "2/2" in talk.last.labels
        await talk.press("", data="pick.99.del")
        assert "2/2" in talk.last.labels

    @pytest.mark.parametrize(
        "data", ["feed.999", "nonsense", "feed.x", "opt.c.nothing", "put.c.burst.many"]
    )
    async def test_forged_buttons(self, talk: Talk, data: str) -> None:
        """Data of nobody's is answered with a note, and does nothing."""
        await talk.say("/settings")
        await talk.press("", data=data)

        assert talk.note

    async def test_buttons_of_a_group_are_the_admins(self, talk: Talk) -> None:
        """Everybody sees the menu, and only admins turn anything (TGC-04)."""
        await talk.say("/settings", ADA, GROUP)
        await talk.press("Link preview", EVE)
        assert "Only admins of this group can do that." == talk.note
        await talk.press("Link preview", ADA)
        assert "Link preview: off" in talk.last.labels

    async def test_somebody_elses_feed(self, followed: Talk) -> None:
        """The number of another chat's subscription opens nothing."""
        number = (await followed.say("/list")).splitlines()[2].split()[0]
        await followed.say("/settings", EVE)
        await followed.press("", EVE, data=f"end.{number}")

        assert "not here any more" in followed.note
        assert 1 == len(await followed.going())


class TestPauses:
    """Nothing for a while."""

    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            ("Harbour", "Nothing of Harbour comes until further notice"),
            ("Harbour 2h", "until 2026-11-30 14:00 UTC"),
            ("2026-12-24", "Nothing comes here until 2026-12-24 00:00 UTC"),
            ("", "Nothing comes here until further notice"),
        ],
    )
    async def test_pause_and_resume(self, followed: Talk, typed: str, told: str) -> None:
        """Of one feed or of all, for a while or until further notice."""
        assert told in await followed.say(f"/pause {typed}")
        assert "paused" in await followed.say("/list")
        assert "comes again" in await followed.say("/resume")
        assert "paused" not in await followed.say("/list")
        assert "Nothing is paused" in await followed.say("/resume")

    async def test_a_pause_that_is_none(self, followed: Talk) -> None:
        """What is no time is told."""
        assert "2h, 3d, 1w" in await followed.say("/pause Harbour sometime")

    async def test_by_button(self, followed: Talk) -> None:
        """The card pauses and resumes."""
        await followed.say("/feed Harbour")
        card = followed.last
        assert "Nothing of Harbour comes" in await followed.press("⏸ Pause", under=card)
        assert "Harbour comes again" in await followed.press("▶️ Resume", under=card)


async def test_rules(followed: Talk) -> None:
    """In a line or when asked, of a feed or the chat; what cannot be a rule says why."""
    said = await followed.say("/set Harbour rules title:2 -> drop\ntext -> tag news")
    assert "title:2 -> drop" in said
    trial = await followed.say(f"/test {followed.url()}")
    assert "of the newest 2 entries 1 would come" in trial
    assert "rule of this feed: title:2 -> drop" in trial
    assert trial.endswith("#news")
    assert "it is written FILTER -> ACTION" in await followed.say("/set Harbour rules nonsense")

    assert "a filter, ->, and keep" in await followed.say("/set chat rules")
    assert "the actions are" in await followed.say("title:1 -> explode")
    assert "route needs a destination's number" in await followed.say(
        "/set chat rules story -> route elsewhere"
    )


async def test_preview_is_the_post(followed: Talk) -> None:
    """The newest entry comes as it would (wish 22)."""
    said = await followed.say("/preview Harbour")

    assert said.startswith("Story 2\nHarbour\n\nText of 2.")


async def test_replay(followed: Talk) -> None:
    """The newest come again, within measure."""
    assert "The newest 2 entries of Harbour come again" in await followed.say("/replay Harbour 2")
    assert "Between 1 and 20" in await followed.say("/replay Harbour 21")


async def test_refresh(followed: Talk) -> None:
    """One feed or all are asked soon."""
    assert "Harbour is asked" in await followed.say("/refresh Harbour")
    assert "All feeds here are asked" in await followed.say("/refresh")


async def test_questions_in_groups_are_answered_by_replies(talk: Talk) -> None:
    """Where we see replies to us only, the question makes the app reply (TGC-31)."""
    await talk.say("/sub", ADA, FORUM, topic=57)
    question = talk.last
    assert question.payload["reply_markup"]["force_reply"]
    reply = {
        "message_id": question.message_id,
        "from": {"id": 123456789, "is_bot": True, "first_name": "Wireroom"},
        "chat": FORUM,
        "date": 0,
        "text": question.text,
    }
    assert "" == await talk.say(talk.url(), ADA, FORUM, topic=57)
    said = await talk.say(talk.url(), ADA, FORUM, topic=57, reply_to_message=reply)

    assert "Harbour comes here" in said
    assert [("/feed", "-1001/57")] == await talk.going()
