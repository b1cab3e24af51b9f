"""Lists as language models write them, read by one parser."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.reading.model_lists import MOST_PHRASES, has_marks, parse_model_list

WAYS = {
    "a list": '["tide gauge", "sea level"]',
    "an object": '{"keyphrases": ["tide gauge", "sea level"]}',
    "objects with scores": '[{"phrase": "tide gauge", "score": 0.9}, {"phrase": "sea level", "score": 0.4}]',
    "pairs": '[["tide gauge", 0.9], ["sea level", 0.4]]',
    "scores by phrase": '{"tide gauge": 0.9, "sea level": 0.4}',
    "numbers as keys": '{"1": "tide gauge", "2": "sea level"}',
    "two lists": '{"present": ["tide gauge"], "absent": ["sea level"]}',
    "a fence": 'Certainly!\n```json\n["tide gauge", "sea level"]\n```\nI hope this helps.',
    "a fence that is cut": '```json\n["tide gauge", "sea level"',
    "thoughts": '<think>Perhaps ["beach"]?</think>["tide gauge", "sea level"]',
    "prose around": 'As asked [in JSON]: ["tide gauge", "sea level"]. Anything else?',
    "a comma too many": '["tide gauge", "sea level",]',
    "dots": '["tide gauge", "sea level", ...]',
    "reasons, cut": '{"keyphrases": [{"phrase": "tide gauge", "reason": "a \\"gauge\\""}, {"phrase": "sea level", "rea',
    "a number without zero": '{"keyphrases": [{"phrase": "tide gauge", "score": .3}, {"phrase": "sea level"}]}',
    "bullets": "Here are the keyphrases:\n\n- tide gauge\n- sea level\n",
    "numbers": "Keyphrases for the text:\n1. **tide gauge**: measures the sea\n2) sea level - what it measures",
    "references": "[1] tide gauge\n[2] sea level",
    "scores in brackets": "* tide gauge (0.93)\n* sea level (score: 0.41)",
    "commas": "Keywords: tide gauge, sea level.",
    "semicolons": "tide gauge; sea level",
    "lines": "tide gauge\nsea level",
    "a table": "| rank | phrase | score |\n|---|---|---|\n| 1 | tide gauge | .9 |\n| 2 | sea level | .4 |",
    "a list without its beginning, and a leaked token": "tide gauge, sea level]<|end|>",
    "quotes": "“tide gauge”, “sea level”",
    "letters": "a) tide gauge\nb) sea level",
    "numbers in a line": "1) tide gauge 2) sea level",
    "an object on each line": '{"phrase": "tide gauge"}\n{"phrase": "sea level"}',
    "a list of Python": "['tide gauge', 'sea level']",
    "a heading without colon": "KEYPHRASES\ntide gauge\nsea level",
    "bullets below bullets": "- tide gauge\n  - measures the sea\n- sea level",
    "bullets with heads": "- **Present**: tide gauge\n- **Absent**: sea level",
    "bullets below headings": "- Present:\n  - tide gauge\n- Absent:\n  - sea level",
    "a conjunction": "tide gauge, and sea level",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_list_is_read_however_it_is_written(way):
    assert parse_model_list(WAYS[way]).phrases == ("tide gauge", "sea level")


@pytest.mark.parametrize(
    "answer",
    ["", "[]", '{"keyphrases": []}', "None", "I'm sorry, I can't help.", "[" * 50_000, '{"a":' * 20_000],
)
def test_answers_without_a_list_have_no_phrases(answer):
    assert parse_model_list(answer).phrases == ()


def test_items_that_are_no_phrases_are_counted():
    sentence = "this is a whole sentence with far more words than any keyphrase of any collection has"
    answer = parse_model_list(json.dumps(["tide gauge", sentence, "<b>bold</b>", "???"]))
    assert (answer.phrases, answer.dropped) == (("tide gauge",), 3)


def test_an_answer_that_repeats_without_end_is_cut_and_counted():
    answer = parse_model_list(json.dumps(["tide gauge"] * (MOST_PHRASES + 7)))
    assert (len(answer.phrases), answer.dropped) == (MOST_PHRASES, 7)


def test_quoted_phrases_may_contain_commas():
    assert parse_model_list('"gauge, tidal", "sea level"').phrases == ("gauge, tidal", "sea level")


def test_marks_tell_an_answer_from_a_list_of_any_file():
    plain = {"semicolons", "lines", "quotes", "a conjunction", "a list without its beginning, and a leaked token"}
    assert {way for way in WAYS if not has_marks(WAYS[way])} == plain
    assert not any(map(has_marks, ("C-1 grid", "2 tiles", "", "x-ray")))


def test_other_scripts_have_their_own_commas():
    assert parse_model_list("海面、潮位，検潮所").phrases == ("海面", "潮位", "検潮所")


@given(st.lists(st.from_regex(r"[a-z]{1,9}( [a-z]{1,9}){0,3}", fullmatch=True), max_size=20))
def test_json_gives_back_what_went_in(phrases):
    assert parse_model_list(json.dumps({"keyphrases": phrases})).phrases == tuple(phrases)


@given(st.text(max_size=300))
def test_no_text_breaks_the_parser(text):
    for phrase in parse_model_list(text).phrases:
        assert any(map(str.isalnum, phrase))
