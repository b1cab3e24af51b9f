"""Keyphrase perplexity, confidence and recall by place, after Kundu, Ray Chowdhury and Caragea 2023."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.calibration.judging import Decisions
from keywright.calibration.phrases import JudgedPhrases
from keywright.core.arrays import Floats, Ints
from keywright.core.documents import Document, LabelledDocument, SectionKind
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.evaluation.normal_forms.phrases import stems_of_any_script
from keywright.evaluation.rules import PhraseClass, title_and_abstract

FIFTHS: Final = 5  # parts of a document, as in the study
PLACES: Final = 5  # first places of a phrase that are reported, as in the study
HIGHEST: Final = 10.0  # end of the last bin of a histogram; arbitrary
WIDTH: Final = 0.5  # width of its bins; arbitrary
_LONG: Final = 10_000  # medians from this on are printed as powers of ten; arbitrary
_PIECE_MARK: Final = "▁"
_TITLE_MARK: Final = " <eos> "


@dataclass(frozen=True, slots=True, eq=False)
class MeansByPlace:
    """A mean for each place in a phrase, or for each part of a document."""

    size: Ints  # number of values, (places,)
    mean: Floats  # nan without values, (places,)

    def as_json(self) -> dict[str, list[int] | list[float | None]]:
        """Return sizes and means; null for a mean without values."""
        means = [None if math.isnan(mean) else mean for mean in self.mean.tolist()]
        return {"sizes": self.size.tolist(), "means": means}


def average_by_place(runs: Iterable[Decisions], *, present: bool, words: bool = False) -> MeansByPlace:
    """Return the mean probability of each token, or of each word, of phrases that are present, or absent."""
    probabilities_of = list_word_probabilities if words else list_token_probabilities
    rows = [
        (place, probability)
        for decisions in runs
        for listed in decisions.lists
        for decision in listed
        if decision.present == present
        for place, probability in enumerate(probabilities_of(decision.keyphrase)[:PLACES])
    ]
    place = np.array([row[0] for row in rows], dtype=np.int64)
    return _average_places(place, np.array([row[1] for row in rows], dtype=np.float64), PLACES)


def list_token_probabilities(keyphrase: Keyphrase) -> tuple[float, ...]:
    """Return the probability of each token, 0 to 1."""
    if keyphrase.generation is None:
        message = f"phrase {keyphrase.text!r:.60} has no token probabilities"
        raise BadRecord(message, "this analysis needs the output of a generator, such as a `generations` file")
    return tuple(map(math.exp, keyphrase.generation.log_probabilities))


def list_word_probabilities(keyphrase: Keyphrase) -> tuple[float, ...]:
    """Return each word's probability, 0 to 1, the product over its subwords; a blank one begins the next."""
    probabilities = list_token_probabilities(keyphrase)
    tokens = keyphrase.generation.tokens if keyphrase.generation else ()
    letters = ["".join(token.replace(_PIECE_MARK, "").split()) for token in tokens]
    words = keyphrase.text.split()
    if "".join(letters) != "".join(words):
        message = f"the tokens of {keyphrase.text!r:.60} do not make up the phrase"
        raise BadRecord(message, "look at tokens, or import subwords as text")
    ends = np.cumsum([len(word) for word in words])
    products = [1.0] * len(words)
    start = 0
    for token, probability in zip(letters, probabilities, strict=True):
        word = int(np.searchsorted(ends, start, side="right"))
        if word < len(words):
            products[word] *= probability
        start += len(token)
    return tuple(products)


def count_gold_by_fifth(labelled: Iterable[LabelledDocument[Document]], *, as_published: bool = False) -> Ints:
    """Return the number of gold phrases that begin in each fifth of title and abstract, by characters, (5,).

    A phrase is searched in the stems of the text as characters, and repeats of the collection count. ``as_published``
    divides the place in the stemmed text by the longer length of the unstemmed text, so the last fifth gets too few.
    """
    counts: Ints = np.zeros(FIFTHS, dtype=np.int64)
    for document in labelled:
        plain = title_and_abstract(document.document)
        parts = [document.document.section(kind) for kind in (SectionKind.TITLE, SectionKind.ABSTRACT)]
        if as_published:
            plain = _TITLE_MARK.join(part for part in parts if part) if all(parts) else document.document.text
        text = stems_of_any_script(plain)
        length = len(plain) if as_published else len(text)
        places = [text.find(form) for form in (stems_of_any_script(gold.forms[0]) for gold in document.gold) if form]
        np.add.at(counts, _find_fifths([place for place in places if place >= 0], length), 1)
    return counts


def measure_recall_by_fifth(decisions: Decisions) -> MeansByPlace:
    """Return the recall of present gold by the fifth of the normalised text in which it begins, by characters."""
    fifths: list[int] = []
    hits: list[bool] = []
    present = decisions.gold[PhraseClass.PRESENT]
    for name, listed, entries in zip(decisions.ids, decisions.lists, present.entries, strict=True):
        correct = (decision for decision in listed if decision.correct and decision.present)
        matched = {number for decision in correct for number in entries[decision.form]}
        text = f" {decisions.texts[name]} "
        first: dict[int, int] = {}
        for form, numbers in entries.items():
            place = max(text.find(f" {form} "), text.find(form) - 1, 0)
            for number in numbers:
                first[number] = min(place, first.get(number, place))
        fifths += _find_fifths(list(first.values()), len(text) - 2).tolist()
        hits += [number in matched for number in first]
    return _average_places(np.array(fifths, dtype=np.int64), np.array(hits, dtype=np.float64), FIFTHS)


def _find_fifths(places: Sequence[int], length: int) -> Ints:
    """Return the fifth of each place; the end of the text belongs to the last."""
    share: Floats = FIFTHS * np.asarray(places, dtype=np.float64) / max(length, 1)
    return np.minimum(share.astype(np.int64), FIFTHS - 1)


def _average_places(place: Ints, values: Floats, places: int) -> MeansByPlace:
    size = np.bincount(place, minlength=places)
    with np.errstate(invalid="ignore"):
        return MeansByPlace(size, np.bincount(place, values, minlength=places) / size)


@dataclass(frozen=True, slots=True, eq=False)
class PerplexityHistogram:
    """Histogram and median of perplexities."""

    median: float | None  # 1 at least; None where there are no phrases
    edges: Floats  # ends of the bins, rising, the first 1, (bins + 1,)
    counts: Ints  # phrases in each bin, whose high end belongs to the next one, (bins,)
    above: int  # phrases at or above the last edge

    @property
    def median_text(self) -> str:
        """The median with two decimals, or as a power of ten where that would be long; a dash without phrases."""
        if self.median is None:
            return "-"
        return f"{self.median:.2f}" if self.median < _LONG else f"{self.median:.1e}"


def make_histogram(phrases: JudgedPhrases, *, present: bool, width: float = WIDTH) -> PerplexityHistogram:
    """Return median and histogram of the perplexities of present, or absent phrases: inverses of their confidences."""
    outside = ~((phrases.confidence > 0) & (phrases.confidence <= 1))  # nan is neither
    if outside.any():
        hint = "expected one above 0 and at most 1, such as kpp-s"
        raise BadParameter(f"confidence {float(phrases.confidence[outside][0])} has no perplexity", hint)
    values = 1 / phrases.confidence[phrases.present == present]
    edges: Floats = 1 + width * np.arange(round((HIGHEST - 1) / width) + 1)
    counts = np.bincount(np.searchsorted(edges, values, side="right") - 1, minlength=len(edges))
    median = float(np.median(values)) if len(values) else None
    return PerplexityHistogram(median, edges, counts[:-1], int(counts[-1]))
