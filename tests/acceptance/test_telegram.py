"""A newcomer leads a bot through a group with topics, from adding it to a feed made to measure."""

from typing import Any

from tests.acceptance.conftest import World
from tests.acceptance.program import until
from tests.servers.telegram import SentMessage

ADA: dict[str, Any] = {"id": 7, "is_bot": False, "first_name": "Ada", "language_code": "en"}
FORUM: dict[str, Any] = {
    "id": -100777,
    "type": "supergroup",
    "title": "Harbour watch",
    "is_forum": True,
}
TOPIC = 57


async def answer(world: World, text: str, what: str, **more: Any) -> SentMessage:
    """Ada writes in the topic; gives the bot's next message."""
    before = len(world.telegram.messages)
    world.telegram.say(
        text, chat=FORUM, sender=ADA, message_thread_id=TOPIC, is_topic_message=True, **more
    )
    await until(lambda: len(world.telegram.messages) > before, what)
    return world.telegram.messages[before]


def posts(world: World) -> list[SentMessage]:
    return [each for each in world.telegram.messages if each.text.startswith("STORY")]


async def test_a_newcomer_in_a_group_with_topics(world: World) -> None:
    """Added, asked, subscribed, filtered and laid out; then news come into the topic, over a
    restart, each once (wishes 1 and 2)."""
    world.telegram.chats[FORUM["id"]] = FORUM | {"topics": {TOPIC}}
    world.telegram.members[FORUM["id"], ADA["id"]] = "creator"
    world.program.settings |= {"TELEGRAM_MODE": "open"}
    await world.program.start()

    bot = {"id": 123456789, "is_bot": True, "first_name": "Wireroom"}
    added = {"chat": FORUM, "from": ADA, "date": 0, "old_chat_member": {"user": bot}}
    world.telegram.push(
        {"my_chat_member": added | {"new_chat_member": {"user": bot, "status": "member"}}}
    )
    await until(lambda: bool(world.telegram.messages), "a greeting")
    assert "An admin writes /sub" in world.telegram.messages[0].text

    assert "What I can do" in (await answer(world, "/help@wireroom_bot", "help")).text
    await answer(world, f"/sub {world.publisher.url}/", "a subscription")
    await until(lambda: len(world.telegram.messages) >= 6, "the first three stories")
    assert [TOPIC] * 5 == [each.thread for each in world.telegram.messages[1:6]]

    filtered = await answer(world, "/set_filter Harbour !number 5", "a filter")
    assert "Of the newest 3 entries 3 would pass" in filtered.text
    sample = await answer(world, "/set_template Harbour {{ title | upper }}", "a sample")
    assert "STORY & NUMBER 3" == sample.text
    await until(lambda: "look like the sample" in world.telegram.messages[-1].text, "its answer")

    assert 0 == await world.program.stop()
    world.publisher.items += [4, 5, 6]
    await world.program.start()
    await until(lambda: len(posts(world)) >= 3, "two stories")

    assert ["STORY & NUMBER 3", "STORY & NUMBER 4", "STORY & NUMBER 6"] == [
        each.text for each in posts(world)
    ]
    assert {TOPIC} == {each.thread for each in posts(world)}
    why = await answer(world, "/why Harbour", "the fate of number 5")
    assert "➖ Story & number 5" in why.text


async def test_a_command_survives_a_kill(world: World) -> None:
    """What was asked just before the program was killed is done after it, once."""
    world.program.settings |= {"TELEGRAM_MODE": "open"}
    chat = {"id": 7, "type": "private", "first_name": "Ada"}
    await world.program.start()
    world.publisher.on_request = world.program.kill_now
    world.telegram.say(f"/sub {world.publisher.feed_url}", chat=chat, sender=ADA)
    await until(lambda: world.program.is_dead, "the kill")
    await world.program.kill()
    world.publisher.on_request = lambda: None
    await world.program.start()
    await until(lambda: any("comes here" in text for text in world.telegram.texts()), "the answer")

    assert 1 == sum("comes here" in text for text in world.telegram.texts())
