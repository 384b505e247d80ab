"""All SQL there is. Functions take a connection and return values; the caller owns the
transaction."""
