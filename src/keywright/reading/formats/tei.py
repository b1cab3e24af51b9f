"""TEI, as GROBID writes it for papers and editors write it for texts."""

from collections.abc import Iterator
from typing import Final

from keywright.core.citations import Author, Citation, make_citation
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import UnsupportedFormat
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.formats.xml import (
    LANGUAGE,
    Element,
    count_text,
    find_children,
    find_first,
    local_name,
    parse_xml,
    running_text,
)
from keywright.reading.limits import Limits

_NESTED: Final = frozenset({"list", "quote", "figure", "table", "formula", "note"})
_HOLDERS: Final = frozenset({"front", "body", "back", "group", "text", "list", "quote", "item", "lg"})
_DIVISION_HEADS: Final = {
    "acknowledgement": "Acknowledgements",
    "references": "References",
    "bibliography": "References",
}


def read_tei(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a TEI file.

    Tables, formulas and notes are left out; captions stay. Keywords are those of the header's text classification;
    ``meta`` has title, authors, DOI, journal and year.
    """
    root = parse_xml(data, name, limits)
    if local_name(root) != "TEI":
        raise UnsupportedFormat(f"{name} is XML with root <{local_name(root)}>, not TEI", "JATS and TEI are read")
    left = LeftOut()
    header, text = find_first(root, "teiHeader"), find_first(root, "text")
    keywords = _keywords(header) if header is not None else []
    parts = [*_front(header, keywords), *(_flow(text, 0, left) if text is not None else ())]
    languages = [element.get(LANGUAGE) for element in (text, root, header) if element is not None]
    meta = _cite(header).as_meta() if header is not None else {}
    about = Particulars(next(filter(None, languages), None), tuple(keywords), meta)
    return from_parts(parts, name, limits, left, about)


def _keywords(header: Element) -> list[str]:
    terms = [term for group in header.iter("{*}keywords") for term in group.iter("{*}term")]
    return [text for term in terms if (text := running_text(term))]


def _front(header: Element | None, keywords: list[str]) -> Iterator[Block]:
    if header is None:
        return
    yield Block(SectionKind.TITLE, running_text(find_first(header, "fileDesc/titleStmt/title")))
    authors = header.iterfind("{*}fileDesc/{*}sourceDesc/{*}biblStruct/{*}analytic/{*}author")
    names = [running_text(find_first(author, "persName")) for author in authors]
    yield Block(SectionKind.AUTHORS, ", ".join(filter(None, names)))
    for abstract in header.iterfind("{*}profileDesc/{*}abstract"):
        paragraphs = list(abstract.iter("{*}p", "{*}head")) or [abstract]
        for paragraph in paragraphs:
            yield Block(SectionKind.ABSTRACT, running_text(paragraph))
    yield Block(SectionKind.KEYWORDS, "; ".join(keywords))


def _flow(parent: Element, depth: int, left: LeftOut) -> Iterator[Heading | Block]:
    """Yield headings and paragraphs within an element, in reading order; ``depth`` counts divisions."""
    for element in parent:
        kind = local_name(element)
        if kind == "head":
            yield Heading(running_text(element), _level(element, depth))
        elif kind in {"p", "ab", "l"}:
            yield from _paragraph(element, depth, left)
        elif kind == "figure":
            yield from _figure(element, left)
        elif kind in {"table", "formula", "note"}:
            left.add(kind, count_text(element))
        elif kind == "listBibl":
            references = find_children(element, "biblStruct", "bibl", "biblFull")
            yield from (Block(SectionKind.REFERENCES, _reference(reference)) for reference in references)
        elif kind.startswith("div") or kind in _HOLDERS:
            if kind.startswith("div") and find_first(element, "head") is None and "".join(element.itertext()).strip():
                implied = _DIVISION_HEADS.get(element.get("type", ""))
                yield from [Heading(implied, 1)] if implied else []
            if kind == "item" and find_first(element, "p") is None:
                yield Block(SectionKind.BODY, running_text(element, _NESTED))
            yield from _flow(element, depth + kind.startswith("div"), left)


def _level(head: Element, depth: int) -> int:
    """Return the level of a heading: GROBID does not nest divisions, it numbers them."""
    number = head.get("n", "").strip(".")
    return number.count(".") + 1 if number else max(depth, 1)


def _paragraph(element: Element, depth: int, left: LeftOut) -> Iterator[Heading | Block]:
    for formula in element.iter("{*}formula", "{*}note"):
        left.add(local_name(formula), count_text(formula))
    yield Block(SectionKind.BODY, running_text(element, _NESTED))
    for child in element:
        if local_name(child) == "figure":
            yield from _figure(child, left)
        elif local_name(child) in {"list", "quote"}:
            yield from _flow(child, depth, left)


def _figure(element: Element, left: LeftOut) -> Iterator[Block]:
    head, description = running_text(find_first(element, "head")), running_text(find_first(element, "figDesc"))
    # GROBID repeats the head at the start of the description
    caption = description if description.startswith(head) else f"{head} {description}"
    yield Block(SectionKind.CAPTION, caption)
    for table in find_children(element, "table"):
        left.add("table", count_text(table))


def _reference(element: Element) -> str:
    if local_name(element) == "bibl":
        return running_text(element)
    names = [running_text(name) for name in element.iter("{*}persName")]
    titles = [running_text(title) for title in element.iter("{*}title")]
    dates = [date.get("when", "") or running_text(date) for date in element.iter("{*}date")]
    parts = [", ".join(filter(None, names)), *titles, *dates[:1]]
    return ". ".join(filter(None, parts))


def _cite(header: Element) -> Citation:
    """Return title, authors, DOI, journal and year.

    Authors, DOI, journal and year are those of the source that the header describes, authors else those of the file's
    title.
    """
    title = running_text(find_first(header, "fileDesc/titleStmt/title"))
    source = find_first(header, "fileDesc/sourceDesc/biblStruct")
    places = [] if source is None else [find_first(source, "analytic"), find_first(source, "monogr")]
    places = [place for place in [*places, find_first(header, "fileDesc/titleStmt")] if place is not None]
    authors = next(filter(None, ([*map(_author, find_children(place, "author"))] for place in places)), [])
    if source is None:
        return make_citation(title, authors)
    dois = (running_text(part) for part in source.iter("{*}idno") if part.get("type", "").lower() == "doi")
    journals = (part for part in source.iterfind("{*}monogr/{*}title") if part.get("level") == "j")
    date = find_first(source, "monogr/imprint/date")
    year = "" if date is None else date.get("when") or running_text(date)
    return make_citation(title, authors, next(dois, ""), running_text(next(journals, None)), year)


def _author(author: Element) -> Author | None:
    person = find_first(author, "persName")
    family = "" if person is None else running_text(find_first(person, "surname"))
    if family:
        given_names = " ".join(filter(None, map(running_text, find_children(person, "forename"))))
        return Author.person(family, given_names)
    name = running_text(author if person is None else person)
    return Author(name) if name else None
