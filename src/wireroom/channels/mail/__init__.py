"""E-mail through the operator's SMTP server."""
