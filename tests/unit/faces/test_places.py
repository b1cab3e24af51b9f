"""Where phrases stand, for people."""

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.predictions import Keyphrase, Prediction
from keywright.faces.places import Snippet, pages_of, sections_of, snippet

TEXT = "Tide gauges\n\nA tide gauge drifts. The tide gauge measures sea level.\n\nSea level rises."
SECTIONS = (Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 13, 68))
DOCUMENT = Document("d", TEXT, SECTIONS, meta={"pages": [0, 13, 70]})


def spans(phrase):
    places, at = [], TEXT.lower().find(phrase)
    while at >= 0:
        places.append((at, at + len(phrase)))
        at = TEXT.lower().find(phrase, at + 1)
    return tuple(places)


GAUGE = Keyphrase("tide gauge", 2.0, spans=spans("tide gauge"))
LEVEL = Keyphrase("sea level", 1.0, spans=spans("sea level"))
ABSENT = Keyphrase("altimetry", 0.5)
PREDICTION = Prediction("d", (GAUGE, LEVEL, ABSENT))


def test_sections_are_counted():
    assert sections_of(DOCUMENT, GAUGE) == {SectionKind.TITLE: 1, SectionKind.ABSTRACT: 2}
    assert sections_of(DOCUMENT, LEVEL) == {SectionKind.ABSTRACT: 1, SectionKind.BODY: 1}
    assert sections_of(DOCUMENT, ABSENT) == {}


def test_pages_are_counted_from_one():
    assert pages_of(DOCUMENT, GAUGE) == (1, 2)
    assert pages_of(DOCUMENT, LEVEL) == (2, 3)
    assert pages_of(Document("d", TEXT), GAUGE) == ()


def test_the_sentence_that_holds_most_keyphrases_is_shown():
    assert snippet(DOCUMENT, GAUGE, PREDICTION) == Snippet("The ", "tide gauge", " measures sea level.")
    assert snippet(DOCUMENT, LEVEL, PREDICTION) == Snippet("The tide gauge measures ", "sea level", ".")
    assert snippet(DOCUMENT, ABSENT, PREDICTION) is None


def test_a_title_is_shown_where_there_is_nothing_else():
    only = Document("d", "Tide gauges", (Section(SectionKind.TITLE, 0, 11),))
    phrase = Keyphrase("tide gauge", 1.0, spans=((0, 10),))
    assert snippet(only, phrase, Prediction("d", (phrase,))) == Snippet("", "Tide gauge", "s")


def test_long_sentences_are_cut_where_it_shows():
    text = "word " * 100 + "tide gauge " + "word " * 100
    phrase = Keyphrase("tide gauge", 1.0, spans=((500, 510),))
    shown = snippet(Document("d", text), phrase, Prediction("d", (phrase,)))
    assert shown.before.startswith("… word")
    assert shown.after.endswith("word …")
    assert len(shown.before) + len(shown.after) < 300
