"""Tests of accounts beside their rows: who is let in, and by what."""
