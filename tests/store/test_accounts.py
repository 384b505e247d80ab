"""Accounts, doors and tokens, on SQLite and PostgreSQL."""

import asyncio
from datetime import timedelta

import pytest
from argon2 import PasswordHasher

from tests.rows import NOON, add_account
from wireroom import accounts, doors
from wireroom.errors import Conflict, NotAllowed, NotFound, UserError
from wireroom.store import accounts as store
from wireroom.store.doors import Door
from wireroom.store.engine import Database
from wireroom.throttle import Throttle

PASSWORD = "seven grey ferries"
#: As small as the library allows, for tests that are not about hashing.
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests hash often; what Argon2id costs is not their subject."""
    monkeypatch.setattr(accounts.passwords, "_hasher", QUICK)
    accounts.passwords.nobodys_hash.cache_clear()


async def logged_in(database: Database) -> tuple[int, str]:
    account_id = await accounts.create_owner(database, "Ada", PASSWORD, NOON)
    return account_id, await accounts.open_session(database, account_id, name="a", now=NOON)


async def check(
    database: Database, throttle: Throttle, login: str, password: str, address: str = "192.0.2.1"
) -> int:
    return await accounts.check_login(
        database, throttle, login=login, password=password, address=address, now=NOON
    )


class TestFirstVisit:
    async def test_makes_an_operator_once(self, database: Database) -> None:
        """The first visitor owns the place; the second is told to log in."""
        assert await accounts.needs_setup(database)
        account_id = await accounts.create_owner(database, "Ada", PASSWORD, NOON)
        account = await database.read(store.find_account, account_id)

        assert not await accounts.needs_setup(database)
        assert account is not None
        assert ("ada", "operator") == (account.name, account.role)
        with pytest.raises(Conflict):
            await accounts.create_owner(database, "eve", PASSWORD, NOON)

    async def test_two_first_visitors_at_once(self, database: Database) -> None:
        """Of many who race exactly one wins."""
        tries = [accounts.create_owner(database, f"user{n}", PASSWORD, NOON) for n in range(5)]
        results = await asyncio.gather(*tries, return_exceptions=True)

        assert 1 == sum(isinstance(result, int) for result in results)
        assert 4 == sum(isinstance(result, Conflict) for result in results)

    async def test_a_chat_account_is_no_owner(self, database: Database) -> None:
        """Accounts that bots made for chats leave the first visit open."""
        await doors.open_door(database, Door("telegram", "42"), name="A chat", now=NOON)

        assert await accounts.needs_setup(database)

    @pytest.mark.parametrize(
        ("login", "password"),
        [
            pytest.param("ada", "short", id="short"),
            pytest.param("ada", "password123", id="known"),
            pytest.param("ada", "aaaaaaaaaaaa", id="monotonous"),
            pytest.param("ada-lovelace", "Ada-Lovelace", id="the_login_itself"),
            pytest.param("ada", "x" * 40 + "é" * 700, id="too_many_bytes"),
            pytest.param("", PASSWORD, id="no_login"),
            pytest.param("a\nb", PASSWORD, id="control_character"),
            pytest.param("a" * 65, PASSWORD, id="long_login"),
        ],
    )
    async def test_refuses(self, database: Database, login: str, password: str) -> None:
        """Weak passwords and impossible names are refused before anything is made."""
        with pytest.raises(UserError):
            await accounts.create_owner(database, login, password, NOON)
        assert await accounts.needs_setup(database)


class TestLogin:
    async def test_names_are_compared_without_case(self, database: Database) -> None:
        """Login names ignore case and the space around them; passwords do not."""
        account_id, _ = await logged_in(database)

        assert account_id == await check(database, Throttle(), " ADA ", PASSWORD)
        with pytest.raises(NotAllowed):
            await check(database, Throttle(), "ada", PASSWORD.upper())

    async def test_composition_of_accents_does_not_matter(self, database: Database) -> None:
        """A password typed with combining accents is the one typed with composed ones."""
        await accounts.create_owner(database, "ada", "café am hafen", NOON)

        assert await check(database, Throttle(), "ada", "cafe\u0301 am hafen")

    async def test_same_answer_for_wrong_name_and_wrong_password(self, database: Database) -> None:
        """Nobody learns from the answer whether a login exists."""
        await logged_in(database)
        with pytest.raises(NotAllowed) as wrong_password:
            await check(database, Throttle(), "ada", "not this one")
        with pytest.raises(NotAllowed) as wrong_name:
            await check(database, Throttle(), "bob", "not this one")

        assert str(wrong_password.value) == str(wrong_name.value)
        assert wrong_password.value.code == wrong_name.value.code

    async def test_sixth_try_has_to_wait(self, database: Database) -> None:
        """From the same place, right or wrong."""
        await logged_in(database)
        throttle = Throttle()
        for _ in range(5):
            with pytest.raises(NotAllowed):
                await check(database, throttle, "ada", "wrong")
        with pytest.raises(NotAllowed) as refused:
            await check(database, throttle, "ada", PASSWORD)

        assert "throttled" == refused.value.code

    async def test_strangers_lock_nobody_out(self, database: Database) -> None:
        """However many places a name is tried from: its owner only waits a little longer."""
        account_id, _ = await logged_in(database)
        throttle, waited = Throttle(), list[float]()
        for number in range(40):
            throttle.tried((f"login ada from 192.0.2.{number}", "login ada"), NOON)

        async def pause(seconds: float) -> None:
            waited.append(seconds)

        found = await accounts.check_login(
            database, throttle, login="ada", password=PASSWORD, address="198.51.100.1", now=NOON,
            pause=pause,
        )  # fmt: skip

        assert (account_id, 1) == (found, len(waited))
        assert 0 < waited[0] <= 3

    async def test_old_hashes_are_renewed(self, database: Database) -> None:
        """A login with a hash of older parameters leaves a newer one behind."""
        await logged_in(database)
        weak = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash(PASSWORD)
        door = await database.read(store.find_login, "ada")
        assert door is not None
        await database.write(store.set_password_hash, door.identity_id, weak)
        await check(database, Throttle(), "ada", PASSWORD)
        after = await database.read(store.find_login, "ada")

        assert after is not None
        assert "m=8," in after.secret_hash


class TestSessions:
    async def test_secret_is_not_kept(self, database: Database) -> None:
        """The database holds the hash of a session's secret only."""
        account_id, secret = await logged_in(database)
        session = await accounts.session_behind(database, secret, NOON)

        assert session is not None
        assert account_id == session.account.id
        assert None is await accounts.session_behind(database, secret + "x", NOON)
        assert None is await database.read(store.find_token, "session", secret.encode()[:32])

    @pytest.mark.parametrize(
        ("uses", "days", "is_open"),
        [
            pytest.param([], 29, True, id="fresh"),
            pytest.param([], 31, False, id="idle"),
            pytest.param([20, 40, 60, 80], 89, True, id="in_use"),
            pytest.param([20, 40, 60, 80], 91, False, id="too_old_however_used"),
        ],
    )
    async def test_ends(
        self, database: Database, uses: list[int], days: int, is_open: bool
    ) -> None:
        """A session ends after 30 days without use and after 90 days in any case."""
        _, secret = await logged_in(database)
        for day in uses:
            assert await accounts.session_behind(database, secret, NOON + timedelta(days=day))
        session = await accounts.session_behind(database, secret, NOON + timedelta(days=days))

        assert is_open == (session is not None)

    async def test_new_password_ends_the_others(self, database: Database) -> None:
        """After a change of password only the session that made it goes on."""
        account_id, secret = await logged_in(database)
        other = await accounts.open_session(database, account_id, name="other", now=NOON)
        session = await accounts.session_behind(database, secret, NOON)
        assert session is not None
        await accounts.change_password(
            database, Throttle(), session, current=PASSWORD, new="another long one", now=NOON
        )

        assert await accounts.session_behind(database, secret, NOON)
        assert None is await accounts.session_behind(database, other, NOON)
        assert account_id == await check(database, Throttle(), "ada", "another long one")

    async def test_new_password_needs_the_old_one(self, database: Database) -> None:
        """An open browser is not enough to take an account over."""
        _, secret = await logged_in(database)
        session = await accounts.session_behind(database, secret, NOON)
        assert session is not None
        with pytest.raises(NotAllowed):
            await accounts.change_password(
                database, Throttle(), session, current="wrong", new="another long one", now=NOON
            )

    async def test_sessions_of_others_look_like_none(self, database: Database) -> None:
        """Closing somebody else's session answers like closing none (promise 10)."""
        account_id, secret = await logged_in(database)
        session = await accounts.session_behind(database, secret, NOON)
        assert session is not None
        with database.writing() as connection:
            bob = add_account(connection, "bob", "member")
        with pytest.raises(NotFound) as not_yours:
            await accounts.close_session(database, bob, session.token.id)
        with pytest.raises(NotFound) as not_there:
            await accounts.close_session(database, account_id, session.token.id + 1)

        assert str(not_yours.value) == str(not_there.value)
        assert await accounts.session_behind(database, secret, NOON)


class TestTokens:
    async def test_api_token_opens_until_revoked(self, database: Database) -> None:
        """A token works by its secret, is listed without it, and ends when revoked."""
        account_id, _ = await logged_in(database)
        secret = await accounts.create_token(database, account_id, name="phone", now=NOON)
        token = await accounts.token_behind(database, secret, NOON)
        listed = await accounts.list_tokens(database, account_id)
        assert token is not None
        await accounts.revoke_token(database, account_id, token.id)

        assert secret.startswith("wr_")
        assert [token.id] == [one.id for one in listed]
        assert None is await accounts.token_behind(database, secret, NOON)

    async def test_a_session_is_no_api_token(self, database: Database) -> None:
        """The two kinds of secrets do not open each other's doors."""
        account_id, session = await logged_in(database)
        token = await accounts.create_token(database, account_id, name="phone", now=NOON)

        assert None is await accounts.token_behind(database, session, NOON)
        assert None is await accounts.session_behind(database, token, NOON)


async def test_preferences_of_front_ends_stay_apart(database: Database) -> None:
    """Setting one part leaves the other parts as they were."""
    account_id, _ = await logged_in(database)
    await accounts.set_preferences(database, account_id, "web", {"theme": "dark"})
    await accounts.set_preferences(database, account_id, "app", {"order:feeds:all": "oldest"})
    account = await database.read(store.find_account, account_id)

    assert account is not None
    assert {"web": {"theme": "dark"}, "app": {"order:feeds:all": "oldest"}} == account.preferences
