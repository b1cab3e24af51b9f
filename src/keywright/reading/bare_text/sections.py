"""Sections of bare text: what ``pdftotext`` leaves of a paper, an abstract, a news story.

Works on lines in one pass; a text of 60,000 characters takes about a millisecond.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.reading.bare_text.bare_lines import LineHeading, Lines, cut_short, find_headings
from keywright.reading.bare_text.headings import Outline
from keywright.reading.bare_text.mail import mail_of
from keywright.reading.bare_text.titles import title_of_paper, title_of_text

_FRONT: Final = 8_000  # characters within which an abstract or introduction begins
_IN_FRONT: Final = {SectionKind.ABSTRACT, SectionKind.KEYWORDS}
_LONGEST_CAPTION: Final = 6  # lines
_FULL: Final = 0.85  # of a column's width
_LONGEST: Final = {SectionKind.KEYWORDS: 1_000, SectionKind.METADATA: 2_000, SectionKind.ABSTRACT: 6_000}
"""Characters above which the next heading is no longer what closes such a section."""
_SHORT_ABSTRACT: Final = 200

_CAPTION = re.compile(r"(?:Figure|Fig\.?|FIGURE|FIG\.?|Table|TABLE|Algorithm|Listing)\s?\d{1,3}(?:\.\d{1,2})?([:.])")
_MENTIONED = re.compile(r"(?:\b(?:in|see|and|of|by|from|to|with|on|the|or|both|cf\.?)|,|\()$", re.IGNORECASE)
_NOTICE = ("Permission to make digital", "Permission to copy without fee")
_NOTICE_END = re.compile(
    r"prior\s+specific(?:\s+permission(?:\s+and/or\s+a\s+fee\.?)?)?|fee\s+and/or\s+specific\s+permission\.?"
    r"|Request\s+permissions\s+from\s+\S+"
)
_COPYRIGHT_LINE = re.compile(r"copyright|©|\bACM\b|\$\d|['’\"‘]\d\d\b|, (?:19|20)\d\d\b", re.IGNORECASE)

Mark = tuple[int, SectionKind]
"""From this character on the text is of this kind."""


def find_sections(text: str) -> tuple[Section, ...]:
    """Sections of a bare text; an empty one has none.

    A text without an abstract or introduction is taken for no paper: only headings, and a first line that clearly is
    a title, are looked for. Of an e-mail only the message itself is looked at so; its subject is the title.
    """
    mail = mail_of(text)
    if mail is None:
        return _found_in(text)
    head, end = mail.sections(text)
    inside = (
        replace(found, start=found.start + mail.begin, end=found.end + mail.begin)
        for found in _found_in(text[mail.begin : mail.end])
        if found.kind != SectionKind.TITLE
    )
    return (*head, *inside, *end)


def _found_in(text: str) -> tuple[Section, ...]:
    """The same, of a text that is no e-mail."""
    lines = Lines.of(text)
    headings = _without_strays(lines, find_headings(lines))
    marks: list[Mark] = []
    front = _front_end(lines, headings)
    title = title_of_paper(lines, front.first, text[lines.starts[front.first] :]) if front else title_of_text(lines)
    begin = title[1] if title else 0
    outline = Outline()
    if title:
        marks.append((lines.starts[title[0]], SectionKind.TITLE))
        if front is not None and front.opens == SectionKind.ABSTRACT:
            outline.kind = SectionKind.AUTHORS
        marks.append((lines.starts[begin], outline.kind))
        headings = [heading for heading in headings if heading.first >= begin]
    until = headings[0].first if headings else len(lines)
    marks.extend(_changes(lines, range(begin, until), outline.kind, text))
    for heading, following in zip(headings, [*headings, None][1:], strict=True):
        outline.enter(heading.opens, heading.level)
        marks.append((lines.starts[heading.first], SectionKind.HEADING))
        marks.append((_after_heading(lines, heading, text), outline.kind))
        end = following.first if following else len(lines)
        marks.extend(_changes(lines, range(heading.last + 1, end), outline.kind, text))
    return _sections(text, marks)


def _front_end(lines: Lines, headings: list[LineHeading]) -> LineHeading | None:
    """The heading that ends the front matter: of the abstract, or of the introduction when there is none."""
    near = [heading for heading in headings if lines.starts[heading.first] < _FRONT]
    for kind in (SectionKind.ABSTRACT, SectionKind.METADATA, SectionKind.KEYWORDS, SectionKind.INTRODUCTION):
        for heading in near:
            if heading.opens == kind:
                return heading
    return next((heading for heading in near if heading.number == (1,)), None)


def _without_strays(lines: Lines, headings: list[LineHeading]) -> list[LineHeading]:
    """Headings that stand where they can.

    References are the last ones in the second half of the text, or the first above a list. Inside of them only an
    appendix, acknowledgements or the next number begin. Abstract and keywords stand in front.
    """
    references = None
    for heading in headings:
        if heading.opens == SectionKind.REFERENCES:
            late = 2 * lines.starts[heading.first] > lines.starts[-1]
            listed = lines.after(heading.last)[:1] in {"[", "1"}
            if late or (listed and references is None):
                references = heading
    kept: list[LineHeading] = []
    inside = False
    for heading in headings:
        closes = heading.appendix or heading.opens == SectionKind.ACKNOWLEDGEMENTS
        if references and references.number and heading.number:
            closes = closes or heading.number[0] == references.number[0] + 1
        stray = heading.opens == SectionKind.REFERENCES and heading is not references
        stray = stray or (heading.opens in _IN_FRONT and lines.starts[heading.first] > _FRONT)
        if stray or (inside and not closes):
            continue
        inside = heading is references
        kept.append(heading)
    return kept


def _after_heading(lines: Lines, heading: LineHeading, text: str) -> int:
    if heading.run_in:
        return text.index(lines.texts[heading.first], lines.starts[heading.first]) + heading.run_in
    return lines.starts[heading.last + 1]


def _changes(lines: Lines, section: range, kind: SectionKind, text: str) -> Iterator[Mark]:
    """Changes of kind between two headings: captions, licence notices, and the end of what no heading closes."""
    closed = _close(lines, section, kind)
    skip_to = section.start
    for at in section:
        if at == closed:
            kind = SectionKind.BODY
            yield lines.starts[at], kind
        line = lines.texts[at]
        if at < skip_to or not line or line[0] not in "FTALP":
            continue
        if line.startswith(_NOTICE):
            skip_to, found = _notice_end(lines, at, text), SectionKind.NOTICE
        elif kind != SectionKind.REFERENCES and _is_caption(lines, at):
            skip_to, found = _caption_end(lines, at, section.stop), SectionKind.CAPTION
        else:
            continue
        yield lines.starts[at], found
        yield lines.starts[min(skip_to, section.stop)], kind


def _close(lines: Lines, section: range, kind: SectionKind) -> int | None:
    """Line before which a section ends that should be short; None when the next heading closes it."""
    longest = _LONGEST.get(kind)
    if longest is None:
        return None
    start = lines.starts[section.start]
    is_abstract = kind == SectionKind.ABSTRACT
    if is_abstract and lines.starts[section.stop] - start <= longest and section.stop < len(lines):
        return None
    least = _SHORT_ABSTRACT if is_abstract else 1
    for at in section:
        read = lines.starts[at] - start
        if read >= longest or (not lines.texts[at] and read > least):
            return at
    return None


def _is_caption(lines: Lines, at: int) -> bool:
    match = _CAPTION.match(lines.texts[at])
    if not match:
        return False
    # "... as shown in / Figure 3. The next": a sentence that ends at the number
    return match[1] == ":" or not _MENTIONED.search(lines.before(at))


def _caption_end(lines: Lines, at: int, end: int) -> int:
    """Line after a caption: it goes on while lines are full and run on in lower case or after a loose end."""
    last = at
    while last + 1 < min(end, at + _LONGEST_CAPTION):
        line, following = lines.texts[last], lines.texts[last + 1]
        full = len(line) >= _FULL * lines.width
        if not following or line[-1] in ".!?" or not full or not (following[0].islower() or cut_short(line)):
            break
        last += 1
    return last + 1


def _notice_end(lines: Lines, at: int, text: str) -> int:
    start = lines.starts[at]
    ends = [match.end() for match in _NOTICE_END.finditer(text, start, start + 1_500)]
    last = at
    while ends and last + 1 < len(lines) and lines.starts[last + 1] < ends[-1]:
        last += 1
    while last + 1 < len(lines) and _COPYRIGHT_LINE.search(lines.texts[last + 1][:120]):
        last += 1
    return last + 1


def _sections(text: str, marks: list[Mark]) -> tuple[Section, ...]:
    """Sections between marks, white space trimmed; body is what has none."""
    sections = []
    for (start, kind), (end, _) in zip(marks, [*marks, (len(text), SectionKind.BODY)][1:], strict=True):
        if kind == SectionKind.BODY:
            continue
        stretch = text[start:end]
        trimmed = stretch.strip()
        if trimmed:
            begin = start + len(stretch) - len(stretch.lstrip())
            sections.append(Section(kind, begin, begin + len(trimmed)))
    return tuple(sections)
