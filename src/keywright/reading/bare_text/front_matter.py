"""The front matter of a paper in bare text: lines above the title, authors, an abstract without heading."""

import re
from collections.abc import Iterator
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.bare_text.bare_lines import Lines, Mark
from keywright.reading.bare_text.line_kinds import address, names_of_people, publisher_line
from keywright.reading.headings import is_section_name, kind_of_heading
from keywright.reading.layout.front import prose

# Arbitrary, as all numbers of this room, in characters where nothing else is said.
_PARAGRAPH: Final = 200  # a line that is a paragraph of its own
_LONGEST_ABSTRACT: Final = 4_000  # an abstract without heading
_LONGEST_ABOVE: Final = 300  # a line above the title that is not text
_SHORTEST_CAPITALS: Final = 5  # a heading in capitals below keywords; shorter ones may be an acronym
_MARK_LETTERS: Final = 2  # letters of a line that is the mark of a footnote
_MOST_BLOCKS: Final = 30  # blocks of names and addresses in a text without the headings of a paper


def above_title(lines: Lines, title: int) -> list[int]:
    """Return the lines above a title that are a journal's name, date, label ...: all short ones that are not prose."""
    above = [at for at in range(title) if lines.texts[at]]
    return [at for at in above if len(lines.texts[at]) <= _LONGEST_ABOVE and not prose(lines.texts[at])]


def below_title(lines: Lines, begin: int, end: int, opens: SectionKind | None) -> list[Mark]:
    """Return where the kind of text changes between the title and the heading that ends the front matter.

    Prose is the abstract if that heading does not open one, and all else is about the authors.
    """
    blocks = list(_blocks(lines, begin, end))
    texts = [_text(lines, block) for block in blocks]
    first = next((place for place, text in enumerate(texts) if prose(text)), len(blocks))
    is_headed = opens == SectionKind.ABSTRACT
    authors = [
        _about_authors(text) or (place < first and (is_headed or text[-1] not in ".!?"))
        for place, text in enumerate(texts)
    ]
    length = sum(len(text) for text, named in zip(texts, authors, strict=True) if not named)
    plain = SectionKind.BODY if is_headed or length > _LONGEST_ABSTRACT else SectionKind.ABSTRACT
    return [
        (lines.starts[block.start], SectionKind.AUTHORS if named else plain)
        for block, named, above in zip(blocks, authors, [None, *authors], strict=False)
        if named is not above
    ]


def authors_below(lines: Lines, begin: int, limit: int) -> list[Mark]:
    """Return where names and addresses between a title and line ``limit`` begin and end.

    For texts without the headings of a paper.
    """
    end = begin
    for count, block in enumerate(_blocks(lines, begin, limit)):
        text = _text(lines, block)
        if count >= _MOST_BLOCKS or prose(text) or not _about_authors(text):
            break
        end = block.stop
    return [(lines.starts[begin], SectionKind.AUTHORS), (lines.starts[end], SectionKind.BODY)] if end > begin else []


_NOTE = re.compile(r"\W{0,2}(?:\d |to whom|correspond|e-?mail|edited by|contributed by|communicated by)", re.IGNORECASE)


def _about_authors(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if len(text) > _LONGEST_ABOVE and text.endswith("."):
        return False
    return (
        letters <= _MARK_LETTERS
        or names_of_people(text)
        or address(text)
        or publisher_line(text)
        or bool(_NOTE.match(text))
    )


def list_ended(line: str, following: str) -> bool:
    """Return whether a list of keywords ends with a line: with a full stop, or above a heading."""
    if line[-1:] in {"", ",", ";", "-"} or kind_of_heading(line):
        return False
    capitals = len(following) > _SHORTEST_CAPITALS and following.isupper()
    return line[-1] == "." or capitals or is_section_name(following)


def _blocks(lines: Lines, begin: int, end: int) -> Iterator[range]:
    """Yield runs of lines between blank ones; a line that is a paragraph of its own is a run."""
    first = None
    for at in range(begin, end):
        line = lines.texts[at]
        if first is not None and (not line or len(line) > _PARAGRAPH):
            yield range(first, at)
            first = None
        if len(line) > _PARAGRAPH:
            yield range(at, at + 1)
        elif line and first is None:
            first = at
    if first is not None:
        yield range(first, end)


def _text(lines: Lines, block: range) -> str:
    return " ".join(filter(None, lines.texts[block.start : block.stop]))
