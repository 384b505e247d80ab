"""What an operator may set, where it comes from, and what is wrong with it.

Precedence: environment, then `.env` in the working directory, then the built-in default. Every
name is
`WIREROOM_` and the field's name in capitals; a name that ends in `_FILE` gives the path of a file
that holds the value (SEC-15). `docs/settings.md` lists them all; a test holds the two together.
"""
