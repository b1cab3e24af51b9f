"""Answer lines, the format of SemEval-2010 Task 5: ``id : phrase,phrase,...``, one document per line.

The official scorer compares bytes. Lines are decoded as UTF-8 with ``surrogateescape``, which maps different bytes to
different strings, so that comparing strings compares bytes, in any encoding.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from keywright.core.errors import BadRecord
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.rules import ByteMarks, Write
from keywright.text.stems import semeval_stem

SEPARATOR: Final = " : "
DEPTH: Final = 15
"""Number of phrases that the task asked for and its scorer reads."""
_BYTE_ORDER_MARK: Final = "\ufeff"
_BREAKS: Final = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Ranked lists as a scorer reads them.

    Attributes:
        run: signature of the run, or of the bytes of a file.
        lists: phrases by document id, best first.
        lines: lines of the file, valid or not; documents of a native run.
        repeated: how many answers were replaced by a later one for the same document.
        failed: ids of documents on which the system failed.
        warnings: changes made while reading.
    """

    run: str
    lists: dict[str, tuple[str, ...]]
    lines: int
    repeated: int = 0
    failed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_lines(data: bytes, marks: ByteMarks) -> tuple[list[tuple[str, tuple[str, ...]]], tuple[str, ...]]:
    """Return the id and the comma-separated pieces of each line, and warnings.

    Only line feeds end lines. A line is split at every ``" : "``: the first piece is the id, the second the list;
    further pieces are dropped, and so are trailing empty pieces of a list. Blanks are part of a piece.
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
    """Parse an answer file; a repeated id replaces the earlier list."""
    lines, warnings = read_lines(data, marks)
    lists = dict(lines)
    run = f"answers|sha256:{hashlib.sha256(data).hexdigest()[:8]}"
    return Answers(run, lists, len(lines), len(lines) - len(lists), warnings=warnings)


def written(run: Run, write: Write) -> Answers:
    """Pass the surface forms of a native run through a format's writer."""
    lists = {prediction.document_id: write(prediction.texts) for prediction in run.predictions}
    count = len(run.predictions)
    failed = tuple(failure.document_id for failure in run.failures)
    return Answers(run.system, lists, count, count - len(lists), failed)


@dataclass(frozen=True, slots=True)
class SemevalLine:
    """Surface forms as the task requires: stemmed, no comma, no repeats, at most ``depth`` per document.

    Commas and white space become one blank, and so does a colon between blanks, which would split the line. Phrases
    that are empty then, or have the stems of a better ranked phrase, take no rank.
    """

    depth: int = DEPTH

    name: ClassVar[str] = "semeval_line"

    def __call__(self, phrases: Sequence[str]) -> tuple[str, ...]:
        """Return the answers for one document, best first."""
        stems = (semeval_stem(_BREAKS.sub(" ", phrase).strip()) for phrase in phrases)
        plain = (_without_separator(stem) for stem in stems)
        return tuple(dict.fromkeys(filter(None, plain)))[: self.depth]


semeval_line: Final = SemevalLine()


def answer_lines(run: Run, write: Write = semeval_line) -> bytes:
    """Write a native run as an answer file; documents that failed have no line."""
    return b"".join(_line(prediction, write) for prediction in run.predictions)


def _line(prediction: Prediction, write: Write) -> bytes:
    line = f"{prediction.document_id}{SEPARATOR}{','.join(write(prediction.texts))}"
    if "\n" in line or _parsed(line)[0] != prediction.document_id:
        message = f"the id {prediction.document_id!r} cannot be written in an answer line"
        raise BadRecord(message, "expected an id without line breaks and without a colon between blanks")
    return line.encode("utf-8", "surrogateescape") + b"\n"


def _parsed(line: str) -> tuple[str, tuple[str, ...]]:
    name, *rest = line.split(SEPARATOR)
    pieces = rest[0].rstrip(",") if rest else ""
    return name, tuple(pieces.split(",")) if pieces else ()


def _stripped(text: str) -> tuple[str, tuple[str, ...]]:
    """Strip a byte order mark and carriage returns at line ends; return warnings as well."""
    warnings = []
    if text.startswith(_BYTE_ORDER_MARK):
        text = text.removeprefix(_BYTE_ORDER_MARK)
        warnings.append("a byte order mark was stripped")
    if "\r" in text and (ends := text.count("\r\n") + text.endswith("\r")):
        text = text.replace("\r\n", "\n").removesuffix("\r")
        warnings.append(f"a carriage return was stripped from {ends} line ends")
    return text, tuple(warnings)


def _without_separator(phrase: str) -> str:
    """Replace each colon between blanks by a blank."""
    return " ".join(part for part in phrase.split(" ") if part != ":")
