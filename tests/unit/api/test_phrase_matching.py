"""Keys of phrases: equal for forms of one phrase, and different for others."""

import pytest

from keywright.api import phrase_key


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        ("sensor network", "Sensor Networks", None),
        ("peer-to-peer", "peer to peer", "en"),
        ("réseaux neuronaux", "réseau neuronal", "fr"),
    ],
)
def test_forms_of_a_phrase_have_one_key(left, right, language):
    assert phrase_key(left, language) == phrase_key(right, language)


@pytest.mark.parametrize(("left", "right"), [("sensor network", "network sensor"), ("sensor", "sensor network")])
def test_other_phrases_have_other_keys(left, right):
    assert phrase_key(left) != phrase_key(right)


def test_signs_alone_have_no_key():
    assert phrase_key("...") == 0
