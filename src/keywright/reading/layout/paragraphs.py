"""Lines in reading order to paragraphs: headings and their levels, captions, footnotes, references, running text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from keywright.core.documents import SectionKind
from keywright.reading.headings import kind_of_heading
from keywright.reading.layout.lines import CAPTION, Line, Paragraph, Region, Setting, round_to_half_points
from keywright.reading.page_numbers import PRINT

NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}(?=\.)|[A-Z](?=\.)|[A-Z]\.\d{1,2})\.?\s+\S")


def is_heading(line: Line, region: Region, style: Setting, *, free: bool) -> bool:
    """Return whether a line is a heading: large, bold, known, numbered, or ``free`` in capitals or italics."""
    text = line.text
    if len(text.split()) > PRINT.heading_words or not line.words or text[-1] in ",;-" or "@" in text:
        return False
    numbered = bool(NUMBERED.match(text))
    of_known_kind = kind_of_heading(text) is not None
    sentence = text.endswith(".")
    if line.size > PRINT.large_type * style.size and line.size - style.size > PRINT.larger:
        return not sentence and (
            line.bold or line.size > PRINT.very_large_type * style.size or numbered or of_known_kind
        )
    if not free or line.size < PRINT.small_type * style.size:
        return of_known_kind and free and line.bold
    short = line.width < PRINT.not_full * region.width
    if line.bold:
        return (short or numbered) and (of_known_kind or not sentence)
    capitals = text.upper() == text
    if of_known_kind:
        return line.width < PRINT.half_full * region.width and (capitals or text[0].isupper() or numbered)
    return numbered and short and (capitals or line.italic) and not sentence


def assign_levels(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Give headings their levels: the depth of the number, else that of numbered ones set alike, else by size."""
    headings = [paragraph for paragraph in paragraphs if paragraph.kind == "heading"]
    by_look: dict[tuple[float, bool], int] = {}
    for heading in headings:
        if depth := _depth(heading):
            by_look[_look(heading)] = min(by_look.get(_look(heading), depth), depth)
    sizes = sorted({_look(heading)[0] for heading in headings}, reverse=True)
    levels = {
        id(heading): _depth(heading) or by_look.get(look, 1 + sizes.index(look[0]))
        for heading, look in zip(headings, map(_look, headings), strict=True)
    }
    return [replace(each, level=levels[id(each)]) if id(each) in levels else each for each in paragraphs]


def _depth(heading: Paragraph) -> int:
    numbered = NUMBERED.match(heading.text)
    return numbered["number"].count(".") + 1 if numbered else 0


def _look(heading: Paragraph) -> tuple[float, bool]:
    return round_to_half_points(heading.lines[0].size), heading.lines[0].bold


_ITEM = re.compile(r"[•◦▪‣●○■]|[—–*-]\s?[A-Za-z]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s")
_REFERENCE = re.compile(r"\[\w[\w+, -]{0,12}\]|\d{1,3}\.\s|\(\d{1,3}\)\s")
_LABEL_NUMBER = re.compile(r"[\[(]?(\d{1,3})[.\])]")
_FOOTNOTE = re.compile(r"\d{1,2}\s?[A-Z“\"'‘(hw]|[*∗†‡§¶#]")
_ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*(?:\s?\d{1,2}|\s?\[[\d, –-]+\])?$")


class _ReferenceStyle(NamedTuple):
    """How the references of a region are set: the left edge of their labels, or None; whether lines hang."""

    labels: float | None
    hanging: bool


def ends_sentence(text: str) -> bool:
    """Return whether a text ends as sentences do; a note's number or a citation after the full stop is ignored."""
    return bool(_ENDS.search(text))


def opens_references(heading: Paragraph) -> bool:
    """Return whether a heading opens a list of references."""
    return kind_of_heading(heading.text) == SectionKind.REFERENCES


def split_paragraphs(regions: Sequence[Region], style: Setting) -> Iterator[Paragraph]:
    """Yield the paragraphs of all regions; a list of references may reach over several of them."""
    references = False
    for region in regions:
        for paragraph in paragraphs_of(region, style, references=references):
            if paragraph.kind == "heading":
                references = opens_references(paragraph)
            yield paragraph


def paragraphs_of(region: Region, style: Setting, *, references: bool = False) -> list[Paragraph]:
    """Return the paragraphs of one region, in order; ``references``: it begins inside a list of references."""
    body, notes = _without_footnotes(region, style)
    references = references or any(kind_of_heading(line.text) == SectionKind.REFERENCES for line in region.lines)
    listed = _reference_style(region) if references else None
    result: list[Paragraph] = []
    for place, line in enumerate(body):
        before = body[place - 1] if place else None
        last = result[-1] if result else None
        kind = _kind(line, before, region, style)
        if last is not None and _continues(last, line, region, style, kind, listed if references else None):
            result[-1] = replace(last, lines=(*last.lines, line))
        else:
            if last is not None and last.kind == "heading":
                references = opens_references(last)
            result.append(Paragraph(kind, (line,), right=region.right))
    for line in notes:
        if result and result[-1].kind == "footnote" and not _FOOTNOTE.match(line.text):
            result[-1] = replace(result[-1], lines=(*result[-1].lines, line))
        else:
            result.append(Paragraph("footnote", (line,)))
    # A heading of too many lines is text in large or bold type.
    long = [each.kind == "heading" and len(each.lines) > PRINT.heading_lines for each in result]
    return [replace(each, kind="body") if is_text else each for each, is_text in zip(result, long, strict=True)]


def _kind(line: Line, before: Line | None, region: Region, style: Setting) -> str:
    ended = before is None or _are_apart(before, line, style) or ends_sentence(before.text)
    free = before is None or ended or _has_room(before, line, region)
    if CAPTION.match(line.text):
        return "caption" if free else "body"
    return "heading" if is_heading(line, region, style, free=free) else "body"


def _continues(
    last: Paragraph, line: Line, region: Region, style: Setting, kind: str, listed: _ReferenceStyle | None
) -> bool:
    before = last.lines[-1]
    alike = abs(before.size - line.size) < PRINT.alike * style.size + PRINT.alike_points
    if last.kind == "heading":
        same_type = kind == "heading" and alike and before.bold == line.bold
        # The first line of a heading that goes on is full, and the second has no number of its own.
        near = line.middle - before.middle < PRINT.heading_pitch * max(line.size, style.size)
        full = before.width > PRINT.half_full * region.width
        return same_type and near and full and not NUMBERED.match(line.text)
    if kind != "body" or not alike or _are_apart(before, line, style):
        return False
    if last.kind == "caption":
        return True
    return not (_new_paragraph(last, line, region) if listed is None else _new_reference(last, line, region, listed))


def _are_apart(before: Line, line: Line, style: Setting) -> bool:
    usual = style.pitch * max(min(before.size, line.size), PRINT.smallest_type * style.size)
    return line.middle - before.middle > PRINT.apart * usual or line.middle < before.middle - style.size


def _has_room(before: Line, line: Line, region: Region) -> bool:
    """Return whether the first word of a line would have found room at the end of the line before."""
    letter = line.width / max(len(line.text), 1)
    first = len(line.text.split(" ", 1)[0])
    return before.right + (first + PRINT.word_room) * letter < region.right - PRINT.rough_edge * line.size


def _new_paragraph(last: Paragraph, line: Line, region: Region) -> bool:
    """Return whether a line of running text begins a paragraph, by item signs, indents and short last lines."""
    before = last.lines[-1]
    ended = ends_sentence(before.text)
    short = _has_room(before, line, region)
    if _ITEM.match(line.text) and (ended or short or before.text.endswith(",")):
        return True
    is_first = before is last.lines[0]
    if line.left > before.left + PRINT.indent * line.size and not (is_first and _ITEM.match(before.text)):
        return ended or short
    if line.left < before.left - PRINT.indent * line.size and not is_first:
        return ended
    return ended and short


def _reference_style(region: Region) -> _ReferenceStyle:
    labels = [line.left for line in region.lines if _REFERENCE.match(line.text)]
    indented = sum(line.left > region.left + PRINT.rough_edge * line.size for line in region.lines)
    return _ReferenceStyle(
        min(labels) if len(labels) > 1 else None, hanging=indented > PRINT.hanging * len(region.lines)
    )


def _new_reference(last: Paragraph, line: Line, region: Region, style: _ReferenceStyle) -> bool:
    """Return whether a line begins a reference: at its label, or at the left edge where further lines are indented."""
    first = last.lines[0]
    if style.labels is not None or _REFERENCE.match(first.text):
        edge = region.left if style.labels is None else style.labels
        return line.left < edge + PRINT.label_edge * line.size and _next_label(first.text, line.text)
    if style.hanging:
        return line.left < region.left + PRINT.rough_edge * line.size
    return _new_paragraph(last, line, region)


def _next_label(before: str, text: str) -> bool:
    """Return whether a text begins with the next label: "35." may be the end of the reference "... 10: 35."."""
    if not _REFERENCE.match(text):
        return False
    number, last = _LABEL_NUMBER.match(text), _LABEL_NUMBER.match(before)
    return number is None or last is None or int(number[1]) == int(last[1]) + 1


def _without_footnotes(region: Region, style: Setting) -> tuple[Sequence[Line], Sequence[Line]]:
    """Return the lines above and of the footnotes: small type under larger, from the first that begins with a mark."""
    lines = region.lines
    start = len(lines)
    while start and lines[start - 1].size <= PRINT.small_type * style.size:
        start -= 1
    for place in range(start, len(lines)) if start else ():
        if _FOOTNOTE.match(lines[place].text) and not CAPTION.match(lines[place].text):
            return lines[:place], lines[place:]
    return lines, ()
