"""Pure: what feeds are, how documents are read, and what changed between two readings.

No SQL, HTTP, files, clock or randomness in here; `now` is always a parameter.
"""
