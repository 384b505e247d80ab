"""Whose word is taken: tokens of the issuer, meant for us, and nobody else's."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from joserfc.jwk import ECKey

from tests.accounts.issuer import URL, World
from tests.rows import NOON
from wireroom.accounts import vouched
from wireroom.accounts.sign_on import Person
from wireroom.errors import Conflict, NotAllowed, UserError
from wireroom.store.engine import Database


@pytest.fixture
def world() -> World:
    return World()


async def test_a_bearer_token_says_who_it_is(world: World) -> None:
    """Subject and a name for people; documents and keys are fetched once."""
    ours = world.sign_on()
    token = world.token(preferred_username="ada")
    people = [await ours.bearer(token, NOON) for _ in range(3)]

    assert [Person("4711", "ada")] * 3 == people
    assert [f"{URL}/.well-known/openid-configuration", f"{URL}/keys"] == world.asked


_LATER = int((NOON + timedelta(minutes=5)).timestamp())


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"aud": "another-program"}, id="meant_for_another"),
        pytest.param({"aud": None}, id="meant_for_nobody"),
        pytest.param({"iss": "https://evil.example"}, id="another_issuer"),
        pytest.param({"exp": int(NOON.timestamp()) - 61}, id="over"),
        pytest.param({"exp": None}, id="without_an_end"),
        pytest.param({"nbf": _LATER}, id="not_yet"),
        pytest.param({"sub": None}, id="nobodys"),
        pytest.param({"sub": 4711}, id="subject_no_text"),
        pytest.param({"sub": "a\0b"}, id="subject_with_a_null"),
    ],
)
async def test_tokens_that_are_not_taken(world: World, claims: dict[str, Any]) -> None:
    """Each is well signed and says something wrong."""
    with pytest.raises(NotAllowed):
        await world.sign_on().bearer(world.token(**claims), NOON)


@pytest.mark.parametrize(
    "token",
    [
        pytest.param("a.b.c", id="no_token"),
        pytest.param("", id="empty"),
        pytest.param("eyJhbGciOiJub25lIn0.eyJzdWIiOiI0NzExIn0.", id="unsigned"),
        pytest.param("x" * 9000, id="endless"),
    ],
)
async def test_what_is_no_token(world: World, token: str) -> None:
    """It is refused in words."""
    with pytest.raises(NotAllowed):
        await world.sign_on().bearer(token, NOON)


async def test_a_token_that_somebody_else_signed(world: World) -> None:
    """It is refused, also when it names our issuer's key."""
    forger = ECKey.generate_key("P-256")
    with pytest.raises(NotAllowed):
        await world.sign_on().bearer(world.token(key=forger), NOON)


async def test_a_changed_key_is_looked_up(world: World) -> None:
    """After a minute at the earliest, so that forged tokens make us ask nobody."""
    ours = world.sign_on()
    await ours.bearer(world.token(), NOON)
    world.key = ECKey.generate_key("P-256")
    with pytest.raises(NotAllowed):
        await ours.bearer(world.token(), NOON + timedelta(seconds=30))
    later = await ours.bearer(world.token(), NOON + timedelta(seconds=61))

    assert "4711" == later.subject
    assert 2 == world.asked.count(f"{URL}/keys")


async def test_cognito_names_people_by_their_username(world: World) -> None:
    """In ID tokens and in access tokens, which name the client instead of an audience."""
    ours = world.sign_on(subject="username")
    id_token = world.token(**{"cognito:username": "ada"})
    access = world.token(aud=None, client_id="wireroom-at-home", username="ada")

    assert Person("ada", "ada") == await ours.bearer(id_token, NOON)
    assert Person("ada", "ada") == await ours.bearer(access, NOON)


async def test_a_discovery_document_of_another(world: World) -> None:
    """An issuer that says it is somebody else is not believed."""
    world.about["issuer"] = "https://evil.example"
    with pytest.raises(UserError) as refused:
        await world.sign_on().begin("https://here.example/back", NOON)

    assert "issuer_unavailable" == refused.value.code


async def test_people_get_one_account(database: Database, world: World) -> None:
    """A member's, at the first visit; strangers none where only known ones come in."""
    issuer = world.sign_on().issuer
    closed = world.sign_on(makes_accounts=False).issuer
    ada = await vouched.account_of(database, issuer, Person("1", "ada"), NOON)
    again = await vouched.account_of(database, closed, Person("1", "ada"), NOON)
    with pytest.raises(NotAllowed):
        await vouched.account_of(database, closed, Person("2", "bob"), NOON)

    assert ada == again


async def test_a_door_leads_to_one_account(database: Database, world: World) -> None:
    """Connecting is refused when the door opens another account already."""
    issuer = world.sign_on().issuer
    ada = await vouched.account_of(database, issuer, Person("1", "ada"), NOON)
    bob = await vouched.account_of(database, issuer, Person("2", "bob"), NOON)
    await vouched.connect(database, issuer, Person("3", "ada at work"), ada, NOON)
    with pytest.raises(Conflict):
        await vouched.connect(database, issuer, Person("3", "ada at work"), bob, NOON)

    assert ada == await vouched.account_of(database, issuer, Person("3", ""), NOON)


# -- an issuer that is down -----------------------------------------------------------------------


async def test_an_issuer_that_is_down_is_left_alone(world: World) -> None:
    """A hundred tokens within half a minute cost it one request; then it is asked again."""
    ours, token = world.sign_on(), world.token()
    world.is_down = True
    refused = await asyncio.gather(
        *(ours.bearer(token, NOON + timedelta(seconds=n / 4)) for n in range(100)),
        return_exceptions=True,
    )
    at_first = list(world.asked)
    world.is_down = False
    later = await ours.bearer(token, NOON + timedelta(seconds=31))

    assert {"issuer_unavailable"} == {getattr(each, "code", each) for each in refused}
    assert [f"{URL}/.well-known/openid-configuration"] == at_first
    assert "4711" == later.subject


async def test_tokens_of_an_issuer_that_went_down_stay_good(world: World) -> None:
    """What was fetched before is believed on, and the issuer is asked twice a minute at most."""
    ours, token = world.sign_on(), world.token()
    await ours.bearer(token, NOON)
    world.is_down = True
    hour = [
        await ours.bearer(
            world.token(exp=int(NOON.timestamp()) + 9000), NOON + timedelta(hours=1, seconds=n)
        )
        for n in range(20)
    ]

    assert {"4711"} == {each.subject for each in hour}
    assert 4 == len(world.asked)


async def test_many_at_once_ask_once(world: World) -> None:
    """Whoever comes while somebody asks waits for that answer."""
    ours, token = world.sign_on(), world.token()
    await asyncio.gather(*(ours.bearer(token, NOON) for _ in range(20)))

    assert [f"{URL}/.well-known/openid-configuration", f"{URL}/keys"] == world.asked
