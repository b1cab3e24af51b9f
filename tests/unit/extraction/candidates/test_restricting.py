"""Candidates of some tokens, and of two sources.

0 Grid  1 market  2 .  3 Market  4 agents  5 .  6 Grid  7 markets

Maximal frequent sequences by hand, and by definition on any document.

First sentences of paragraphs, by where lines begin.

Black lists by position, on words whose lists are known.

What is removed from texts of papers: citations, addresses, equations.

Labels of a vocabulary in a text.
"""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import phrases, tagged

from keywright.core.documents import Section, SectionKind
from keywright.extraction.candidates.ngrams import WordRule, content_words, ngrams, words_and_numbers
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.removing import REMOVALS, remaining
from keywright.extraction.candidates.restricting import mentions_among, mentions_of, unite_candidates
from keywright.extraction.ranking.rank import spans_of
from keywright.extraction.systems.buap import maximal_frequent_sequences
from keywright.extraction.systems.kx import black_listed, black_lists
from keywright.extraction.systems.wingnus import paragraph_openings
from keywright.extraction.vocabularies.label_keys import LabelKeys
from keywright.testing.promises import equal
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

DOCUMENT = analysed("Grid market. Market agents. Grid markets")
FOUND = ngrams(DOCUMENT, 2)
MASKS = st.lists(st.booleans(), min_size=len(DOCUMENT), max_size=len(DOCUMENT)).map(np.array)


def tokens(*places: int):
    mask = np.zeros(len(DOCUMENT), bool)
    mask[list(places)] = True
    return mask


def occurrences(found):
    rows = zip(found.key[found.owner].tolist(), found.positions.tolist(), found.widths.tolist(), strict=True)
    return sorted(rows)


def test_only_mentions_wholly_inside_remain():
    found = mentions_among(FOUND, tokens(1, 2, 3, 4, 6))
    assert phrases(DOCUMENT, found) == {"market": 2, "market agents": 1, "agents": 1, "grid": 1}
    assert found.first.tolist() == [1, 3, 4, 6]
    assert found.last.tolist() == [3, 3, 4, 6]
    assert found.positions.tolist() == [1, 3, 3, 4, 6]


@pytest.mark.parametrize(("mask", "expected"), [(tokens(), 0), (tokens(2, 5), 0), (tokens(*range(8)), len(FOUND))])
def test_none_and_all(mask, expected):
    assert len(mentions_among(FOUND, mask)) == expected


def test_all_tokens_change_nothing():
    assert equal(mentions_among(FOUND, tokens(*range(8))), FOUND)


def test_an_empty_document():
    empty = analysed("")
    found = ngrams(empty, 2)
    assert len(mentions_among(found, np.zeros(0, bool))) == len(unite_candidates(found, found)) == 0


def test_mentions_of_both_count_once():
    left, right = mentions_among(FOUND, tokens(0, 1, 3)), mentions_among(FOUND, tokens(1, 6, 7))
    assert phrases(DOCUMENT, left) == {"grid": 1, "grid market": 1, "market": 2}
    assert phrases(DOCUMENT, right) == {"market": 2, "grid": 1, "grid markets": 1}
    assert phrases(DOCUMENT, unite_candidates(left, right)) == {"grid": 2, "grid market": 2, "market": 3}
    assert equal(unite_candidates(left, right), unite_candidates(right, left))


@given(MASKS, MASKS)
def test_parts_put_together_are_the_mentions_in_either(one, other):
    parts = mentions_among(FOUND, one), mentions_among(FOUND, other)
    expected = [
        (key, position, width)
        for key, position, width in occurrences(FOUND)
        if any(mask[position : position + width].all() for mask in (one, other))
    ]
    assert occurrences(unite_candidates(*parts)) == expected


ANALYSER = TextAnalyser()
WORDS = st.sampled_from("grid grids market agent node of . ,".split())
TEXTS = st.lists(WORDS, max_size=30).map(" ".join)


def sequences(text: str, least: int, longest: int = 4, allowed: WordRule = content_words) -> dict[str, int]:
    document = analysed(text)
    return phrases(document, maximal_frequent_sequences(document, least, longest, allowed))


def test_parts_of_frequent_sequences_are_left_out():
    """Two mentions of *grid market agents* hold those of its parts; *market* has a third of its own."""
    text = "Grid market agents, grid market agents, market nodes"
    assert sequences(text, 2) == {"grid market agents": 2}
    assert sequences(text, 3) == {"market": 3}
    assert sequences(text, 4) == {}
    assert sequences(text, 1) == {"grid market agents": 2, "market nodes": 1}


def test_what_follows_and_what_precedes_makes_longer():
    assert sequences("grid market. nodes grid. grid market. nodes grid", 2) == {"grid market": 2, "nodes grid": 2}


def test_longest_is_where_sequences_end():
    text = "big grid market agents, big grid market agents"
    assert sequences(text, 2, 2) == {"big grid": 2, "grid market": 2, "market agents": 2}
    assert sequences(text, 2, 1) == {"big": 2, "grid": 2, "market": 2, "agents": 2}


def test_stop_words_and_signs_end_sequences_unless_allowed():
    text = "quality of service, quality of service"
    assert sequences(text, 2) == {"quality": 2, "service": 2}
    assert sequences(text, 2, allowed=words_and_numbers) == {"quality of service": 2}


def test_forms_count_together():
    assert sequences("grid markets. grids market", 2) == {"grid markets": 2}


def test_a_form_of_fewer_tokens_still_holds_its_parts():
    """*peer grid* stands once, *peer* and *grid* stand twice by themselves, all of them inside."""
    found = sequences("peer-to-peer grid, peer to peer grid", 2, allowed=words_and_numbers)
    assert found == {"peer-to-peer grid": 2}


@pytest.mark.parametrize("least", [1, 2])
def test_an_empty_document_has_none(least):
    assert sequences("", least) == {}


@given(TEXTS, st.integers(1, 3), st.integers(1, 4))
def test_sequences_are_those_of_the_definition(text, least, longest):
    runs = [run.split() for run in text.replace("grids", "grid").replace(".", ",").replace("of", ",").split(",")]
    counts = Counter(
        tuple(run[at : at + size])
        for run in runs
        for size in range(1, longest + 1)
        for at in range(len(run) - size + 1)
    )
    frequent = {sequence for sequence, count in counts.items() if count >= least}
    expected = {
        phrase_key(" ".join(short)): counts[short]
        for short in frequent
        if not any(f" {' '.join(short)} " in f" {' '.join(other)} " for other in frequent - {short})
    }
    found = maximal_frequent_sequences(analysed(text), least, longest)
    assert dict(zip(found.key.tolist(), found.frequency.tolist(), strict=True)) == expected


def openings(text: str, *sections: Section) -> list[str]:
    document = analysed(text, *sections)
    inside = paragraph_openings(document)
    assert inside.shape == (len(document),)
    starts, ends = document.start[inside].tolist(), document.end[inside].tolist()
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize("gap", ["\n", "\n\n", " \n  "])
def test_a_sentence_that_begins_a_line(gap):
    text = f"Grids hold.\n They\nscale. Peers leave.{gap}Markets close. Agents wait."
    assert openings(text) == "Grids hold . They scale . Markets close .".split()


def test_a_section_in_the_middle_of_a_line_opens_nothing():
    text = "Grids hold. Peers leave."
    assert openings(text, Section(SectionKind.TITLE, 0, 11)) == ["Grids", "hold", "."]


def test_nothing_opens_where_nothing_is():
    assert openings("") == []
    assert openings(" \n ") == []


def allowed(text: str) -> set[str]:
    """Runs of up to 3 nouns and adjectives that no list forbids."""
    document = tagged(text)
    found = tag_phrases(document, "[JNI]+", 3)
    return set(phrases(document, found.where(~black_listed(found, document))))


def test_there_are_four_lists_of_words_in_lower_case():
    assert set(black_lists()) == {"start", "middle", "end", "alone"}
    assert all(word == word.lower() for words in black_lists().values() for word in words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("same/JJ auction/NN", {"auction"}),  # not at the start; no list forbids "same" elsewhere but in the middle
        ("auction/NN number/NN", {"auction"}),  # neither at the end nor alone
        ("number/NN theory/NN", {"number theory"}),  # but at the start; "theory" is forbidden alone
        ("auction/NN numbers/NNS", {"auction"}),  # plurals too
        ("auction/NN with/IN bidders/NNS", {"auction", "with", "bidders", "auction with", "with bidders"}),
        ("quality/NN of/IN service/NN", {"of", "quality of", "of service", "quality of service"}),
        ("figure/NN auction/NN", {"auction"}),  # anywhere: in no place
        ("Auction/NN Number/NN", {"auction"}),  # regardless of case
    ],
)
def test_words_by_place(text, expected):
    assert allowed(text) == expected


def test_no_candidates():
    document = tagged("")
    assert black_listed(tag_phrases(document, "N", 2), document).tolist() == []


def removed(text: str, kind: str) -> list[str]:
    document = analysed(text)
    mask = REMOVALS[kind](document)
    return [document.words[word] for word in document.word[mask]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A grid [3] is fast", "[ 3 ]"),
        ("as in [4, 7-9]. Grids", "[ 4 , 7-9 ]"),
        ("clocks [Lam78] of grids", "[ lam78 ]"),
        ("shown before (Gray, 1981; Lamport 1978) for grids", "( gray , 1981 ; lamport 1978 )"),
        ("by Gray (1981) for grids", "( 1981 )"),
        ("Foster et al. describe grids", "foster et al ."),
        ("a grid (of 20 nodes) in [0, 1.5]", ""),
        ("the interval [a, b] and the year 1999", ""),
    ],
)
def test_citations(text, expected):
    assert removed(text, "citations") == expected.split()


def test_addresses():
    assert removed("see www.grid.org/a and http://grid.org or ask a@grid.org today", "addresses") == [
        "www.grid.org/a",
        "http://grid.org",
        "a@grid.org",
    ]
    assert removed("the world wide web", "addresses") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let k = 4N be the number", "k = 4n"),
        ("if R(k) = 25 feet", "r ( k ) = 25"),
        ("in 25 feet (or 3) of a grid", ""),
        ("the utility = cost of grids", "="),
        ("so x is in the grid", ""),
    ],
)
def test_equations(text, expected):
    assert removed(text, "equations") == expected.split()


def test_what_remains():
    document = analysed("Grids [3] of www.grid.org with k = 4 nodes")
    words = np.array(document.words)[document.word]
    assert remaining(document, ()).all()
    assert words[remaining(document, ("citations", "addresses", "equations"))].tolist() == "grids of with nodes".split()
    assert len(remaining(analysed(""), ("citations", "equations"))) == 0


TEXT = "Quality of service matters. Peer-to-peer networks, quality. Of service! Peer to peer network; IL-6, C++, 2020."


def found(*phrases: str, text=TEXT, language="en"):
    document = analysed(text, language=language)
    candidates = mentions_of(document, LabelKeys.of(phrases, language))
    every = spans_of(document, candidates, np.arange(len(candidates)))
    return [[text[start:end] for start, end in spans] for spans in every]


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
