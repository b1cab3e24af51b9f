"""SGRank on small documents, by hand. In the flat table a phrase's rarity is log2(2 / 1) = 1."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.sgrank import SGRank, _nearness
from keywright.text.keys import phrase_key

FLAT = SGRank(PhraseCounts.of_phrases([], 2))


def found(system: SGRank, document: AnalysedDocument) -> dict[str, float]:
    return {
        keyphrase.text: keyphrase.score for keyphrase in system.extract(document).prediction(explain=True).keyphrases
    }


def test_weights():
    """*wind* and *screen* stand only in *wind screen*; *storm* is token 6."""
    keyphrases = FLAT.extract(analysed("wind screen, wind screen; storm")).prediction(explain=True).keyphrases
    weight = {keyphrase.text: keyphrase.evidence["weight"] for keyphrase in keyphrases}
    assert weight == pytest.approx({"wind screen": 2 * math.log(3000) * 2, "storm": math.log(3000 / 7)})


def test_rarity_of_words_and_phrases():
    table = PhraseCounts.of_phrases([(phrase_key("wind"), 2), (phrase_key("wind screen"), 4)], 8)
    keyphrases = SGRank(table).extract(analysed("wind, wind screen, storm")).prediction(explain=True).keyphrases
    rarity = {keyphrase.text: keyphrase.evidence["rarity"] for keyphrase in keyphrases}
    assert rarity == {"wind": 2, "wind screen": 3, "storm": 3}


def test_meetings():
    """*oak* at 0 and 4, *ash* at 2, *elm* at 7: oak meets ash twice at 2 and elm once at 3; ash and elm are 5 apart."""
    document = analysed("oak, ash, oak. the elm")
    assert document.words[document.word[7]] == "elm"
    nearness = _nearness(ngrams(document, 1), 5)
    expected = np.zeros((3, 3))
    expected[0, 1] = expected[1, 0] = math.log(5 / 2)
    expected[0, 2] = expected[2, 0] = math.log(5 / 3)
    assert nearness == pytest.approx(expected)


def test_pagerank_on_the_graph():
    """A star around *oak*: with edges a, b to *ash*, *elm* its share is (0.15 / 3 + 0.85) / 1.85."""
    document = analysed("oak, ash, oak. the elm")
    ranks = found(replace(FLAT, window=5), document)
    middle = (0.15 / 3 + 0.85) / 1.85
    ash, elm = (math.log(3000 / place) * math.log(5 / far) for place, far in ((3, 2), (8, 3)))
    expected = {
        "oak": middle,
        "ash": 0.05 + 0.85 * middle * ash / (ash + elm),
        "elm": 0.05 + 0.85 * middle * elm / (ash + elm),
    }
    assert ranks == pytest.approx(expected)


def test_late_phrases_do_not_go_on():
    assert set(found(replace(FLAT, cutoff=3), analysed("oak, ash, elm"))) == {"oak"}


def test_the_pool():
    assert set(found(replace(FLAT, pool=1), analysed("oak, ash, oak"))) == {"oak"}


def test_longer_documents_need_more_mentions():
    document = analysed("oak, ash, oak, ash, oak, elm")
    assert set(found(replace(FLAT, per=5), document)) == {"oak", "ash"}
    assert set(found(replace(FLAT, per=3), document)) == {"oak"}
    assert set(found(replace(FLAT, per=100), document)) == {"oak", "ash", "elm"}


def test_tags_restrict_where_there_are_some():
    document = analysed("fast ship sails")
    tagged = replace(document, tag=np.array([0, 1, 2]), tags=("JJ", "NN", "RB"))
    assert "fast ship sails" in found(FLAT, document)
    assert set(found(FLAT, tagged)) == {"fast ship"}
    assert set(found(replace(FLAT, classes="N"), tagged)) == {"ship"}


def test_nothing_is_found_in_an_empty_document():
    assert FLAT.extract(analysed("")).prediction(explain=True).keyphrases == ()
