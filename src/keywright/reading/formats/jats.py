"""JATS, the XML of journal articles, in all of its tag sets: archiving, publishing, authoring."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from keywright.core.citations import Author, Citation, make_citation
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import UnsupportedFormat
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_pairs
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.formats import xml
from keywright.reading.formats.markup import divide_xml
from keywright.reading.formats.xml import Element
from keywright.reading.limits import Limits

_FORMULAS: Final = frozenset({"tex-math", "annotation", "disp-formula", "graphic", "media", "object-id"})
_TAGS: Final = read_pairs("reading/file_types.txt", "JATS_TAGS")
_IMPLIED: Final = {"{*}ack": "Acknowledgements", "{*}ref-list": "References"}
_OF_AUTHORS: Final = frozenset({"author", "author-keywords", "author-generated", "kwd"})
"""Types of groups of keywords; other groups are subject codes, abbreviations."""
_MEMBERS: Final = frozenset({"contrib-group", "aff", "address"})
"""Elements within the name of a group that are not part of the name."""
_ISSUE_DATES: Final = ("ppub", "collection", "epub-ppub")
"""Dates of the issue, by which articles are cited; where there are none, the earliest year counts."""


def read_jats(data: bytes, name: str, limits: Limits) -> Document | Iterator[Document | Failure]:
    """Return documents of a JATS file with captions and authors' keywords, without tables, formulas and notes."""
    root = xml.parse_xml(data, name, limits)
    articles = [root] if xml.local_name(root) == "article" else list(root.iter("{*}article"))
    if not articles:
        raise UnsupportedFormat(f"{name} is XML with root <{xml.local_name(root)}>, not JATS", "JATS and TEI are read")
    return xml.read_members(articles, name, partial(read_article, limits=limits))


def read_article(article: Element, name: str, limits: Limits) -> Document:
    """Return the document of an article."""
    left = LeftOut()
    meta = xml.find_first(article, "front/article-meta")
    groups = () if meta is None else xml.find_children(meta, "kwd-group")
    wanted = (group for group in groups if (group.get("kwd-group-type") or "author").lower() in _OF_AUTHORS)
    keywords = [phrase for group in wanted for kwd in group.iter("{*}kwd") if (phrase := xml.running_text(kwd))]
    parts: list[Heading | Block] = [*_front(meta, keywords, left)]
    citation = Citation() if meta is None else _cite(article, meta)
    _settle(article)
    parts += divide_xml(article, _TAGS, left)
    about = Particulars(article.get(xml.LANG), tuple(keywords), citation.as_meta())
    return from_parts(parts, name, limits, left, about)


def _front(meta: Element | None, keywords: list[str], left: LeftOut) -> Iterator[Block]:
    if meta is None:
        return
    yield Block(SectionKind.TITLE, _title(meta))
    yield Block(SectionKind.AUTHORS, ", ".join([author.name for author in _authors(meta) if author]))
    for abstract in xml.find_children(meta, "abstract", "trans-abstract"):
        if xml.local_name(abstract) == "trans-abstract":
            left.add("translated abstract", xml.count_text(abstract))
            continue
        for paragraph in list(abstract.iter("{*}title", "{*}p")) or [abstract]:
            yield Block(SectionKind.ABSTRACT, xml.running_text(paragraph, _FORMULAS))
    yield Block(SectionKind.KEYWORDS, "; ".join(keywords))


def _settle(article: Element) -> None:
    """Write captions with their labels, references in one line, and the headings of sections that have only a name."""
    for part in article.iter("{*}fig", "{*}table-wrap"):
        label, caption = xml.running_text(xml.find_first(part, "label")).rstrip("."), xml.find_first(part, "caption")
        caption = xml.insert_first(part, "caption") if caption is None else caption
        text = xml.running_text(caption, _FORMULAS)
        caption.clear(keep_tail=True)
        caption.text = ". ".join(filter(None, (label, text)))
    for section in article.iter(*_IMPLIED):
        if xml.find_first(section, "title") is None:
            xml.insert_first(section, "title", _IMPLIED[f"{{*}}{xml.local_name(section)}"])
    for reference in article.iter("{*}ref"):
        citations = [child for child in reference if "citation" in xml.local_name(child)]
        text = ""
        for citation in citations[:1]:
            if any((child.tail or "").strip() for child in citation.iter()):
                text = xml.running_text(citation)
            else:  # no punctuation between its elements
                text = " ".join(part for leaf in citation.iter() if (part := (leaf.text or "").strip()))
        text = text or xml.running_text(reference)
        reference.clear(keep_tail=True)
        reference.text = text


def _cite(article: Element, meta: Element) -> Citation:
    journal = xml.find_first(article, "front/journal-meta/journal-title-group/journal-title")
    if journal is None:
        journal = xml.find_first(article, "front/journal-meta/journal-title")
    dois = (xml.running_text(tag) for tag in xml.find_children(meta, "article-id") if tag.get("pub-id-type") == "doi")
    return make_citation(_title(meta), _authors(meta), next(dois, ""), xml.running_text(journal), _year(meta))


def _title(meta: Element) -> str:
    parts = (xml.find_first(meta, f"title-group/{part}") for part in ("article-title", "subtitle"))
    return ": ".join(filter(None, map(xml.running_text, parts)))


def _authors(meta: Element) -> Iterator[Author | None]:
    for contributor in meta.iterfind("{*}contrib-group/{*}contrib"):
        if contributor.get("contrib-type", "author") != "author":
            continue
        names = (xml.find_first(contributor, path) for path in ("name", "name-alternatives/name", "string-name"))
        name = next((element for element in names if element is not None), None)
        family, given_names = (
            xml.running_text(xml.find_first(name, part)) if name is not None else ""
            for part in ("surname", "given-names")
        )
        if family:
            yield Author.person(family, given_names)
        else:
            whole = xml.running_text(name if name is not None else xml.find_first(contributor, "collab"), _MEMBERS)
            yield Author(whole) if whole else None


def _year(meta: Element) -> str:
    """Return the year of the issue, else the earliest year of publication."""
    years: list[tuple[bool, str]] = []
    for date in xml.find_children(meta, "pub-date"):
        kind = date.get("pub-type") or date.get("date-type") or ""
        of_issue = kind in _ISSUE_DATES or date.get("publication-format") == "print"
        if year := xml.running_text(xml.find_first(date, "year")):
            years.append((not of_issue, year))
    return min(years)[1] if years else ""
