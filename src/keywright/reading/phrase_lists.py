"""Files of phrases, one a line; vocabularies in other formats are recognised and refused, never read as if plain."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from keywright.core.errors import BadRecord, EmptyInput, MissingData, UnreadableInput, UnsupportedFormat
from keywright.reading.encodings import REPLACED, decode
from keywright.reading.file_names import shortened
from keywright.reading.formats import Limits
from keywright.reading.sources import DEFAULT_LIMITS, bytes_of

LONGEST: Final = 200
"""Characters of a phrase; a longer line is a paragraph. Arbitrary."""
_SAMPLE: Final = 50  # lines that show columns; arbitrary
_EXPECTED: Final = "expected plain text, one phrase per line"
_BUILD: Final = "keywright vocabulary build FILE --label-column NAME -o DIR"
_LABELS: Final = f"{_EXPECTED}; of a thesaurus in SKOS `keywright vocabulary build FILE -o DIR` makes an index"
_BY_ENDING: Final = {
    ".ttl": "Turtle", ".n3": "Notation3", ".nt": "N-Triples", ".rdf": "RDF", ".owl": "OWL", ".skos": "SKOS",
    ".jsonld": "JSON-LD",
}  # fmt: skip
_BY_CONTENT: Final = (
    (re.compile(r"(?:\s|#.*\n)*(?:@prefix|@base|prefix\s+\S*:\s*<|base\s+<)", re.IGNORECASE), "Turtle"),
    (re.compile(r"(?:\s|#.*\n)*<[^<>\s]+>\s+(?:a|<[^<>\s]+>)\s"), "N-Triples or Turtle"),
    (re.compile(r"\s*<(?:\?xml|!DOCTYPE|[\w.-]+(?::[\w.-]+)?[\s>])", re.IGNORECASE), "XML, such as RDF and MARC"),
    (re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\"\[{])"), "JSON"),
)
_HEADS: Final = frozenset(
    "altlabel altlabels alternative broader code concept definition descriptor id identifier keyword label language"
    " name narrower note notation preferred preflabel subject synonym synonyms term topic type uri url".split()
)
"""Names of columns in lists of terms, without signs; usual ones, arbitrary."""


def read_phrases(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the phrases of a file, in order, each once; empty lines are skipped.

    Raises:
        UnreadableInput: there is no such file, or it cannot be opened; subclasses: it is not text, or too large.
        UnsupportedFormat: it is a vocabulary in another format, or a table with columns.
        EmptyInput: it holds no phrase.
        BadRecord: a line has damaged characters, neither letter nor digit, or more than 200 characters.
    """
    path = Path(path)
    phrases: dict[str, None] = {}
    for number, phrase in phrase_lines(path, limits):
        if not phrase:
            continue
        if REPLACED in phrase:
            raise BadRecord(f"line {number} of {path.name} has damaged characters: {phrase:.60}", "save it as UTF-8")
        if len(phrase) > LONGEST or not any(map(str.isalnum, phrase)):
            raise BadRecord(
                f"line {number} of {path.name} is not a phrase: {phrase:.60}", "expected one phrase per line"
            )
        phrases[phrase] = None
    if not phrases:
        raise EmptyInput(f"{path.name} holds no phrases", _EXPECTED)
    return tuple(phrases)


def phrase_lines(path: Path, limits: Limits) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line of a list of phrases, its white space made single blanks.

    Raises:
        UnreadableInput, UnsupportedFormat: as for ``read_phrases``.
    """
    try:
        text, _ = decode(bytes_of(path, path.name, limits), path.name)
    except MissingData as error:
        hint = error.hint if error.hint.startswith("did you mean") else f"{_EXPECTED}; in Python also a list of phrases"
        raise UnreadableInput(error.message, hint) from error
    text = text.removeprefix("\ufeff")
    check_plain(text, path)
    for number, line in enumerate(text.splitlines(), start=1):
        yield number, " ".join(line.split())


def check_plain(text: str, path: Path) -> None:
    """Check that a text can be a list of phrases.

    Raises:
        UnsupportedFormat: by its name or its first lines it is in a format of vocabularies, or a table.
    """
    kind = _BY_ENDING.get(path.suffix.lower())
    kind = kind or next((name for pattern, name in _BY_CONTENT if pattern.match(text)), None)
    if kind:
        raise UnsupportedFormat(f"{path.name} is {kind}, not a list of phrases", _LABELS)
    if columns := _columns(text, path):
        names = shortened(", ".join(cell.strip(' "') for cell in columns))
        hint = f"{_EXPECTED}: save the column with the labels alone, or make an index of it: {_BUILD}"
        raise UnsupportedFormat(f"{path.name} is a table with the columns {names}, not a list of phrases", hint)


def _columns(text: str, path: Path) -> list[str]:
    """Return the cells of a table's first line; none for a list.

    Commas and semicolons also occur in phrases, such as *heart, artificial*: they make a table only where the file is
    named like one, or its first line names usual columns.
    """
    lines = [line for line in text.splitlines() if line.strip()][:_SAMPLE]
    is_named = path.suffix.lower() in {".csv", ".tsv", ".tab"}
    for separator in "\t;,":
        counts = {line.strip("\r\n").count(separator) for line in lines}
        if not lines or min(counts) < 1:
            continue
        cells = lines[0].split(separator)
        heads = {re.sub(r"[^a-z]", "", cell.lower()) for cell in cells}
        if is_named or heads & _HEADS or (separator == "\t" and len(counts) == 1):
            return cells
    return []
