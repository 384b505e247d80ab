"""Is this installation going to work? One finding for each thing that could be wrong."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from wireroom import bots, outgoing, records, wiring
from wireroom.errors import WireroomError
from wireroom.feeds import adapters
from wireroom.settings import Settings
from wireroom.store import troubles


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is well, and the words: a fact, or what to do."""

    subject: str
    ok: bool
    words: str


async def findings(settings: Settings) -> list[Finding]:
    """Look at everything; a thing that is wrong never hides the next."""
    found = [*_settings(settings), *_database(settings), *_key(settings), *_adapters()]
    for platform in (_discord, _telegram):
        async for finding in platform(settings):
            found.append(finding)  # noqa: PERF401 - there is no asynchronous extend
    return found


def _settings(settings: Settings) -> Iterator[Finding]:
    try:
        policy = wiring.policy(settings)
    except WireroomError as error:
        yield Finding("profile", False, str(error))
    else:
        yield Finding("profile", True, f"{settings.profile} ({policy.kind} polling)")
    yield Finding("user agent", True, wiring.user_agent(settings))
    if not settings.public_url:
        words = "not set: publishers find no page about us, and hubs cannot push (WebSub)"
        yield Finding("public address", True, words)


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        database = records.open_database(settings)
    except WireroomError as error:
        yield Finding("database", False, str(error))
        return
    try:
        yield Finding("database", True, f"{database.name} is up to date")
        with database.reading() as connection:
            total, failing = troubles.failing_feeds(connection)
            suspended = troubles.suspended(connection)
        yield Finding("feeds", True, f"{total} followed, {failing} failing (wireroom feeds)")
        for each in suspended:
            words = (
                f"{each.title} is suspended: {each.reason}. Mend it, then wireroom route resume."
            )
            yield Finding(f"destination {each.id}", False, words)
    finally:
        database.close()


def _key(settings: Settings) -> Iterator[Finding]:
    try:
        records.open_vault(settings)
    except (WireroomError, OSError) as error:
        yield Finding("secret key", False, str(error))
        return
    where = "from WIREROOM_SECRET_KEY" if settings.secret_key else f"in {settings.key_file}"
    yield Finding("secret key", True, f"{where}; keep a copy apart from the database")


def _adapters() -> Iterator[Finding]:
    for name, reason in adapters.BROKEN.items():
        words = f"its file cannot be loaded, and its feeds are read as they are ({reason})"
        yield Finding(f"adapter {name}", False, words)


async def _discord(settings: Settings) -> AsyncIterator[Finding]:
    if not settings.discord_token:
        words = "no token set, so there are no commands; webhooks work all the same"
        yield Finding("discord", True, words)
        return
    from wireroom.channels.discord.token import who_am_i

    site = settings.public_url or outgoing.PROJECT_SITE
    try:
        name = await who_am_i(settings.discord_token, site=site, base_url=settings.discord_api)
    except WireroomError as error:
        yield Finding("discord", False, str(error))
    else:
        yield Finding("discord", True, f"the token is that of {name}")
    if settings.discord_interactions and not outgoing.is_discord_calling(settings):
        words = "WIREROOM_DISCORD_INTERACTIONS needs a WIREROOM_PUBLIC_URL with https"
        yield Finding("discord commands", False, words)


async def _telegram(settings: Settings) -> AsyncIterator[Finding]:
    if not settings.telegram_token:
        words = "no token set, so nothing is sent there; @BotFather gives one"
        yield Finding("telegram", True, words)
        return
    from wireroom.channels.telegram.sender import who_am_i

    try:
        name = await who_am_i(settings.telegram_token, base_url=settings.telegram_api)
    except WireroomError as error:
        yield Finding("telegram", False, str(error))
    else:
        yield Finding("telegram", True, f"the token is that of @{name}")
    try:
        conduct = bots.telegram_conduct(settings)
    except WireroomError as error:
        yield Finding("telegram bot", False, str(error))
        return
    mode, operators = conduct.access.mode, len(conduct.access.operators)
    if mode != "open" and not operators:
        words = "it answers nobody: set WIREROOM_TELEGRAM_ADMIN to your number"
    else:
        words = f"it answers in mode {mode}"
    yield Finding("telegram bot", True, words)
