"""Abbreviations and long forms, by hand; examples in the manner of Schwartz and Hearst (2003)."""

import pytest

from keywright.core.documents import Document
from keywright.text.abbreviations import find_abbreviations, find_long_forms
from keywright.text.analyser import TextAnalyser


def pairs(text: str) -> list[tuple[str, str]]:
    document = TextAnalyser().analyse(Document("a", text))

    def written(span: tuple[int, int]) -> str:
        return text[int(document.start[span[0]]) : int(document.end[span[1] - 1])]

    return [(written(found.short), written(found.long)) for found in find_abbreviations(document)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use the domain name system (DNS) here.", [("DNS", "domain name system")]),
        ("Heat shock transcription factor (HSF) binds.", [("HSF", "Heat shock transcription factor")]),
        # letters inside words
        ("A Gcn5-related N-acetyltransferase (GNAT) acts.", [("GNAT", "Gcn5-related N-acetyltransferase")]),
        # the first letter must begin a word: the m of "system" does not
        ("In a system for many users (MU).", [("MU", "many users")]),
        # the shortest long form is taken
        ("some simple services and simple service level agreements (SLA)", [("SLA", "service level agreements")]),
        # short form in front
        ("Then SVM (support vector machine) learns.", [("SVM", "support vector machine")]),
        # an enumeration behind the short form
        ("wireless sensor networks (WSN, see Fig. 2)", [("WSN", "wireless sensor networks")]),
        ("latent semantic analysis (LSA; Deerwester 1990)", [("LSA", "latent semantic analysis")]),
        # signs in the short form stand for nothing
        ("input output (I/O) and", [("I/O", "input output")]),
        # plural
        ("hidden Markov models (HMMs) are", [("HMMs", "hidden Markov models")]),
        # two definitions
        ("peer group (PG) and rain garden (RG)", [("PG", "peer group"), ("RG", "rain garden")]),
    ],
)
def test_definitions(text, expected):
    assert pairs(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "( )",
        "(DNS)",
        "a name (X)",  # too short
        "as shown (2003) there",  # no letter
        "the usual way (see below) is",
        "in (the input node) there",  # no capital letter: "in" could be read from "input node"
        "grid market (GMX) is",  # a letter that is not there
        "transmission control protocol (TCP-P) has",  # a letter too many
        "a domain name. System (DNS) is",  # the sentence is over
        "a DNS (DNS) of",  # stands for itself
        "very long (INTERNATIONALLY) here",
        "unclosed domain name system (DNS and so on",
        "domain name system [DNS]",
        "the extensible markup language (XML) is",  # no word begins with its first letter
        # two letters stand for four words at most
        "alpha one two three four five six seven eight nine bravo (AB)",
    ],
)
def test_no_definitions(text):
    assert pairs(text) == []


def test_long_forms():
    """*dns* in small letters is another word, and *US* was never explained."""
    document = TextAnalyser().analyse(Document("a", "Domain name system (DNS). The DNS, dns and US."))
    words = [document.words[word] for word in document.word.tolist()]
    start, width = find_long_forms(document)
    spelt = [" ".join(words[a : a + n]) for a, n in zip(start.tolist(), width.tolist(), strict=True)]
    expected = ["domain name system" if at in {4, 8} else word for at, word in enumerate(words)]
    assert words[4] == words[8] == "dns"
    assert spelt == expected


def test_the_first_long_form_counts():
    document = TextAnalyser().analyse(Document("a", "Grid market (GM). Green map (GM)."))
    start, width = find_long_forms(document)
    assert [(start[at], width[at]) for at in (3, 9)] == [(0, 2), (0, 2)]


def test_nothing_has_no_long_forms():
    assert [len(column) for column in find_long_forms(TextAnalyser().analyse(Document("a", "")))] == [0, 0]
