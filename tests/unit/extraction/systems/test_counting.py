"""Careful counting: each factor moves a score in the stated direction, and only where it applies."""

from dataclasses import replace

import pytest
from tests.builders import analysed, sectioned

from keywright.core.documents import AnalysedDocument, Document, Section, SectionKind
from keywright.core.signatures import signature
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.counting import Counting
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

TABLE = PhraseCounts.of_phrases([(phrase_key("grid"), 3), (phrase_key("time"), 7)], 7)
USUAL = Counting(frequencies=TABLE)
PARTS = {
    SectionKind.TITLE: "markets",
    SectionKind.ABSTRACT: "peers",
    SectionKind.INTRODUCTION: "brokers",
    SectionKind.BODY: "quality of service, fast grid broker, large scale wind screen, DNS, time, storm, storm, water",
    SectionKind.CONCLUSION: "auctions",
}


def scores(system: Counting, text: AnalysedDocument | None = None) -> dict[str, float]:
    return {
        keyphrase.text: keyphrase.score
        for keyphrase in system.extract(text or sectioned(PARTS)).prediction(explain=True).keyphrases
    }


def test_by_hand():
    """*grid*: one mention, log2(8 / 4) = 1, one word at the very start of the body; the title's bonus is 2."""
    assert scores(USUAL, analysed("grid")) == {"grid": 1}
    assert scores(USUAL, analysed("grid", Section(SectionKind.TITLE, 0, 4))) == {"grid": 1 + 2}


# parameter, the value that takes the factor out, a phrase that it is for (+) or against (-), one that it leaves alone
DIRECTIONS = [
    ("phrase", 1.0, +1, "fast grid broker", "storm"),
    ("long", 1.0, -1, "large scale wind screen", "fast grid broker"),
    ("stop_word", 1.0, -1, "quality of service", "fast grid broker"),
    ("acronym", 0.0, +1, "DNS", "storm"),
    ("title", 0.0, +1, "markets", "peers"),
    ("abstract", 0.0, +1, "peers", "markets"),
    ("introduction", 0.0, +1, "brokers", "auctions"),
    ("conclusion", 0.0, +1, "auctions", "peers"),
    ("decay", 0.0, -1, "water", "markets"),
    ("mentions", 0.0, +1, "storm", "water"),
    ("rarity", 0.0, +1, "storm", "grid"),
]


@pytest.mark.parametrize(("parameter", "neutral", "sign", "phrase", "other"), DIRECTIONS, ids=str)
def test_each_factor_moves_a_score_as_stated(parameter, neutral, sign, phrase, other):
    text = analysed("grid, storm") if parameter == "rarity" else sectioned(PARTS)
    usual, without = scores(USUAL, text), scores(replace(USUAL, **{parameter: neutral}), text)
    assert (usual[phrase] - without[phrase]) * sign > 0
    assert usual[other] == pytest.approx(without[other])
    assert usual.keys() == without.keys()


def test_phrases_of_all_documents_are_worth_nothing():
    assert scores(USUAL)["time"] == 0


def test_mentions_inside_a_longer_phrase_are_not_own():
    found = scores(USUAL, analysed("wind screen, wind screen, wind"))
    assert found["screen"] == 0
    assert 0 < found["wind"] < found["wind screen"]


def test_nearer_to_the_start_is_better():
    ranked = USUAL.extract(analysed("alpha, beta, gamma, delta")).prediction(explain=True).texts
    assert ranked == ("alpha", "beta", "gamma", "delta")


def test_in_a_long_text_only_what_is_repeated_or_in_front_is_noticed():
    text = "title words, single, double, double"
    short = analysed(text, Section(SectionKind.TITLE, 0, 11))
    assert "single" in scores(USUAL, short)
    found = scores(replace(USUAL, long_text=len(short)), short)
    assert found.keys() == {"title words", "title", "words", "double"}
    assert "single" in scores(replace(USUAL, long_text=len(short) + 1), short)


def test_evidence_multiplies_to_the_score():
    for keyphrase in USUAL.extract(sectioned(PARTS)).prediction(explain=True).keyphrases:
        assert set(keyphrase.evidence) == {"mentions", "rarity", "phraseness", "zones", "nearness"}
        product = 1.0
        for value in keyphrase.evidence.values():
            product *= value
        assert keyphrase.score == pytest.approx(product)


def test_the_same_every_time():
    assert USUAL.extract(sectioned(PARTS)).prediction(explain=True) == Counting(frequencies=TABLE).extract(
        sectioned(PARTS)
    ).prediction(explain=True)
    assert Counting() == Counting()
    assert signature(Counting()) == signature(Counting())
    assert signature(USUAL) != signature(Counting())


def test_french_phrases_around_a_preposition_are_not_held_down():
    text = "les réseaux de neurones apprennent. Les réseaux de neurones voient."
    analysed = TextAnalyser("fr").analyse(Document("a", text, language="fr"))
    assert Counting().extract(analysed).prediction(1, explain=True).texts == ("réseaux de neurones",)


def test_japanese_phrases_are_longer_than_five_characters():
    text = "自然言語処理は分野である。自然言語処理の研究。"
    analysed = TextAnalyser("ja").analyse(Document("a", text, language="ja"))
    assert Counting().extract(analysed).prediction(1, explain=True).texts == ("自然言語処理",)
