"""A headless Chromium, where the machine has one."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, async_playwright

#: Quiet ones: a browser in a test looks for no updates and no servers of its maker.
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def open_page(width: int = 1280, height: int = 800) -> AsyncIterator[Page]:
    """A fresh page; skips the calling test without a Chromium, fails it on script errors."""
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser_path is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=list(_FLAGS))
        try:
            page = await browser.new_page(viewport={"width": width, "height": height})
            troubles: list[str] = []
            page.on("pageerror", lambda error: troubles.append(str(error)))
            yield page
            assert [] == troubles
        finally:
            await browser.close()
