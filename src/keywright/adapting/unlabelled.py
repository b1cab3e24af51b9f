"""Acquainting the default extractor with unlabelled documents: how rare phrases are among them, and nothing else."""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from keywright.adapting.languages import in_language_of_most, told
from keywright.candidates.prefilter import usual_candidates
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import EmptyInput
from keywright.core.interfaces import Analyser
from keywright.core.runs import Failure
from keywright.core.signatures import signature
from keywright.core.version import VERSION
from keywright.corpus.add_counts import add_counts
from keywright.corpus.counting import count_documents
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
        left_out: documents in other languages than most, which were not counted, by language.
        texts: start of a SHA-256 over the texts, whatever their order.
    """

    system: Default
    documents: int
    repeats: int
    failures: tuple[Failure, ...]
    phrases: tuple[int, int]
    left_out: Counter[str]
    texts: str

    @property
    def note(self) -> str:
        """What people should know of it; may be empty."""
        if self.phrases[1]:
            return ""
        return (
            f"the trees for {self.system.language!r} have not learnt what rarity means: frequencies only help to choose"
            " the candidates that they look at"
        )

    def card(self) -> dict[str, Any]:
        """How it was made, for the folder it is saved in."""
        return {
            "system": signature(self.system),
            "adapted": "document frequencies",
            "documents": self.documents,
            "language": self.system.language,
            "left out": dict(self.left_out),
            "texts": self.texts,
            "phrases": self.phrases[0],
            "phrases before": self.phrases[1],
            "probabilities": PROBABILITIES,
            **({"note": self.note} if self.note else {}),
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
    left_out: Counter[str] = Counter()
    repeats = 0

    def analysed() -> Iterator[AnalysedDocument]:
        for number, given in enumerate(documents, start=1):
            if isinstance(given, Failure):
                failures.append(given)
            else:
                yield analyser.analyse(given)
            if progress:
                progress(number)

    def different(known: Iterator[AnalysedDocument], language: str) -> Iterator[AnalysedDocument]:
        nonlocal repeats
        for document in known:
            if (own := document.source.language) not in {None, language}:
                left_out[str(own)] += 1
            elif (text := text_key(document)) in seen:
                repeats += 1
            else:
                seen.add(text)
                yield document

    system, known = in_language_of_most(system, analysed(), lambda document: document.source.language)
    fitted = _with_frequencies(system, different(known, system.language))
    if len(seen) < LEAST:
        raise EmptyInput(_too_few(len(seen), repeats, failures, left_out), "name a folder with more documents")
    digest = hashlib.sha256(b"".join(one.to_bytes(8, "little") for one in sorted(seen))).hexdigest()[:16]
    counts = (len(fitted.knowledge.background), len(system.knowledge.background))
    return Acquainted(fitted, len(seen), repeats, tuple(failures), counts, left_out, digest)


def _with_frequencies(system: Default, documents: Iterable[AnalysedDocument]) -> Default:
    """With these documents added to the document frequencies; trees and probabilities stay as they are."""
    own = count_documents(np.concatenate((usual_candidates(one).key, one.word_key)) for one in documents)
    return replace(system, knowledge=replace(system.knowledge, background=add_counts(system.knowledge.background, own)))


def _too_few(different: int, repeats: int, failures: list[Failure], left_out: Counter[str]) -> str:
    """Why nothing can be counted."""
    found = f"{different} different documents with text, frequencies need at least {LEAST}"
    if repeats:
        found += f"; {repeats} repeat the text of another"
    if left_out:
        found += f"; in other languages: {told(left_out)}"
    if failures:
        found += f"; {len(failures)} cannot be read: {failures[0].document_id}: {failures[0].message}"
    return found
