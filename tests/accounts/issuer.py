"""An OpenID Connect issuer as a table of answers, at the seam of the guarded client."""

import asyncio
import base64
import hashlib
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from tests.rows import NOON
from wireroom.accounts.sign_on import Issuer, SignOn
from wireroom.fetching.outcome import Failed, Fetched, Hops, Outcome, Validators
from wireroom.fetching.request import Post, Request, Response

URL = "https://issuer.example/realm"
CLIENT = "wireroom-at-home"


@dataclass
class World:
    """Answers as an issuer does; remembers what it was asked."""

    key: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256"))
    asked: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(
        default_factory=lambda: {
            "issuer": URL,
            "authorization_endpoint": f"{URL}/authorize",
            "token_endpoint": f"{URL}/token",
            "jwks_uri": f"{URL}/keys",
        }
    )
    #: By code: the claims to give out, and the challenge that its verifier must meet.
    codes: dict[str, tuple[dict[str, Any], str]] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    is_down: bool = False

    async def get(self, request: Request) -> Outcome:
        self.asked.append(request.url)
        await asyncio.sleep(0)  # as on a network: others get their turn meanwhile
        if self.is_down:
            return Failed(Hops(request.url), "connect", "Nobody answers there.")
        documents = {
            f"{URL}/.well-known/openid-configuration": self.about,
            f"{URL}/keys": KeySet([self.key]).as_dict(private=False),
        }
        found = documents.get(request.url)
        if found is None:
            return Failed(Hops(request.url), "dns", "There is no such host.")
        body = json.dumps(found).encode()
        return Fetched(Hops(request.url), 200, body, "application/json", Validators())

    async def post(self, post: Post) -> Response | Failed:
        self.posts.append(post)
        form = {name: values[0] for name, values in parse_qs(post.body.decode()).items()}
        claims, challenge = self.codes.pop(form.get("code", ""), ({}, ""))
        hashed = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if challenge != base64.urlsafe_b64encode(hashed).rstrip(b"=").decode():
            return Response(400, {}, b'{"error": "invalid_grant"}')
        token = self.token(**claims)
        return Response(200, {}, json.dumps({"id_token": token, "access_token": "x"}).encode())

    def token(self, key: ECKey | None = None, **claims: Any) -> str:
        """Signed, for us, valid for an hour from noon; None leaves a claim out."""
        told = {
            "iss": URL,
            "aud": CLIENT,
            "sub": "4711",
            "exp": int((NOON + timedelta(hours=1)).timestamp()),
            **claims,
        }
        told = {name: value for name, value in told.items() if value is not None}
        key = key or self.key
        return jwt.encode({"alg": "ES256", "kid": key.thumbprint()}, told, key)

    def sign_on(self, **options: Any) -> SignOn:
        return SignOn(Issuer(URL, CLIENT, "hush", **options), self)
