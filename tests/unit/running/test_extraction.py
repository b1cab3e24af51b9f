"""One document, one ranking: lengths, grounds, reasons for empty lists, what cannot run, and threads."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest
from tests.unit.calibration.labelled_runs import fit_calibrator
from tests.unit.running.probable import Probable

import keywright as kw
from keywright.api import prepare
from keywright.core.documents import Document, Section, SectionKind
from keywright.core.interfaces import Wrapper, innermost
from keywright.core.keyphrases import Grounds, Place, Sentence
from keywright.core.signatures import signature
from keywright.extraction.systems.default import Default
from keywright.running.extraction import Extraction, find_author_keywords
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.testing.promises import ARTICLE, NOTE
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
        {"how often": ("mentions",)}, (Place(SectionKind.BODY, 2, 1),), Sentence(TEXT[at:], (at, len(TEXT)))
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
        ("12 3.5 x of the www.a.org", UNFILTERED, "numbers, symbols, addresses and stop words"),
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


CALLS: list[str] = []


@dataclass(frozen=True)
class Counted(Default):
    """The default, with each of its rankings noted."""

    def extract(self, document):
        CALLS.append(document.source.id)
        return super().extract(document)


def calibrated():
    """The default with a calibrator that says it is for it."""
    calibrator = fit_calibrator()
    card = replace(calibrator.card, system=signature(Counted()), depth=20)
    return kw.calibrated(Counted(), replace(calibrator, card=card))


LONG = Document("long", " ".join([ARTICLE.text, NOTE.text] * 3))
WAYS = {
    "as it is": (Counted, None, {}),
    "top": (Counted, 3, {}),
    "a long list": (Counted, 80, {}),
    "all there is": (Counted, 100_000, {}),
    "explained": (Counted, None, {"explain": True}),
    "by probability": (Counted, None, {"min_probability": 0.2}),
    "filtered": (Counted, 5, {"diversity": 0.5, "stop_phrases": ("grid",), "min_words": 2}),
    "nearly all filtered out": (Counted, 50, {"min_characters": 25}),
    "a vocabulary": (Counted, None, {"vocabulary": ("grid services",), "expand_acronyms": True}),
    "calibrated": (calibrated, None, {}),
    "calibrated, a long list": (calibrated, 80, {}),
    "limited": (calibrated, 5, {"abstain_below": 0.01}),
    "best F1": (calibrated, "auto", {}),
    "calibrated and filtered": (calibrated, None, {"min_probability": 0.01, "min_words": 2}),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_ranks_each_document_once(way):
    system, top, options = WAYS[way]
    extraction = prepare(system(), top, **options)
    for document in (ARTICLE, LONG, NOTE):
        CALLS.clear()
        extraction.prediction(document)
        assert [document.id] == CALLS


def test_wrappers_are_known_by_what_they_wrap():
    system = calibrated()
    limited = prepare(system, abstain_below=0.01).extractor
    assert isinstance(limited, Wrapper)
    assert limited.inner == system
    assert isinstance(innermost(limited), Counted)
    assert not isinstance(innermost(limited), Wrapper)


@pytest.fixture
def switching():
    """Threads take turns all the time, so that their steps mix."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def text(number) -> str:
    words = [f"word{number * place % 911}{chr(97 + place % 26)}" for place in range(1, 60)]
    return f"Soil moisture {number}. Soil moisture and {' '.join(words)} in a growing season of soil moisture."


@pytest.mark.usefixtures("switching")
@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("Saturday market opens. On Saturday the choir sings, and Saturday ends with a quiz.", "Saturday", "en"),
        ("Am Samstag singt der Chor, und am Samstag öffnet der Markt.", "Samstag", "de"),
        ("Le chœur chante en septembre ; en septembre ouvre le marché.", "septembre", "fr"),
    ],
)
def test_days_and_months_are_ranked_and_not_listed(text, name, language):
    document = Document("a", text, language=language)
    ranked = prepare(kw.system("counting"), top=30)
    assert name in [each.text for each in replace(ranked, merge=False)(document).keyphrases]
    listed = [each.text for each in ranked(document).keyphrases]
    assert listed
    assert name not in listed


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("The march reached the square. Then the march dissolved.", "march", "en"),
        ("Black Friday begins. Black Friday ends.", "Black Friday", "en"),
        ("La planète Mars a deux lunes. Mars est rouge.", "Mars", "fr"),
    ],
)
def test_other_words_with_the_letters_of_a_month_or_day_are_listed(text, name, language):
    listed = prepare(kw.system("counting"), top=30)(Document("a", text, language=language)).keyphrases
    assert name in [each.text for each in listed]


def test_labels_of_a_vocabulary_may_be_days():
    document = Document("a", "The choir sings on Saturday.", language="en")
    assert prepare(kw.system("counting"), vocabulary=["Saturday"])(document).keyphrases[0].text == "Saturday"


def test_threads_share_an_extraction():
    documents = [Document(f"text {number}", text(number), language="en") for number in range(200)]
    expected = [kw.prepare(top=5)(document) for document in documents[:20]]
    shared = kw.prepare(top=5)
    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(shared, documents))
    assert outcomes[:20] == expected
    assert all(outcome.texts for outcome in outcomes)
