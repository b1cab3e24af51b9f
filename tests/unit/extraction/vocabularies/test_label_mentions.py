"""Labels in texts: every label with a letter or digit is found where it stands, letter for letter."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import keywright
from keywright.core.documents import Document
from keywright.extraction.candidates.restricting import mentions_of
from keywright.extraction.vocabularies.label_keys import LabelKeys
from keywright.text.analyser import TextAnalyser

LABELS = """
E. coli|H.264|Washington, D.C.|hydrogen (H2)|Node.js|1,2-diol|Yahoo! Inc|C++|C#|.NET framework|rock 'n' roll|AT&T|
U.S. Supreme Court|(1→3)-β-D-glucan|Alzheimer's disease|women's health|San`a|solar_system|CD4+ T cells|GPT-3.5|
St. John's wort|T. rex|Ph.D. students|NF-κB|A/B testing|Bayes' theorem|étudiant·e·s|O'Brien|TCP/IP|Na+/K+-ATPase|
5' untranslated region|What is art?|"Hamlet"|100%|$100 bills|Guns N' Roses|Mr. Smith|No. 5|vs. others|@home|#metoo|
a.k.a.|R&D|x=y|AC/DC|p < .05|Ω-3 fatty acids|hors d'œuvres|Côte d'Ivoire|IEEE 802.11|Who? What?|Oh! Calcutta!|Ne(u)|
[Fe]-hydrogenase|2,4-D|N,N-dimethylformamide|poly(ethylene glycol)|IL-2R|H₂O|University of California - Berkeley|
Chromosomes, Human, Pair 17|Receptors, Cell Surface|Saint-Étienne|The Beatles|To be, or not to be|9/11|e.e. cummings
"""
WORDS = st.sampled_from("heat pump E D.C. Node js 1 2 H2 coli's IT β São 3.5 van de l'eau C++ virus".split())
SIGNS = st.sampled_from(
    [" ", " ", "-", ", ", ". ", ".", "/", " (", ") ", "+ ", "'s ", "_", ": ", "! ", " & ", "–", " - "]
)


def found(label: str, text: str, *others: str) -> list[str]:
    document = TextAnalyser("en").analyse(Document("d", text))
    mentions = mentions_of(document, LabelKeys.of([label, *others], "en"))
    return [
        text[document.start[at] : document.end[at + width - 1]]
        for at, width in zip(mentions.positions, mentions.widths, strict=True)
    ]


@pytest.mark.parametrize("label", "".join(LABELS.split("\n")).split("|"))
def test_a_label_is_found_letter_for_letter(label):
    assert found(label, f"We say that {label} is here.")


ODD_LABELS = Path(__file__).with_name("odd_labels.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("label", ODD_LABELS)
def test_odd_labels_of_thesauri_are_found_anywhere(label):
    for text in ("We say that {} is here.", "{} is here.", "It is ({}).", "“{}” is here.", "We saw {}. The end.", "{}"):
        assert found(label, text.format(label))


@pytest.mark.parametrize("label", [*ODD_LABELS[::10], "Vol. 3", "AC/DC (Musical group)"])
def test_odd_labels_are_keyphrases_at_the_begin_of_a_text(label):
    assert keywright.extract(f"{label} is here.", vocabulary=[label], only_vocabulary=True, language="en").texts


@pytest.mark.parametrize("label", ["H.264", "9/11", "Who? What?", "E. coli", "solar_system"])
def test_a_label_is_the_keyphrase_of_a_text_without_others(label):
    listed = keywright.extract(f"We say that {label} is here.", vocabulary=[label], only_vocabulary=True, language="en")
    assert [text.strip("?") for text in listed.texts] == [label.strip("?")]


@given(st.lists(st.tuples(WORDS, SIGNS), min_size=1, max_size=5))
def test_labels_of_any_words_and_signs_are_found(pieces):
    label = "".join(word + sign for word, sign in pieces).strip()
    assert found(label, f"We say that {label} is here.")


@pytest.mark.parametrize(
    ("label", "text", "mentions"),
    [
        ("heat pump", "Heat, pump. Heat. Pump (heat) pump", []),
        ("Washington, D.C.", "Washington D.C. and Washington, D.C.", ["Washington D.C.", "Washington, D.C."]),
        ("hydrogen (H2)", "hydrogen, H2", []),
        ("tea", "teams", []),
    ],
)
def test_a_text_crosses_only_the_signs_of_the_label(label, text, mentions):
    assert found(label, text) == mentions


@pytest.mark.parametrize(
    ("label", "text", "mentions"),
    [
        ("IT", "it is IT", ["IT"]),
        ("AIDS", "He aids them against AIDS", ["AIDS"]),
        ("US", "tell us of the US", ["US"]),
        ("NGO", "An NGO, many NGOs, ngo", ["NGO", "NGOs"]),
        ("GP", "GPs with GPS", ["GPs"]),
        ("PC-TVs", "PC-TVs, a PC-TV", ["PC-TVs", "PC-TV"]),
        ("Nasa", "NASA and nasa", ["NASA", "nasa"]),
        ("HEAT PUMP", "heat pumps", ["heat pumps"]),
    ],
)
def test_a_label_in_capitals_is_found_in_capitals_alone(label, text, mentions):
    assert found(label, text) == mentions


def test_capitals_say_nothing_in_a_vocabulary_of_capitals():
    assert found("PUMPS", "a pump", "HEAT PUMP", "SOIL MOISTURE", "tea cups") == ["pump"]
    assert found("PUMPS", "a pump", "HEAT PUMP", "soil moisture", "tea cups") == []
    assert found("US", "us", "us") == ["us"]  # a label in small letters has the same key
