"""Keyphrases become concepts by URI, by label, by key; others are counted."""

import pytest
from tests.builders import labelled
from tests.unit.extraction.subjects.vocabulary import PLACES, vocabulary

from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.extraction.subjects.described_documents import SubjectLookup, most_lacking

LOOKUP = SubjectLookup(vocabulary())


@pytest.mark.parametrize(
    ("keyphrase", "concept"),
    [
        ("ex:leak", "leak"),
        (" ex:leak ", "leak"),
        ("Detection, leak", "leak"),
        ("detection,  LEAK", "leak"),
        ("leak detections", "leak"),  # by the key of the inverted label
        ("Pipes (smoking)", "tobacco"),
        ("pipe", "pipe"),  # of two concepts with this key the first
        ("noises", "noise"),
    ],
)
def test_what_people_write(keyphrase, concept):
    subjects = LOOKUP.of(labelled("A text.", keyphrase))
    assert (subjects.places.tolist(), subjects.lacking) == ([PLACES[concept]], ())


@pytest.mark.parametrize("keyphrase", ["sewage", "ex:sewage", "...", "EX:LEAK"])
def test_what_the_vocabulary_lacks(keyphrase):
    subjects = LOOKUP.of(labelled("A text.", keyphrase))
    assert (subjects.places.tolist(), subjects.lacking, subjects.number) == ([], (keyphrase,), 1)


def test_a_concept_counts_once():
    subjects = LOOKUP.of(labelled("A text.", "ex:leak", "leak detection", "sewage", "sewage"))
    assert (subjects.places.tolist(), subjects.lacking, subjects.number) == ([PLACES["leak"]], ("sewage",), 2)


def test_another_form_of_a_keyphrase():
    example = labelled("A text.")
    gold = (GoldKeyphrase(("sewage", "noise"), "indexer"),)
    assert LOOKUP.of(LabelledDocument(example.document, gold)).places.tolist() == [PLACES["noise"]]


def test_the_most_frequent_of_what_is_lacking():
    documents = [LOOKUP.of(labelled("A text.", *labels)) for labels in (["tap"], ["sewage", "tap"], ["tap"])]
    assert most_lacking(documents, 1) == ["tap"]
