"""Gold as scorers read it, from labelled documents or files: entries of each document, a set for each kind of gold."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from keywright.core.documents import AnalysedDocument, Document, LabelledDocument
from keywright.core.errors import MissingData
from keywright.evaluation.formats.answers import read_lines
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ByteMarks
from keywright.reading.formats import Limits

D = TypeVar("D", Document, AnalysedDocument)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """The gold of one document: for each entry its alternatives, in the collection's order, repeats kept."""

    id: str
    entries: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class GoldSet:
    """The gold of one kind (``author``, ``reader``, ``combined``, ``uncontr`` ...) for a collection.

    Not slotted, so that its fingerprint is computed once.
    """

    by: str
    documents: tuple[GoldDocument, ...]

    @cached_property
    def fingerprint(self) -> str:
        """First digits of the SHA-256 over ids and entries."""
        content = repr([(document.id, document.entries) for document in self.documents])
        return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def gold_sets(labelled: Iterable[LabelledDocument[D]], kinds: Sequence[str] = ()) -> tuple[GoldSet, ...]:
    """Build gold sets of labelled documents: the given kinds, or all in the order of their first occurrence.

    A document without gold of a kind is in that kind's set, without entries.
    """
    documents = tuple(labelled)
    kinds = tuple(kinds) or tuple(dict.fromkeys(gold.by for document in documents for gold in document.gold))

    def entries(document: LabelledDocument[D], by: str) -> GoldDocument:
        return GoldDocument(document.id, tuple(gold.forms for gold in document.given_by(by)))

    return tuple(GoldSet(by, tuple(entries(document, by) for document in documents)) for by in kinds)


def texts_for(protocol: Protocol, labelled: Iterable[LabelledDocument[Document]]) -> dict[str, str] | None:
    """Return the texts in which a protocol looks for present phrases, by document id; None where it needs none.

    Documents without text are left out.
    """
    if not protocol.needs_texts:
        return None
    texts = ((document.id, protocol.text(document.document)) for document in labelled)
    return {name: text for name, text in texts if text.strip()}


KINDS: Final = ("author", "reader", "combined")


def read_gold(folder: Path, marks: ByteMarks, kinds: tuple[str, ...] = KINDS) -> tuple[GoldSet, ...]:
    """Read the gold sets of a folder; see ``read_gold_file``."""
    return tuple(read_gold_file(folder, kind, marks) for kind in kinds)


def read_gold_file(folder: Path, kind: str, marks: ByteMarks) -> GoldSet:
    """Read gold of one kind: ``test.KIND.final``, as the official script requires, or else ``test.KIND.stem.final``."""
    names = f"test.{kind}.final", f"test.{kind}.stem.final"
    file = next((folder / name for name in names if (folder / name).is_file()), None)
    if file is None:
        message = f"no {kind} gold in {folder}: neither {names[0]} nor {names[1]}"
        raise MissingData(message, "name the folder with the three gold files of the task")
    return parse_gold(limited(file), kind, marks)


def parse_gold(data: bytes, kind: str, marks: ByteMarks) -> GoldSet:
    """Parse gold of one kind.

    Every line is a document, even with a repeated id: the official script scores line by line. An entry with a plus
    sign has two forms or more; the second is empty where it is missing.
    """
    lines, _ = read_lines(data, marks)
    documents = (GoldDocument(name, tuple(map(_alternatives, entries))) for name, entries in lines)
    return GoldSet(kind, tuple(documents))


def limited(file: Path) -> bytes:
    """Read a file."""
    Limits().check_file(file.stat().st_size, str(file))
    return file.read_bytes()


def _alternatives(entry: str) -> tuple[str, ...]:
    if "+" not in entry:
        return (entry,)
    first, *rest = entry.rstrip("+").split("+")
    return (first, *(rest or [""]))
