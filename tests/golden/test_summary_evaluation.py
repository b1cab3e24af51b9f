"""The experiments with evaluators of summaries: stored numbers within their bounds, and a part computed again."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.house.tree import ROOT

from keywright.catalogue import system_class
from keywright.core.choices import Coefficient, Level
from keywright.experiments.summary_collections import HUMAN, make_versions, read_judged, read_multiling2011
from keywright.experiments.summary_tables import (
    KPEVAL_EVALUATORS,
    PUBLISHED,
    evaluate_pairs,
    make_evaluators,
    make_lemma_extractor,
)
from keywright.summaries.agreement.coefficients import Statistic
from keywright.summaries.agreement.correlation import correlate
from keywright.text.stems import stemmer


@cache
def stored(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text("utf-8"))[
        "rows"
    ]
    return rows


def ours(name: str, **keys: str) -> float:
    (row,) = [row for row in stored(name) if all(row.get(key) == value for key, value in keys.items())]
    return float(row["ours"])


@pytest.mark.parametrize(
    ("dataset", "level", "bound"),
    [("realsumm", "system", 0.70), ("realsumm", "summary", 0.35), ("rose", "system", 0.45), ("rose", "summary", 0.38)],
)
@pytest.mark.parametrize("half", ["first-half", "second-half"])
def test_kpeval_agrees_with_people_as_well_as_its_prototype(dataset: str, level: str, bound: float, half: str) -> None:
    measure = f"kendall@{level}"
    assert ours("summary-evaluators", system="kpeval", measure=measure, dataset=f"{dataset}/{half}") >= bound


@pytest.mark.parametrize("dataset", ["multiling2011", "easc"])
def test_kpeval_correlates_with_every_evaluator(dataset: str) -> None:
    rows = [row for row in stored("kpeval") if " with " in row["measure"] and row["dataset"] == dataset]
    assert {row["measure"].split()[-1] for row in rows} == {
        name for name in KPEVAL_EVALUATORS if not name.startswith("kpeval")
    }
    assert all(row["ours"] > 0 and row["interval"] for row in rows)


def test_published_numbers_are_beside_ours() -> None:
    printed = {
        tuple(reversed(row["measure"].split(" with "))): row["published"]
        for row in stored("kpeval")
        if row["published"]
    }
    assert printed == PUBLISHED == {("memog", "pearson"): 0.8840, ("memog", "spearman"): 0.9667}


@pytest.mark.data
def test_evaluators_tell_good_summaries_from_bad_ones(mirror) -> None:
    topics = read_multiling2011(mirror)[:4]
    untrained = make_lemma_extractor(system_class("lbake")())  # to save time
    chosen = make_evaluators(KPEVAL_EVALUATORS, {"": untrained})
    table = evaluate_pairs(make_versions(topics, "ar", chosen["kpeval"], stemmer("ar")), chosen)  # type: ignore[arg-type]

    def scores(evaluator: str, version: str) -> np.ndarray:
        return table.columns[evaluator][table.systems.index(version)]

    people = {name: scores(name, "person") for name in chosen}
    assert len(people["kpeval"]) == 12
    for name in set(chosen) - {"length"}:
        assert (people[name] > scores(name, "other-topic")).all(), name
    assert (scores("rouge-1", "shuffled-words") == people["rouge-1"]).all()
    for graph in ("autosummeng", "memog"):
        assert (scores(graph, "shuffled-words") < people[graph]).all()
    assert (people["kpeval"] > people["kpeval-surface"]).all()


@pytest.mark.data
def test_rouge_agrees_with_people_as_stored(mirror) -> None:
    pairs = read_judged("realsumm", mirror)[0]
    table = evaluate_pairs(pairs, make_evaluators({"rouge-1": "rouge155:measure=1"}, {}))
    (row,) = correlate(
        table, [("rouge-1", f"human:{HUMAN['realsumm']}")], [Statistic(Level.SUMMARY, Coefficient.KENDALL)]
    )
    keys = {"system": "rouge-1", "measure": "kendall@summary", "dataset": "realsumm/first-half"}
    assert row.value == pytest.approx(ours("summary-evaluators", **keys), abs=1e-9)
