"""The second loop: stored entries go out along routes. Start reading at `deliver`."""
