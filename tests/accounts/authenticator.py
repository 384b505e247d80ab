"""A security key in software: what a browser would send for it (WebAuthn §6.5, §7)."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

_PRESENT, _HAS_CREDENTIAL = 0x01, 0x40


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class SecurityKey:
    """One credential; it counts its uses."""

    origin: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    uses: int = 0

    def create(self, options: str) -> str:
        """Answer of navigator.credentials.create."""
        asked = json.loads(options)
        point = self.key.public_key().public_numbers()
        public = {
            1: 2, 3: -7, -1: 1,
            -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big"),
        }  # fmt: skip
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(asked["rp"]["id"], _PRESENT | _HAS_CREDENTIAL) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", asked["challenge"])
        return self._answer(
            clientDataJSON=_text(client), attestationObject=_text(attestation), transports=[]
        )

    def get(self, options: str) -> str:
        """Answer of navigator.credentials.get."""
        asked = json.loads(options)
        self.uses += 1
        data = self._data(asked["rpId"], _PRESENT)
        client = self._client("webauthn.get", asked["challenge"])
        signed = data + hashlib.sha256(client).digest()
        return self._answer(
            clientDataJSON=_text(client),
            authenticatorData=_text(data),
            signature=_text(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
        )

    def _data(self, site: str, flags: int) -> bytes:
        return (
            hashlib.sha256(site.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")
        )

    def _client(self, kind: str, challenge: str) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(told).encode()

    def _answer(self, **response: Any) -> str:
        return json.dumps(
            {
                "id": _text(self.id),
                "rawId": _text(self.id),
                "type": "public-key",
                "response": response,
                "clientExtensionResults": {},
            }
        )
