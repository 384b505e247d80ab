"""What a command answers, as a value, and as arguments for discord.py."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from wireroom.channels.discord import layouts
from wireroom.channels.discord.bot import embeds
from wireroom.channels.discord.bot.buttons import Button, Form, Link, Row, Select
from wireroom.channels.discord.cutting import shortened
from wireroom.delivery.richtext import units

MOST_TEXT: Final = 2000

_STYLES: Final = {
    "grey": discord.ButtonStyle.secondary,
    "blue": discord.ButtonStyle.primary,
    "green": discord.ButtonStyle.success,
    "red": discord.ButtonStyle.danger,
}
NOBODY: Final = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class Reply:
    """A message for whoever asked; `private` ones are seen by nobody else."""

    text: str = ""
    embeds: tuple[Mapping[str, Any], ...] = ()
    rows: tuple[Row, ...] = ()
    file: tuple[str, bytes] | None = None
    private: bool = True
    #: Of a press: stands in the message that was pressed, instead of a message of its own.
    replaces: bool = False
    #: To be filled in; nothing else of the reply counts then.
    form: Form | None = None
    #: Components of a message as it would be posted: below the text, without embeds and rows.
    components: tuple[Mapping[str, Any], ...] = ()
    #: Further messages behind this one.
    more: tuple["Reply", ...] = ()

    def followed_by(self, more: Sequence["Reply"]) -> "Reply":
        return replace(self, more=tuple(more))

    def arguments(self) -> dict[str, Any]:
        """For a new message."""
        made: dict[str, Any] = {"allowed_mentions": NOBODY}
        if self.components:
            return made | {"view": _layout(self.text, self.components)}
        if self.text:
            made["content"] = shortened(self.text, MOST_TEXT)
        if self.embeds:
            made["embeds"] = [discord.Embed.from_dict(each) for each in self.embeds]
        if self.rows:
            made["view"] = _view(self.rows)
        if self.file:
            made["file"] = discord.File(io.BytesIO(self.file[1]), self.file[0])
        return made

    def changes(self) -> dict[str, Any]:
        """For a message that stands: what is not here goes."""
        if self.components:
            view = _layout(self.text, self.components)
            return {"content": None, "embeds": [], "view": view, "allowed_mentions": NOBODY}
        return {
            "content": shortened(self.text, MOST_TEXT) or None,
            "embeds": [discord.Embed.from_dict(each) for each in self.embeds],
            "view": _view(self.rows) if self.rows else None,
            "allowed_mentions": NOBODY,
            **(
                {"attachments": [discord.File(io.BytesIO(self.file[1]), self.file[0])]}
                if self.file
                else {}
            ),
        }


def _view(rows: tuple[Row, ...]) -> discord.ui.View:
    """Components alone: what is pressed is told by its name, so discord.py need not remember."""
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for item in _items(row):
            item.row = number
            view.add_item(item)
    view.stop()
    return view


def _layout(text: str, components: Sequence[Mapping[str, Any]]) -> discord.ui.LayoutView:
    """Components as `layouts` makes them, below a text that takes what room they leave."""
    view = discord.ui.LayoutView(timeout=None)
    room = layouts.MOST_TEXT["components"] - units(layouts.as_text(components))
    if text and room > 0:
        view.add_item(discord.ui.TextDisplay(shortened(text, min(room, MOST_TEXT))))
    for each in components:
        view.add_item(_laid_out(each))
    view.stop()
    return view


def _laid_out(component: Mapping[str, Any]) -> discord.ui.Item[Any]:
    if "content" in component:
        return discord.ui.TextDisplay(component["content"])
    if "items" in component:
        urls = [each["media"]["url"] for each in component["items"]]
        return discord.ui.MediaGallery(*(discord.MediaGalleryItem(url) for url in urls))
    inside = [_laid_out(each) for each in component["components"]]
    return discord.ui.Container(*inside, accent_colour=component.get("accent_color"))


def _items(row: Row) -> list[discord.ui.Item[Any]]:
    if isinstance(row, Select):
        options = [
            discord.SelectOption(
                label=embeds.short(each.label, 100) or "–",
                value=each.value,
                description=embeds.short(each.description, 100) or None,
            )
            for each in row.options[:25]
        ]
        return [
            discord.ui.Select(
                custom_id=row.name, placeholder=embeds.short(row.placeholder, 150), options=options
            )
        ]
    return [_button(each) for each in row]


def _button(button: Button | Link) -> discord.ui.Button[Any]:
    if isinstance(button, Link):
        return discord.ui.Button(label=embeds.short(button.label, 80), url=button.url)
    return discord.ui.Button(
        label=embeds.short(button.label, 80),
        custom_id=button.name,
        style=_STYLES[button.style],
        disabled=button.disabled,
    )


def modal(form: Form) -> discord.ui.Modal:
    """A form to be filled in; what is typed comes back under its name, after a restart too."""
    made = discord.ui.Modal(title=embeds.short(form.title, 45), custom_id=form.name)
    for field in form.fields:
        style = discord.TextStyle.paragraph if field.is_long else discord.TextStyle.short
        line: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=field.key,
            style=style,
            default=field.value[: field.most] or None,
            required=field.required,
            max_length=field.most,
            placeholder=embeds.short(field.placeholder, 100) or None,
        )
        made.add_item(discord.ui.Label(text=embeds.short(field.label, 45), component=line))
    made.stop()
    return made
