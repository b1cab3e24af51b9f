"""The study of helps as it was measured last: the same documents for every help, and one published row each."""

import json

from tests.docs.snippets import ROOT

from studies.generators.study import HELPS, SEEDS, STUDY, lay_out_curves

STORED = STUDY.read(json.loads((ROOT / "benchmarks" / "results" / "generator-help.json").read_text("utf-8"))["rows"])


def test_helps_are_compared_at_equal_documents():
    for name in {row.system for row in STORED}:
        numbers = {}
        for row in STORED:
            if row.system == name:
                numbers.setdefault(row.help, []).append(row.documents)
                assert row.seeds == len(SEEDS)
                assert row.least <= row.value <= row.most
        assert set(numbers) == set(HELPS[name])
        assert len({tuple(documents) for documents in numbers.values()}) == 1


def test_only_helps_change_a_recipe():
    assert all(helps["as published"] == {} for helps in HELPS.values())
    assert len(list(lay_out_curves(STORED))) == 2
