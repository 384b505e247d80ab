"""A throw-away certificate authority, for servers that tests start."""

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from wireroom.fetching.resuming import ResumingContext


class Authority:
    """Signs certificates for servers and makes clients that trust it and nobody else."""

    def __init__(self, name: str = "An authority for tests") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        now = datetime.now(UTC)
        self._certificate = (
            _builder(self._name, self._name, self._key, now - timedelta(days=1), 30)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )

    def for_clients(self) -> ssl.SSLContext:
        """A client's context that trusts this authority."""
        context = ResumingContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=self.pem)
        return context

    @property
    def pem(self) -> str:
        """Its own certificate."""
        return self._certificate.public_bytes(serialization.Encoding.PEM).decode()

    def signed(self, *names: str, valid_days: int = 10) -> bytes:
        """A key and its certificate for `names`, both PEM; negative days mean an expired one."""
        key = ec.generate_private_key(ec.SECP256R1())
        start = datetime.now(UTC) - timedelta(days=20)
        certificate = (
            _builder(_name(names[0]), self._name, key, start, 20 + valid_days)
            .add_extension(
                x509.SubjectAlternativeName([_general(name) for name in names]), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        return _pem(key) + certificate.public_bytes(serialization.Encoding.PEM)

    def for_servers(self, *names: str, valid_days: int = 10) -> ssl.SSLContext:
        """A server's context with a certificate for `names`."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "server.pem"
            path.write_bytes(self.signed(*names, valid_days=valid_days))
            context.load_cert_chain(path)
        return context


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    start: datetime,
    days: int,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=days))
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
