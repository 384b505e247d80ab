"""Wireroom polls feeds politely, keeps each item once, and brings it to everyone who asked."""

__version__ = "0.1.0"
