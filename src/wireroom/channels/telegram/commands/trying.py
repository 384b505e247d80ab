"""Trials: what would come of a feed, shown as it would be posted, where somebody asks for it."""

from wireroom import routing, subscribing
from wireroom.catalogue.telegram import finding as texts
from wireroom.channels.telegram.commands import choosing, wishing
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.delivery.channel import Address, Sent, TryLater
from wireroom.delivery.wishes import next_time, quiet_until, wishes
from wireroom.routing import Trial


async def test(visit: Visit, arguments: str) -> None:
    """A feed that is not followed; one that is comes as its subscription wants it."""
    if not arguments:
        await visit.ask("test", "", visit.t(texts.ASK_TEST))
        return
    if arguments.isdecimal():  # a subscription's number from /list, not the host 0.0.0.8
        await preview(visit, arguments)
        return
    looked = await subscribing.look(visit.desk.polling, arguments, owner=visit.desk.owner)
    places = [each for each in await wishing.chat_places(visit) if each.kind == "destination"]
    here = choosing.matching(await choosing.routes_here(visit), looked.url, visit.address)
    trial = await routing.try_feed(
        visit.desk.delivering,
        await visit.account(),
        looked.url,
        looked.parsed,
        looked.items,
        channel=CHANNEL,
        place=places[0] if places else None,
        route_id=here[0].id if here else None,
    )
    said = await _verdict(visit, looked.parsed.title or looked.url, trial)
    await visit.say(*said, *_when(visit, trial))
    await _post(visit, trial)


async def preview(visit: Visit, arguments: str) -> None:
    """The newest entry of a subscription (wish 22)."""
    chosen = await choosing.meant(visit, "preview", arguments)
    if chosen is None:
        return
    visit.acknowledge()
    account, route = await visit.account(), chosen[0]
    trial = await routing.try_route(visit.desk.delivering, account, route.id)
    is_plain = trial.passing == len(trial.tried) and trial.message is not None
    said = [] if is_plain else await _verdict(visit, route.title, trial)
    lines = [*said, *_when(visit, trial)]
    if lines:
        await visit.say(*lines)
    await _post(visit, trial)


async def _post(visit: Visit, trial: Trial) -> None:
    """The post itself: here, whichever chat it is meant for."""
    if trial.message is None:
        return
    channel = visit.desk.delivering.channels[CHANNEL]
    address = Address(f"{visit.chat.id}/{visit.topic}" if visit.topic else str(visit.chat.id))
    for parcel in channel.render(trial.message, address, trial.settings):
        answer = await channel.send(address, parcel)
        if isinstance(answer, TryLater):
            raise Complaint(texts.TEST_LATER, reason=visit.words(answer.reason))
        if not isinstance(answer, Sent):
            raise Complaint(texts.TEST_REFUSED, reason=visit.words(answer.reason))


async def _verdict(visit: Visit, title: str, trial: Trial) -> list[str]:
    """How many would come, and why the newest would not."""
    if trial.message is None:
        return [visit.t(texts.TEST_EMPTY, title=title)]
    total, newest = len(trial.tried), trial.tried[-1]
    if trial.passing == total:
        return [visit.counted(texts.TEST_HEAD, total, title=title)]
    lines = [visit.counted(texts.TEST_FILTERED, total, title=title, passing=trial.passing)]
    if not newest.choice.is_sent:
        reason = visit.reasons(newest.choice.why, await wishing.names(visit))
        lines.append(visit.t(texts.TEST_DROPPED, entry=newest.title or "…", reason=reason))
    shown = texts.TEST_NEWEST_PASSING if trial.passing else texts.TEST_NONE_PASSES
    return [*lines, visit.t(shown)]


def _when(visit: Visit, trial: Trial) -> list[str]:
    """What delivery would wait for before it sends the post; nothing where it comes at once."""
    if not trial.passing:
        return []
    wanted, now = wishes((trial.settings,)), visit.desk.now()
    lines = []
    if wanted.digest:
        due = next_time(wanted.digest, wanted.zone, now).astimezone(wanted.zone)
        lines.append(visit.t(texts.TEST_DIGEST, clock=f"{due:%H:%M}"))
    elif wanted.digest_every:
        lines.append(visit.t(texts.TEST_DIGEST_EVERY, n=wanted.digest_every))
    elif (silent := quiet_until(wanted, now)) is not None:
        clock = f"{silent.astimezone(wanted.zone):%H:%M}"
        lines.append(visit.t(texts.TEST_QUIET, clock=clock))
    if wanted.per_day:
        lines.append(visit.counted(texts.TEST_PER_DAY, wanted.per_day))
    return lines
