"""Predictions and runs on disk: the keys of the interface, the way back, and every way a line can be wrong."""

import json

import pytest

from keywright.core.documents import Coverage, SectionKind
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Acronym, Generation, Grounds, Keyphrase, Place, Sentence
from keywright.core.predictions import Failure, Prediction, Run
from keywright.core.records import outcome_record, read_outcome, read_run, run_lines

PREDICTION = Prediction(
    document_id="a",
    keyphrases=(
        Keyphrase("grid computing", 3.5, 0.25, ((0, 14), (20, 34)), {"first": 1.0}),
        Keyphrase("Überblick", -1.0),
    ),
    chosen=1,
    coverage=Coverage(40, 50),
    warnings=("page 3 is a picture",),
    language="en",
)
EXPLAINED = Prediction(
    "c",
    (
        Keyphrase(
            "SVM",
            1.0,
            spans=((4, 7),),
            evidence={"first": 1.0},
            grounds=Grounds({"where": ("first",)}, (Place(SectionKind.TITLE, 2, 1),), Sentence("The SVM.", 0, 8)),
            acronym=Acronym("SVM", "support vector machine"),
        ),
        Keyphrase("absent", 0.5, grounds=Grounds()),
    ),
    author_keywords=("kernel methods",),
    meta={"title": "Kernels", "authors": ["Reis, Ana"], "year": 2011},
)
GENERATED = Prediction(
    "d",
    (
        Keyphrase("web", -1.0, generation=Generation((" w", "eb"), (-0.5, -0.25), end=-0.125, words=1)),
        Keyphrase("grid", -2.0, generation=Generation(("grid",), (0.0,), start=-0.5, slot=0)),
    ),
)
FAILURE = Failure("b", "broken_file", "the file ends early", "write it again")
RUN = Run("toy|v1", "some/test", "split|v1", (PREDICTION,), (FAILURE,), 1.5, {"python": "3.11"})
HEADER = '{"system": "s", "data": "", "analyser": "", "environment": {}}'


def test_a_prediction_has_the_keys_of_the_interface():
    assert PREDICTION.to_dict("toy|v1") == {
        "id": "a",
        "language": "en",
        "system": "toy|v1",
        "keyphrases": [
            {
                "text": "grid computing",
                "score": 3.5,
                "probability": 0.25,
                "present": True,
                "spans": [[0, 14], [20, 34]],
                "evidence": {"first": 1.0},
            },
            {"text": "Überblick", "score": -1.0, "probability": None, "present": False, "spans": []},
        ],
        "coverage": {"read": 40, "given": 50},
        "warnings": ["page 3 is a picture"],
        "chosen": 1,
    }


def test_evidence_for_people_has_keys_of_its_own():
    record = EXPLAINED.to_dict("toy|v1")
    assert record["author_keywords"] == ["kernel methods"]
    assert record["meta"] == {"title": "Kernels", "authors": ["Reis, Ana"], "year": 2011}
    first, second = record["keyphrases"]
    assert first["reasons"] == {"where": ["first"]}
    assert first["places"] == [{"section": "title", "page": 2, "mentions": 1}]
    assert first["sentence"] == {"text": "The SVM.", "span": [0, 8]}
    assert first["acronym"] == {"short": "SVM", "long": "support vector machine"}
    assert (second["reasons"], second["places"], second["sentence"]) == ({}, [], None)
    assert "acronym" not in second


def test_a_failure_says_code_message_and_hint():
    assert outcome_record(FAILURE, "toy|v1") == {
        "id": "b",
        "error": {"code": "broken_file", "message": "the file ends early", "hint": "write it again"},
    }


@pytest.mark.parametrize("outcome", [PREDICTION, EXPLAINED, GENERATED, FAILURE, Prediction("empty", ())])
def test_records_go_there_and_back(outcome):
    assert read_outcome(json.loads(json.dumps(outcome_record(outcome, "toy|v1")))) == outcome


def test_a_generation_stands_in_the_record_with_what_is_known_of_it():
    pieces, slot = (one["generation"] for one in GENERATED.to_dict("toy|v1")["keyphrases"])
    assert pieces == {"tokens": [" w", "eb"], "log_probabilities": [-0.5, -0.25], "words": 1, "end": -0.125}
    assert slot == {"tokens": ["grid"], "log_probabilities": [0.0], "words": 1, "start": -0.5, "slot": 0}


GENERATION = HEADER, '{"id": "a", "keyphrases": [{"text": "x", "score": 1, "generation": %s}]}'


@pytest.mark.parametrize(
    ("generation", "said"),
    [
        ('{"tokens": ["x"], "log_probabilities": [0.1], "words": 1}', "log-probability 0.1 of 'x'"),
        ('{"tokens": ["x"], "log_probabilities": [NaN], "words": 1}', "must be a finite number"),
        ('{"tokens": ["x"], "log_probabilities": [-1, -2], "words": 1}', "1 tokens and 2 log-probabilities"),
        ('{"tokens": [], "log_probabilities": [], "words": 1}', "0 tokens"),
        ('{"tokens": ["x"], "log_probabilities": [-1], "words": 0}', "0 words"),
        ('{"tokens": ["x"], "log_probabilities": [-1], "words": 1, "end": 2}', "log-probability 2"),
        ('{"tokens": ["x"], "log_probabilities": [-1]}', "'words' is missing"),
        ("[1]", "expected an object"),
    ],
)
def test_a_bad_generation_is_named(generation, said):
    header, line = GENERATION
    with pytest.raises(BadRecord, match="line 2 of run") as caught:
        read_run([header, line % generation], "run")
    assert said in str(caught.value)


def test_a_run_goes_to_disk_and_back():
    lines = list(run_lines(RUN))
    assert [list(json.loads(line))[:4] for line in lines[:1]] == [["system", "data", "analyser", "environment"]]
    assert len(lines) == 3
    assert read_run(lines, "run") == RUN


def test_the_signature_is_in_the_header_alone():
    lines = list(run_lines(RUN))
    assert json.loads(lines[0])["system"] == "toy|v1"
    # The first 8 digits of `printf 'toy|v1' | sha256sum`.
    assert json.loads(lines[1])["system"] == "toy#7095d84f"


def test_what_extract_wrote_is_a_run_without_header():
    first = json.dumps(outcome_record(FAILURE, ""))
    second = json.dumps(PREDICTION.to_dict("toy#0") | {"signature": "toy|v1"})
    run = read_run([first, second], "run")
    assert (run.system, run.data, run.predictions, run.failures) == ("toy|v1", "", (PREDICTION,), (FAILURE,))
    before = json.dumps(PREDICTION.to_dict("toy|v1"))  # as before, with the signature in each record
    assert read_run([before], "run").system == "toy|v1"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "run is empty"),
        (["{"], "line 1 of run: not valid JSON"),
        (["[]"], "line 1 of run: expected an object"),
        (['{"system": "s"}'], "line 1 of run: 'data' is missing"),
        ([HEADER, "", '{"id": 3}'], "line 3 of run: id must be text"),
        ([HEADER, '{"id": "a"}'], "line 2 of run: 'keyphrases' is missing"),
        ([HEADER, '{"id": "a", "keyphrases": [{"text": "x"}]}'], "'score' is missing"),
        ([HEADER, '{"id": "a", "keyphrases": [{"text": "x", "score": NaN}]}'], "score must be a finite number"),
        ([HEADER, '{"id": "a", "keyphrases": [{"text": "x", "score": 1, "probability": 1.5}]}'], "not between 0 and 1"),
        (
            [HEADER, '{"id": "a", "keyphrases": [{"text": "x", "score": 1, "spans": [[3, 1]]}]}'],
            "ends before it starts",
        ),
        ([HEADER, '{"id": "a", "keyphrases": [{"text": "x", "score": 1, "spans": [[3]]}]}'], "line 2 of run"),
        ([HEADER, '{"id": "a", "error": {"code": "x"}}'], "'message' is missing"),
        ([HEADER, *['{"id": "a", "keyphrases": []}'] * 2], "line 3 of run: document 'a' comes twice"),
        ([HEADER, "[" * 100_000], "nested too deeply"),
        ([HEADER, '{"id": "a", "keyphrases": [{"text": "x", "score": 1' + "0" * 400 + "}]}"], "line 2 of run"),
    ],
)
def test_a_bad_line_is_named(lines, said):
    with pytest.raises(BadRecord) as caught:
        read_run(lines, "run")
    assert said in str(caught.value)
