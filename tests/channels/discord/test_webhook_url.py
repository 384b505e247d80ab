import pytest

from wireroom.channels.discord.webhook_url import parse, read, shown
from wireroom.delivery.channel import Address
from wireroom.errors import InvalidURL

_ID = "1234567890123456789"
_TOKEN = "aB3_-" * 13
_GOOD = f"{_ID}/{_TOKEN}"


@pytest.mark.parametrize(
    "typed",
    [
        f"https://discord.com/api/webhooks/{_GOOD}",
        f"  https://discord.com/api/webhooks/{_GOOD}/ \n",
        f"<https://discordapp.com/api/webhooks/{_GOOD}>",
        f"https://ptb.discord.com/api/v10/webhooks/{_GOOD}",
        f"https://canary.discord.com:443/api/v9/webhooks/{_GOOD}/slack",
        f"https://DISCORD.com/api/webhooks/{_GOOD}/github?wait=true",
    ],
)
def test_forms_that_people_paste(typed: str) -> None:
    """All of them are one address; the token is the secret part."""
    assert Address(_ID, _TOKEN) == parse(typed)


def test_thread() -> None:
    """A thread stays with the address."""
    address = parse(f"https://discord.com/api/webhooks/{_GOOD}?thread_id=42")

    assert (_ID, "42") == read(address)


@pytest.mark.parametrize(
    "typed",
    [
        f"http://discord.com/api/webhooks/{_GOOD}",
        f"https://discord.com.evil.example/api/webhooks/{_GOOD}",
        f"https://evil.example/api/webhooks/{_GOOD}",
        f"https://discord.com@evil.example/api/webhooks/{_GOOD}",
        f"https://user@discord.com/api/webhooks/{_GOOD}",
        f"https://discord.com:8443/api/webhooks/{_GOOD}",
        f"https://discord.com/api/webhooks/{_GOOD}/../../users",
        f"https://discord.com/api/webhooks/{_GOOD}/messages/1",
        f"https://discord.com/channels/{_GOOD}",
        f"https://discord.com/api/webhooks/abc/{_TOKEN}",
        f"https://discord.com/api/webhooks/{_GOOD}?thread_id=x",
        f"https://[discord.com/api/webhooks/{_GOOD}",
        f"{_GOOD}",
        "",
    ],
)
def test_everything_else_is_refused(typed: str) -> None:
    """One sentence says what is wrong and repeats nothing of the secret (SEC-08, SEC-10)."""
    with pytest.raises(InvalidURL) as refusal:
        parse(typed)

    assert "invalid_webhook" == refusal.value.code
    assert str(refusal.value).endswith(".")
    assert _TOKEN not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_an_address_is_shown_without_its_secret() -> None:
    """Pages and logs name the webhook, and nobody can post with that (SEC-08)."""
    address = parse(f"https://discord.com/api/webhooks/{_GOOD}?thread_id=42")

    assert f"webhook {_ID}, thread 42" == shown(address)
    assert _TOKEN not in repr(address)
