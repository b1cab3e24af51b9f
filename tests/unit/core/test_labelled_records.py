"""Records of reviewed documents, read back by the reader of labelled JSON Lines."""

import json

from keywright.core.documents import Document, Section, SectionKind, cover_sections
from keywright.core.keyphrases import Concept, Keyphrase
from keywright.core.records import labelled_record
from keywright.reading.formats.jsonl import read_labelled
from keywright.reading.limits import Limits
from keywright.reading.record_lines import JsonLine

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
