"""`top` gives as many keyphrases as were asked for, or all that differ, in every system, format and face."""

import csv
import io
import json
import re

import pytest

import keywright as kw
from keywright import catalogue
from keywright.api.serving import RequestWork, TextRequest
from keywright.core.errors import KeywrightError
from keywright.faces.outputs.output_formats import KEYPHRASES
from keywright.faces.outputs.results import Writer

TEXT = kw.read("examples/article.txt")
LENGTHS = (1, 10, 25)


def fold(phrase: str) -> str:
    """Return a phrase without case, hyphens and the plural of its last word."""
    letters = re.sub(r"[^a-z0-9]", "", phrase.casefold())
    return re.sub(r"(?<=[^s])s$", "", letters)


def usable_systems():
    """Yield the systems that rank without training, tags, models and language models of their own."""
    for name in catalogue.SYSTEMS.names():
        try:
            kw.prepare(name)
        except (KeywrightError, ImportError):
            continue
        yield name


SYSTEMS = list(usable_systems())


def test_most_systems_are_tried():
    assert {"default", "kpminer", "yake", "textrank", "rake", "tfidf"} <= set(SYSTEMS)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_fills_lists_with_phrases_that_differ(name):
    everything = kw.extract(TEXT, name, 10_000).texts
    assert len(everything) == len(set(map(fold, everything)))
    for length in LENGTHS:
        texts = kw.extract(TEXT, name, length).texts
        assert texts == everything[:length]


def test_ten_without_a_length_and_the_best_f1_by_name():
    assert len(kw.extract(TEXT)) == 10
    chosen = kw.run("default", "examples/abstracts.jsonl", 1).predictions[0].chosen
    auto = kw.extract(next(iter(kw.dataset("examples/abstracts.jsonl"))).document, top="auto")
    assert 1 <= len(auto) <= chosen == auto.chosen


@pytest.mark.parametrize("length", LENGTHS)
def test_every_format_and_face_has_the_same_list(length):
    prediction = kw.extract(TEXT, top=length)
    assert len(prediction) == length
    for form in KEYPHRASES:
        if form.bibliographic or form.binary or form.name in {"table", "json", "jsonl", "html"}:
            continue
        pieces = Writer("default").write([(TEXT, prediction)], form)
        text = "".join(pieces)
        assert all(phrase in text for phrase in prediction.texts), form.name
        if form.name == "csv":
            assert [row["keyphrase"] for row in csv.DictReader(io.StringIO(text))] == list(prediction.texts)
    table = Writer("default").table((TEXT, prediction))
    assert len(re.findall(r"^ *[0-9]+  ", table, re.MULTILINE)) == length
    body = json.dumps({"text": TEXT.text, "top": length}).encode()
    record = json.loads(RequestWork().extract_texts([TextRequest(body)])[0].text)
    assert [each["text"] for each in record["keyphrases"]] == [each.text for each in kw.extract(TEXT.text, top=length)]
