"""How phrases are written, their surface forms and abbreviations, by hand."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.features.functions import words as shape
from keywright.extraction.features.functions.words import (
    abbreviated_phrases,
    best_occurrences,
    surface_form_counts,
    surface_forms,
)
from keywright.text.keys import phrase_key

TEXT = "Peer-to-Peer DNS. A peer to peer DNS. The Grid  Market, grid market; IPv6 aaargh, Smart grid."
DOCUMENT = analysed(TEXT)
FOUND = ngrams(
    DOCUMENT, 4, lambda document: ~np.isin(np.array(document.words)[document.word], ["a", "the", ".", ",", ";"])
)
PHRASES = ("peer-to-peer dns", "dns", "grid market", "ipv6", "aaargh", "smart grid")


def values(feature) -> list[float]:
    column = feature(FOUND, DOCUMENT)
    assert column.shape == (len(FOUND),)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (shape.acronym_share, [0, 1, 0, 1, 0, 0]),
        (shape.capital_share, [1 / 2, 1, 1 / 2, 1, 0, 0]),
        (shape.has_special_characters, [1, 1, 0, 1, 0, 0]),
        (shape.is_oddly_spelt, [1, 0, 0, 1, 1, 0]),
    ],
)
def test_shapes(feature, expected):
    assert values(feature) == expected
    empty = analysed("")
    assert feature(ngrams(empty, 2), empty).shape == (0,)


SURFACE_FORMS_DOCUMENT = analysed("Rain garden, rain gardens, rain garden")
SURFACE_FORMS_FOUND = ngrams(SURFACE_FORMS_DOCUMENT, 2)
FORMS = ["rain garden", "rain gardens", "rain garden", "rain", "rain", "rain", "garden", "gardens", "garden"]


def test_writings_of_a_phrase():
    everything = np.arange(len(SURFACE_FORMS_FOUND.positions))
    by_phrase = dict(
        zip(
            surface_forms(SURFACE_FORMS_FOUND, SURFACE_FORMS_DOCUMENT, SURFACE_FORMS_FOUND.offsets[:-1]),
            range(3),
            strict=True,
        )
    )
    assert set(by_phrase) == {"rain garden", "rain", "garden"}
    forms = surface_forms(SURFACE_FORMS_FOUND, SURFACE_FORMS_DOCUMENT, everything)
    assert sorted(forms) == sorted(FORMS)
    expected = {"rain garden": 2, "rain gardens": 1, "rain": 3, "garden": 2, "gardens": 1}
    assert surface_form_counts(SURFACE_FORMS_FOUND, SURFACE_FORMS_DOCUMENT).tolist() == [
        expected[form] for form in forms
    ]


def test_the_best_writing_is_the_earliest_of_equals():
    scores = np.array(
        [float("gardens" in form) for form in surface_forms(SURFACE_FORMS_FOUND, SURFACE_FORMS_DOCUMENT, np.arange(9))]
    )
    best = surface_forms(SURFACE_FORMS_FOUND, SURFACE_FORMS_DOCUMENT, best_occurrences(SURFACE_FORMS_FOUND, scores))
    assert set(best) == {"rain gardens", "rain", "gardens"}
    same = best_occurrences(SURFACE_FORMS_FOUND, np.zeros(9))
    assert SURFACE_FORMS_FOUND.positions[same].tolist() == SURFACE_FORMS_FOUND.first.tolist()


def test_no_candidates():
    empty = analysed("")
    none = ngrams(empty, 2)
    assert len(surface_form_counts(none, empty)) == 0
    assert len(best_occurrences(none, np.zeros(0))) == 0
    assert surface_forms(none, empty, np.zeros(0, int)) == []


ACRONYMS_DOCUMENT = analysed(
    "Quality of service (QoS) and peer-to-peer networks (PPN). Later QoS; the qualities of services; DNS."
)
ACRONYMS_FOUND = ngrams(ACRONYMS_DOCUMENT, 3, content_words, content_words_and_connectors)


def test_short_and_long_forms():
    short, long = abbreviated_phrases(ACRONYMS_FOUND, ACRONYMS_DOCUMENT)
    for column, expected in ((short, {"qos", "ppn"}), (long, {"quality of service", "peer to peer networks"})):
        assert (column.shape, column.dtype) == ((len(ACRONYMS_FOUND),), "float64")
        assert set(ACRONYMS_FOUND.key[column == 1].tolist()) == set(map(phrase_key, expected))
        assert set(column.tolist()) == {0, 1}
    empty = analysed("")
    assert [column.shape for column in abbreviated_phrases(ngrams(empty, 2), empty)] == [(0,), (0,)]
