"""BibTeX: an entry for each document, in UTF-8, with ``keywords``."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from keywright.core.citations import Author
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography.records import BibliographicRecord, failure_line

_ESCAPED: Final = str.maketrans(
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
_SEPARATORS = re.compile(r",|\band\b", re.IGNORECASE)
_UNNAMED: Final = "document"


def bibtex(outcomes: Iterable[Prediction | Failure]) -> Iterator[str]:
    """Yield an entry for each document, with a blank line after it; a failure is a comment.

    Entries are ``@article`` where the journal is known, else ``@misc``. The citation key comes from the document's id;
    where they differ, the field ``document`` has the id. Phrases that contain a comma are in braces.
    """
    keys = CitationKeys()
    for outcome in outcomes:
        if isinstance(outcome, Failure):  # text between entries is a comment, unless it has the sign of an entry
            yield f"% {failure_line(outcome).replace('@', '(at)')}\n\n"
        else:
            record = BibliographicRecord.of(outcome)
            yield _entry(record, keys.key(record.id))


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


def escaped(text: str) -> str:
    r"""Return text for a field in braces; letters of all scripts stay.

    >>> print(escaped("R&D at 5 %"))
    R\&D at 5 \%
    """
    return text.translate(_ESCAPED)


def _entry(record: BibliographicRecord, key: str) -> str:
    citation = record.citation
    fields = {
        "title": escaped(citation.title),
        "author": " and ".join(map(_author, citation.authors)),
        "journal": escaped(citation.journal),
        "year": str(citation.year or ""),
        "doi": citation.doi.replace("{", "%7B").replace("}", "%7D"),  # read verbatim, so that nothing is escaped
        "language": record.language,
        "document": "" if key == record.id else escaped(record.id),
        "keywords": ", ".join(map(_keyword, record.phrases)),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{'article' if citation.journal else 'misc'}{{{key},\n{lines}}}\n\n"


def _author(author: Author) -> str:
    """Return a name; in braces where a comma or *and* in it would divide it."""
    if author.family and not _SEPARATORS.search(author.name):
        return escaped(author.inverted)
    return f"{{{escaped(author.name)}}}" if _SEPARATORS.search(author.name) else escaped(author.name)


def _keyword(phrase: str) -> str:
    return f"{{{escaped(phrase)}}}" if "," in phrase else escaped(phrase)
