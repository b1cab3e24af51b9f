"""The one flow of run files, shared by all formats: a ``Source`` is recognised and read into predictions or gold.

A format is a ``RunFormat`` in a module of this room, and a line of ``reading.FORMS``.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import Answers
from keywright.evaluation.rules import ByteMarks

GOLD: Final = "gold"  # kind of gold in files that do not name one
_ESCAPES: Final = {"\\t": "\t", "\\n": "\n", "tab": "\t"}
_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(\S?)\s*(\S?)")


@dataclass(frozen=True, slots=True)
class Layout:
    r"""A format and names of fields, as the caller says them; None for what is recognised."""

    form: str | None = None  # name of a format of runs
    id_field: str | None = None  # key or column of the documents' ids
    phrases_field: str | None = None  # key or column of the phrases
    separator: str | None = None  # text between the phrases of one value; ``\t`` and ``\n`` are a tab and a line end

    @property
    def between(self) -> str | None:
        """The separator with escapes replaced; None where it is recognised."""
        return None if self.separator is None else _ESCAPES.get(self.separator, self.separator)


LayoutLike: TypeAlias = str | Layout | None  # the name of a format, or more that the caller says


def layout_of(form: LayoutLike) -> Layout:
    """Return a layout from the name of a format; a layout unchanged."""
    return form if isinstance(form, Layout) else Layout(form)


@dataclass(frozen=True)
class Source:
    """A file, or a folder of files, as bytes; not slotted, as its start is looked at by many formats."""

    name: str  # name of the file or folder, for messages
    data: bytes = b""  # unpacked content of a file; empty for a folder
    # Names and contents of a folder's files in the order of names; None for a file.
    members: tuple[tuple[str, bytes], ...] | None = None
    # Treatment of byte order marks and carriage returns in formats that compare bytes.
    marks: ByteMarks = ByteMarks.STRIPPED
    layout: Layout = Layout()  # fields and separators that the caller names

    @property
    def sha256(self) -> str:
        """First digits of the SHA-256 over the content; for a folder over names and contents."""
        content = self.data if self.members is None else repr(self.members).encode()
        return hashlib.sha256(content).hexdigest()[:8]

    @cached_property
    def start(self) -> tuple[bytes, bytes]:
        """The first two bytes that are not white space, without byte order mark; empty where there are none."""
        match = _START.match(self.data)
        return (match[1], match[2]) if match else (b"", b"")

    @cached_property
    def first_record(self) -> Mapping[str, Any]:
        """The JSON object on the first line; empty where there is none."""
        try:
            value = json.loads(next(iter(self.beginning(1)), ""))
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def text(self) -> str:
        """Decode the content; raises as ``decode`` does."""
        return decode(self.data, self.name)

    def lines(self) -> list[str]:
        """Split the text into lines at line feeds; the last one is optional."""
        lines = self.text().split("\n")
        return lines[:-1] if not lines[-1] else lines

    def beginning(self, most: int = 20) -> list[str]:
        """Return the first lines that are not blank, to recognise a format; invalid UTF-8 is replaced."""
        lines: list[str] = []
        start = 0
        while len(lines) < most and start < len(self.data):
            end = self.data.find(b"\n", start)
            end = len(self.data) if end < 0 else end
            line = self.data[start:end].decode("utf-8", "replace").removeprefix("\ufeff").strip("\r")
            lines += [line] if line.strip() else []
            start = end + 1
        return lines


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """Content of a file of predictions."""

    form: str
    # A run where lists hold surface forms, which pass through a protocol's writer; answers are scored as they are.
    predictions: Run | Answers
    notes: tuple[str, ...] = ()  # messages for the user on what was left out or looks odd
    numbered: bool = False  # whether ids are only line numbers, starting at ``"1"``
    # Texts and gold that the file contains; empty where it has none.
    labelled: tuple[LabelledDocument[Document], ...] = ()
    stemmed: bool = False  # whether that gold consists of stems, which must not be stemmed again
    # Ids in the order of the documents, where failures are among them; empty for that of the predictions.
    order: tuple[str, ...] = ()

    def lists(self) -> Iterable[tuple[str, Sequence[str]]]:
        """Return the phrases of each answered document by id."""
        if isinstance(self.predictions, Run):
            return ((each.document_id, each.texts) for each in self.predictions.predictions)
        return self.predictions.lists.items()


@dataclass(frozen=True, slots=True)
class PhraseLists:
    """Phrases by document, as gold, or as predictions before they are known to be such."""

    form: str  # kind of container or file, part of the signature of a run
    # Documents, with empty texts where there are none, and their phrases, best first.
    labelled: tuple[LabelledDocument[Document], ...]
    numbered: bool = False  # whether ids are only positions, from ``"1"``
    notes: tuple[str, ...] = ()  # messages for the user on what was left out or looks odd

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the documents, in order."""
        return tuple(labelled.id for labelled in self.labelled)

    def as_run(self, labelled: tuple[LabelledDocument[Document], ...] = ()) -> LoadedRun:
        """Return the phrases as predictions; raises ``BadRecord`` for phrases of several forms, which only gold has."""
        for document in self.labelled:
            for phrase in document.gold:
                if len(phrase.forms) > 1:
                    message = f"document {document.id!r} has {phrase.forms!r:.80} as one prediction"
                    hint = "only gold has several forms of a phrase: are predictions and gold in each other's place?"
                    raise BadRecord(message, hint)
        lists = [(each.id, tuple(phrase.forms[0] for phrase in each.gold)) for each in self.labelled]
        digest = hashlib.sha256(repr(lists).encode("utf-8", "surrogateescape")).hexdigest()[:8]
        return load_lists(digest, self.form, lists, self.notes, numbered=self.numbered, labelled=labelled, empty=True)


@dataclass(frozen=True, slots=True)
class RunFormat:
    """A format of runs."""

    name: str  # value of ``--run-format``
    # Test whether content has this format; None for one that callers must name.
    recognise: Callable[[Source], bool] | None
    read: Callable[[Source], LoadedRun]  # reader; raises ``BadRecord`` with the line where the format is broken
    # Reader of gold, which may find none; None where the format never holds gold.
    read_gold: Callable[[Source], PhraseLists | None] | None = None
    has_fields: bool = False  # whether the caller may name the fields of ids and phrases
    has_texts: bool = False  # whether the caller may name the separator of phrases in one text


def decode(data: bytes, name: str) -> str:
    """Decode bytes to text without byte order mark, with line ends as line feeds."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        message = f"{name} is not valid UTF-8: {error.reason} at byte {error.start}"
        raise BadRecord(message, "save it as UTF-8, such as with `iconv -f latin1 -t utf-8`") from None


@contextmanager
def locate_errors(where: str, expected: str) -> Iterator[None]:
    """Turn errors of parsing one record into ``BadRecord`` with its place and the expected form."""
    try:
        yield
    except BadRecord:
        raise
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise BadRecord(f"{where}: {reason}", f"expected {expected}") from None


def parse_finite(number: str, column: str) -> float:
    """Parse a finite number."""
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{column} {number!r} is not a finite number, so the phrase has no rank")
    return value


def load_lists(  # noqa: PLR0913 - keywords, the fields of a loaded run
    digest: str,
    form: str,
    lists: Iterable[tuple[str, Iterable[str | tuple[str, float]]]],
    notes: tuple[str, ...] = (),
    *,
    numbered: bool = False,
    labelled: Iterable[LabelledDocument[Document]] = (),
    empty: bool = False,
) -> LoadedRun:
    """Return a run of surface forms by document, best first; a repeated id is kept, so that scoring counts it.

    ``digest``: of the content; ``lists``: phrases, which are scored by minus their rank, or phrases with scores;
    ``empty``: whether a note counts empty lists.
    """
    predictions = []
    for name, phrases in lists:
        scored = ((item, float(-rank)) if isinstance(item, str) else item for rank, item in enumerate(phrases, 1))
        predictions.append(Prediction(name, tuple(Keyphrase(*each) for each in scored)))
    run = Run(f"{form}|sha256:{digest}", "", "", tuple(predictions))
    return LoadedRun(form, run, notes + (note_empty_lists(run) if empty else ()), numbered, tuple(labelled))


def read_as_gold(read: Callable[[Source], LoadedRun]) -> Callable[[Source], PhraseLists | None]:
    """Return the reader of gold in a format of text that is made for predictions; JSON is never such text."""

    def read_gold(source: Source) -> PhraseLists | None:
        if source.data.lstrip()[:1] in (b"{", b"["):
            return None
        loaded = read(source)
        labelled = (label_document(Document(name, ""), phrases) for name, phrases in loaded.lists())
        return PhraseLists(loaded.form, tuple(labelled), loaded.numbered, loaded.notes)

    return read_gold


def label_document(document: Document, phrases: Iterable[str]) -> LabelledDocument[Document]:
    """Label a document with gold phrases of an unnamed kind."""
    return LabelledDocument(document, tuple(GoldKeyphrase((phrase,), GOLD) for phrase in phrases))


def count_note(count: int, what: str) -> tuple[str, ...]:
    """Return a note if there is anything to report: ``3 lines are empty``."""
    return (f"{count} {what}",) if count else ()


def note_empty_lists(run: Run) -> tuple[str, ...]:
    """Return a note on documents with an empty list."""
    return count_note(sum(not prediction.keyphrases for prediction in run.predictions), "documents have no predictions")
