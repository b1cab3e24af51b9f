"""The forms of today: parts of words, simplemma's lemmas, Martin's stems."""

import sys

import pytest

from keywright.core.errors import MissingExtra
from keywright.evaluation.normal_forms import phrases as modern


@pytest.mark.parametrize("phrase", ["out-of-print", "out - of - print", "“out/of” print!", "out\u00a0of\tprint"])
def test_signs_and_white_space_count_for_nothing(phrase):
    assert modern.modern_words(phrase) == "out of print"


def test_forms():
    phrase = "Mice in ﬁne IT-Networks"
    assert modern.modern_words(phrase) == "Mice in fine IT Networks"
    assert modern.modern_lower(phrase) == "mice in fine it networks"
    assert modern.modern_lemmas(phrase) == "mouse in fine it network"
    assert modern.modern_stems(phrase) == "mice in fine it network"
    assert modern.modern_stems("") == modern.modern_lemmas("...") == ""


def test_without_simplemma_the_line_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(MissingExtra, match=r'pip install "\.\[eval\]"'):
        modern.modern_lemmas("never seen before this test")
