"""FirstPhrases: order of first mention."""

import pytest
from tests.builders import analysed

from keywright.extraction.systems.firstphrases import FirstPhrases


def test_the_first_come_first():
    """Eight tokens: *the, rain, garden, of, the, storms, rain, gardens*."""
    found = FirstPhrases().extract(analysed("the rain garden of the storms: rain gardens")).prediction().keyphrases
    assert [(one.text, len(one.spans)) for one in found] == [("rain garden", 2), ("storms", 1)]
    assert [one.score for one in found] == pytest.approx([1 - 1 / 9, 1 - 5 / 9])  # the colon is a token too


def test_longest():
    document = analysed("red oak wood boats, oak")
    assert FirstPhrases(longest=3).extract(document).prediction().texts == ("oak",)
    assert FirstPhrases(longest=4).extract(document).prediction().texts == ("red oak wood boats", "oak")


def test_other_languages():
    assert FirstPhrases().extract(analysed("Le sel de la mer", language="fr")).prediction().texts == ("sel", "mer")


def test_nothing_is_found_in_an_empty_document():
    assert FirstPhrases().extract(analysed("")).prediction().keyphrases == ()
