"""Evaluators of other packages: values by hand or by the package itself, and messages without the package."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from keywright.core.errors import BadParameter, MissingData, MissingExtra
from keywright.summaries.evaluator import BertScore, Bleu, ChrF, Meteor, make_evaluator
from keywright.summaries.pairs import Pair, SummaryText

TIDES = "the tides rise and fall twice a day"


def pair(summary, *references: object):
    return Pair("t", "s", SummaryText.from_json(summary, "x"), tuple(SummaryText.from_json(r, "x") for r in references))


def values(evaluator, *pairs: Pair):
    return [each.values["score"] for each in evaluator.evaluate(pairs)]


@pytest.mark.parametrize("evaluator", [Bleu(), Bleu(tokenize="char"), ChrF(), ChrF(word_order=2)])
def test_equal_texts_have_1_and_different_ones_less(evaluator):
    scores = values(evaluator, pair(TIDES, TIDES), pair(TIDES, "zyx"), pair(TIDES), pair("", TIDES))
    assert scores[0] == pytest.approx(1)
    assert scores[1] < 0.1
    assert scores[2:] == [None, 0]


def test_bleu_by_hand():
    # 1-grams 4 of 4, 2-grams 2 of 3, 3-grams 1 of 2, 4-grams 0 of 1, which smoothing makes 1/2; reference longer by 1.
    expected = (1 * 2 / 3 * 1 / 2 * 1 / 2) ** 0.25 * np.exp(1 - 5 / 4)
    assert values(Bleu(), pair("tides rise and daily", "tides rise and fall daily")) == [pytest.approx(expected)]


def test_bleu_of_tokens_keeps_them():
    tokens = [["New York", "isn't", "big"]]
    whole = ["New York isn't big"]
    assert values(Bleu(lowercase=True), pair(tokens, [["new york", "ISN'T", "big"]])) == [pytest.approx(1)]
    # Cut by sacrebleu the marks are tokens too, so that a reference of the other form still agrees with itself.
    assert values(Bleu(), pair(tokens, whole)) == [pytest.approx(1)]


def test_chrf_by_hand():
    # abc and abd: 1-grams 2 of 3, 2-grams 1 of 2, 3-grams 0 of 1; the mean of equal precision and recall.
    assert values(ChrF(char_order=3), pair("abc", "abd")) == [pytest.approx((2 / 3 + 1 / 2 + 0) / 3)]


def test_the_best_reference_counts_for_chrf():
    assert values(ChrF(), pair(TIDES, "zyx", TIDES)) == [pytest.approx(1)]


@pytest.mark.parametrize(
    "text",
    ["chrf:char_order=0", "chrf:beta=0", "meteor:alpha=2", "bleu:tokenize=mecab", "bertscore", "bertscore:model=x"],
)
def test_wrong_options_are_refused(text):
    with pytest.raises(BadParameter):
        make_evaluator(text, lambda _: {})


@pytest.mark.parametrize(
    ("evaluator", "module", "install"),
    [
        (Bleu(), "sacrebleu.metrics", r"\.\[eval\]"),
        (ChrF(), "sacrebleu.metrics", r"\.\[eval\]"),
        (Meteor(), "nltk.translate.meteor_score", "pip install nltk"),
    ],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch, evaluator, module, install):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, module.partition(".")[0], SimpleNamespace(__path__=[]))
    with pytest.raises(MissingExtra, match=install):
        list(evaluator.evaluate([pair(TIDES, TIDES)]))


def fake_nltk(monkeypatch, *, with_wordnet):
    """Put modules in the place of NLTK, which record what they are asked."""
    calls = []

    def meteor_score(references, summary, **options: object):
        calls.append((references, summary, options))
        return 0.25

    def ensure_loaded():
        if not with_wordnet:
            raise LookupError

    wordnet = SimpleNamespace(ensure_loaded=ensure_loaded)
    monkeypatch.setitem(sys.modules, "nltk.translate.meteor_score", SimpleNamespace(meteor_score=meteor_score))
    monkeypatch.setitem(sys.modules, "nltk.corpus", SimpleNamespace(wordnet=wordnet))
    return calls, wordnet


def test_meteor_without_wordnet_says_so(monkeypatch):
    calls, _ = fake_nltk(monkeypatch, with_wordnet=False)
    pairs = [pair("Tides, rise", "Tides", ""), pair("", "Tides"), pair("Tides")]
    evaluations = list(Meteor(gamma=0.4).evaluate(pairs))
    assert [each.values["score"] for each in evaluations] == [0.25, 0, None]
    assert "not as synonyms" in evaluations[0].notes[0]
    ((references, summary, options),) = calls
    assert (references, summary) == ([["Tides"]], ["Tides", ",", "rise"])
    assert options.pop("wordnet").synsets("tide") == ()
    assert options == {"alpha": 0.9, "beta": 3.0, "gamma": 0.4}


def test_meteor_with_wordnet_uses_it(monkeypatch):
    calls, wordnet = fake_nltk(monkeypatch, with_wordnet=True)
    (evaluation,) = Meteor().evaluate([pair([["New York"]], "Tides")])
    assert evaluation.notes == ()
    assert (calls[0][1], calls[0][2]["wordnet"]) == (["New York"], wordnet)


def test_meteor_by_hand():
    pytest.importorskip("nltk")
    # Three matches in one chunk: precision and recall 1, penalty .5 (1 / 3)^3. "rises" matches "rise" by its stem.
    assert values(Meteor(), pair("the tide rises", "the tide rise")) == [pytest.approx(1 - 0.5 / 27)]


class FakeScorer:
    """Scores that tell which texts were compared."""

    def __init__(self, model_type, num_layers) -> None:
        self.options = (model_type, num_layers)

    def score(self, summaries, references):
        counts = [np.array([len(texts) / scale for texts in references]) for scale in (1, 10, 100)]
        assert len(summaries) == len(references)
        return counts


def test_bertscore_reads_a_local_folder(monkeypatch, tmp_path):
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "0")
    monkeypatch.setitem(sys.modules, "bert_score", SimpleNamespace(BERTScorer=FakeScorer))
    evaluator = make_evaluator(f"bertscore:model={tmp_path},num_layers=4", lambda _: {})
    pairs = [pair(TIDES, TIDES, "", "sea"), pair("", TIDES), pair(TIDES), pair(TIDES, "")] + [pair("a", "b")] * 70
    evaluations = [each.values for each in evaluator.evaluate(pairs)]
    assert evaluations[0] == {"P": 2, "R": 0.2, "F": 0.02}
    assert evaluations[1] == evaluations[3] == {"P": 0, "R": 0, "F": 0}
    assert evaluations[2] == {"P": None, "R": None, "F": None}
    assert len(evaluations) == 74
    assert evaluations[73]["P"] == 1


def test_bertscore_explains_what_is_missing(monkeypatch, tmp_path):
    with pytest.raises(BadParameter, match="model=DIR,num_layers=N"):
        BertScore()
    with pytest.raises(MissingData, match="nothing is downloaded"):
        BertScore("no such folder", 4)
    monkeypatch.setitem(sys.modules, "bert_score", None)
    with pytest.raises(MissingExtra, match="pip install bert-score"):
        list(BertScore(str(tmp_path), 4).evaluate([pair(TIDES, TIDES)]))
