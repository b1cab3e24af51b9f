"""Predictions of generators with token probabilities: what is read and refused, and that scores are as measured."""

import json
import math

import pytest

from keywright.core.errors import BadRecord
from keywright.evaluation.protocols.kpg import KPG, KPG_STEMMED_GOLD
from keywright.evaluation.run_formats.pairing import pair_with_gold
from keywright.evaluation.run_formats.reading import read_outputs, read_run_file

WEB = {
    "phrase": "web services",
    "tokens": [" web", " serv", "ices"],
    "probs": [0.5, 0.25, 1.0],
    "rank": 1,
    "end_prob": 0.5,
    "start_prob": None,
}
GRID = {"phrase": "grid", "tokens": ["▁grid"], "probs": [0.75], "rank": 2, "start_prob": 0.125}
LINE = {
    "doc_id": "d",
    "dataset": "inspec",
    "model": "toy",
    "seed": 2,
    "source": "web services . <eos> a grid .",
    "gold": ["grid"],
    "phrases": [WEB, GRID],
}


def read(tmp_path, lines, form=None):
    path = tmp_path / "RUN"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read_run_file(path, form)


def test_tokens_and_their_logarithms_are_kept(tmp_path):
    found = read(tmp_path, [LINE])
    (prediction,) = found.predictions.predictions
    web, grid = prediction.keyphrases
    assert (prediction.document_id, prediction.texts) == ("d", ("web services", "grid"))
    assert web.generation.tokens == (" web", " serv", "ices")
    assert web.generation.log_probabilities == (math.log(0.5), math.log(0.25), 0.0)
    assert (web.generation.end, web.generation.start, web.generation.words) == (math.log(0.5), None, 2)
    assert (grid.generation.end, grid.generation.start, grid.generation.slot) == (None, math.log(0.125), None)
    assert (web.score, grid.score, web.probability) == (-1.0, -2.0, None)
    assert found.predictions.system.startswith("toy|seed:2|sha256:")


def test_texts_and_gold_come_along_as_they_are(tmp_path):
    (labelled,) = read(tmp_path, [LINE]).labelled
    assert labelled.document.text == "web services .\na grid ."
    assert [labelled.document.text[one.start : one.end] for one in labelled.document.sections] == [
        "web services .",
        "a grid .",
    ]
    assert [one.forms for one in labelled.gold] == [("grid",)]


def test_what_the_model_was_given_is_read_on_request(tmp_path):
    line = LINE | {"model_source": "webservices <eot> a grid", "model_gold": ["a", "b"]}
    (labelled,) = read(tmp_path, [line], form="generations-own").labelled
    assert [labelled.document.text[one.start : one.end] for one in labelled.document.sections] == [
        "webservices",
        "a grid",
    ]
    assert [one.forms for one in labelled.gold] == [("a",), ("b",)]
    (labelled,) = read(tmp_path, [LINE | {"model_source": "w"}], form="generations-own").labelled
    assert [one.forms for one in labelled.gold] == [("grid",)]
    with pytest.raises(BadRecord, match="line 1 of RUN: 'model_source' is missing"):
        read(tmp_path, [LINE], form="generations-own")


def test_slots_are_ordered_by_mean_token_probability(tmp_path):
    phrases = [
        {"phrase": "a b", "tokens": ["a", "b"], "probs": [0.9, 0.1], "rank": 1, "slot": 0},
        {"phrase": "c", "tokens": ["c"], "probs": [0.5], "rank": 2, "slot": 3},
        {"phrase": "d", "tokens": ["d"], "probs": [0.6], "rank": 3, "slot": 12},
    ]
    (prediction,) = read(tmp_path, [LINE | {"phrases": phrases}]).predictions.predictions
    assert prediction.texts == ("d", "a b", "c")
    assert [one.generation.slot for one in prediction.keyphrases] == [12, 0, 3]


def test_a_phrase_may_have_its_perplexity_alone(tmp_path):
    phrase = {"phrase": "grid", "tokens": None, "probs": None, "kpp": 1.25, "rank": 1}
    (prediction,) = read(tmp_path, [LINE | {"phrases": [phrase]}]).predictions.predictions
    assert prediction.keyphrases[0].generation is None
    assert prediction.keyphrases[0].evidence == {"kpp": 1.25}


def test_notes_say_what_is_odd(tmp_path):
    found = read(tmp_path, [LINE | {"dataset": "semeval", "phrases": []}])
    assert found.stemmed
    assert found.notes == ("1 documents have no predictions",)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"probs": None}, "'grid' has tokens or probabilities, not both"),
        ({"probs": [1.5]}, "probability 1.5 in 'grid' is not between 0 and 1"),
        ({"probs": [-0.5]}, "probability -0.5"),
        ({"probs": [math.nan]}, "must be a finite number"),
        ({"probs": ["0.5"]}, "must be a finite number"),
        ({"probs": [0.5, 0.5]}, "1 tokens and 2 log-probabilities"),
        ({"tokens": ["▁grids"]}, "do not make up the phrase 'grid'"),
        ({"tokens": []}, "do not make up the phrase 'grid'"),
        ({"end_prob": 2}, "probability 2"),
        ({"slot": -1}, "slot must be a whole number"),
        ({"tokens": None, "probs": None}, "'kpp' is missing"),
        ({"tokens": None, "probs": None, "kpp": 0.5}, "perplexity 0.5 of 'grid' is below 1"),
        ({"phrase": 3}, "phrase must be text"),
    ],
)
def test_a_phrase_that_cannot_be_is_refused_with_its_line(tmp_path, changed, said):
    with pytest.raises(BadRecord, match="line 2 of RUN") as caught:
        read(tmp_path, [LINE, LINE | {"doc_id": "e", "phrases": [GRID | changed]}])
    assert said in str(caught.value)


def test_a_file_holds_one_model_and_each_document_once(tmp_path):
    with pytest.raises(BadRecord, match="several models"):
        read(tmp_path, [LINE, LINE | {"doc_id": "e", "seed": 3}])
    with pytest.raises(BadRecord, match="line 2 of RUN: document 'd' comes twice"):
        read(tmp_path, [LINE, LINE])


def test_whole_outputs_are_read_apart(tmp_path):
    read(tmp_path, [LINE | {"raw_tokens": ["grid", "<sep>"], "raw_probs": [0.5, 1.0]}])
    (output,) = read_outputs(tmp_path / "RUN").values()
    assert (output.tokens, output.probabilities) == (("grid", "<sep>"), (0.5, 1.0))
    read(tmp_path, [LINE])
    with pytest.raises(BadRecord, match="line 1 of RUN: 'raw_tokens' is missing"):
        read_outputs(tmp_path / "RUN")
    read(tmp_path, [LINE | {"raw_tokens": ["grid"], "raw_probs": []}])
    with pytest.raises(BadRecord, match="line 1 of RUN: 1 tokens and 0 probabilities"):
        read_outputs(tmp_path / "RUN")


# F1@M and F1@5 of present phrases (specs/neural-kpg.md 2.6): Inspec, Krapivin, SemEval.
PRESENT = {
    "exhird_h_seed1": (0.285, 0.249, 0.342, 0.277, 0.323, 0.277),
    "exhird_h_seed2": (0.289, 0.253, 0.326, 0.268, 0.341, 0.288),
    "one2seq": (0.331, 0.284, 0.368, 0.313, 0.330, 0.292),
    "one2set": (0.321, 0.283, 0.378, 0.339, 0.370, 0.348),
    "bart": (0.337, 0.286, 0.336, 0.279, 0.323, 0.286),
    "t5_seed1": (0.341, 0.289, 0.329, 0.271, 0.308, 0.277),
    "t5_seed2": (0.336, 0.289, 0.331, 0.293, 0.333, 0.303),
    "t5_large": (0.314, 0.270, 0.337, 0.290, 0.314, 0.296),
}
ABSENT = {
    "exhird_h_seed1": (0.023, 0.012, 0.052, 0.026, 0.020, 0.014),
    "one2seq": (0.019, 0.010, 0.053, 0.028, 0.025, 0.017),
    "one2set": (0.031, 0.020, 0.071, 0.044, 0.044, 0.033),
    "bart": (0.020, 0.012, 0.036, 0.021, 0.025, 0.018),
    "t5_seed1": (0.026, 0.014, 0.054, 0.029, 0.023, 0.016),
}


@pytest.mark.data
@pytest.mark.parametrize("model", PRESENT)
def test_f1_of_the_released_predictions(model, mirror):
    found = {"present": [], "absent": []}
    for data in ("inspec", "krapivin", "semeval"):
        path = mirror / "kpg_predictions" / f"{model}_{data}.jsonl.zst"
        judged = pair_with_gold(path, None, list, "generations-own" if model.startswith("exhird") else None)
        values = judged.report(KPG_STEMMED_GOLD if data == "semeval" else KPG).values
        for part, numbers in found.items():
            numbers += [values[f"{part}/F@{k}"] for k in ("M", 5)]
    assert found["present"] == pytest.approx(PRESENT[model], abs=0.002)
    if model in ABSENT:
        assert found["absent"] == pytest.approx(ABSENT[model], abs=0.002)
