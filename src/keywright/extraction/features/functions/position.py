"""Positions of a phrase in the document, by section, and in the sentence of its first mention."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, share_before
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, SectionKind, WordFlag
from keywright.core.interfaces import Feature
from keywright.text.sentences import find_questions, find_with_verb


def first_mention(candidates: Candidates, document: Analysed) -> Floats:
    """Return the share of the document before each candidate's first mention, 0 to below 1, (candidates,)."""
    return share_before(candidates.first, document)


def last_mention(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document before each candidate's last mention, 0 to below 1, (candidates,)."""
    return candidates.last / max(1, len(document))


def spread(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of the document between first and last mention, 0 for a single one, (candidates,)."""
    return (candidates.last - candidates.first) / max(1, len(document))


def deviation(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the standard deviation of the mentions' positions, 0 for a single one, at most 0.5, (candidates,)."""
    positions = candidates.positions / max(1, len(document))
    mean = _sums(candidates, positions) / candidates.frequency
    return np.asarray(np.sqrt(_sums(candidates, (positions - mean[candidates.owner]) ** 2) / candidates.frequency))


def _sums(candidates: Candidates, numbers: Floats) -> Floats:
    """Return the sum of a column (occurrences,) over each candidate's occurrences, (candidates,)."""
    return np.asarray(np.bincount(candidates.owner, weights=numbers, minlength=len(candidates)), float)


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """A feature scaled to the range 0 to 1 in each document; all 0 where the values are equal."""

    feature: Feature

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        values = self.feature(candidates, document)
        if not len(values) or values.max() == values.min():
            return np.zeros(len(values))
        return np.asarray((values - values.min()) / (values.max() - values.min()))


def mentions_in(candidates: Candidates, document: AnalysedDocument, *kinds: SectionKind) -> Floats:
    """Return the mentions of each candidate in sections of these kinds, (candidates,)."""
    wanted = np.zeros(len(SECTION_KINDS), bool)
    wanted[[kind.code for kind in kinds]] = True
    there = wanted[document.section[candidates.positions]]
    return np.asarray(np.bincount(candidates.owner, weights=there, minlength=len(candidates)), float)


@dataclass(frozen=True, slots=True)
class MentionsIn:
    """Mentions of each candidate in sections of these kinds, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return mentions_in(candidates, document, *self.kinds)


@dataclass(frozen=True, slots=True)
class SeenIn:
    """1 where a section of these kinds mentions the candidate, else 0, (candidates,)."""

    kinds: tuple[SectionKind, ...]

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        return (mentions_in(candidates, document, *self.kinds) > 0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class SectionTfIdf:
    """TF×IDF among the sections of one document, for one kind, (candidates,); 0 where there is no such section.

    Mentions per token of the section, times log2 of the number of sections over that of sections with the candidate.
    Berend and Farkas (2010).
    """

    kind: SectionKind

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        sizes = np.bincount(document.section, minlength=len(SECTION_KINDS))
        mentions = by_kind(candidates, document)
        rarity = np.log2(np.count_nonzero(sizes) / np.maximum((mentions > 0).sum(axis=1), 1))
        return np.asarray(mentions[:, self.kind.code] / max(1, int(sizes[self.kind.code])) * rarity)


def by_kind(candidates: Candidates, document: Analysed) -> Ints:
    """Return the mentions of each candidate in sections of each kind, (candidates, kinds)."""
    # A two-dimensional count by one ``bincount``: candidate and kind packed into one integer.
    kinds = len(SECTION_KINDS)
    cells = candidates.owner * kinds + document.section[candidates.positions]
    return np.bincount(cells, minlength=len(candidates) * kinds).reshape(-1, kinds)


def sentence_location(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return (2 s / (S - 1) - 1)² of sentence s = 0..S-1: 1 at both ends of the document, 0 in its middle."""
    sentence = _sentence(candidates, document)
    return edge_closeness(sentence, np.full(len(sentence), _sentences(document)))


def location_in_sentence(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return (2 p / (P - 1) - 1)² of word p = 0..P-1 of its sentence: 1 at both ends, 0 in the middle."""
    words = _words(document)
    before: Ints = np.cumsum(words) - words  # words before each token
    begins = np.searchsorted(document.sentence, _sentence(candidates, document))
    return edge_closeness(before[candidates.first] - before[begins], _words_of_sentence(candidates, document))


def length_in_sentence(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return words of the phrase as a share of the words of its sentence; 1 for a heading that is the phrase."""
    return np.minimum(candidates.length / np.maximum(1, _words_of_sentence(candidates, document)), 1.0)


def without_verb(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 where the sentence has no verb, else 0.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    return _of_sentence(~find_with_verb(document), candidates, document)


def in_question(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return 1 where the sentence is a question, else 0."""
    return _of_sentence(find_questions(document), candidates, document)


def edge_closeness(place: Ints, number: Ints) -> Floats:
    """Return (2 place / (number - 1) - 1)², 0 where there is one place only; shapes are equal."""
    share = np.divide(2.0 * place, number - 1, out=np.ones(len(place)), where=number > 1)
    return np.asarray((share - 1) ** 2)


def _sentence(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return the number of the sentence of each first mention, (candidates,)."""
    return document.sentence[candidates.first]


def _sentences(document: AnalysedDocument) -> int:
    return int(document.sentence[-1]) + 1 if len(document) else 0


def _words(document: AnalysedDocument) -> Bools:
    """Return all tokens but signs, (tokens,)."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)


def _words_of_sentence(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return the number of words and numbers in the sentence of each first mention, (candidates,)."""
    words = np.bincount(document.sentence[_words(document)], minlength=_sentences(document))
    return np.asarray(words[_sentence(candidates, document)])


def _of_sentence(sentences: Bools, candidates: Candidates, document: AnalysedDocument) -> Floats:
    return sentences[_sentence(candidates, document)].astype(np.float64)
