"""Zoning, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions.position import MentionsIn, SectionTfIdf, SeenIn, mentions_in
from keywright.text.keys import phrase_key

# title: grid markets; abstract: grids grid; body: and, time grid; a second abstract: time
TEXT = "grid markets and grids grid time grid time"
DOCUMENT = analysed(
    TEXT,
    Section(SectionKind.TITLE, 0, 12),
    Section(SectionKind.ABSTRACT, 17, 27),
    Section(SectionKind.ABSTRACT, 38, 42),
)
FOUND = ngrams(DOCUMENT, 2)
TITLE, ABSTRACT, BODY = SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.BODY
PHRASES = ("grid", "market", "time", "grid market", "grid grid")


def values(feature) -> list[float]:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((len(FOUND),), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


def test_mentions_in_sections():
    assert values(MentionsIn((TITLE,))) == [1, 1, 0, 1, 0]
    assert values(MentionsIn((ABSTRACT,))) == [2, 0, 1, 0, 1]
    assert values(MentionsIn((TITLE, ABSTRACT))) == [3, 1, 1, 1, 1]
    assert values(lambda found, document: mentions_in(found, document, BODY)) == [1, 0, 1, 0, 0]
    assert values(MentionsIn((SectionKind.CAPTION,))) == [0] * 5
    assert values(SeenIn((ABSTRACT,))) == [1, 0, 1, 0, 1]


def test_tfidf_among_sections():
    # three kinds; title and abstract have 2 and 3 tokens, body the other 3
    third = math.log2(3)
    assert values(SectionTfIdf(TITLE)) == pytest.approx([0, third / 2, 0, third / 2, 0])
    assert values(SectionTfIdf(ABSTRACT)) == pytest.approx([0, 0, math.log2(3 / 2) / 3, 0, third / 3])
    assert values(SectionTfIdf(SectionKind.CAPTION)) == [0] * 5


@pytest.mark.parametrize("feature", [MentionsIn((TITLE,)), SeenIn((TITLE,)), SectionTfIdf(TITLE)])
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)
