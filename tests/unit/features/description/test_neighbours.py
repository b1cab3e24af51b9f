"""What stands around mentions, against numbers worked out by hand."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.description.described_candidates import DescribedCandidates
from keywright.extraction.features.description.word_classes import NAMES, NeighbourWords, neighbours
from keywright.text.tag_lexicon import TagLexicon

SHARES = {  # N J G V I D P X
    "support": [0.5, 0, 0, 0.5, 0, 0, 0, 0],
    "vector": [1, 0, 0, 0, 0, 0, 0, 0],
    "machine": [1, 0, 0, 0, 0, 0, 0, 0],
    "a": [0, 0, 0, 0, 0, 1, 0, 0],
    "learns": [0, 0, 0, 1, 0, 0, 0, 0],
    "of": [0, 0, 0, 0, 1, 0, 0, 0],
}


def columns(text: str, wanted: str) -> dict[str, float]:
    """The columns of one candidate of a text, all n-grams of which are candidates."""
    document = analysed(text)
    found = ngrams(document, 3)
    view = DescribedCandidates(document, found, np.ones(len(found), bool))
    told = neighbours(
        view, NeighbourWords.from_shortlist(view), TagLexicon.from_shares(SHARES, np.full(8, 0.5)).shares(document)
    )
    texts = [
        text[document.start[first] : document.end[first + size - 1]].lower()
        for first, size in zip(found.first, found.length, strict=True)
    ]
    at = texts.index(wanted)
    return {name: float(column[at]) for name, column in told.items()}


def test_a_piece_of_a_phrase_is_not_whole() -> None:
    """*vector machine* follows a word that is a noun half of the time, and a verb stands behind."""
    told = columns("A support vector machine learns.", "vector machine")
    assert told["noun before"] == pytest.approx(0.5, abs=0.01)
    assert told["verb before"] == pytest.approx(0.5, abs=0.01)
    assert told["verb behind"] == pytest.approx(1, abs=0.01)
    assert told["whole"] == pytest.approx(0.5, abs=0.01)
    assert told["nothing before"] == told["nothing behind"] == 0


def test_a_whole_phrase_has_a_determiner_before_it() -> None:
    """Stop words do not extend a phrase."""
    told = columns("A support vector machine learns.", "support vector machine")
    assert told["determiner before"] == pytest.approx(1, abs=0.01)
    assert told["whole"] == told["first whole"] == told["ever whole"] == pytest.approx(1, abs=0.01)


def test_shares_are_means_over_mentions() -> None:
    """The first mention of *machine* is a piece, the second stands alone between signs."""
    told = columns("Vector machine. Machine.", "machine")
    assert told["noun before"] == pytest.approx(0.5, abs=0.01)
    assert told["nothing before"] == 0.5
    assert told["nothing behind"] == 1
    assert told["first whole"] == pytest.approx(0, abs=0.01)
    assert told["ever whole"] == 1
    assert told["whole"] == pytest.approx(0.5, abs=0.01)


def test_signs_and_ends_of_sentences_are_nothing() -> None:
    """What stands in another sentence or behind a sign is no neighbour."""
    told = columns("The vector, machine", "machine")
    assert told["nothing before"] == told["nothing behind"] == 1
    assert told["noun before"] == 0


def test_no_candidates_have_empty_columns() -> None:
    """All columns are there."""
    document = analysed("of the")
    found = ngrams(document, 3)
    view = DescribedCandidates(document, found, np.zeros(len(found), bool))
    told = neighbours(view, NeighbourWords.from_shortlist(view), np.zeros((len(document.words), 8)))
    assert tuple(told) == NAMES
    assert all(len(column) == 0 for column in told.values())
