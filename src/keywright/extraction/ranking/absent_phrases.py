"""Keyphrases that a text does not contain, suggested by its words, with probabilities.

In the order of ``suggested``:

* the words of the text point to keyphrases that authors gave other texts with these words
  (``corpus/word_associations.py``); those that the text contains are left out;
* the strongest are described: how strongly and how often they are pointed to, how usual they are, and how much of them
  is in the text, though not in one place;
* boosted trees rank them, and a map that was fitted on held-out documents gives probabilities.

Such probabilities are low: authors choose from a vast number of phrases that their texts lack. Both parts ship with the
package and were trained by ``tools/train/train_absent.py`` on English documents without those of the test sets.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys, expand_ranges
from keywright.core.documents import AnalysedDocument, Style
from keywright.core.keyphrases import Keyphrase
from keywright.extraction.candidates.ngrams import ngram_occurrences
from keywright.extraction.candidates.words import words_and_numbers
from keywright.extraction.corpus.word_associations import WordAssociations
from keywright.extraction.learners.ranker import TrainedRanker

LANGUAGE: Final = "en"  # language of the shipped associations
MOST_WORDS: Final = 6  # words of the longest phrases that are looked for in the text
_DESCRIBED: Final = 150
"""Phrases that are described; they hold all but a few of the keyphrases that can be found. Arbitrary."""
_TILT: Final = 0.2
"""Power of the uses by which the score is tilted to usual and to rare phrases, for trees to choose from; arbitrary."""
_APART: Final = 99.0  # distance where not all words are in the text, in tokens; arbitrary, and the largest
_LEAST: Final = 0.01  # probability below which a phrase is not suggested; arbitrary
_WHY: Final = 3  # words that are named as reasons; arbitrary


@dataclass(frozen=True, eq=False)
class AbsentCandidates:
    """Keyphrases that a text may lack, the most strongly suggested first.

    ``labels``: their numbers, ``columns``: description by name, (candidates,); ``words``, ``weight``, ``forms``: of the
    text's known words, (known,).
    """

    labels: Ints
    columns: Mapping[str, Floats]
    words: Ints
    weight: Floats
    forms: Ints

    @property
    def rows(self) -> Floats:
        """The columns side by side, (candidates, columns)."""
        return np.stack(list(self.columns.values()), axis=1)


@dataclass(frozen=True, eq=False)
class AbsentPhrases:
    """Suggests keyphrases that a text does not contain, by associations of words, and trees in the general style."""

    associations: WordAssociations
    ranker: TrainedRanker

    def suggest(self, document: AnalysedDocument, most: int, *, explain: bool = False) -> tuple[Keyphrase, ...]:
        """Return the ``most`` keyphrases that the document most probably lacks, best first; none below a hundredth."""
        candidates = self.candidates(document)
        if not len(candidates.labels):
            return ()
        log_odds = self.ranker.scores(candidates.rows)
        probabilities = self.ranker.probabilities(log_odds, Style.GENERAL)
        best = np.argsort(-log_odds, kind="stable")[:most].tolist()
        if probabilities is not None:
            best = [place for place in best if probabilities[place] >= _LEAST]
        return tuple(
            Keyphrase(
                self.associations.labels[candidates.labels[place]],
                float(log_odds[place]),
                None if probabilities is None else float(probabilities[place]),
                evidence=self._explain(document, candidates, place) if explain else {},
            )
            for place in best
        )

    def _explain(self, document: AnalysedDocument, candidates: AbsentCandidates, place: int) -> Mapping[str, float]:
        """Return the words that point to a candidate most, with their parts of its score."""
        label = int(candidates.labels[place])
        parts = self.associations.parts_of_scores(candidates.words, candidates.weight, label)
        strongest = [at for at in np.argsort(-parts, kind="stable")[:_WHY].tolist() if parts[at] > 0]
        return {f"the word {document.words[candidates.forms[at]]}": float(parts[at]) for at in strongest}

    def candidates(self, document: AnalysedDocument) -> AbsentCandidates:
        """Return the phrases that the document's words point to most and that it does not contain."""
        table = self.associations
        keys, form, first, mentions = distinct_words(document)
        pointing, weight = table.weights_of(keys, mentions)
        score = np.where(table.among(phrases_in(document)), 0.0, table.scores(pointing, weight))
        # The few that are described are sorted, not all.
        strongest = np.argpartition(-score, min(_DESCRIBED, len(score) - 1))[:_DESCRIBED]
        labels = strongest[np.lexsort((strongest, -score[strongest]))]
        labels = labels[score[labels] > 0]
        columns = self._describe(document, labels, score[labels], (keys, first, mentions))
        return AbsentCandidates(labels, columns, pointing, weight, form[np.isin(keys, table.words[pointing])])

    def _describe(
        self, document: AnalysedDocument, labels: Ints, score: Floats, words: tuple[Keys, Ints, Ints]
    ) -> dict[str, Floats]:
        """Return the columns of candidates, (candidates,) each; words as those of ``distinct_words``."""
        table, (keys, first, mentions) = self.associations, words
        begins, ends = table.part_bounds[labels], table.part_bounds[labels + 1]
        part, candidate = expand_ranges(begins, ends)
        row = np.minimum(keys.searchsorted(table.parts[part]), max(0, len(keys) - 1))
        there = keys[row] == table.parts[part] if len(keys) else np.zeros(len(part), bool)
        size = ends - begins
        number = np.bincount(candidate, weights=there, minlength=len(labels))
        count = np.where(there, mentions[row], 0)
        least, most = np.full(len(labels), np.inf), np.zeros(len(labels))
        np.minimum.at(least, candidate, count)
        np.maximum.at(most, candidate, count)
        earliest = np.full(len(labels), float(len(document)))
        np.minimum.at(earliest, candidate[there], first[row[there]])
        heads = np.cumsum(size) - size
        uses = table.uses[labels]
        columns: dict[str, Any] = {
            "pointed to: score": score,
            "pointed to: share of the best score": score / score.max(initial=np.finfo(float).tiny),
            "pointed to: rank": np.log1p(np.arange(len(labels))),
            "pointed to: score, rare phrases raised": score * uses**-_TILT,
            "pointed to: score, usual phrases raised": score * uses**_TILT,
            "known: uses": np.log(uses),
            "phrase: words": size,
            "phrase: characters": [len(table.labels[label]) for label in labels.tolist()],
            "words in the text: share": number / size,
            "words in the text: distance": _distances(document, keys, row, candidate, number == size),
            "words in the text: least mentions": least,
            "words in the text: most mentions": most,
            "words in the text: first": there[heads],
            "words in the text: last": there[heads + size - 1],
            "words in the text: earliest place": earliest / max(1, len(document)),
            "text: words": np.full(len(labels), np.log1p(len(document))),
        }
        return {name: np.asarray(column, float) for name, column in columns.items()}


def distinct_words(document: AnalysedDocument) -> tuple[Keys, Ints, Ints, Ints]:
    """Return key, ascending, a form, first token and mentions of each distinct word, by stem, (distinct,) each."""
    keys, form, of_form = np.unique(document.word_key, return_index=True, return_inverse=True)
    words = of_form[document.word]
    first = np.full(len(keys), len(document))
    np.minimum.at(first, words, np.arange(len(document)))
    mentions = np.bincount(words, minlength=len(keys))
    return keys[mentions > 0], form[mentions > 0], first[mentions > 0], mentions[mentions > 0]


def phrases_in(document: AnalysedDocument) -> Keys:
    """Return the keys of all phrases that the document contains, (occurrences,)."""
    return ngram_occurrences(document, MOST_WORDS, words_and_numbers)[0]


def _distances(document: AnalysedDocument, keys: Keys, row: Ints, candidate: Ints, whole: Bools) -> Floats:
    """Return how far apart a phrase's words are at the nearest, in tokens, 0 for one word, else ``_APART``."""
    place = keys.searchsorted(document.word_key[document.word])
    order = np.argsort(place, kind="stable")
    bounds = np.searchsorted(place[order], np.arange(len(keys) + 1))
    distance = np.full(len(whole), _APART)
    for number in np.flatnonzero(whole).tolist():
        rows = row[candidate == number].tolist()
        mentions = [order[bounds[each] : bounds[each + 1]] for each in rows]
        last = mentions[-1]
        farthest = np.zeros(len(last))
        for others in mentions[:-1]:
            behind = others.searchsorted(last).clip(max=len(others) - 1)
            nearest = np.minimum(abs(others[behind] - last), abs(others[np.maximum(behind - 1, 0)] - last))
            farthest = np.maximum(farthest, nearest)
        distance[number] = min(float(farthest.min()), _APART)
    return distance


@lru_cache(maxsize=1)
def shipped_absent() -> AbsentPhrases:
    """Return what suggests absent keyphrases of English texts, read on first use."""
    models = resources.files("keywright") / "models"
    with (
        resources.as_file(models / "absent_en.npz") as associations,
        resources.as_file(models / "absent_en.json.zst") as ranker,
    ):
        return AbsentPhrases(WordAssociations.load(Path(associations)), TrainedRanker.load(Path(ranker)))
