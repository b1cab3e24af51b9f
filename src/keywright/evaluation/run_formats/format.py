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
from typing import Any, Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import Answers
from keywright.evaluation.rules import ByteMarks

PREDICTIONS: Final = "the predictions"
GOLD: Final = "gold"
"""Kind of gold in files that do not name one."""
_ESCAPES: Final = {"\\t": "\t", "\\n": "\n", "tab": "\t"}
_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(\S?)\s*(\S?)")


@dataclass(frozen=True, slots=True)
class Layout:
    r"""A format and names of fields, as the caller says them; None for what is recognised.

    Attributes:
        form: name of a format of runs.
        id_field: key or column of the documents' ids.
        phrases_field: key or column of the phrases.
        separator: text between the phrases of one value; ``\t`` and ``\n`` are a tab and a line end.
    """

    form: str | None = None
    id_field: str | None = None
    phrases_field: str | None = None
    separator: str | None = None

    @property
    def between(self) -> str | None:
        """The separator with escapes replaced; None where it is recognised."""
        return None if self.separator is None else _ESCAPES.get(self.separator, self.separator)


def layout_of(form: str | Layout | None) -> Layout:
    """Return a layout from the name of a format; a layout unchanged."""
    return form if isinstance(form, Layout) else Layout(form)


@dataclass(frozen=True)
class Source:
    """A file, or a folder of files, as bytes; not slotted, as its start is looked at by many formats.

    Attributes:
        name: name of the file or folder, for messages.
        data: unpacked content of a file; empty for a folder.
        members: names and contents of a folder's files in the order of names; None for a file.
        marks: treatment of byte order marks and carriage returns in formats that compare bytes.
        layout: what the caller says about fields and separators.
    """

    name: str
    data: bytes = b""
    members: tuple[tuple[str, bytes], ...] | None = None
    marks: ByteMarks = ByteMarks.STRIPPED
    layout: Layout = Layout()

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

    @property
    def is_text(self) -> bool:
        """True for a file without the byte 0, which text does not have."""
        return self.members is None and b"\0" not in self.data

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
    """Content of a file of predictions.

    Attributes:
        predictions: a run where lists hold surface forms, which pass through a protocol's writer; answers where they
            are scored as they are.
        notes: messages for the user on what was left out or looks odd.
        numbered: whether ids are only line numbers, starting at ``"1"``.
        labelled: texts and gold that the file contains; empty where it has none.
        stemmed: whether that gold consists of stems, which must not be stemmed again.
        order: ids in the order of the documents, where failures are among them; empty for that of the predictions.
    """

    form: str
    predictions: Run | Answers
    notes: tuple[str, ...] = ()
    numbered: bool = False
    labelled: tuple[LabelledDocument[Document], ...] = ()
    stemmed: bool = False
    order: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name for messages."""
        return "the run" if self.form == "keywright" else PREDICTIONS


@dataclass(frozen=True, slots=True)
class PhraseLists:
    """Phrases by document, as gold, or as predictions before they are known to be such.

    Attributes:
        form: kind of container or file, part of the signature of a run.
        labelled: documents, with empty texts where there are none, and their phrases, best first.
        numbered: whether ids are only positions, from ``"1"``.
        notes: messages for the user on what was left out or looks odd.
    """

    form: str
    labelled: tuple[LabelledDocument[Document], ...]
    numbered: bool = False
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the documents, in order."""
        return tuple(labelled.id for labelled in self.labelled)

    def as_run(self, labelled: tuple[LabelledDocument[Document], ...] = ()) -> LoadedRun:
        """Return the phrases as predictions, with the texts and gold that belong to them.

        Raises:
            BadRecord: a phrase has several forms, which only gold has.
        """
        for document in self.labelled:
            for phrase in document.gold:
                if len(phrase.forms) > 1:
                    message = f"document {document.id!r} has {phrase.forms!r:.80} as one prediction"
                    hint = "only gold has several forms of a phrase: are predictions and gold in each other's place?"
                    raise BadRecord(message, hint)
        lists = [(each.id, tuple(phrase.forms[0] for phrase in each.gold)) for each in self.labelled]
        digest = hashlib.sha256(repr(lists).encode("utf-8", "surrogateescape")).hexdigest()
        run = make_run(f"{self.form}|sha256:{digest[:8]}", ((name, rank_phrases(phrases)) for name, phrases in lists))
        return LoadedRun(self.form, run, self.notes + note_empty_lists(run), self.numbered, labelled)


@dataclass(frozen=True, slots=True)
class RunFormat:
    """A format of runs.

    Attributes:
        name: value of ``--run-format``.
        recognise: test whether content has this format; None for one that callers must name.
        read: reader; raises ``BadRecord`` with the line where the format is broken.
        read_gold: reader of gold, which may find none; None where the format never holds gold.
        has_fields: whether the caller may name the fields of ids and phrases.
        has_texts: whether the caller may name the separator of phrases in one text.
    """

    name: str
    recognise: Callable[[Source], bool] | None
    read: Callable[[Source], LoadedRun]
    read_gold: Callable[[Source], PhraseLists | None] | None = None
    has_fields: bool = False
    has_texts: bool = False


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


def load_lists(
    source: Source,
    form: str,
    lists: Iterable[tuple[str, Sequence[tuple[str, float]]]],
    notes: tuple[str, ...] | None = None,
    *,
    numbered: bool = False,
    labelled: Iterable[LabelledDocument[Document]] = (),
) -> LoadedRun:
    """Return a run of scored surface forms by document; a repeated id is kept, so that scoring counts it.

    ``notes``: None for that on empty lists.
    """
    run = make_run(f"{form}|sha256:{source.sha256}", lists)
    return LoadedRun(form, run, note_empty_lists(run) if notes is None else notes, numbered, tuple(labelled))


def make_run(system: str, lists: Iterable[tuple[str, Sequence[tuple[str, float]]]]) -> Run:
    """Build a run of scored surface forms by document."""
    predictions = (Prediction(name, tuple(Keyphrase(*phrase) for phrase in phrases)) for name, phrases in lists)
    return Run(system, data="", analyser="", predictions=tuple(predictions))


def rank_phrases(phrases: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Score phrases of a list without scores, best first, by minus the rank."""
    return tuple((phrase, float(-rank)) for rank, phrase in enumerate(phrases, start=1))


def read_as_gold(read: Callable[[Source], LoadedRun]) -> Callable[[Source], PhraseLists | None]:
    """Return the reader of gold in a format of text that is made for predictions; JSON is never such text."""

    def read_gold(source: Source) -> PhraseLists | None:
        if source.data.lstrip()[:1] in (b"{", b"["):
            return None
        loaded = read(source)
        if not isinstance(loaded.predictions, Run):
            return None
        labelled = (
            label_document(Document(each.document_id, ""), each.texts) for each in loaded.predictions.predictions
        )
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
