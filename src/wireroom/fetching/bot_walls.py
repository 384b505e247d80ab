"""Telling a bot wall from an answer (pure).

A wall is no verdict on the feed: it may be back at the next poll, or stay until the publisher
lets our agent through. So people get advice instead of "403".
"""

from wireroom.fetching.headers import Head

ADVICE = (
    "The site holds automated readers back with a browser check. Its publisher can let this one"
    " through by its User-Agent; else look for another address of the same feed."
)

#: Statuses that walls hide behind; 202 is AWS WAF's.
SUSPECT = frozenset({202, 401, 403, 405, 406, 429, 503})

_SAYS_SO = frozenset({"challenge", "captcha"})

#: Lower case pieces of challenge pages, each too odd to stand in an ordinary error page.
_MARKS = (
    b"/cdn-cgi/challenge-platform/",
    b"cf-chl-",
    b"cf_chl_",
    b"<title>just a moment...</title>",
    b"<title>attention required! | cloudflare</title>",
    b"checking your browser before accessing",
    b"ddos protection by",
    b"_incapsula_resource",
    b"captcha-delivery.com",
    b"px-captcha",
    b"sucuri website firewall",
    b"awswafcookiedomainlist",
    b"/.within.website/x/cmd/anubis/",
    b"ddos-guard",
    b"qrator",
)


def is_wall(head: Head, page: bytes) -> bool:
    """Whether the answer, whose body begins with `page`, is a challenge."""
    if head.status not in SUSPECT:
        return False
    if head.wall in _SAYS_SO:
        return True
    lowered = page.lower()
    return any(mark in lowered for mark in _MARKS)
