"""Five generators together reach what a study of their predictions measured; the meta-ranker is cross-fitted."""

import pytest

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import LoadedRun
from keywright.evaluation.run_formats.reading import read_run_file
from keywright.experiments.kpg_predictions import FIVE, compute_combinations

# Present and absent F1@5 of the vote, present F1@5 of the cross-fitted meta-ranker.
MEASURED = {
    "inspec": (0.355, 0.050, 0.400),
    "krapivin": (0.360, 0.072, 0.373),
    "semeval": (0.362, 0.043, 0.365),
}


@pytest.mark.long
@pytest.mark.data
def test_the_vote_and_the_meta_ranker(mirror):
    folder = mirror / "kpg_predictions"
    given = {
        where: {model: read_run_file(folder / f"{model}_{where}.jsonl.zst") for model in FIVE} for where in MEASURED
    }
    found = {(row.system, row.dataset, row.category): row for row in compute_combinations(given)}
    assert len(found) == 3 * 4 * 2
    for where, (present, absent, ranked) in MEASURED.items():
        assert round(found["vote", where, "present"].ours, 3) >= present
        assert round(found["vote", where, "absent"].ours, 3) >= absent
        assert round(found["meta-ranker", where, "present"].ours, 3) >= ranked
    for row in found.values():
        low, high = row.interval
        assert low < row.ours < high
        assert (row.measure, row.published) == ("F@5", None)


def test_a_missing_model_is_told():
    with pytest.raises(BadRecord, match="no predictions of one2seq for inspec"):
        list(compute_combinations({"inspec": {FIVE[0]: LoadedRun("generations", None)}}))
