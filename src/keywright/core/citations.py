"""Bibliographic metadata: the keys of ``Document.meta`` for title, authors, DOI, journal and year, and their types.

Readers fill a key only with what the file says; what it does not say has no key.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)?\s*(10\.\d{4,9}/\S+)", re.IGNORECASE)
_YEAR = re.compile(r"(\d{4})(?!\d)")
_BETWEEN_NAMES = re.compile(r"\s*,\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that neither XML nor a line of a bibliography may hold."""
_SURE_LIST: Final = 3  # names of several words that are a list; two could be a family name and given names
CITED: Final = ("title", "authors", "year", "journal", "doi")  # parts of a citation, by their keys in ``Document.meta``


@dataclass(frozen=True, slots=True)
class Author:
    """A person or a group; ``name``: given names first, or as the file has it; ``family``: empty if not told apart."""

    name: str
    family: str = ""
    given_names: str = ""

    @classmethod
    def of(cls, value: object) -> "Author | None":
        """Return the author of an entry of ``authors``; None for anything else.

        A string with a comma is ``Family, Given``. An object has ``family`` and ``given``, or ``name`` or ``literal``.
        """
        if isinstance(value, str):
            family, comma, rest = (part.strip() for part in clean_line(value).partition(","))
            return cls.person(family, rest) if comma and family and rest else cls._from_name(value)
        if not isinstance(value, Mapping):
            return None
        if family := clean_line(value.get("family")):
            return cls.person(family, clean_line(value.get("given")))
        return cls._from_name(value.get("name") or value.get("literal"))

    @classmethod
    def person(cls, family: str, given_names: str) -> "Author":
        """Return a person of whom family name and given names are known."""
        return cls(f"{given_names} {family}".strip(), family, given_names)

    @classmethod
    def _from_name(cls, value: object) -> "Author | None":
        name = clean_line(value).strip(" ,")
        return cls(name) if name else None

    @property
    def inverted(self) -> str:
        """The name as catalogues sort it: ``Family, Given``, else the name."""
        return ", ".join(filter(None, (self.family, self.given_names))) if self.family else self.name

    def entry(self) -> str | dict[str, str]:
        """Return the author as an entry of ``authors``, from which ``of`` makes it again."""
        return self.inverted if self.family or "," not in self.name else {"name": self.name}


@dataclass(frozen=True, slots=True)
class Citation:
    """Bibliographic metadata of a document; what is unknown is empty, and a ``doi`` begins with ``10.``."""

    title: str = ""
    authors: tuple[Author, ...] = ()
    doi: str = ""
    journal: str = ""
    year: int | None = None

    @classmethod
    def from_meta(cls, meta: Mapping[str, Any]) -> "Citation":
        """Return the citation in a document's ``meta``; values of other types count as unknown."""
        authors = meta.get("authors")
        if isinstance(authors, str):
            named = split_authors(authors)
        else:
            entries = authors if isinstance(authors, (list, tuple)) else ()
            named = tuple(author for entry in entries if (author := Author.of(entry)))
        title, journal = clean_line(meta.get("title")), clean_line(meta.get("journal"))
        return cls(title, named, parse_doi(meta.get("doi")), journal, parse_year(meta.get("year")))

    def as_meta(self) -> dict[str, Any]:
        """Return keys and values for ``Document.meta``: JSON values, without keys for what is unknown."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["authors"] = [author.entry() for author in self.authors]
        return {key: value for key, value in values.items() if value}


def make_citation(
    title: str = "", authors: Iterable[Author | None] = (), doi: object = "", journal: str = "", year: object = None
) -> Citation:
    """Return the citation of values as a file has them; a DOI or year that is none counts as unknown."""
    distinct = tuple(dict.fromkeys(author for author in authors if author))
    return Citation(clean_line(title), distinct, parse_doi(doi), clean_line(journal), parse_year(year))


def split_authors(text: str) -> tuple[Author, ...]:
    """Return the authors that one text names.

    Semicolons and line ends separate authors. Commas do if this leaves at least three names of several words each. One
    comma after or before a single word is that of ``Family, Given``; what else has commas is one name, as it is.

    >>> [author.inverted for author in split_authors("Ferreira, Ana; Novak, Petr")]
    ['Ferreira, Ana', 'Novak, Petr']
    >>> [author.name for author in split_authors("Ana Ferreira, Petr Novak, Li Wei")]
    ['Ana Ferreira', 'Petr Novak', 'Li Wei']
    """
    pieces = [piece for piece in re.split(r"[;\r\n]+", text) if piece.strip(" ,")]
    if len(pieces) != 1:
        return tuple(author for piece in pieces if (author := Author.of(piece)))
    name = clean_line(pieces[0])
    if "," not in name:
        return (Author(name),)
    names = _BETWEEN_NAMES.split(name)
    several_words = [" " in part for part in names]
    if len(names) >= _SURE_LIST and all(several_words):
        return tuple(map(Author, names))
    if name.count(",") == 1 and not all(several_words) and (author := Author.of(name)):
        return (author,)
    return (Author(name),)


def parse_doi(value: object) -> str:
    """Return a DOI without resolver or ``doi:``; empty for anything else."""
    match = _DOI.fullmatch(clean_line(value))
    return match[1] if match else ""


def parse_year(value: object) -> int | None:
    """Return the year of a number, or of a date that begins with four digits; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    match = _YEAR.match(str(value).strip())
    return int(match[1]) if match else None


def clean_line(value: object) -> str:
    """Return a string as one line with single blanks and without control characters; empty for other types."""
    return " ".join(_CONTROL.sub("", value).split()) if isinstance(value, str) else ""
