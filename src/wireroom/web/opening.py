"""What opens a feed's host, as forms bring it: typed with the address, beside it, or carried."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from wireroom.feeds import urls
from wireroom.store.vault import Vault
from wireroom.subscribing import opening


def typed_address(form: Mapping[str, Any], vault: Vault, account_id: int) -> str:
    """The address with what opens it: typed with it, or in fields, or carried from the page."""
    url = str(form.get("url", "")).strip()
    if not url or urls.without_user_info(url)[1]:
        return url
    user, password = str(form.get("user", "")).strip(), str(form.get("password", ""))
    if user or password:
        return opening.with_user_info(f"{quote(user, safe='')}:{quote(password, safe='')}", url)
    return opening.unsealed(url, str(form.get("opening", "")), vault, account_id)
