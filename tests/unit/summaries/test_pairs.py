"""Pairs of summaries and references, from JSON values."""

from typing import Any

import pytest

from keywright.core.errors import BadRecord
from keywright.summaries.pairs import Pair, SummaryText, keep_distinct_pairs, parse_pair


def record(**changes: Any) -> dict[str, Any]:
    return {"id": "t1", "system": "a", "summary": "Tides rise.", "references": ["One.", "Two."]} | changes


def test_a_text_is_a_string_or_sentences_or_tokens() -> None:
    assert SummaryText.from_json("Tides rise. So what?", "x").sentences == ("Tides rise.", "So what?")
    assert SummaryText.from_json("Tides rise. Yes\nSo what?", "x").sentences == ("Tides rise. Yes", "So what?")
    assert SummaryText.from_json(["Tides rise. Yes", "So"], "x").sentences == ("Tides rise. Yes", "So")
    tokens = SummaryText.from_json([["Tides", "rise"], ["So"]], "x")
    assert (tokens.tokens, tokens.whole) == ((("Tides", "rise"), ("So",)), "Tides rise\nSo")


def test_an_author_is_not_compared_with_the_author() -> None:
    pair = parse_pair(record(system="B", reference_authors=["A", "B"]))
    assert [text.whole for text in pair.references] == ["One."]
    assert pair.own_reference


def test_the_jackknife_leaves_each_reference_out_for_systems_and_none_for_authors() -> None:
    system = parse_pair(record(references=["1", "2", "3"]))
    sets = [[text.whole for text in texts] for texts in system.reference_sets(jackknife=True)]
    assert sets == [["2", "3"], ["1", "3"], ["1", "2"]]
    author = parse_pair(record(system="B", references=["1", "2", "3"], reference_authors=["A", "B", "C"]))
    assert [[text.whole for text in texts] for texts in author.reference_sets(jackknife=True)] == [["1", "3"]]
    assert len(parse_pair(record(references=["1"])).reference_sets(jackknife=True)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"id": None},
        {"id": True},
        {"system": ""},
        {"summary": 3},
        {"summary": [["a"], "b"]},
        {"references": "one text"},
        {"references": None},
        {"references": [None]},
        {"reference_authors": ["A"]},
        {"human": {"acu": "high"}},
        {"human": [1]},
        {"language": 7},
    ],
)
def test_a_record_of_another_form_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadRecord):
        parse_pair(record(**changes))


def test_a_pair_without_references_has_a_source() -> None:
    assert parse_pair(record(references=None, source="All of it.")).references == ()


def test_repeats_and_gaps_are_noted() -> None:
    def pair(topic: str, system: str) -> Pair:
        return Pair(topic, system, SummaryText("x"))

    pairs, notes = keep_distinct_pairs([pair("t1", "a"), pair("t1", "a"), pair("t2", "b"), pair("t1", "b")])
    assert [(each.id, each.system) for each in pairs] == [("t1", "a"), ("t2", "b"), ("t1", "b")]
    assert notes == (
        "1 repeated lines left out, the first of each kept: a on t1",
        "a has no summary of 1 of 2 topics: t2",
    )
