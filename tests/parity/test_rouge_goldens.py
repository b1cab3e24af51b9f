"""ROUGE on the stored cases: values of ROUGE-1.5.5 and rouge-score, within the tolerance that is stored with them."""

import json

import pytest
from typer.testing import CliRunner

from keywright.experiments.scorers import ROUGE_FOLDER, compare_rouge155, compare_rouge_score, read_cases
from keywright.faces.cli.app import app

pytestmark = pytest.mark.data

IDS = ("en01", "en02", "en04", "en05", "en07", "en08", "en10", "ar01", "ar03", "ar05")


def test_all_cases_are_there(goldens):
    assert sorted(case["id"] for case in read_cases(goldens, ROUGE_FOLDER)) == sorted(IDS)


def _case(goldens, name):
    return next(case for case in read_cases(goldens, ROUGE_FOLDER) if case["id"] == name)


@pytest.mark.parametrize("name", IDS)
def test_rouge155_is_equal(goldens, name):
    assert compare_rouge155(_case(goldens, name)) == []


@pytest.mark.parametrize("name", IDS)
def test_rouge_score_is_equal(goldens, name):
    assert compare_rouge_score(_case(goldens, name)) == []


@pytest.mark.parametrize("name", IDS)
def test_a_changed_value_is_noticed(goldens, name):
    text = json.dumps(_case(goldens, name))
    changed = json.loads(text.replace('"recall": 0.', '"recall": 0.9').replace('"recall": 1.', '"recall": 0.'))
    assert compare_rouge155(changed)
    assert compare_rouge_score(changed)


MEASURES = ("1", "2", "3", "4", "L", "S4", "SU4")


def _printed(case, folder, specifications):
    """Return P, R and F by specification, as the command prints them."""
    pair = {"id": case["id"], "system": "peer", "summary": case["peer"], "references": case["references"]}
    (folder / "pairs.jsonl").write_text(json.dumps(pair))
    options = [option for specification in specifications for option in ("--evaluator", specification)]
    result = CliRunner().invoke(app, ["summaries", "score", str(folder / "pairs.jsonl"), *options, "--json"])
    assert result.exit_code == 0, result.output
    return {row["evaluator"]: [row["values"][name] for name in "PRF"] for row in json.loads(result.stdout)}


def _stored(values, measure):
    return [values[f"rouge{measure}"][name] for name in ("precision", "recall", "f")]


@pytest.mark.parametrize("name", IDS)
def test_the_command_prints_the_values_of_rouge155(goldens, tmp_path, name):
    case = _case(goldens, name)
    keys = {"average": "average", "best": "best", "jackknife_of_best": "jackknife"}
    if "stop_words_here" in case:
        (tmp_path / "stop").write_text("\n".join(case["stop_words_here"]))
        (tmp_path / "stems").write_text("\n".join(map(" ".join, case["stem_exceptions_here"].items())))
        keys |= {
            "average_stem": f"average,stem=yes,exceptions={tmp_path / 'stems'}",
            "average_stop": f"average,stop={tmp_path / 'stop'}",
            "average_stem_stop": f"average,stem=yes,exceptions={tmp_path / 'stems'},stop={tmp_path / 'stop'}",
        }
    expected = {
        f"rouge155:measure={measure},references={options}": _stored(case["rouge155"][key], measure)
        for key, options in keys.items()
        for measure in MEASURES
    }
    printed = _printed(case, tmp_path, expected)
    assert {text: pytest.approx(values, rel=0, abs=2e-5) for text, values in printed.items()} == expected


@pytest.mark.parametrize("name", IDS)
def test_the_command_prints_the_values_of_rouge_score(goldens, tmp_path, name):
    case = _case(goldens, name)
    expected = {
        f"rouge:measure={measure},stem={'yes' if stemming == 'stem' else 'no'}": _stored(parts["multi_best_f"], measure)
        for stemming, parts in case["rouge_score"].items()
        for measure in ("1", "2", "L", "Lsum")
    }
    printed = _printed(case, tmp_path, expected)
    assert {text: pytest.approx(values, rel=0, abs=1e-9) for text, values in printed.items()} == expected
