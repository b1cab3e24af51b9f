"""KP-Miner's weight on a small document, by hand.

Mentions of candidates: *neural* 2, *network* 3, *neural network* 2, *grid* 1; of 8 documents 2 hold *neural*, 4
*network*.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.kpminer import KPMiner
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

TABLE = PhraseCounts.of_phrases([(phrase_key("neural"), 2), (phrase_key("network"), 4)], 8)
PLAIN = KPMiner(TABLE, least_seen=2, refined=0)
BOOST = 7 / (2 * 2.3)  # 2 + 3 + 2 mentions of all, 2 of phrases


DOCUMENT = analysed("Neural network, neural network, network; grid")


def scores(system: KPMiner, document: AnalysedDocument = DOCUMENT) -> dict[str, float]:
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in system.extract(document).prediction().keyphrases}


def test_words_by_tfidf_and_phrases_with_boost():
    """2 log2(8 / 2) and 3 log2(8 / 4) for words; a phrase is taken to be in one document of the 8."""
    assert scores(PLAIN) == pytest.approx({"neural network": 2 * 3 * BOOST, "neural": 4, "network": 3})


def test_least_seen():
    assert set(scores(replace(PLAIN, least_seen=3))) == {"network"}
    everything = scores(replace(PLAIN, least_seen=1))
    assert everything["grid"] == 3  # not in the table: as if one document held it
    assert everything["neural network"] == pytest.approx(6 * 8 / (2 * 2.3))


def test_alpha_and_sigma():
    assert scores(replace(PLAIN, alpha=1.4))["neural network"] == pytest.approx(6 * 2.5)
    assert scores(replace(PLAIN, alpha=1.0))["neural network"] == pytest.approx(6 * 3)
    assert scores(replace(PLAIN, sigma=1.2))["neural network"] == pytest.approx(6 * 1.2)


def test_a_document_of_words_only_has_no_boost():
    assert scores(PLAIN, analysed("network, network; grid, grid")) == pytest.approx({"grid": 6, "network": 2})


def test_cutoff():
    """*network* stands at 1, *neural* and *neural network* at 0."""
    assert set(scores(replace(PLAIN, cutoff=2))) == {"neural network", "neural", "network"}
    assert set(scores(replace(PLAIN, cutoff=1))) == {"neural network", "neural"}
    assert scores(replace(PLAIN, cutoff=0)) == {}


def test_refinement_takes_mentions_inside_longer_phrases_away():
    assert scores(replace(PLAIN, refined=15)) == pytest.approx(
        {"neural network": 6 * BOOST, "network": 3 * (1 - 2 / 3), "neural": 0}
    )


def test_only_the_best_are_refined():
    """The two best are *neural network* and *neural*; *network* keeps its weight."""
    assert scores(replace(PLAIN, refined=2)) == pytest.approx({"neural network": 6 * BOOST, "network": 3, "neural": 0})
    assert scores(replace(PLAIN, refined=1)) == scores(PLAIN)


def test_sentences_near_the_start_may_weigh_more():
    document = analysed("Network one. Network two. Grid three. Grid four.")
    near = scores(replace(PLAIN, near_start=True), document)
    plain = scores(PLAIN, document)
    assert near == pytest.approx({"network": plain["network"] * 2, "grid": plain["grid"] * (1 + 1 / 3)})


def test_phrases_of_up_to_five_words_between_stop_words():
    found = scores(replace(PLAIN, least_seen=1), analysed("alpha beta gamma delta epsilon zeta of eta"))
    assert "alpha beta gamma delta epsilon" in found
    assert "eta" in found
    assert max(len(phrase.split()) for phrase in found) == 5
    assert not any("of" in phrase.split() for phrase in found)


def test_nothing_is_found_in_an_empty_document():
    assert KPMiner(TABLE).extract(analysed("")).prediction().keyphrases == ()


def test_training_counts_words_and_looks_at_no_gold():
    texts = ("a neural network and a neural network", "network grids", "grids of grids")
    examples = [LabelledDocument(analysed(text, name=str(at)), ()) for at, text in enumerate(texts)]
    fitted = PLAIN.fit(examples)
    asked = [phrase_key(name) for name in ("neural", "network", "grid", "neural network")]
    assert fitted.frequencies.of(np.array(asked, np.uint64)).tolist() == [1, 2, 2, 0]
    assert (fitted.frequencies.documents, fitted.least_seen) == (3, 2)
    labelled = [LabelledDocument(one.document, (GoldKeyphrase(("grid",), "author"),)) for one in examples]
    assert equal(PLAIN.fit(labelled), fitted)
    assert scores(fitted)["network"] == pytest.approx(3 * math.log2(3 / 2))
