"""Feeds of our own: which part of what is followed, for whom, and as what documents."""

from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import AsyncTestClient

from tests.delivery.samples import message
from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from wireroom import publishing
from wireroom.channels.discord.render import render as discord
from wireroom.channels.telegram.render import render as telegram
from wireroom.delivery.channel import Address
from wireroom.delivery.pages import Pages
from wireroom.errors import NotFound, UserError
from wireroom.feeds import parse, writing
from wireroom.feeds.model import Enclosure
from wireroom.feeds.writing import Channel, Written
from wireroom.publishing import Published
from wireroom.store import indexing
from wireroom.store.engine import Database
from wireroom.web import outlets, texts


@pytest.fixture
def ada(database: Database) -> int:
    """An account with two feeds, one of them in a folder."""
    with database.writing() as connection:
        account = add_account(connection)
        folder = add_folder(connection, account, "Ships")
        harbour = add_feed(connection, "Harbour News")
        tides = add_feed(connection, "Tide Tables")
        follow(connection, account, harbour, folder_id=folder)
        follow(connection, account, tides)
        add_entry(connection, harbour, at(-3), "Rust on ships")
        add_entry(connection, harbour, at(-2), "Ropes & <sails>")
        add_entry(connection, tides, at(-1), "High water")
        indexing.note(connection, [(tides, 1)])
        indexing.index_some(connection)
    return account


async def titles(database: Database, account: int, part: str) -> list[str]:
    """The titles of a feed that is opened, and then read by its secret."""
    _, secret = await publishing.publish(database, account, part, title="Mine", now=NOON)
    found = await publishing.published(database, secret, now=NOON)
    assert found is not None
    return [entry.title for entry in found.entries]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("all", ["High water", "Ropes & <sails>", "Rust on ships"]),
        ("folder:1", ["Ropes & <sails>", "Rust on ships"]),
        ("feed:2", ["High water"]),
        ("filter:title:rust OR water", ["High water", "Rust on ships"]),
        ("search:water", ["High water"]),
    ],
)
async def test_a_part_is_a_feed(
    database: Database, ada: int, part: str, expected: list[str]
) -> None:
    """Newest first."""
    assert expected == await titles(database, ada, part)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("all", "Everything"),
        ("folder:1", "Ships"),
        ("feed:2", "Tide Tables"),
        ("search:water", "water"),
    ],
)
async def test_a_part_has_a_name(database: Database, ada: int, part: str, expected: str) -> None:
    """Where its owner gives it none."""
    _, secret = await publishing.publish(database, ada, part, title="", now=NOON)
    found = await publishing.published(database, secret, now=NOON)

    assert found is not None
    assert expected == found.title


@pytest.mark.parametrize(
    "part", ["", "folder:9", "folder:x", "feed:99", "filter:(((", "everything", "x" * 251]
)
async def test_what_is_no_part_is_refused(database: Database, ada: int, part: str) -> None:
    """One sentence, and no address is opened."""
    with pytest.raises(UserError):
        await publishing.publish(database, ada, part, title="", now=NOON)

    assert [] == list(await publishing.list_published(database, ada))


async def test_an_address_is_closed_by_its_owner_alone(database: Database, ada: int) -> None:
    """Nobody else can, and nobody reads it afterwards."""
    number, secret = await publishing.publish(database, ada, "all", title="", now=NOON)
    with database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    with pytest.raises(NotFound):
        await publishing.unpublish(database, eve, number)
    with pytest.raises(NotFound):
        await publishing.publish(database, eve, "folder:1", title="", now=NOON)
    assert await publishing.published(database, secret, now=NOON) is not None
    await publishing.unpublish(database, ada, number)

    assert await publishing.published(database, secret, now=NOON) is None
    assert await publishing.published(database, "guess", now=NOON) is None


_ENTRY = Written(
    id="urn:1",
    title="Ropes & <sails>\x07",
    link="https://example.org/?a=1&b=2",
    author="",
    published=NOON,
    updated=NOON,
    html="<p>Text &amp; ]]&gt; more</p>",
    source="Harbour News",
    categories=('"ships"',),
    enclosures=(Enclosure("https://example.org/1.mp3", "audio/mpeg", 9),),
)
_CHANNEL = Channel("urn:feed", "Mine & <yours>", "https://news.example/out/x.atom", NOON)


@pytest.mark.parametrize("write", [writing.atom, writing.json_feed], ids=["Atom", "JSON Feed"])
def test_what_is_written_is_read_again(write: Any) -> None:
    """By our own parser, without anything lost or torn."""
    read = parse.read(write(_CHANNEL, [_ENTRY]), url="https://news.example/out/x.atom")

    (item,) = read.items
    assert ("Mine & <yours>", "Ropes & <sails>") == (read.title, item.title)
    assert (_ENTRY.link, NOON, "Harbour News") == (item.link, item.published, item.author)
    assert item.content is not None
    assert "Text &amp; ]]&gt; more" in item.content
    assert (('"ships"',), "https://example.org/1.mp3") == (
        tuple(item.categories),
        item.enclosures[0].url,
    )


@pytest.fixture
async def outlet() -> Any:
    async def published(secret: str) -> Published | None:
        return Published(1, "Mine", (_ENTRY,)) if secret == "known" else None

    router = outlets.router(published, "https://news.example/")
    app = Litestar([router], openapi_config=None, logging_config=None)
    async with AsyncTestClient(app) as client:
        yield client


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("known.atom", "application/atom+xml"), ("known.json", "application/feed+json")],
)
async def test_an_outlet_answers_conditionally(outlet: Any, name: str, media_type: str) -> None:
    """200 with a tag, and 304 for whoever has that copy."""
    first = await outlet.get(f"/out/{name}")
    again = await outlet.get(
        f"/out/{name}", headers={"If-None-Match": f"W/{first.headers['etag']}"}
    )

    assert (200, 304, b"") == (first.status_code, again.status_code, again.content)
    assert first.headers["content-type"].startswith(media_type)
    assert f"https://news.example/out/{name}" in first.text


@pytest.mark.parametrize("name", ["guess.atom", "known.rss", "known", ".atom"])
async def test_an_outlet_tells_nothing_else(outlet: Any, name: str) -> None:
    """404 for everything that is not there."""
    assert 404 == (await outlet.get(f"/out/{name}")).status_code


# -- one entry in full ----------------------------------------------------------------------------


async def test_a_whole_text_is_shown_to_whoever_was_sent_it(database: Database, ada: int) -> None:
    """Under a signed address, without scripts; every other address is none."""
    pages = Pages("https://news.example", b"key")

    async def full_text(feed_id: int, seq: int) -> Written | None:
        return await publishing.full_text(database, feed_id, seq)

    app = Litestar([texts.router(pages, full_text)], openapi_config=None, logging_config=None)
    path = pages.address(1, 2).removeprefix("https://news.example")
    gone = pages.address(1, 9).removeprefix("https://news.example")
    async with AsyncTestClient(app) as client:
        shown = await client.get(path)
        refused = [await client.get(each) for each in (gone, path[:-1] + "x", "/text/1/2/guess")]

    assert 200 == shown.status_code
    assert "<h1>Ropes &amp; &lt;sails&gt;</h1>" in shown.text
    assert "<p>Text of Ropes" in shown.text
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert [404, 404, 404] == [each.status_code for each in refused]


@pytest.mark.parametrize("render", [telegram, discord], ids=["Telegram", "Discord"])
def test_a_cut_text_leads_to_its_page(render: Any) -> None:
    """Where the route wishes so; a text that fits leads nowhere."""
    page = "https://news.example/text/1/2/abc"
    for body, leads in (("<p>" + "long words " * 100 + "</p>", True), ("<p>Short.</p>", False)):
        (parcel,) = render(message(body, page_url=page), Address("1"), {"media": "none"})

        assert leads == (page in str(parcel.payload))


@pytest.mark.parametrize("render", [telegram, discord], ids=["Telegram", "Discord"])
def test_a_long_text_may_be_split(render: Any) -> None:
    """Then nothing of it is cut."""
    words = [f"word{number}" for number in range(1500)]
    parcels = render(message(f"<p>{' '.join(words)}</p>"), Address("1"), {"long": "split"})
    shown = " ".join(str(parcel.payload) for parcel in parcels)

    assert len(parcels) > 1
    assert all(word in shown for word in words)
