"""A person's indexed documents: counts of concepts, and subjects of the documents that are most like another one.

Documents are compared by the cosine of logarithmic tf-idf (Salton and Buckley 1988: Term-weighting approaches in
automatic text retrieval), and the subjects of the nearest count by their similarity (Yang 1994: Expert network). A
document never counts for itself, which its text recognises.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys, expand_ranges
from keywright.extraction.subjects.described_documents import DescribedDocument

WORDS: Final = 100
"""Words that each document is compared by, those of the greatest weight; fitted on the first halves of the collections
of ``benchmarks/quality/subjects.py``, as are the settings of ``ranker``."""
NEIGHBOURS: Final = 20  # similar documents whose subjects count
SUGGESTED: Final = 40  # concepts of similar documents that are candidates without being mentioned, at most
_ABSENT: Final = -1.0  # value of columns of mentions for concepts that are not mentioned; below all others
_NOT_BELOW: Final = frozenset({"probability of labels", "mentions", "density", "labels"})
"""Columns in which a concept that is not mentioned has 0."""
_PRIOR: Final = 2.0  # documents that the usual share counts as beside those with a concept; arbitrary
_DIGITS: Final = 9  # decimals of similarities: differences of running sums do not rank documents


@dataclass(frozen=True, slots=True, eq=False)
class IndexedDocuments:
    """Documents with subjects, as columns.

    ``subjects_of``, ``mentioned_in``, ``both``: number of documents of each concept, (concepts,); ``words``: ascending
    keys, with ``rarity``, inverse document frequency, (words,); ``word_offsets``: (documents + 1,), of ``word`` and
    ``weight`` with unit length, (entries,); ``subject_offsets``: (documents + 1,), of ``subject``, places of concepts,
    (subjects,); ``texts``: 64-bit hashes, (documents,).
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
        """Return the columns of at least one document, with places of its subjects among so many ``concepts``."""
        words, frequency = np.unique(np.concatenate([document.words for document in documents]), return_counts=True)
        rarity = np.log((len(documents) + 1) / (frequency + 1))
        word, weight = zip(*(_weigh_words(document, words, rarity) for document in documents), strict=True)
        mentioned = [document.matches.places for document in documents]
        both = [np.intersect1d(*pair) for pair in zip(mentioned, subjects, strict=True)]
        counts = [np.bincount(np.concatenate(part), minlength=concepts) for part in (subjects, mentioned, both)]
        word_offsets, subject_offsets = (np.cumsum([0, *map(len, part)]) for part in (word, subjects))
        return cls(
            subjects_of=counts[0],
            mentioned_in=counts[1],
            both=counts[2],
            words=words,
            rarity=rarity,
            word_offsets=word_offsets,
            word=np.concatenate(word).astype(np.int32),
            weight=np.concatenate(weight).astype(np.float32),
            subject_offsets=subject_offsets,
            subject=np.concatenate(subjects).astype(np.int32),
            texts=np.array([document.text for document in documents], np.uint64),
        )

    def __len__(self) -> int:
        return len(self.texts)

    def suggestions(self, document: DescribedDocument, neighbours: int) -> tuple[Ints, Floats]:
        """Return subjects of the nearest documents, ascending, and their share of the similarity, (concepts,)."""
        word, weight = _weigh_words(document, self.words, self.rarity)
        dense = np.zeros(len(self.words))
        dense[word] = weight
        # Running sums: the cosine with a document is the difference at its bounds, also where it has no words.
        running = np.concatenate(([0.0], np.cumsum(self.weight * dense[self.word])))
        similarity = running[self.word_offsets[1:]] - running[self.word_offsets[:-1]]
        similarity[self.texts == np.uint64(document.text)] = 0.0
        similarity = similarity.round(_DIGITS)
        nearest = np.argsort(-similarity, kind="stable")[:neighbours]
        nearest = nearest[similarity[nearest] > 0]
        row, of_document = expand_ranges(self.subject_offsets[nearest], self.subject_offsets[nearest + 1])
        concepts, concept = np.unique(self.subject[row], return_inverse=True)
        shares = np.bincount(concept, similarity[nearest][of_document], len(concepts))
        return concepts, shares / max(similarity[nearest].sum(), np.finfo(float).tiny)


def _weigh_words(document: DescribedDocument, words: Keys, rarity: Floats) -> tuple[Ints, Floats]:
    """Return the places of a document's words of the greatest weight, ascending, and weights of length 1."""
    at = words.searchsorted(document.words).clip(max=max(0, len(words) - 1))
    common = words[at] == document.words if len(words) else np.zeros(len(at), bool)
    word, weight = at[common], np.log1p(document.counts[common]) * rarity[at[common]]
    heaviest = np.sort(np.argsort(-weight, kind="stable")[:WORDS])
    word, weight = word[heaviest], weight[heaviest]
    return word[weight > 0], weight[weight > 0] / max(np.linalg.norm(weight), np.finfo(float).tiny)


def candidate_rows(document: DescribedDocument, indexed: IndexedDocuments) -> tuple[Ints, Floats, tuple[str, ...]]:
    """Return places of candidates, mentioned ones first, their rows, (candidates, columns), and the columns' names."""
    suggested, share = indexed.suggestions(document, NEIGHBOURS)
    mentioned = document.matches.places
    absent = ~np.isin(suggested, mentioned)
    best = np.argsort(-share[absent], kind="stable")[:SUGGESTED]
    places = np.concatenate((mentioned, suggested[absent][best]))
    columns = {}
    for name, column in document.columns.items():
        of_absent = np.full(len(places) - len(mentioned), 0.0 if name in _NOT_BELOW else _ABSENT)
        columns[name] = np.concatenate((column, of_absent))
    documents, mentioned_in = len(indexed), indexed.mentioned_in[places]
    usual = indexed.both.sum() / max(1, indexed.mentioned_in.sum())
    rarity = np.log((documents + 1) / (mentioned_in + 1))
    at = suggested.searchsorted(places).clip(max=max(0, len(suggested) - 1))
    shares = np.where(suggested[at] == places, share[at], 0.0) if len(suggested) else np.zeros(len(places))
    rank = np.empty(len(places))
    rank[np.argsort(-shares, kind="stable")] = np.arange(len(places))
    columns |= {
        "mentioned": (np.arange(len(places)) < len(mentioned)).astype(float),
        "subject of documents": indexed.subjects_of[places] / documents,
        "mentioned in documents": mentioned_in / documents,
        "subject where mentioned": (indexed.both[places] + _PRIOR * usual) / (mentioned_in + _PRIOR),
        "rarity": rarity,
        "density by rarity": columns["density"] * rarity,
        "subject of similar documents": shares,
        "rank by similar documents": rank,
    }
    return places, np.column_stack(list(columns.values())), tuple(columns)
