"""Stems of ROUGE-1.5.5; expected ones are those of the program's own stemmer, and of Porter's article."""

import pytest

from keywright.evaluation.normal_forms.phrases import nltk_stem, rouge155_stem
from keywright.text.stems import martin_stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"),
        ("motoring", "motor"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"),
        ("happy", "happi"), ("sky", "sky"), ("relational", "relat"), ("digitizer", "digit"), ("triplicate", "triplic"),
        ("electrical", "electr"), ("revival", "reviv"), ("adoption", "adopt"), ("probate", "probat"), ("rate", "rate"),
        ("controlling", "control"), ("possibly", "possibl"), ("apology", "apolog"), ("as", "as"),
    ],
)  # fmt: skip
def test_stems_are_porters(word: str, stem: str) -> None:
    assert rouge155_stem(word) == stem
    assert martin_stem(word) == stem


@pytest.mark.parametrize(
    ("word", "stem", "porters"),
    [
        ("governmental", "govern", "government"),
        ("professional", "profess", "profession"),
        ("element", "elem", "element"),
    ],
)
def test_step_4_removes_one_ending_after_the_other(word: str, stem: str, porters: str) -> None:
    assert rouge155_stem(word) == stem
    assert martin_stem(word) == porters


def test_nltk_departs_from_porter() -> None:
    assert [nltk_stem(word) for word in ("dying", "ties", "replied", "happily")] == ["die", "tie", "repli", "happili"]
