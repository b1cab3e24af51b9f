"""Places of mentions, and sections with mentions, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import SECTION_KINDS, Section, SectionKind
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions import mentions as position
from keywright.extraction.features.functions.mentions import mentions_in, section_tf_idf
from keywright.text.keys import phrase_key

DOCUMENT = analysed("grid of markets. Grid and grid. Of time. Of it")
FOUND = ngrams(DOCUMENT, 1)  # tokens: grid 0, of 1, markets 2, . 3, Grid 4, and 5, grid 6, . 7, Of 8, time 9 ... 13


def value(feature, phrase: str) -> float:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((3,), np.float64)
    return float(column[FOUND.key.tolist().index(phrase_key(phrase))])


def test_first_and_last():
    assert len(DOCUMENT) == 13
    assert [value(position.first_mention, phrase) for phrase in ("grid", "market", "time")] == [0, 2 / 13, 9 / 13]
    assert [value(position.last_mention, phrase) for phrase in ("grid", "market", "time")] == [6 / 13, 2 / 13, 9 / 13]


def test_deviation_of_places():
    # 0, 4 and 6: mean 10 / 3, squares (100 + 4 + 64) / 9
    assert value(position.deviation, "grid") == pytest.approx(math.sqrt(168 / 27) / 13)
    assert value(position.deviation, "time") == 0


@pytest.mark.parametrize("feature", [position.first_mention, position.last_mention, position.deviation])
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)


# title: grid markets; abstract: grids grid; body: and, time grid; a second abstract: time
TEXT = "grid markets and grids grid time grid time"
STRUCTURE_DOCUMENT = analysed(
    TEXT,
    Section(SectionKind.TITLE, 0, 12),
    Section(SectionKind.ABSTRACT, 17, 27),
    Section(SectionKind.ABSTRACT, 38, 42),
)
STRUCTURE_FOUND = ngrams(STRUCTURE_DOCUMENT, 2)
TITLE, ABSTRACT, BODY = SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.BODY
PHRASES = ("grid", "market", "time", "grid market", "grid grid")


def values(column: np.ndarray) -> list[float]:
    assert (column.shape, column.dtype) == ((len(STRUCTURE_FOUND),), np.float64)
    return [float(column[STRUCTURE_FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ((TITLE,), [1, 1, 0, 1, 0]),
        ((ABSTRACT,), [2, 0, 1, 0, 1]),
        ((TITLE, ABSTRACT), [3, 1, 1, 1, 1]),
        ((BODY,), [1, 0, 1, 0, 0]),
        ((SectionKind.CAPTION,), [0] * 5),
    ],
    ids=str,
)
def test_mentions_in_sections(kinds, expected):
    assert values(mentions_in(STRUCTURE_FOUND, STRUCTURE_DOCUMENT, *kinds)) == expected


def test_tfidf_among_sections():
    # three kinds; title and abstract have 2 and 3 tokens, body the other 3
    third = math.log2(3)
    of_sections = section_tf_idf(STRUCTURE_FOUND, STRUCTURE_DOCUMENT)
    assert values(of_sections[:, TITLE.code]) == pytest.approx([0, third / 2, 0, third / 2, 0])
    assert values(of_sections[:, ABSTRACT.code]) == pytest.approx([0, 0, math.log2(3 / 2) / 3, 0, third / 3])
    assert values(of_sections[:, SectionKind.CAPTION.code]) == [0] * 5


def test_no_candidates_give_no_numbers_of_structure():
    document = analysed("")
    none = ngrams(document, 3)
    assert mentions_in(none, document, TITLE).shape == (0,)
    assert section_tf_idf(none, document).shape == (0, len(SECTION_KINDS))
