"""Documents that the default ranks together: to the last digit what it gives for each of them alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import analysed
from tests.unit.calibration.labelled_runs import fit_calibrator

import keywright as kw
from keywright.calibration.calibrators.calibrated import Calibrated, Cut, Limited
from keywright.core.documents import Document, Section, SectionKind
from keywright.core.errors import MissingExtra, UnreadableInput
from keywright.core.interfaces import JointExtractor
from keywright.core.predictions import Failure, Prediction
from keywright.core.signatures import signature
from keywright.extraction.systems.default import Default
from keywright.running.extraction import Extraction
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.text.languages import ByLanguage

ENGLISH = (
    "Tide gauges\nTide gauges (TG) measure the sea level in New Zealand. A tide gauge drifts; gauges of Zone A drift "
    "less. Vitamin D and T cells do not matter here. The level of the sea rises, and TG stations report it every hour."
)
TEXTS = {
    "english": ENGLISH,
    "long": ENGLISH + " Salt marshes store carbon. Peat bogs store more carbon than salt marshes do." * 60,
    "nothing": "",
    "blank": " \n ",
    "word": "erosion",
    "function": "of the and",
    "signs": "1 2 3 ... ;",
    "capitals": "RAIN GARDENS STORE STORM WATER. STORM WATER FLOODS STREETS.",
    "program": "for (int i = 0; i < n; i++) { a[i] = b[i]; } " * 6,
    "unspaced": "word " * 300,
}
FOREIGN = {
    "fr": "Le droit d'auteur protège les œuvres. Les réseaux de neurones apprennent le droit d'auteur.",
    "es": "El derecho de autor protege las obras. Las redes neuronales aprenden.",
    "ar": "التعلم العميق يحسن التعرف على الكلام. الشبكات العصبية تتعلم.",
    "zh": "深度学习提高语音识别的准确率。语音识别系统使用神经网络。",
    "de": "Das Urheberrecht schützt Werke. Neuronale Netze lernen.",
}
DOCUMENTS = [
    *(Document(name, text, language="en") for name, text in TEXTS.items()),
    *(Document(name, text, language=name) for name, text in FOREIGN.items()),
    Document("titled", ENGLISH, (Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 12, 100)), "en"),
    Document("detected", ENGLISH),
]


def exact(outcome: Prediction | Failure) -> str:
    """Everything that an outcome holds; the shortest text that is read as the same number is different for others."""
    return repr(outcome.to_dict()) + (repr(outcome.keyphrases) if isinstance(outcome, Prediction) else "")


@pytest.fixture(scope="module")
def extraction():
    return kw.prepare(explain=True)


def test_the_default_ranks_together():
    assert isinstance(Default(), JointExtractor)


@pytest.mark.parametrize("step", [1, -1])
def test_a_batch_equals_one_by_one(extraction, step):
    documents = [*DOCUMENTS, Failure("lost", "unreadable_input", "it is empty")][::step]
    assert list(map(exact, extraction.together(documents))) == [exact(extraction(each)) for each in documents]


@pytest.mark.parametrize(
    "system",
    [
        Default(style="author", expect=4.0, any_domain=True),
        Default(style="reader", shortlist_size=5),
        Default(shortlist_size=0),
        Default(shortlist_size=1),
    ],
)
def test_all_ranks_equal_those_of_one_by_one(system):
    analyser = ByLanguage(None)
    documents = [analyser.analyse(document) for document in DOCUMENTS]
    for document, ranking in zip(documents, system.extract_together(documents), strict=True):
        alone, positions = system.extract(document), ranking.positions_to()
        assert ranking.scores.tobytes() == alone.scores.tobytes()
        assert ranking.phrases(positions) == alone.phrases(positions)
        assert ranking.all_warnings() == alone.all_warnings()
        assert (ranking.chosen, ranking.assumes) == (alone.chosen, alone.assumes)
        if ranking.probabilities is None or alone.probabilities is None:
            assert ranking.probabilities is alone.probabilities is None
        else:
            assert ranking.probabilities(positions).tobytes() == alone.probabilities(positions).tobytes()


CUTS = (None, Cut(0.2, most=4), Cut(best_f1=True), Cut(abstain_below=0.99))
FILTERS = (UNFILTERED, PhraseFilter(min_words=2))


@pytest.mark.parametrize(  # every pair of values
    ("probability", "cut", "phrase_filter"),
    [
        (probability, cut, FILTERS[(row + column) % 2])
        for row, probability in enumerate((None, 0.5))
        for column, cut in enumerate(CUTS)
    ],
)
def test_wrappers_get_the_rankings_of_the_batch(probability, cut, phrase_filter):
    system, calibrator = Default(), fit_calibrator(30, probability)
    card = replace(calibrator.card, system=signature(system), depth=20)
    calibrated = Calibrated(system, replace(calibrator, card=card))
    extractor = calibrated if cut is None else Limited(calibrated, cut)
    extraction = Extraction(ByLanguage(None), extractor, 3, evidence=True, phrase_filter=phrase_filter)
    assert list(map(exact, extraction.together(DOCUMENTS))) == [exact(extraction(each)) for each in DOCUMENTS]


def test_no_document_and_small_groups(monkeypatch):
    assert Default().extract_together([]) == []
    monkeypatch.setattr("keywright.extraction.systems.default._TOKENS_TOGETHER", 40)
    documents = [analysed(text, name=name) for name, text in TEXTS.items()]
    alone = [Default().extract(document).prediction(9) for document in documents]
    assert [ranking.prediction(9) for ranking in Default().extract_together(documents)] == alone


WORDS = st.sampled_from("grid of the scheduler DNS (DNS) storm-water A vitamin D . , New Zealand 3 IT Title x".split())
SENTENCES = st.lists(WORDS, max_size=25).map(" ".join)


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(SENTENCES, min_size=2, max_size=8))
def test_any_texts_equal_those_of_one_by_one(texts, extraction):
    documents = [Document(str(number), text, language="en") for number, text in enumerate(texts)]
    assert list(map(exact, extraction.together(documents))) == [exact(extraction(each)) for each in documents]


def broken(document):
    if document.source.id == "word":
        raise ValueError("a defect")
    return Default().extract(document)


class Broken(Default):
    """Cannot rank one of the documents, alone or with others."""

    def extract(self, document):
        return broken(document)

    def extract_together(self, documents):
        return [broken(document) for document in documents]


class WithoutAnalysis:
    """Cannot analyse some of the documents."""

    signature = "toy"

    def __init__(self, error) -> None:
        self.error = error

    def analyse(self, document):
        if document.id == "nothing":
            raise self.error
        return ByLanguage(None).analyse(document)


def test_an_error_costs_its_document_only():
    documents = DOCUMENTS[:6]
    extraction = Extraction(ByLanguage(None), Broken(), 3)
    outcomes = extraction.together(documents)
    assert [isinstance(outcome, Failure) for outcome in outcomes] == [each.id == "word" for each in documents]
    assert outcomes == tuple(map(extraction, documents))
    assert "a defect" in outcomes[4].message
    unread = Extraction(WithoutAnalysis(UnreadableInput("it is damaged")), Default(), 3)
    assert [outcome.document_id for outcome in unread.together(documents) if isinstance(outcome, Failure)] == [
        "nothing"
    ]


def test_a_missing_extra_is_raised():
    with pytest.raises(MissingExtra):
        Extraction(WithoutAnalysis(MissingExtra("tags are missing")), Default(), 3).together(DOCUMENTS[:4])


def test_evidence_is_that_of_the_own_document():
    system = Default(any_domain=True)
    documents = [analysed(ENGLISH), analysed(TEXTS["long"]), analysed(ENGLISH + " Cranes nest in salt marshes.")]
    for document, ranking in zip(documents, system.extract_together(documents), strict=True):
        alone = system.extract(replace(document))
        shown = np.array([2, 0])
        evidence, expected = ranking.evidence(shown), alone.evidence(shown)
        assert {name: column.tolist() for name, column in evidence.items()} == {
            name: column.tolist() for name, column in expected.items()
        }
