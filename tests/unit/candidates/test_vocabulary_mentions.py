"""Labels of a vocabulary in a text."""

from tests.builders import analysed

from keywright.extraction.candidates.restricting import mentions_of
from keywright.extraction.ranking.rank import spans_of
from keywright.extraction.vocabularies.label_keys import LabelKeys
from keywright.text.stems import stemmer

TEXT = "Quality of service matters. Peer-to-peer networks, quality. Of service! Peer to peer network; IL-6, C++, 2020."


def found(*phrases: str, text=TEXT, language="en"):
    document = analysed(text, language=language)
    candidates = mentions_of(document, LabelKeys.of(phrases, stemmer(language)))
    return [
        [text[start:end] for start, end in spans_of(document, candidates, index)] for index in range(len(candidates))
    ]


def test_stems_hyphens_and_stop_words_do_not_matter():
    assert found("qualities of services", "peer-to-peer network") == [
        ["Quality of service"],
        ["Peer-to-peer networks", "Peer to peer network"],
    ]


def test_odd_terms_and_numbers_are_words():
    assert found("IL-6", "C++", "2020", "C") == [["IL-6"], ["C++"], ["2020"]]


def test_no_phrase_crosses_a_sign_or_a_sentence():
    assert found("networks quality", "matters peer") == []


def test_phrases_inside_each_other_are_all_found_in_reading_order():
    text = "A grid of sensors measures; the grid of wires does not."
    assert found("of sensors", "grid of", "grid", "grid of sensors measure much", text=text) == [
        ["grid", "grid"],
        ["grid of", "grid of"],
        ["of sensors"],
    ]


def test_other_languages_and_scripts():
    assert found("Réseau de capteurs", "capteur", text="Les réseaux de capteurs.", language="fr") == [
        ["réseaux de capteurs"],
        ["capteurs"],
    ]
    assert found("网格", text="网格调度", language="zh") == [["网格"]]


def test_nothing_in_nothing():
    assert found("quality", text="") == []
    assert found() == []
