"""What may be dialled: addresses, names, ports, characters."""

from contextlib import suppress
from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireroom.errors import InvalidURL
from wireroom.fetching.guard import (
    Credentials,
    Rules,
    Target,
    check_address,
    check_url,
    is_private_by_permission,
)

REFUSED = [
    *["0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254"],
    *["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"],
    *["169.254.0.1", "169.254.169.254", "169.254.170.2"],
    *["100.64.0.1", "100.100.100.200", "100.127.255.255"],
    *["192.0.0.1", "192.0.0.8", "192.0.0.170", "192.88.99.1", "198.18.0.1", "198.19.255.255"],
    *["192.0.2.1", "198.51.100.7", "203.0.113.9"],
    *["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"],
    *["::", "::1", "::2", "::127.0.0.1", "::8.8.8.8", "100::1", "5f00::1", "4000::1"],
    *["fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254"],
    *["ff02::1", "ff0e::1", "2001:db8::1", "3fff::1"],
    *["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:100.64.0.1"],
    *["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254"],
    *["64:ff9b:1::7f00:1", "64:ff9b:1::808:808", "2002:7f00:1::", "2002:808:808::"],
    *["2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:10::1", "2001:20::1"],
    *["localhost", "127.1", "2130706433", "0x7f000001", ""],
]

DIALLED = [
    *["1.1.1.1", "8.8.8.8", "93.184.216.34", "223.255.255.255", "192.0.1.1"],
    *["100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1"],
    *["198.17.255.255", "198.20.0.1"],
    *["2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "2001:200::1"],
    *["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
]


@pytest.mark.parametrize("address", REFUSED)
def test_special_address_is_refused(address: str) -> None:
    """Everything that is not plainly public is refused, whatever form it takes."""
    assert check_address(address) is not None


@pytest.mark.parametrize("address", DIALLED)
def test_public_address_is_dialled(address: str) -> None:
    """Public addresses pass, next to the edges of the refused ranges as well."""
    assert check_address(address) is None


@given(st.ip_addresses(v=4))
def test_wrapped_address_is_judged_like_the_one_inside(address: object) -> None:
    """IPv4-mapped and NAT64 forms are refused exactly where the IPv4 address is."""
    plain = check_address(str(address))

    assert plain == check_address(f"::ffff:{address}")
    assert plain == check_address(f"64:ff9b::{address}")


ALLOWING = Rules(allowed_networks=(ip_network("10.1.0.0/16"), ip_network("fd00:1::/32")))


@pytest.mark.parametrize(
    ("address", "permitted"),
    [
        ("10.1.2.3", True),
        ("::ffff:10.1.2.3", True),
        ("fd00:1::5", True),
        ("10.2.0.1", False),
        ("127.0.0.1", False),
        ("8.8.8.8", False),
        ("nonsense", False),
    ],
)
def test_allow_list_permits_its_networks_only(address: str, permitted: bool) -> None:
    """Permission covers the listed networks; public addresses do not need it."""
    assert permitted == is_private_by_permission(address, ALLOWING)


def test_denied_network_wins() -> None:
    """The operator's own public address is refused, even where it is allowed as well."""
    own = (ip_network("8.8.8.8/32"),)

    assert check_address("8.8.8.8", Rules(denied_networks=own, allowed_networks=own))
    assert check_address("::ffff:8.8.8.8", Rules(denied_networks=own))
    assert not check_address("8.8.4.4", Rules(denied_networks=own))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://0/",
        "http://127.0.0.1./",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[0:0:0:0:0:ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://public@127.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://a.localhost/",
        "https://printer.local/",
        "https://metadata.google.internal/",
        "https://x.internal/",
        "https://router.home.arpa/",
    ],
)
def test_private_host_is_refused(url: str) -> None:
    """Odd spellings of private addresses and local names are refused before any look-up."""
    with pytest.raises(InvalidURL) as caught:
        check_url(url)

    assert "refused_address" == caught.value.code
    assert "127" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "feed",
        "/feed",
        "//host/feed",
        "ftp://host.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/xml,x",
        "gopher://host.example/",
        "https://",
        "https:///",
        "https://ho st.example/",
        "https://host.example/a b",
        "https://host.example/a\tb",
        "https://host.example/a\r\nHost: other",
        "https://host.example\\@127.0.0.1/",
        "https://host.example/\x00",
        "https://host.example:99999/",
        "https://[fe80::1%25eth0]/",
        "https://[::1",
        "https://" + "a" * 64 + ".example/",
        "https://" + "a." * 130 + "example/",
        "https://a..b.example/",
        "https://1.2.3.4.5/",
        "https://host.example/" + "a" * 9000,
    ],
)
def test_malformed_address_is_refused(url: str) -> None:
    """What is no web address is called invalid, and the sentence does not echo it."""
    with pytest.raises(InvalidURL) as caught:
        check_url(url)

    assert "invalid_url" == caught.value.code
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("port", [1, 21, 22, 25, 81, 110, 143, 465, 587, 993, 995, 1023])
@pytest.mark.parametrize("high_ports", [False, True])
def test_low_port_is_refused(port: int, high_ports: bool) -> None:
    """Below 1024 there are only 80 and 443."""
    with pytest.raises(InvalidURL, match=f"Port {port} "):
        check_url(f"https://host.example:{port}/", Rules(high_ports=high_ports))


@pytest.mark.parametrize("port", [2375, 3306, 5432, 6379, 9200, 11211, 27017, 6667])
def test_port_of_another_protocol_is_refused(port: int) -> None:
    """Databases and chat servers stay out of reach although high ports are open."""
    with pytest.raises(InvalidURL):
        check_url(f"https://host.example:{port}/", Rules(high_ports=True))


@pytest.mark.parametrize("port", [80, 443, 8080, 8443])
def test_port_of_the_web_is_dialled(port: int) -> None:
    """The four web ports are open by default."""
    assert port == check_url(f"https://host.example:{port}/").port


def test_high_port_is_dialled_by_permission() -> None:
    """Other ports from 1024 up need the operator's word."""
    with pytest.raises(InvalidURL):
        check_url("https://host.example:4000/")

    assert 4000 == check_url("https://host.example:4000/", Rules(high_ports=True)).port


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTPS://Host.Example", "https://host.example/"),
        (" https://host.example/ \n", "https://host.example/"),
        ("https://host.example.:443/a/../b?x=1#top", "https://host.example/b?x=1"),
        ("http://host.example:443/", "http://host.example:443/"),
        ("https://bücher.example/ä?ö", "https://xn--bcher-kva.example/%C3%A4?%C3%B6"),
        ("https://host.example/%zz?%", "https://host.example/%zz?%"),
        ("https://under_score.example/", "https://under_score.example/"),
        ("https://[2606:4700::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
    ],
)
def test_address_is_normalised(url: str, normal: str) -> None:
    """Targets are what a browser would ask for, without fragment and default port."""
    assert normal == check_url(url).url


def test_userinfo_becomes_credentials() -> None:
    """User and password are taken out of the URL, decoded, and hidden from `repr`."""
    target = check_url("https://me%40home:p%20w@host.example/feed")

    assert Target("https", "host.example", 443, "/feed", Credentials("me@home", "p w")) == target
    assert "p w" not in repr(target)


def test_default_port_follows_the_scheme() -> None:
    """http on 80 becomes https on 443; a port that was named stays."""
    rules = Rules(high_ports=True)

    assert "https://h.example/a" == check_url("http://h.example/a").over_https().url
    assert "https://h.example:8080/" == check_url("http://h.example:8080/").over_https().url
    assert "https://h.example:81/" != check_url("http://h.example:9000/", rules).over_https().url


def test_local_name_needs_an_allow_list() -> None:
    """With allow-listed networks, local names are left to what they resolve to."""
    assert "wiki.internal" == check_url("https://wiki.internal/", ALLOWING).host


@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    """Whatever people type is either a target or an `InvalidURL`."""
    for url in (text, f"https://{text}", f"https://host.example/{text}"):
        with suppress(InvalidURL):
            assert check_url(url).url.isascii()
