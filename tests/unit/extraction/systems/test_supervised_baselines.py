"""NB and ME: classifiers over the one feature TF×IDF."""

import random

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import count_documents
from keywright.extraction.features.functions.mentions import tf_idf
from keywright.extraction.systems.supervised_baselines import ClassifiedTfIdf, MaximumEntropy, NaiveBayes
from keywright.extraction.systems.tfidf import TfIdf
from keywright.testing.promises import equal

TOPICS = ("grid market", "wind screen", "noise map", "rain garden", "storm water", "peer group")
FILLERS = "run see keep find time place idea thing".split()


def paper(number: int) -> LabelledDocument[AnalysedDocument]:
    """A made-up paper: its topic often, the other topics now and then, words of every paper between."""
    chance = random.Random(number)  # noqa: S311 (no secret is made)
    topic = TOPICS[number % len(TOPICS)]
    pieces = [topic] * 6 + [chance.choice(TOPICS)] + chance.choices(FILLERS, k=12)
    chance.shuffle(pieces)
    document = analysed(", ".join(pieces), name=str(number))
    return LabelledDocument(document, (GoldKeyphrase((topic,), "author"),))


PAPERS = tuple(map(paper, range(12)))
TEST = tuple(map(paper, range(20, 26)))


class Recorder:
    """Stands where the classifier stands and keeps what it was given."""

    def __init__(self, rows, answers) -> None:
        self.rows, self.answers = rows, answers

    @classmethod
    def fit(cls, rows, answers) -> "Recorder":
        return cls(rows, answers)


class Recording(ClassifiedTfIdf):
    name = "recording"
    learner = Recorder


@pytest.mark.parametrize("system", [NaiveBayes, MaximumEntropy])
def test_one_feature_ranks_as_tfidf_does(system):
    """As the odds grow with TF×IDF; a normal density could turn them around below the mean of the other class."""
    fitted, plain = system().fit(PAPERS), TfIdf().fit(PAPERS)
    for example in TEST:
        prediction = fitted.extract(example.document).prediction()
        assert prediction.texts[:10] == plain.extract(example.document).prediction().texts[:10]
        assert example.gold[0].forms[0] in prediction.texts[:3]  # its two words are as frequent and as rare


@pytest.mark.parametrize("system", [NaiveBayes, MaximumEntropy])
def test_training_gives_a_new_value(system):
    untrained = system(longest=2)
    fitted = untrained.fit(PAPERS)
    assert untrained.model is None
    assert (type(fitted), fitted.longest) == (system, 2)
    assert equal(fitted, untrained.fit(PAPERS))
    assert fitted.fit(PAPERS[:6]).frequencies.documents == 6


@pytest.mark.parametrize("system", [NaiveBayes, MaximumEntropy])
def test_gold_that_no_document_holds_cannot_be_learnt_from(system):
    strange = [LabelledDocument(example.document, (GoldKeyphrase(("xylophone",), "author"),)) for example in PAPERS]
    with pytest.raises(BadParameter, match="both classes"):
        system().fit(strange)
    with pytest.raises(BadParameter):
        system().fit([])


def test_rows_of_a_training_paper_come_from_the_other_papers():
    """Leave one out: the row of a paper is what a table made without that paper gives."""
    rows = Recording().fit(PAPERS).model.rows[:, 0].tolist()
    expected = []
    for left_out in PAPERS:
        others = count_documents(ngrams(one.document, 3).key for one in PAPERS if one is not left_out)
        expected += tf_idf(ngrams(left_out.document, 3), left_out.document, others).tolist()
    assert rows == pytest.approx(expected)


def test_rows_do_not_depend_on_labels():
    """No statistic comes from labels today: whatever gold the papers have, only the answers change."""
    given = [example.gold for example in PAPERS]
    turned = [LabelledDocument(one.document, gold) for one, gold in zip(PAPERS, given[1:] + given[:1], strict=True)]
    first, second = Recording().fit(PAPERS), Recording().fit(turned)
    assert equal(first.frequencies, second.frequencies)
    assert np.array_equal(first.model.rows, second.model.rows)
    assert not np.array_equal(first.model.answers, second.model.answers)
