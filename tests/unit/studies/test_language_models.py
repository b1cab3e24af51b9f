"""Stored answers of language models: read as answers of a server, scored, and the stored table."""

import json
import math

import pytest
from tests.docs.snippets import ROOT

from keywright.core.errors import MissingData, UnknownName
from keywright.core.zstandard import zstd
from keywright.experiments.kpg_predictions import COLLECTIONS
from keywright.experiments.study import Row
from studies.language_models import study

STORED = [
    Row.of(record)
    for record in json.loads((ROOT / "benchmarks" / "results" / "language-models.json").read_text("utf-8"))["rows"]
]
SYSTEMS = {"default", *study.MODELS, *(f"default+{name}{end}" for name in study.MODELS for end in ("", ", labels"))}


@pytest.fixture
def folder(tmp_path):
    """Return a mirror with the answer of one model to one document."""
    record = {
        "doc_id": "d1",
        "model_source": "Lake ice melts in spring. The lake ice is thin.",
        "model_gold": ["lake ice", "climate"],
        "raw_tokens": ["Lake", " ice", ",", " cli", "mate", "]", "<|end|>"],
        "raw_probs": [0.5, 0.8, 0.9, 0.25, 1.0, 0.9, 1.0],
    }
    place = tmp_path / study.FOLDER
    place.mkdir()
    with zstd.open(place / "phi3_semeval.jsonl.zst", "wt", encoding="utf-8") as lines:
        lines.write(json.dumps(record) + "\n")
    return tmp_path


def test_an_answer_is_read_with_the_probabilities_of_its_tokens(folder):
    labelled, llm = study.read_answers("phi3", "semeval2010", folder)
    (prediction,) = study.run_system(llm, labelled).predictions
    ice, climate = prediction.keyphrases
    assert (ice.text.casefold(), len(ice.spans)) == ("lake ice", 2)
    assert (climate.text, climate.spans) == ("climate", ())
    assert ice.generation.log_probabilities == pytest.approx((math.log(0.5), math.log(0.8)))
    assert climate.generation.log_probabilities == pytest.approx((math.log(0.25), 0.0))


def test_missing_answers_and_other_models_are_told(tmp_path):
    with pytest.raises(MissingData, match="phi3"):
        study.read_answers("phi3", "inspec", tmp_path)
    with pytest.raises(UnknownName, match="gpt"):
        study.compute_rows(["gpt"])


def test_the_stored_table_has_every_system_measure_and_interval():
    scores = {(row.dataset, row.system, row.measure, row.phrase_class) for row in STORED if row.phrase_class}
    assert scores == {
        (collection, system, f"F@{cutoff}", part)
        for collection in COLLECTIONS
        for system in SYSTEMS
        for cutoff in study.CUTOFFS
        for part in ("present", "absent")
    }
    calibrated = {(row.dataset, row.system) for row in STORED if row.measure == "ECE after 10"}
    assert calibrated == {(collection, name) for collection in COLLECTIONS for name in SYSTEMS if "labels" not in name}
    for row in STORED:
        low, high = row.interval
        assert low <= row.ours <= high


@pytest.mark.data
def test_the_stored_scores_are_what_the_code_gives(mirror):
    labelled, llm = study.read_answers("llama3", "semeval2010", mirror)
    rows = study.score("llama3", "semeval2010", study.run_system(llm, labelled), labelled)
    stored = [row for row in STORED if (row.dataset, row.system) == ("semeval2010", "llama3") and row.phrase_class]
    assert [row.ours for row in rows] == [row.ours for row in stored]
