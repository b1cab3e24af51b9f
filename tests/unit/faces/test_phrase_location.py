"""Where phrases stand, in words for people."""

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.keyphrases import Grounds, Keyphrase, Place, Sentence
from keywright.faces.outputs.phrase_words import (
    Snippet,
    describe_mentions,
    describe_places,
    find_snippet,
    name_first_section,
)

TEXT = "Tide gauges\n\nA tide gauge drifts. The tide\ngauge measures sea level.\n\nSea level rises."
SECTIONS = (Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 13, 68))
DOCUMENT = Document("d", TEXT, SECTIONS, meta={"pages": [0, 13, 70]})
AT = TEXT.index("The tide")
SHOWN = Sentence("The tide gauge measures sea level.", (AT, AT + 34))
GAUGE = Keyphrase(
    "tide gauge",
    2.0,
    spans=((0, 10), (15, 25), (38, 48)),
    evidence={"mentions": 3.0, "zones": 2.5, "nearness": 0.25, "how rare": 1.0},
    grounds=Grounds({"how often": ("mentions",), "where": ("zones", "nearness"), "how rare": ("how rare",)}, (), SHOWN),
)
ABSENT = Keyphrase("altimetry", 0.5)


def test_sections_are_counted_and_pages_listed():
    assert describe_mentions(DOCUMENT, GAUGE) == "title, abstract 2; pages 1, 2"
    assert describe_mentions(Document("d", TEXT), GAUGE) == "body 3"
    assert describe_mentions(DOCUMENT, Keyphrase("gauge", 1.0, spans=((5, 10),))) == "title; page 1"
    assert describe_mentions(DOCUMENT, ABSENT) == "not in the document"


def test_places_in_words():
    title, body, later = (Place(SectionKind.TITLE, 1, 1), Place(SectionKind.BODY, 2, 7), Place(SectionKind.BODY, 4, 1))
    assert describe_places((title, body, later)) == "title p. 1; body p. 2 ×7, 4"
    unpaged = (Place(SectionKind.TITLE, None, 1), Place(SectionKind.ABSTRACT, None, 2))
    assert describe_places(unpaged) == "title; abstract ×2"
    assert describe_places(()) == ""


def test_the_first_place_is_a_section_or_a_page():
    assert name_first_section(DOCUMENT, GAUGE) == "title"
    assert name_first_section(DOCUMENT, Keyphrase("Sea level", 1.0, spans=((70, 79),))) == "p. 3"
    assert name_first_section(Document("d", TEXT), GAUGE) == "body"
    assert name_first_section(DOCUMENT, ABSENT) == "not in text"


def test_the_sentence_is_split_around_the_phrase():
    assert find_snippet(DOCUMENT, GAUGE) == Snippet("The ", "tide gauge", " measures sea level.")
    assert find_snippet(DOCUMENT, ABSENT) is None


def test_long_sentences_are_cut_where_it_shows():
    text = "word " * 100 + "tide gauge " + "word " * 100
    grounds = Grounds({}, (), Sentence(text.strip(), (0, len(text))))
    shown = find_snippet(Document("d", text), Keyphrase("tide gauge", 1.0, spans=((500, 510),), grounds=grounds))
    assert shown.before.startswith("… word")
    assert shown.after.endswith("word …")
    assert len(shown.before) + len(shown.after) < 300
