"""Documents of parts in HTML and in other XML, divided into headings and blocks as browsers divide pages."""

import re
from collections.abc import Iterable, Iterator, Mapping
from html.entities import html5
from typing import Any, Final

from keywright.core.citations import make_citation, split_authors
from keywright.core.documents import Document, SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.bare_lines import Lines
from keywright.reading.bare_text.front_matter import find_title
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.formats.html_blocks import find_blocks, remove_unseen
from keywright.reading.formats.xml import Element, count_text, local_name, remove_element
from keywright.reading.headings import kind_of_heading, split_keywords
from keywright.reading.limits import Limits


def parse_part(text: str, left: LeftOut) -> Element:
    """Return the root of a text in HTML that is a part of a document, without elements that are not shown."""
    from lxml import html  # noqa: PLC0415 - heavy

    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    page: Element = html.document_fromstring(f"<div>{text}</div>".encode("utf-8", "replace"), parser=parser)
    remove_unseen(page, left)
    return page


def divide_part(page: Element, left: LeftOut) -> Iterator[Heading | Block]:
    """Yield the headings and blocks of a part of a document; what is left out is counted."""
    for block in find_blocks(page, left):
        yield Heading(block.text, block.level) if block.level else Block(block.kind, block.text)


def divide_xml(root: Element, tags: Mapping[str, str], left: LeftOut) -> Iterator[Heading | Block]:
    """Yield the headings and blocks of XML by ``tags``, the elements of HTML that its elements are read as.

    With a hyphen they name what is left out, which is counted, or nothing. Headings have the level that they state as a
    number, else that of the sections around them; elements without a tag divide the text where those of HTML would.
    """
    from lxml import etree  # noqa: PLC0415 - heavy

    for entity in list(root.iter(etree.Entity)):
        entity.tail = html5.get(f"{entity.name};", "") + (entity.tail or "")
        remove_element(entity)
    read: list[tuple[Element, str]] = []
    left_out: list[Element] = []
    levels = {root: 0}
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        name = local_name(element)
        tag = tags.get(name, name)
        levels[element] = levels.get(element.getparent(), 0) + (tag == "section")
        if tag.startswith("-"):
            left.add(tag[1:], count_text(element)) if tag[1:] else None
            left_out.append(element)
            walk.skip_subtree()
        elif tag == "h":
            number = element.get("n", "").strip(".")  # GROBID does not nest divisions, it numbers them
            level = number.count(".") + 1 if number else max(levels[element], 1)
            read.append((element, f"h{min(level, 6)}"))
        else:
            read.append((element, tag))
    for element in left_out:
        element.clear(keep_tail=True)
    for element, tag in read:
        element.tag = tag
    root.tag = "body"
    yield from divide_part(root, left)


_BY_PROGRAMS: Final = re.compile(read_patterns("reading/file_types.txt")["TITLES_OF_PROGRAMS"], re.IGNORECASE)
_BEGIN: Final = 10  # blocks that show whether the first is a title; arbitrary


def make_document(
    parts: Iterable[Heading | Block], title: str, stated: Mapping[str, Any], name: str, limits: Limits, left: LeftOut
) -> Document:
    """Return a document of its parts and printed title; ``stated``: title, author, keywords, language beside them.

    A title or author that a program wrote, such as a file's name, counts for nothing. Without a title, it is the first
    heading, unless it opens a section that all papers have, or a first block that would be the title of plain text.
    """
    values = {key: value.strip() for key, value in stated.items() if value}
    about = {key: value for key, value in values.items() if not _BY_PROGRAMS.fullmatch(value)}
    title = about.get("title", "") if not title or _BY_PROGRAMS.fullmatch(title) else title
    parts = [part for part in parts if part.text != title]
    if not title and parts and kind_of_heading(parts[0].text) is None:
        text = "\n\n".join(part.text for part in parts[:_BEGIN])
        place = find_title(Lines.from_text(text), None) if parts[0][0] == SectionKind.BODY else None
        if isinstance(parts[0], Heading) or (place and place.first == 0):
            title = parts.pop(0).text
    cited = make_citation(title, split_authors(about.get("author", "")), None, "", about.get("date", ""))
    if all(part[0] != SectionKind.TITLE for part in parts):
        parts.insert(0, Block(SectionKind.TITLE, title))
    particulars = Particulars(about.get("language"), tuple(split_keywords(about.get("keywords", ""))), cited.as_meta())
    return from_parts(parts, name, limits, left, particulars, run_in=True)
