"""A person's indexed documents: counts of concepts, and subjects of the documents that are most like another one.

Documents are compared by the cosine of the logarithmic tf-idf of their words (Salton and Buckley 1988: Term-weighting
approaches in automatic text retrieval), and the subjects of the nearest count by their similarity (k nearest
neighbours; Yang 1994: Expert network). A document never counts for itself, which its text recognises.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.extraction.subjects.concept_matches import expand_ranges
from keywright.extraction.subjects.described_documents import DescribedDocument

WORDS: Final = 100
"""Words that each document is compared by, those of the greatest weight; fitted on the first halves of the collections
of ``benchmarks/quality/subjects.py``, as are the settings of ``ranker``."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexedDocuments:
    """Documents with subjects, as columns.

    Attributes:
        subjects_of: number of documents that have each concept as a subject, (concepts,).
        mentioned_in: number of documents that mention each concept, (concepts,).
        both: number of documents that mention each concept and have it as a subject, (concepts,).
        words: keys of words, ascending, (words,).
        rarity: inverse document frequency of the words, from 0, (words,).
        word_offsets: the words of document ``i`` are between offsets ``i`` and ``i + 1``, (documents + 1,).
        word: index into ``words``, (entries,).
        weight: of the words; the squares of a document's sum to 1, (entries,).
        subject_offsets: the subjects of document ``i`` are between offsets ``i`` and ``i + 1``, (documents + 1,).
        subject: place of a concept in the vocabulary, (subjects,).
        texts: 64-bit hashes of the documents' texts, (documents,).
    """

    subjects_of: Ints
    mentioned_in: Ints
    both: Ints
    words: Keys
    rarity: Floats
    word_offsets: Ints
    word: Ints
    weight: Floats
    subject_offsets: Ints
    subject: Ints
    texts: Keys

    @classmethod
    def of(cls, documents: Sequence[DescribedDocument], subjects: Sequence[Ints], concepts: int) -> Self:
        """Return the columns of at least one document.

        Args:
            documents: the documents.
            subjects: places of the concepts that are subjects of each.
            concepts: number of concepts of the vocabulary.
        """
        frequency = np.unique(np.concatenate([document.words for document in documents]), return_counts=True)
        words, rarity = frequency[0], np.log((len(documents) + 1) / (frequency[1] + 1))
        vectors = [_vector(document, words, rarity) for document in documents]
        mentioned = [document.matches.places for document in documents]
        both = [np.intersect1d(*pair) for pair in zip(mentioned, subjects, strict=True)]
        return cls(
            subjects_of=_counts(subjects, concepts),
            mentioned_in=_counts(mentioned, concepts),
            both=_counts(both, concepts),
            words=words,
            rarity=rarity,
            word_offsets=_offsets([word for word, _ in vectors]),
            word=np.concatenate([word for word, _ in vectors]).astype(np.int32),
            weight=np.concatenate([weight for _, weight in vectors]).astype(np.float32),
            subject_offsets=_offsets(subjects),
            subject=np.concatenate(subjects).astype(np.int32),
            texts=np.array([document.text for document in documents], np.uint64),
        )

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.texts)

    def suggestions(self, document: DescribedDocument, neighbours: int) -> tuple[Ints, Floats]:
        """Return subjects of the nearest documents, ascending, and the share of the similarity that each has.

        (concepts,) both, shares above 0 and at most 1; none where no document has a word in common.
        """
        similarity = self._similarities(document)
        nearest = np.argsort(-similarity, kind="stable")[:neighbours]
        nearest = nearest[similarity[nearest] > 0]
        first = self.subject_offsets[nearest]
        of_document, row = expand_ranges(first, self.subject_offsets[nearest + 1] - first)
        concepts, concept = np.unique(self.subject[row], return_inverse=True)
        shares = np.bincount(concept, similarity[nearest][of_document], len(concepts))
        return concepts, shares / max(similarity[nearest].sum(), np.finfo(float).tiny)

    def _similarities(self, document: DescribedDocument) -> Floats:
        """Return the cosine of each document with another one, 0 for one of the same text, (documents,)."""
        word, weight = _vector(document, self.words, self.rarity)
        dense = np.zeros(len(self.words))
        dense[word] = weight
        # Running sums: the product of a document is the difference at its bounds, also where it has no words.
        running = np.concatenate(([0.0], np.cumsum(self.weight * dense[self.word])))
        similarity = running[self.word_offsets[1:]] - running[self.word_offsets[:-1]]
        similarity[self.texts == np.uint64(document.text)] = 0.0
        return np.asarray(similarity.round(_DIGITS))


_DIGITS: Final = 9
"""Decimals of similarities, so that differences of running sums do not rank documents without common words."""


def _vector(document: DescribedDocument, words: Keys, rarity: Floats) -> tuple[Ints, Floats]:
    """Return the places of a document's words of the greatest weight, ascending, and weights of length 1."""
    at = words.searchsorted(document.words).clip(max=max(0, len(words) - 1))
    common = words[at] == document.words if len(words) else np.zeros(len(at), bool)
    word, weight = at[common], np.log1p(document.counts[common]) * rarity[at[common]]
    heaviest = np.sort(np.argsort(-weight, kind="stable")[:WORDS])
    word, weight = word[heaviest], weight[heaviest]
    return word[weight > 0], weight[weight > 0] / max(np.linalg.norm(weight), np.finfo(float).tiny)


def _counts(concepts: Sequence[Ints], number: int) -> Ints:
    """Return in how many documents each concept is, (concepts,)."""
    return np.bincount(np.concatenate(concepts), minlength=number)


def _offsets(columns: Sequence[Ints]) -> Ints:
    """Return where each of some columns begins, one behind the other, and their end, (columns + 1,)."""
    return np.concatenate(([0], np.cumsum(list(map(len, columns)))))
