"""Scores to a ranked prediction: order, ties, surface forms, spans."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints, Numbers
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.predictions import Keyphrase, Prediction

Spans: TypeAlias = tuple[tuple[int, int], ...]

_FEW: Final = 5
"""A writing with less than one in so many mentions is an accident."""


def rank(  # noqa: PLR0913  (what a prediction is made of, by name)
    document: AnalysedDocument,
    candidates: Candidates,
    scores: Floats,
    top: int | None = None,
    evidence: Mapping[str, Numbers] | None = None,
    ties: Floats | None = None,
    *,
    probabilities: Floats | None = None,
    chosen: int | None = None,
) -> Prediction:
    """The best candidates as keyphrases, best first.

    Equal scores keep reading order, then the order of keys. No candidates give an empty prediction.

    Args:
        document: the document the candidates come from.
        candidates: what to rank.
        scores: higher is better, (candidates,).
        top: how many; all when None.
        evidence: named columns that the scores were made of, each (candidates,).
        ties: what parts equal scores before reading order does, higher is better, (candidates,).
        probabilities: of each candidate, from a fitted probability map, (candidates,); they change no order.
        chosen: how many of the best candidates the system stands by, also where ``top`` cuts the list shorter.

    Raises:
        BadParameter: more candidates are stood by than there are, or fewer than none.
    """
    if chosen is not None and not 0 <= chosen <= len(candidates):
        raise BadParameter(f"chosen {chosen}", f"expected a number from 0 to {len(candidates)}, the candidates")
    best = order_of(candidates, scores, ties)[:top]
    columns = {name: column[best].tolist() for name, column in (evidence or {}).items()}
    found = zip(
        _spans(document, candidates, best),
        scores[best].tolist(),
        [None] * len(best) if probabilities is None else probabilities[best].tolist(),
        strict=True,
    )
    keyphrases = [
        Keyphrase(
            text=surface_form(document.source.text, spans),
            score=score,
            probability=probability,
            spans=spans,
            evidence={name: column[at] for name, column in columns.items()},
        )
        for at, (spans, score, probability) in enumerate(found)
    ]
    source = document.source
    return Prediction(source.id, tuple(keyphrases), chosen, coverage=source.coverage, warnings=source.warnings)


def order_of(candidates: Candidates, scores: Floats, ties: Floats | None = None) -> Ints:
    """Indices of candidates, best first, (candidates,); arguments as those of ``rank``."""
    parted = () if ties is None else (-ties,)
    return np.lexsort((candidates.key, candidates.first, *parted, -scores))


def spans_of(document: AnalysedDocument, candidates: Candidates, index: int) -> Spans:
    """Places of one candidate in the document's text, half-open, in characters, in reading order."""
    return _spans(document, candidates, np.array([index]))[0]


def _spans(document: AnalysedDocument, candidates: Candidates, some: Ints) -> list[Spans]:
    """Places of some candidates in the document's text, half-open, in characters, each in reading order."""
    number = candidates.frequency[some]
    ends = np.cumsum(number)
    which = np.repeat(candidates.offsets[some] - (ends - number), number) + np.arange(number.sum())
    first = candidates.positions[which]
    last = first + candidates.widths[which] - 1
    places = tuple(zip(document.start[first].tolist(), document.end[last].tolist(), strict=True))
    return [places[end - size : end] for size, end in zip(number.tolist(), ends.tolist(), strict=True)]


def surface_form(text: str, spans: Spans) -> str:
    """How to print a phrase: its most frequent form, regardless of case; of that, a usual writing.

    White space is made single blanks. Capitals come from titles, headings and beginnings of sentences as well as from
    names: so the writing without any is taken where it makes up a fifth of the mentions. Otherwise a word is written as
    it is most often, and a phrase with the fewest capitals that make up a fifth. Ties go to the earliest.
    """
    if len(spans) == 1:
        return " ".join(text[slice(*spans[0])].split())
    as_written = Counter([text[start:end] for start, end in spans])
    if len(as_written) == 1:
        return " ".join(next(iter(as_written)).split())
    writings: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    for written, count in as_written.items():
        writing = " ".join(written.split())
        writings[writing] += count
        forms[writing.lower()] += count
    form = max(forms, key=forms.__getitem__)
    own = [writing for writing in writings if writing.lower() == form]
    usual = [writing for writing in own if writings[writing] * _FEW >= forms[form]] or own
    if form in usual:
        return form
    if " " in form:
        return min(usual, key=lambda writing: sum(map(str.isupper, writing)))
    return max(usual, key=writings.__getitem__)
