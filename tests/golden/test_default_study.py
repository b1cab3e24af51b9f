"""The study of the default as it was measured last: that the page shows it, and that the code still gives such rows."""

import json
import pickle

import pytest
from tests.docs.snippets import ROOT

from keywright.extraction.learners.growing import Boosting
from studies.default import ablation, learning_curve
from studies.default.data import COLLECTIONS
from studies.default.errors import LISTED, errors_of, false_alarms
from studies.default.rankings import HeldOutRankings
from studies.default.rows import EVERYTHING, FALSE_ALARM, ErrorCount, ErrorExample
from studies.default.study import ABLATION, ERRORS, LEARNING_CURVE

STORED = json.loads((ROOT / "benchmarks" / "results" / "default-study.json").read_text("utf-8"))
ABLATED, POINTS, FOUND = (study.read(STORED[study.name]["rows"]) for study in (ABLATION, LEARNING_CURVE, ERRORS))
FEW, SMALL = 15, Boosting(trees=10)


def test_no_test_split_is_studied():
    for here in COLLECTIONS:
        for part in here.parts:
            assert part.data in {"semeval2010/train", "inspec/train", "inspec/validation", "train_mix/author"}


def test_differences_are_to_everything_on_the_same_documents():
    whole = {(row.collection, row.gold, row.measure): row for row in ABLATED if row.condition == EVERYTHING}
    for row in ABLATED:
        everything = whole[row.collection, row.gold, row.measure]
        assert row.difference == pytest.approx(row.value - everything.value, abs=2e-6)
        assert row.documents == everything.documents
        assert row.low <= (row.value if row is everything else row.difference) <= row.high


def test_more_documents_help():
    for place in {(row.collection, row.gold, row.measure) for row in POINTS}:
        some = [row for row in POINTS if (row.collection, row.gold, row.measure) == place]
        assert [row.learnt for row in some] == sorted({row.learnt for row in some})
        assert some[-1].value > some[0].value
        assert all(row.least <= row.value <= row.most for row in some)


def test_shares_of_classes_are_of_all_errors_and_fifty_are_listed():
    for side in {(row.collection, row.side) for row in FOUND}:
        here = [row for row in FOUND if (row.collection, row.side) == side]
        classes = [row for row in here if isinstance(row, ErrorCount) and row.about == "class"]
        assert sum(row.share for row in classes) == pytest.approx(1, abs=0.002)
        examples = [row for row in here if isinstance(row, ErrorExample)]
        assert len(examples) == LISTED
        assert {row.name for row in examples} <= {row.name for row in classes}


@pytest.mark.thorough
@pytest.mark.data
def test_few_documents_and_trees_again(mirror):
    """Two dozen small fits: everything and one group less, two sizes of a curve, and errors that add up."""
    papers = COLLECTIONS[0]
    few = {"mirror": mirror, "most": FEW, "boosting": SMALL}
    whole, less = (ablation.evaluate((papers.name, condition), **few) for condition in (EVERYTHING, "how rare"))
    expected = {(question.gold, measure) for question in papers.questions for measure in question.measures}
    assert set(whole) == set(less) == expected
    assert whole["combined", "F@15"].ids == less["combined", "F@15"].ids
    assert len(whole["combined", "F@15"].ids) == FEW
    assert any(whole[place].observed != less[place].observed for place in expected)
    assert pickle.loads(pickle.dumps(less))["author", "F@15"].observed == less["author", "F@15"].observed
    all_of_them = learning_curve.evaluate((papers.name, None, 0), **few)
    assert all_of_them["author", "F@15"].observed == pytest.approx(whole["author", "F@15"].observed)
    held_out = HeldOutRankings.cross_validated(papers, **few)
    shown = sum(len(ranking.shown) for ranking in held_out.rankings)
    right = sum(int(ranking.is_keyphrase[ranking.shown].sum()) for ranking in held_out.rankings)
    assert len(list(false_alarms(held_out))) == shown - right
    counts = [row for row in errors_of(held_out) if isinstance(row, ErrorCount) and row.about == "class"]
    assert sum(row.number for row in counts if row.side == FALSE_ALARM) == shown - right
