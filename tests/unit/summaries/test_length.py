"""The evaluator of length."""

from keywright.summaries.evaluator import Length
from keywright.summaries.pairs import Pair, SummaryText


def test_words_have_a_letter_or_a_digit():
    texts = ["Tides , it seems , rise 2 m .", "state-of-the-art kitchen's", "", "…", [["New York", "!"], ["is"]]]
    pairs = [Pair("t", "s", SummaryText.from_json(text, "x")) for text in texts]
    assert [each.values["score"] for each in Length().evaluate(pairs)] == [6, 2, 0, 0, 2]
