"""Files of phrases and of labels, one a line or a column of a table.

Vocabularies in other formats are recognised and refused, never read as if plain. Labels that are left out are counted.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from keywright.core.errors import BadParameter, BadRecord, EmptyInput, MissingData, UnreadableInput, UnsupportedFormat
from keywright.core.word_lists import read_pairs, read_sections
from keywright.reading.encodings import REPLACED, decode
from keywright.reading.file_names import read_bytes, shorten
from keywright.reading.limits import Limits
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.reading.tables.files import open_table, table_format
from keywright.reading.tables.rows import Rows, check_column, columns_there

LONGEST: Final = 200  # characters of a phrase; a longer line is a paragraph. Arbitrary
_SAMPLE: Final = 50  # lines that show columns; arbitrary
_EXPECTED: Final = "expected plain text, one phrase per line"
_BUILD: Final = "keywright vocabulary build FILE --label-column NAME -o DIR"
_LABELS: Final = f"{_EXPECTED}; of a thesaurus in SKOS `keywright vocabulary build FILE -o DIR` makes an index"
_BY_ENDING: Final = read_pairs("reading/file_types.txt", "VOCABULARIES")
_BY_CONTENT: Final = (
    (re.compile(r"(?:\s|#.*\n)*(?:@prefix|@base|prefix\s+\S*:\s*<|base\s+<)", re.IGNORECASE), "Turtle"),
    (re.compile(r"(?:\s|#.*\n)*<[^<>\s]+>\s+(?:a|<[^<>\s]+>)\s"), "N-Triples or Turtle"),
    (re.compile(r"\s*<(?:\?xml|!DOCTYPE|[\w.-]+(?::[\w.-]+)?[\s>])", re.IGNORECASE), "XML, such as RDF and MARC"),
    (re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\"\[{])"), "JSON"),
)
_WORDS: Final = read_sections("reading/file_types.txt")
_HEADS, _LABEL_HEADS = frozenset(_WORDS["HEADS"].split()), frozenset(_WORDS["LABEL_HEADS"].split())
"""Names of columns in lists of terms, and of labels."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")  # stand-ins for bytes that are not in a table's encoding

EMPTY: Final = "empty"
REPEATED: Final = "there before"
SIGNS: Final = "without letter or digit"
LONG: Final = f"longer than {LONGEST} characters"
DAMAGED: Final = "with damaged characters"
UNREADABLE: Final = "in rows that cannot be read"
REFUSED: Final = frozenset({SIGNS, LONG, DAMAGED, UNREADABLE})
"""Reasons that something may be wrong; empty lines and repeated labels are usual."""


def read_phrases(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the phrases of a file, in order, each once; empty lines are skipped.

    Raises UnreadableInput, or a subclass: it cannot be read; UnsupportedFormat: a vocabulary in another format, or a
    table; EmptyInput: no phrase; BadRecord: a line has damaged characters, neither letter nor digit, or more than 200
    characters.
    """
    path = Path(path)
    phrases: dict[str, None] = {}
    for number, phrase in _phrase_lines(path, limits):
        if not phrase:
            continue
        if REPLACED in phrase:
            raise BadRecord(f"line {number} of {path.name} has damaged characters: {phrase:.60}", "save it as UTF-8")
        if len(phrase) > LONGEST or not any(map(str.isalnum, phrase)):
            message = f"line {number} of {path.name} is not a phrase: {phrase:.60}"
            raise BadRecord(message, "expected one phrase per line")
        phrases[phrase] = None
    if not phrases:
        raise EmptyInput(f"{path.name} holds no phrases", _EXPECTED)
    return tuple(phrases)


def _phrase_lines(path: Path, limits: Limits) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line of a list of phrases, its white space made single blanks."""
    try:
        text, _ = decode(read_bytes(path, path.name, limits), path.name)
    except MissingData as error:
        hint = error.hint if error.hint.startswith("did you mean") else f"{_EXPECTED}; in Python also a list of phrases"
        raise UnreadableInput(error.message, hint) from error
    text = text.removeprefix("\ufeff")
    check_plain(text, path)
    for number, line in enumerate(text.splitlines(), start=1):
        yield number, " ".join(line.split())


def check_plain(text: str, path: Path) -> None:
    """Check that a text can be a list of phrases."""
    kind = _BY_ENDING.get(path.suffix.lower())
    kind = kind or next((name for pattern, name in _BY_CONTENT if pattern.match(text)), None)
    if kind:
        raise UnsupportedFormat(f"{path.name} is {kind}, not a list of phrases", _LABELS)
    if columns := _columns(text, path):
        names = shorten(", ".join(cell.strip(' "') for cell in columns))
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


@dataclass(slots=True)
class LabelsRead:
    """Labels in order, each once, and what was left out; ``notes``: decisions of the reader that people should know."""

    labels: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)  # how many by reason, see the constants above
    first: dict[str, str] = field(default_factory=dict)  # the first place of each reason, such as ``terms.txt:17``
    notes: tuple[str, ...] = ()

    @property
    def refused(self) -> int:
        """Number of labels that may be wrong."""
        return sum(self.left_out.get(reason, 0) for reason in REFUSED)

    def add(self, text: str, place: str, problem: str = "") -> None:
        """Add a label, its white space made single blanks, or count why it is left out."""
        label = " ".join(text.split())
        reason = problem or problem_of(label) or (REPEATED if label in self.labels else "")
        if not reason:
            self.labels[label] = None
            return
        self.left_out[reason] = self.left_out.get(reason, 0) + 1
        self.first.setdefault(reason, place)


def read_labels(path: Path, column: str | None = None, limits: Limits = DEFAULT_LIMITS) -> LabelsRead:
    """Return the labels of a text file, one per line, or of one column of a table, which is one by its ending.

    ``column``: None takes the only column, or the only one with a usual name. Raises UnreadableInput, or a subclass;
    BadParameter: a column of no table, or of several none is named; UnknownName: no such column; EmptyInput: no labels.
    """
    read = LabelsRead()
    if table_format(path.name) is not None:
        table = open_table(path, path.name, limits)
        name = _label_column(table, column)
        read.notes = (*table.notes, *(() if column else (f"{path.name}: labels are read from the column {name!r}",)))
        for row in table.rows:
            cell = row.cells.get(name)
            read.add("" if cell is None else str(cell), row.place, UNREADABLE if row.problem else "")
    elif column is not None:
        raise BadParameter(f"a column for {path.name}, which is not a table", "leave the column out, or name a table")
    else:
        for number, line in _phrase_lines(path, limits):
            read.add(line, f"{path.name}:{number}")
    if not read.labels:
        raise EmptyInput(f"{path.name} holds no labels", "expected one label per line, or in one column of a table")
    return read


def collect_labels(texts: Iterable[str]) -> LabelsRead:
    """Return the labels of some texts."""
    read = LabelsRead()
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise BadParameter(f"label {number} is a value of type {type(text).__name__}", "expected texts")
        read.add(text, f"label {number}")
    if not read.labels:
        raise EmptyInput("there are no labels", "expected at least one with a letter or digit")
    return read


def _label_column(table: Rows, column: str | None) -> str:
    if column is not None:
        check_column(column, table)
        return column
    usual = [name for name in table.columns if name.strip().casefold().replace("_", "") in _LABEL_HEADS]
    candidates = usual if len(table.columns) > 1 else list(table.columns)
    if len(candidates) != 1:
        hint = f"name it: --label-column NAME, or column=...; {columns_there(table.columns)}"
        raise BadParameter(f"{table.name} is a table, and several columns can hold the labels", hint)
    return candidates[0]


def problem_of(label: str) -> str:
    """Return why a text is not a label; empty if it is one."""
    if not label:
        return EMPTY
    if not label.isascii() and (REPLACED in label or _SURROGATE.search(label)):
        return DAMAGED
    if len(label) > LONGEST:
        return LONG
    return "" if label[0].isalnum() or any(map(str.isalnum, label)) else SIGNS


_MERGE_COLUMNS: Final = ("form", "phrase")


def read_merges(source: str | Path | Mapping[str, str]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return forms with the phrases that they are shown as, and warnings; an empty phrase drops its form.

    ``source``: a table with the columns *form* and *phrase*, or phrases by form. Forms are compared without case. The
    first of rows that contradict each other counts, and warnings name the others.
    """
    if isinstance(source, Mapping):
        return resolve_merges((f"form {form!r}", form, phrase or "") for form, phrase in source.items())
    table = open_table(Path(source), Path(source).name, DEFAULT_LIMITS)
    for column in _MERGE_COLUMNS:
        check_column(column, table)
    skipped, cells = list[str](), list[tuple[str, str, str]]()
    for row in table.rows:
        form, phrase = (" ".join(str(row.cells.get(name) or "").split()) for name in _MERGE_COLUMNS)
        if row.problem or problem_of(form) or (phrase and problem_of(phrase)):
            skipped.append(f"{row.place} is left out: {row.problem or f'{form or phrase!r:.60} is not a phrase'}")
        else:
            cells.append((row.place, form, phrase))
    merges, warnings = resolve_merges(cells)
    return merges, (*skipped, *warnings)


def resolve_merges(rows: Iterable[tuple[str, str, str]]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return forms with their last phrases, and warnings; ``rows``: place, form, phrase."""
    chosen: dict[str, tuple[str, str, str]] = {}
    warnings = []
    for place, form, phrase in rows:
        first = chosen.setdefault(form.casefold(), (place, form, phrase))
        if first[2] != phrase:
            warnings.append(f"{place} contradicts {first[0]}: {form!r} stays under {first[2]!r}, not {phrase!r}")
    merges = []
    for form, (place, written, first_phrase) in chosen.items():
        phrase, path = first_phrase, [form]
        while (after := phrase.casefold()) in chosen and after not in path:
            path.append(after)
            phrase = chosen[after][2]
        if after in path and after != path[-1]:
            warnings.append(f"{place} is left out: {' > '.join((*path, after))} goes round in a circle")
            continue
        if phrase != first_phrase and after != path[1]:
            warnings.append(f"{place}: {written!r} goes under {phrase!r}, where {first_phrase!r} goes as well")
        merges.append((written, phrase))
    return tuple(merges), tuple(warnings)
