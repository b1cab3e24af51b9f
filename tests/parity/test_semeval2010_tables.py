"""Tables 1 and 2 of the task paper, and its README, from the data."""

import json

import pytest

from keywright.experiments.semeval2010_paper import count_data

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def table(mirror):
    return count_data(mirror)


def test_every_difference_has_a_note_and_only_known_ones_exist(table):
    differing = {
        (row.dataset, row.category, row.measure, row.gold, row.published): row for row in table if row.difference
    }
    assert {key: row.ours for key, row in differing.items()} == {
        ("semeval2010/train", None, "documents", None, 140): 144,
        ("semeval2010", None, "documents", None, 284): 244,
        ("semeval2010/test", None, "keyphrases", "reader", 1217): 1204,
        ("semeval2010/test", None, "keyphrases", "combined", 1482): 1466,
        ("semeval2010/train", None, "keyphrases", "author", 563): 559,
        ("semeval2010/train", None, "keyphrases", "reader", 1837): 1824,
        ("semeval2010/train", None, "keyphrases", "combined", 2239): 2223,
        ("semeval2010/test", None, "keyphrases", "author", 388): 387,
    }
    assert all(row.note for row in differing.values())


def test_causes_that_arithmetic_confirms(table):
    notes = {(row.dataset, row.gold, row.published): row.note for row in table}
    assert "34 + 39 + 35 + 36 = 144" in notes["semeval2010/train", None, 140]
    assert "40 + 144 + 100, but 40 trial documents are training documents" in notes["semeval2010", None, 284]
    assert "559 entries + 4 alternatives" in notes["semeval2010/train", "author", 563]
    assert "not explained" in notes["semeval2010/train", "reader", 1837]


def test_authors_and_readers_share_what_the_paper_says(table):
    (shared,) = [row for row in table if row.measure == "keyphrases of authors and readers"]
    assert (shared.published, shared.ours) == (125, 125)


def test_rows_are_json(table):
    record = json.loads(json.dumps(table[5].record()))
    assert record["published"] == 140
    assert record["difference"] == 4
