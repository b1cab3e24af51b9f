"""Reasons for phrases in plain words."""

import pytest

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.keyphrases import Grounds, Keyphrase, Place
from keywright.faces.outputs.phrase_words import is_weighed, list_reasons

TEXT = "Tide gauges\n\nA tide gauge drifts."
DOCUMENT = Document("d", TEXT, (Section(SectionKind.TITLE, 0, 11),))
TITLE = (Place(SectionKind.TITLE, None, 1),)
SPANS = ((0, 10), (15, 25))


def phrase(spans=SPANS, places=TITLE, **evidence: float) -> Keyphrase:
    named = {name.replace("_", " ").replace("well formed", "well-formed"): value for name, value in evidence.items()}
    return Keyphrase("tide gauge", 2.0, None, spans, named, Grounds({name: (name,) for name in named}, places, None))


def test_reasons_for_come_first_and_strong_ones_before_weak_ones():
    # e^0.5 = 1.65, e^1 = 2.7, e^-2 = 0.14, e^-0.2 = 0.82: factors of at least 1.5, 2.5, 2.5 and 1.1
    keyphrase = phrase(how_often=0.5, where=1.0, how_rare=-2.0, well_formed=-0.2)
    assert is_weighed(keyphrase)
    assert list_reasons(DOCUMENT, keyphrase) == [
        ("+++", "in the title"),
        ("++", "mentioned 2 times"),
        ("---", "common in other texts"),
        ("-", "not worded like a keyphrase"),
    ]


def test_weak_reasons_are_left_out():
    assert list_reasons(DOCUMENT, phrase(how_often=0.09, where=-0.09)) == []
    assert list_reasons(DOCUMENT, phrase(how_often=0.1)) == [("+", "mentioned 2 times")]


@pytest.mark.parametrize(
    ("document", "start", "kind", "words"),
    [
        (DOCUMENT, 17, SectionKind.BODY, "first mentioned 52% into the text"),
        (Document("d", TEXT, meta={"pages": [0, 13]}), 17, SectionKind.BODY, "first mentioned on page 2"),
        (
            Document("d", TEXT, (Section(SectionKind.CONCLUSION, 13, 33),)),
            17,
            SectionKind.CONCLUSION,
            "first mentioned in the conclusion",
        ),
    ],
)
def test_phrases_outside_prominent_sections_have_their_first_place(document, start, kind, words):
    keyphrase = phrase(((start, start + 4),), (Place(kind, None, 1),), where=1.0, how_often=1.0)
    assert list_reasons(document, keyphrase) == [("+++", words), ("+++", "mentioned once")]


def test_absent_phrases_are_not_in_the_document():
    assert list_reasons(DOCUMENT, phrase((), (), where=-1.0)) == [("---", "not in the document")]


def test_evidence_that_is_not_weighed_shows_its_values():
    grounds = Grounds({"how often": ("mentions",), "where": ("zones", "nearness"), "how rare": ("how rare",)}, (), None)
    evidence = {"mentions": 3.0, "zones": 2.5, "nearness": 0.25, "how rare": 1.0}
    keyphrase = Keyphrase("tide gauge", 2.0, None, SPANS, evidence, grounds)
    assert not is_weighed(keyphrase)
    assert list_reasons(DOCUMENT, keyphrase) == [
        ("how often", "mentions 3"),
        ("where", "zones 2.5, nearness 0.25"),
        ("how rare", "1"),
    ]
    assert list_reasons(DOCUMENT, Keyphrase("a", 1.0)) == []
