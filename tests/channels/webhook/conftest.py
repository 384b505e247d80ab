"""The small internet of the fetching tests, in which webhooks live, too."""

from tests.fetching.conftest import authority, open_client, open_site, world

__all__ = ["authority", "open_client", "open_site", "world"]
