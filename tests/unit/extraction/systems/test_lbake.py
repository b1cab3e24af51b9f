"""LBAKE: candidates by the rules of both orders, feature values by hand, the discriminant, the fall-back."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import phrases, tagged

from keywright.core.documents import AnalysedDocument, Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import NeedsUnmet
from keywright.core.records import read_outcome
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.learners.classifiers import LinearDiscriminant
from keywright.extraction.systems.lbake import LBAKE, UNTRAINED, edge_closeness
from keywright.text.analyser import TextAnalyser
from keywright.text.arabic.tagger import ArabicTaggedAnalyser

VILLAGES = tagged(
    "Villages/NNS ./. The/DT high/JJ towers/NNS in/IN the/DT villages/NNS stand/VBP ./. "
    "Do/VBP villages/NNS stand/VBP ?/."
)


def candidates_of(document: AnalysedDocument, system: LBAKE | None = None) -> set[str]:
    return set(phrases(document, (system or LBAKE()).candidates(document)))


def arabic(text: str) -> AnalysedDocument:
    return ArabicTaggedAnalyser().analyse(Document("a", text, language="ar"))


def lemmas(text: str) -> set[str | None]:
    return {keyphrase.lemma for keyphrase in LBAKE().extract(arabic(text)).keyphrases()}


def test_the_high_towers_and_institutions_share_village_only() -> None:
    """The example of Elghannam and El-Shishtawy (2015)."""
    institutions, towers = lemmas("تقع المؤسسات العالية في القرى."), lemmas("تقع الأبراج العالية في القرى.")
    assert institutions == {"مؤسسة", "مؤسسة عالي", "قرية"}
    assert towers == {"برج", "برج عالي", "قرية"}
    assert institutions & towers == {"قرية"}


def test_arabic_adjectives_follow_and_prepositions_are_inside() -> None:
    tags = replace(
        tagged("a1/NOUN b2/ADJ c3/ADP d4/NOUN e5/VERB f6/ADJ g7/PROPN"),
        source=Document("d", "a1 b2 c3 d4 e5 f6 g7", language="ar"),
    )
    assert candidates_of(tags) == {"a1", "a1 b2", "d4", "g7"}
    noun_first = tagged("a1/NOUN c3/ADP d4/NOUN b2/ADJ")
    noun_first = replace(noun_first, source=replace(noun_first.source, language="ar"))
    assert candidates_of(noun_first) == {"a1", "a1 c3 d4", "d4", "d4 b2"}


def test_english_adjectives_come_first() -> None:
    assert candidates_of(VILLAGES) == {"villages", "high towers", "towers"}
    assert candidates_of(tagged("quality/NN of/IN service/NN high/JJ in/IN towns/NNS")) == {
        "quality",
        "quality of service",
        "service",
        "towns",
    }


def test_no_phrase_crosses_signs_or_begins_with_a_stop_word() -> None:
    assert candidates_of(tagged("noise/NN ,/, map/NN")) == {"noise", "map"}
    assert candidates_of(tagged("several/JJ maps/NNS")) == {"maps"}
    assert candidates_of(tagged("several/JJ maps/NNS"), LBAKE(stop_words=True)) == {"maps", "several maps"}


def test_the_eight_features_of_three_phrases() -> None:
    # NPW, PRF, WRF, NSL, NPL, NPLen, SCV, IIT. Three sentences of 1, 7 and 3 words; villages occurs three times.
    expected = {
        "villages": (1 / 3, 1, 1, 1, 0, 1, 1, 0),
        "high towers": (2 / 3, 1 / 3, 1 / 3, 0, (2 / 6 - 1) ** 2, 2 / 7, 0, 0),
        "towers": (1 / 3, 1 / 3, 1 / 3, 0, (4 / 6 - 1) ** 2, 1 / 7, 0, 0),
    }
    system = LBAKE()
    candidates = system.candidates(VILLAGES)
    rows = system.features(candidates, VILLAGES)
    assert rows.shape == (3, 8)
    for name, row in zip(phrases(VILLAGES, candidates), rows.tolist(), strict=True):
        assert row == pytest.approx(expected[name]), name


def test_ends_are_1_the_middle_is_0_and_a_single_place_is_0() -> None:
    place, number = np.array([0, 1, 2, 3, 4, 0]), np.array([5, 5, 5, 5, 5, 1])
    # (2 p / 4 - 1)² of p = 0..4; one place only is 0.
    assert edge_closeness(place, number).tolist() == [1.0, 0.25, 0.0, 0.25, 1.0, 0.0]


def test_signs_are_no_words_of_a_sentence() -> None:
    document = tagged("Maps/NNS ,/, charts/NNS ,/, plans/NNS ./. Do/VBP plans/NNS help/NN ?/.")
    candidates = LBAKE().candidates(document)
    columns = LBAKE().feature_columns(candidates, document)
    assert list(phrases(document, candidates)) == ["maps", "charts", "plans", "plans help", "help"]
    assert columns["share of the sentence"] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 2 / 3, 1 / 3])
    assert columns["place in the sentence"] == pytest.approx([1.0, 0.0, 1.0, 0.0, 1.0])
    assert columns["place of the sentence"] == pytest.approx([1.0] * 5)
    assert columns["sentence without verb"].tolist() == [True, True, True, False, False]
    assert columns["sentence is a question"].tolist() == [False, False, False, True, True]


def test_verbs_need_tags() -> None:
    document = TextAnalyser().analyse(tagged("maps/NNS").source)
    with pytest.raises(NeedsUnmet):
        LBAKE().feature_columns(ngrams(document, 1), document)


def test_a_first_mention_in_a_question_counts() -> None:
    document = tagged("Do/VBP towers/NNS stand/VBP ?/. Yes/UH ./.")
    (row,) = LBAKE().features(LBAKE().candidates(document), document).tolist()
    assert row == pytest.approx((1 / 3, 1, 1, 1, 0, 1 / 3, 0, 1))


def test_untrained_it_ranks_by_words_and_mentions_and_says_so() -> None:
    ranking = LBAKE().extract(VILLAGES)
    scores = {keyphrase.text: keyphrase.score for keyphrase in ranking.keyphrases()}
    assert scores == pytest.approx({"villages": 1 / 3, "high towers": 2 / 9, "towers": 1 / 9})
    assert ranking.chosen == 3
    assert ranking.prediction().warnings[-1] == UNTRAINED


def test_the_discriminant_ranks_and_chooses() -> None:
    weight = np.zeros(8)
    weight[0], weight[7] = 3.0, 1.0
    system = LBAKE(model=LinearDiscriminant(weight, np.array([-1.5])))
    ranking = system.extract(VILLAGES)
    # 3 x words / 3 - 1.5; equal scores by mentions.
    assert [(phrase.text, phrase.score) for phrase in ranking.keyphrases()] == [
        ("high towers", pytest.approx(0.5)),
        ("villages", pytest.approx(-0.5)),
        ("towers", pytest.approx(-0.5)),
    ]
    assert ranking.chosen == 1
    assert ranking.prediction().warnings == ()
    assert replace(system, threshold=-1.0).extract(VILLAGES).chosen == 3
    assert replace(system, threshold=-1.0, top_k=2).extract(VILLAGES).chosen == 2


def test_training_learns_the_direction_of_the_features() -> None:
    gold = (GoldKeyphrase(("villages",), "author"),)
    document = tagged("Villages/NNS grow/VBP villages/NNS ./. The/DT high/JJ towers/NNS near/IN houses/NNS stand/VBP")
    fitted = LBAKE().fit([LabelledDocument(VILLAGES, gold), LabelledDocument(document, gold)])
    assert fitted.model is not None
    assert fitted.extract(VILLAGES).keyphrases(1)[0].text == "villages"


def test_lemmas_travel_in_records() -> None:
    prediction = LBAKE().extract(arabic("تقع القرى البعيدة في الجبل.")).prediction(1)
    record = prediction.to_dict("lbake")
    (listed,) = record["keyphrases"]
    assert listed["text"] == "القرى البعيدة"
    assert listed["lemma"] == "قرية بعيد"
    assert read_outcome(record).keyphrases == prediction.keyphrases


def test_no_text_gives_no_phrases() -> None:
    assert len(LBAKE().extract(arabic(""))) == 0
