"""Redirects: what is followed, what is remembered, what is refused."""

from ipaddress import ip_network

import pytest

from wireroom.fetching.guard import Rules, check_url
from wireroom.fetching.outcome import Failed
from wireroom.fetching.redirects import Trail, follow

ALLOWING_HTTP = Rules(allow_http=True)


def walk(
    *hops: tuple[int, str], start: str = "https://a.example/", rules: Rules = Rules()
) -> Trail:
    """Follow `hops` one after the other, each answered by the target as it stands."""
    trail = Trail(check_url(start))
    for status, location in hops:
        asked = trail.target if rules.allow_http else trail.target.over_https()
        step = follow(trail, asked, status, location, rules, 5)
        assert isinstance(step, Trail), step
        trail = step
    return trail


def refusal(trail: Trail, status: int, location: str | None, rules: Rules = Rules()) -> Failed:
    """What comes of a hop that is not followed."""
    step = follow(trail, trail.target, status, location, rules, 5)
    assert isinstance(step, Failed), step
    return step


A, B, C, D = (f"https://{name}.example/" for name in "abcd")


@pytest.mark.parametrize(
    ("hops", "permanent"),
    [
        ([], None),
        ([(301, B)], B),
        ([(308, B)], B),
        ([(301, B), (308, C)], C),
        ([(302, B)], None),
        ([(303, B)], None),
        ([(307, B)], None),
        ([(302, B), (301, C)], None),
        ([(301, B), (302, C)], B),
        ([(301, B), (307, C), (301, D)], B),
    ],
)
def test_leading_permanent_run_is_remembered(
    hops: list[tuple[int, str]], permanent: str | None
) -> None:
    """The last target before the first temporary hop is where the feed has moved (HTTP-26)."""
    assert permanent == walk(*hops).permanent_url


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/feed", "https://a.example/feed"),
        ("feed?x=1#top", "https://a.example/dir/feed?x=1"),
        ("//b.example/feed", "https://b.example/feed"),
        ("https://b.example/a b", "https://b.example/a%20b"),
        ("https://b.example/ä", "https://b.example/%C3%A4"),
        ("?page=2", "https://a.example/dir/?page=2"),
        ("https://user:pw@b.example/", "https://b.example/"),
    ],
)
def test_location_is_resolved(location: str, url: str) -> None:
    """Locations are read as browsers read them; credentials in them are not ours to send."""
    trail = walk((302, location), start="https://a.example/dir/")

    assert url == trail.target.url
    assert trail.target.credentials is None


@pytest.mark.parametrize(
    "location",
    [
        *[None, "", "https://", "https://b.example:22/"],
        *["ftp://b.example/", "javascript:alert(1)", "file:///etc/passwd"],
    ],
)
def test_bad_location_is_refused(location: str | None) -> None:
    """A missing Location and one of another scheme or port end the fetch (HTTP-24)."""
    assert "redirect" == refusal(Trail(check_url(A)), 302, location).kind


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1/", "https://[::1]/", "https://localhost/", "//0x7f.1/"]
)
def test_private_location_is_refused(location: str) -> None:
    """A redirect to a private literal is refused before anything is dialled (SEC-02)."""
    assert "refused_address" == refusal(Trail(check_url(A)), 301, location).kind


@pytest.mark.parametrize("hops", [[], [(302, B)], [(302, B), (302, C)]])
def test_circle_is_noticed(hops: list[tuple[int, str]]) -> None:
    """An address that was asked before is not asked again."""
    failed = refusal(walk(*hops), 302, A)

    assert "redirect" == failed.kind
    assert "circle" in failed.reason


def test_five_hops_are_enough() -> None:
    """The sixth redirect is refused (HTTP-22)."""
    trail = walk(*((302, f"/{number}") for number in range(5)))

    assert 5 == trail.hops().count
    assert "more than 5" in refusal(trail, 302, "/6").reason


def test_downgrade_is_asked_over_https() -> None:
    """A hop down to http is tried over https in its place, and not remembered."""
    trail = walk((301, "http://b.example/feed"))

    assert not trail.as_written
    assert trail.permanent_url is None
    assert not walk((301, "http://b.example/feed"), (301, C)).permanent_url


def test_downgrade_of_the_same_address_is_refused_in_words() -> None:
    """A site that sends https back to http has no https; http needs the operator's word."""
    failed = refusal(Trail(check_url(A)), 301, "http://a.example/")

    assert "redirect" == failed.kind
    assert "WIREROOM_ALLOW_HTTP=1" in failed.reason


def test_downgrade_is_followed_by_permission() -> None:
    """With http allowed, it is dialled as written, and still not remembered."""
    trail = walk((301, "http://a.example/"), rules=ALLOWING_HTTP)

    assert trail.as_written
    assert trail.permanent_url is None


def test_upgrade_is_remembered() -> None:
    """A permanent move from http to https is one like any other."""
    trail = walk((301, A), start="http://a.example/", rules=ALLOWING_HTTP)

    assert A == trail.permanent_url


def test_secrets_stay_with_the_first_origin() -> None:
    """Scheme, host and port must be the same, and a detour elsewhere loses them for good."""
    at_home = walk((302, "/next"))
    abroad = walk((302, B))
    returned = walk((302, B), (302, "https://a.example/again"))
    other_port = walk((302, "https://a.example:8443/"))

    assert at_home.may_carry_secrets(at_home.target)
    assert not at_home.may_carry_secrets(check_url("http://a.example/next"))
    assert not abroad.may_carry_secrets(abroad.target)
    assert not returned.may_carry_secrets(returned.target)
    assert not other_port.may_carry_secrets(other_port.target)


def test_local_name_may_follow_under_an_allow_list() -> None:
    """Whether a local name leads where the allow-list permits is found out when it is dialled."""
    rules = Rules(allowed_networks=(ip_network("10.0.0.0/8"),))

    assert "wiki.local" == walk((302, "https://wiki.local/"), rules=rules).target.host
