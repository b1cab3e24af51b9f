"""HUMB: features by hand, and what training and company do, on made-up papers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import phrases
from tests.unit.extraction.systems.papers import TOPICS, paper

from keywright.core.documents import Section, SectionKind
from keywright.core.errors import UnknownName
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.systems.humb import HUMB
from keywright.text.keys import phrase_key

FREQUENCIES = PhraseCounts.of_phrases([(phrase_key("grid"), 15), (phrase_key("software"), 31)], 127)
PLAIN = HUMB(frequencies=FREQUENCIES, trees=20, least=3)


PAPERS = tuple(map(paper, range(24)))
FITTED = PLAIN.fit(PAPERS)


def test_features():
    """*grid market* in title and references, *software* in the introduction; a training paper chose *grid market*."""
    text = "Grid market\n\nsoftware, grid\n\nGrid markets"
    sections = (
        Section(SectionKind.TITLE, 0, 11),
        Section(SectionKind.INTRODUCTION, 13, 27),
        Section(SectionKind.REFERENCES, 29, 41),
    )
    document = analysed(text, *sections)
    known = LabelledCollection.of(PAPERS[:1], lambda _: np.zeros(0, np.uint64))
    system = replace(PLAIN, collection=known)
    candidates = system.candidates(document)
    rows = dict(zip(phrases(document, candidates), system.features(candidates, document).tolist(), strict=True))
    size = len(document)
    chosen = lexicon("author-keyphrases").of(np.array([phrase_key("software")], np.uint64))[0]
    assert set(rows) == {"grid", "grid market", "market", "software"}
    # title abstract introduction heading conclusion references, first phraseness tfidf keywordness
    expected = [1, 0, 0, 0, 0, 1, 0, 2 * math.log10(2) * 2 / 5, 2 * 7, 1]
    assert rows["grid market"][:10] == pytest.approx(expected)
    assert rows["grid market"][-1] == 2
    expected = [0, 0, 1, 0, 0, 0, 2 / size, 0.1 * math.log10(2), 2, 0, 1, 1, 0, chosen / 32, 1]
    assert rows["software"] == pytest.approx(expected)
    assert chosen > 0


def test_features_have_the_names_of_the_columns():
    document = PAPERS[0].document
    candidates = FITTED.candidates(document)
    assert tuple(FITTED.feature_columns(candidates, document)) == HUMB.columns
    left = replace(FITTED, without=("vera", "first")).feature_columns(candidates, document)
    assert tuple(left) == tuple(name for name in HUMB.columns if name not in {"vera", "first"})
    with pytest.raises(UnknownName, match="no feature of humb called 'grisp'"):
        replace(PLAIN, without=("grisp",)).fit(PAPERS)


def test_candidates_have_no_stop_words_or_signs():
    text = "quality of service, 3.5 x = ten rain garden maps of the five big old tall towns"
    found = set(phrases(analysed(text), PLAIN.candidates(analysed(text))))
    assert {"quality", "service", "rain garden maps"} <= found
    assert not {"quality of service", "3.5", "x"} & found
    assert max(len(name.split()) for name in found) <= 5


def test_it_finds_topics():
    for number in range(40, 44):
        assert FITTED.extract(paper(number).document).prediction(explain=True).keyphrases[0].text == TOPICS[number % 4]


def test_company_lifts_what_authors_use_together():
    """A factor of exp(usage * company) on the vote, and nothing else."""
    document = analysed("information retrieval; query expansion; tide; information retrieval")
    voted, lifted = (
        {one.text: one for one in replace(FITTED, usage=usage).extract(document).prediction(explain=True).keyphrases}
        for usage in (0.0, 2.0)
    )
    company = {text: one.evidence["company"] for text, one in lifted.items()}
    assert company["query expansion"] > company["tide"] >= 0
    for text, one in lifted.items():
        assert one.score == pytest.approx(voted[text].score * math.exp(2 * company[text]))
