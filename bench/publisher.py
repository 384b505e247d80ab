"""Publishers for benchmarks: a few thousand feeds on as many hosts of 127.0.0.0/8 as wanted.

nginx serves them where it is installed, else a small asyncio server; either is a process of its
own, so that its work is not counted as ours. `/cached/N` answers with validators and 304, and
`/plain/N` the same document always as 200, as many small sites do.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

#: Items of a document: what a busy blog or a small newspaper keeps in its feed.
WINDOW = 30

_DATE = "(date)"
_TEXT = (
    "<p>The council met <b>late</b> on Tuesday; what it decided about the ferry, the quay and the "
    'winter timetable is on <a href="https://harbour.example/minutes/{0}?utm_source=rss">its pages'
    '</a>.</p><p><img src="https://harbour.example/i/{0}.jpg" width="640" height="360" alt="">'
    "Nobody had expected number {0} to be settled before spring, and the harbour master least of "
    "all. A longer report follows in the weekend edition, with maps &amp; figures.</p>"
)

_NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log crit;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
  access_log off; keepalive_timeout {keep_alive}; keepalive_requests 100000; {tls}
  client_body_temp_path {folder}/t; proxy_temp_path {folder}/t; fastcgi_temp_path {folder}/t;
  uwsgi_temp_path {folder}/t; scgi_temp_path {folder}/t;
  default_type application/rss+xml;
  server {{
    {listens}
    location /cached/ {{ alias {folder}/feeds/; }}
    location /plain/ {{ alias {folder}/feeds/; etag off; if_modified_since off; add_header Last-Modified ""; }}
  }}
}}
"""  # noqa: E501 - a configuration file

_NGINX_TLS = (
    "ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem; "
    "ssl_session_tickets on; ssl_session_cache shared:sessions:10m;"
)

#: The hosts that speak TLS have names below this one.
DOMAIN = "bench.example"


def write_feeds(folder: Path, feeds: int, *, newest: int) -> None:
    """Write all documents anew, each with items `newest` and the 29 before it."""
    (folder / "feeds").mkdir(exist_ok=True)
    numbers = range(newest, newest - WINDOW, -1)
    items = [_item(number) for number in numbers]
    for feed in range(feeds):
        dated = "".join(map(str.replace, items, [_DATE] * WINDOW, _dates(feed, numbers)))
        text = (
            '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>'
            f"<title>Harbour News {feed}</title><link>https://harbour.example/{feed}/</link>"
            f"<description>What ships bring</description>{dated}</channel></rss>"
        )
        # As editors do: a reader never sees half a document.
        (folder / "new").write_text(text)
        (folder / "new").rename(folder / "feeds" / str(feed))


def _dates(feed: int, numbers: Iterable[int]) -> list[str]:
    """An item in twenty hours or so, each feed at hours of its own: no two have like habits."""
    moments = (
        1_790_000_000 + number * 72_000 + (number * 7919 + feed * 104_729) % 28_800
        for number in numbers
    )
    return [time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(each)) for each in moments]


def _item(number: int) -> str:
    """With a mark in place of its date, which differs from feed to feed."""
    body = _TEXT.format(number).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return (
        f"<item><title>Story number {number} of the harbour</title>"
        f"<link>https://harbour.example/story/{number}</link>"
        f'<guid isPermaLink="false">harbour-{number}</guid><pubDate>{_DATE}</pubDate>'
        f"<category>Town</category><description>{body}</description></item>"
    )


def hosts(count: int) -> list[str]:
    """So many addresses of this machine, each a host of its own for the poller."""
    return [f"127.{7 + n // 62_500}.{n // 250 % 250}.{n % 250 + 1}" for n in range(count)]


def write_certificate(folder: Path) -> Path:
    """One for all names below `DOMAIN`, and its own authority; the key lies beside it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, DOMAIN)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(f"*.{DOMAIN}")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "key.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    return folder / "certificate.pem"


@contextlib.contextmanager
def serving(
    folder: Path, addresses: list[str], *, tls: bool = False, keeps_alive: bool = True
) -> Iterator[tuple[int, str]]:
    """Serve the folder's feeds on one port of all addresses; gives the port and who serves.

    Only nginx speaks TLS here, and only it closes connections after each answer.
    """
    port = _free_port()
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx:
        (folder / "t").mkdir(exist_ok=True)
        secured = " ssl" if tls else ""
        listens = " ".join(f"listen {address}:{port}{secured};" for address in addresses)
        config = folder / "nginx.conf"
        config.write_text(
            _NGINX.format(
                folder=folder,
                listens=listens,
                keep_alive="30s" if keeps_alive else "0",
                tls=_NGINX_TLS.format(folder=folder) if tls else "",
            )
        )
        command = [nginx, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(config)]
    elif tls or not keeps_alive:
        sys.exit("This case needs nginx.")
    else:
        command = [sys.executable, "-m", "bench.publisher", str(folder), str(port), *addresses]
    server = subprocess.Popen(command, cwd=Path(__file__).parent.parent)
    try:
        _await_start(server, addresses[-1], port)
        yield port, "nginx" if nginx else "asyncio"
    finally:
        server.terminate()
        server.wait(10)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _await_start(server: subprocess.Popen[bytes], address: str, port: int) -> None:
    for _ in range(200):
        if server.poll() is not None:
            sys.exit("The benchmark's web server ended at its start.")
        with contextlib.suppress(OSError), socket.create_connection((address, port), 1):
            return
        time.sleep(0.05)
    sys.exit("The benchmark's web server does not answer.")


# -- where there is no nginx ----------------------------------------------------------------------


async def _answer(
    folder: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            body = (folder / "feeds" / path.rpartition("/")[2]).read_bytes()
            tag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
            is_cached = path.startswith("/cached/")
            if is_cached and tag in head:
                writer.write(f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode())
            else:
                etag = f"ETag: {tag}\r\n" if is_cached else ""
                writer.write(
                    f"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n{etag}"
                    f"Content-Length: {len(body)}\r\n\r\n".encode()
                )
                writer.write(body)
            await writer.drain()
    writer.close()


async def _serve(folder: Path, port: int, addresses: list[str]) -> None:
    server = await asyncio.start_server(
        lambda reader, writer: _answer(folder, reader, writer), addresses, port
    )
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 - ends with the benchmark, also when that is killed
        await asyncio.sleep(1)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
