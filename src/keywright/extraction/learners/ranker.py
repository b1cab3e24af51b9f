"""The default's trained rankers: trees and probabilities of scores, each saved as one compressed file; and a gate.

The default has two tastes: phrases that authors and readers choose, and tags, most of them single words. One set of
trees cannot rank for both, so each taste has its own. How far a text is one that people tag is estimated by a logistic
regression of its profile: mean and spread of the columns of its heaviest candidates. Probabilities of both are then
averaged with this share, not their log-odds: a phrase that either taste is sure of stays near the top
(``docs/decisions/0030-two-tastes.md``).
"""

import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, count_rows, locate_rows
from keywright.core.documents import Style
from keywright.core.errors import BadParameter, BrokenFile, MissingData
from keywright.core.zstandard import zstd
from keywright.extraction.learners.examples import Examples, expected_by_style, shared_out
from keywright.extraction.learners.growing import FOLDS, Boosting, held_out_scores, trees_of
from keywright.extraction.learners.probability import ProbabilityMap, sigmoid
from keywright.extraction.learners.trees import Trees

_LARGEST: Final = 50_000_000
"""Maximum bytes of an unpacked file, some ten times the shipped ones; a guard against crafted files."""
_COMPRESSION: Final = 19
"""Level of Zstandard: the highest without its memory-hungry modes, as files are written once and read often."""
_HINT: Final = "copy the trained ranking again, or train it again"
PROFILED: Final = 30
"""Heaviest candidates whose description is a document's profile, in training as well; arbitrary: the shortlist of
the shortest texts, and the best candidates of long ones."""
LEAST_ANY: Final = 10
"""Candidates from which on the gate of other languages than English counts, which have fewer of them in a sentence; of
10, 15, 20 and 30 the one with the best lists where the language was left out (``docs/decisions/0037``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """A logistic regression from the profile of a document to the share of the taste for tags.

    It counts from ``least`` candidates on, and whole from twice as many: a sentence or two says little of its kind.
    """

    weights: Floats  # for each number of a profile, (columns + 1,) without the spreads, or (2 columns + 1,)
    bias: float  # the log-odds of a profile of zeros
    least: int = PROFILED

    def shares(self, profiles: Floats) -> Floats:
        """Return the share of a taste for each document, 0 to 1, (documents,); see ``profile_documents``."""
        trusted = np.clip(profiles[:, profiles.shape[1] // 2] / self.least - 1, 0, 1)
        # No matrix product, whose rounding depends on the documents.
        return sigmoid((profiles[:, : len(self.weights)] * self.weights).sum(axis=1) + self.bias) * trusted


def profile_documents(rows: Floats, weight: Floats, bounds: Ints) -> Floats:
    """Return how each document's heaviest candidates are described, (documents, 2 columns + 1).

    The mean of each column comes first, then the number of candidates, then each column's standard deviation. ``rows``:
    without a style, (shortlist, columns); ``weight``: (shortlist,); ``bounds``: of the documents in the shortlist.
    """
    document, place = locate_rows(bounds)
    number = count_rows(bounds)
    heaviest = np.lexsort((-weight, document))[place < PROFILED]
    profiled = np.minimum(number, PROFILED)
    profiles = np.zeros((len(number), 2 * rows.shape[1] + 1))
    some = profiled > 0
    if some.any():
        # Segmented sums: the heaviest candidates of a document are adjacent, so one call sums all documents.
        heads = (np.cumsum(profiled) - profiled)[some]
        described = np.ascontiguousarray(rows[heaviest], float)
        described[np.isnan(described)] = 0.0
        mean = np.add.reduceat(described, heads, axis=0) / profiled[some, None]
        described -= np.repeat(mean, profiled[some], axis=0)
        variance = np.add.reduceat(described * described, heads, axis=0) / profiled[some, None]
        profiles[some] = np.column_stack((mean, number[some], np.sqrt(variance)))
    return profiles


def find_shares(taste: "TrainedRanker | None", profiles: Floats) -> Floats:
    """Return the share of a taste for each document, (documents,); 0 without a gate."""
    return np.zeros(len(profiles)) if taste is None or taste.gate is None else taste.gate.shares(profiles)


def share_of_prose(prose: Floats, tags: Floats, language: str) -> Floats:
    """Return how far documents are corrected for prose, by what both gates say, 0 to 1, (documents,) each.

    In English the gate of tags leaves the root of its rest: without it recipes, left out of all that learned, lose
    eight points of F@5; with the rest itself judged texts lose three. In other languages, whose gate of tags saw no
    prose, the limit costs judged texts two points, and spares tags nothing.
    """
    return np.asarray(prose * np.sqrt(1 - tags)) if language == "en" else prose


def mix_probabilities(maps: Sequence[ProbabilityMap], log_odds: Floats, share: Floats) -> Floats:
    """Return probabilities by the first map, and by the second with ``share``, 0 to 1, (candidates,) each."""
    first = maps[0].of(log_odds)
    return np.asarray((1 - share) * first + share * maps[1].of(log_odds)) if share.any() else first


def mix_log_odds(first: Floats, second: Floats, share: Floats) -> Floats:
    """Return the log-odds of averaged probabilities, with ``share`` of the second, 0 to 1, (candidates,) each."""
    with np.errstate(divide="ignore"):  # the logarithm of a share of 0 is minus infinity, as it should be
        of_first, of_second = np.log(1 - share), np.log(share)
    # Logarithms throughout: probabilities near 0 and 1 would be rounded away.
    yes = np.logaddexp(of_first - np.logaddexp(0, -first), of_second - np.logaddexp(0, -second))
    no = np.logaddexp(of_first - np.logaddexp(0, first), of_second - np.logaddexp(0, second))
    return np.asarray(yes - no)


@dataclass(frozen=True, eq=False)
class TrainedRanker:
    """Boosted trees with a map from log-odds to probabilities.

    The trees correct a start: the number of keyphrases that people are expected to choose from the document, shared out
    among its candidates. Collections differ in this number far more than their documents do.
    """

    trees: Trees
    columns: tuple[str, ...]  # names of the columns, in their order
    # By style, from log-odds to the share of such phrases that people chose, fitted on held-out documents.
    probability: Mapping[str, ProbabilityMap]
    card: Mapping[str, Any] = field(default_factory=dict)  # how it was made: data, date, licence, evaluation
    # By style, keyphrases that people are expected to choose from a document, unless a number is declared.
    expected: Mapping[str, float] = field(default_factory=dict)
    # True if the expected number is shared out by the weights of the untrained ranking, from which trees without tables
    # of phrases stray less in languages that they were not trained on; else equally.
    by_weight: bool = False
    gate: Gate | None = None  # for trees of tags: how much they say of which documents

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of trees, columns and probabilities: the ranker's part in a signature."""
        return _hash(self._text())[:8]

    def save(self, path: Path) -> None:
        """Write as one compressed file, with ``sha256`` added to the card."""
        text = self._text()
        card = {**self.card, "sha256": _hash(text)}
        packed = json.dumps({"card": card, "judge": text}, ensure_ascii=False)
        path.write_bytes(zstd.compress(packed.encode(), _COMPRESSION))

    @classmethod
    def load(cls, path: Path) -> "TrainedRanker":
        """Read a file of ``save``; raises MissingData without it, BrokenFile where it does not match its card."""
        card, text = _read_ranker(path)
        if _hash(text) != card.get("sha256"):
            raise BrokenFile(f"{path.name} does not match its card", _HINT)
        try:
            parts = json.loads(text)
            probability = dict(parts["probability"])
            maps = {style: ProbabilityMap(*map(np.array, columns)) for style, columns in probability.items()}
            expected = {str(style): float(number) for style, number in parts.get("expected", {}).items()}
            by_weight = parts.get("by_weight", False) is True
            bias, *weights = map(float, parts.get("gate", (0.0,)))
            width = len(parts["columns"])  # with the style, where a profile has the number of candidates
            least, width = (LEAST_ANY, width) if by_weight else (PROFILED, 2 * width - 1)  # means, or spreads as well
            gate = Gate(np.array(weights).reshape(width), bias, least) if "gate" in parts else None
            return cls(Trees(str(parts["trees"])), tuple(parts["columns"]), maps, card, expected, by_weight, gate)
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"{path.name} cannot be read: {error}", _HINT) from error

    def _text(self) -> str:
        """Return the content as JSON; its hash is the ranker's identity, so its form must not change."""
        maps = {
            style: [np.asarray(fitted.scores).tolist(), np.asarray(fitted.probabilities).tolist()]
            for style, fitted in self.probability.items()
        }
        parts: dict[str, Any] = {"trees": self.trees.text, "columns": list(self.columns), "probability": maps}
        # Rankers of before have none of these, and their hashes must not change.
        parts |= {"expected": dict(self.expected)} if self.expected else {}
        parts |= {"by_weight": True} if self.by_weight else {}
        parts |= {"gate": [self.gate.bias, *self.gate.weights.tolist()]} if self.gate else {}
        return json.dumps(parts, ensure_ascii=False, sort_keys=True)

    def usual_number(self, style: str, declared: float | None = None) -> float | None:
        """Return the number of keyphrases people choose in a style, or in general; ``declared`` without either."""
        usual = self.expected.get(style, self.expected.get(Style.GENERAL))
        return declared if usual is None and self.expected else usual

    def start(self, expected: float | None, weight: Floats, bounds: Ints) -> Floats:
        """Return the log-odds that the trees correct, (candidates,), by weights; ``bounds``: (documents + 1,)."""
        if not self.by_weight:  # equal shares: one logarithm for each document
            sizes = count_rows(bounds)
            return np.repeat([math.log(expected / (size + 1)) if expected else 0.0 for size in sizes.tolist()], sizes)
        parts = [shared_out(expected, weight[begin:end]) for begin, end in itertools.pairwise(bounds.tolist())]
        return np.concatenate(parts)

    def scores(self, rows: Floats, start: Floats | float = 0.0) -> Floats:
        """Return log-odds of a document's candidates from rows, (rows, columns), and ``start``, (rows,)."""
        return self.trees.scores(rows) + start

    def probabilities(self, scores: Floats, style: str) -> Floats | None:
        """Return the probabilities of scores, (rows,); None where no map was fitted for the style."""
        fitted = self.probability.get(style)
        return None if fitted is None else fitted.of(scores)


def _read_ranker(path: Path) -> tuple[dict[str, Any], str]:
    if not path.is_file():
        raise MissingData(f"no trained ranking at {path}")
    try:
        whole = json.loads(_unpack_frame(path.read_bytes()))
        return dict(whole["card"]), str(whole["judge"])
    except (zstd.ZstdError, ValueError, KeyError, TypeError) as error:
        raise BrokenFile(f"{path.name} cannot be read: {error}", _HINT) from error


def _unpack_frame(packed: bytes) -> bytes:
    """Return the content of a frame, whatever size it declares."""
    decoder = zstd.ZstdDecompressor()
    content = decoder.decompress(packed, _LARGEST)
    if not decoder.eof:
        raise zstd.ZstdError(f"it is cut off, or unpacks to more than {_LARGEST} bytes")
    return content


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def train_ranker(
    examples: Iterable[Examples],
    boosting: Boosting | None = None,
    card: Mapping[str, Any] | None = None,
    folds: int = FOLDS,
) -> TrainedRanker:
    """Train trees on all examples, and fit a probability map for each style by cross-fitting in ``folds`` folds."""
    usable = [example for example in examples if len(example.answers)]
    if not usable:
        raise BadParameter("there is nothing to learn from", "give documents with gold keyphrases")
    settings = boosting or Boosting()
    trees = trees_of(usable, settings)
    held_out: dict[Style, list[tuple[Floats, Bools]]] = {}
    for example, scores in zip(usable, held_out_scores(usable, settings, folds), strict=True):
        if len(scores):
            held_out.setdefault(example.style, []).append((scores, example.answers))
    by_weight, expected = usable[0].shares is not None, expected_by_style(usable)
    return TrainedRanker(trees, usable[0].columns, probability_maps(held_out), card or {}, expected, by_weight)


def probability_maps(held_out: Mapping[Style, list[tuple[Floats, Bools]]]) -> dict[str, ProbabilityMap]:
    """Fit a map for each style from log-odds and answers of held-out examples, keyphrases and others among them."""
    maps = {}
    for style, parts in held_out.items():
        scores, answers = (np.concatenate(column) for column in zip(*parts, strict=True))
        if answers.any() and not answers.all():
            maps[style.value] = ProbabilityMap.fit(scores, answers)
    return maps
