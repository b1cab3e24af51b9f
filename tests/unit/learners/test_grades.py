"""Grades of candidates: keyphrases, what resembles one, the rest."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.learners.ranking_svm import graded_rows, grades


def graded(text: str, *forms: str, longest: int = 3) -> dict[str, int]:
    document = analysed(text)
    found = ngrams(document, longest)
    gold = (GoldKeyphrase(forms, "author"),) if forms else ()
    starts, ends = document.start[found.first], document.end[found.first + found.length - 1]
    names = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return dict(zip(names, grades(found, document, gold).tolist(), strict=True))


@pytest.mark.parametrize("form", ["Wireless Sensor Network", "wireless sensor network"])
def test_keyphrases_parts_heads_and_the_rest(form):
    assert graded("wireless sensor networks; mesh networks; sensor noise floor; grids", form) == {
        "wireless sensor networks": 2,
        "wireless": 1,
        "wireless sensor": 1,
        "sensor": 1,
        "sensor networks": 1,
        "networks": 1,
        "mesh": 0,
        "mesh networks": 1,  # the same head
        "sensor noise": 1,  # half of its words
        "sensor noise floor": 0,  # a third
        "noise": 0,
        "noise floor": 0,
        "floor": 0,
        "grids": 0,
    }


def test_stems_are_taken_as_they_are():
    """The stem of *increas* would be *increa*."""
    assert graded("increasing returns", "increas return")["increasing returns"] == 2
    assert graded("increasing noise", "increas return")["increasing noise"] == 1


def test_without_gold_nothing_resembles_it():
    assert set(graded("wireless sensor networks").values()) == {0}
    assert set(graded("wireless sensor networks", "...", "").values()) == {0}
    assert graded("", "wireless network") == {}


def test_rows_know_their_documents():
    examples = [
        LabelledDocument(analysed("grids, peers"), (GoldKeyphrase(("peer",), "author"),)),
        LabelledDocument(analysed(""), ()),
        LabelledDocument(analysed("market"), ()),
    ]
    rows, found, documents = graded_rows(
        examples, lambda document: ngrams(document, 1), lambda found, _: found.frequency[:, None].astype(float)
    )
    assert rows.tolist() == [[1], [1], [1]]
    assert found.tolist() == [0, 2, 0]
    assert documents.tolist() == [0, 0, 2]
    with pytest.raises(BadParameter, match="nothing to learn from"):
        graded_rows([], lambda document: ngrams(document, 1), lambda found, _: np.zeros((len(found), 1)))
