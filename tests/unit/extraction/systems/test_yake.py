"""YAKE on small documents, by hand.

In *Neural network, neural network, network; grid* one sentence holds everything, so a term's place is ln ln 3 and its
spread 1; no capital stands inside. Mentions 2, 3, 1: mean 2, deviation sqrt(2 / 3). *neural* has one distinct right
neighbour in two, *network* one distinct left one in two, *grid* none.
"""

import math
from dataclasses import replace

import pytest
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument
from keywright.core.errors import UnknownName
from keywright.extraction.systems.yake import Yake

EARLY = math.log(math.log(3))
USUAL = 2 + math.sqrt(2 / 3)
EVERYTHING = Yake(alike=1.0)


DOCUMENT = analysed("Neural network, neural network, network; grid")


def weights(system: Yake, document: AnalysedDocument = DOCUMENT) -> dict[str, float]:
    return {
        keyphrase.text.lower(): keyphrase.evidence["S"]
        for keyphrase in system.extract(document).prediction(explain=True).keyphrases
    }


def of_term(mentions: int, company: float) -> float:
    return EARLY * company / ((mentions / USUAL + 1) / company)


def of_phrase(*terms: float, mentions: int) -> float:
    return math.prod(terms) / (mentions * (1 + sum(terms)))


NEURAL, NETWORK, GRID = of_term(2, 1 + 0.5 * 2 / 3), of_term(3, 1 + 0.5), of_term(1, 1)


def test_terms_and_phrases():
    assert weights(EVERYTHING) == pytest.approx(
        {
            "neural network": of_phrase(NEURAL, NETWORK, mentions=2),
            "network": of_phrase(NETWORK, mentions=3),
            "neural": of_phrase(NEURAL, mentions=2),
            "grid": of_phrase(GRID, mentions=1),
        }
    )


def test_the_lowest_s_is_best_and_the_score_is_its_negative():
    keyphrases = EVERYTHING.extract(DOCUMENT).prediction(explain=True).keyphrases
    assert [keyphrase.text.lower() for keyphrase in keyphrases] == ["neural network", "network", "neural", "grid"]
    assert [keyphrase.score for keyphrase in keyphrases] == [-keyphrase.evidence["S"] for keyphrase in keyphrases]


def test_a_stop_word_inside_counts_by_how_surely_it_stands_there():
    """*of* follows *wind* two times in three, and stands before both *change*."""
    found = weights(EVERYTHING, analysed("wind of change, wind of change, wind at sea"))
    wind, change = (found[word] * mentions for word, mentions in (("wind", 3), ("change", 2)))
    wind, change = wind / (1 - wind), change / (1 - change)
    surely = 2 / 3 * 2 / 2
    expected = wind * change * (2 - surely) / (2 * (1 + wind + change - (1 - surely)))
    assert found["wind of change"] == pytest.approx(expected)


def test_phrases_without_a_value_are_left_out():
    """Two stop words that are not sure at all take 2 from a denominator of little more than 1."""
    text = analysed("salt in the sea, salt, sea, in, the, the, sea, sea, salt, salt, in, salt by the sea")
    found = weights(Yake(longest=4, alike=1.0), text)
    assert set(found) == {"salt", "sea"}


def test_spellings():
    text = analysed("noise mapping, noise mappings, storm")
    assert "noise mappings" not in weights(replace(EVERYTHING, alike=0.8), text)
    text = analysed("sailing boat, sailing boots, storm")
    assert {"sailing boat", "sailing boots"} <= set(weights(EVERYTHING, text))
    assert len({"sailing boat", "sailing boots"} & set(weights(replace(EVERYTHING, alike=0.8), text))) == 1


def test_the_best_form_speaks_for_a_phrase():
    """Two mentions of *rain garden* make it better than *rain gardens*; together they are one phrase of three."""
    [best] = [
        keyphrase
        for keyphrase in EVERYTHING.extract(analysed("rain gardens, rain garden, rain garden"))
        .prediction(explain=True)
        .keyphrases
        if " " in keyphrase.text
    ]
    [alone] = [
        keyphrase
        for keyphrase in replace(EVERYTHING, terms="stems")
        .extract(analysed("rain garden, rain garden, rain garden"))
        .prediction(explain=True)
        .keyphrases
        if " " in keyphrase.text
    ]
    assert (best.text, best.evidence["mentions"], len(best.spans)) == ("rain garden", 3, 3)
    assert best.evidence["S"] != pytest.approx(alone.evidence["S"])


def test_parameters():
    text = analysed("oak ash elm fir, oak of elm")
    assert max(len(phrase.split()) for phrase in weights(replace(EVERYTHING, longest=2), text)) == 2
    assert weights(replace(EVERYTHING, shortest=4), text) == {}
    assert weights(replace(EVERYTHING, window=2), text) != weights(EVERYTHING, text)
    with pytest.raises(UnknownName):
        Yake(terms="lemmas").extract(text).prediction(explain=True)


def test_numbers_and_debris_stand_in_no_phrase():
    found = weights(EVERYTHING, analysed("storm 17 water, peer-to-peer storm, x_i storm"))
    assert set(found) == {"storm", "water"}


def test_other_languages():
    text = analysed("Les marais salants bordent la côte. Le sel des marais salants est gris.", language="fr")
    assert "marais salants" in weights(EVERYTHING, text)
    assert weights(EVERYTHING, analysed("茶树生长在潮湿的山坡上。", language="zh"))


def test_nothing_is_found_in_an_empty_document():
    assert Yake().extract(analysed("")).prediction(explain=True).keyphrases == ()
