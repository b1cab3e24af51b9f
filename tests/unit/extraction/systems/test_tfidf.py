"""TF×IDF on small documents, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.core.errors import UnknownName
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.tfidf import TfIdf
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

TABLE = PhraseCounts.of_phrases([(phrase_key("neural"), 2), (phrase_key("network"), 4)], 8)


DOCUMENT = analysed("Neural network, neural network, network; the grid")


def scores(system: TfIdf) -> dict[str, float]:
    return {
        keyphrase.text: keyphrase.score for keyphrase in system.extract(DOCUMENT).prediction(explain=True).keyphrases
    }


def test_frequency_times_rarity():
    expected = {
        "neural network": 2 * math.log2(9),
        "neural": 2 * math.log2(9 / 3),
        "grid": math.log2(9),
        "network": 3 * math.log2(9 / 5),
    }
    found = scores(TfIdf(TABLE))
    assert found == pytest.approx(expected)
    assert list(found) == ["neural network", "neural", "grid", "network"]


def test_evidence_multiplies_to_the_score():
    for keyphrase in TfIdf(TABLE).extract(DOCUMENT).prediction(explain=True).keyphrases:
        assert keyphrase.evidence["mentions"] * keyphrase.evidence["rarity"] == pytest.approx(keyphrase.score)


def test_longest_and_stop_words():
    assert set(scores(TfIdf(TABLE, longest=1))) == {"neural", "network", "grid"}
    assert set(scores(TfIdf(TABLE, stop_words="nowhere"))) == {
        "neural network",
        "neural",
        "grid",
        "network",
        "the",
        "the grid",
    }
    with pytest.raises(UnknownName):
        TfIdf(TABLE, stop_words="somewhere").extract(DOCUMENT).prediction(explain=True)


def test_training_counts_documents_and_looks_at_no_gold():
    texts = ("a neural network and a neural network", "network grids", "grids of grids")
    examples = [LabelledDocument(analysed(text, name=str(at)), ()) for at, text in enumerate(texts)]
    fitted = TfIdf(TABLE, longest=2).fit(examples)
    asked = [
        phrase_key(name) for name in ("neural network", "network", "grid", "neural", "network grid", "grid of grid")
    ]
    assert fitted.frequencies.of(np.array(asked, np.uint64)).tolist() == [1, 2, 2, 1, 1, 0]
    assert (fitted.frequencies.documents, fitted.longest) == (3, 2)
    labelled = [LabelledDocument(one.document, (GoldKeyphrase(("grid",), "author"),)) for one in examples]
    assert equal(TfIdf(TABLE, longest=2).fit(labelled), fitted)
