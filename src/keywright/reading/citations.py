"""Bibliographic metadata in the markup of articles: JATS, TEI, HTML, and the styles of DOCX."""

from collections.abc import Iterator, Sequence
from typing import Final

from keywright.core.citations import Author, Citation, make_citation, split_authors
from keywright.core.documents import SectionKind
from keywright.reading.blocks import Block, Heading
from keywright.reading.formats.xml import Element, find_children, find_first, running_text

_MEMBERS: Final = frozenset({"contrib-group", "aff", "address"})
"""Elements within the name of a group that are not part of the name."""
_CITED: Final = ("author", "doi", "journal_title", "publication_date", "date", "year")
"""Names of ``citation_...`` elements of pages."""
_ISSUE_DATES: Final = ("ppub", "collection", "epub-ppub")
"""Dates of the issue, by which articles are cited; where there are none, the earliest year counts."""


def jats_citation(article: Element) -> Citation:
    """Return title, authors, DOI, journal and year of a JATS article."""
    meta = find_first(article, "front/article-meta")
    if meta is None:
        return Citation()
    journal = find_first(article, "front/journal-meta/journal-title-group/journal-title")
    if journal is None:
        journal = find_first(article, "front/journal-meta/journal-title")
    dois = (running_text(part) for part in find_children(meta, "article-id") if part.get("pub-id-type") == "doi")
    return make_citation(jats_title(meta), _jats_authors(meta), next(dois, ""), running_text(journal), _jats_year(meta))


def jats_title(meta: Element) -> str:
    """Return title and subtitle."""
    parts = (find_first(meta, f"title-group/{part}") for part in ("article-title", "subtitle"))
    return ": ".join(filter(None, map(running_text, parts)))


def tei_citation(header: Element) -> Citation:
    """Return title, authors, DOI, journal and year from the header of a TEI file.

    Authors, DOI, journal and year are those of the source that it describes, authors else those of the file's title.
    """
    title = running_text(find_first(header, "fileDesc/titleStmt/title"))
    source = find_first(header, "fileDesc/sourceDesc/biblStruct")
    places = [] if source is None else [find_first(source, "analytic"), find_first(source, "monogr")]
    places = [place for place in [*places, find_first(header, "fileDesc/titleStmt")] if place is not None]
    authors = next(filter(None, ([*map(_tei_author, find_children(place, "author"))] for place in places)), [])
    if source is None:
        return make_citation(title, authors)
    dois = (running_text(part) for part in source.iter("{*}idno") if part.get("type", "").lower() == "doi")
    journals = (part for part in source.iterfind("{*}monogr/{*}title") if part.get("level") == "j")
    date = find_first(source, "monogr/imprint/date")
    year = "" if date is None else date.get("when") or running_text(date)
    return make_citation(title, authors, next(dois, ""), running_text(next(journals, None)), year)


def html_citation(title: str, metas: Sequence[tuple[str, str]]) -> Citation:
    """Return the citation in the elements that publishers write for indexes of papers, with the page's title."""
    values = {name: [value for key, value in metas if key == f"citation_{name}"] for name in _CITED}
    years = (value for name in ("publication_date", "date", "year") for value in values[name])
    authors = map(Author.of, values["author"])
    return make_citation(
        title, authors, next(iter(values["doi"]), ""), next(iter(values["journal_title"]), ""), next(years, "")
    )


def docx_citation(parts: Sequence[Heading | Block], title: str, author: str) -> Citation:
    """Return title and authors: from the text where styles mark them, else from the file's properties."""
    marked = [part for part in parts if isinstance(part, Block)]
    titles = [part.text for part in marked if part.kind == SectionKind.TITLE]
    authors = "; ".join(part.text for part in marked if part.kind == SectionKind.AUTHORS)
    return make_citation(": ".join(titles) or title, split_authors(authors or author))


def _jats_authors(meta: Element) -> Iterator[Author | None]:
    for contributor in meta.iterfind("{*}contrib-group/{*}contrib"):
        if contributor.get("contrib-type", "author") != "author":
            continue
        names = (find_first(contributor, path) for path in ("name", "name-alternatives/name", "string-name"))
        name = next((element for element in names if element is not None), None)
        family, given_names = (
            running_text(find_first(name, part)) if name is not None else "" for part in ("surname", "given-names")
        )
        if family:
            yield Author.person(family, given_names)
        else:
            whole = name if name is not None else find_first(contributor, "collab")
            yield _author_called(running_text(whole, _MEMBERS))


def _jats_year(meta: Element) -> str:
    """Return the year of the issue, else the earliest year of publication."""
    years: list[tuple[bool, str]] = []
    for date in find_children(meta, "pub-date"):
        kind = date.get("pub-type") or date.get("date-type") or ""
        of_issue = kind in _ISSUE_DATES or date.get("publication-format") == "print"
        if year := running_text(find_first(date, "year")):
            years.append((not of_issue, year))
    return min(years)[1] if years else ""


def _tei_author(author: Element) -> Author | None:
    person = find_first(author, "persName")
    if person is None:
        return _author_called(running_text(author))
    family = running_text(find_first(person, "surname"))
    given_names = " ".join(filter(None, map(running_text, find_children(person, "forename"))))
    return Author.person(family, given_names) if family else _author_called(running_text(person))


def _author_called(name: str) -> Author | None:
    return Author(name) if name else None
