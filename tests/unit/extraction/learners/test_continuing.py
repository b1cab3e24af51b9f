"""Trees that go on: what they add, that nothing is judged by trees that saw it, and how many there are."""

import numpy as np
import pytest
from tests.unit.extraction.learners.grown import boosted_trees

from keywright.adapting import fine_tuning as continuing
from keywright.adapting.fine_tuning import FOLDS, ROUNDS, continue_training
from keywright.core.documents import Style
from keywright.core.errors import BadParameter
from keywright.extraction.learners import growing
from keywright.extraction.learners.examples import Examples, assign_folds
from keywright.extraction.learners.growing import Boosting
from keywright.extraction.learners.ranker import TrainedRanker, train_ranker
from keywright.extraction.learners.trees import add_trees, first_trees

COLUMNS = ("number of the document", "telling elsewhere", "telling here")
SMALL = Boosting(trees=20, leaves=4, least=5, share=1.0, features=1.0)


def example(number: int, telling: int, style: Style = Style.READER) -> Examples:
    """Rows with a high value in one of the columns are keyphrases."""
    rows = np.zeros((40, 3), np.float32)
    rows[:, 0] = number
    rows[::2, 1] = 1
    rows[::4, 2] = rows[1::4, 2] = 1
    return Examples(f"paper {number}", style, rows, rows[:, telling] > 0, COLUMNS, gold=25)


@pytest.fixture(scope="module")
def judge() -> TrainedRanker:
    """Knows what tells elsewhere, in two styles."""
    styles = (Style.READER, Style.AUTHOR)
    return train_ranker([example(number, 1, style) for number in range(12) for style in styles], SMALL)


@pytest.fixture
def grown(monkeypatch):
    """Numbers of the documents that trees were grown on, and with how many trees."""
    calls = []

    def recording(rows, answers, settings, *, start):
        calls.append((set(rows[:, 0].astype(int).tolist()), settings.trees))
        return growing.boosted_trees(rows, answers, settings, start=start)

    monkeypatch.setattr(continuing, "boosted_trees", recording)
    return calls


def test_sums_and_beginnings_of_trees():
    random = np.random.default_rng(1)
    rows = random.normal(size=(200, 3))
    whole = boosted_trees(rows, rows[:, 0] > 0, trees=6, rate=0.1)
    half = boosted_trees(rows, rows[:, 0] > 0, trees=3, rate=0.1)
    assert first_trees(whole, 3).text == half.text
    assert first_trees(whole, 9).text == whole.text
    other = boosted_trees(rows, rows[:, 1] > 0, trees=2, rate=0.1)
    both = add_trees(whole, other)
    assert both.text.count("Tree=") == 8
    assert both.scores(rows) == pytest.approx(whole.scores(rows) + other.scores(rows))
    assert both.contributions(rows) == pytest.approx(whole.contributions(rows) + other.contributions(rows))


def test_trees_correct_where_others_stopped():
    """Started from the right log odds there is nothing to add; started from wrong ones, much."""
    random = np.random.default_rng(2)
    rows = random.normal(size=(2000, 1))
    odds = 3 * rows[:, 0]
    answers = random.random(2000) < 1 / (1 + np.exp(-odds))
    right, wrong = (boosted_trees(rows, answers, start=start, trees=20).scores(rows) for start in (odds, -odds))
    assert np.abs(right).mean() < 0.3
    assert wrong[odds > 1].min() > 0.5
    assert wrong[odds < -1].max() < -0.5


def test_what_is_told_here_is_learnt_on_top(judge):
    found, held_out = continue_training(judge, [example(number, 2) for number in range(20)], SMALL)
    rows = example(99, 2).rows
    before, after = judge.scores(rows), found.scores(rows)
    assert before[rows[:, 1] > 0].min() > before[rows[:, 1] == 0].max()
    assert after[rows[:, 2] > 0].min() > after[rows[:, 2] == 0].max()
    for one in held_out:
        assert one.after[one.answers].min() > one.after[~one.answers].max()
        assert one.probable_after[one.answers].min() > 0.9
        assert one.probable_after[~one.answers].max() < 0.1
        assert one.before.tolist() == before.tolist()  # the number of the document told nothing elsewhere
        assert (one.gold, one.style) == (25, Style.READER)


def test_styles_that_are_not_taught_lose_their_probabilities(judge):
    assert set(judge.probability) == {"reader", "author"}
    found, held_out = continue_training(judge, [example(number, 2) for number in range(10)], SMALL, {"name": "mine"})
    assert set(found.probability) == {"reader"}
    assert (found.columns, found.card) == (COLUMNS, {"name": "mine"})
    assert all(one.probable_before is not None for one in held_out)


def test_no_document_is_judged_by_trees_that_saw_it(judge, grown):
    styles = (Style.AUTHOR, Style.READER)
    _, held_out = continue_training(
        judge, [example(number, 2, style) for number in range(12) for style in styles], SMALL
    )
    *parts, (whole, rounds) = grown
    assert whole == set(range(12))
    assert rounds in ROUNDS
    assert [trees for _, trees in parts] == [ROUNDS[-1]] * FOLDS
    left_out = [whole - part for part, _ in parts]
    assert sorted(number for some in left_out for number in some) == sorted(whole)  # each once
    assert [one.document for one in held_out] == [f"paper {number}" for number in range(12) for _ in styles]


def test_folds_are_even_and_independent_of_the_order():
    names = [f"d{number}" for number in range(23)] * 2
    found = assign_folds(names, FOLDS)
    assert found[:23].tolist() == found[23:].tolist()
    assert sorted(np.bincount(found[:23]).tolist()) == [4, 4, 5, 5, 5]
    assert assign_folds(names[::-1], FOLDS).tolist() == found[::-1].tolist()


def test_where_nothing_is_to_be_learnt_there_are_fewest_trees(grown):
    """Answers by chance: every further tree makes unseen documents worse."""
    random = np.random.default_rng(3)
    examples = [
        Examples(str(number), Style.READER, random.normal(size=(40, 3)).astype(np.float32), answers, COLUMNS)
        for number, answers in enumerate(random.random((15, 40)) < 0.5)
    ]
    even = train_ranker(examples, Boosting(trees=1, rate=1e-6, leaves=2, least=5))
    continue_training(even, examples, Boosting(rate=0.2, leaves=16, least=2, share=1.0, features=1.0, penalty=0.0))
    assert grown[-1][1] == ROUNDS[0]


def test_where_there_is_much_to_learn_there_are_most_trees(judge, grown):
    continue_training(judge, [example(number, 2) for number in range(20)], SMALL)
    assert grown[-1][1] == ROUNDS[-1]


def test_few_keyphrases_make_no_probabilities(judge):
    """One keyphrase a document in six documents: fewer than two knots' worth."""
    examples = []
    for number in range(6):
        one = example(number, 2)
        one.answers[:] = np.arange(40) == 0
        examples.append(one)
    found, held_out = continue_training(judge, examples, SMALL)
    assert found.probability == {}
    assert all(one.probable_after is None for one in held_out)


def test_what_nothing_can_be_learnt_from(judge):
    with pytest.raises(BadParameter, match="4 documents with keyphrases and candidates"):
        continue_training(judge, [example(number, 2, style) for number in range(4) for style in Style])
    with pytest.raises(BadParameter, match="0 documents"):
        continue_training(judge, [])
    silent = [example(number, 2) for number in range(9)]
    for one in silent[4:]:
        one.answers[:] = False
    with pytest.raises(BadParameter, match="fewer than 5 of 9 documents"):
        continue_training(judge, silent)
    other = TrainedRanker(judge.trees, ("a", "b", "c"), judge.probability)
    with pytest.raises(BadParameter, match="other columns"):
        continue_training(other, [example(number, 2) for number in range(9)])
