"""An e-mail saved as text: its head, whose subject is the title, and its signature."""

import re
from typing import Final, NamedTuple

from keywright.core.documents import SectionKind
from keywright.reading.bare_text.bare_lines import Mark

_FIELD: Final = re.compile(r"([A-Za-z-]{2,30}):(?:[ \t]+(?:(?:re|fwd?|aw|wg):[ \t]*)*|$)", re.IGNORECASE)
_NEEDED: Final = frozenset({"from", "subject"})
_FEWEST_FIELDS: Final = 3
"""Fields of a mail's head, so that other texts that begin with two of them stay as they are; arbitrary."""

_SIGNATURE: Final = re.compile(r"^-- ?$", re.MULTILINE)


class Mail(NamedTuple):
    """Places in a text that is an e-mail, in characters.

    Attributes:
        subject: first character of the subject and the one after its last.
        begin: where the message begins.
        end: where the signature begins, or the text ends.
    """

    subject: tuple[int, int]
    begin: int
    end: int

    def marks(self, message: list[Mark]) -> list[Mark]:
        """Return the marks of the whole mail, given those of its message alone, whose title is body."""
        start, stop = self.subject
        kinds = {SectionKind.TITLE: SectionKind.BODY}
        return [
            (0, SectionKind.METADATA),
            (start, SectionKind.TITLE),
            (stop, SectionKind.METADATA),
            (self.begin, SectionKind.BODY),
            *((self.begin + at, kinds.get(kind, kind)) for at, kind in message),
            (self.end, SectionKind.NOTICE),
        ]


def find_mail(text: str) -> Mail | None:
    """Return the places of an e-mail's parts; None for a text that does not begin with fields, sender and subject."""
    names: set[str] = set()
    subject: tuple[int, int] | None = None
    at = 0
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if not text[at:stop].strip():
            break
        field = _FIELD.match(text, at, stop)
        if field:
            names.add(field[1].lower())
            if field[1].lower() == "subject":
                subject = field.end(), stop
        elif not (names and text[at].isspace()):  # a field continues in lines that begin with a blank
            return None
        at = stop + 1
    if subject is None or len(names) < _FEWEST_FIELDS or not names >= _NEEDED:
        return None
    begin = min(at, len(text))
    signature = _SIGNATURE.search(text, begin)
    return Mail(subject, begin, signature.start() if signature else len(text))
