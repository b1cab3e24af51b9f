"""Columns of the concepts that a document mentions: what can be said of them without other documents."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind, WordFlag
from keywright.core.interfaces import Extractor
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.subjects.concept_matches import ConceptMatches, concepts_of
from keywright.extraction.vocabularies.concepts import Concepts
from keywright.extraction.vocabularies.index import VocabularyIndex

_RANKS: Final = 10_000
"""Rank of phrases that the base system does not rank; arbitrary, behind nearly all candidates of a paper."""
_ZONES: Final = tuple(kind.code for kind in (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING))
"""Sections in which a mention counts for more."""


@dataclass(frozen=True, slots=True, eq=False)
class DescribedDocument:
    """A document as the ranking of subjects sees it.

    ``columns``: described concepts by name, (concepts,) each; ``words``: ascending keys of content words, with
    ``counts``, (words,); ``text``: 64-bit hash, its identity.
    """

    matches: ConceptMatches
    columns: dict[str, Floats]
    words: Keys
    counts: Ints
    text: int


def describe(document: AnalysedDocument, vocabulary: VocabularyIndex, base: Extractor) -> DescribedDocument:
    """Return what the ranking of subjects sees of a document, with probabilities and ranks of phrases by ``base``."""
    matches = ConceptMatches.of(document, vocabulary)
    content = document.word_flags & (WordFlag.LETTER | WordFlag.STOP) == WordFlag.LETTER
    keys = document.word_key[document.word[content[document.word]]]
    words, counts = np.unique(keys, return_counts=True)
    columns = {
        **_describe_rank(matches, base.extract(document), document),
        **_describe_mentions(matches, document),
        # Among the concept's labels in the text, the surest kind and form, the fewest meanings, the most words.
        "kind of label": _least(matches.kind, matches).astype(float),
        "form of label": _least(matches.form, matches).astype(float),
        "meanings of label": _least(matches.meanings[matches.phrase], matches).astype(float),
        "words of label": -_least(-matches.phrases.length[matches.phrase], matches).astype(float),
        "labels": np.bincount(matches.concept, minlength=len(matches)).astype(float),
        **_describe_relations(matches.places, concepts_of(vocabulary)),
    }
    return DescribedDocument(matches, columns, words, counts, text_key(document))


def _describe_rank(matches: ConceptMatches, ranking: Ranking, document: AnalysedDocument) -> dict[str, Floats]:
    """Return P(one of a concept's phrases would be chosen), as independent, and its best rank, (concepts,) each."""
    rank = _ranks(matches.phrases, ranking, document)
    probability = np.zeros(len(rank))
    ranked = np.flatnonzero(rank < _RANKS)
    if ranking.probabilities is not None:
        probability[ranked] = np.nan_to_num(ranking.probabilities(rank[ranked]))
    none = np.bincount(matches.concept, np.log1p(-probability[matches.phrase].clip(max=1 - 1e-9)), len(matches))
    return {"probability of labels": -np.expm1(none), "rank of labels": np.log1p(_least(rank[matches.phrase], matches))}


def _ranks(phrases: Candidates, ranking: Ranking, document: AnalysedDocument) -> Ints:
    """Return the best position of each phrase in a ranking, at most ``_RANKS``, (phrases,)."""
    if ranking.mentions:
        position, first, width = ranking.mentions()
    else:  # a system that names places in the text only
        listed_phrases = ranking.phrases(ranking.positions_to())
        places = [(position, *span) for position, (_, spans) in enumerate(listed_phrases) for span in spans]
        position, start, end = np.array(places, np.int64).reshape(-1, 3).T
        first = document.start.searchsorted(start, "right") - 1
        width = document.end.searchsorted(end) - first + 1
    # One number for each place and width, as phrases of two sources are joined by their tokens.
    widest = len(document) + 1
    order = np.lexsort((position, first * widest + width))
    codes, position = (first * widest + width)[order], position[order]
    looked_up = phrases.positions * widest + phrases.widths
    at = codes.searchsorted(looked_up)
    listed = at < len(codes)
    listed[listed] = codes[at[listed]] == looked_up[listed]
    rank = np.full(len(phrases), _RANKS)
    np.minimum.at(rank, phrases.owner[listed], position[at[listed]])
    return rank


def _describe_mentions(matches: ConceptMatches, document: AnalysedDocument) -> dict[str, Floats]:
    """Return number and places of the mentions of each concept, (concepts,) each."""
    concept, occurrence = matches.mentions()
    phrases = matches.phrases
    position = phrases.positions[occurrence]
    number, tokens = np.bincount(concept, minlength=len(matches)), max(1, len(document))
    first = np.full(len(matches), tokens)
    last = np.zeros(len(matches), np.int64)
    np.minimum.at(first, concept, position)
    np.maximum.at(last, concept, position)
    # Sorted by start, the longest first: an occurrence is inside another if one before it ends where it does or later.
    order = np.lexsort((-phrases.widths, phrases.positions))
    end = (phrases.positions + phrases.widths)[order]
    before = np.maximum.accumulate(np.concatenate(([-1], end)))[:-1]
    nested = np.zeros(len(end), bool)
    nested[order] = before >= end
    return {
        "mentions": np.log1p(number),
        "density": number / tokens,
        "first mention": first / tokens,
        "last mention": last / tokens,
        "spread": (last - first) / tokens,
        "mentions in zones": np.bincount(concept, np.isin(document.section[position], _ZONES), len(matches)),
        "inside longer labels": np.bincount(concept, nested[occurrence], len(matches)) / np.maximum(1, number),
        "tokens": np.full(len(matches), np.log1p(tokens)),
        "concepts": np.full(len(matches), np.log1p(len(matches))),
    }


def _describe_relations(places: Ints, concepts: Concepts) -> dict[str, Floats]:
    """Return how many mentioned concepts are above, below, or beside each one, under the same concept, (concepts,)."""
    link, of_concept = expand_ranges(concepts.broader_offsets[places], concepts.broader_offsets[places + 1])
    above = concepts.broader[link]
    at = places.searchsorted(above).clip(max=max(0, len(places) - 1))
    mentioned = places[at] == above if len(places) else np.zeros(0, bool)
    parents, parent = np.unique(above, return_inverse=True)
    children = np.bincount(parent, minlength=len(parents))
    return {
        "broader mentioned": np.bincount(of_concept[mentioned], minlength=len(places)).astype(float),
        "narrower mentioned": np.bincount(at[mentioned], minlength=len(places)).astype(float),
        "siblings mentioned": np.bincount(of_concept, children[parent] - 1.0, len(places)),
    }


def _least(values: Ints, matches: ConceptMatches) -> Ints:
    """Return the least value, (pairs,), of each concept's pairs, (concepts,)."""
    if not len(matches):
        return np.zeros(0, values.dtype)
    return np.minimum.reduceat(values, np.searchsorted(matches.concept, np.arange(len(matches))))
