"""What goes into a reader of foreign runs, and what comes out: shared by all formats."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from keywright.core.documents import Document
from keywright.core.errors import BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.rules import ByteMarks

GOLD = "gold"
"""Kind of gold where a file does not say who gave it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a folder of files, as bytes.

    Attributes:
        name: of the file or folder, for messages.
        data: content of a file, unpacked; empty for a folder.
        members: of a folder, names and contents in the order of names; None for a file.
        marks: what becomes of byte order marks and carriage returns in formats that compare bytes.
    """

    name: str
    data: bytes = b""
    members: tuple[tuple[str, bytes], ...] | None = None
    marks: ByteMarks = ByteMarks.STRIPPED

    @property
    def sha256(self) -> str:
        """First digits of the SHA-256 over the content; for a folder over names and contents."""
        content = self.data if self.members is None else repr(self.members).encode()
        return hashlib.sha256(content).hexdigest()[:8]

    def text(self) -> str:
        """The content as text, without byte order mark, line ends as line feeds.

        Raises:
            BadRecord: it is not UTF-8.
        """
        return decoded(self.data, self.name)

    def lines(self) -> list[str]:
        """Lines of the text; only line feeds end them, and the last one may do without."""
        lines = self.text().split("\n")
        return lines[:-1] if not lines[-1] else lines

    def beginning(self, most: int = 20) -> list[str]:
        """The first lines that are not blank, for recognising; bytes that are no UTF-8 stand as marks."""
        if self.members is not None:
            return []
        found: list[str] = []
        start = 0
        while len(found) < most and start < len(self.data):
            end = self.data.find(b"\n", start)
            end = len(self.data) if end < 0 else end
            line = self.data[start:end].decode("utf-8", "replace").removeprefix("\ufeff").strip("\r")
            found += [line] if line.strip() else []
            start = end + 1
        return found


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """What a file of predictions holds.

    Attributes:
        form: name of the format.
        predictions: a run where lists hold surface forms, which pass through a protocol's writer; answers where they
            are taken as they are.
        notes: what was left out or looks odd, for people.
        numbered: whether ids are only numbers of lines, ``"1"`` the first.
        labelled: texts and gold that the file brings along; empty where it has none.
        stemmed: whether that gold is stems, which must not be stemmed again.
    """

    form: str
    predictions: Run | Answers
    notes: tuple[str, ...] = ()
    numbered: bool = False
    labelled: tuple[LabelledDocument[Document], ...] = ()
    stemmed: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A format of runs.

    Attributes:
        name: what ``--run-format`` takes.
        what: for listings.
        recognise: whether content looks like it.
        read: the lists; raises ``BadRecord`` with the line where the format is broken.
    """

    name: str
    what: str
    recognise: Callable[[Source], bool]
    read: Callable[[Source], LoadedRun]


def decoded(data: bytes, name: str) -> str:
    """Text of bytes, without byte order mark, line ends as line feeds.

    Raises:
        BadRecord: they are not UTF-8.
    """
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        message = f"{name} is not valid UTF-8: {error.reason} at byte {error.start}"
        raise BadRecord(message, "save it as UTF-8, such as with `iconv -f latin1 -t utf-8`") from None


def run_of(source: Source, form: str, lists: Iterable[tuple[str, Sequence[tuple[str, float]]]]) -> Run:
    """A run of surface forms; an id that comes again stays, so that scoring counts it.

    Args:
        source: the file, for the signature.
        form: name of the format, which stands in the signature.
        lists: for each document its id and its phrases with scores, best first.
    """
    predictions = tuple(
        Prediction(name, tuple(Keyphrase(text, score) for text, score in phrases)) for name, phrases in lists
    )
    return Run(system=f"{form}|sha256:{source.sha256}", data="", analyser="", predictions=predictions)


def ranked(phrases: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Phrases of a list without scores, best first: the score is minus the rank."""
    return tuple((phrase, float(-rank)) for rank, phrase in enumerate(phrases, start=1))


def some(count: int, what: str) -> tuple[str, ...]:
    """A note if there is anything to note: ``3 lines are empty``."""
    return (f"{count} {what}",) if count else ()
