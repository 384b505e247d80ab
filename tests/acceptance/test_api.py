"""The reader API of the running program: a token from the command line opens it."""

from typing import Any

import aiohttp

from tests.acceptance.conftest import World


async def test_a_token_opens_the_running_program(world: World) -> None:
    """Made beside it, the token follows a feed and reads it; revoked, it opens nothing."""
    await world.program.start()
    code, printed = await world.program.command("account", "token", "Phone")
    token = printed.strip().splitlines()[-1]

    assert 0 == code
    assert token.startswith("wr_")
    headers = {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession(world.program.address, headers=headers) as session:
        followed = await _post(session, "/rss_subscribe", url=world.publisher.feed_url)
        async with session.get("/rss_list_items") as answer:
            listed = await answer.json()
        async with session.get("/rss_nothing") as answer:
            nothing = await answer.json()
        async with session.get("/login") as answer:
            web = answer.headers["Content-Type"]
        _, numbered = await world.program.command("account", "tokens")
        number = numbered.split()[0]
        await world.program.command("account", "revoke", number)
        async with session.get("/rss_list_items") as answer:
            after = answer.status

    assert followed["existing"] is False
    assert [1, 2, 3] == sorted(
        int(item["title"].partition("number ")[2]) for item in listed["items"]
    )
    assert "not_found" == nothing["code"]
    assert web.startswith("text/html")
    assert 401 == after
    assert token not in world.program.log.decode()
    # Whoever wonders what publishers see finds it at the top of the log (LOG-12).
    assert "user_agent='Wireroom/" in world.program.log.decode()


async def _post(session: aiohttp.ClientSession, path: str, **body: object) -> dict[str, Any]:
    async with session.post(path, json=body) as answer:
        assert 200 == answer.status, await answer.text()
        made: dict[str, Any] = await answer.json()
        return made
