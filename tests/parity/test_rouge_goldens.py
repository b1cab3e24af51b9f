"""ROUGE on the stored cases: values of ROUGE-1.5.5 and rouge-score, within the tolerance that is stored with them."""

import json

import pytest

from keywright.experiments.rouge_goldens import rouge155_deviations, rouge_cases, rouge_score_deviations

pytestmark = pytest.mark.data

IDS = ("en01", "en02", "en04", "en05", "en07", "en08", "en10", "ar01", "ar03", "ar05")


def test_all_cases_are_there(goldens):
    assert sorted(case["id"] for case in rouge_cases(goldens)) == sorted(IDS)


def _case(goldens, name):
    return next(case for case in rouge_cases(goldens) if case["id"] == name)


@pytest.mark.parametrize("name", IDS)
def test_rouge155_is_equal(goldens, name):
    assert rouge155_deviations(_case(goldens, name)) == []


@pytest.mark.parametrize("name", IDS)
def test_rouge_score_is_equal(goldens, name):
    assert rouge_score_deviations(_case(goldens, name)) == []


@pytest.mark.parametrize("name", IDS)
def test_a_changed_value_is_noticed(goldens, name):
    text = json.dumps(_case(goldens, name))
    changed = json.loads(text.replace('"recall": 0.', '"recall": 0.9').replace('"recall": 1.', '"recall": 0.'))
    assert rouge155_deviations(changed)
    assert rouge_score_deviations(changed)
