"""Input and output of the readers of run files, shared by all formats; and what a caller says about a file's layout."""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import Answers
from keywright.evaluation.rules import ByteMarks

_ESCAPES: Final = {"\\t": "\t", "\\n": "\n", "tab": "\t"}


@dataclass(frozen=True, slots=True)
class Layout:
    r"""A format and names of fields; None for what is recognised.

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
        return self.separator if self.separator is None else _ESCAPES.get(self.separator, self.separator)


def layout_of(form: str | Layout | None) -> Layout:
    """Return a layout from the name of a format; a layout unchanged."""
    return form if isinstance(form, Layout) else Layout(form)


_NOTHING_SAID = Layout()
PREDICTIONS = "the predictions"
GOLD = "gold"
"""Kind of gold in files that do not name one."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a folder of files, as bytes.

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
    layout: Layout = _NOTHING_SAID

    @property
    def sha256(self) -> str:
        """First digits of the SHA-256 over the content; for a folder over names and contents."""
        content = self.data if self.members is None else repr(self.members).encode()
        return hashlib.sha256(content).hexdigest()[:8]

    def text(self) -> str:
        """Decode the content; raises as ``decoded`` does."""
        return decode(self.data, self.name)

    def lines(self) -> list[str]:
        """Split the text into lines at line feeds; the last one is optional."""
        lines = self.text().split("\n")
        return lines[:-1] if not lines[-1] else lines

    def beginning(self, most: int = 20) -> list[str]:
        """Return the first lines that are not blank, to recognise a format; invalid UTF-8 is replaced."""
        if self.members is not None:
            return []
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
class RunFormat:
    """A format of runs.

    Attributes:
        name: value of ``--run-format``.
        recognise: test whether content has this format.
        read: reader; raises ``BadRecord`` with the line where the format is broken.
    """

    name: str
    what: str
    recognise: Callable[[Source], bool]
    read: Callable[[Source], LoadedRun]


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


def make_run(source: Source, form: str, lists: Iterable[tuple[str, Sequence[tuple[str, float]]]]) -> Run:
    """Build a run of surface forms; a repeated id is kept, so that scoring counts it."""
    predictions = tuple(
        Prediction(name, tuple(Keyphrase(text, score) for text, score in phrases)) for name, phrases in lists
    )
    return Run(system=f"{form}|sha256:{source.sha256}", data="", analyser="", predictions=predictions)


def rank_phrases(phrases: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Score phrases of a list without scores, best first, by minus the rank."""
    return tuple((phrase, float(-rank)) for rank, phrase in enumerate(phrases, start=1))


def label_document(document: Document, phrases: Iterable[str]) -> LabelledDocument[Document]:
    """Label a document with gold phrases of an unnamed kind."""
    return LabelledDocument(document, tuple(GoldKeyphrase((phrase,), GOLD) for phrase in phrases))


def count_note(count: int, what: str) -> tuple[str, ...]:
    """Return a note if there is anything to report: ``3 lines are empty``."""
    return (f"{count} {what}",) if count else ()


def note_empty_lists(run: Run) -> tuple[str, ...]:
    """Return a note on documents with an empty list."""
    return count_note(sum(not prediction.keyphrases for prediction in run.predictions), "documents have no predictions")
