"""LBAKE: noun phrases in lemma form, by linear discriminant analysis over eight features of phrase and sentence.

El-Shishtawy and Al-Sammak, "Arabic Keyphrase Extraction using Linguistic Knowledge and Machine Learning Techniques",
2nd International Conference on Arabic Language Resources and Tools, 2009; as described in Elghannam and El-Shishtawy,
"Keyphrase based Evaluation of Automatic Text Summarization", IJCA 2015. Words are lemmatised and tagged. Candidates are
runs of one to three words: the first a noun, the last a noun or an adjective, the middle one of three also a
preposition. A phrase is its sequence of lemmas. A discriminant that is trained on documents with keyphrases ranks it
by the eight features below, from its first mention.

Deviations: the tagger does not tell nouns of place, of time and augmented nouns apart, so all nouns are one kind;
stop words are at neither end (``stop_words``). English has its own order, adjectives before the noun; the rules of the
paper are for Arabic. Its weights are not published, and no open corpus may be used for weights that are shipped: an
untrained system ranks by the fall-back ``words × mentions`` and says so. The list of features is the later paper's; it
gives no formulas, and these are remembered from the earlier one.
Options: ``threshold`` of the discriminant and ``top_k`` for the phrases that it chooses; the papers say neither.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.interfaces import Feature
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.words import content_words
from keywright.extraction.features.functions.position import (
    in_question,
    length_in_sentence,
    location_in_sentence,
    sentence_location,
    without_verb,
)
from keywright.extraction.learners.classifiers import LinearDiscriminant
from keywright.extraction.learners.examples import training_rows
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.trained import matrix
from keywright.text.tag_lexicon import tag_classes

LONGEST: Final = 3
"""Words of the longest phrase (the paper)."""

PATTERNS: Final = {"ar": "N|N[NJ]|N[NJI][NJ]", "en": "N|[NJ]N|[NJ][NJ]N|NIN"}
"""Runs of word classes that may be keyphrases; those of English also hold for all other languages.

An adjective alone, or before a preposition, is none: *the high institutions in the villages* and *the high towers in
the villages* share *village* only.
"""

UNTRAINED: Final = (
    "lbake has not been trained, so it ranks by words × mentions; `keywright train lbake akec/train -o DIR`, then "
    "`--system DIR`"
)


def words_of_phrase(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Return NPW: words as a share of the longest phrase's, (candidates,)."""
    return candidates.length / LONGEST


def phrase_frequency(candidates: Candidates, _: AnalysedDocument) -> Floats:
    """Return PRF: mentions as a share of those of the most frequent phrase, (candidates,)."""
    return candidates.frequency / max(1, int(candidates.frequency.max(initial=0)))


def word_frequency(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return WRF: mentions of the phrase's most frequent word, as a share of the highest such number, (candidates,).

    Function words do not count.
    """
    stem = document.stem
    content = content_words(document)
    mentions = np.bincount(stem[content], minlength=len(document.stems))
    of_token = np.append(np.where(content, mentions[stem], 0), 0)
    # Runs have three tokens at most, so three shifted look-ups replace a loop over the candidates.
    places = candidates.first[:, None] + np.arange(LONGEST)
    places = np.where(np.arange(LONGEST) < candidates.length[:, None], places, len(document))
    best = of_token[places].max(axis=1, initial=0)
    return np.asarray(best / max(1, int(best.max(initial=0))))


FEATURES: Final[Mapping[str, Feature]] = MappingProxyType(
    {
        "words of the phrase": words_of_phrase,  # NPW
        "mentions": phrase_frequency,  # PRF
        "mentions of its most frequent word": word_frequency,  # WRF
        "place of the sentence": sentence_location,  # NSL
        "place in the sentence": location_in_sentence,  # NPL
        "share of the sentence": length_in_sentence,  # NPLen
        "sentence without verb": without_verb,  # SCV
        "sentence is a question": in_question,  # IIT
    }
)
"""The eight features by the names that evidence has, in the paper's order."""


@dataclass(frozen=True)
class LBAKE:
    """Noun phrases by a linear discriminant; ranks by words × mentions until it is trained.

    stop_words  whether the first and the last word may be stop words
    threshold   discriminant above which a phrase is chosen, in log-odds
    top_k       maximum number of phrases that are chosen; all when None
    model       the fitted discriminant
    """

    stop_words: bool = False
    threshold: float = 0.0
    top_k: int | None = None
    model: LinearDiscriminant | None = None

    name: ClassVar[str] = "lbake"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn the discriminant from the candidates of documents with gold."""
        rows, answers = training_rows(labelled, self.candidates, self.features)
        return replace(self, model=LinearDiscriminant.fit(rows, answers))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank by the discriminant, or by words × mentions without one, then by mentions; lemmas are beside the text.

        Raises:
            NeedsUnmet: the document has no tags.
        """
        candidates = self.candidates(document)
        rows = self.features(candidates, document)
        mentions = rows[:, 1]
        scores = rows[:, 0] * mentions if self.model is None else self.model.log_odds(rows)
        ranking = rank(
            document,
            candidates,
            scores,
            dict(zip(FEATURES, rows.T, strict=True)),
            mentions,
            chosen=self.count_chosen(scores),
            warnings=() if self.model else (UNTRAINED,),
        )
        order = order_of(candidates, scores, mentions)
        return replace(ranking, lemmas=lambda positions: lemma_forms(document, candidates, order[positions]))

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return runs of one to three words that pass the rules of the document's language."""
        pattern = PATTERNS.get(document.source.language or "en", PATTERNS["en"])
        return tag_phrases(document, pattern, LONGEST, allowed=None if self.stop_words else self.allow_tokens(document))

    def allow_tokens(self, document: AnalysedDocument) -> Bools:
        """Return content words and prepositions, (tokens,)."""
        prepositions = np.frombuffer(tag_classes(document).encode("ascii"), "S1") == b"I"
        return np.asarray(content_words(document) | prepositions)

    def features(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the eight features, each 0 to 1, (candidates, 8)."""
        return matrix(tuple(FEATURES.values()), candidates, document)

    def count_chosen(self, scores: Floats) -> int:
        """Return the number of chosen phrases: all of the fall-back, else those above the threshold."""
        number = len(scores) if self.model is None else int(np.count_nonzero(scores > self.threshold))
        return number if self.top_k is None else min(number, self.top_k)


def lemma_forms(document: AnalysedDocument, candidates: Candidates, indices: Ints) -> list[str]:
    """Return the lemmas of some candidates, with blanks between; stems in languages without lemmas."""
    stem = document.stem
    spans = zip(candidates.first[indices].tolist(), candidates.length[indices].tolist(), strict=True)
    return [" ".join(document.stems[number] for number in stem[first : first + size].tolist()) for first, size in spans]
