"""Semantic matching: how near predictions and gold are in meaning, by the cosine of phrase embeddings.

SemP, SemR and SemF of KPEval (Wu, Yin and Chang, Findings of ACL 2024). A prediction is worth the cosine of the nearest
gold phrase, a gold phrase that of the nearest prediction; SemP and SemR are the means over a document's distinct
predictions and gold entries, SemF their harmonic mean. Numbers depend on the encoder, so its name and hash are in the
signature.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, NamedTuple

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter
from keywright.evaluation.measures.document_means import Listed
from keywright.evaluation.measures.measure import Measure
from keywright.evaluation.rules import Form, neutral
from keywright.text.encoders import Encode


class SemanticScore(NamedTuple):
    """Values of one document, 0 to 1 as far as cosines are not negative; None where they have no meaning."""

    SemP: float | None
    SemR: float | None
    SemF: float | None


@dataclass(frozen=True, slots=True)
class SemanticMatching:
    """Semantic matching with an encoder.

    Attributes:
        encode: phrases to embeddings.
        threshold: cosines up to it count as 0.
        kpeval_compat: as KPEval's code does: a phrase that equals a gold phrase by its stems is worth 1 for SemP, but
            its cosine for SemR, and a document without gold gets 0. Otherwise equal stems are worth 1 both ways, and a
            document without gold has no values.
    """

    encode: Encode
    threshold: float = 0.0
    kpeval_compat: bool = False

    name: ClassVar[str] = "semantic"

    def __post_init__(self) -> None:
        """Refuse a threshold that no cosine has."""
        if not -1 <= self.threshold <= 1:
            raise BadParameter(f"threshold {self.threshold}", "expected a cosine, from -1 to 1")

    def __call__(self, listed: Listed, measures: tuple[Measure, ...]) -> Floats:
        """Values as a protocol takes them, (documents, measures); nan where there are none.

        Raises:
            BadParameter: a measure other than SemP, SemR and SemF, or a cutoff that is no number.
        """
        for measure in measures:
            if measure.name not in SemanticScore._fields or isinstance(measure.k, str):
                hint = "they are SemP, SemR and SemF, of the whole list or at a number"
                raise BadParameter(f"{measure} is no measure of meaning here", hint)
        gold = listed.accepted()
        depths = list(dict.fromkeys(measure.k for measure in measures if not isinstance(measure.k, str)))
        at = dict(zip(depths, self._scores(listed.forms, gold, depths), strict=True))
        columns = [[getattr(score, measure.name) for score in at[measure.k]] for measure in measures]  # type: ignore[index]
        return np.array(columns, dtype=np.float64).T.reshape(len(gold), len(measures))

    def score(self, lists: Sequence[Sequence[str]], gold: Sequence[Sequence[Sequence[str]]]) -> list[SemanticScore]:
        """Values of each document.

        Args:
            lists: predictions of each document, surface forms, best first.
            gold: entries of each document, each with its accepted surface forms.
        """
        return self._scores(lists, gold, [None])[0]

    def _scores(
        self,
        lists: Sequence[Sequence[str]],
        gold: Sequence[Sequence[Sequence[str]]],
        depths: Sequence[int | None],
    ) -> list[list[SemanticScore]]:
        """Values of each document with its list cut at each depth; every phrase is encoded once."""
        entries = [_entries(one) for one in gold]
        cut = [[_distinct(phrases[:depth]) for phrases in lists] for depth in depths]
        wanted = dict.fromkeys(text for forms in chain(*cut) for text in forms)
        wanted |= dict.fromkeys(text for one in entries for text in _texts(one))
        rows = {text: row for row, text in enumerate(wanted)}
        units = _unit(self.encode(list(wanted))) if wanted else np.zeros((0, 1))
        return [
            [self._document(phrases, one, rows, units) for phrases, one in zip(forms, entries, strict=True)]
            for forms in cut
        ]

    def _document(
        self, phrases: dict[str, Form], entries: list[dict[str, Form]], rows: dict[str, int], units: Floats
    ) -> SemanticScore:
        """Values of one document from embeddings of length 1, (phrases of all documents, dimensions)."""
        if not entries:
            return SemanticScore(0.0, 0.0, 0.0) if self.kpeval_compat else SemanticScore(None, None, None)
        if not phrases:
            return SemanticScore(0.0, 0.0, 0.0)
        texts = _texts(entries)
        cosines = units[[rows[text] for text in phrases]] @ units[[rows[text] for text in texts]].T
        cosines = np.where(cosines > self.threshold, cosines, 0.0)
        same = np.array([[form == gold for entry in entries for gold in entry.values()] for form in phrases.values()])
        shortcut = np.where(same, 1.0, cosines)
        starts = np.cumsum([0, *map(len, entries)])[:-1]
        found = np.maximum.reduceat((cosines if self.kpeval_compat else shortcut).max(axis=0), starts)
        precision, recall = float(shortcut.max(axis=1).mean()), float(found.mean())
        inner = 2 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
        return SemanticScore(precision, recall, inner)


def _distinct(phrases: Sequence[str]) -> dict[str, Form]:
    """Phrases with something in them and their stems; of those with equal stems the first."""
    found: dict[Form, str] = {}
    for phrase in phrases:
        if form := neutral(phrase):
            found.setdefault(form, phrase)
    return {phrase: form for form, phrase in found.items()}


def _entries(entries: Sequence[Sequence[str]]) -> list[dict[str, Form]]:
    """Entries with something in them; one that shares a form with an earlier one is a repeat."""
    kept: list[dict[str, Form]] = []
    seen: set[Form] = set()
    for entry in entries:
        forms = _distinct(entry)
        if forms and not seen & set(forms.values()):
            kept.append(forms)
        seen |= set(forms.values())
    return kept


def _texts(entries: Sequence[dict[str, Form]]) -> list[str]:
    """All surface forms of a document's gold, entry after entry."""
    return [text for entry in entries for text in entry]


def _unit(rows: Floats) -> Floats:
    """Rows made of length 1; those of length 0 stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats = np.divide(rows, lengths, out=np.zeros(rows.shape), where=lengths > 0)
    return units
