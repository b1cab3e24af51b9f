"""What is told of phrases and documents beside the ranking."""

import pytest
from tests.unit.running.probable import Probable

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.keyphrases import Grounds, Place, Sentence
from keywright.running.extraction import Extraction, find_author_keywords
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.text.analyser import TextAnalyser

TEXT = "Tide gauges\n\nKeywords: tides, sea level; gauges\n\nThe tide gauge of the harbour drifts in each year."
DOCUMENT = Document("d", TEXT, (Section(SectionKind.KEYWORDS, 13, 47),), meta={"pages": [0, 40]})


def test_evidence_comes_with_grounds_or_not_at_all():
    system = Probable(("tide gauge", "altimetry"))
    plain = Extraction(TextAnalyser(), system).prediction(DOCUMENT).keyphrases
    assert [(one.evidence, one.grounds) for one in plain] == [({}, None)]
    (told,) = Extraction(TextAnalyser(), system, evidence=True).prediction(DOCUMENT).keyphrases
    assert told.evidence == {"mentions": 1}
    at = TEXT.index("The tide")
    assert told.grounds == Grounds(
        {"how often": ("mentions",)}, (Place(SectionKind.BODY, 2, 1),), Sentence(TEXT[at:], at, len(TEXT))
    )


def test_author_keywords_are_kept_apart():
    prediction = Extraction(TextAnalyser(), Probable(("tides",))).prediction(DOCUMENT)
    assert prediction.author_keywords == ("tides, sea level", "gauges")
    assert find_author_keywords(Document("d", "x", meta={"author_keywords": ["a", "b"]})) == ("a", "b")
    assert find_author_keywords(Document("d", "x", meta={"author_keywords": "a; b"})) == ()
    assert find_author_keywords(Document("d", "x")) == ()


@pytest.mark.parametrize(
    ("text", "phrase_filter", "why"),
    [
        ("12 3.5 x of the www.a.org", UNFILTERED, "numbers, signs, addresses, single letters and function words"),
        ("tide gauges", UNFILTERED, "probable found none"),
        ("altimetry", PhraseFilter(min_characters=20), "no candidate passes the options"),
        ("altimetry", UNFILTERED, ""),
    ],
)
def test_an_empty_list_comes_with_its_reason(text, phrase_filter, why):
    prediction = Extraction(TextAnalyser("en"), Probable(("altimetry",)), phrase_filter=phrase_filter).prediction(
        Document("d", text)
    )
    said = [warning for warning in prediction.warnings if "no keyphrase" in warning]
    assert len(said) == bool(why) == (not prediction.keyphrases)
    assert why in "".join(said)
