"""From examples to a judge: what is learnt, and that probabilities come from documents that were not seen."""

import math
from dataclasses import replace

import numpy as np
import pytest

from keywright.core.documents import Style
from keywright.core.errors import BadParameter
from keywright.extraction.learners import growing as training
from keywright.extraction.learners.examples import Examples, shared_out, with_expected
from keywright.extraction.learners.growing import FOLDS, Boosting
from keywright.extraction.learners.ranker import train_ranker

COLUMNS = ("number of the document", "telling")
SMALL = Boosting(trees=20, leaves=4, least=5, share=1.0, features=1.0)


def example(number: int, style: Style = Style.READER, weight: float = 1.0, size: int = 40) -> Examples:
    """Two thirds of the rows with a high second column are keyphrases."""
    telling = np.arange(size) % 2
    answers = (telling == 1) & (np.arange(size) % 3 > 0)
    rows = np.column_stack((np.full(size, float(number)), telling)).astype(np.float32)
    return Examples(f"paper {number}", style, rows, answers, COLUMNS, weight)


@pytest.fixture
def grown(monkeypatch):
    """What trees were grown on: rows, answers and numbers by name."""
    calls = []
    whole = training.boosted_trees

    def recording(rows, answers, settings, *, weights, start):
        calls.append((rows, answers, {"weights": weights, "settings": settings, "start": start}))
        return whole(rows, answers, settings, weights=weights, start=start)

    monkeypatch.setattr(training, "boosted_trees", recording)
    return calls


def test_trees_and_probabilities():
    judge = train_ranker([example(number) for number in range(20)], SMALL, {"name": "small"})
    assert (judge.columns, judge.card) == (COLUMNS, {"name": "small"})
    low, high = judge.scores(np.array([[3.0, 0.0], [3.0, 1.0]]))
    assert low < high
    assert set(judge.probability) == {"reader"}
    probabilities = judge.probabilities(np.array([low, high]), "reader")
    assert probabilities[0] < 0.02
    assert 0.5 < probabilities[1] < 0.82  # 2/3 are, and a block's line climbs up to .45 of the way to the next


def test_all_examples_of_a_document_are_held_out_together(grown):
    styles = (Style.AUTHOR, Style.READER)
    examples = [example(number, style) for number in range(12) for style in styles]
    judge = train_ranker(examples, SMALL)
    whole, *folds = [set(rows[:, 0].astype(int).tolist()) for rows, _, _ in grown]
    assert whole == set(range(12))
    assert 2 <= len(folds) <= FOLDS
    held_out = [whole - fold for fold in folds]
    assert sorted(number for some in held_out for number in some) == sorted(whole)  # each once
    for (rows, _, _), out in zip(grown[1:], held_out, strict=True):
        assert len(rows) == (12 - len(out)) * 2 * 40  # both styles of a document, or none
    assert set(judge.probability) == {"author", "reader"}


def test_folds_do_not_depend_on_the_order_of_documents(grown):
    examples = [example(number) for number in range(8)]
    train_ranker(examples, SMALL)
    train_ranker(examples[::-1], SMALL)
    sets = [frozenset(rows[:, 0].tolist()) for rows, _, _ in grown]
    half = len(sets) // 2
    assert sets[:half] == sets[half:]


def test_probabilities_are_those_of_unseen_documents():
    """Chance alone, and trees that learn every row by heart: a held-out row is right as often as any."""
    random = np.random.default_rng(1)
    examples = []
    for number in range(30):
        rows, answers = random.normal(size=(40, 2)).astype(np.float32), random.random(40) < 0.25
        examples.append(Examples(str(number), Style.INDEXER, rows, answers, COLUMNS))
    judge = train_ranker(
        examples, Boosting(trees=200, rate=0.3, leaves=64, least=1, share=1.0, features=1.0, penalty=0.0)
    )
    rows, answers = (np.concatenate([getattr(one, what) for one in examples]) for what in ("rows", "answers"))
    scores = judge.scores(rows)
    assert scores[answers].mean() > 5
    assert scores[~answers].mean() < -5
    probabilities = judge.probabilities(scores, "indexer")
    assert probabilities[answers].mean() < 0.5


def test_weights_are_of_documents(grown):
    train_ranker([example(0, weight=2.0, size=30), example(1, weight=0.5, size=50)], SMALL)
    assert grown[0][2]["weights"].tolist() == [2.0] * 30 + [0.5] * 50


def test_weights_matter():
    """Documents that disagree: those that weigh more are followed."""

    def contrary(number: int, weight: float) -> Examples:
        one = example(number, weight=weight)
        return Examples(one.document, one.style, one.rows, (one.rows[:, 1] == 0), COLUMNS, weight)

    for weight, right in ((9.0, True), (1 / 9, False)):
        examples = [example(number, weight=weight) for number in range(10)]
        rows = np.array([[5.0, 0.0], [5.0, 1.0]])
        low, high = train_ranker([*examples, *(contrary(number, 1.0) for number in range(10))], SMALL).scores(rows)
        assert (high > low) == right


def test_numbers_of_the_trees_are_handed_on(grown):
    train_ranker([example(0)], Boosting(7, 0.2, 5, 9, 0.6, 0.9, 3.0, 4))
    expected = {"trees": 7, "rate": 0.2, "leaves": 5, "least": 9, "share": 0.6, "features": 0.9}
    assert grown[0][2]["settings"] == Boosting(**expected, penalty=3.0, seed=4)


def test_the_same_examples_give_the_same_judge():
    examples = [example(number) for number in range(6)]
    assert train_ranker(examples, SMALL).fingerprint == train_ranker(iter(examples), SMALL).fingerprint


def test_one_document_teaches_trees_but_no_probability():
    judge = train_ranker([example(0), example(0, Style.AUTHOR)], SMALL)
    assert judge.probability == {}
    assert judge.probabilities(np.zeros(2), "reader") is None


def test_folds_without_both_answers_are_passed_over():
    """Only one document has phrases that are none, so without it nothing can be learnt."""
    alike = [example(number) for number in range(1, 10)]
    alike = [Examples(one.document, one.style, one.rows, np.ones(40, bool), COLUMNS) for one in alike]
    judge = train_ranker([example(0), *alike], SMALL)
    assert judge.scores(np.zeros((1, 2))).shape == (1,)


def empty() -> Examples:
    return Examples("e", Style.READER, np.zeros((0, 2)), np.zeros(0, bool), COLUMNS)


@pytest.mark.parametrize("examples", [[], [empty()]])
def test_no_examples(examples):
    with pytest.raises(BadParameter, match="nothing to learn from; give documents with gold"):
        train_ranker(examples)


def test_documents_without_candidates_are_passed_over():
    examples = [example(number) for number in range(6)]
    assert train_ranker([empty(), *examples], SMALL).fingerprint == train_ranker(examples, SMALL).fingerprint


@pytest.mark.parametrize("answer", [True, False])
def test_one_class(answer):
    one = example(0)
    alike = Examples(one.document, one.style, one.rows, np.full(40, answer), COLUMNS)
    with pytest.raises(BadParameter, match="both classes"):
        train_ranker([alike])


def test_trees_start_from_the_average_candidate(grown):
    """Of 39 candidates 4 are expected, so the odds of one are 4 to 40 at the start."""
    few, many = (replace(example(number, size=39), expected=number) for number in (4.0, 10.0))
    ranker = train_ranker([few, many], SMALL)
    starts = grown[0][2]["start"]
    assert starts[:39] == pytest.approx([math.log(4 / 40)] * 39)
    assert starts[39:] == pytest.approx([math.log(10 / 40)] * 39)
    assert ranker.expected == {"reader": 7.0}  # the median of the collections' numbers


def test_the_expected_number_moves_all_log_odds_alike():
    ranker = train_ranker([replace(example(number), expected=5.0) for number in range(10)], SMALL)
    rows = example(1).rows
    few, many = (ranker.scores(rows, shared_out(expected, np.ones(40))) for expected in (5.0, 10.0))
    assert few == pytest.approx(ranker.scores(rows) + math.log(5 / 41))
    assert many - few == pytest.approx([math.log(2)] * 40)
    assert (ranker.usual_number("reader"), ranker.usual_number("reader", 3.0)) == (5, 5)
    assert (ranker.usual_number("author"), ranker.usual_number("author", 3.0)) == (None, 3.0)


def test_the_expected_number_is_shared_out_by_weight():
    """Of 3 candidates 2 are expected: odds of 2/4 for the mean weight, twice that for twice the mean."""
    start = shared_out(2.0, np.array([1.0, 4.0, 1.0]))
    assert start == pytest.approx(np.log([0.25, 1.0, 0.25]))
    assert shared_out(2.0, np.array([0.0, 4.0])) == pytest.approx([math.log(2 / 3) - 6, math.log(4 / 3)])
    assert shared_out(2.0, np.zeros(2)) == pytest.approx([math.log(2 / 3)] * 2)
    assert shared_out(None, np.array([1.0, 4.0])).tolist() == [0.0, 0.0]
    assert shared_out(2.0, np.zeros(0)).shape == (0,)


def test_no_number_is_used_where_none_was_learnt(grown):
    ranker = train_ranker([example(number) for number in range(10)], SMALL)
    assert grown[0][2]["start"] is None
    assert (ranker.expected, ranker.usual_number("reader", 3.0)) == ({}, None)


def test_the_expected_number_of_one_collection_is_its_mean():
    examples = [replace(example(number), gold=gold) for number, gold in enumerate((2, 20, 40))]
    # The second column marks 13 keyphrases among 40 candidates, so a smaller number of gold is not believed.
    assert [each.expected for each in with_expected(examples)] == pytest.approx([(13 + 20 + 40) / 3] * 3)


def test_trees_may_see_a_share_of_the_others(grown):
    whole = [example(number) for number in range(50)]
    train_ranker(whole, replace(SMALL, others=0.25))
    rows, answers, numbers = grown[0]
    assert answers.sum() == sum(each.answers.sum() for each in whole)
    others = sum((~each.answers).sum() for each in whole)
    assert (~answers).sum() == pytest.approx(others / 4, rel=0.2)
    assert set(numbers["weights"][~answers].tolist()) == {4.0}
    assert set(numbers["weights"][answers].tolist()) == {1.0}
    assert len(rows) == len(answers)
