"""Abbreviated phrases and abbreviations, by hand."""

import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.words import content_words, content_words_and_connectors
from keywright.extraction.features.functions.shape import acronymity, is_long_form, is_short_form
from keywright.text.keys import phrase_key

DOCUMENT = analysed(
    "Quality of service (QoS) and peer-to-peer networks (PPN). Later QoS; the qualities of services; DNS."
)
FOUND = ngrams(DOCUMENT, 3, content_words, content_words_and_connectors)


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (is_short_form, {"qos", "ppn"}),
        (is_long_form, {"quality of service", "peer to peer networks"}),
        (acronymity, {"qos", "ppn", "quality of service", "peer to peer networks"}),
    ],
)
def test_short_and_long_forms(feature, expected):
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((len(FOUND),), "float64")
    assert set(FOUND.key[column == 1].tolist()) == set(map(phrase_key, expected))
    assert set(column.tolist()) == {0, 1}
    empty = analysed("")
    assert feature(ngrams(empty, 2), empty).shape == (0,)
