"""What was wrong with what somebody asked for, by the stable code of the error.

`{detail}` is the English sentence of whoever noticed it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from wireroom.catalogue.text import Text

BY_CODE: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "invalid_url": Text(
            en="This address cannot be used: {detail}",
            de="Diese Adresse geht nicht: {detail}",
        ),
        "unreachable": Text(
            en="The site could not be reached: {detail}",
            de="Die Seite war nicht zu erreichen: {detail}",
        ),
        "not_https": Text(
            en="The site does not answer, over https neither: {detail}",
            de="Die Seite antwortet nicht, auch nicht über https: {detail}",
        ),
        "not_a_feed": Text(
            en="There is no feed at this address: {detail}",
            de="An dieser Adresse liegt kein Feed: {detail}",
        ),
        "feed_gone": Text(
            en="There is nothing at this address (any more): {detail}",
            de="An dieser Adresse liegt nichts (mehr): {detail}",
        ),
        "needs_credentials": Text(
            en="The site lets nobody in without a password: {detail}",
            de="Die Seite verlangt ein Passwort: {detail}",
        ),
        "publisher_error": Text(
            en="The site answered with an error: {detail}",
            de="Die Seite antwortet mit einem Fehler: {detail}",
        ),
        "invalid_opml": Text(
            en="This is no OPML list: {detail}", de="Das ist keine OPML-Liste: {detail}"
        ),
        "invalid_filter": Text(
            en="This filter cannot be read: {detail}",
            de="Dieser Filter ist nicht zu lesen: {detail}",
        ),
        "invalid_template": Text(
            en="{detail}",
            de="{detail}",
        ),
        "sample_refused": Text(
            en="Nothing was changed. {detail}", de="Es bleibt, wie es war. {detail}"
        ),
        "try_later": Text(en="{detail}", de="{detail}"),
        "invalid_setting": Text(
            en="That is no value for this setting: {detail}",
            de="Das geht für diese Einstellung nicht: {detail}",
        ),
        "invalid_replacement": Text(
            en="This cannot be taken out of texts: {detail}",
            de="Das lässt sich nicht aus Texten nehmen: {detail}",
        ),
        "duplicate_replacement": Text(
            en="This is taken out already.", de="Das wird schon herausgenommen."
        ),
        "unknown_replacement": Text(
            en="There is no such replacement. /repl_list shows them.",
            de="Diese Ersetzung gibt es nicht. /repl_list zeigt alle.",
        ),
        "invalid_code": Text(
            en="This code is wrong, was used already, or is too old. Ask for a new one.",
            de="Dieser Code ist falsch, verbraucht oder zu alt. Lass dir einen neuen geben.",
        ),
        "linked": Text(
            en="This chat is linked with somebody's account. They make a code there.",
            de="Dieser Chat ist mit jemandes Konto verbunden. Den Code macht, wem es gehört.",
        ),
        "not_linked": Text(
            en="This chat is not linked with an account.",
            de="Dieser Chat ist mit keinem Konto verbunden.",
        ),
        "conflict": Text(
            en="That cannot be done now: {detail}", de="Das geht gerade nicht: {detail}"
        ),
        "invalid_count": Text(en="Not so many: {detail}", de="Nicht so viele: {detail}"),
        "invalid_time": Text(
            en="A pause ends in the future.", de="Eine Pause endet in der Zukunft."
        ),
        "unknown_route": Text(
            en="There is no such subscription here. /list shows all.",
            de="Dieses Abo gibt es hier nicht. /list zeigt alle.",
        ),
        "unknown_entry": Text(
            en="I know nothing of this message.", de="Von dieser Nachricht weiß ich nichts."
        ),
    }
)

OTHER: Final = Text(en="{detail}", de="Das geht nicht: {detail}")
