"""N-gram graphs, case by case: every edge list and every value to 1e-9."""

import json
from pathlib import Path

import pytest

from keywright.experiments import scorers
from keywright.experiments.scorers import GRAPH_FOLDER, compare_graph_case, read_cases

pytestmark = pytest.mark.data

CASES = "t01 t02 t04 t05 t07 t09 g_en01 g_en03 g_en04 g_en05 g_en06 g_en08 g_en09 g_ar01 g_ar03 g_ar04".split()


def _case(goldens: Path, name: str) -> dict:
    return next(case for case in read_cases(goldens, GRAPH_FOLDER) if case["id"] == name)


def test_all_cases_are_there(goldens):
    assert set(CASES) <= {case["id"] for case in read_cases(goldens, GRAPH_FOLDER)}


@pytest.mark.parametrize("name", CASES)
def test_case_has_the_stored_values(goldens, name):
    assert compare_graph_case(_case(goldens, name)) == []


def test_a_value_that_differs_is_named(goldens):
    pair, summary = _case(goldens, "t02"), _case(goldens, "g_en08")
    pair["expected"]["directed"]["VS"] += 1e-6
    pair["graphs"]["symmetric"]["a"][0][2] += 1
    assert [line.split(":")[0] for line in compare_graph_case(pair)] == ["directed", "symmetric"]
    summary["expected"][2]["memog_as_coded"]["CS"] += 1e-6
    summary["expected"][3]["memog"]["edges"][0] += 1
    summary["expected"][4]["memog_nvs_jackknife"] += 1e-6
    summary["levels_3_4_5"]["undirected"]["cumulative"]["SS"] += 1e-6
    found = compare_graph_case(summary)
    parts = ("as coded", "edges", "jackknife True", "cumulative")
    assert all(part in line for part, line in zip(parts, found, strict=True))


def test_the_table_of_scorers_counts_them(goldens, tmp_path):
    (tmp_path / "semeval2010").mkdir()
    (tmp_path / GRAPH_FOLDER).mkdir()
    cases = [_case(goldens, "t01"), _case(goldens, "t02")]
    cases[1]["expected"]["directed"]["VS"] += 1e-6
    (tmp_path / GRAPH_FOLDER / "some.json").write_text(json.dumps({"cases": cases}))
    (row,) = (row for row in scorers.compute_parity(goldens=tmp_path) if row.protocol == "ngram-graph")
    assert (row.cases, row.equal) == (2, 1)
