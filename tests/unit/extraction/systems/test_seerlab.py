"""SEERLAB: candidates, features and training on small documents."""

from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import phrases
from tests.unit.extraction.systems.papers import TOPICS, paper

from keywright.core.documents import AnalysedDocument, LabelledDocument, Section, SectionKind
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.systems.seerlab import Seerlab
from keywright.text.keys import phrase_key

TITLES = PhraseCounts.of_phrases([(phrase_key("grid market"), 7), (phrase_key("peer"), 9)], 100)
PLAIN = Seerlab(scholarly=TITLES, trees=20, least=3)


PAPERS = tuple(map(paper, range(24)))
FITTED = replace(PLAIN, scholarly=PhraseCounts.of_phrases([], 100), least_seen=1).fit(PAPERS)


def found(system: Seerlab, document: AnalysedDocument) -> dict[str, int]:
    return phrases(document, system.candidates(document))


def test_phrases_of_titles_are_kept_and_repeated_ones_that_a_telling_part_names():
    text = "Agents\n\nAgents, agents, routers, routers, routers, grid markets, peers"
    document = analysed(text, Section(SectionKind.TITLE, 0, 6))
    assert found(PLAIN, document) == {"agents": 3, "grid markets": 1, "peers": 1}
    assert found(replace(PLAIN, least_seen=4), document) == {"grid markets": 1, "peers": 1}
    assert found(PLAIN, analysed(text)) == {"grid markets": 1, "peers": 1}


@pytest.mark.parametrize(
    ("kind", "tells"),
    [(SectionKind.CONCLUSION, True), (SectionKind.INTRODUCTION, True), (SectionKind.HEADING, True),
     (SectionKind.RELATED, False), (SectionKind.REFERENCES, False)],
)  # fmt: skip
def test_which_parts_tell(kind, tells):
    document = analysed("agents, agents, agents", Section(kind, 0, 6))
    assert bool(found(PLAIN, document)) == tells


def test_eleven_features():
    """*grid market* in the title, the abstract and the body; *DHT* defined; of the two training papers one has it."""
    text = "Grid market\n\ngrid markets, distributed hash table (DHT)\n\ngrid market, peer"
    sections = Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 13, 55)
    document = analysed(text, *sections)
    examples = [LabelledDocument(analysed(one), ()) for one in ("grid market", "noise")]
    collection = LabelledCollection.of(examples, lambda one: PLAIN.counted_phrases(one).key)
    known = replace(PLAIN, least_seen=1, collection=collection)
    candidates = known.candidates(document)
    rows = dict(zip(phrases(document, candidates), known.features(candidates, document).tolist(), strict=True))
    rarity = np.log2(3 / 2)
    assert rows["grid market"] == pytest.approx([2, 0, 3, 1, 3 * rarity, 1, 1, 0, 0, 1, 7])
    assert rows["peer"] == pytest.approx([1, 0, 1, 0, np.log2(3), 0, 0, 0, 0, 1, 9])
    assert rows["dht"][1] == 1
    assert rows["distributed hash table"][1] == 1


def test_it_finds_topics():
    for number in range(40, 44):
        assert FITTED.extract(paper(number).document).prediction().keyphrases[0].text == TOPICS[number % 4]


def test_parts_that_never_stand_alone_go():
    document = paper(40).document
    whole = {keyphrase.text for keyphrase in replace(FITTED, nested=True).extract(document).prediction().keyphrases}
    less = {keyphrase.text for keyphrase in FITTED.extract(document).prediction().keyphrases}
    assert {"grid", "market"} <= whole
    assert not {"grid", "market"} & less
    assert "grid market" in less
