"""``semeval2010-clean`` on two documents by hand: each accident of the script would give another number."""

import pytest

from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_CLEAN
from keywright.evaluation.scoring.scorer import score

GOLD = tuple(
    GoldSet(kind, (GoldDocument("C-1", (("a",), ("a",), ("b", "c", "d"))), GoldDocument("C-2", (("e",), ("f",)))))
    for kind in ("author", "reader", "combined")
)
ANSWERS = {"C-1": ["a", "a", "d", "x"], "C-2": ["e", "g", "h", "i", "j"]}


def test_clean():
    # C-1 counts a once and d as the third alternative of the second entry, though its list is short: 2 hits of 2
    # entries (the repeated a is dropped). C-2: 1 of 2. P = 3 / (2 documents * 5), R = 3 / 4.
    values = score(ANSWERS, GOLD, SEMEVAL2010_CLEAN).values
    assert values["combined/P@5"] == pytest.approx(3 / 10)
    assert values["combined/R@5"] == pytest.approx(3 / 4)
    assert values["combined/F@5"] == pytest.approx(2 * 0.3 * 0.75 / 1.05)


def test_as_the_script_counts():
    # C-1 has four answers and adds nothing; C-2 has 1 hit. P = 1 / 500, R = 1 / 5 entries.
    values = score(ANSWERS, GOLD, SEMEVAL2010).values
    assert values["combined/P@5"] == pytest.approx(0.002)
    assert values["combined/R@5"] == pytest.approx(0.2)
