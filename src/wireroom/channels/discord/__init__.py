"""Discord: messages by webhooks, which need no bot and no gateway."""
