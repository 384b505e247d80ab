"""Servers that tests talk to, all on this machine's loopback addresses."""
