"""Long documents are tagged in pieces."""

import numpy as np
import pytest

from keywright.core.documents import Document
from keywright.text import languages
from keywright.text.languages import TaggedAnalyser

TEXT = "Rain gardens hold storm water. The city pays for sand. Old grids failed again."


@pytest.mark.parametrize(("at_once", "expected"), [(100, [17]), (12, [12, 5]), (6, [6, 6, 5]), (4, [4, 2, 4, 2, 4, 1])])
def test_pieces_end_with_sentences_where_they_can(monkeypatch, at_once, expected):
    monkeypatch.setattr(languages, "_AT_ONCE", at_once)
    begins = np.isin(np.arange(17), [0, 6, 12])
    pieces = list(languages._pieces(begins))
    assert [piece.stop - piece.start for piece in pieces] == expected
    assert [piece.start for piece in pieces[1:]] == [piece.stop for piece in pieces[:-1]]


def test_no_tokens_no_pieces():
    assert not list(languages._pieces(np.zeros(0, bool)))


def test_tags_are_those_of_the_whole_text(monkeypatch):
    whole = TaggedAnalyser().analyse(Document("a", TEXT))
    monkeypatch.setattr(languages, "_AT_ONCE", 6)
    pieces = TaggedAnalyser().analyse(Document("a", TEXT))
    assert [pieces.tags[tag] for tag in pieces.tag] == [whole.tags[tag] for tag in whole.tag]
