"""Which tokens may stand where, by hand.

Phrases beside skill types: *protocol*, *analysis*, *method* are some, *auction* and *bidder* none.
"""

import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import phrases, tagged

from keywright.core.documents import Document, Section, SectionKind
from keywright.extraction.candidates.ngrams import content_words, running_text, stop_words, words_and_numbers
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.prefilter import content_words_and_capitals, content_words_and_connectors
from keywright.extraction.systems.deriunlp import beside_skill_type, skill_types, word_and_plurals
from keywright.text.analyser import TextAnalyser

TOKENS = "Grids of the x π 神 3.14 IL-6 , x_i www.a.org don't and/or ´".split()
CHOSEN = {
    content_words: "Grids π 神 IL-6",
    content_words_and_capitals: "Grids π 神 IL-6",
    content_words_and_connectors: "Grids of the π 神 IL-6",
    words_and_numbers: "Grids of the x π 神 3.14 IL-6 x_i www.a.org don't and/or",
    stop_words: "of the don't and/or",
}


@pytest.mark.parametrize("rule", CHOSEN, ids=lambda rule: rule.__name__)
def test_a_rule_chooses_tokens(rule):
    document = analysed(" ".join(TOKENS))
    assert len(document) == len(TOKENS)
    mask = rule(document)
    assert mask.dtype == bool
    assert [token for token, chosen in zip(TOKENS, mask, strict=True) if chosen] == CHOSEN[rule].split()


@pytest.mark.parametrize("rule", CHOSEN, ids=lambda rule: rule.__name__)
def test_an_empty_document_gives_an_empty_mask(rule):
    assert rule(analysed("")).shape == (0,)


def test_stop_words_in_capitals_are_names_unless_all_is_in_capitals():
    text = "The WHO and the US fund IT, it says. We CAN. A STUDY OF THE WHO IN EUROPE"
    document = analysed(text)
    chosen = [text[start:end] for start, end in zip(document.start, document.end, strict=True)]
    mask = content_words_and_capitals(document)
    assert [word for word, kept in zip(chosen, mask, strict=True) if kept] == "WHO US fund IT STUDY EUROPE".split()


@pytest.mark.parametrize(
    ("language", "text", "chosen"),
    [
        (
            "fr",
            "Le droit d\N{RIGHT SINGLE QUOTATION MARK}auteur et l'accès à l'eau par elle",
            "Le droit d' auteur et l' accès à l' eau",
        ),
        ("es", "la calidad del agua para los pueblos", "la calidad del agua los pueblos"),
        ("pt", "A qualidade da água e do solo", "A qualidade da água e do solo"),
        ("de", "Der Schutz der Umwelt ist von hier of the", "Der Schutz der Umwelt von"),
        ("en", "The protection of the do da del", "The protection of the da del"),
    ],
)
def test_connectors_are_those_of_the_language(language, text, chosen):
    document = TextAnalyser(language).analyse(Document("a", text, language=language))
    words = [
        text[start:end].replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        for start, end in zip(document.start, document.end, strict=True)
    ]
    mask = content_words_and_connectors(document)
    assert [word for word, kept in zip(words, mask, strict=True) if kept] == chosen.split()


def test_running_text_leaves_the_apparatus_out():
    text = "title author body head caption end thanks book"
    kinds = "title authors body heading caption conclusion acknowledgements references"
    sections, at = [], 0
    for word, kind in zip(text.split(), kinds.split(), strict=True):
        sections.append(Section(SectionKind(kind), at, at + len(word)))
        at += len(word) + 1
    document = analysed(text, *tuple(sections))
    assert running_text(document).tolist() == [True, False, True, True, True, True, False, False]
    assert running_text(analysed("")).shape == (0,)


def beside(text: str, *, heads: bool = False) -> dict[str, int]:
    """Noun phrases with mentions beside a skill type, and how many these are."""
    document = tagged(text)
    found = tag_phrases(document, "[JNG]*N", 4)
    mentions = beside_skill_type(found, document, heads=heads)
    names = list(phrases(document, found))
    counts = {name: int((found.owner[mentions] == index).sum()) for index, name in enumerate(names)}
    return {name: count for name, count in counts.items() if count}


def test_there_are_81_distinct_nouns():
    assert len(set(skill_types())) == len(skill_types()) == 81
    assert {"analysis", "algorithm", "method", "protocol"} <= set(skill_types())
    assert not {"auction", "bidder", "set"} & set(skill_types())


@pytest.mark.parametrize(
    ("word", "plural"),
    [("method", "methods"), ("process", "processes"), ("theory", "theories"), ("analysis", "analyses")],
)
def test_regular_plurals(word, plural):
    assert plural in word_and_plurals(word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auction/NN protocol/NN", {"auction": 1}),
        ("auction/NN Protocols/NNS", {"auction": 1}),
        ("fast/JJ auction/NN protocol/NN", {"fast auction": 1}),  # the whole run, not "auction"
        ("fast/JJ protocol/NN", {}),  # "fast" is no noun phrase
        ("auction/NN of/IN protocol/NN", {}),
        ("protocol/NN of/IN auctions/NNS", {"auctions": 1}),
        ("analysis/NN for/IN the/DT fast/JJ auction/NN", {"fast auction": 1}),
        ("method/NN in/IN auctions/NNS", {"auctions": 1}),
        ("method/NN with/IN auctions/NNS", {}),
        ("method/NN of/IN the/DT the/DT auction/NN", {}),
        ("auction/NN | protocol/NN", {}),  # not across sentences
        ("analysis/NN | of/IN auction/NN", {}),
        ("auction/NN process/VB", {}),  # a skill type is a noun
        ("auction/NN protocol/NN | auction/NN | protocol/NN of/IN auctions/NNS", {"auction": 2}),
        ("auction/NN protocol/NN analysis/NN", {"auction": 1, "auction protocol": 1}),  # beside either
        ("auction/NN", {}),
    ],
)
def test_beside(text, expected):
    assert beside(text) == expected


def test_heads():
    """*protocol* alone stands beside nothing; a phrase that ends in it does."""
    assert beside("auction/NN protocol/NN", heads=True) == {"auction": 1, "auction protocol": 1}


def test_an_empty_document():
    document = tagged("")
    found = tag_phrases(document, "N", 4)
    assert beside_skill_type(found, document).tolist() == []
