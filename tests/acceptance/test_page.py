"""The web page of the running program, in a real browser."""

import pytest
from playwright.async_api import Page

from tests.acceptance.conftest import World
from tests.acceptance.program import PATIENCE_SECONDS
from tests.browser import open_page

_PASSWORD = "correct horse battery"

pytestmark = pytest.mark.browser


async def become_owner(page: Page, address: str) -> None:
    """The first visit: choose a login and a password."""
    await page.goto(address)
    await page.fill("[name=login]", "ada")
    await page.fill("[name=password]", _PASSWORD)
    await page.fill("[name=again]", _PASSWORD)
    await page.click("text=Open the room")
    await page.wait_for_selector("text=Nothing on the wire yet")


async def follow(page: Page, address: str) -> None:
    """Type an address into the dialog for new feeds."""
    await page.click("text=Follow a feed >> nth=0")
    await page.fill("[name=url]", address)
    await page.press("[name=url]", "Enter")


async def test_news_appear_without_a_reload(world: World) -> None:
    """First visit, follow a site by the address of its page, and watch two new items come."""
    await world.program.start()
    async with open_page() as page:
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        await become_owner(page, world.program.address)
        await follow(page, f"{world.publisher.url}/")
        await page.wait_for_selector("text=Story & number 3")
        world.publisher.items += [4, 5]
        await page.wait_for_selector("text=Story & number 5")
        titles = await page.locator(".row-title").all_inner_texts()
        await page.click("text=Story & number 4")
        await page.wait_for_selector("text=Text of 4 < all.")
        source = await page.content()

    numbers = [title.strip()[-1] for title in titles]
    assert ["5", "4", "3", "2", "1"] == numbers
    assert "alert(1)" not in source


@pytest.mark.parametrize(
    ("path", "words"),
    [
        pytest.param("/status/404", "404", id="not found"),
        pytest.param("/bare", "web page", id="a page without a feed"),
        pytest.param("/loop/a", "redirect", id="redirect loop"),
    ],
)
async def test_a_bad_address_is_told_in_place(world: World, path: str, words: str) -> None:
    """One sentence where the address was typed, and nothing followed."""
    world.publisher.has_front_page = False
    await world.program.start()
    async with open_page() as page:
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        await become_owner(page, world.program.address)
        await follow(page, world.publisher.url + path)
        alert = page.locator("[role=alert]:visible").first
        await alert.wait_for()
        told = await alert.inner_text()
        await page.goto(world.program.address)
        shown = await page.inner_text("body")

    assert words in told
    assert "Nothing on the wire yet" in shown
