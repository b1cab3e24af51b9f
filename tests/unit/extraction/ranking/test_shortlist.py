"""Pieces of words and clauses come behind the phrases of a document: by the blanks and mentions of its language."""

import pytest

from keywright.core.documents import Document
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.ranking.shortlist import find_pieces
from keywright.text.analyser import TextAnalyser


def list_pieces(text: str, language: str) -> set[str]:
    """Return the first mentions of the candidates that are pieces."""
    document = TextAnalyser(language, terms=True).analyse(Document("a", text, language=language))
    candidates = ngrams(document, 5)
    first, last = candidates.first, candidates.first + candidates.length - 1
    shown = (text[start:end] for start, end in zip(document.start[first], document.end[last], strict=True))
    return {phrase for phrase, is_piece in zip(shown, find_pieces(candidates, document), strict=True) if is_piece}


@pytest.mark.parametrize(
    ("language", "text", "pieces"),
    [
        # Blanks part clauses: across one a phrase must be repeated, as a name is.
        ("th", "ลดอุณหภูมิของเมือง ประชาชนลงทะเบียน", {"เมือง ประชาชน"}),
        ("th", "เมือง ประชาชน เมือง ประชาชน", {
            "เมือง ประชาชน เมือง", "ประชาชน เมือง", "ประชาชน เมือง ประชาชน", "เมือง ประชาชน เมือง ประชาชน",
        }),
        # Blanks part words: four content words in a row, mentioned once, are most of a clause.
        ("tr", "küçük parklar yağmur suyu toplar.", {
            "küçük parklar yağmur suyu", "parklar yağmur suyu toplar", "küçük parklar yağmur suyu toplar",
        }),
        ("tr", "küçük parklar yağmur suyu. küçük parklar yağmur suyu.", set()),
    ],
)  # fmt: skip
def test_pieces_of_clauses(language, text, pieces):
    assert list_pieces(text, language) == pieces
