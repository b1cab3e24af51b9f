"""Sections of bare text, by ``find_sections``: what ``pdftotext`` leaves of a paper, an abstract, news, an e-mail."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text import front_matter
from keywright.reading.bare_text.asides import find_formalities, find_furniture
from keywright.reading.bare_text.bare_lines import Lines, Mark, find_header, find_mail, is_cut_short, overlay_marks
from keywright.reading.bare_text.line_headings import find_headings
from keywright.reading.blocks import Outline
from keywright.reading.headings import is_section_name, kind_of_heading
from keywright.reading.page_numbers import TEXT

_WORDS: Final = read_patterns("reading/line_wordings.txt")
Stretch = tuple[int, int, SectionKind]  # first character, the one after the last, and the kind of text between

_TAGGED = re.compile(r"^[ \t]*<(title|section|h[1-6])>([^<>\n]{1,300})</\1>[ \t]*$", re.MULTILINE | re.IGNORECASE)
LATEX_SOURCE: Final = re.compile(r"\\(?:begin|section|title|documentclass)\{")
_COMMAND = re.compile(_WORDS["COMMANDS"])
_MARKED_SECTIONS: Final = {"\\begin{abstract}": "Abstract", "\\begin{thebibliography}": "References"}


def find_markup(text: str) -> list[Stretch]:
    """Return, in order, the marks of markup as notices, and the titles and headings inside of them."""
    stretches: list[Stretch] = []
    if "</" in text:
        for match in _TAGGED.finditer(text):
            stretches += _mark_inside(match, is_title=match[1].lower() == "title" and match.start() < TEXT.markup_front)
    elif "\\" in text and LATEX_SOURCE.search(text):
        for match in _COMMAND.finditer(text):
            stretches += (
                _mark_inside(match, is_title=match[1] == "title") if match[2] else [(*match.span(), SectionKind.NOTICE)]
            )
    return stretches


def without_marks(line: str) -> str:
    """Return the words of a line of markup; empty when there are none."""
    if heading := next((heading for mark, heading in _MARKED_SECTIONS.items() if line.startswith(mark)), ""):
        return heading
    match = _TAGGED.fullmatch(line) or _COMMAND.match(line)
    return (match[2] or "").strip() if match and sum(map(str.isalpha, match[2] or "")) >= TEXT.markup_letters else ""


def _mark_inside(match: re.Match[str], *, is_title: bool) -> list[Stretch]:
    start, end = match.span()
    first, last = match.span(2)
    if sum(map(str.isalpha, match[2])) < TEXT.markup_letters:
        return [(start, end, SectionKind.NOTICE)]
    kind = SectionKind.TITLE if is_title else SectionKind.HEADING
    return [(start, first, SectionKind.NOTICE), (first, last, kind), (last, end, SectionKind.NOTICE)]


_FRONT_ENDS: Final = (SectionKind.ABSTRACT, SectionKind.METADATA, SectionKind.KEYWORDS, SectionKind.INTRODUCTION)

_ENDED_BY_LENGTH: Final = frozenset({SectionKind.KEYWORDS, SectionKind.METADATA, SectionKind.ABSTRACT})
_CAPTION = re.compile(_WORDS["CAPTIONS"])
_MENTIONED = re.compile(r"(?:\b(?:in|see|and|of|by|from|to|with|on|the|or|both|cf\.?)|,|\()$", re.IGNORECASE)
_NOTICE = ("Permission to make digital", "Permission to copy without fee")
_NOTICE_END = re.compile(_WORDS["NOTICE_ENDS"])
_COPYRIGHT_LINE = re.compile(r"copyright|©|\bACM\b|\$\d|['’\"‘]\d\d\b|, (?:19|20)\d\d\b", re.IGNORECASE)
_LONGEST_NOTICE: Final = 1_500  # characters in which the end of a licence is looked for: bounds the time
_BEGINNINGS: Final = frozenset("Fig FIG Tab TAB Alg Lis Abb Cua Qua Gra Grá Rys Cha Pla Per".split())
"""First three letters of captions and notices: one look settles nearly all lines."""


def find_sections(text: str, *, is_body: bool = False) -> tuple[Section, ...]:
    """Return the sections of a bare text; ``is_body``: it is the body of a document whose title is elsewhere.

    A text without an abstract or introduction is not taken for a paper: only headings, and a first line that clearly
    is a title, are looked for. The subject of an e-mail is its title, and so is that of a header.
    """
    mail = find_mail(text) or find_header(text)
    if mail:
        return _sections(text, mail.marks(_find_marks(text[mail.begin : mail.end], is_body=True)))
    return _sections(text, _find_marks(text, is_body=is_body))


def _find_marks(text: str, *, is_body: bool) -> list[Mark]:
    """Return where the kind of text changes, in a text that is not an e-mail."""
    markup = find_markup(text)
    printed = Lines.from_text(text)
    if markup:
        begun = {bisect_right(printed.starts, start) - 1 for start, _, _ in markup}
        lined = {at for at in begun if printed.texts[at][0] in "<\\"}
        printed = printed.changed({at: without_marks(printed.texts[at]) for at in lined})
    furniture = find_furniture(printed)
    lines = printed.changed(dict.fromkeys(furniture, ""))
    headings = find_headings(lines)
    # A paper's front matter ends at the heading of the abstract, or of what comes next without one.
    near = [heading for heading in headings if lines.starts[heading.first] < TEXT.front]
    opening = (heading for kind in _FRONT_ENDS for heading in near if heading.opens == kind)
    numbered = (
        heading for heading in near if heading.number == (1,) and front_matter.names_are_above(lines, heading.first)
    )
    front_end = next(chain(opening, numbered), None)
    titled = any(kind == SectionKind.TITLE for _, _, kind in markup)
    title = (
        None if titled else front_matter.find_title(printed, front_end.first if front_end else None, is_body=is_body)
    )
    outline = Outline()
    marks: list[Mark] = []
    begin = 0
    if title and not (title.first in furniture and title.first in find_formalities(printed)):
        begin = title.end
        furniture = [at for at in furniture if not title.first <= at < begin]
        if title.of_paper:
            furniture = sorted({*furniture, *front_matter.find_above_title(printed, title.first)})
        headings = [heading for heading in headings if heading.first >= begin]
        if front_end:  # lines in capitals in front are about the authors
            at = headings.index(front_end)
            headings = [heading for heading in headings[:at] if heading.opens] + headings[at:]
        marks += (lines.starts[title.first], SectionKind.TITLE), (lines.starts[begin], outline.kind)
        if front_end:
            marks += front_matter.mark_below_title(lines, begin, headings[0].first, front_end.opens)
        elif title.of_paper:
            marks += front_matter.mark_authors(lines, begin, headings[0].first if headings else len(lines))
    ends = [*(heading.first for heading in headings), len(lines)]
    marks += _mark_changes(lines, range(begin, ends[0]), outline.kind)
    for heading, end in zip(headings, ends[1:], strict=True):
        outline.enter(heading.opens, heading.level)
        start, after = lines.starts[heading.first], lines.starts[heading.last + 1]
        if heading.run_in:
            after = lines.text.index(lines.texts[heading.first], start) + heading.run_in
        marks += (start, SectionKind.HEADING), (after, outline.kind)
        marks += _mark_changes(lines, range(heading.last + 1, end), outline.kind)
    marks.sort(key=itemgetter(0))  # captions between the names of a paper's front
    marks = overlay_marks(marks, [(lines.starts[at], lines.starts[at + 1], SectionKind.NOTICE) for at in furniture])
    return overlay_marks(marks, markup) if markup else marks


def _sections(text: str, marks: list[Mark]) -> tuple[Section, ...]:
    """Return the stretches between marks without white space around them; body has no section."""
    sections = []
    for (start, kind), (end, _) in zip(marks, [*marks, (len(text), SectionKind.BODY)][1:], strict=True):
        if kind == SectionKind.BODY:
            continue
        stretch = text[start:end].lstrip()
        trimmed = stretch.rstrip()
        if trimmed:
            begin = end - len(stretch)
            sections.append(Section(kind, begin, begin + len(trimmed)))
    return tuple(sections)


def _mark_changes(lines: Lines, section: range, kind: SectionKind) -> Iterator[Mark]:
    """Yield changes of kind between two headings: captions, licences, and the end of a section that none closes."""
    closed = _find_close(lines, section, kind)
    skip_to = section.start
    for at in section:
        if at == closed:
            kind = SectionKind.BODY
            yield lines.starts[at], kind
        line = lines.texts[at]
        if line[:3] not in _BEGINNINGS or at < skip_to:
            continue
        if line.startswith(_NOTICE):
            skip_to, inserted = _notice_end(lines, at), SectionKind.NOTICE
        elif kind != SectionKind.REFERENCES and _is_caption(lines, at):
            skip_to, inserted = _caption_end(lines, at, section.stop), SectionKind.CAPTION
        else:
            continue
        yield lines.starts[at], inserted
        yield lines.starts[min(skip_to, section.stop)], kind


def _find_close(lines: Lines, section: range, kind: SectionKind) -> int | None:
    """Return the line before which a section ends that should be short; None when the next heading closes it."""
    if kind not in _ENDED_BY_LENGTH:
        return None
    longest = getattr(TEXT, f"longest_{kind.value}")
    start = lines.starts[section.start]
    is_abstract = kind == SectionKind.ABSTRACT
    if is_abstract and lines.starts[section.stop] - start <= longest and section.stop < len(lines):
        return None
    shortest = TEXT.short_abstract if is_abstract else 1
    for at in section:
        length = lines.starts[at] - start
        if length >= longest or (not lines.texts[at] and length > shortest):
            return at
        if kind == SectionKind.KEYWORDS and _ends_list(lines.texts[at - 1], lines.texts[at]):
            return at
    return None


def _ends_list(line: str, following: str) -> bool:
    """Return whether a list of keywords ends with a line: with a full stop, or above a heading."""
    if line[-1:] in {"", ",", ";", "-"} or kind_of_heading(line):
        return False
    capitals = len(following) > TEXT.heading_below_keywords and following.isupper()
    return line[-1] == "." or capitals or is_section_name(following)


def _is_caption(lines: Lines, at: int) -> bool:
    match = _CAPTION.match(lines.texts[at])
    if not match:
        return False
    if match[1] is None:  # "Figure 3 Growth of": only at the start of a paragraph
        return not lines.before(at)
    # "... as shown in / Figure 3. The next": a sentence that ends at the number
    return match[1] != "." or not _MENTIONED.search(lines.before(at))


def _caption_end(lines: Lines, at: int, end: int) -> int:
    """Return the line after a caption, which continues while lines are full and go on in lower case or a loose end."""
    last = at
    while last + 1 < min(end, at + TEXT.caption_lines):
        line, following = lines.texts[last], lines.texts[last + 1]
        full = len(line) >= TEXT.full * lines.width
        if not following or line[-1] in ".!?" or not full or not (following[0].islower() or is_cut_short(line)):
            break
        last += 1
    return last + 1


def _notice_end(lines: Lines, at: int) -> int:
    start = lines.starts[at]
    ends = [match.end() for match in _NOTICE_END.finditer(lines.text, start, start + _LONGEST_NOTICE)]
    last = at
    while ends and last + 1 < len(lines) and lines.starts[last + 1] < ends[-1]:
        last += 1
    while last + 1 < len(lines) and _COPYRIGHT_LINE.search(lines.texts[last + 1]):
        last += 1
    return last + 1
