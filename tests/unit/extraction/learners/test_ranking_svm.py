"""Ranking by pairs: against scikit-learn on pairs written out, and on rankings that only documents explain.

Grades of candidates: keyphrases, what resembles one, the rest.
"""

import numpy as np
import pytest
from sklearn import svm
from tests.builders import analysed

from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.saving import load_system, save_system
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.systems.dfki import RankingSVM, _pairs, graded_rows, grades


def test_pairs_of_one_document_and_of_different_grades():
    """Grades 2, 0, 1 and 1, 1: three pairs in the first document, none in the second."""
    grades, documents = np.array([2, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1])
    better, worse = _pairs(grades, documents, 9, np.random.default_rng(0))
    assert sorted(zip(better.tolist(), worse.tolist(), strict=True)) == [(0, 1), (0, 2), (2, 1)]


def test_at_most_so_many_pairs_a_row():
    better, worse = _pairs(np.array([1, 1] + [0] * 50), np.zeros(52, int), 7, np.random.default_rng(0))
    assert np.bincount(better).tolist() == [7, 7]
    assert len({*zip(better.tolist(), worse.tolist(), strict=True)}) == 14


def test_all_pairs_by_scikit_learn():
    """Fewer rows than ``pairs``: the machine sees each difference once, which way round does not matter to it."""
    random = np.random.default_rng(5)
    rows, grades, documents = random.normal(size=(60, 3)), random.integers(0, 3, 60), np.repeat([0, 1, 2], 20)
    scaled = rows / rows.std(axis=0)
    all_pairs = [(a, b) for a in range(60) for b in range(60) if documents[a] == documents[b] and grades[a] > grades[b]]
    differences = np.array([scaled[a] - scaled[b] for a, b in all_pairs])
    both = np.concatenate((differences, -differences))
    signs = np.repeat([1, -1], len(all_pairs))
    # Each pair twice is half the penalty's weight.
    reference = svm.LinearSVC(C=0.5, dual=False, fit_intercept=False, tol=1e-8).fit(both, signs).coef_[0]
    assert RankingSVM.fit(rows, grades, documents).weight == pytest.approx(reference, abs=1e-3)


def test_levels_of_documents_do_not_matter():
    """In each document the larger value is better; over documents the smaller one is."""
    documents = np.repeat(np.arange(20), 5)
    grades = np.tile([0, 0, 1, 1, 2], 20)
    rows = (grades - 10.0 * documents)[:, None] * [[1.0, 0]] + [[0.0, 7]]
    fitted = RankingSVM.fit(rows, np.where(documents < 10, grades, grades), documents)
    scores = fitted.scores(rows)
    assert all((np.diff(scores[documents == document]) >= 0).all() for document in range(20))
    assert fitted.weight[1] == 0


def test_one_pair_is_enough():
    fitted = RankingSVM.fit(np.array([[1.0, 5], [3.0, 5]]), np.array([0, 1]), np.zeros(2, int))
    low, high = fitted.scores(np.array([[1.0, 5], [3.0, 5]]))
    assert low < high


@pytest.mark.parametrize(("grades", "documents"), [([], []), ([1, 1], [0, 0]), ([0, 1], [0, 1])])
def test_nothing_to_rank(grades, documents):
    with pytest.raises(BadParameter, match="different grades"):
        RankingSVM.fit(np.ones((len(grades), 2)), np.array(grades, int), np.array(documents, int))


def test_the_same_every_time_and_saved(tmp_path):
    random = np.random.default_rng(6)
    given = random.normal(size=(400, 4)), random.integers(0, 2, 400), np.repeat([0, 1], 200)
    first, second = RankingSVM.fit(*given, pairs=10), RankingSVM.fit(*given, pairs=10)
    assert first.weight.tolist() == second.weight.tolist()
    assert first.weight.tolist() != RankingSVM.fit(*given, pairs=10, seed=2).weight.tolist()
    save_system(first, tmp_path, {})
    assert load_system(tmp_path).scores(given[0]).tolist() == first.scores(given[0]).tolist()
    assert first.scores(np.zeros((0, 4))).shape == (0,)


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
