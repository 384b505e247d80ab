"""What the Telegram bot says; one module for each theme of its commands (pure).

Texts hold Telegram's HTML; values are escaped by `Text.html`.
"""
