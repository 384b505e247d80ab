"""Telegram: messages by the Bot API; facts and traps are in the Bot API's own documentation."""
