"""The study of calibrators over a small world: what is divided, what is asked, how it is shown."""

import numpy as np
import pytest

from keywright.calibration.phrases import JudgedPhrases, PhraseFeatures
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.kpg_predictions import TopPhrases
from keywright.experiments.study import publish
from studies.calibrators import few_documents
from studies.calibrators import study as calibrators
from studies.calibrators.data import AS_GIVEN, Calibrated, Phrases
from studies.calibrators.study import series, sheets


def world(documents=160, phrases=5):
    """Phrases that are right with half of what they say, present and absent by turns."""
    chance = np.random.Generator(np.random.PCG64(1))
    number = documents * phrases
    said, document = chance.random(number), np.repeat(np.arange(documents), phrases)
    right, present = chance.random(number) < said / 2, np.arange(number) % 2 == 0
    ones, rank = np.ones(number, np.int64), np.tile(np.arange(1, phrases + 1), documents)
    ids = tuple(f"d{at}" for at in range(documents))
    gold = np.ones((documents, 2), np.int64)
    judged = JudgedPhrases(ids, document, rank, said, right, present, ones, gold)
    seen = PhraseFeatures(said, said, rank, phrases * ones, ones, present, ones, said)
    return Phrases(judged, seen, confident=True)


@pytest.fixture(scope="module")
def rows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibrators, "_SMALLEST_REST", 20)
        patch.setattr(calibrators, "phrases_of", lambda *_: world())
        return calibrators.evaluate(("bart", "inspec"), splits=3)


def test_documents_that_are_left_decide_what_is_tried(rows):
    # 160 documents: 200 of them cannot calibrate; six methods on 100, the first on 20 and 50 too, and as given.
    tried = {(row.method, row.documents) for row in rows}
    assert {size for method, size in tried if method == "beta"} == {20, 50, 100}
    assert len(tried) == 6 + 2 + 1
    assert len(rows) == 2 * len(tried)
    assert all(row.splits == 3 for row in rows)


def test_what_says_twice_its_share_is_halved(rows):
    by = {(row.method, row.documents, row.phrase_class): row for row in rows}
    given, beta = by[AS_GIVEN, 100, "present"], by["beta", 100, "present"]
    assert given.error == pytest.approx(0.25, abs=0.08)
    assert beta.error < given.error / 2
    assert beta.brier < given.brier


def test_rows_come_back_from_their_records(rows):
    assert all(Calibrated.of(row.record()) == row for row in rows)
    assert list(rows[0].record())[:3] == ["system", "dataset", "class"]


def test_each_collection_is_asked_of_what_the_others_made():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibrators.Phrases, "of_generator", lambda *_: world())
        found = calibrators.evaluate(("bart", "others"))
    assert {(row.dataset, row.documents, row.splits, row.fitted) for row in found} == {
        (name, 320, 1, "others") for name in ("inspec", "krapivin", "semeval2010")
    }
    (table,) = sheets(found)
    assert len(table.rows) == 6
    assert not list(series(found))


def test_sheets(rows):
    errors, brier, sizes = sheets(rows)
    assert errors.head[3:] == (
        "none",
        "beta",
        "platt",
        "isotonic",
        "histogram",
        "logistic",
        "temperature",
        "noise floor",
    )
    assert brier.head[3:] == errors.head[3:-1]
    assert sizes.head[3:] == ("20", "50", "100", "noise floor")
    assert [[cell.text for cell in row[:3]] for row in errors.rows] == [
        ["bart", "inspec", "present"],
        ["bart", "inspec", "absent"],
    ]
    assert not list(sheets(()))


def test_as_csv(rows):
    lines = publish(calibrators.STUDY, rows, Publication.CSV, dict).splitlines()
    assert lines[0] == "system,dataset,class,method,fitted,documents,splits,error,spread,floor,brier"
    assert len(lines) == 1 + len(rows)


def test_errors_over_numbers_of_documents(rows):
    (present, points), (absent, _) = series(rows)
    assert (present, absent) == ("present, generators", "absent, generators")
    assert [size for size, *_ in points] == [20, 50, 100]
    assert all(low <= mean <= high for _, mean, low, high in points)


def test_as_a_page(rows):
    page = publish(calibrators.STUDY, rows, Publication.HTML, dict)
    assert "<h1>calibrators</h1>" in page  # nothing of it is published
    assert page.count("<svg") == 1
    assert page.count("<table") == 3


def shown(documents, probability):
    """One of two phrases of each document is right."""
    number = 2 * documents
    columns = np.full(number, probability), np.arange(number) % 2 == 0, np.repeat(np.arange(documents), 2)
    return TopPhrases(*columns)


def test_few_documents_take_the_error_of_equal_probabilities_away():
    """0.8 is said of phrases of which half are right: an error of 0.3, whatever the draw."""
    phrases = shown(60, 0.8)
    values = few_documents.errors_after(phrases, draws=2)
    assert {documents for _, documents in values} == {2, 3, 4, 5, 10, 20, 50}  # 100 would leave none
    assert values[AS_GIVEN, 10][:, 0] == pytest.approx([0.3, 0.3])
    # 100 phrases, 50 right: 100 p - 50 = ln 4 - logit(p) at the best shift; p = .513 solves it.
    assert values["shift", 50][:, 0] == pytest.approx([0.0133] * 2, abs=5e-4)
    assert values["shift", 2][0, 0] > values["shift", 50][0, 0]
    assert {method for method, documents in values if documents == 50} == {AS_GIVEN, "shift", *few_documents.OTHERS}


def test_methods_that_cannot_be_fitted_change_nothing():
    phrases = TopPhrases(np.full(20, 0.3), np.zeros(20, bool), np.repeat(np.arange(10), 2))
    values = few_documents.errors_after(phrases, draws=1)
    assert values["beta", 5][0, 0] == values[AS_GIVEN, 5][0, 0] == pytest.approx(0.3)
    assert values["shift", 5][0, 0] < 0.25


def test_rows_of_few_documents_are_shown_by_collection():
    rows = few_documents.rows_of("everyday", shown(15, 0.8), draws=2)
    assert calibrators.STUDY.read([row.record() for row in rows]) == rows
    by_collection, means, strengths = sheets(rows)
    texts = [[cell.text for cell in line] for line in by_collection.rows]
    assert [line[:3] for line in texts] == [["everyday", str(number), "30.0"] for number in (2, 3, 4, 5, 10)]
    assert [cell.text for cell in means.rows[-1]][:3] == ["1", "10", "30.0"]
    assert [head for head in strengths.head if head.startswith("shift")][:2] == ["shift 0.1", "shift 0.3"]
