"""The scikit-learn estimators: its own checks, pipelines, searches, clones, and what is easily passed by mistake."""

import pickle

import numpy as np
import pytest
from tests.house.tree import ROOT
from tests.integrations.hosts import TEXTS, host

import keywright as kw
from keywright.core.errors import BadParameter

host("sklearn")

import joblib  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError, SkipTestWarning  # noqa: E402
from sklearn.feature_extraction.text import TfidfTransformer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

from keywright.integrations.sklearn import KeyphraseTransformer, KeyphraseVectorizer  # noqa: E402

GOOD = (TEXTS[0], TEXTS[2])
SIMILAR = (
    "Sensor networks measure soil. Sensor networks save water.",
    "The sensor network fails. A sensor network needs power.",
    "Sensor networks grow. Sensor networks and rain gardens meet. Rain gardens bloom.",
)

# On estimators of texts `check_estimator` runs `check_estimator_cloneable` alone, and says so by a warning: its other
# checks pass tables of numbers. Those below pass no data, and so they apply. The rest is about dtypes, shapes, NaN,
# numbers of features, sparse input, targets and sample weights, which a list of texts does not have; what such checks
# are for (idempotence, subsets, pickles, unchanged parameters) is tested on texts below.
WITHOUT_DATA = [
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_valid_tag_types,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
    estimator_checks.check_mixin_order,
]
ESTIMATORS = [KeyphraseTransformer(top=3), KeyphraseVectorizer(top=3)]
NAMES = [type(estimator).__name__ for estimator in ESTIMATORS]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_the_suite_of_scikit_learn(estimator):
    with pytest.warns(SkipTestWarning, match="requires input"):
        results = estimator_checks.check_estimator(estimator)
    assert {result["status"] for result in results} == {"passed"}


@pytest.mark.parametrize("check", WITHOUT_DATA, ids=lambda check: check.__name__)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_checks_of_scikit_learn_that_pass_no_data(estimator, check):
    check(type(estimator).__name__, estimator)


def test_texts_become_lists_of_the_verb_s_keyphrases():
    transformer = KeyphraseTransformer(top=2)
    assert transformer.transform(GOOD) == [list(kw.extract(text, top=2).texts) for text in GOOD]
    assert transformer.fit_transform(GOOD) == transformer.transform(iter(GOOD)) == transformer.transform(np.array(GOOD))


def test_a_text_that_fails_gets_an_empty_list_and_a_warning():
    with pytest.warns(UserWarning, match="1 of 3 texts have no keyphrases because they failed: text-2 holds no words"):
        lists = KeyphraseTransformer().transform(TEXTS)
    assert [bool(phrases) for phrases in lists] == [True, False, True]


@pytest.fixture(scope="module")
def vectorizer():
    return KeyphraseVectorizer(min_df=2).fit(SIMILAR)


def test_phrases_that_are_equal_by_stem_share_a_column(vectorizer):
    """By hand: *sensor networks* is in all three texts, twice as plural; *rain gardens* in one only."""
    assert "sensor networks" in [name.lower() for name in vectorizer.get_feature_names_out()]
    assert not any("rain" in name for name in vectorizer.get_feature_names_out())


def column(vectorizer, matrix):
    """Values of *sensor networks*."""
    names = [name.lower() for name in vectorizer.get_feature_names_out()]
    return matrix.toarray()[:, names.index("sensor networks")].tolist()


def test_values_are_mentions_or_presence_or_probabilities(vectorizer):
    """Each text mentions it twice; the texts are too short for probabilities."""
    assert column(vectorizer, vectorizer.transform(SIMILAR)) == [2, 2, 2]
    assert column(vectorizer, clone(vectorizer).set_params(values="presence").fit_transform(SIMILAR)) == [1, 1, 1]
    paper = kw.read(ROOT / "examples" / "article.txt").text
    calibrated = KeyphraseVectorizer(values="probability", top=2)
    probabilities = [each.probability for each in kw.extract(paper, top=2).keyphrases]
    assert sorted(calibrated.fit_transform([paper]).data) == sorted(probabilities)
    with pytest.warns(UserWarning, match="keyphrases without probability are left out"):
        assert not calibrated.fit_transform(SIMILAR).data.size


def test_a_row_depends_on_its_text_alone(vectorizer):
    whole = vectorizer.transform(SIMILAR).toarray()
    rows = [vectorizer.transform([text]).toarray()[0] for text in SIMILAR]
    assert np.array_equal(whole, rows)
    assert np.array_equal(whole, clone(vectorizer).fit_transform(SIMILAR).toarray())
    assert np.array_equal(whole, pickle.loads(pickle.dumps(vectorizer)).transform(SIMILAR).toarray())


def test_several_jobs_give_the_same_matrix(vectorizer):
    """In threads: processes take half a minute to start."""
    warned = pytest.warns(UserWarning, match="1 of 4 texts .*: text-4 holds no words")
    with warned, joblib.parallel_config(backend="threading"):
        several = clone(vectorizer).set_params(n_jobs=2).fit_transform([*SIMILAR, ""])
    assert np.array_equal(several.toarray()[:3], vectorizer.transform(SIMILAR).toarray())
    assert several.shape == (4, len(vectorizer.get_feature_names_out()))
    assert not several[3].nnz


def test_pipelines_and_searches_take_it():
    texts, labels = [*GOOD * 4], [0, 1] * 4
    pipeline = make_pipeline(KeyphraseVectorizer(), TfidfTransformer(), LogisticRegression())
    grid = {"keyphrasevectorizer__top": [1, 5], "keyphrasevectorizer__values": ["mentions", "presence"]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(texts, labels)
    assert search.best_score_ == 1.0
    assert search.predict(GOOD).tolist() == [0, 1]
    assert len(search.best_estimator_[:1].get_feature_names_out()) == len(search.best_estimator_[-1].coef_[0])


def test_the_matrix_comes_only_after_fit():
    with pytest.raises(NotFittedError):
        KeyphraseVectorizer().transform(GOOD)


@pytest.mark.parametrize("texts", ["one text", b"one", {"text": ["a"]}, np.array([["a"], ["b"]]), {"a"}], ids=repr)
def test_what_is_not_a_list_of_texts_is_refused(texts):
    for estimator in ESTIMATORS:
        with pytest.raises(BadParameter, match=r"list|bytes|order"):
            estimator.fit_transform(texts)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"values": "counts"}, "values 'counts'"),
        ({"min_df": 0}, "min_df 0"),
        ({"min_df": 9}, "no keyphrase is in 9 of the 3 texts"),
        ({"system": "kpminer", "style": "author"}, "style"),
        ({"options": {"longest": 3}}, "longest"),
    ],
)
def test_invalid_parameters_are_refused_by_fit(parameters, message):
    with pytest.raises(BadParameter, match=message):
        KeyphraseVectorizer(**parameters).fit(SIMILAR)
