"""Features side by side, in their order."""

import pytest
from tests.builders import analysed

from keywright.core.errors import UnknownName
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions.position import first_mention
from keywright.extraction.ranking.trained import chosen_columns, matrix


def lengths(candidates, _):
    return candidates.length


def test_columns_keep_their_order_and_rows_that_of_the_candidates():
    document = analysed("grid market of time")
    found = ngrams(document, 2)  # grid, grid market, market, time
    rows = matrix((first_mention, lengths), found, document)
    assert rows.tolist() == [[0, 1], [0, 2], [1 / 4, 1], [3 / 4, 1]]
    assert rows.dtype == "float64"


def test_no_candidates_and_no_features():
    document = analysed("grid")
    assert matrix((), ngrams(document, 2), document).shape == (1, 0)
    nothing = analysed("")
    assert matrix((first_mention, lengths), ngrams(nothing, 2), nothing).shape == (0, 2)


def test_features_can_be_left_out_by_name():
    columns = {"tfidf": 1, "first": 2, "words": 3}
    assert list(chosen_columns(columns, ("first",), "humb").items()) == [("tfidf", 1), ("words", 3)]
    assert chosen_columns(columns, (), "humb") == columns
    with pytest.raises(UnknownName, match=r"no feature of humb called 'frist'; did you mean 'first'"):
        chosen_columns(columns, ("frist",), "humb")
