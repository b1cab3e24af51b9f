"""Answer lines, the format of SemEval-2010 Task 5: ``id : phrase,phrase,...``, one document a line.

The official scorer compares bytes. Lines are decoded as UTF-8 with ``surrogateescape``, which maps different bytes to
different strings, so that comparing the strings is comparing the bytes, whatever the encoding was.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from keywright.core.errors import BadRecord
from keywright.core.predictions import Prediction
from keywright.core.runs import Run
from keywright.evaluation.rules import ByteMarks, Write
from keywright.text.stems import semeval_stem

SEPARATOR: Final = " : "
DEPTH: Final = 15
"""Phrases that the task asked for, and that its scorer reads."""

_BYTE_ORDER_MARK: Final = "\ufeff"
_BREAKS: Final = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Ranked lists as a scorer takes them.

    Attributes:
        run: signature of the run, or of the bytes of a file.
        lists: phrases by document id, best first.
        lines: lines of the file, whatever they hold; documents of a native run.
        repeated: how many answers were replaced by a later one for the same document.
        failed: ids of documents that the system could not do.
        warnings: what was changed while reading.
    """

    run: str
    lists: dict[str, tuple[str, ...]]
    lines: int
    repeated: int = 0
    failed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_lines(data: bytes, marks: ByteMarks) -> tuple[list[tuple[str, tuple[str, ...]]], tuple[str, ...]]:
    """Ids with their comma-separated pieces, one for each line, and what was stripped.

    Only line feeds end lines. A line is cut at every ``" : "``: the first piece is the id, the second the list, further
    ones are dropped. Trailing empty pieces of a list vanish; leading and inner ones stay. Blanks are part of a piece.
    """
    text = data.decode("utf-8", "surrogateescape")
    warnings: tuple[str, ...] = ()
    if marks is ByteMarks.STRIPPED:
        text, warnings = _stripped(text)
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [_parsed(line) for line in lines], warnings


def parse_answers(data: bytes, marks: ByteMarks) -> Answers:
    """The answers of a file; an id that comes again replaces the earlier list."""
    lines, warnings = read_lines(data, marks)
    lists = dict(lines)
    run = f"answers|sha256:{hashlib.sha256(data).hexdigest()[:8]}"
    return Answers(run, lists, len(lines), len(lines) - len(lists), warnings=warnings)


def written(run: Run, write: Write) -> Answers:
    """A native run, its surface forms passed through a format's writer."""
    lists = {prediction.document_id: write(prediction.texts) for prediction in run.predictions}
    count = len(run.predictions)
    failed = tuple(failure.document_id for failure in run.failures)
    return Answers(run.system, lists, count, count - len(lists), failed)


@dataclass(frozen=True, slots=True)
class SemevalLine:
    """Surface forms as the task wants them: stemmed, no comma, no repeats, so many a document.

    Commas and white space become one blank, and so does a colon that stands alone, which would cut the line. What is
    empty then, or has the stems of a better ranked phrase, takes no rank.
    """

    depth: int = DEPTH

    name: ClassVar[str] = "semeval_line"

    def __call__(self, phrases: Sequence[str]) -> tuple[str, ...]:
        """Answers for one document, best first, at most ``depth``."""
        stems = (semeval_stem(_BREAKS.sub(" ", phrase).strip()) for phrase in phrases)
        plain = (_without_separator(stem) for stem in stems)
        return tuple(dict.fromkeys(filter(None, plain)))[: self.depth]


semeval_line: Final = SemevalLine()


def answer_lines(run: Run, write: Write = semeval_line) -> bytes:
    """A native run as an answer file; documents that failed have no line.

    Raises:
        BadRecord: an id that would not survive the format.
    """
    return b"".join(_line(prediction, write) for prediction in run.predictions)


def _line(prediction: Prediction, write: Write) -> bytes:
    """One answer line."""
    line = f"{prediction.document_id}{SEPARATOR}{','.join(write(prediction.texts))}"
    if "\n" in line or _parsed(line)[0] != prediction.document_id:
        message = f"the id {prediction.document_id!r} cannot stand in an answer line"
        raise BadRecord(message, "an id holds no line break and no colon between blanks")
    return line.encode("utf-8", "surrogateescape") + b"\n"


def _parsed(line: str) -> tuple[str, tuple[str, ...]]:
    """Id and pieces of one line."""
    name, *rest = line.split(SEPARATOR)
    pieces = rest[0].rstrip(",") if rest else ""
    return name, tuple(pieces.split(",")) if pieces else ()


def _stripped(text: str) -> tuple[str, tuple[str, ...]]:
    """Text without a byte order mark and without carriage returns at line ends, and what was done."""
    warnings = []
    if text.startswith(_BYTE_ORDER_MARK):
        text = text.removeprefix(_BYTE_ORDER_MARK)
        warnings.append("a byte order mark was stripped")
    if "\r" in text and (ends := text.count("\r\n") + text.endswith("\r")):
        text = text.replace("\r\n", "\n").removesuffix("\r")
        warnings.append(f"a carriage return was stripped from {ends} line ends")
    return text, tuple(warnings)


def _without_separator(phrase: str) -> str:
    """The phrase with each colon that stands alone turned into a blank."""
    return " ".join(part for part in phrase.split(" ") if part != ":")
