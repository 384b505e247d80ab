"""HTTP APIs for reader apps; each protocol is a package of its own."""
