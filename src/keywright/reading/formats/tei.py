"""TEI, as GROBID writes it for papers and editors write it for texts."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice, pairwise
from typing import Final

from keywright.core.citations import Author, Citation, make_citation
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import EmptyInput, UnsupportedFormat
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_pairs
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.formats.xml import (
    LANG,
    Element,
    count_text,
    find_children,
    find_first,
    has_own_text,
    local_name,
    parse_xml,
    read_members,
    remove_element,
    running_text,
)
from keywright.reading.limits import Limits

_NESTED: Final = frozenset({"list", "quote", "figure", "table", "formula", "note"})
_BLOCKS: Final = ("{*}p", "{*}ab", "{*}l", "{*}head", "{*}item", "{*}table", "{*}figure", "{*}listBibl", "{*}castItem")
"""Elements that make the element around them a division; other elements with text are paragraphs."""
_PREFERRED: Final = ("corr", "reg", "expan", "ex", "lem")
"""Readings of which an edition shows one, before ``sic``, ``orig``, ``abbr``, ``am`` and ``rdg``."""
_NOT_SHOWN: Final = ("{*}del", "{*}surplus", "{*}gap", "{*}metamark", "{*}index", "{*}fw")
_HYPHENS: Final = ("-", "\u00ad", "\u2010", "¬")
_MARKS: Final = ("{*}lb", "{*}pb", "{*}cb", "{*}gb", "{*}milestone")
_LEFT_OUT: Final = read_pairs("reading/file_types.txt", "TEI_LEFT_OUT")
_DIVISION_HEADS: Final = read_pairs("reading/file_types.txt", "TEI_DIVISIONS")


def read_tei(data: bytes, name: str, limits: Limits) -> Document | Iterator[Document | Failure]:
    """Return the document in a TEI file, or the documents of a corpus.

    Corrections, regular spellings and expansions are read in place of what they correct; deletions are left out, and
    so are tables, formulas, notes and the lines at the head and foot of pages; captions stay. Keywords are those of the
    header's text classification; ``meta`` has title, authors, DOI, journal and year.
    """
    root = parse_xml(data, name, limits)
    if local_name(root) not in {"TEI", "teiCorpus"}:
        raise UnsupportedFormat(f"{name} is XML with root <{local_name(root)}>, not TEI", "JATS and TEI are read")
    texts = list(root.iter("{*}TEI"))
    if not texts:
        raise EmptyInput(f"{name} is a corpus without texts", "give a file with at least one text")
    return read_members(texts, name, partial(_read_text, limits=limits))


def _read_text(root: Element, name: str, limits: Limits) -> Document:
    left = LeftOut()
    header, text = find_first(root, "teiHeader"), find_first(root, "text")
    groups = () if header is None else header.iter("{*}keywords")
    terms = (term for group in groups for term in group.iter("{*}term"))
    keywords = [phrase for term in terms if (phrase := running_text(term))]
    if text is not None:
        _settle_readings(text, left)
        # Breaks of lines and pages within words go, with the hyphens and blanks around them.
        marks = list(text.iter(*_MARKS))
        neighbours = [
            pair for pair in pairwise(marks) if pair[0].getnext() is pair[1] and not (pair[0].tail or "").strip()
        ]
        for pair in (*reversed(neighbours), *neighbours):  # a page and its first line break a word together
            if any(mark.get("break") == "no" for mark in pair):
                for mark in pair:
                    mark.set("break", "no")
        for mark in marks:
            if mark.get("break") == "no":
                _trim_before(mark)
                mark.tail = (mark.tail or "").lstrip()
                remove_element(mark)
    parts = [*_front(header, keywords), *(_flow(text, 0, left) if text is not None else ())]
    languages = [element.get(LANG) for element in (text, root, header) if element is not None]
    meta = _cite(header).as_meta() if header is not None else {}
    about = Particulars(next(filter(None, languages), None), tuple(keywords), meta)
    return from_parts(parts, name, limits, left, about)


def _settle_readings(text: Element, left: LeftOut) -> None:
    """Leave of alternative readings the one that is shown, and nothing of what is deleted."""
    for choice in list(text.iter("{*}choice", "{*}app")):
        readings = [reading for reading in choice.iter() if local_name(reading) in {*_PREFERRED, "rdg"}] or choice[:]
        shown = next((reading for reading in readings if local_name(reading) in _PREFERRED), None)
        shown = shown if shown is not None else next(iter(readings), None)
        choice.text = None
        choice[:] = [] if shown is None else [shown]
        if shown is not None:
            shown.tail = None
    for element in list(text.iter(*_NOT_SHOWN)):
        if local_name(element) == "fw":
            left.add("page header", count_text(element))
        remove_element(element)
    for element in text.iter("{*}subst"):  # the blanks of its layout, often within a word
        for part in element:
            part.tail = (part.tail or "").strip() or None
        element.text = (element.text or "").strip() or None
    for quote in text.iter("{*}quote"):
        if local_name(quote.getparent()) in {"p", "ab", "l"} and not _has_blocks(quote):
            quote.tag = "q"  # part of the sentence around it


def _trim_before(mark: Element) -> None:
    """Take blanks and a hyphen from the end of the text before an element, in elements that end there as well."""
    before = mark.getprevious()
    holder, attribute = (mark.getparent(), "text") if before is None else (before, "tail")
    while True:
        text = (getattr(holder, attribute) or "").rstrip()
        setattr(holder, attribute, text[:-1] if text.endswith(_HYPHENS) else text)
        if text or attribute == "text":
            return
        holder, attribute = (holder[-1], "tail") if len(holder) else (holder, "text")


def _front(header: Element | None, keywords: list[str]) -> Iterator[Block]:
    if header is None:
        return
    yield Block(SectionKind.TITLE, running_text(find_first(header, "fileDesc/titleStmt/title")))
    authors = header.iterfind("{*}fileDesc/{*}sourceDesc/{*}biblStruct/{*}analytic/{*}author")
    names = [running_text(find_first(author, "persName")) for author in authors]
    yield Block(SectionKind.AUTHORS, ", ".join(filter(None, names)))
    for abstract in header.iterfind("{*}profileDesc/{*}abstract"):
        paragraphs = list(abstract.iter("{*}p", "{*}head")) or [abstract]
        yield from (Block(SectionKind.ABSTRACT, running_text(paragraph)) for paragraph in paragraphs)
    yield Block(SectionKind.KEYWORDS, "; ".join(keywords))


def _flow(parent: Iterable[Element], depth: int, left: LeftOut) -> Iterator[Heading | Block]:
    """Yield headings and paragraphs within an element, in reading order; ``depth`` counts divisions."""
    for element in parent:
        kind = local_name(element)
        if kind == "head":
            number = element.get("n", "").strip(".")  # GROBID does not nest divisions, it numbers them
            yield Heading(running_text(element), number.count(".") + 1 if number else max(depth, 1))
        elif kind == "figure":
            yield from _figure(element, left)
        elif kind in _LEFT_OUT:
            left.add(_LEFT_OUT[kind], count_text(element))
        elif kind == "listBibl":
            references = find_children(element, "biblStruct", "bibl", "biblFull")
            yield from (Block(SectionKind.REFERENCES, _reference(reference)) for reference in references)
        elif kind in {"speaker", "stage"}:
            yield Block(SectionKind.NOTICE, running_text(element))
        elif sum((kind.startswith("div"), _has_blocks(element), not has_own_text(element))) > 1:  # two signs of three
            if kind.startswith("div") and find_first(element, "head") is None and "".join(element.itertext()).strip():
                implied = _DIVISION_HEADS.get(element.get("type", ""))
                yield from [Heading(implied, 1)] if implied else []
            yield Block(SectionKind.BODY, element.text or "")
            for child in element:
                yield from _flow([child], depth + kind.startswith("div"), left)
                yield Block(SectionKind.BODY, child.tail or "")
        else:
            yield from _paragraph(element, depth, left)


def _has_blocks(element: Element) -> bool:
    return any(inner is not element for inner in islice(element.iter(*_BLOCKS), 2))


def _paragraph(element: Element, depth: int, left: LeftOut) -> Iterator[Heading | Block]:
    for formula in element.iter("{*}formula", "{*}note"):
        left.add(local_name(formula), count_text(formula))
    yield Block(SectionKind.BODY, running_text(element, _NESTED))
    for child in element:
        if local_name(child) == "figure":
            yield from _figure(child, left)
        elif local_name(child) in {"list", "quote"}:
            yield from _flow([child], depth, left)
        elif local_name(child) == "table":
            left.add("table", count_text(child))


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
    """Return title, authors, DOI, journal and year of the described source; authors else of the file's title."""
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
