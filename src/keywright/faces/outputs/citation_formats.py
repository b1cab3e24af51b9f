"""Bibliographic records of documents with their keyphrases, for reference managers: BibTeX, RIS and CSL-JSON."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from keywright.core.citations import Author, Citation, clean_line
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction

_IN_PATHS: Final = "/:;(),.-_~!$&'*+=@"
"""Characters that stay in the path of an address (RFC 3986); a DOI may have others, such as ``<``."""
_IN_ADDRESSES: Final = f"{_IN_PATHS}?#[]%"
"""Characters that stay in an address; letters of other scripts become ASCII."""


@dataclass(frozen=True, slots=True)
class Term:
    """A keyphrase of a record.

    Attributes:
        name: the phrase, or the label of its concept.
        probability: None where the system gives none.
        uri: of its concept, percent-encoded where a URI cannot have the character; empty without one.
        notation: of the concept.
        scheme: URI of the concept's scheme.
        language: of the label, as a tag; empty if unknown.
    """

    name: str
    probability: float | None
    uri: str = ""
    notation: str = ""
    scheme: str = ""
    language: str = ""

    @classmethod
    def of(cls, keyphrase: Keyphrase, language: str) -> "Term":
        """Return the term of a keyphrase in a document of a language."""
        concept = keyphrase.concept
        if concept is None:
            return cls(clean_line(keyphrase.text), keyphrase.probability, language=language)
        uris = (quote(clean_line(uri), safe=_IN_ADDRESSES) for uri in (concept.uri, concept.scheme))
        uri, scheme = uris
        label, notation = clean_line(concept.label), clean_line(concept.notation)
        return cls(label, keyphrase.probability, uri, notation, scheme, concept.language)


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """A document with its keyphrases, every text on one line without control characters.

    Attributes:
        keyphrases: best first.
        language: ISO 639-1 code; empty if unknown.
    """

    id: str
    citation: Citation
    keyphrases: tuple[Term, ...]
    language: str

    @classmethod
    def of(cls, prediction: Prediction) -> "BibliographicRecord":
        """Return the record of a prediction."""
        return cls(
            id=clean_line(prediction.document_id),
            citation=Citation.from_meta(prediction.meta),
            keyphrases=tuple(Term.of(phrase, prediction.language or "") for phrase in prediction.keyphrases),
            language=prediction.language or "",
        )

    @property
    def phrases(self) -> Iterator[str]:
        """The keyphrases without their probabilities."""
        return (term.name for term in self.keyphrases)

    @property
    def address(self) -> str:
        """The address of the DOI; empty without one."""
        doi = self.citation.doi
        return f"https://doi.org/{quote(doi, safe=_IN_PATHS)}" if doi else ""


Outcomes: TypeAlias = Iterable[Prediction | Failure]


def write_records(
    outcomes: Outcomes,
    record: Callable[[BibliographicRecord], str],
    comment: Callable[[str], str] = lambda _: "",
    *,
    head: str = "",
    between: str = "",
    tail: str = "",
) -> Iterator[str]:
    """Yield a file of records piece by piece: ``head``, the records with ``between`` between two, ``tail``.

    ``record`` formats a document's record, ``comment`` the line of a failure; formats without comments leave it out.
    """
    yield head
    separator = ""
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            yield comment(clean_line(f"{outcome.document_id}: {outcome.message}"))
        else:
            yield separator + record(BibliographicRecord.of(outcome))
            separator = between
    yield tail


_BIBTEX_ESCAPES: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_"}
    | {
        # Words in place of \{ and \}, because BibTeX counts braces without regard to backslashes.
        "{": "\\textbraceleft{}",
        "}": "\\textbraceright{}",
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
    }
)
_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9._:-]+")
_NAME_SEPARATORS = re.compile(r",|\band\b", re.IGNORECASE)
_UNNAMED: Final = "document"


def write_bibtex(outcomes: Outcomes, _reviewed: str = "") -> Iterator[str]:
    """Yield an entry for each document, with a blank line after it; a failure is a comment.

    Entries are ``@article`` where the journal is known, else ``@misc``. The citation key comes from the document's id;
    where they differ, the field ``document`` has the id. Phrases that contain a comma are in braces.
    """
    keys = CitationKeys()
    return write_records(
        outcomes,
        lambda record: _format_entry(record, keys.key(record.id)),
        lambda line: f"% {line.replace('@', '(at)')}\n\n",  # a comment, unless it has the sign of an entry
    )


class CitationKeys:
    """Distinct citation keys of ids, in ASCII; case does not make keys distinct in BibTeX."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def key(self, document_id: str) -> str:
        """Return the key of the next document.

        >>> keys = CitationKeys()
        >>> keys.key("papers/Café 1.pdf"), keys.key("papers/cafe 1.pdf")
        ('papers-Cafe-1.pdf', 'papers-cafe-1.pdf-2')
        """
        ascii_id = unicodedata.normalize("NFKD", document_id).encode("ascii", "ignore").decode()
        stem = _NOT_IN_KEYS.sub("-", ascii_id).strip("-.:") or _UNNAMED
        key, number = stem, 1
        while key.lower() in self._taken:
            number += 1
            key = f"{stem}-{number}"
        self._taken.add(key.lower())
        return key


def escape_bibtex(text: str) -> str:
    r"""Return text for a field in braces; letters of all scripts stay.

    >>> print(escape_bibtex("R&D at 5 %"))
    R\&D at 5 \%
    """
    return text.translate(_BIBTEX_ESCAPES)


def _format_entry(record: BibliographicRecord, key: str) -> str:
    citation = record.citation
    fields = {
        "title": escape_bibtex(citation.title),
        "author": " and ".join(map(_format_bibtex_author, citation.authors)),
        "journal": escape_bibtex(citation.journal),
        "year": str(citation.year or ""),
        "doi": citation.doi.replace("{", "%7B").replace("}", "%7D"),  # read verbatim, so that nothing is escaped
        "language": record.language,
        "document": "" if key == record.id else escape_bibtex(record.id),
        "keywords": ", ".join(map(_format_keyword, record.phrases)),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{'article' if citation.journal else 'misc'}{{{key},\n{lines}}}\n\n"


def _format_bibtex_author(author: Author) -> str:
    """Return a name; in braces where a comma or *and* in it would divide it."""
    if author.family and not _NAME_SEPARATORS.search(author.name):
        return escape_bibtex(author.inverted)
    return f"{{{escape_bibtex(author.name)}}}" if _NAME_SEPARATORS.search(author.name) else escape_bibtex(author.name)


def _format_keyword(phrase: str) -> str:
    return f"{{{escape_bibtex(phrase)}}}" if "," in phrase else escape_bibtex(phrase)


def write_ris(outcomes: Outcomes, _reviewed: str = "") -> Iterator[str]:
    """Yield a record for each document, of type ``JOUR`` where the journal is known, else ``GEN``."""
    return write_records(outcomes, _format_ris_record)


def _format_ris_record(record: BibliographicRecord) -> str:
    citation = record.citation
    tags = [
        ("TY", "JOUR" if citation.journal else "GEN"),
        ("ID", record.id),
        ("TI", citation.title),
        *(("AU", author.inverted) for author in citation.authors),
        ("T2", citation.journal),
        ("PY", str(citation.year or "")),
        ("DO", citation.doi),
        ("LA", record.language),
        *(("KW", phrase) for phrase in record.phrases),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in tags if value) + "ER  - \n\n"


_CSL_SEPARATOR: Final = "; "
"""Between keyphrases in ``keyword``, which is one text: headings of thesauri have commas inside."""


def write_csl_json(outcomes: Outcomes, _reviewed: str = "") -> Iterator[str]:
    """Yield one JSON list with an item for each document, a line for each.

    ``keyword`` has all keyphrases in one text; ``custom`` has them one by one, with their probabilities.
    """
    return write_records(
        outcomes, lambda record: to_json(_make_csl_item(record)), head="[\n", between=",\n", tail="\n]\n"
    )


def _make_csl_item(record: BibliographicRecord) -> dict[str, Any]:
    citation = record.citation
    keyphrases = [
        {"text": term.name, "probability": term.probability} | ({"uri": term.uri} if term.uri else {})
        for term in record.keyphrases
    ]
    values: dict[str, Any] = {
        "id": record.id,
        "type": "article-journal" if citation.journal else "document",
        "title": citation.title,
        "author": list(map(_make_csl_author, citation.authors)),
        "container-title": citation.journal,
        "issued": {"date-parts": [[citation.year]]} if citation.year else {},
        "DOI": citation.doi,
        "language": record.language,
        "keyword": _CSL_SEPARATOR.join(record.phrases),
        "custom": {"keyphrases": keyphrases} if keyphrases else {},
    }
    return {key: value for key, value in values.items() if value}


def _make_csl_author(author: Author) -> dict[str, str]:
    """Return a person where family and given names are known; else the name as it is, which may be a group's."""
    if not author.family:
        return {"literal": author.name}
    names = {"family": author.family, "given": author.given_names}
    return {key: value for key, value in names.items() if value}
