"""Acquainting the default extractor with unlabelled documents: how rare phrases are among them, and nothing else."""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import EmptyInput
from keywright.core.interfaces import Analyser
from keywright.core.runs import Failure
from keywright.core.signatures import signature
from keywright.core.version import VERSION
from keywright.corpus.labelled import text_key
from keywright.systems.default import Default

LEAST: Final = 2
"""Documents from which on frequencies say anything."""
PROBABILITIES: Final = "adapted: not recalibrated; they stay those of the trees as they were trained"


@dataclass(frozen=True, slots=True)
class Acquainted:
    """An extractor with document frequencies of one's own documents.

    Attributes:
        system: the extractor.
        documents: how many were counted.
        repeats: documents with the text of an earlier one, which were not counted again.
        failures: what could not be read.
        phrases: distinct phrases and words whose frequency is known now, and before.
        languages: documents by language.
        texts: start of a SHA-256 over the texts, whatever their order.
    """

    system: Default
    documents: int
    repeats: int
    failures: tuple[Failure, ...]
    phrases: tuple[int, int]
    languages: Mapping[str, int]
    texts: str

    def card(self) -> dict[str, Any]:
        """How it was made, for the folder it is saved in."""
        return {
            "system": signature(self.system),
            "adapted": "document frequencies",
            "documents": self.documents,
            "languages": dict(self.languages),
            "texts": self.texts,
            "phrases": self.phrases[0],
            "phrases before": self.phrases[1],
            "probabilities": PROBABILITIES,
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
            "keywright": VERSION,
        }


def acquaint(
    system: Default,
    documents: Iterable[Document | Failure],
    analyser: Analyser,
    progress: Callable[[int], None] | None = None,
) -> Acquainted:
    """The extractor with the document frequencies of these documents added to those it has.

    Args:
        system: the default extractor, as it ships or adapted already.
        documents: as they are read; equal texts count once.
        analyser: makes columns of them.
        progress: told how many are done.

    Raises:
        EmptyInput: fewer than two different documents with words in them.
    """
    seen: set[int] = set()
    failures: list[Failure] = []
    languages: Counter[str] = Counter()
    repeats = 0

    def analysed() -> Iterator[AnalysedDocument]:
        nonlocal repeats
        for number, given in enumerate(documents, start=1):
            if progress:
                progress(number)
            if isinstance(given, Failure):
                failures.append(given)
                continue
            document = analyser.analyse(given)
            if (text := text_key(document)) in seen:
                repeats += 1
                continue
            seen.add(text)
            languages[document.source.language or "unknown"] += 1
            yield document

    known_before = len(system.knowledge.background)
    fitted = system.acquainted(analysed())
    if len(seen) < LEAST:
        raise EmptyInput(_too_few(len(seen), repeats, failures), "name a folder with more documents")
    digest = hashlib.sha256(b"".join(one.to_bytes(8, "little") for one in sorted(seen))).hexdigest()[:16]
    counts = (len(fitted.knowledge.background), known_before)
    return Acquainted(fitted, len(seen), repeats, tuple(failures), counts, dict(languages), digest)


def _too_few(different: int, repeats: int, failures: list[Failure]) -> str:
    """Why nothing can be counted."""
    found = f"{different} different documents with text, frequencies need at least {LEAST}"
    if repeats:
        found += f"; {repeats} repeat the text of another"
    if failures:
        found += f"; {len(failures)} cannot be read: {failures[0].document_id}: {failures[0].message}"
    return found
