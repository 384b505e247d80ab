"""Dialling out: the one guarded client and what can come back from it."""
