"""Released predictions of five kinds of models: F1 as computed from them apart from this code, within .002."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from keywright.core.zstandard import zstd
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.normal_forms.phrases import blank_tokens
from keywright.evaluation.protocols.kpg import KPG_STRICT
from keywright.evaluation.scoring.scorer import score

pytestmark = pytest.mark.data

SETS = ("inspec", "krapivin", "semeval")
PRESENT = {  # F@M and F@5 on each collection
    "exhird_h_seed1": ((0.285, 0.249), (0.342, 0.277), (0.323, 0.277)),
    "exhird_h_seed2": ((0.289, 0.253), (0.326, 0.268), (0.341, 0.288)),
    "one2seq": ((0.331, 0.284), (0.368, 0.313), (0.330, 0.292)),
    "one2set": ((0.321, 0.283), (0.378, 0.339), (0.370, 0.348)),
    "bart": ((0.337, 0.286), (0.336, 0.279), (0.323, 0.286)),
    "t5_seed1": ((0.341, 0.289), (0.329, 0.271), (0.308, 0.277)),
    "t5_seed2": ((0.336, 0.289), (0.331, 0.293), (0.333, 0.303)),
    "t5_large": ((0.314, 0.270), (0.337, 0.290), (0.314, 0.296)),
}
ABSENT = {
    "exhird_h_seed1": ((0.023, 0.012), (0.052, 0.026), (0.020, 0.014)),
    "one2seq": ((0.019, 0.010), (0.053, 0.028), (0.025, 0.017)),
    "one2set": ((0.031, 0.020), (0.071, 0.044), (0.044, 0.033)),
    "bart": ((0.020, 0.012), (0.036, 0.021), (0.025, 0.018)),
    "t5_seed1": ((0.026, 0.014), (0.054, 0.029), (0.023, 0.016)),
}


def _records(path: Path) -> list[dict]:
    with path.open("rb") as file:
        text = io.TextIOWrapper(zstd.open(file), encoding="utf-8")
        return [json.loads(line) for line in text]


def _ranked(record: dict, model: str) -> list[str]:
    phrases = record["phrases"]
    if model == "one2set":  # its slots have no order: ranked by mean probability of their tokens
        phrases = sorted(phrases, key=lambda phrase: -sum(phrase["probs"]) / len(phrase["probs"]))
    return [phrase["phrase"] for phrase in phrases]


@pytest.mark.parametrize("collection", SETS)
@pytest.mark.parametrize("model", PRESENT)
def test_f1_of_released_predictions(mirror, model, collection):
    records = _records(mirror / "kpg_predictions" / f"{model}_{collection}.jsonl.zst")
    own = "model_" if model.startswith("exhird") else ""  # ExHiRD cuts text in its own way
    lists = {record["doc_id"]: _ranked(record, model) for record in records}
    gold = GoldSet(
        "author",
        tuple(
            GoldDocument(record["doc_id"], tuple((phrase,) for phrase in record[f"{own}gold"])) for record in records
        ),
    )
    texts = {record["doc_id"]: record[f"{own}source"].replace("<eos> ", "") for record in records}
    stemmed = replace(KPG_STRICT, normalise_gold=blank_tokens)  # SemEval's gold ships stemmed
    values = score(lists, (gold,), stemmed if collection == "semeval" else KPG_STRICT, texts).values
    place = SETS.index(collection)
    for part, table in (("present", PRESENT), ("absent", ABSENT)):
        for cutoff, expected in zip("M5", table.get(model, [()] * 3)[place], strict=False):
            assert values[f"{part}/F@{cutoff}"] == pytest.approx(expected, abs=0.002)
