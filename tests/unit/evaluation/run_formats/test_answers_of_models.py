"""Outputs of language models and of generators' repositories: scored right without an option, or refused."""

import json

import pytest

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation.run_formats.reading import read_run_file

GOLD = {"d1": ["roof tiles", "kilns"], "d2": ["tides"]}
PHRASES = {"d1": ["roof tiles", "clay"], "d2": ["tides", "gauges"]}
"""The phrases of every output below: at one phrase a document, both are right; at two, two of four."""

NUMBERED = {"d1": "Here are the keyphrases:\n\n1. roof tiles\n2. clay", "d2": "1. tides\n2. gauges"}
BULLETS = {"d1": "Sure!\n- **roof tiles**: in the title\n- **clay**: the material", "d2": "* tides\n* gauges"}
FENCED = {
    "d1": '```json\n["roof tiles", "clay"]\n```',
    "d2": 'Here is the list:\n```json\n{"keyphrases": ["tides", "gauges"]}\n```\nThese cover the text.',
}
INLINE = {"d1": "Keyphrases: roof tiles, clay.", "d2": "**Keywords:** tides; gauges"}
THOUGHTFUL = {"d1": "<think>1. houses?</think>\n1) roof tiles\n2) clay", "d2": "<think></think>- tides\n- gauges"}


def json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def answers(texts, field="output"):
    return json_lines({"id": name, field: text} for name, text in texts.items())


def openai_batch(texts):
    body = ({"choices": [{"message": {"role": "assistant", "content": text}}]} for text in texts.values())
    rows = zip(texts, body, strict=True)
    return json_lines(
        {"id": f"batch_{n}", "custom_id": name, "response": {"status_code": 200, "body": each}, "error": None}
        for n, (name, each) in enumerate(rows)
    )


def anthropic_batch(texts):
    return json_lines(
        {"custom_id": name, "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": text}]}}}
        for name, text in texts.items()
    )


LISTS = list(PHRASES.values())
LANGUAGE_MODELS = {
    "numbered.jsonl": answers(NUMBERED),
    "bullets.jsonl": answers(BULLETS, "response"),
    "fenced.jsonl": answers(FENCED, "completion"),
    "inline.jsonl": answers(INLINE, "answer"),
    "thoughtful.jsonl": answers(THOUGHTFUL, "prediction"),
    "openai.jsonl": openai_batch(NUMBERED),
    "anthropic.jsonl": anthropic_batch(BULLETS),
    "pipeline.json": json.dumps([{"generated_text": text} for text in FENCED.values()]),
    "table.csv": 'id;response\nd1;"1. roof tiles\n2. clay"\nd2;"1. tides\n2. gauges"\n',
    "keyphrases.jsonl": answers({"d1": "1. roof tiles, 2. clay", "d2": "tides, gauges"}, "keyphrases"),
}
GENERATORS = {
    "opennmt.pred": json_lines({"pred_sents": [phrase.split() for phrase in phrases]} for phrases in LISTS),
    "kg_one2set.txt": "roof tiles;clay\ntides;<peos>;gauges\n",
    "kpeval.json": json_lines(
        {"source": "a text", "target": ";".join(GOLD[name]), "prediction": PHRASES[name]} for name in GOLD
    ),
    "ake-datasets.json": json.dumps({name: [[phrase] for phrase in phrases] for name, phrases in PHRASES.items()}),
    "keybert.json": json.dumps([[[phrase, 0.7] for phrase in phrases] for phrases in LISTS]),
    "pairs.json": json.dumps({name: [[phrase, 0.7] for phrase in phrases] for name, phrases in PHRASES.items()}),
    "mdkpg.jsonl": json_lines(
        {"input": "a text", "label": "; ".join(GOLD[name]), "output": "; ".join(PHRASES[name])} for name in GOLD
    ),
}


@pytest.mark.parametrize("name", [*LANGUAGE_MODELS, *GENERATORS])
def test_an_output_is_scored_without_an_option(name, tmp_path):
    path = tmp_path / name
    path.write_text({**LANGUAGE_MODELS, **GENERATORS}[name], "utf-8")
    report = kw.score(path, GOLD, "keywright-1", ["P@1", "P@2"], intervals=False)
    assert report.scored == 2
    assert (report.values["gold/macro-P@1"], report.values["gold/macro-P@2"]) == (1, 0.5)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_header_is_seen_with_any_separator(separator, tmp_path):
    path = tmp_path / "lists.csv"
    path.write_text(f"doc{separator}keywords\nd1{separator}roof tiles\nd2{separator}tides\n", "utf-8")
    assert kw.score(path, GOLD, "keywright-1", ["P@1"], intervals=False).values["gold/macro-P@1"] == 1


def test_an_answer_that_is_not_a_list_costs_its_document(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(answers({**NUMBERED, "d2": "I'm sorry, I cannot help with that."}), "utf-8")
    report = kw.score(path, GOLD, "keywright-1", ["P@1"], intervals=False)
    assert report.values["gold/macro-P@1"] == 0.5
    expected = "1 answers are not lists and count as empty, such as line 2 of run.jsonl"
    assert any(expected in warning for warning in report.warnings)
    path.write_text(answers(dict.fromkeys(GOLD, "I'm sorry, I cannot help with that.")), "utf-8")
    with pytest.raises(BadRecord, match=r"line 1 of run.jsonl"):
        kw.score(path, GOLD, "keywright-1")


def test_a_run_without_any_hit_is_noted():
    report = kw.score({"d1": ["1. roof tiles"], "d2": ["2. tides"]}, GOLD, "keywright-1", intervals=False)
    expected = (
        "no phrase of the run is in the gold of any document, such as '1. roof tiles' against 'roof tiles' for 'd1'"
    )
    assert any(expected in warning for warning in report.warnings)
    report = kw.score({"d1": ["roof tile"], "d2": []}, GOLD, "keywright-1", intervals=False)
    assert not any("no phrase" in warning for warning in report.warnings)


def test_the_usual_protocol_is_used_and_named(tmp_path):
    report = kw.score(PHRASES, GOLD, intervals=False)
    assert report.protocol.startswith("keywright-1|")
    assert "keywright-1 is used" in report.warnings[0]
    run = tmp_path / "run.jsonl"
    for data, usual in (("semeval2010/test", "semeval2010"), ("inspec/test", "kpg"), ("mine.jsonl", "keywright-1")):
        run.write_text(json.dumps({"system": "s", "data": data, "analyser": "a"}) + "\n", "utf-8")
        assert kw.api.scores.choose_usual(run, None)[0] == usual
        assert kw.api.scores.choose_usual(PHRASES, data)[0] == usual


def test_fields_are_named_for_each_run(tmp_path):
    for name, field in (("a.jsonl", "x"), ("b.jsonl", "y")):
        (tmp_path / name).write_text(json_lines({"id": d, field: p} for d, p in PHRASES.items()), "utf-8")
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    forms = [kw.api.Layout(phrases_field=field) for field in "xy"]
    comparison = kw.compare(files, "keywright-1", GOLD, forms, resamples=10)
    assert [report.scored for report in comparison.reports.values()] == [2, 2]
    with pytest.raises(BadParameter, match="1 formats"):
        kw.compare(files, "keywright-1", GOLD, forms[:1])


def test_a_list_of_one_phrase_behind_a_sign_is_that_phrase(tmp_path):
    for value, phrases in ((["- 0"], ("- 0",)), (["1. tides\n2. gauges"], ("tides", "gauges"))):
        (tmp_path / "run.jsonl").write_text(json.dumps({"id": "a", "keyphrases": value}) + "\n", "utf-8")
        (prediction,) = read_run_file(tmp_path / "run.jsonl").predictions.predictions
        assert prediction.texts == phrases
