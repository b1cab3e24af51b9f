"""Maximal frequent sequences by hand, and by definition on any document."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed
from tests.unit.candidates.tagging import phrases

from keywright.extraction.candidates.ngrams import WordRule
from keywright.extraction.candidates.restricting import maximal_frequent_sequences
from keywright.extraction.candidates.words import content_words, words_and_numbers
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

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
