"""Makes docs/images/reader.png: the real program, on feeds of a small press made up here.

    PYTHONPATH=src .venv/bin/python scripts/picture.py

Needs the development requirements and a Chromium.
"""

import asyncio
import html
import os
import re
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from aiohttp import web
from playwright.async_api import Page, async_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
LOGIN, PASSWORD = "ada", "a sentence is a good one"

FERRY = """
<p>For the first time since 2011 the <em>Solveig</em> will not be laid up in December. The council
voted last night to pay for the crossing through March, twice a day, weather permitting.</p>
<p>“It was never about the money,” says harbour master Inga Dahl. “It was about who would stand on
the quay at six in the morning when the ramp is iced over.” Four people now will, in turns.</p>
<blockquote><p>An island without a boat is only a view.</p></blockquote>
<p>What changes for passengers:</p>
<ul><li>departures at 7:10 and 16:40 from the <a href="/quay">old quay</a>,</li>
<li>bicycles go free, sheep by appointment,</li>
<li>in a storm the decision falls at 5:30 and is posted on the web page.</li></ul>
<p>The first winter boat leaves on Tuesday. Coffee on board is still from the thermos.</p>
"""

#: Folder, title, and stories: hours ago, title, text. The first of all is the one shown open.
PRESS = {
    "harbour": (
        "Town",
        "Harbour Gazette",
        [
            (
                0.4,
                "Ferry to the islands runs all winter again",
                FERRY,
            ),
            (
                5,
                "Lighthouse keeper's diary of 1904 found behind a panel",
                "<p>Eleven months of weather, three shipwrecks, and a recipe for cod.</p>",
            ),
            (
                26,
                "New bridge opens to pedestrians on Sunday",
                "<p>Cars will have to wait for spring; a brass band will not.</p>",
            ),
        ],
    ),
    "tides": (
        "Town",
        "Tides & Weather",
        [
            (
                1.5,
                "Gale warning for the outer banks until midnight",
                "<p>North-west 8, gusts 10. Small craft should stay in.</p>",
            ),
            (
                13,
                "Spring tide on Tuesday: 4.2 m at 06:51",
                "<p>The lower car park will be under water for about two hours.</p>",
            ),
        ],
    ),
    "orbit": (
        "Science",
        "Low Orbit",
        [
            (
                2.2,
                "A comet that brightened overnight, and why nobody predicted it",
                "<p>Dust, geometry and luck: how a smudge became visible to the naked eye.</p>",
            ),
            (
                9,
                "Reading a star's age from its wobble",
                "<p>Asteroseismology for people who own a pair of binoculars.</p>",
            ),
            (
                31,
                "The quiet end of a weather satellite",
                "<p>After nineteen years its last image was of clouds, as was its first.</p>",
            ),
        ],
    ),
    "moss": (
        "Science",
        "Field Notes on Moss",
        [
            (
                3.1,
                "Forty-one species on one churchyard wall",
                "<p>North side, knee height, no ladder needed. A list with photographs.</p>",
            ),
            (
                50,
                "What lichens know about the air",
                "<p>They came back to the city a decade before instruments said they could.</p>",
            ),
        ],
    ),
    "type": (
        "Making things",
        "Letters & Leading",
        [
            (
                4.4,
                "In praise of the boring serif",
                "<p>Nobody ever finished a novel because of its ampersand, and yet.</p>",
            ),
            (
                20,
                "Setting a railway timetable so that it can be read while running",
                "<p>Rules, dots, and the minute that everybody looks for.</p>",
            ),
        ],
    ),
    "bread": (
        "Making things",
        "Slow Crumb",
        [
            (
                7,
                "Rye at 100 % hydration without tears",
                "<p>The dough is a paste and should be treated as one.</p>",
            ),
            (
                28,
                "What I learnt from two hundred failed croissants",
                "<p>Mostly about refrigerators.</p>",
            ),
        ],
    ),
    "radio": (
        "",
        "Shortwave Evenings",
        [
            (
                6,
                "Episode 88: Number stations of the North Sea",
                "<p>A voice, a flute, and five digits at a time.</p>",
            ),
        ],
    ),
}
READ = ("Rye at 100", "Reading a star", "Spring tide")


def document(key: str, base: str) -> str:
    """One feed of the press, as RSS."""
    _, title, stories = PRESS[key]
    now = datetime.now(UTC)
    items = "".join(
        f"<item><guid isPermaLink='false'>{key}-{number}</guid>"
        f"<title>{html.escape(headline)}</title><link>{base}/{key}/{number}</link>"
        f"<pubDate>{format_datetime(now - timedelta(hours=hours))}</pubDate>"
        f"<description>{html.escape(text)}</description></item>"
        for number, (hours, headline, text) in enumerate(stories)
    )
    return (
        "<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel>"
        f"<title>{html.escape(title)}</title><link>{base}/{key}/</link>"
        f"<description>{html.escape(title)}</description>{items}</channel></rss>"
    )


async def serve() -> tuple[web.AppRunner, str]:
    """The press, on a free port of this machine."""

    async def feed(request: web.Request) -> web.Response:
        base = f"http://{request.host}"
        return web.Response(
            text=document(request.match_info["key"], base), content_type="application/rss+xml"
        )

    app = web.Application()
    app.router.add_get("/{key}/feed.xml", feed)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}"


async def start(folder: str) -> tuple[asyncio.subprocess.Process, str]:
    """The real program with nothing in it, and its address."""
    settings = {
        "DATA_DIR": folder,
        "LISTEN": "127.0.0.1:0",
        "ALLOW_HTTP": "on",
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "FETCH_SPACING": "0.05s",
        "LOG_LEVEL": "WARNING",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "wireroom",
        "run",
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            **{f"WIREROOM_{k}": v for k, v in settings.items()},
        },
    )
    assert process.stdout
    async with asyncio.timeout(60):
        while not (found := re.search(rb"Open (\S+)", line := await process.stdout.readline())):
            assert line, "the program ended at its start"
    return process, found[1].decode()


async def furnish(page: Page, room: str, base: str) -> None:
    """What somebody would do on the first morning: an account, folders, feeds."""
    await page.goto(f"{room}setup")
    await page.fill("[name=login]", LOGIN)
    await page.fill("[name=password]", PASSWORD)
    await page.fill("[name=again]", PASSWORD)
    await page.click("text=Open the room")
    await page.wait_for_url(room)
    for folder in ("Town", "Science", "Making things"):
        await page.goto(f"{room}folders")
        await page.fill("form[action='/folders'] [name=name]", folder)
        await page.press("form[action='/folders'] [name=name]", "Enter")
        await page.wait_for_load_state()
    for key, (folder, _, _) in PRESS.items():
        await page.goto(f"{room}follow")
        await page.fill("[name=url]", f"{base}/{key}/feed.xml")
        if folder:
            await page.select_option("[name=folder_id]", label=folder)
        await page.click("button.primary")
        await page.wait_for_url("**/feed/**")


async def main() -> None:
    """Make the picture."""
    runner, base = await serve()
    with tempfile.TemporaryDirectory() as folder:
        process, room = await start(folder)
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=CHROMIUM,
                    args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
                )
                page = await browser.new_page(
                    viewport={"width": 1360, "height": 800},
                    device_scale_factor=1.5,
                    color_scheme="light",
                    locale="en-GB",
                )
                await furnish(page, room, base)
                for words in READ:
                    await page.goto(f"{room}?show=all")
                    await page.click(f"text={words}")
                    await page.wait_for_timeout(400)
                await page.goto(f"{room}?show=all")
                await page.click("text=Ferry to the islands")
                await page.wait_for_timeout(800)
                await page.mouse.move(1350, 790)
                await page.screenshot(
                    path=sys.argv[1] if sys.argv[1:] else ROOT / "docs/images/reader.png"
                )
                await browser.close()
        finally:
            process.terminate()
            await process.wait()
            await runner.cleanup()


asyncio.run(main())
