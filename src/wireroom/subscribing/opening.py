"""What opens a feed's host, carried from a page that was typed to the choice of its feeds: sealed.

Whoever types `user:password@` before the address of a page that has several feeds chooses among
them in a second step. What was typed goes along to it, for this account and this host alone.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import msgspec

from wireroom.errors import InvalidURL, SettingsError
from wireroom.feeds import urls
from wireroom.store.vault import Vault


def sealed(typed: str, vault: Vault, whose: int) -> str:
    """What stood before the host of `typed`, as text to be kept; "" where nothing did."""
    bare, user_info = urls.without_user_info(typed)
    if not user_info:
        return ""
    text = msgspec.json.encode((whose, bare, user_info)).decode()
    return urlsafe_b64encode(vault.seal(text)).decode()


def unsealed(url: str, kept: str, vault: Vault, whose: int) -> str:
    """The address with what opens it before its host, where that was kept for it; else as it is.

    What we did not seal, or sealed for somebody or something else, opens nothing.
    """
    known = _opened(kept, vault) if kept else None
    if known is None:
        return url
    whose_it_is, typed, user_info = known
    if whose_it_is != whose or not urls.shares_secrets(typed, _checked(url)):
        return url
    return with_user_info(user_info, url)


def with_user_info(user_info: str, url: str) -> str:
    """The address with this before its host."""
    try:
        scheme, _, rest = urls.checked(url).partition("://")
    except InvalidURL:
        return url  # whoever follows it says what is wrong
    return f"{scheme}://{user_info}@{rest}"


def _opened(kept: str, vault: Vault) -> tuple[int, str, str] | None:
    try:
        return msgspec.json.decode(
            vault.open(urlsafe_b64decode(kept)), type=tuple[int, str, str] | None
        )
    except (ValueError, SettingsError, msgspec.MsgspecError):
        return None


def _checked(url: str) -> str:
    try:
        return urls.checked(url)
    except InvalidURL:
        return ""
