"""Keyphrases that a text does not contain, suggested by its words, with probabilities.

* The words of the text point to keyphrases that authors gave other texts with these words: the weight of a word for a
  keyphrase is the mean of its weights (tf-idf, of unit length) over the texts with the keyphrase, as in Rocchio's
  classifier (Rocchio 1971), times a power of their number. Keyphrases that the text contains are left out.
* The strongest are described: how strongly and how often they are pointed to, how usual they are, and how much of them
  is in the text, though not in one place.
* Boosted trees rank them, and a map that was fitted on held-out documents gives probabilities, which are low: authors
  choose from a vast number of phrases that their texts lack.

Both parts were trained by ``tools/train/train_absent.py`` on English documents without those of the test sets.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, KeyIndex, Keys, expand_ranges
from keywright.core.documents import AnalysedDocument, Style
from keywright.core.errors import BrokenFile, MissingData
from keywright.core.keyphrases import Keyphrase
from keywright.core.saving import MODELS
from keywright.extraction.candidates.ngrams import ngram_occurrences, words_and_numbers
from keywright.extraction.learners.ranker import TrainedRanker

_HINT: Final = "install keywright again"
_STORED: Final[Mapping[str, tuple[str, type]]] = {
    "words": ("<u8", np.uint64), "rarity": ("<f4", np.float64), "bounds": ("<u4", np.int64), "label": ("<u2", np.int64),
    "keys": ("<u8", np.uint64), "uses": ("<u4", np.int64), "parts": ("<u8", np.uint64),
    "part_bounds": ("<u4", np.int64),
}  # fmt: skip
"""Types of the columns that are stored as they are, in a file and in memory."""


@dataclass(frozen=True, eq=False)
class WordAssociations:
    """Keyphrases that each word points to."""

    words: Keys  # ascending keys, (words,)
    rarity: Floats  # log of the number of texts by that of texts with the word, (words,)
    bounds: Ints  # first pair of each word, (words + 1,)
    label: Ints  # keyphrase of each pair, (pairs,)
    weight: Floats  # (pairs,)
    labels: tuple[str, ...]  # keyphrases as people write them, (labels,)
    keys: Keys  # (labels,)
    uses: Ints  # number of texts with each, at least 1, (labels,)
    parts: Keys  # keys of their words, (parts,)
    part_bounds: Ints  # first part of each, (labels + 1,)
    card: Mapping[str, Any] = field(default_factory=dict)

    def weights_of(self, keys: Keys, mentions: Ints) -> tuple[Ints, Floats]:
        """Return numbers of the known words of a text, distinct ``keys``, and weights of unit length."""
        row, is_known = self._index.look_up(keys)
        row = row[is_known]
        weight = (1 + np.log(mentions[is_known])) * self.rarity[row]
        return row, weight / max(float(np.sqrt(weight @ weight)), np.finfo(float).tiny)

    def scores(self, row: Ints, weight: Floats) -> Floats:
        """Return how much words, by number and weight, (known,), point to each keyphrase, at least 0, (labels,)."""
        pair, word = self._pairs(row)
        pointing = self.weight[pair] * weight[word]
        return np.asarray(np.bincount(self.label[pair], pointing, minlength=len(self.labels)), np.float64)

    def parts_of_scores(self, row: Ints, weight: Floats, label: int) -> Floats:
        """Return the part of each word in the score of a keyphrase, (known,); they sum to the score."""
        pair, word = self._pairs(row)
        of_label = self.label[pair] == label
        parts = self.weight[pair[of_label]] * weight[word[of_label]]
        return np.asarray(np.bincount(word[of_label], parts, minlength=len(row)), np.float64)

    def among(self, keys: Keys) -> Bools:
        """Return whether each keyphrase is one of some phrases, (labels,); ``keys`` in any order, (phrases,)."""
        order, index = self._ordered
        row, is_known = index.look_up(keys)
        is_among = np.zeros(len(self.labels), bool)
        is_among[order[row[is_known]]] = True
        return is_among

    def _pairs(self, row: Ints) -> tuple[Ints, Ints]:
        """Return the pairs of words, and for each the place of its word in ``row``, both (pairs of the words,)."""
        return expand_ranges(self.bounds[row], self.bounds[row + 1])

    @cached_property
    def _index(self) -> KeyIndex:
        return KeyIndex.of(self.words)

    @cached_property
    def _ordered(self) -> tuple[Ints, KeyIndex]:
        """Return numbers of the keyphrases in the order of their keys, and the index of these, both (labels,)."""
        order = np.argsort(self.keys)
        return order, KeyIndex.of(self.keys[order])

    def save(self, path: Path) -> None:
        """Write as one compressed file of arrays, with ``sha256`` added to the card; weights with 8 bits."""
        scale = float(self.weight.max(initial=1.0)) / np.iinfo(np.uint8).max
        columns: dict[str, Any] = {
            **{name: getattr(self, name).astype(stored) for name, (stored, _) in _STORED.items()},
            "weight": np.ceil(self.weight / scale).clip(1, np.iinfo(np.uint8).max).astype(np.uint8),
            "scale": np.array(scale),
            "labels": np.frombuffer("\n".join(self.labels).encode(), np.uint8),
        }
        card = json.dumps({**self.card, "sha256": _hash(columns)}, ensure_ascii=False, sort_keys=True)
        with path.open("wb") as file:
            np.savez_compressed(file, card=np.frombuffer(card.encode(), np.uint8), **columns)

    @classmethod
    def load(cls, path: Path) -> "WordAssociations":
        """Read a file of ``save``; raises MissingData without it, BrokenFile where it does not match its card."""
        if not path.is_file():
            raise MissingData(f"no associations of words at {path}", _HINT)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as packed:
                columns = {name: packed[name] for name in packed.files}
            card = json.loads(columns.pop("card").tobytes())
            if _hash(columns) != card["sha256"]:
                raise BrokenFile(f"{path.name} does not match its card", _HINT)
            return cls(
                **{name: columns[name].astype(kind) for name, (_, kind) in _STORED.items()},
                weight=columns["weight"] * float(columns["scale"]),
                labels=tuple(columns["labels"].tobytes().decode().split("\n")),
                card=card,
            )
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise BrokenFile(f"{path.name} cannot be read: {error}", _HINT) from error


def _hash(columns: Mapping[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in sorted(columns):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(columns[name]).tobytes())
    return digest.hexdigest()


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
    """Keyphrases that a text may lack, the most strongly suggested first."""

    labels: Ints  # their numbers, (candidates,)
    columns: Mapping[str, Floats]  # description by name, (candidates,) each
    words: Ints  # the text's words that have associations, (known,)
    weight: Floats  # (known,)
    forms: Ints  # (known,)

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
        parts = self.associations.parts_of_scores(candidates.words, candidates.weight, int(candidates.labels[place]))
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
        mentions = [order[bounds[each] : bounds[each + 1]] for each in row[candidate == number].tolist()]
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
    associations = WordAssociations.load(MODELS / "absent_en.npz")
    return AbsentPhrases(associations, TrainedRanker.load(MODELS / "absent_en.json.zst"))
