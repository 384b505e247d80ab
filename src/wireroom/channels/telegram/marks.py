"""The buttons under a post by which people say that they read it (pure).

They do not name the entry: the message that they are under does, and an entry's number may change
when two feeds become one.
"""

from typing import Any, Final

#: What their data begins with.
VERB: Final = "mk"


def keyboard(*, is_read: bool = False, is_favorite: bool = False) -> dict[str, Any]:
    """An inline keyboard that shows how things stand."""
    row = (
        ("✅" if is_read else "☑️", "r"),
        ("⭐" if is_favorite else "☆", "f"),
        ("🔇", "m"),
    )
    buttons = [{"text": text, "callback_data": f"{VERB}.{what}"} for text, what in row]
    return {"inline_keyboard": [buttons]}
