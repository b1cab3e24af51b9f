"""Predictions, runs and documents as records: the keys of the interface, the way back, all that can be wrong."""

import json
from dataclasses import replace

import pytest

from keywright.core.documents import Coverage, Document, Section, SectionKind, cover_sections
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Acronym, Concept, Generation, Grounds, Keyphrase, Place, Sentence
from keywright.core.predictions import Failure, Prediction, Run
from keywright.core.records import FinishedRecord, labelled_record, outcome_record, read_outcome, read_run, run_lines
from keywright.reading.formats.jsonl import read_labelled
from keywright.reading.limits import Limits
from keywright.reading.record_lines import JsonLine
from keywright.running.extraction import AsRecord
from keywright.running.file_extraction import DistinctIds

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
            grounds=Grounds({"where": ("first",)}, (Place(SectionKind.TITLE, 2, 1),), Sentence("The SVM.", (0, 8))),
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
    error = {"code": "broken_file", "message": "the file ends early", "hint": "write it again"}
    assert outcome_record(FAILURE, "toy|v1") == {"id": "b", "error": error}
    known = replace(FAILURE, meta={"doi": "10.1/y"})
    assert read_outcome(known.to_dict()) == known


@pytest.mark.parametrize("outcome", [PREDICTION, EXPLAINED, GENERATED, FAILURE, Prediction("empty", ())])
def test_records_go_there_and_back(outcome):
    assert read_outcome(json.loads(json.dumps(outcome_record(outcome, "toy|v1")))) == outcome


def test_a_generation_stands_in_the_record_with_what_is_known_of_it():
    pieces, slot = (one["generation"] for one in GENERATED.to_dict("toy|v1")["keyphrases"])
    assert pieces == {"tokens": [" w", "eb"], "log_probabilities": [-0.5, -0.25], "words": 1, "end": -0.125}
    assert slot == {"tokens": ["grid"], "log_probabilities": [0.0], "words": 1, "start": -0.5, "slot": 0}


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
    line = f'{{"id": "a", "keyphrases": [{{"text": "x", "score": 1, "generation": {generation}}}]}}'
    with pytest.raises(BadRecord, match="line 2 of run") as caught:
        read_run([HEADER, line], "run")
    assert said in str(caught.value)


def test_a_run_goes_to_disk_and_back_with_its_signature_in_the_header_alone():
    lines = list(run_lines(RUN))
    assert read_run(lines, "run") == RUN
    header, first, _ = map(json.loads, lines)
    assert list(header) == ["system", "data", "analyser", "environment", "seconds", "texts"]
    assert header["system"] == "toy|v1"
    assert first["system"] == "toy#7095d84f"  # the first 8 digits of `printf 'toy|v1' | sha256sum`


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


ODD = "\udcff naïve\u2028"


def test_a_record_is_the_one_of_its_outcome():
    prediction = Prediction(ODD, (Keyphrase("a", 0.1),), warnings=("w",), profile=(1, 2))
    finished = AsRecord("s#1")(None, prediction)
    assert json.loads(finished.text) == prediction.to_dict("s#1")
    assert (finished.document_id, finished.warnings, finished.profile) == (ODD, ("w",), (1, 2))
    failed = AsRecord("s#1")(None, Failure("a", "empty_input", "nothing", meta={"year": 1}))
    assert json.loads(failed.text)["meta"] == {"year": 1}
    assert failed.failure == Failure("a", "empty_input", "nothing")


def test_a_changed_record_is_the_one_of_a_changed_outcome():
    first, second = Prediction(ODD, (Keyphrase("a", 0.1),)), Prediction(ODD, (Keyphrase("b", 1e-20),), warnings=("w",))
    whole, lines = DistinctIds(), DistinctIds()
    for outcome in (first, second, Failure(ODD, "empty_input", "nothing")):
        expected = AsRecord("s#1")(None, whole(outcome))
        assert lines(AsRecord("s#1")(None, outcome)) == expected


def test_more_keys_come_behind_the_others():
    record = FinishedRecord("a", '{"id": "a", "score": 0.1}')
    assert record.extend({"signature": "s|v1"}).text == '{"id": "a", "score": 0.1, "signature": "s|v1"}'


TEXT = "Tide gauges\n\nLow water is hard to measure.\n\nA gauge drifts."
SECTIONS = (Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 13, 42))


def read_back(record):
    (labelled,) = read_labelled([JsonLine("file", 1, json.dumps(record).encode())], Limits())
    return labelled


def chosen(*texts: str):
    return [Keyphrase(text, 0.0) for text in texts]


def test_a_reviewed_document_is_read_back_with_its_sections_and_keyphrases():
    document = Document("d", TEXT, SECTIONS, "en")
    record = labelled_record(document, chosen("tide gauge", "drift", "tide gauge"), "reader", rejected=["water"])
    labelled = read_back(record)
    assert labelled.document.text == TEXT
    assert labelled.document.language == "en"
    assert labelled.document.section(SectionKind.TITLE) == "Tide gauges"
    assert labelled.document.section(SectionKind.ABSTRACT) == "Low water is hard to measure."
    assert [(each.forms, each.by) for each in labelled.gold] == [(("tide gauge",), "reader"), (("drift",), "reader")]
    assert record["rejected"] == ["water"]


def test_a_document_without_sections_keeps_its_text():
    record = labelled_record(Document("d", "One line.\nAnother."), [], "indexer")
    assert record == {"id": "d", "text": "One line.\nAnother.", "keyphrases": [], "by": "indexer"}
    assert read_back(record).gold == ()


def test_concepts_of_keyphrases_are_kept():
    concept = Concept("ex:gauge", "Tide gauges", "en", "T1")
    keyphrases = [Keyphrase("gauges", 0.5, concept=concept), *chosen("drift")]
    record = labelled_record(Document("d", TEXT), keyphrases, "reader")
    assert record["keyphrases"] == ["gauges", "drift"]
    assert {text: Concept.from_dict(value) for text, value in record["concepts"].items()} == {"gauges": concept}
    assert [each.forms for each in read_back(record).gold] == [("gauges",), ("drift",)]


def test_the_text_between_sections_is_body():
    parts = [(each.kind.value, TEXT[each.start : each.end]) for each in cover_sections(Document("d", TEXT, SECTIONS))]
    assert [part for part in parts if part[1].strip()] == [
        ("title", "Tide gauges"),
        ("abstract", "Low water is hard to measure."),
        ("body", "\n\nA gauge drifts."),
    ]
