"""Labels of candidates: gold as people wrote it, and gold that is stemmed already."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.learners.examples import labels, training_rows


def gold(*forms: str) -> tuple[GoldKeyphrase, ...]:
    return (GoldKeyphrase(forms, "author"),)


@pytest.mark.parametrize(
    "form",
    ["Wireless Sensor Networks", "wireless sensor network", "wireless-sensor networks", "wireless sensor network "],
)
def test_forms_that_people_write(form):
    found = ngrams(analysed("wireless sensor networks"), 3)
    assert labels(found, gold(form)).tolist() == [False, False, True, False, False, False]


@pytest.mark.parametrize("form", ["increas", "increase", "increasing"])
def test_stems_are_not_stemmed_again(form):
    """The stem of *increas* would be *increa*."""
    assert labels(ngrams(analysed("increasing"), 1), gold(form)).tolist() == [True]


def test_each_alternative_and_each_kind_counts():
    found = ngrams(analysed("grids, markets, peers"), 1)
    given = (GoldKeyphrase(("peer", "grid"), "author"), GoldKeyphrase(("stock market",), "reader"))
    assert labels(found, given).tolist() == [True, False, True]
    assert labels(found, ()).tolist() == [False] * 3


def test_gold_is_stemmed_in_the_language_of_its_document():
    document = analysed("des expériences numériques", language="fr")
    found, given = ngrams(document, 2), gold("expérience numérique")
    assert labels(found, given, "fr").tolist() == [False, True, False]
    _, answers = training_rows(
        [LabelledDocument(document, given)],
        lambda document: ngrams(document, 2),
        lambda found, _: found.frequency[:, None].astype(float),
    )
    assert answers.tolist() == [False, True, False]


def test_forms_without_letters_are_no_candidates():
    assert labels(ngrams(analysed("grids"), 1), gold("...", "")).tolist() == [False]


def test_no_candidates_have_no_labels():
    assert labels(ngrams(analysed(""), 3), gold("grid")).shape == (0,)


def test_rows_of_all_documents_stand_one_below_the_other():
    examples = [
        LabelledDocument(analysed("grids and grids of peers"), gold("peer")),
        LabelledDocument(analysed(""), gold("grid")),
        LabelledDocument(analysed("market"), gold("market")),
    ]
    rows, answers = training_rows(
        examples, lambda document: ngrams(document, 1), lambda found, _: found.frequency[:, None].astype(float)
    )
    assert rows.tolist() == [[2], [1], [1]]
    assert answers.tolist() == [False, True, True]
    assert answers.dtype == np.bool_


def test_nothing_to_learn_from_is_an_error():
    with pytest.raises(BadParameter, match="nothing to learn from"):
        training_rows([], lambda document: ngrams(document, 1), lambda found, _: found.frequency[:, None])
