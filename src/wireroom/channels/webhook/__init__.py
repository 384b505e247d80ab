"""Signed JSON posts to a program of somebody (docs/webhook.md)."""
