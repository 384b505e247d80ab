"""Waking browsers when something arrives: Web Push (RFC 8030) without any content.

A push says that there is something, never what: neither the push service nor whoever looks over
one's shoulder at a locked screen learns what somebody reads.
"""
