"""Accounts, the doors by which they come in, and what proves that it is they."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from wireroom.store.schema.columns import Id, Instant, metadata

accounts = Table(
    "accounts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(256), nullable=False),
    # operator: everything; member: own rows only (C32)
    Column("role", String(16), nullable=False, server_default="member"),
    Column("preferences", JSON, nullable=False, server_default="{}"),
    Column("created_at", Instant, nullable=False),
    sqlite_autoincrement=True,  # ids are never used again
)

# An account's doors: password (subject = login name), telegram (chat id), discord (guild id),
# oidc.
identities = Table(
    "identities",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),
    Column("subject", String(256), nullable=False),
    Column("secret_hash", Text),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("kind", "subject"),
)

# Web sessions, API tokens, codes that link, and challenges that were answered; only SHA-256 of
# the secret is kept.
tokens = Table(
    "tokens",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),
    Column("secret_hash", LargeBinary(32), nullable=False, unique=True),
    Column("name", String(128), nullable=False, server_default=""),
    Column("scopes", String(256), nullable=False, server_default=""),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    Column("expires_at", Instant),
    # When whoever has the session last showed who they are; NULL: when it began.
    Column("proved_at", Instant),
)

# A link by which one person may make an account; it goes when it is used.
invitations = Table(
    "invitations",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("secret_hash", LargeBinary(32), nullable=False, unique=True),
    Column("name", String(128), nullable=False, server_default=""),  # for whom
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
)

# What is asked for after the password: totp, passkey, or a recovery code that works once.
factors = Table(
    "factors",
    metadata,
    Column("id", Id, primary_key=True),
    Column(
        "account_id", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("kind", String(16), nullable=False),
    Column("name", String(128), nullable=False, server_default=""),
    # totp: its sealed key; passkey: the credential's public key; recovery: SHA-256 of the code
    Column("secret", LargeBinary, nullable=False),
    Column("credential_id", LargeBinary, unique=True),  # of a passkey
    # totp: the last time step that was used; passkey: its sign count
    Column("counter", BigInteger, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    sqlite_autoincrement=True,
)
