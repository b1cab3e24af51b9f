"""Folds of documents, and models of scores and of confidences."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.calibration.calibrators.phrases import drawn

from keywright.calibration.calibrators.model import METHODS, ProbabilityModel, assign_document_folds, cross_fit
from keywright.core.errors import BadParameter, UnknownName

SEEN, CORRECT = drawn()
IDS = [f"d{at}" for at in range(60)]
DOCUMENT = np.repeat(np.arange(60), 10)


def test_folds_are_of_one_size_and_do_not_depend_on_order():
    folds = assign_document_folds(IDS, 5)
    assert np.bincount(folds).tolist() == [12] * 5
    assert assign_document_folds(IDS[::-1], 5)[::-1].tolist() == folds.tolist()


@pytest.mark.parametrize("number", [0, 1, 61])
def test_folds_that_cannot_be(number):
    with pytest.raises(BadParameter, match=f"{number} folds of 60 documents"):
        assign_document_folds(IDS, number)


@pytest.mark.parametrize("method", METHODS)
def test_no_phrase_is_asked_of_a_model_that_saw_its_document(method):
    fold = assign_document_folds(IDS, 3)[DOCUMENT]
    found = cross_fit(SEEN, CORRECT, fold, method, confident=True)
    asked = fold == 1
    other = CORRECT.copy()
    other[asked] = ~other[asked]
    assert cross_fit(SEEN, other, fold, method, confident=True)[asked].tolist() == found[asked].tolist()
    model = ProbabilityModel.fit(SEEN.where(~asked), CORRECT[~asked], method, confident=True)
    assert model.probabilities(SEEN.where(asked)).tolist() == found[asked].tolist()


@pytest.mark.parametrize("method", METHODS)
def test_scores_of_any_size_come_out_alike(method):
    """Only what is comparable between documents counts: standardised scores, not the scores."""
    model = ProbabilityModel.fit(SEEN, CORRECT, method, confident=False)
    found = model.probabilities(SEEN)
    assert ((found >= 0) & (found <= 1)).all()
    assert model.probabilities(replace(SEEN, confidence=SEEN.confidence * 1000 - 5)).tolist() == found.tolist()


def test_there_is_no_such_method():
    with pytest.raises(UnknownName, match=r"no calibrator called 'plat'; did you mean 'platt'\?"):
        ProbabilityModel.fit(SEEN, CORRECT, "plat", confident=True)
