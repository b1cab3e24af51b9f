"""What is removed from texts of papers: citations, addresses, equations."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.restricting import REMOVALS, remaining


def removed(text: str, kind: str) -> list[str]:
    document = analysed(text)
    mask = REMOVALS[kind](document)
    return [document.words[word] for word in document.word[mask]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A grid [3] is fast", "[ 3 ]"),
        ("as in [4, 7-9]. Grids", "[ 4 , 7-9 ]"),
        ("clocks [Lam78] of grids", "[ lam78 ]"),
        ("shown before (Gray, 1981; Lamport 1978) for grids", "( gray , 1981 ; lamport 1978 )"),
        ("by Gray (1981) for grids", "( 1981 )"),
        ("Foster et al. describe grids", "foster et al ."),
        ("a grid (of 20 nodes) in [0, 1.5]", ""),
        ("the interval [a, b] and the year 1999", ""),
    ],
)
def test_citations(text, expected):
    assert removed(text, "citations") == expected.split()


def test_addresses():
    assert removed("see www.grid.org/a and http://grid.org or ask a@grid.org today", "addresses") == [
        "www.grid.org/a",
        "http://grid.org",
        "a@grid.org",
    ]
    assert removed("the world wide web", "addresses") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let k = 4N be the number", "k = 4n"),
        ("if R(k) = 25 feet", "r ( k ) = 25"),
        ("in 25 feet (or 3) of a grid", ""),
        ("the utility = cost of grids", "="),
        ("so x is in the grid", ""),
    ],
)
def test_equations(text, expected):
    assert removed(text, "equations") == expected.split()


def test_what_remains():
    document = analysed("Grids [3] of www.grid.org with k = 4 nodes")
    words = np.array(document.words)[document.word]
    assert remaining(document, ()).all()
    assert words[remaining(document, ("citations", "addresses", "equations"))].tolist() == "grids of with nodes".split()
    assert len(remaining(analysed(""), ("citations", "equations"))) == 0
