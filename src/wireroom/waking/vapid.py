"""Who we are to push services: a key pair and signed headers (RFC 8292, pure).

The public half is what browsers subscribe with, so the pair is made once and kept sealed; with
another one every device would have to subscribe again.
"""

import base64
import json
from datetime import datetime, timedelta
from typing import Any

from wireroom.feeds import urls

#: Services refuse more than 24 hours.
_VALID_FOR = timedelta(hours=12)


def new_key() -> str:
    """A fresh P-256 pair, as the text of a JWK."""
    from joserfc.jwk import ECKey

    return json.dumps(ECKey.generate_key("P-256", private=True).as_dict(private=True))


def public_key(key: str) -> str:
    """The public half as browsers take it: the uncompressed point in base64url."""
    pair = json.loads(key)
    return _packed(b"\x04" + _unpacked(pair["x"]) + _unpacked(pair["y"]))


def headers(key: str, endpoint: str, subject: str, now: datetime) -> dict[str, str]:
    """What lets us push to `endpoint`; `subject` is where its operator reaches ours."""
    from joserfc import jwt
    from joserfc.jwk import ECKey

    claims: dict[str, Any] = {
        "aud": _origin(endpoint),
        "exp": int((now + _VALID_FOR).timestamp()),
        "sub": subject,
    }
    token = jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, ECKey.import_key(json.loads(key)))
    return {"Authorization": f"vapid t={token}, k={public_key(key)}"}


def _origin(endpoint: str) -> str:
    """Of an address that cannot be read "": whoever dials it says so."""
    parts = urls.split(endpoint)
    if parts is None:
        return ""
    return f"{parts.scheme}://{parts.host}{parts.port and f':{parts.port}'}"


def subject(contact: str, public_url: str) -> str:
    """The operator's address in a form that services take."""
    if contact.startswith(("mailto:", "https://")):
        return contact
    if "@" in contact:
        return f"mailto:{contact}"
    return public_url if public_url.startswith("https://") else "mailto:nobody@wireroom.invalid"


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
