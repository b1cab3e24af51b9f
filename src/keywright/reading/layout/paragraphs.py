"""Lines in reading order to paragraphs: headings, captions, footnotes and running text told apart. Pure functions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.headings import kind_of_heading
from keywright.reading.layout.columns import Region
from keywright.reading.layout.lines import CAPTION, Line

LONGEST_HEADING: Final = 16
"""Words of a heading's line; longer ones are text."""

HEADING_LINES: Final = 3
"""Lines of one heading; more in large or bold type are a paragraph."""

LARGER: Final = 0.6
"""Points by which a heading is larger than text, at least, to be one by its size."""

FOOTNOTE: Final = 0.93
"""Largest type of footnotes, as a share of the text's size."""

NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}(?=\.)|[A-Z](?=\.)|[A-Z]\.\d{1,2})\.?\s+\S")
_ITEM = re.compile(r"[•◦▪‣●○■]|[—–*-]\s?[A-Za-z]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s")
_REFERENCE = re.compile(r"\[\w[\w+, -]{0,12}\]|\d{1,3}\.\s|\(\d{1,3}\)\s")
_LABEL_NUMBER = re.compile(r"[\[(]?(\d{1,3})[.\])]")
_FOOTNOTE = re.compile(r"\d{1,2}\s?[A-Z“\"'‘(hw]|[*∗†‡§¶#]")
_ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*(?:\s?\d{1,2}|\s?\[[\d, –-]+\])?$")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together.

    Attributes:
        kind: ``body``, ``heading``, ``caption``, ``footnote``, later the value of a ``SectionKind``.
        lines: at least one.
        level: of a heading; 1 is the outermost.
        right: right edge of its column.
    """

    kind: str
    lines: tuple[Line, ...]
    level: int = 1
    right: float = 0.0

    @property
    def text(self) -> str:
        """The lines with blanks between them, breaks of words not yet undone."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Setting:
    """How a document's text is set: size of type, and distance of lines as a multiple of it."""

    size: float
    pitch: float = 1.2


def setting(regions: Iterable[Region], size: float) -> Setting:
    """The setting of text of a given size; 1.2 for its pitch when no two lines stand under each other."""
    steps = sorted(
        (after.middle - line.middle) / size
        for region in regions
        for line, after in zip(region.lines, region.lines[1:], strict=False)
        if abs(line.size - size) < 1 and abs(after.size - size) < 1 and after.page == line.page
        if 0.5 * size < after.middle - line.middle < 3 * size
    )
    return Setting(size, steps[len(steps) // 2]) if steps else Setting(size)


def ends_sentence(text: str) -> bool:
    """Whether a text ends as sentences do; a note's number or a citation after the full stop does not matter."""
    return bool(_ENDS.search(text))


def paragraphs(region: Region, style: Setting, *, references: bool = False) -> list[Paragraph]:
    """Paragraphs of one region, in order; a region without lines has none.

    Args:
        region: lines of one column, debris taken out.
        style: how the document's text is set.
        references: whether the region begins inside of a list of references.
    """
    notes = _footnotes(region, style)
    listed = _listed(region) if references or _has_references(region) else None
    found: list[Paragraph] = []
    body = region.lines[: len(region.lines) - notes]
    for place, line in enumerate(body):
        before = body[place - 1] if place else None
        last = found[-1] if found else None
        kind = _kind(line, before, region, style)
        if (
            last is not None
            and before is not None
            and _goes_on(last, line, region, style, kind, listed if references else None)
        ):
            found[-1] = replace(last, lines=(*last.lines, line))
        else:
            if last is not None and last.kind == "heading":
                references = kind_of_heading(last.text) == SectionKind.REFERENCES
            found.append(Paragraph(kind, (line,), right=region.right))
    for line in region.lines[len(region.lines) - notes :]:
        if found and found[-1].kind == "footnote" and not _FOOTNOTE.match(line.text):
            found[-1] = replace(found[-1], lines=(*found[-1].lines, line))
        else:
            found.append(Paragraph("footnote", (line,)))
    return [_checked(paragraph) for paragraph in found]


def _checked(paragraph: Paragraph) -> Paragraph:
    """A heading of too many lines is text in large or bold type."""
    long = paragraph.kind == "heading" and len(paragraph.lines) > HEADING_LINES
    return replace(paragraph, kind="body") if long else paragraph


def _kind(line: Line, before: Line | None, region: Region, style: Setting) -> str:
    """What a line would be if a paragraph began with it."""
    free = before is None or _apart(before, line, style) or ends_sentence(before.text) or _short(before, line, region)
    if CAPTION.match(line.text):
        return "caption" if free else "body"
    return "heading" if _heading(line, region, style, free=free) else "body"


def _heading(line: Line, region: Region, style: Setting, *, free: bool) -> bool:
    """Large type; bold type standing free; a known or numbered heading in capitals or italics standing free."""
    text = line.text
    if len(text.split()) > LONGEST_HEADING or not line.words or text[-1] in ",;-" or "@" in text:
        return False
    numbered = NUMBERED.match(text)
    known = kind_of_heading(text) is not None
    if line.size > 1.07 * style.size and line.size - style.size > LARGER:
        return bool(line.bold or line.size > 1.15 * style.size or numbered or known) and not text.endswith(".")
    if not free or line.size < 0.93 * style.size:
        return known and free and line.bold
    short = line.width < 0.9 * (region.right - region.left)
    if line.bold:
        return (short or bool(numbered)) and (known or not text.endswith("."))
    upper = text.upper() == text
    if known:
        return line.width < 0.6 * (region.right - region.left) and (upper or text[0].isupper() or bool(numbered))
    return bool(numbered) and short and (upper or line.italic) and not text.endswith(".")


def _goes_on(last: Paragraph, line: Line, region: Region, style: Setting, kind: str, listed: "_Listed | None") -> bool:
    """Whether a line belongs to the paragraph above it."""
    before = last.lines[-1]
    alike = abs(before.size - line.size) < 0.08 * style.size + 0.3
    if last.kind == "heading":
        return (
            kind == "heading" and alike and before.bold == line.bold and _heading_goes_on(before, line, region, style)
        )
    if kind != "body" or not alike or _apart(before, line, style):
        return False
    if last.kind == "caption":
        return True
    if listed is not None:
        return not _new_reference(last, line, region, listed)
    return not _new_paragraph(last, line, region)


def _heading_goes_on(before: Line, line: Line, region: Region, style: Setting) -> bool:
    """A second line of a heading: the first was full, the second has no number of its own."""
    full = before.width > 0.6 * (region.right - region.left)
    return full and not NUMBERED.match(line.text) and line.middle - before.middle < 1.7 * max(line.size, style.size)


def _apart(before: Line, line: Line, style: Setting) -> bool:
    """Whether more than the usual space stands between two lines."""
    usual = style.pitch * max(min(before.size, line.size), 0.7 * style.size)
    return line.middle - before.middle > 1.3 * usual or line.middle < before.middle - style.size


def _short(before: Line, line: Line, region: Region) -> bool:
    """Whether the first word of a line would have found room at the end of the line before."""
    letter = line.width / max(len(line.text), 1)
    first = len(line.text.split(" ", 1)[0])
    return before.right + (first + 2) * letter < region.right - 0.5 * line.size


def _new_paragraph(last: Paragraph, line: Line, region: Region) -> bool:
    before = last.lines[-1]
    over = ends_sentence(before.text)
    short = _short(before, line, region)
    if _ITEM.match(line.text) and (over or short or before.text.endswith(",")):
        return True
    item = bool(_ITEM.match(before.text)) and before is last.lines[0]
    if line.left > before.left + 0.7 * line.size and not item:
        return over or short
    if line.left < before.left - 0.7 * line.size and before is not last.lines[0]:
        return over
    return over and short


@dataclass(frozen=True, slots=True)
class _Listed:
    """How the references of a region are set: the left edge of their labels, or None; whether lines hang."""

    labels: float | None
    hanging: bool


def _has_references(region: Region) -> bool:
    return any(kind_of_heading(line.text) == SectionKind.REFERENCES for line in region.lines)


def _listed(region: Region) -> _Listed:
    labels = [line.left for line in region.lines if _REFERENCE.match(line.text)]
    indented = sum(line.left > region.left + 0.5 * line.size for line in region.lines)
    return _Listed(min(labels) if len(labels) > 1 else None, hanging=indented > 0.2 * len(region.lines))


def _new_reference(last: Paragraph, line: Line, region: Region, listed: _Listed) -> bool:
    """Labelled references begin at their labels, others at the left edge, their further lines being indented."""
    first = last.lines[0]
    if listed.labels is not None or _REFERENCE.match(first.text):
        edge = region.left if listed.labels is None else listed.labels
        return line.left < edge + 2 * line.size and _next_label(first.text, line.text)
    if listed.hanging:
        return line.left < region.left + 0.5 * line.size
    return _new_paragraph(last, line, region)


def _next_label(before: str, text: str) -> bool:
    """Whether a text begins with a label; of numbers only the one that follows: "35." may be the rest of "10: 35."."""
    if not _REFERENCE.match(text):
        return False
    number, last = _LABEL_NUMBER.match(text), _LABEL_NUMBER.match(before)
    return number is None or last is None or int(number[1]) == int(last[1]) + 1


def _footnotes(region: Region, style: Setting) -> int:
    """Lines of footnotes at the foot of a region: small type under larger, from the first that begins with a mark."""
    count = 0
    for line in reversed(region.lines):
        if line.size > FOOTNOTE * style.size:
            break
        count += 1
    lines = region.lines[len(region.lines) - count :]
    if count == len(region.lines):
        return 0
    for place, line in enumerate(lines):
        if _FOOTNOTE.match(line.text) and not CAPTION.match(line.text):
            return count - place
    return 0


def levels(found: Sequence[Paragraph]) -> list[Paragraph]:
    """Headings with their levels: the depth of their number, else that of numbered ones set alike, else by size."""
    depths: dict[tuple[float, bool], int] = {}
    headings = [paragraph for paragraph in found if paragraph.kind == "heading"]
    for heading in headings:
        numbered = NUMBERED.match(heading.text)
        if numbered:
            look = _look(heading)
            depth = numbered["number"].count(".") + 1
            depths[look] = min(depths.get(look, depth), depth)
    sizes = sorted({_look(heading)[0] for heading in headings}, reverse=True)
    marked = []
    for paragraph in found:
        level = paragraph.level
        if paragraph.kind == "heading":
            numbered = NUMBERED.match(paragraph.text)
            rank = 1 + sizes.index(_look(paragraph)[0])
            depth = numbered["number"].count(".") + 1 if numbered else 0
            level = depth or depths.get(_look(paragraph), rank)
        marked.append(replace(paragraph, level=level))
    return marked


def _look(paragraph: Paragraph) -> tuple[float, bool]:
    return round(paragraph.lines[0].size * 2) / 2, paragraph.lines[0].bold
