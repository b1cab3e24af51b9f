"""From pieces of lines on pages to paragraphs in reading order: the steps of this room, one after the other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from keywright.reading.layout.columns import (
    divide_page,
    divides_lines,
    find_common_gutters,
    find_gutters,
    find_line_numbers,
    join_touching,
)
from keywright.reading.layout.debris import classify_lines, find_running
from keywright.reading.layout.flow import join_broken
from keywright.reading.layout.front import find_front_lines, find_title_lines, mark_front_matter
from keywright.reading.layout.glyphs import PageText
from keywright.reading.layout.lines import Line, Paragraph, Region, measure_setting, measure_text_size
from keywright.reading.layout.paragraphs import assign_levels, split_paragraphs


def read_layout(pages: Sequence[PageText], declared_title: str) -> tuple[list[Paragraph], Counter[str]]:
    """Return paragraphs in reading order, and the number of lines left out by kind.

    ``pages``: text of each page; ``declared_title``: title in the file's metadata; may be empty.
    """
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
        text += [_without_debris(region, size, page, front, left_out) for region in page_regions]
    paragraphs = mark_front_matter(assign_levels(list(split_paragraphs(text, measure_setting(text, size)))), title)
    return join_broken(_by_region(paragraphs, text)), left_out


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


def _without_debris(region: Region, size: float, page: PageText, front: set[Line], left_out: Counter[str]) -> Region:
    """Return a region without tables, formulas and the like; lines of front matter stay."""
    lines = []
    for line, kind in zip(region.lines, classify_lines(region, size, page.figures), strict=True):
        if kind is None or line in front:
            lines.append(line)
        else:
            left_out[kind] += 1
    return replace(region, lines=tuple(lines))


def _by_region(paragraphs: Sequence[Paragraph], text: Sequence[Region]) -> list[list[Paragraph]]:
    """Return paragraphs by the region of their first line."""
    home = {id(line): number for number, region in enumerate(text) for line in region.lines}
    groups: list[list[Paragraph]] = [[] for _ in text]
    for paragraph in paragraphs:
        groups[home[id(paragraph.lines[0])]].append(paragraph)
    return groups
