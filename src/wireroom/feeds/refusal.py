"""What a document is that is no feed, said in one sentence to the person who asked for it."""

import re

from wireroom.errors import Found, NotAFeed
from wireroom.feeds import encoding, lenient_json, xml
from wireroom.feeds.model import ParsedFeed

_LOOKED_AT = 65_536

_HTML = re.compile(
    rb"<(?:html|head|body|title|meta|script|style|div|p|h1|center|table|form|a|br|b)[\s/>]",
    re.IGNORECASE,
)
#: Challenge pages of the protection services, and what they tell people to do.
_BOT_WALL = re.compile(
    rb"just a moment\.\.\.|attention required! \| cloudflare|cf[-_]chl|cf-browser-verification"
    rb"|challenge-platform"
    rb"|/cdn-cgi/challenge|ddos[- ]guard|ddos protection by|checking your browser"
    rb"|checking if the site connection is secure|_incapsula_resource|incapsula incident"
    rb"|px-captcha|perimeterx|captcha-delivery\.com|datadome|awswaf|aws-waf-token|sgcaptcha"
    rb"|g-recaptcha|h-captcha|hcaptcha\.com|cf-turnstile|friendlycaptcha|geetest"
    rb"|you are (?:not )?a (?:human|robot)|you(?:'|&#0?39;|\xe2\x80\x99)re not a (?:bot|robot)"
    rb"|are you a (?:human|robot)"
    rb"|i(?:'|&#0?39;|\xe2\x80\x99)m not a robot"
    rb"|verify(?:ing)? (?:that )?you are (?:a )?human"
    rb"|bot verification"
    rb"|human verification|unusual traffic|enable javascript and cookies to continue"
    rb"|anubis_challenge|within\.website|kpsdk|ak_bmsc|sucuri website firewall"
    rb"|<title>[^<]{0,40}captcha",
    re.IGNORECASE,
)
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]{0,60})[\s/>]")
#: What no text holds many of; escape begins a section of ISO 2022.
_CONTROLS = bytes({*range(32)} - {*b"\t\n\v\f\r\x1b"})
_MOST_CONTROLS = 16
_KNOWN_BINARIES = (
    (b"\x1f\x8b", "compressed data"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a media file"),
    (b"ID3", "a sound file"),
)
_BINARY_MARKS = tuple(mark for mark, _ in _KNOWN_BINARIES)


def not_a_feed(body: bytes) -> NotAFeed:
    """The error for a document that no reader took."""
    head = body[:_LOOKED_AT].lstrip()
    found, what = _what(head)
    return NotAFeed(what, found=found)


def of_ruin(feed: ParsedFeed) -> NotAFeed | None:
    """The error for a document that is broken and holds no items; None for any other (PRS-05).

    Reading makes the best of it, but polling must not: taken for an empty feed, half an answer
    would be a success, and its validators would keep the other half away.
    """
    if feed.window:
        return None
    for warning in feed.warnings:
        if xml.is_damage(warning) or warning.text.startswith(lenient_json.BROKEN):
            found: Found = "json" if feed.format == "json" else "xml"
            sentence = f"This address answers with a broken feed without any items: {warning.text}"
            return NotAFeed(f"{sentence}.", found=found)
    return None


def is_binary(body: bytes) -> bool:
    """Whether `body` can be no text in any encoding that feeds are in."""
    head = body[:1024]
    return head.startswith(_BINARY_MARKS) or (not encoding.is_wide(head) and _has_controls(head))


def _has_controls(head: bytes) -> bool:
    return len(head) - len(head.translate(None, _CONTROLS)) > _MOST_CONTROLS


def is_page(body: bytes) -> bool:
    """Whether `body` begins like an HTML page (an XHTML one included)."""
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<?xml", b"<!--")):
        root = _ROOT.search(head)
        return b"<!doctype html" in head or (root is not None and root[1] == b"html")
    return head.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


def _what(head: bytes) -> tuple[Found, str]:
    for mark, what in _KNOWN_BINARIES:
        if head.startswith(mark):
            return "binary", f"This address answers with {what}, not with a feed."
    plain = head.replace(b"\0", b"") if head[:4].count(b"\0") >= 1 else head
    if not plain.strip(b"\xef\xbb\xbf\xfe\xff \t\r\n"):
        return "empty", "This address answers with an empty document."
    if plain[:1] in (b"{", b"["):
        return "json", "This address answers with JSON, but not with a JSON Feed."
    root = _ROOT.search(plain, 0, 4096)
    if is_page(plain) or (root and _HTML.match(root[0])):
        return _page(plain)
    if root:
        name = root[1].decode("ascii", "replace")
        return "xml", f"This address answers with XML (<{name}>) that is not a feed."
    if _has_controls(plain[:1024]):
        return "binary", "This address answers with binary data, not with a feed."
    return "text", "This address answers with plain text, not with a feed."


def _page(head: bytes) -> tuple[Found, str]:
    if _BOT_WALL.search(head):
        return "bot_wall", (
            "This address answers with a page that keeps programs out (a bot check), "
            "not with a feed."
        )
    return "html", "This address answers with a web page, not with a feed."
