"""From pieces of lines on pages to paragraphs in reading order, with title, authors and abstract of a paper."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from keywright.core.documents import SectionKind
from keywright.reading.headings import is_prose, kind_of_heading, run_in_heading
from keywright.reading.layout.columns import divide_page, divides_lines, find_common_gutters, find_gutters
from keywright.reading.layout.debris import classify_lines, find_running, is_inside
from keywright.reading.layout.flow import join_broken
from keywright.reading.layout.glyphs import PageText
from keywright.reading.layout.lines import (
    Box,
    Line,
    Paragraph,
    Region,
    find_line_numbers,
    join_touching,
    measure_setting,
    measure_text_size,
)
from keywright.reading.layout.paragraphs import assign_levels, split_paragraphs
from keywright.reading.page_numbers import PRINT

_FIRST = re.compile(r"(?:[01]|I)[.:]?\s+\S")  # a first section's number; "A. Author" is none
_LETTERS = re.compile(r"[^\W\d_]+")


def read_layout(pages: Sequence[PageText], declared_title: str) -> tuple[list[Paragraph], Counter[str]]:
    """Return paragraphs of pages in reading order, and the number of lines left out by kind."""
    left_out: Counter[str] = Counter()
    lines = _without_margins(pages, left_out)
    size = measure_text_size(line for page in lines for line in page)
    columns = _columns(lines)
    first = next((number for number, page in enumerate(columns) if page), 0)
    first_lines = [line for region in columns[first] for line in region.lines]
    title = find_title_lines(first_lines, size, pages[first].height, declared_title)
    text: list[Region] = []
    for number, (page, page_regions) in enumerate(zip(pages, columns, strict=True)):
        front = find_front_lines(page_regions, title) if number == first else set()
        figures = _find_figures(page_regions, page.figures)
        text += [_without_debris(region, size, figures, front, left_out) for region in page_regions]
    paragraphs = mark_front_matter(assign_levels(list(split_paragraphs(text, measure_setting(text, size)))), title)
    home = {id(line): number for number, region in enumerate(text) for line in region.lines}
    groups: list[list[Paragraph]] = [[] for _ in text]
    for paragraph in paragraphs:
        groups[home[id(paragraph.lines[0])]].append(paragraph)
    return join_broken(groups, [region.is_float for region in text]), left_out


def _without_margins(pages: Sequence[PageText], left_out: Counter[str]) -> list[list[Line]]:
    """Return the lines of each page without running heads, page numbers and numbers of lines."""
    pieces = [join_touching(page.pieces) for page in pages]
    result = []
    for page, heads in zip(pieces, find_running(pieces, [page.height for page in pages]), strict=True):
        numbers = find_line_numbers(page) - heads
        result.append([piece for place, piece in enumerate(page) if place not in heads | numbers])
        left_out["running"] += len(heads)
        left_out["numbers"] += len(numbers)
    return result


def _columns(pages: Sequence[Sequence[Line]]) -> list[tuple[Region, ...]]:
    """Return regions of each page in reading order; a sparse page has the columns of the others when they fit it."""
    by_page = [find_gutters(page) for page in pages]
    usual = find_common_gutters(by_page)
    result = []
    for page, page_gutters in zip(pages, by_page, strict=True):
        sparse = usual and len(page_gutters) != len(usual) and all(divides_lines(page, gutter) for gutter in usual)
        result.append(divide_page(page, usual if sparse else page_gutters))
    return result


def _find_figures(regions: Sequence[Region], figures: Sequence[Box]) -> list[Box]:
    """Return figures but for those in which most lines are running text, such as pages put into a page."""
    lines = [(line, len(line.words) >= PRINT.label_words) for region in regions for line in region.lines]
    inside = [[is_text for line, is_text in lines if is_inside(line, figure)] for figure in figures]
    return [
        figure
        for figure, texts in zip(figures, inside, strict=True)
        if sum(texts) < PRINT.fewest_lines or 2 * sum(texts) <= len(texts)
    ]


def _without_debris(
    region: Region, size: float, figures: Sequence[Box], front: set[Line], left_out: Counter[str]
) -> Region:
    """Return a region without tables, formulas and the like; lines of front matter stay."""
    lines = []
    for line, kind in zip(region.lines, classify_lines(region, size, figures), strict=True):
        if kind is None or line in front:
            lines.append(line)
        else:
            left_out[kind] += 1
    return replace(region, lines=tuple(lines))


def find_title_lines(lines: Sequence[Line], size: float, height: float, declared: str = "") -> tuple[Line, ...]:
    """Return the title's lines of the first page: set larger than text, or with the letters ``declared``."""
    upper = [line for line in lines if line.middle < PRINT.title_height * height]
    wanted = _letters(declared)
    for first in range(len(upper)) if len(wanted) >= PRINT.declared_letters else ():
        letters = ""
        for last in range(first, min(first + PRINT.declared_lines, len(upper))):
            letters += _letters(upper[last].text)
            if letters == wanted:
                return tuple(upper[first : last + 1])
    large = [line for line in upper if line.size > PRINT.title_size * size]
    large = [line for line in large if len("".join(line.words)) >= PRINT.title_letters]
    if not large:
        return ()
    largest = max(line.size for line in large)
    start = next(place for place, line in enumerate(upper) if line in large and line.size > PRINT.largest * largest)
    end = start + 1
    while end < len(upper) and upper[end].size > PRINT.nearly_largest * largest:
        end += 1
    return tuple(upper[start:end])


def _letters(text: str) -> str:
    return "".join(_LETTERS.findall(text.casefold()))


def find_front_lines(page: Sequence[Region], title: Sequence[Line]) -> set[Line]:
    """Return lines from the title to the first known heading: names in columns there are not a table."""
    front: set[Line] = set(title)
    started = not title
    for line in (line for region in page for line in region.lines):
        started = started or line in front
        opens_section = kind_of_heading(line.text) not in {None, SectionKind.AUTHORS} or run_in_heading(line.text)
        if started and opens_section:
            return front
        if started:
            front.add(line)
    return set(title)


def mark_front_matter(paragraphs: Sequence[Paragraph], title: Sequence[Line]) -> list[Paragraph]:
    """Return paragraphs, those above the first section as title, abstract (running prose) or about the authors."""
    marked = _with_title(paragraphs, set(title))
    start = next((place for place, paragraph in enumerate(marked) if paragraph.kind == SectionKind.TITLE), None)
    if start is None:
        return marked
    for place in range(start + 1, _first_section(marked, start + 1)):
        paragraph = marked[place]
        if paragraph.kind in {"heading", "body", "footnote"}:
            kind = SectionKind.ABSTRACT if is_prose(paragraph.text) else SectionKind.AUTHORS
            marked[place] = replace(paragraph, kind=kind)
    return marked


def _with_title(paragraphs: Sequence[Paragraph], title: set[Line]) -> list[Paragraph]:
    """Return paragraphs with the lines of the title as one paragraph, if no other is between them."""
    marked: list[Paragraph] = []
    for paragraph in paragraphs:
        inside = tuple(line for line in paragraph.lines if line in title)
        if not inside:
            marked.append(paragraph)
            continue
        if marked and marked[-1].kind == SectionKind.TITLE:
            marked[-1] = replace(marked[-1], lines=marked[-1].lines + inside)
        else:
            marked.append(replace(paragraph, kind=SectionKind.TITLE, lines=inside))
        if rest := tuple(line for line in paragraph.lines if line not in title):
            marked.append(replace(paragraph, kind="body", lines=rest))
    return marked


def _first_section(paragraphs: Sequence[Paragraph], start: int) -> int:
    """Return the place of the first known heading, number 1, run-in abstract or prose above it, else ``start``."""
    prose_at = None
    for place in range(start, len(paragraphs)):
        paragraph = paragraphs[place]
        if run_in_heading(paragraph.lines[0].text):
            return place
        if paragraph.kind == "heading":
            ordinary = kind_of_heading(paragraph.text) in {None, SectionKind.AUTHORS}
            if not ordinary or _FIRST.match(paragraph.text) or prose_at is not None:
                return place
        if paragraph.kind == "body" and is_prose(paragraph.text):
            if prose_at is not None:
                return prose_at
            if paragraph.lines[0].page > paragraphs[start - 1].lines[0].page:
                return place
            prose_at = place
    return start if prose_at is None else prose_at
