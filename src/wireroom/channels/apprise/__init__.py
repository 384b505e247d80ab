"""Any service that Apprise knows; for operators, since it dials by itself."""
