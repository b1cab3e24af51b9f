"""Features side by side, in their order."""

from keywright.candidates.ngrams import ngrams
from keywright.core.documents import Document
from keywright.features.matrix import matrix
from keywright.features.position import first_mention
from keywright.text.analyser import TextAnalyser


def lengths(candidates, _):
    return candidates.length


def test_columns_keep_their_order_and_rows_that_of_the_candidates():
    document = TextAnalyser().analyse(Document("a", "grid market of time"))
    found = ngrams(document, 2)  # grid, grid market, market, time
    rows = matrix((first_mention, lengths), found, document)
    assert rows.tolist() == [[0, 1], [0, 2], [1 / 4, 1], [3 / 4, 1]]
    assert rows.dtype == "float64"


def test_no_candidates_and_no_features():
    document = TextAnalyser().analyse(Document("a", "grid"))
    assert matrix((), ngrams(document, 2), document).shape == (1, 0)
    nothing = TextAnalyser().analyse(Document("a", ""))
    assert matrix((first_mention, lengths), ngrams(nothing, 2), nothing).shape == (0, 2)
