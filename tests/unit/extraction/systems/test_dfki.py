"""DFKI's window, its eight features by hand, and what it learns from ordered examples."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.dfki import DFKI
from keywright.text.keys import phrase_key

HITS = PhraseCounts.of_phrases(
    [(phrase_key(phrase), count) for phrase, count in {"grid": 99, "market": 999, "grid market": 9}.items()], 5000
)
SYSTEM = DFKI(hits=HITS)


def phrases(system: DFKI, document) -> dict[str, int]:
    """Index of each candidate by its first mention."""
    found = system.candidates(document)
    ends = document.end[found.first + found.length - 1]
    places = zip(document.start[found.first].tolist(), ends.tolist(), strict=True)
    return {document.source.text[start:end].lower(): index for index, (start, end) in enumerate(places)}


def test_candidates_stand_in_the_window():
    text = "The grid market is of the agents. A peer-to-peer network."
    document = analysed(text)
    assert set(phrases(SYSTEM, document)) == {"grid market", "agents", "peer-to-peer network"}
    assert set(phrases(replace(SYSTEM, window=text.index(" of")), document)) == {"grid market"}
    assert set(phrases(replace(SYSTEM, window=text.index(" market")), document)) == set()  # cut in two by the window
    assert set(phrases(replace(SYSTEM, maximal=False), document)) >= {"grid market", "grid", "market"}


def test_authors_and_references_hold_no_candidates():
    text = "Ada Lovelace. The grid market. Other engines."
    authors, other = Section(SectionKind.AUTHORS, 0, 13), Section(SectionKind.REFERENCES, 31, 45)
    assert set(phrases(SYSTEM, analysed(text, authors, other))) == {"grid market"}


def test_the_eight_features():
    """Thirteen tokens; the window ends behind the first sentence."""
    text = "We like a grid market. Grid-market agents use grid markets with a grid."
    document = analysed(text)
    system = replace(SYSTEM, window=22)
    row = system.features(system.candidates(document), document)[phrases(system, document)["grid market"]]
    first = document.source.text.split().index("grid") / len(document)
    association = math.log10(10) - (math.log10(100) + math.log10(1000)) / 2
    expected = [math.log2(1 + 1), math.log2(1 + 3), first, 2, 0, 0, 1, association]
    assert row.tolist() == pytest.approx(expected)


def test_special_characters_and_lexicons():
    document = analysed("The TCP/IP stack and an algorithm.")
    rows = replace(SYSTEM).features(SYSTEM.candidates(document), document)
    at = phrases(SYSTEM, document)
    columns = list(SYSTEM.feature_columns(SYSTEM.candidates(document), document))
    special, entry = columns.index("special characters"), columns.index("lexicons")
    assert (rows[at["tcp/ip stack"], special], rows[at["algorithm"], special]) == (1, 0)
    assert (rows[at["tcp/ip stack"], entry], rows[at["algorithm"], entry]) == (0, 1)
    without = replace(SYSTEM, lexicons=())
    assert not without.features(without.candidates(document), document)[:, entry].any()


def example(name: str, text: str, *gold: str) -> LabelledDocument:
    return LabelledDocument(analysed(text, name=name), tuple(GoldKeyphrase((form,), "author") for form in gold))


EXAMPLES = [
    example("a", "The grid market. A grid market has agents. Some weather came. Grid markets.", "grid market"),
    example(
        "b", "Overlay networks. The overlay network of a building. Cats sleep. Overlay networks.", "overlay network"
    ),
]


def test_it_learns_that_keyphrases_are_repeated():
    system = SYSTEM.fit(EXAMPLES)
    found = (
        system.extract(analysed("Some dogs. The tuple space. A tuple space of tea. Tuple spaces."))
        .prediction(explain=True)
        .keyphrases
    )
    assert found[0].text.lower() == "tuple space"
    assert len(found[0].evidence) == 8
    assert np.isfinite([keyphrase.score for keyphrase in found]).all()


def test_an_empty_document_has_no_candidates():
    system = SYSTEM.fit(EXAMPLES)
    document = analysed("")
    assert system.features(system.candidates(document), document).shape == (0, 8)
    assert system.extract(document).prediction(explain=True).keyphrases == ()
