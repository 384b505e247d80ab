"""An entry that changes after it was sent, and a place that is gone: what people see of it."""

from tests.acceptance.conftest import CHAT, World
from tests.acceptance.program import until


async def _subscribed(world: World, **wishes: str) -> None:
    await world.program.start()
    await world.subscribe()
    for name, value in wishes.items():
        code, printed = await world.program.command("wishes", "set", name, value)
        assert 0 == code, printed


def _body(picture: str) -> str:
    """HTML as RSS holds it, with a picture that the publisher may exchange."""
    return f'&lt;p&gt;Text&lt;/p&gt;&lt;img src="https://pics.example/{picture}.jpg"&gt;'


async def test_the_messages_follow_with_their_pictures(world: World) -> None:
    """One request for each message; nobody is told the story a second time."""
    await _subscribed(world, on_update="edit", media="auto")
    world.publisher.bodies[4] = _body("before")
    world.publisher.items.append(4)
    await until(lambda: bool(world.telegram.messages and world.discord.messages), "both have it")
    world.publisher.bodies[4] = _body("after")
    after = "https://pics.example/after.jpg"
    (photo,) = world.telegram.messages
    (post,) = world.discord.messages
    await until(lambda: photo.payload["photo"] == after, "Telegram's picture")
    await until(lambda: post.embed["image"]["url"] == after, "Discord's picture")

    assert [4] == world.told_on_telegram()
    assert [4] == world.told_on_discord()


async def test_the_story_is_told_again(world: World) -> None:
    """In a new message in each place, where that is wished."""
    await _subscribed(world, on_update="repost")
    world.publisher.items.append(4)
    await until(lambda: bool(world.telegram.messages and world.discord.messages), "both have it")
    world.publisher.bodies[4] = "Another text"
    await until(lambda: len(world.telegram.messages) == 2, "Telegram's second")
    await until(lambda: len(world.discord.messages) == 2, "Discord's second")

    assert "Another text" in world.telegram.messages[1].text
    assert "Another text" in world.discord.messages[1].embed["description"]


async def test_an_owner_hears_elsewhere_of_a_webhook_that_is_gone(world: World) -> None:
    """Once, in the chat that only they read, and the other place goes on."""
    await _subscribed(world)
    del world.discord.webhooks[world.webhook.id]
    world.publisher.items.append(4)
    await until(lambda: len(world.telegram.messages) == 2, "the story and the notice")
    world.publisher.items.append(5)
    await until(lambda: len(world.telegram.messages) == 3, "the next story")

    assert {CHAT} == {each.chat for each in world.telegram.messages}
    (notice,) = (each.text for each in world.telegram.messages if "number" not in each.text)
    assert "webhook was deleted" in notice
    assert [] == world.discord.messages
