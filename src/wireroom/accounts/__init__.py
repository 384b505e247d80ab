"""Use cases of accounts: the first visit, logging in, sessions, tokens, passwords.

What most callers need is named here; joining, second factors and single sign-on are modules of
their own.
"""

from wireroom.accounts.likings import (
    merge_preferences,
    preferences,
    set_preferences,
)
from wireroom.accounts.logins import (
    account_of_login,
    change_password,
    check_login,
    confirm_password,
    create_owner,
    needs_setup,
    same_secret,
)
from wireroom.accounts.sessions import (
    PROOF_LASTS,
    READ_AND_MARK,
    READ_ONLY,
    SESSION_ABSOLUTE,
    SESSION_IDLE,
    TOKEN_PREFIX,
    TOUCH_EVERY,
    Session,
    close_other_sessions,
    close_session,
    create_token,
    digest,
    is_valid,
    list_sessions,
    list_tokens,
    open_session,
    prove_session,
    revoke_token,
    session_behind,
    token_behind,
)

__all__ = [
    "PROOF_LASTS",
    "READ_AND_MARK",
    "READ_ONLY",
    "SESSION_ABSOLUTE",
    "SESSION_IDLE",
    "TOKEN_PREFIX",
    "TOUCH_EVERY",
    "Session",
    "account_of_login",
    "change_password",
    "check_login",
    "close_other_sessions",
    "close_session",
    "confirm_password",
    "create_owner",
    "create_token",
    "digest",
    "is_valid",
    "list_sessions",
    "list_tokens",
    "merge_preferences",
    "needs_setup",
    "open_session",
    "preferences",
    "prove_session",
    "revoke_token",
    "same_secret",
    "session_behind",
    "set_preferences",
    "token_behind",
]
