"""Measurements: each prints figures of ours beside a peer's from the same run."""
