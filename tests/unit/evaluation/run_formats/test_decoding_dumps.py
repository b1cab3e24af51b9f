"""Outputs of the five generators: each cut by hand, and as the released predictions were cut by others."""

import json

import pytest

from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.core.records import run_lines
from keywright.evaluation.run_formats.files import iterate_records
from keywright.evaluation.run_formats.format import Source
from keywright.evaluation.run_formats.generations import split_numbers, split_output, split_slots
from keywright.evaluation.run_formats.reading import read_run_file
from keywright.reading.limits import Limits, unpack


def told(pieces):
    return [(one.phrase, list(one.probs), one.start_prob, one.end_prob) for one in pieces]


def test_exhird_has_marks_around_its_phrases():
    tokens = ["<p_start>", "grid", "service", ";", ";", "<a_start>", "web", ";", "</s>", "left"]
    found = split_output(tokens, [0.9, 0.5, 0.4, 0.8, 0.7, 0.6, 0.3, 0.2, 1.0, 0.1], ";", "</s>")
    assert told(found) == [
        ("grid service", [0.5, 0.4], 0.9, 0.8),
        ("", [], None, 0.7),
        ("web", [0.3], 0.6, 0.2),
        ("", [], None, 1.0),
    ]


def test_an_output_may_be_cut_off():
    assert told(split_output(["a", "<sep>", "b", "c"], [0.5, 0.9, 0.4, 0.3], "<sep>", "<eos>")) == [
        ("a", [0.5], None, 0.9),
        ("b c", [0.4, 0.3], None, None),
    ]


def test_pieces_bring_their_blanks():
    tokens = ["u", "dd", "i", " ;", " grid", " serv", "ice", "</s>"]
    found = split_output(tokens, [0.5] * 3 + [0.9] + [0.25] * 3 + [0.8], ";", "</s>", pieces=True)
    assert told(found) == [("uddi", [0.5] * 3, None, 0.9), ("grid service", [0.25] * 3, None, 0.8)]


def test_slots_of_six():
    tokens = ["a", "<eos>", *["x"] * 4, "<null>", *["<eos>"] * 5, *"bcdefg"]
    found = split_slots(tokens, [0.5, 0.75, *[0.1] * 4, 0.9, *[0.1] * 5, *[0.25] * 6])
    assert [(*one, piece.slot) for one, piece in zip(told(found), found, strict=True)] == [
        ("a", [0.5], None, 0.75, 0),
        ("", [], None, None, 1),
        ("b c d e f g", [0.25] * 6, None, None, 2),
    ]


def test_numbers_have_their_texts_beside_them():
    tokens = [0, 8634, 10937, 32100, 3, 9, 1, 0, 0]
    found = split_numbers(tokens, [0.0, 0.5, 0.4, 0.9, 0.3, 0.2, 0.8, 0.1, 0.1], "grid computing <sep> a")
    assert told(found) == [("grid computing", [0.5, 0.4], None, 0.9), ("a", [0.3, 0.2], None, 0.8)]
    with pytest.raises(ValueError, match="2 phrases in the tokens and 1 in 'grid'"):
        split_numbers(tokens, [0.5] * 9, "grid")


def test_a_run_of_our_own_may_hold_all_the_words(tmp_path):
    """Words of a phrase and numbers of a score look like the columns and marks of T5."""
    lists = (
        Prediction("a", (Keyphrase("token_predictions and probabilities", 0.32100),)),
        Prediction("b", (Keyphrase("32100", 1.0, 0.5, evidence={"probabilities": 0.5, "token_predictions": 1.0}),)),
    )
    path = tmp_path / "run.jsonl"
    path.write_text("".join(run_lines(Run("sgrank|v0", "", "", lists))))
    assert read_run_file(path).form == "keywright"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"scores": [[0.5]], "predictions": [["<sep>", "x"]]}, "document 1 of RUN: 2 tokens and 1 probabilities"),
        ({"scores": [[1.5]], "predictions": [["x"]]}, "document 1 of RUN: probability 1.5"),
        ({"scores": [], "predictions": [["x"]]}, "document 1 of RUN: list index out of range"),
        ({"scores": [["0.5"]], "predictions": [["x"]]}, "must be a finite number"),
        ({"scores": [[0.5]]}, "RUN is not an output of one2seq: 'predictions' is missing"),
        ([], "RUN is not an output of one2seq: expected an object"),
    ],
)
def test_what_is_broken_is_told(content, said, tmp_path):
    path = tmp_path / "RUN"
    path.write_text(json.dumps(content))
    with pytest.raises(BadRecord) as caught:
        read_run_file(path, "one2seq")
    assert said in str(caught.value)


def test_slots_that_are_not_full_are_told(tmp_path):
    path = tmp_path / "RUN"
    path.write_text(json.dumps({"scores": [[0.5] * 7], "predictions": [["<null>"] * 7]}))
    with pytest.raises(BadRecord, match="document 1 of RUN: 7 tokens and 7 probabilities do not fill slots of 6"):
        read_run_file(path)


def words(given):
    return {
        "scores": [one["raw_probs"] for one in given],
        "predictions": [one["raw_tokens"] for one in given],
        "entropies": [],
    }


def pieces(given):
    return {
        "kp_predictions": [],
        "probabilities": [one["raw_probs"] for one in given],
        "token_predictions": [one["raw_tokens"] for one in given],
    }


def numbered(given):
    """Pieces of T5 as numbers, which are made up here except for marks."""
    marks = {"<pad>": 0, "</s>": 1, "<sep>": 32100}
    tokens = [[marks.get(token, 2 + at) for at, token in enumerate(one["raw_tokens"])] for one in given]
    outputs = []
    for one in given:
        letters = "".join(token for token in one["raw_tokens"] if token not in {"<pad>", "</s>"})
        for mark in ("<sep>", "<digit>"):
            letters = letters.replace(mark, f" {mark} ")
        outputs.append([" ".join(letters.replace("▁", " ").split())])
    return {
        "predictions": outputs,
        "probabilities": [one["raw_probs"] for one in given],
        "token_predictions": [[row] for row in tokens],
    }


@pytest.mark.data
@pytest.mark.parametrize(
    ("form", "model", "written"),
    [
        ("exhird", "exhird_h_seed1", words),
        ("one2seq", "one2seq", words),
        ("one2set", "one2set", words),
        ("bart", "bart", pieces),
        ("t5", "t5_seed1", numbered),
    ],
)
@pytest.mark.parametrize("data", ["semeval", "krapivin"])
def test_the_released_outputs_are_cut_as_others_cut_them(form, model, written, data, mirror, tmp_path):
    released = mirror / "kpg_predictions" / f"{model}_{data}.jsonl.zst"
    given = [one for _, one in iterate_records(Source("", unpack(released.read_bytes(), "", Limits())), "")]
    path = tmp_path / "RUN"
    path.write_text(json.dumps(written(given)), "utf-8")
    found, expected = read_run_file(path), read_run_file(released)
    assert (found.form, found.numbered) == (form, True)
    for ours, theirs in zip(found.predictions.predictions, expected.predictions.predictions, strict=True):
        assert ours.texts == theirs.texts
        for one, other in zip(ours.keyphrases, theirs.keyphrases, strict=True):
            assert one.generation.log_probabilities == other.generation.log_probabilities
            assert (one.generation.end, one.generation.start, one.generation.slot, one.generation.words) == (
                other.generation.end,
                other.generation.start,
                other.generation.slot,
                other.generation.words,
            )
