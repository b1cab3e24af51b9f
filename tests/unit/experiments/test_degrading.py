"""Degraded versions of a summary."""

import numpy as np
import pytest

from keywright.experiments.summary_collections import RULES, Material, find_other_forms

TEXT = "One two three. Four five. Six seven eight."
OTHER = "a b c d e f g h"


def degraded(rule: str) -> str:
    forms = {"five.": "fives", "one": "ones"}
    return RULES[rule](Material(TEXT, OTHER, [((0, 3), (15, 19)), ((4, 7),)], forms, np.random.default_rng(0)))


def test_shuffled_texts_have_the_same_words() -> None:
    assert sorted(degraded("shuffled-words").split()) == sorted(TEXT.split())
    assert degraded("shuffled-words") != TEXT
    assert sorted(degraded("shuffled-sentences").splitlines()) == ["Four five.", "One two three.", "Six seven eight."]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("truncated-50", "One two three. Four"),
        ("truncated-25", "One two"),
        ("mixed-50", "One two three. Four a b c d"),
        ("mixed-75", "One two a b c d e f"),
        ("without-keyphrases", "three. five. Six seven eight."),
        ("other-forms", "ones two three. Four fives Six seven eight."),
    ],
)
def test_each_rule(rule: str, expected: str) -> None:
    assert degraded(rule) == expected


def test_forms_of_a_lemma_replace_each_other_in_a_ring() -> None:
    forms = find_other_forms(["run runs", "Running moon"], lambda word: word[:3])
    assert forms == {"run": "running", "running": "runs", "runs": "run"}
