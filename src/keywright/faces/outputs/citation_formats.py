"""Bibliographic records of documents with their keyphrases, for reference managers: BibTeX, RIS and CSL-JSON."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from keywright.core.citations import Author, Citation, clean_line
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction

_IN_PATHS: Final = "/:;(),.-_~!$&'*+=@"  # characters of a path that stay (RFC 3986); a DOI may have others, such as <
_IN_ADDRESSES: Final = f"{_IN_PATHS}?#[]%"  # characters that stay in an address; letters of other scripts become ASCII


@dataclass(frozen=True, slots=True)
class Term:
    """A keyphrase of a record, or its concept's label, in a language if known, with URIs percent-encoded, or empty."""

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
        uri, scheme = (quote(clean_line(uri), safe=_IN_ADDRESSES) for uri in (concept.uri, concept.scheme))
        label, notation = clean_line(concept.label), clean_line(concept.notation)
        return cls(label, keyphrase.probability, uri, notation, scheme, concept.language)


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """A document with its keyphrases, best first, every text on one line without control characters."""

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


@dataclass(frozen=True, slots=True)
class RecordWriter:
    """A function that yields a file of records piece by piece.

    Attributes:
        record: function from a document, and who reviewed its keyphrases (empty for nobody), to its record.
        comment: function from a text to the line of a failure; formats without comments leave it out.
        head, between, tail: before the first record, between two, and behind the last.
    """

    record: Callable[[BibliographicRecord, str], str]
    comment: Callable[[str], str] = lambda _: ""
    head: str = ""
    between: str = ""
    tail: str = ""

    def __call__(self, outcomes: Outcomes, reviewed: str = "") -> Iterator[str]:
        """Yield the pieces; ``reviewed``: who accepted the keyphrases."""
        yield self.head
        separator = ""
        for outcome in outcomes:
            if isinstance(outcome, Failure):
                yield self.comment(clean_line(f"{outcome.document_id}: {outcome.message}"))
            else:
                yield separator + self.record(BibliographicRecord.of(outcome), reviewed)
                separator = self.between
        yield self.tail


def drop_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not empty."""
    return {name: value for name, value in values.items() if value}


_IN_WORDS: Final = ("braceleft", "braceright", "backslash", "asciitilde", "asciicircum")
"""Commands for signs, also in place of \\{ and \\}, because BibTeX counts braces without regard to backslashes."""
_BIBTEX_ESCAPES: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_"}
    | {sign: f"\\text{word}{{}}" for sign, word in zip("{}\\~^", _IN_WORDS, strict=True)}
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
    return RecordWriter(
        lambda record, _reviewed: _format_entry(record, keys.key(record.id)),
        lambda line: f"% {line.replace('@', '(at)')}\n\n",  # a comment, unless it has the sign of an entry
    )(outcomes)


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
        "keywords": ", ".join(f"{{{text}}}" if "," in text else text for text in map(escape_bibtex, record.phrases)),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in drop_empty(fields).items())
    return f"@{'article' if citation.journal else 'misc'}{{{key},\n{lines}}}\n\n"


def _format_bibtex_author(author: Author) -> str:
    """Return a name; in braces where a comma or *and* in it would divide it."""
    if _NAME_SEPARATORS.search(author.name):
        return f"{{{escape_bibtex(author.name)}}}"
    return escape_bibtex(author.inverted if author.family else author.name)


def _format_ris_record(record: BibliographicRecord, _reviewed: str) -> str:
    """Return a record of type ``JOUR`` where the journal is known, else ``GEN``."""
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


write_ris: Final = RecordWriter(_format_ris_record)
_CSL_SEPARATOR: Final = "; "  # between keyphrases in ``keyword``, one text: headings of thesauri have commas inside


def _format_csl_item(record: BibliographicRecord, _reviewed: str) -> str:
    """Return an item: ``keyword`` has all keyphrases in one text, ``custom`` each with its probability."""
    citation = record.citation
    keyphrases = [
        {"text": term.name, "probability": term.probability} | drop_empty({"uri": term.uri})
        for term in record.keyphrases
    ]
    people = [({"family": author.family, "given": author.given_names}, author) for author in citation.authors]
    # A name without family and given names may be a group's.
    authors = [drop_empty(names) if author.family else {"literal": author.name} for names, author in people]
    values = {
        "id": record.id,
        "type": "article-journal" if citation.journal else "document",
        "title": citation.title,
        "author": authors,
        "container-title": citation.journal,
        "issued": {"date-parts": [[citation.year]]} if citation.year else {},
        "DOI": citation.doi,
        "language": record.language,
        "keyword": _CSL_SEPARATOR.join(record.phrases),
        "custom": drop_empty({"keyphrases": keyphrases}),
    }
    return to_json(drop_empty(values))


write_csl_json: Final = RecordWriter(_format_csl_item, head="[\n", between=",\n", tail="\n]\n")
