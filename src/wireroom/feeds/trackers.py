"""What follows readers around: parameters of links, and hosts whose images are counters.

Data, with the two questions asked of it. Names are added when they are seen in feeds.
"""

_PARAMETER_PREFIXES = ("utm_", "mtm_", "pk_", "hsa_", "at_recipient_", "at_custom", "stm_")
_PARAMETER_NAMES = """
    fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid igshid igsh
    li_fat_id mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id
    vero_conv oly_anon_id oly_enc_id rb_clickid s_cid wickedid _openstat cmpid ncid xtor
    ml_subscriber ml_subscriber_hash bsft_clkid bsft_uid _bta_c _bta_tid guccounter
    guce_referrer guce_referrer_sig srsltid
"""
_PARAMETERS = frozenset(_PARAMETER_NAMES.split())

# Hosts (or host and first folder), subdomains included, whose pictures show nothing.
_COUNTERS = """
    doubleclick.net feedsportal.com pixel.wp.com stats.wordpress.com stats.wp.com
    google-analytics.com googletagmanager.com googlesyndication.com scorecardresearch.com
    quantserve.com chartbeat.com ioam.de vgwort.de pixel.quantserve.com b.scorecardresearch.com
    facebook.com/tr analytics.twitter.com feeds.wordpress.com statcounter.com
    adservice.google.com amazon-adsystem.com feedads.g.doubleclick.net pheedo.com
    feedburner.com/~ff feedburner.com/~r feedburner.com/~a piwik.pro
"""
_PIXEL_HOSTS = frozenset(_COUNTERS.split())


def is_tracking_parameter(name: str) -> bool:
    """Whether a query parameter says who came from where, and nothing about what is shown."""
    name = name.lower()
    return name in _PARAMETERS or name.startswith(_PARAMETER_PREFIXES)


def is_pixel(host: str, path: str) -> bool:
    """Whether an image at `host` and `path` counts readers instead of showing something."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    while "." in host:
        if host in _PIXEL_HOSTS or f"{host}/{first}" in _PIXEL_HOSTS:
            return True
        host = host.partition(".")[2]
    return False
