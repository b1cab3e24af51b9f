"""Trees: votes by hand and against scikit-learn, the same on every run, saved, and safe against damaged texts."""

import pickle
import sys
from dataclasses import dataclass, replace

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import ensemble, metrics
from tests.unit.extraction.learners.grown import bagged_trees, boosted_trees, random_forest

from keywright.core.errors import BadParameter, BrokenFile, MissingExtra
from keywright.core.saving import load_system, save_system
from keywright.core.signatures import signature
from keywright.extraction.learners import growing
from keywright.extraction.learners.tree_text import slim
from keywright.extraction.learners.trees import Trees
from keywright.testing.promises import equal

LEARNERS = [bagged_trees, random_forest, boosted_trees]


def sample(seed: int, rows: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """Rows of five features, two of which tell, together, which few are keyphrases."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(rows, 5))
    return numbers, numbers[:, 0] * numbers[:, 1] + random.normal(size=rows) / 3 > 1.2


ROWS, ANSWERS = sample(1)
SMALL = bagged_trees(ROWS, ANSWERS, trees=3, leaves=6)


def test_a_leaf_holds_the_share_of_keyphrases():
    """One feature that is 1 or 2: a quarter of the ones and all the twos are keyphrases, whatever rows a tree sees."""
    rows = np.repeat([[1.0], [1.0], [1.0], [1.0], [2.0]], 4000, axis=0)
    answers = np.repeat([True, False, False, False, True], 4000)
    fitted = bagged_trees(rows, answers, trees=5)
    assert fitted.scores(np.array([[-9.0], [1.4], [1.6], [9.0]])) == pytest.approx([0.25, 0.25, 1, 1], abs=0.01)


@pytest.mark.parametrize("learner", [bagged_trees, random_forest])
def test_votes_lie_from_0_to_1(learner):
    votes = learner(ROWS, ANSWERS, trees=10).scores(sample(2)[0])
    assert votes.min() >= 0
    assert votes.max() <= 1


@pytest.mark.parametrize("learner", LEARNERS)
def test_they_rank_as_well_as_a_forest_of_scikit_learn(learner):
    """The area under the curve on new rows; the best possible is below 1, as the labels are noisy."""
    reference = ensemble.RandomForestClassifier(100, min_samples_leaf=3, random_state=0).fit(ROWS, ANSWERS)
    rows, answers = sample(3)
    expected = metrics.roc_auc_score(answers, reference.predict_proba(rows)[:, 1])
    found = metrics.roc_auc_score(answers, learner(ROWS, ANSWERS, trees=100).scores(rows))
    assert found > expected - 0.02
    assert expected > 0.95


def test_boosted_trees_give_log_odds():
    rows = np.repeat([[0.0], [1.0]], 1000, axis=0)
    answers = np.concatenate((np.arange(1000) % 10 == 0, np.arange(1000) % 2 == 0))
    odds = boosted_trees(rows, answers, trees=500, share=1.0, features=1.0).scores(np.array([[0.0], [1.0]]))
    assert odds == pytest.approx([np.log(1 / 9), 0], abs=0.01)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_same_rows_and_seed_give_the_same_trees(learner):
    assert learner(ROWS, ANSWERS, trees=5).text == learner(ROWS, ANSWERS, trees=5).text
    assert learner(ROWS, ANSWERS, trees=5).text != learner(ROWS, ANSWERS, trees=5, seed=2).text


def test_contributions_add_up_to_the_scores():
    fitted = boosted_trees(ROWS, ANSWERS, trees=30)
    rows = sample(2, 50)[0]
    found = fitted.contributions(rows)
    assert found.shape == (50, 6)
    assert found.sum(axis=1) == pytest.approx(fitted.scores(rows))
    assert len(set(found[:, -1].tolist())) == 1  # what all start from
    telling, rest = np.abs(found[:, :2]).mean(), np.abs(found[:, 2:5]).mean()
    assert telling > 5 * rest
    assert fitted.contributions(np.zeros((0, 5))).shape == (0, 6)


def test_contributions_by_hand():
    """One feature, half the rows 0 and half 1: all start in the middle, and it adds the half of what is between."""
    rows = np.repeat([[0.0], [1.0]], 1000, axis=0)
    answers = np.concatenate((np.arange(1000) % 10 == 0, np.arange(1000) % 2 == 0))
    found = boosted_trees(rows, answers, trees=500, share=1.0, features=1.0).contributions(np.array([[0.0], [1.0]]))
    low, high = np.log(1 / 9), 0
    middle, half = (low + high) / 2, (high - low) / 2
    assert found == pytest.approx(np.array([[-half, middle], [half, middle]]), abs=0.01)


def test_contributions_are_those_of_the_full_text():
    """LightGBM's own, on the model as it writes it."""
    given = {"verbosity": -1, "num_leaves": 20, "num_threads": 1, "objective": "binary"}
    model = lightgbm.train(given, lightgbm.Dataset(ROWS, ANSWERS.astype(float)), 7)
    text = slim(model.model_to_string(), counted=True)
    np.testing.assert_allclose(Trees(text).contributions(ROWS), model.predict(ROWS, pred_contrib=True))
    assert slim(text, counted=True) == text
    assert slim(text) == slim(model.model_to_string())


def test_without_numbers_of_rows_all_leaves_count_alike():
    fitted = boosted_trees(ROWS, ANSWERS, trees=3, leaves=4)
    bare = Trees(slim(fitted.text))
    assert "leaf_count" in fitted.text
    assert "leaf_count" not in bare.text
    found = bare.contributions(ROWS[:9])
    assert found.sum(axis=1) == pytest.approx(fitted.scores(ROWS[:9]))
    leaves = [line.partition("=")[2].split() for line in bare.text.splitlines() if line.startswith("leaf_value")]
    assert found[:, -1] == pytest.approx(sum(np.mean(list(map(float, one))) for one in leaves))


def test_trees_that_cannot_split_add_nothing():
    rows, answers = np.arange(9.0)[:, None], np.arange(9) < 3
    fitted = boosted_trees(rows, answers, trees=2)
    assert fitted.contributions(rows).tolist() == [[0, score] for score in fitted.scores(rows).tolist()]


@pytest.mark.parametrize("counts", ["1 2 3", "1 2 3 4 5 0", "1 2 3 4 5 -6", "1 2 3 4 5 9999999999", "a b c d e f"])
def test_damaged_numbers_of_rows(counts):
    text = SMALL.text.replace("leaf_value=", f"leaf_count={counts}\nleaf_value=", 1)
    with pytest.raises(BrokenFile, match="should hold decision trees is damaged"):
        Trees(text).contributions(ROWS)


def test_contributions_to_rows_of_another_width():
    with pytest.raises(BadParameter, match="rows of 4 features; the trees know 5"):
        SMALL.contributions(np.zeros((1, 4)))


def test_weights_count_like_rows():
    """The twos of a half count three times: 3 yes to 1 no instead of as many."""
    rows, answers = np.zeros((2000, 1)), np.arange(2000) % 2 == 0
    rows[:, 0] = np.arange(2000) // 1000
    weights = np.where(answers & (rows[:, 0] == 1), 3.0, 1.0)
    how = {"trees": 500, "share": 1.0, "features": 1.0}
    odds = boosted_trees(rows, answers, weights=weights, **how).scores(np.array([[0.0], [1.0]]))
    assert odds == pytest.approx([0, np.log(3)], abs=0.01)
    alike = boosted_trees(ROWS, ANSWERS, weights=np.ones(len(ROWS)), trees=3).text
    assert alike == boosted_trees(ROWS, ANSWERS, trees=3).text


def test_a_penalty_makes_leaves_smaller():
    """One tree on balanced rows: a leaf is rate * gradient / (hessian + penalty) = (n / 2) / (n / 4 + penalty)."""
    rows = np.repeat([[0.0], [1.0]], 100, axis=0)
    how = {"trees": 1, "rate": 1.0, "share": 1.0, "features": 1.0}
    for penalty in (0.0, 25.0, 75.0):
        odds = boosted_trees(rows, rows[:, 0] == 1, penalty=penalty, **how).scores(np.array([[0.0], [1.0]]))
        assert odds == pytest.approx([-50 / (25 + penalty), 50 / (25 + penalty)])


def leaves_of(fitted: Trees) -> list[int]:
    return [int(line.partition("=")[2]) for line in fitted.text.splitlines() if line.startswith("num_leaves")]


def test_numbers_of_trees_and_leaves():
    assert leaves_of(bagged_trees(ROWS, ANSWERS, trees=4, leaves=7)) == [7] * 4
    assert max(leaves_of(random_forest(ROWS, ANSWERS, trees=4, least=400))) <= 2000 * 0.632 / 400


def test_trees_that_cannot_split_vote_alike():
    """Nine rows are too few for two leaves of ten; what remains is their share of keyphrases, or nothing."""
    rows, answers = np.arange(9.0)[:, None], np.arange(9) < 3
    votes = bagged_trees(rows, answers, trees=4, least=10).scores(rows)
    assert len(set(votes.tolist())) == 1


def test_a_bag_takes_a_share_of_the_rows():
    """Leaves of one row each, told apart by a feature: a tree knows exactly the rows of its bag."""
    rows, answers = np.arange(100.0)[:, None], np.arange(100) % 2 == 0
    fitted = bagged_trees(rows, answers, trees=20, share=0.2, least=1)
    assert max(leaves_of(fitted)) <= 20


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("answers", [[], [True, True], [False, False]])
def test_one_class_is_not_enough(learner, answers):
    with pytest.raises(BadParameter, match="both classes"):
        learner(np.ones((len(answers), 1)), np.array(answers, bool))


@pytest.mark.parametrize(
    ("learner", "wrong", "message"),
    [
        (bagged_trees, {"trees": 0}, "0 trees"),
        (bagged_trees, {"share": 1.0}, "share of the rows 1.0"),
        (bagged_trees, {"share": 0.0}, "share of the rows 0.0"),
        (random_forest, {"features": 1.1}, "share of the features 1.1"),
        (random_forest, {"least": 0}, "0 rows in a leaf"),
        (random_forest, {"leaves": 1}, "1 leaves"),
        (boosted_trees, {"share": 1.5}, "share of the rows 1.5"),
        (boosted_trees, {"rate": 0.0}, "rate 0.0"),
    ],
)
def test_numbers_out_of_range(learner, wrong, message):
    with pytest.raises(BadParameter, match=message):
        learner(ROWS, ANSWERS, **wrong)


def test_training_without_lightgbm_says_what_to_install(monkeypatch):
    """What was trained elsewhere still predicts and explains."""
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(MissingExtra, match=r'needs LightGBM, which is not installed; `pip install "\.\[train\]"`'):
        boosted_trees(ROWS, ANSWERS)
    fresh = Trees(SMALL.text.replace("feature_names", "note=1\nfeature_names"))
    assert fresh.scores(ROWS).shape == (2000,)
    assert fresh.contributions(ROWS[:3]).shape == (3, 6)


def test_no_rows_have_no_scores():
    assert SMALL.scores(np.zeros((0, 5))).shape == (0,)


def test_rows_of_another_width():
    with pytest.raises(BadParameter, match="rows of 4 features; the trees know 5"):
        SMALL.scores(np.zeros((1, 4)))


@pytest.mark.parametrize("learner", LEARNERS)
def test_they_travel_and_are_saved_as_text(learner, tmp_path):
    fitted = learner(ROWS, ANSWERS, trees=3)
    save_system(fitted, tmp_path, {})
    for copy in (load_system(tmp_path), pickle.loads(pickle.dumps(fitted))):
        assert equal(copy, fitted)
        np.testing.assert_array_equal(copy.scores(ROWS), fitted.scores(ROWS))


def test_a_signature_holds_their_hash_and_not_their_text():
    @dataclass(frozen=True)
    class System:
        model: Trees

    assert signature(System(SMALL)).startswith(f"System|model:{SMALL.fingerprint}|v")
    assert signature(System(SMALL)) != signature(System(bagged_trees(ROWS, ANSWERS, trees=4, leaves=6)))


@pytest.mark.parametrize(
    "settings_of", [{"objective": "binary"}, {"objective": "regression", "boosting": "rf", "bagging_fraction": 0.5}]
)
def test_the_slim_text_predicts_what_the_full_one_does(settings_of):
    given = {"verbosity": -1, "num_leaves": 20, "bagging_freq": 1, "num_threads": 1, "seed": 3, **settings_of}
    model = lightgbm.train(given, lightgbm.Dataset(ROWS, ANSWERS.astype(float)), 7)
    text = slim(model.model_to_string())
    expected = model.predict(ROWS, raw_score="binary" in settings_of["objective"])
    np.testing.assert_array_equal(Trees(text).scores(ROWS), expected)
    assert len(text) < len(model.model_to_string()) / 2
    assert slim(text) == text


def changed(name: str, value: str) -> str:
    """The small model with the first line of a name having another value."""
    head, tail = SMALL.text.split(f"\n{name}=", 1)
    return f"{head}\n{name}={value}\n{tail.partition(chr(10))[2]}"


def test_the_change_itself_does_no_harm():
    assert slim(changed("num_leaves", "6")) == SMALL.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tree",
        "nonsense\x00\x01",
        "tree\nversion=v4\nTree=0\nnum_leaves=1\nleaf_value=1\n",
        SMALL.text[: len(SMALL.text) // 2],
        SMALL.text.replace("version=v4", "version=v9"),
        changed("num_class", "3"),
        changed("objective", "multiclass num_class:3"),
        changed("objective", "custom"),
        changed("max_feature_idx", "0"),  # splits look at features that rows do not have
        changed("max_feature_idx", "-2"),
        changed("max_feature_idx", "999999999999"),
        changed("num_leaves", "7"),
        changed("num_leaves", "1000000000"),
        changed("num_leaves", "-1"),
        changed("num_leaves", "six"),
        changed("num_cat", "1"),
        changed("is_linear", "1"),
        changed("split_feature", "0 1 5 0 1"),
        changed("split_feature", "0 1 -1 0 1"),
        changed("threshold", "0 0 0 0 nan"),
        changed("threshold", "0 0 0 0"),
        changed("decision_type", "2 2 2 2 1"),
        changed("left_child", "0 0 0 0 0"),  # the root is its own child
        changed("left_child", "1 2 3 4 99"),
        changed("left_child", "1 2 3 4 -99"),
        changed("left_child", "99999999999999999999 2 3 4 -1"),
        changed("leaf_value", "0 0 0 0 0"),
        changed("leaf_value", "0 0 0 0 0 inf"),
    ],
)
def test_damaged_texts_are_refused(text):
    with pytest.raises(BrokenFile, match="should hold decision trees is damaged"):
        Trees(text).scores(ROWS)


def test_extra_lines_are_not_handed_on():
    text = changed("num_leaves", "6\ncat_boundaries=0 9\nleaf_coeff=1 2\nleaf_features=7 7 7")
    assert slim(text.replace("feature_names", "tree_sizes=1 2 3\nfeature_names")) == SMALL.text


@settings(max_examples=60)
@given(st.data())
def test_any_damage_is_an_error_or_harmless(data):
    """A piece of the text is overwritten with something else: only what has the form of trees is walked."""
    start = data.draw(st.integers(0, len(SMALL.text) - 1))
    width = data.draw(st.integers(0, 12))
    piece = data.draw(st.text("0123456789-. =\nae", max_size=12))
    text = SMALL.text[:start] + piece + SMALL.text[start + width :]
    try:
        votes = Trees(text).scores(ROWS[:20])
    except BrokenFile:
        return
    except BadParameter as error:
        assert "the trees know" in error.hint  # noqa: PT017  (the number of features was changed)
        return
    assert votes.shape == (20,)
    assert np.isfinite(votes).all()


def test_a_share_of_the_correction_is_applied():
    rows, answers = np.arange(200.0)[:, None], np.arange(200) >= 100
    usual = growing.Boosting(trees=5, least=5, features=1.0)
    whole, part = (
        growing.boosted_trees(rows, answers, replace(usual, applied=share), start=np.zeros(200)) for share in (1, 0.3)
    )
    assert part.scores(rows) == pytest.approx(0.3 * whole.scores(rows))
    assert part.contributions(rows) == pytest.approx(0.3 * whole.contributions(rows))
    with pytest.raises(BadParameter, match="applied share 0"):
        growing.boosted_trees(rows, answers, replace(usual, applied=0))
