"""Which phrases are shown, option by option."""

from dataclasses import replace

import pytest
from tests.unit.running.probable import Probable

from keywright.core.candidates import Ranking
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Acronym, Keyphrase
from keywright.running.extraction import Extraction, check_ready
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.text.analyser import TextAnalyser

TEXT = (
    "A support vector machine (SVM) classifies grid jobs. The SVM learns; grid computing needs a grid scheduler. The "
    "EU pays for IL-6 and COVID-19 studies in C++ on a set of grid computers. Quality of service is a set goal."
)
PHRASES = ("support vector machine", "grid computing", "grid", "SVM", "EU", "set", "IL-6", "COVID-19", "C++")


def shown(top=None, system=None, text=TEXT, **wanted: object):
    phrase_filter = PhraseFilter(**wanted)
    extraction = Extraction(TextAnalyser(), system or Probable(PHRASES), top, phrase_filter=phrase_filter)
    prediction = extraction.prediction(Document("d", text))
    for keyphrase in prediction.keyphrases:
        forms = {" ".join(text[start:end].split()).lower() for start, end in keyphrase.spans}
        assert keyphrase.text.lower() in forms
    return prediction


def test_without_options_nothing_changes():
    assert UNFILTERED.passes_all
    assert shown().texts == PHRASES
    assert shown().author_keywords == ()


@pytest.mark.parametrize(
    ("least", "top", "size"),
    [
        (0.85, None, 1),
        (0.9, None, 1),
        (0.3, None, 7),
        (0.0, None, 9),
        (0.3, 2, 2),
        (0.3, 20, 7),
        (0.95, 5, 0),
        (1, 5, 0),
    ],
)
def test_by_probability(least, top, size):
    assert shown(top, min_probability=least).texts == PHRASES[:size]


def test_by_probability_alone_there_is_no_other_length():
    many = tuple(f"w{n}" for n in range(30))
    text = " ".join(many)
    assert len(shown(text=text, system=Probable(many), min_probability=0.0).texts) == 30
    assert len(shown(text=text, system=Probable(many, chosen=3), min_probability=0.0).texts) == 30


def test_no_probabilities_is_an_error_before_and_costs_one_document_on_the_way():
    uncertain = Probable(("grid scheduler",), certain=None)
    prediction = shown(system=uncertain, min_probability=0.5, text="a grid scheduler")
    assert prediction.texts == ()
    assert prediction.warnings == (
        "no keyphrase: min_probability is asked for, and probable gives no probabilities here",
    )
    with pytest.raises(BadParameter, match="probable gives no probabilities"):
        check_ready(Extraction(TextAnalyser(), uncertain, phrase_filter=PhraseFilter(min_probability=0.5)))
    check_ready(Extraction(TextAnalyser(), Probable(PHRASES), phrase_filter=PhraseFilter(min_probability=0.5)))
    assert shown(system=uncertain, text="nothing here", min_probability=0.5).texts == ()


def test_the_count_rule_holds_for_what_is_left():
    counted = Probable(PHRASES, chosen=3)
    assert shown("auto", counted).texts == PHRASES[:3]
    prediction = shown("auto", counted, stop_phrases=("grid computing",))
    assert prediction.texts == ("support vector machine", "grid", "SVM")
    assert prediction.chosen == 3
    assert shown("auto", Probable(PHRASES, chosen=0), diversity=1).texts == ()
    assert shown(system=counted, vocabulary=("grid",), only_vocabulary=True).chosen == 1


def test_stop_phrases_are_matched_after_stemming_and_whole():
    kept = shown(stop_phrases=("Grids", "support-vector machines", "il 6")).texts
    assert kept == ("grid computing", "SVM", "EU", "set", "COVID-19", "C++")


def test_stop_phrases_in_another_language():
    extraction = Extraction(
        TextAnalyser("fr"), Probable(("réseaux", "grille")), phrase_filter=PhraseFilter(stop_phrases=("réseau",))
    )
    text = "Les réseaux et la grille."
    assert extraction.prediction(Document("d", text, language="fr")).texts == ("grille",)


def test_diversity_drops_what_shares_its_words_and_fills_up():
    assert shown(diversity=0.5).texts == tuple(one for one in PHRASES if one not in {"grid", "SVM"})
    assert shown(2, diversity=0.5).texts == PHRASES[:2]
    assert shown(3, diversity=0.5).texts == ("support vector machine", "grid computing", "EU")


def test_minimum_length_spares_terms():
    assert shown(min_words=2).texts == tuple(one for one in PHRASES if one not in {"grid", "set"})
    assert shown(min_characters=4).texts == tuple(one for one in PHRASES if one != "set")


def test_acronyms_come_with_their_long_form_and_once():
    prediction = shown(expand_acronyms=True)
    assert prediction.texts == tuple(one for one in PHRASES if one != "SVM")
    assert prediction.keyphrases[0].acronym == Acronym("SVM", "support vector machine")
    assert {keyphrase.acronym for keyphrase in prediction.keyphrases[1:]} == {None}
    assert all(keyphrase.acronym is None for keyphrase in shown().keyphrases)


def test_a_vocabulary_comes_first_in_the_systems_order():
    wanted = ("C++", "grids", "quality of service", "never said")
    prediction = shown(vocabulary=wanted)
    others = tuple(one for one in PHRASES if one not in {"grid", "C++"})
    assert prediction.texts == ("grid", "C++", "Quality of service", *others)
    unlisted = prediction.keyphrases[2]
    assert (unlisted.score, unlisted.probability, unlisted.evidence) == (0.0, None, {})


def test_nothing_but_the_vocabulary():
    wanted = ("C++", "grids", "quality of service", "never said")
    assert shown(vocabulary=wanted, only_vocabulary=True).texts == ("grid", "C++", "Quality of service")
    assert shown(1, vocabulary=wanted, only_vocabulary=True).texts == ("grid",)
    assert shown(vocabulary=("never said",), only_vocabulary=True).texts == ()
    by_probability = shown(vocabulary=wanted, only_vocabulary=True, min_probability=0.1)
    assert by_probability.texts == ("grid", "C++")


class Ruled:
    """Gives 1000 phrases of one word each, w0 to w999, where it is asked for so many; remembers what it was asked."""

    name = "ruled"
    needs = frozenset({"stems"})

    def __init__(self) -> None:
        self.asked = []

    def extract(self, document):
        return self.extract_first(document, None)

    def extract_first(self, document, depth):
        self.asked.append(depth)
        ranking = Ranking.from_keyphrases(document.source, [Keyphrase(f"w{n}", -n) for n in range(1000)][:depth])
        return replace(ranking, complete=depth is None)


@pytest.mark.parametrize(
    ("stopped", "top", "asked", "first"),
    [
        (1, 3, [200], "w1"),
        (199, 3, [200, None], "w199"),
        (500, 100, [400, None], "w500"),
        (995, None, [200, None], "w995"),
    ],
)
def test_only_as_many_phrases_are_looked_at_as_needed(stopped, top, asked, first):
    system = Ruled()
    phrase_filter = PhraseFilter(stop_phrases=tuple(f"w{n}" for n in range(stopped)))
    prediction = Extraction(TextAnalyser(), system, top, phrase_filter=phrase_filter).prediction(Document("d", "text"))
    assert system.asked == asked
    assert prediction.texts[0] == first
    assert len(prediction.texts) == min(top or 10, 1000 - stopped)


def test_a_shorter_list_is_a_beginning_whatever_the_options():
    wanted = {
        "diversity": 0.4,
        "stop_phrases": ("EU",),
        "min_words": 2,
        "vocabulary": ("C++",),
        "expand_acronyms": True,
    }
    whole = shown(50, **wanted).texts
    assert len(whole) == 5
    assert all(shown(top, **wanted).texts == whole[:top] for top in range(1, 8))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"min_probability": 1.5}, "min_probability 1.5"),
        ({"min_probability": -0.1}, "min_probability"),
        ({"min_probability": float("nan")}, "min_probability nan"),
        ({"diversity": 2}, "diversity 2"),
        ({"min_words": 0}, "min_words 0"),
        ({"min_characters": -1}, "min_characters -1"),
        ({"stop_phrases": ("--",)}, "'--' is not a phrase"),
        ({"vocabulary": ("",)}, "'' is not a phrase"),
        ({"vocabulary": (7,)}, "7 is not a phrase"),
        ({"only_vocabulary": True}, "only_vocabulary without a vocabulary"),
    ],
)
def test_what_can_mean_nothing_is_refused(wanted, said):
    with pytest.raises(BadParameter, match=said):
        PhraseFilter(**wanted)


def test_an_empty_document_gives_nothing():
    prediction = shown(text="", vocabulary=("grid",), diversity=1, expand_acronyms=True, min_probability=0.5)
    assert prediction.keyphrases == ()


def test_an_unmatched_vocabulary_says_so():
    note = "no phrase of the vocabulary (2 phrases) is in this document"
    assert note in shown(vocabulary=("never said", "nor this")).warnings
    assert note in shown(vocabulary=("never said", "nor this"), only_vocabulary=True).warnings
    assert note not in shown(vocabulary=("never said", "grids")).warnings
    filtered = shown(vocabulary=("never said", "grids"), only_vocabulary=True, stop_phrases=("grid",))
    assert filtered.texts == ()
    assert note not in filtered.warnings  # it is in the text, and was left out
