"""Writings of phrases."""

import numpy as np
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions.shape import (
    best_occurrences,
    surface_form_counts,
    surface_form_numbers,
    surface_forms,
)

DOCUMENT = analysed("Rain garden, rain gardens, rain garden")
FOUND = ngrams(DOCUMENT, 2)
FORMS = ["rain garden", "rain gardens", "rain garden", "rain", "rain", "rain", "garden", "gardens", "garden"]


def test_writings_of_a_phrase():
    everything = np.arange(len(FOUND.positions))
    by_phrase = dict(zip(surface_forms(FOUND, DOCUMENT, FOUND.offsets[:-1]), range(3), strict=True))
    assert set(by_phrase) == {"rain garden", "rain", "garden"}
    forms, numbers = surface_forms(FOUND, DOCUMENT, everything), surface_form_numbers(FOUND, DOCUMENT)
    assert sorted(forms) == sorted(FORMS)
    assert len(set(zip(forms, numbers.tolist(), strict=True))) == len(set(forms)) == len(set(numbers.tolist()))
    expected = {"rain garden": 2, "rain gardens": 1, "rain": 3, "garden": 2, "gardens": 1}
    assert surface_form_counts(FOUND, DOCUMENT).tolist() == [expected[form] for form in forms]


def test_the_best_writing_is_the_earliest_of_equals():
    scores = np.array([float("gardens" in form) for form in surface_forms(FOUND, DOCUMENT, np.arange(9))])
    best = surface_forms(FOUND, DOCUMENT, best_occurrences(FOUND, scores))
    assert set(best) == {"rain gardens", "rain", "gardens"}
    same = best_occurrences(FOUND, np.zeros(9))
    assert FOUND.positions[same].tolist() == FOUND.first.tolist()


def test_no_candidates():
    empty = analysed("")
    none = ngrams(empty, 2)
    assert len(surface_form_numbers(none, empty)) == len(surface_form_counts(none, empty)) == 0
    assert len(best_occurrences(none, np.zeros(0))) == 0
    assert surface_forms(none, empty, np.zeros(0, int)) == []
