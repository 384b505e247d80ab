import pytest

from wireroom.channels.telegram.errors import Remedy, is_about_pictures, reason, remedy


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Forbidden: bot was blocked by the user", "gone"),
        ("Forbidden: user is deactivated", "gone"),
        ("Forbidden: bot can't initiate conversation with a user", "gone"),
        ("Forbidden: the bot can't send messages to the bot", "gone"),
        ("Forbidden: bot was kicked from the supergroup chat", "gone"),
        ("Forbidden: bot was kicked from the channel chat", "gone"),
        ("Forbidden: bot is not a member of the channel chat", "gone"),
        ("Forbidden: the group chat was deleted", "gone"),
        ("Bad Request: chat not found", "missing"),
        ("Bad Request: PEER_ID_INVALID", "missing"),
        ("Bad Request: private chat not found", "missing"),
        ("Bad Request: group is deactivated", "missing"),
        ("Bad Request: user not found", "missing"),
        ("Bad Request: have no write access to the chat", "no_rights"),
        ("Bad Request: not enough rights to send text messages to the chat", "no_rights"),
        ("Bad Request: need administrator rights in the channel chat", "no_rights"),
        ("Bad Request: CHAT_WRITE_FORBIDDEN", "no_rights"),
        ("Bad Request: CHAT_RESTRICTED", "no_rights"),
        ("Bad Request: TOPIC_CLOSED", "no_rights"),
        ("Bad Request: message thread not found", "no_rights"),
        ("Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", "no_rights"),
        ('Bad Request: can\'t parse entities: Unsupported start tag "br"', "unreadable"),
        ("Bad Request: message is too long", "unreadable"),
        ("Bad Request: message caption is too long", "unreadable"),
        ("Bad Request: text must be non-empty", "unreadable"),
        ("Bad Request: message text is empty", "unreadable"),
        ("Bad Request: BUTTON_URL_INVALID", "unreadable"),
        ("Bad Request: ENTITY_BOUNDS_INVALID", "unreadable"),
        ("Bad Request: failed to get HTTP URL content", "media"),
        ("Bad Request: wrong file identifier/HTTP URL specified", "media"),
        ("Bad Request: wrong type of the web page content", "media"),
        ("Bad Request: PHOTO_INVALID_DIMENSIONS", "media"),
        ("Bad Request: message is not modified: specified new message", "done"),
        ("Too Many Requests", "wait"),
        ("Bad Request: something new", "unknown"),
        # python-telegram-bot cuts the prefix and lowers the rest
        ("Peer_id_invalid", "missing"),
        ("Can't parse entities: unclosed start tag", "unreadable"),
    ],
)
def test_remedy(description: str, expected: Remedy) -> None:
    """Every documented refusal has its remedy, however it is spelled (TGD-13)."""
    assert expected == remedy(description)


@pytest.mark.parametrize(
    "description",
    [
        "Bad Request: CHAT_WRITE_FORBIDDEN",
        "Bad Request: TOPIC_CLOSED",
        "Bad Request: chat not found",
        "Bad Request: group chat was upgraded to a supergroup chat",
        "Forbidden: the group chat was upgraded to a supergroup chat",
        "Bad Request: have no rights to send a message",
        "Bad Request: not enough rights to send text messages to the chat",
        "Bad Request: need administrator rights in the channel chat",
        "Forbidden: bot is not a member of the channel chat",
        "Forbidden: bot is not a member of the supergroup chat",
        "Forbidden: bot was blocked by the user",
        "Forbidden: bot was kicked from the channel chat",
        "Forbidden: bot was kicked from the group chat",
        "Forbidden: bot was kicked from the supergroup chat",
        "Forbidden: the group chat was deleted",
        "Forbidden: user is deactivated",
    ],
)
def test_the_sixteen_that_end_deliveries(description: str) -> None:
    """What the peers took for the end of a chat stops its deliveries here, too (TGD-13)."""
    assert remedy(description) in ("gone", "missing", "no_rights")


def test_refusals_of_pictures_alone() -> None:
    """A chat that takes no photos may take text."""
    assert is_about_pictures("Bad Request: not enough rights to send photos to the chat")
    assert is_about_pictures("CHAT_SEND_PHOTOS_FORBIDDEN")
    assert not is_about_pictures("CHAT_SEND_PLAIN_FORBIDDEN")


def test_reason_is_one_line_without_token() -> None:
    """A reason is stored and shown, so no token passes and no page."""
    url = "https://api.telegram.org/bot123456789:AAFakeTokenThatIsOnlyForTests/sendMessage"

    assert "no https://api.telegram.org/…/sendMessage here" == reason(f"no\n{url}  here")
    assert 300 == len(reason("x" * 1000))
