"""The Discord bot: slash commands, buttons and menus around feeds of a server.

One module a theme of commands; each command is a function from (desk, visitor, arguments) to a
`Reply`, and `answering` does everything that Discord wants around it: time, rights, privacy.
Imported only where a token is set.
"""
