"""The default extractor with the language and the document frequencies of unlabelled documents."""

import datetime as dt
import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np

from keywright.core import VERSION
from keywright.core.arrays import Keys
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import EmptyInput
from keywright.core.interfaces import Analyser
from keywright.core.predictions import Failure
from keywright.core.signatures import signature
from keywright.extraction.candidates.prefilter import usual_candidates
from keywright.extraction.corpus.counts import add_counts, count_documents
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.systems.default import Default

Item = TypeVar("Item")
HEAD: Final = 50  # first documents, which decide the language of all; arbitrary
MIN_DOCUMENTS: Final = 2  # documents from which document frequencies differ at all
PROBABILITIES: Final = "adapted: not recalibrated; they stay those of the trees as they were trained"


def in_language_of_most(
    system: Default, items: Iterator[Item], language_of: Callable[[Item], str | None], left_out: Counter[str]
) -> tuple[Default, Iterator[Item]]:
    """Return the system for the language of most first documents, and those in it, counting the others' languages."""
    head = list(itertools.islice(items, HEAD))
    languages = Counter(language_of(item) or system.language for item in head)
    localised = system.for_language(languages.most_common(1)[0][0] if languages else system.language)

    def in_language() -> Iterator[Item]:
        for item in itertools.chain(head, items):
            if language_of(item) in {None, localised.language}:
                yield item
            else:
                left_out[str(language_of(item))] += 1

    return localised, in_language()


def count_languages(left_out: Counter[str]) -> str:
    """Return languages with the number of their documents, in words."""
    return ", ".join(f"{language} {count}" for language, count in left_out.items())


@dataclass(frozen=True, slots=True)
class AdaptedToUnlabelled:
    """An extractor with added document frequencies."""

    system: Default
    documents: int
    repeats: int  # number of documents with the text of an earlier one, not counted again
    failures: tuple[Failure, ...]  # files and documents that cannot be read
    phrases: tuple[int, int]  # number of distinct phrases and words with a frequency, after and before
    left_out: Counter[str]  # number of documents in other languages than most, not counted, by language
    texts: str  # start of a SHA-256 over the texts in any order

    @property
    def note(self) -> str:
        """A note for people; may be empty."""
        if self.phrases[1]:
            return ""
        trees = f"the trees for {self.system.language!r} do not use rarity"
        return f"{trees}: frequencies only help to choose their candidates"

    def card(self) -> dict[str, Any]:
        """Return the card for the folder of the system."""
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


def adapt_to_unlabelled(
    system: Default,
    documents: Iterable[Document | Failure],
    analyser: Analyser,
    progress: Callable[[int], None] | None = None,
) -> AdaptedToUnlabelled:
    """Add the document frequencies of these documents, equal texts once; raises ``EmptyInput`` with fewer than two."""
    texts: Counter[int] = Counter()
    failures: list[Failure] = []
    left_out: Counter[str] = Counter()

    def analyse_all() -> Iterator[AnalysedDocument]:
        for number, document in enumerate(documents, start=1):
            if isinstance(document, Failure):
                failures.append(document)
            else:
                yield analyser.analyse(document)
            if progress:
                progress(number)

    def keys_of_different(documents: Iterable[AnalysedDocument]) -> Iterator[Keys]:
        for document in documents:
            texts[text_key(document)] += 1
            if texts[text_key(document)] == 1:
                yield np.concatenate((usual_candidates(document).key, document.word_key))

    system, in_language = in_language_of_most(system, analyse_all(), lambda each: each.source.language, left_out)
    added = count_documents(keys_of_different(in_language))
    repeats = texts.total() - len(texts)
    if len(texts) < MIN_DOCUMENTS:
        message = f"{len(texts)} different documents with text, frequencies need at least {MIN_DOCUMENTS}"
        message += f"; {repeats} repeat the text of another" if repeats else ""
        message += f"; in other languages: {count_languages(left_out)}" if left_out else ""
        if failures:
            message += f"; {len(failures)} cannot be read: {failures[0].document_id}: {failures[0].message}"
        raise EmptyInput(message, "name a folder with more documents")
    background = add_counts(system.knowledge.background, added)
    # Trees and probabilities stay the same.
    fitted = replace(system, knowledge=replace(system.knowledge, background=background))
    digest = hashlib.sha256(b"".join(text.to_bytes(8, "little") for text in sorted(texts))).hexdigest()[:16]
    counts = len(background), len(system.knowledge.background)
    return AdaptedToUnlabelled(fitted, len(texts), repeats, tuple(failures), counts, left_out, digest)
