"""TEI, as GROBID writes it for papers and editors write it for texts."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from keywright.core.citations import Author, Citation, make_citation
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import EmptyInput, UnsupportedFormat
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_pairs
from keywright.reading.blocks import Block, LeftOut, Particulars, from_parts
from keywright.reading.formats import xml
from keywright.reading.formats.markup import divide_xml
from keywright.reading.formats.xml import Element
from keywright.reading.limits import Limits

_TAGS: Final = read_pairs("reading/file_types.txt", "TEI_TAGS")
_BLOCKS: Final = ("{*}p", "{*}ab", "{*}l", "{*}head", "{*}item", "{*}table", "{*}figure", "{*}listBibl", "{*}castItem")
"""Elements that make the element around them a division; other elements with text are paragraphs."""
_PREFERRED: Final = ("corr", "reg", "expan", "ex", "lem")
"""Readings of which an edition shows one, before ``sic``, ``orig``, ``abbr``, ``am`` and ``rdg``."""
_NOT_SHOWN: Final = ("{*}del", "{*}surplus", "{*}gap", "{*}metamark", "{*}index", "{*}fw")
_HYPHENS: Final = ("-", "\u00ad", "\u2010", "¬")
_MARKS: Final = ("{*}lb", "{*}pb", "{*}cb", "{*}gb", "{*}milestone")
_DIVISION_HEADS: Final = read_pairs("reading/file_types.txt", "TEI_DIVISIONS")


def read_tei(data: bytes, name: str, limits: Limits) -> Document | Iterator[Document | Failure]:
    """Return the document in a TEI file, or the documents of a corpus.

    Corrections, regular spellings and expansions are read in place of what they correct; deletions are left out, and
    so are tables, formulas, notes and the lines at the head and foot of pages; captions stay. Keywords are those of the
    header's text classification; ``meta`` has title, authors, DOI, journal and year.
    """
    root = xml.parse_xml(data, name, limits)
    if xml.local_name(root) not in {"TEI", "teiCorpus"}:
        raise UnsupportedFormat(f"{name} is XML with root <{xml.local_name(root)}>, not TEI", "JATS and TEI are read")
    texts = list(root.iter("{*}TEI"))
    if not texts:
        raise EmptyInput(f"{name} is a corpus without texts", "give a file with at least one text")
    return xml.read_members(texts, name, partial(_read_text, limits=limits))


def _read_text(root: Element, name: str, limits: Limits) -> Document:
    left = LeftOut()
    header, text = xml.find_first(root, "teiHeader"), xml.find_first(root, "text")
    groups = () if header is None else header.iter("{*}keywords")
    terms = (term for group in groups for term in group.iter("{*}term"))
    keywords = [phrase for term in terms if (phrase := xml.running_text(term))]
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
                xml.remove_element(mark)
            else:
                mark.text = " "
        _settle(text)
    languages = [element.get(xml.LANG) for element in (text, root, header) if element is not None]
    parts = [*_front(header, keywords), *(divide_xml(text, _TAGS, left) if text is not None else ())]
    meta = _cite(header).as_meta() if header is not None else {}
    about = Particulars(next(filter(None, languages), None), tuple(keywords), meta)
    return from_parts(parts, name, limits, left, about)


def _settle_readings(text: Element, left: LeftOut) -> None:
    """Leave of alternative readings the one that is shown, and nothing of what is deleted."""
    for choice in list(text.iter("{*}choice", "{*}app")):
        readings = [each for each in choice.iter() if xml.local_name(each) in {*_PREFERRED, "rdg"}] or choice[:]
        shown = next((reading for reading in readings if xml.local_name(reading) in _PREFERRED), None)
        shown = shown if shown is not None else next(iter(readings), None)
        choice.text = None
        choice[:] = [] if shown is None else [shown]
        if shown is not None:
            shown.tail = None
    for element in list(text.iter(*_NOT_SHOWN)):
        if xml.local_name(element) == "fw":
            left.add("page header", xml.count_text(element))
        xml.remove_element(element)
    for element in text.iter("{*}subst"):  # the blanks of its layout, often within a word
        for part in element:
            part.tail = (part.tail or "").strip() or None
        element.text = (element.text or "").strip() or None
    for quote in text.iter("{*}quote"):
        if xml.local_name(quote.getparent()) in {"p", "ab", "l"} and next(quote.iter(*_BLOCKS), None) is None:
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
    yield Block(SectionKind.TITLE, xml.running_text(xml.find_first(header, "fileDesc/titleStmt/title")))
    authors = header.iterfind("{*}fileDesc/{*}sourceDesc/{*}biblStruct/{*}analytic/{*}author")
    names = [xml.running_text(xml.find_first(author, "persName")) for author in authors]
    yield Block(SectionKind.AUTHORS, ", ".join(filter(None, names)))
    for abstract in header.iterfind("{*}profileDesc/{*}abstract"):
        paragraphs = list(abstract.iter("{*}p", "{*}head")) or [abstract]
        yield from (Block(SectionKind.ABSTRACT, xml.running_text(paragraph)) for paragraph in paragraphs)
    yield Block(SectionKind.KEYWORDS, "; ".join(keywords))


def _settle(text: Element) -> None:
    """Write captions and references in one line, and the headings of divisions that have only a type."""
    for figure in text.iter("{*}figure"):
        head, description = (xml.running_text(xml.find_first(figure, name)) for name in ("head", "figDesc"))
        tables = xml.find_children(figure, "table")
        figure.clear(keep_tail=True)
        # GROBID repeats the head at the start of the description
        figure.text = description if description.startswith(head) else f"{head} {description}"
        figure.extend(tables)
    for division in text.iter("{*}div"):
        implied = _DIVISION_HEADS.get(division.get("type", ""))
        if implied and xml.find_first(division, "head") is None and "".join(division.itertext()).strip():
            xml.insert_first(division, "head", implied)
    for references in text.iter("{*}listBibl"):
        for reference in xml.find_children(references, "biblStruct", "bibl", "biblFull"):
            line = _reference(reference)
            reference.clear(keep_tail=True)
            reference.tag, reference.text = "biblStruct", line


def _reference(element: Element) -> str:
    if xml.local_name(element) == "bibl":
        return xml.running_text(element)
    names = [xml.running_text(name) for name in element.iter("{*}persName")]
    titles = [xml.running_text(title) for title in element.iter("{*}title")]
    dates = [date.get("when", "") or xml.running_text(date) for date in element.iter("{*}date")]
    return ". ".join(filter(None, [", ".join(filter(None, names)), *titles, *dates[:1]]))


def _cite(header: Element) -> Citation:
    """Return title, authors, DOI, journal and year of the described source; authors else of the file's title."""
    title = xml.running_text(xml.find_first(header, "fileDesc/titleStmt/title"))
    source = xml.find_first(header, "fileDesc/sourceDesc/biblStruct")
    places = [] if source is None else [xml.find_first(source, "analytic"), xml.find_first(source, "monogr")]
    places = [place for place in [*places, xml.find_first(header, "fileDesc/titleStmt")] if place is not None]
    authors = next(filter(None, ([*map(_author, xml.find_children(place, "author"))] for place in places)), [])
    if source is None:
        return make_citation(title, authors)
    dois = (xml.running_text(part) for part in source.iter("{*}idno") if part.get("type", "").lower() == "doi")
    journals = (part for part in source.iterfind("{*}monogr/{*}title") if part.get("level") == "j")
    date = xml.find_first(source, "monogr/imprint/date")
    year = "" if date is None else date.get("when") or xml.running_text(date)
    return make_citation(title, authors, next(dois, ""), xml.running_text(next(journals, None)), year)


def _author(author: Element) -> Author | None:
    person = xml.find_first(author, "persName")
    family = "" if person is None else xml.running_text(xml.find_first(person, "surname"))
    if family:
        given_names = " ".join(filter(None, map(xml.running_text, xml.find_children(person, "forename"))))
        return Author.person(family, given_names)
    name = xml.running_text(author if person is None else person)
    return Author(name) if name else None
