"""Answers and gold as scorers read them, and the line files of SemEval-2010 Task 5 that hold either.

A line is ``id : phrase,phrase,...``. The official scorer compares bytes: lines are decoded as UTF-8 with
``surrogateescape``, so that comparing strings compares bytes, in any encoding.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final, TypeVar

from keywright.core.documents import AnalysedDocument, Document, LabelledDocument
from keywright.core.errors import MissingData
from keywright.core.predictions import Run
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ByteMarks, Write
from keywright.reading.limits import Limits
from keywright.text.stems import semeval_stem

SEPARATOR: Final = " : "
DEPTH: Final = 15  # number of phrases that the task asked for and its scorer reads
_BYTE_ORDER_MARK: Final = "\ufeff"
_BREAKS: Final = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Ranked lists as a scorer reads them."""

    run: str  # signature of the run, or of the bytes of a file
    lists: dict[str, tuple[str, ...]]  # phrases by document id, best first
    lines: int  # lines of the file, valid or not; documents of a native run
    repeated: int = 0  # how many answers were replaced by a later one for the same document
    failed: tuple[str, ...] = ()  # ids of documents on which the system failed
    warnings: tuple[str, ...] = ()  # changes made while reading


def read_answer_lines(data: bytes, marks: ByteMarks) -> tuple[list[tuple[str, tuple[str, ...]]], tuple[str, ...]]:
    """Return the id and the comma-separated pieces of each line, and warnings; blanks are part of a piece.

    Only line feeds end lines. A line is split at every ``" : "``: id, list, and further pieces, which are dropped, as
    are trailing empty pieces of a list.
    """
    text = data.decode("utf-8", "surrogateescape")
    warnings: tuple[str, ...] = ()
    if marks is ByteMarks.STRIPPED:
        text, warnings = _strip_marks(text)
    lines = []
    for line in text.removesuffix("\n").split("\n") if text else ():
        name, *rest = line.split(SEPARATOR)
        pieces = rest[0].rstrip(",") if rest else ""
        lines.append((name, tuple(pieces.split(",")) if pieces else ()))
    return lines, warnings


def parse_answers(data: bytes, marks: ByteMarks) -> Answers:
    """Parse an answer file; a repeated id replaces the earlier list."""
    lines, warnings = read_answer_lines(data, marks)
    lists = dict(lines)
    run = f"answers|sha256:{hashlib.sha256(data).hexdigest()[:8]}"
    return Answers(run, lists, len(lines), len(lines) - len(lists), warnings=warnings)


def write_answers(run: Run, write: Write) -> Answers:
    """Pass the surface forms of a native run through a format's writer."""
    lists = {prediction.document_id: write(prediction.texts) for prediction in run.predictions}
    count = len(run.predictions)
    return Answers(run.system, lists, count, count - len(lists), tuple(failure.document_id for failure in run.failures))


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
        plain = (" ".join(part for part in stem.split(" ") if part != ":") for stem in stems)
        return tuple(dict.fromkeys(filter(None, plain)))[: self.depth]


semeval_line: Final = SemevalLine()


def _strip_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """Strip a byte order mark and carriage returns at line ends; return warnings as well."""
    warnings = []
    if text.startswith(_BYTE_ORDER_MARK):
        text = text.removeprefix(_BYTE_ORDER_MARK)
        warnings.append("a byte order mark was stripped")
    if "\r" in text and (ends := text.count("\r\n") + text.endswith("\r")):
        text = text.replace("\r\n", "\n").removesuffix("\r")
        warnings.append(f"a carriage return was stripped from {ends} line ends")
    return text, tuple(warnings)


D = TypeVar("D", Document, AnalysedDocument)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """The gold of one document: for each entry its alternatives, in the collection's order, repeats kept."""

    id: str
    entries: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class GoldSet:
    """The gold of one kind (``author``, ``reader``, ``combined``, ``uncontr`` ...) for a collection."""

    by: str
    documents: tuple[GoldDocument, ...]

    @cached_property
    def fingerprint(self) -> str:
        """First digits of the SHA-256 over ids and entries."""
        content = repr([(document.id, document.entries) for document in self.documents])
        return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def make_gold_sets(labelled: Iterable[LabelledDocument[D]], kinds: Sequence[str] = ()) -> tuple[GoldSet, ...]:
    """Build gold sets of the given kinds, or of all in first order; a document without gold has no entries."""
    documents = tuple(labelled)
    sets = []
    for by in kinds or dict.fromkeys(gold.by for document in documents for gold in document.gold):
        entries = ((each.id, tuple(gold.forms for gold in each.given_by(by))) for each in documents)
        sets.append(GoldSet(by, tuple(GoldDocument(*each) for each in entries)))
    return tuple(sets)


def select_texts(protocol: Protocol, labelled: Iterable[LabelledDocument[Document]]) -> dict[str, str] | None:
    """Return the texts, by id, in which a protocol looks for present phrases; None where it needs none."""
    if not protocol.needs_texts:
        return None
    texts = ((document.id, protocol.text(document.document)) for document in labelled)
    return {name: text for name, text in texts if text.strip()}


SEMEVAL_KINDS: Final = ("author", "reader", "combined")


def read_semeval_gold_kind(folder: Path, kind: str, marks: ByteMarks) -> GoldSet:
    """Read gold of one kind: ``test.KIND.final``, as the official script requires, or else ``test.KIND.stem.final``."""
    names = f"test.{kind}.final", f"test.{kind}.stem.final"
    file = next((folder / name for name in names if (folder / name).is_file()), None)
    if file is None:
        message = f"no {kind} gold in {folder}: neither {names[0]} nor {names[1]}"
        raise MissingData(message, "name the folder with the three gold files of the task")
    return parse_semeval_gold(read_limited_file(file), kind, marks)


def parse_semeval_gold(data: bytes, kind: str, marks: ByteMarks) -> GoldSet:
    """Parse gold of one kind; every line is a document, even with a repeated id, as the official script has it.

    An entry with a plus sign has two forms or more; the second is empty where it is missing.
    """
    documents = []
    for name, entries in read_answer_lines(data, marks)[0]:
        alternatives = []
        for entry in entries:
            first, *rest = entry.rstrip("+").split("+")
            alternatives.append((first, *(rest or [""])) if "+" in entry else (entry,))
        documents.append(GoldDocument(name, tuple(alternatives)))
    return GoldSet(kind, tuple(documents))


def read_limited_file(file: Path) -> bytes:
    """Read a file."""
    Limits().check_file(file.stat().st_size, str(file))
    return file.read_bytes()
