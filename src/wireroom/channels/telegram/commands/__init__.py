"""Conversations: what people may ask of the bot in a chat, and what it answers."""
