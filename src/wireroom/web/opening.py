"""What opens a feed's host, from the form to the choice of a page's feeds: sealed, never stored.

Whoever types `user:password@` before the address of a page chooses among its feeds on a second
form. What was typed goes along with it, sealed for this account and this host.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from wireroom.errors import InvalidURL, SettingsError
from wireroom.feeds import urls
from wireroom.store.vault import Vault


def typed_address(form: Mapping[str, Any], vault: Vault, account_id: int) -> str:
    """The address with what opens it: typed with it, or in fields, or carried from the page."""
    url = str(form.get("url", "")).strip()
    if not url or urls.without_user_info(url)[1]:
        return url
    user, password = str(form.get("user", "")).strip(), str(form.get("password", ""))
    if user or password:
        return _with(f"{quote(user, safe='')}:{quote(password, safe='')}", url)
    carried = _opened(str(form.get("opening", "")), vault)
    if carried is None or carried[:2] != (account_id, _host(url)):
        return url
    return _with(carried[2], url)


def carried(url: str, vault: Vault, account_id: int) -> str:
    """What stood before the host of `url`, for a hidden field; "" where nothing did."""
    bare, user_info = urls.without_user_info(url)
    if not user_info:
        return ""
    text = msgspec.json.encode((account_id, _host(bare), user_info)).decode()
    return urlsafe_b64encode(vault.seal(text)).decode()


def _opened(sealed: str, vault: Vault) -> tuple[int, str, str] | None:
    """None for what we did not seal, or sealed for something else."""
    try:
        text = vault.open(urlsafe_b64decode(sealed)) if sealed else "null"
        return msgspec.json.decode(text, type=tuple[int, str, str] | None)
    except (ValueError, SettingsError, msgspec.MsgspecError):
        return None


def _with(user_info: str, url: str) -> str:
    try:
        scheme, _, rest = urls.checked(url).partition("://")
    except InvalidURL:
        return url  # whoever follows it says what is wrong
    return f"{scheme}://{user_info}@{rest}"


def _host(url: str) -> str:
    try:
        return urls.lane(urls.checked(url))
    except InvalidURL:
        return ""
