"""Hits, wrong predictions and missed gold of two documents, and what they cost, by hand."""

from dataclasses import replace

import pytest
from tests.unit.evaluation.publishing.small_runs import FIRST, LABELLED, ODD, PROTOCOL, scored

from keywright.evaluation.answers import parse_answers
from keywright.evaluation.publishing.page_content import Part, Phrase, list_mistakes, list_phrases, make_view
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.run_formats.pairing import pair_with_gold

# One hit more: 3 of 10 predictions and of 5 gold phrases, F .4 after .2667.
GAIN = 0.4 - 0.8 / 3


def test_phrases_of_both_sides():
    _, judged = scored()
    assert list_phrases(judged, PROTOCOL, "author", 5) == (
        Phrase("A", "tides", predicted=True, gold=True, present=True),
        Phrase("A", "storm", predicted=True, gold=False, present=False),
        Phrase("A", "deep sea", predicted=False, gold=True, present=True),
        Phrase("B", "storm", predicted=True, gold=True, present=True),
        Phrase("B", "rain gauge", predicted=False, gold=True, present=True),
        Phrase("B", ODD, predicted=False, gold=True, present=False),
    )


def test_only_predictions_up_to_the_cutoff_count():
    _, judged = scored()
    found = list_phrases(judged, PROTOCOL, "author", 1)
    assert [one.text for one in found if one.predicted] == ["tides", "storm"]
    assert [one.text for one in list_phrases(judged, PROTOCOL, "author", "M") if one.predicted] == [
        "tides",
        "storm",
        "storm",
    ]


def test_answers_are_shown_as_they_are():
    answers = pair_with_gold(FIRST, LABELLED, dict)
    lines = parse_answers(b"A : tide,storm\nB : storm\n", ByteMarks.KEPT)
    found = list_phrases(replace(answers, predictions=lines), PROTOCOL, "author", 5)
    assert [one.text for one in found if one.predicted and one.gold] == ["tide", "storm"]


def test_costs():
    report, judged = scored()
    found = list_phrases(judged, PROTOCOL, "author", 5)
    (wrong,) = list_mistakes(found, report.counts["author"], PROTOCOL, 5, missed=False)
    assert (wrong.text, wrong.documents, wrong.cost) == ("storm", ("A",), pytest.approx(GAIN))
    missed = list_mistakes(found, report.counts["author"], PROTOCOL, 5, missed=True)
    assert [one.text for one in missed] == [ODD, "deep sea", "rain gauge"]
    assert [one.cost for one in missed] == [pytest.approx(GAIN)] * 3


def test_a_mistake_in_more_documents_costs_more_and_none_where_nothing_can_be_gained():
    report, judged = scored(
        replace(
            FIRST,
            predictions=tuple(
                replace(one, keyphrases=(*one.keyphrases, replace(one.keyphrases[0], text="ice")))
                for one in FIRST.predictions
            ),
        )
    )
    found = list_phrases(judged, PROTOCOL, "author", 5)
    wrong = list_mistakes(found, report.counts["author"], PROTOCOL, 5, missed=False)
    # "ice" in both documents: 4 of 10 and of 5, F .5333.
    assert [(one.text, len(one.documents)) for one in wrong] == [("ice", 2), ("storm", 1)]
    assert wrong[0].cost == pytest.approx(1.6 / 3 - 0.8 / 3)


def test_views_of_parts():
    report, judged = scored()
    seen = make_view(report, judged, PROTOCOL)
    assert (seen.kind, seen.cutoff) == ("author", 5)
    assert seen.kinds == (Part("author", 2, 0.2, 0.4, pytest.approx(0.8 / 3)),)
    # air: document B, 1 hit of 5 and of 3; water: document A, 1 of 5 and of 2.
    assert seen.categories == (
        Part("air", 1, 0.2, pytest.approx(1 / 3), pytest.approx(0.25)),
        Part("water", 1, 0.2, 0.5, pytest.approx(2 / 7)),
    )
    # One word: 3 predicted, 2 in the gold, both hit. Two words: 2 in the gold. The odd one has many.
    assert seen.lengths[0] == Part("1 word", 3, pytest.approx(2 / 3), 1.0, pytest.approx(0.8))
    assert seen.lengths[1] == Part("2 words", 2, None, 0.0, 0.0)
    assert seen.lengths[2].name == "4 words or more"
    # Present: 2 predicted, 4 in the gold. Absent: 1 and 1.
    assert seen.presence == (Part("present", 4, 1.0, 0.5, pytest.approx(2 / 3)), Part("absent", 2, 0.0, 0.0, 0.0))
    assert seen.documents["author"] == (("A", pytest.approx(2 / 7)), ("B", pytest.approx(0.25)))
