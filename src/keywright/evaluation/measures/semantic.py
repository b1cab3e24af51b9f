"""Semantic matching: similarity in meaning of predictions and gold, by the cosine of phrase embeddings.

SemP and SemR of KPEval (Wu, Yin and Chang, Findings of ACL 2024) are means over distinct predictions, or gold entries,
of the cosine of the nearest phrase of the other side, SemF their harmonic mean. Numbers depend on the encoder, so its
name and hash are in the signature.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, NamedTuple

import numpy as np

from keywright.core.arrays import Floats, to_units
from keywright.core.errors import BadParameter
from keywright.evaluation.measures.counts import Listed, Measure, harmonic
from keywright.evaluation.rules import Form, neutral
from keywright.text.encoders import Encode


class SemanticScore(NamedTuple):
    """Values of one document, 0 to 1 as far as cosines are not negative; None where they are not defined."""

    SemP: float | None
    SemR: float | None
    SemF: float | None


@dataclass(frozen=True, slots=True)
class SemanticMatching:
    """Semantic matching with an encoder."""

    encode: Encode  # phrases to embeddings
    threshold: float = 0.0  # cosines up to it count as 0
    # Reproduce KPEval's code: a phrase that equals a gold phrase by stem scores 1 for SemP, but its cosine for SemR,
    # and a document without gold gets 0. Otherwise equal stems score 1 for both, and without gold there are no values.
    kpeval_compat: bool = False

    name: ClassVar[str] = "semantic"

    def __post_init__(self) -> None:
        if not -1 <= self.threshold <= 1:
            raise BadParameter(f"threshold {self.threshold}", "expected a cosine, from -1 to 1")

    def __call__(self, listed: Listed, measures: tuple[Measure, ...]) -> Floats:
        """Compute values for protocols, (documents, measures); nan where there are none."""
        for measure in measures:
            if measure.name not in SemanticScore._fields or isinstance(measure.k, str):
                hint = "expected SemP, SemR or SemF, of the whole list or at a number"
                raise BadParameter(f"{measure} is not a semantic measure", hint)
        gold = listed.accepted()
        depths = list(dict.fromkeys(measure.k for measure in measures if not isinstance(measure.k, str)))
        at = dict(zip(depths, self._scores(listed.forms, gold, depths), strict=True))
        columns = [[getattr(score, measure.name) for score in at[measure.k]] for measure in measures]  # type: ignore[index]
        return np.array(columns, dtype=np.float64).T.reshape(len(gold), len(measures))

    def score(self, lists: Sequence[Sequence[str]], gold: Sequence[Sequence[Sequence[str]]]) -> list[SemanticScore]:
        """Compute the values of each document from surface forms, best first, and the forms of each gold entry."""
        return self._scores(lists, gold, [None])[0]

    def _scores(
        self, lists: Sequence[Sequence[str]], gold: Sequence[Sequence[Sequence[str]]], depths: Sequence[int | None]
    ) -> list[list[SemanticScore]]:
        """Compute the values of each document with its list cut at each depth; every phrase is encoded once."""
        entries = list(map(_drop_equal_entries, gold))
        cut = [[_drop_equal_stems(phrases[:depth]) for phrases in lists] for depth in depths]
        distinct = dict.fromkeys(chain(*chain(*cut), *map(_list_texts, entries)))
        rows = {text: row for row, text in enumerate(distinct)}
        units = to_units(self.encode(list(distinct)) if distinct else np.zeros((0, 1)))
        return [
            [self._document(phrases, accepted, rows, units) for phrases, accepted in zip(forms, entries, strict=True)]
            for forms in cut
        ]

    def _document(
        self, phrases: dict[str, Form], entries: list[dict[str, Form]], rows: dict[str, int], units: Floats
    ) -> SemanticScore:
        """Compute the values of one document from unit embeddings, (phrases of all documents, dimensions)."""
        if not entries:
            return SemanticScore(0.0, 0.0, 0.0) if self.kpeval_compat else SemanticScore(None, None, None)
        if not phrases:
            return SemanticScore(0.0, 0.0, 0.0)
        texts = _list_texts(entries)
        cosines = units[[rows[text] for text in phrases]] @ units[[rows[text] for text in texts]].T
        cosines = np.where(cosines > self.threshold, cosines, 0.0)
        same = np.array([[form == gold for entry in entries for gold in entry.values()] for form in phrases.values()])
        similarity = np.where(same, 1.0, cosines)
        # The forms of an entry are adjacent columns, so one segmented maximum gives the best form of every entry.
        starts = np.cumsum([0, *map(len, entries)])[:-1]
        recalled = np.maximum.reduceat((cosines if self.kpeval_compat else similarity).max(axis=0), starts)
        precision, recall = float(similarity.max(axis=1).mean()), float(recalled.mean())
        inner = harmonic(precision, recall) if precision > 0 and recall > 0 else 0.0
        return SemanticScore(precision, recall, inner)


def _drop_equal_stems(phrases: Sequence[str]) -> dict[str, Form]:
    """Map phrases that are not empty to their stems; of phrases with equal stems keep the first."""
    first: dict[Form, str] = {}
    for phrase in phrases:
        if form := neutral(phrase):
            first.setdefault(form, phrase)
    return {phrase: form for form, phrase in first.items()}


def _drop_equal_entries(entries: Sequence[Sequence[str]]) -> list[dict[str, Form]]:
    """Return entries that are not empty and share no form with an earlier one."""
    first: list[dict[str, Form]] = []
    earlier: set[Form] = set()
    for entry in entries:
        forms = _drop_equal_stems(entry)
        if forms and earlier.isdisjoint(forms.values()):
            first.append(forms)
        earlier |= set(forms.values())
    return first


def _list_texts(entries: Sequence[dict[str, Form]]) -> list[str]:
    return [text for entry in entries for text in entry]
