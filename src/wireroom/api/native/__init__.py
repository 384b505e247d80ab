"""Wireroom's own reader API: a documented contract that only grows (docs/api.md)."""
