"""What follows readers around: parameters of links, and hosts whose images are counters.

Data, with the two questions asked of it. Names are added when they are seen in feeds.
"""

import re
from functools import lru_cache

_PARAMETER_PREFIXES = ("utm_", "mtm_", "pk_", "hsa_", "at_recipient_", "at_custom", "stm_")
_PARAMETER_NAMES = """
    fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid igshid igsh
    li_fat_id mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id
    vero_conv oly_anon_id oly_enc_id rb_clickid s_cid wickedid _openstat cmpid ncid xtor
    ml_subscriber ml_subscriber_hash bsft_clkid bsft_uid _bta_c _bta_tid guccounter
    guce_referrer guce_referrer_sig srsltid
"""
_PARAMETERS = frozenset(_PARAMETER_NAMES.split())
_MAY_BE_ONE = re.compile(
    f"[?&;](?:{'|'.join(map(re.escape, (*_PARAMETER_PREFIXES, *sorted(_PARAMETERS))))})",
    re.IGNORECASE,
)

# Hosts (or host and first folder), subdomains included, whose pictures show nothing.
_COUNTER_NAMES = """
    doubleclick.net feedsportal.com pixel.wp.com stats.wordpress.com stats.wp.com
    google-analytics.com googletagmanager.com googlesyndication.com scorecardresearch.com
    quantserve.com chartbeat.com ioam.de vgwort.de pixel.quantserve.com b.scorecardresearch.com
    facebook.com/tr analytics.twitter.com feeds.wordpress.com statcounter.com
    adservice.google.com amazon-adsystem.com feedads.g.doubleclick.net pheedo.com
    feedburner.com/~ff feedburner.com/~r feedburner.com/~a piwik.pro
"""
_COUNTERS = frozenset(_COUNTER_NAMES.split())


def is_tracking_parameter(name: str) -> bool:
    """Whether a query parameter says who came from where, and nothing about what is shown."""
    name = name.lower()
    return name in _PARAMETERS or name.startswith(_PARAMETER_PREFIXES)


def may_track(query: str) -> bool:
    """Whether any parameter of `query`, which begins with "?", begins like such a name; quick."""
    return _MAY_BE_ONE.search(query) is not None


def is_pixel(host: str, path: str) -> bool:
    """Whether an image at `host` and `path` counts readers instead of showing something."""
    folders = _counting_folders(host)
    if not folders or "" in folders:
        return bool(folders)
    return path.startswith("/") and path.split("/", 2)[1] in folders


def _is_at(counter: str, host: str) -> bool:
    return counter.partition("/")[0] == host


@lru_cache(maxsize=1024)
def _counting_folders(host: str) -> frozenset[str]:
    """First folders of `host` with pictures that count; "" for all of them."""
    found: set[str] = set()
    while "." in host:
        found.update(c.removeprefix(host).lstrip("/") for c in _COUNTERS if _is_at(c, host))
        host = host.partition(".")[2]
    return frozenset(found)
