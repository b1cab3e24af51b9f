"""An e-mail saved as text: its head, whose subject is the title, and its signature."""

import re
from typing import Final, NamedTuple

from keywright.core.documents import Section, SectionKind

_FIELD: Final = re.compile(r"([A-Za-z-]{2,30}):(?:[ \t]+(?:(?:re|fwd?|aw|wg):[ \t]*)*|$)", re.IGNORECASE)
_NEEDED: Final = frozenset({"from", "subject"})
_FEWEST_FIELDS: Final = 3
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

    def sections(self, text: str) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
        """Sections before and after the message."""
        start, stop = self.subject
        head = (
            *_section(SectionKind.METADATA, text, 0, start),
            *_section(SectionKind.TITLE, text, start, stop),
            *_section(SectionKind.METADATA, text, stop, self.begin),
        )
        return head, _section(SectionKind.NOTICE, text, self.end, len(text))


def mail_of(text: str) -> Mail | None:
    """Where an e-mail's parts are; None for a text that does not begin with fields, sender and subject among them."""
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
        elif not (names and text[at].isspace()):  # a field goes on in lines that begin with a blank
            return None
        at = stop + 1
    if subject is None or len(names) < _FEWEST_FIELDS or not names >= _NEEDED:
        return None
    begin = min(at, len(text))
    signature = _SIGNATURE.search(text, begin)
    return Mail(subject, begin, signature.start() if signature else len(text))


def _section(kind: SectionKind, text: str, start: int, end: int) -> tuple[Section, ...]:
    """A section without the white space around it; none if nothing else is there."""
    inside = text[start:end].strip()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return (Section(kind, start, start + len(inside)),) if inside else ()
