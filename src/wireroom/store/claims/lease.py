"""How long a lease holds."""

from datetime import timedelta

#: Longer than any fetch or send may take with its time limits; a crashed worker's work waits this
#: long.
LEASE = timedelta(minutes=3)
