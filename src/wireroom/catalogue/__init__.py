"""What Wireroom says to people in chats, in every language that it speaks (TGC-42).

A text holds all of its languages side by side, so none can be missing::

    PAUSED = Text(en="Nothing comes until {until}.", de="Bis {until} kommt nichts.")
    PAUSED.say("de", until="morgen")

Texts of one front end share a module here. The web reader, the APIs and the command line speak
English. Pure: nothing here knows where the words go.
"""

from wireroom.catalogue.text import DEFAULT, LANGUAGES, Language, Plural, Text, language_of

__all__ = ["DEFAULT", "LANGUAGES", "Language", "Plural", "Text", "language_of"]
