"""N-grams of a small document by hand, and of any document against counting one by one.

0 Quality  1 of  2 service  3 grids  4 .
5 Grids  6 sell  7 quality  8 of  9 service  10 !

Runs of allowed tokens, by hand.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import Section, SectionKind
from keywright.core.errors import BadParameter, UnknownName
from keywright.extraction.candidates.ngrams import (
    content_words,
    ngram_occurrences,
    ngrams,
    nouns_and_adjectives,
    plain_ngrams,
    runs,
    stop_words,
    words_and_numbers,
)
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.testing.promises import equal
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

ANALYSER = TextAnalyser()
TEXT = "Quality of service grids. Grids sell quality of service!"
BY_WAY = {
    "anywhere": "0:1 2:1 2:2 3:1 5:1 5:2 5:3 6:1 6:2 7:1 9:1",
    "edges": "0:1 0:3 2:1 2:2 3:1 5:1 5:2 5:3 6:1 6:2 7:1 7:3 9:1",
    "nowhere": "0:1 0:2 0:3 1:1 1:2 1:3 2:1 2:2 3:1 5:1 5:2 5:3 6:1 6:2 6:3 7:1 7:2 7:3 8:1 8:2 9:1",
    "ignored": "0:1 0:2 0:3 1:1 1:2 1:3 2:1 2:2 3:1 5:1 5:2 5:3 6:1 6:2 6:3 7:1 7:2 7:3 8:1 8:2 9:1",
    "removed": "0:1 0:3 0:4 2:1 2:2 3:1 5:1 5:2 5:3 6:1 6:2 6:4 7:1 7:3 9:1",
}
RULES = (content_words, content_words_and_connectors, words_and_numbers, stop_words)
WORDS = st.sampled_from("grid grids peer-to-peer peer to of market , . Market 12 \n\n DNS".replace("\n", "¶").split())
TEXTS = st.lists(WORDS, max_size=25).map(lambda words: " ".join(words).replace("¶", "\n"))


def places(found) -> list[str]:
    pairs = zip(found.positions.tolist(), found.widths.tolist(), strict=True)
    return [f"{position}:{width}" for position, width in sorted(pairs)]


@pytest.mark.parametrize("way", BY_WAY)
def test_ways_with_stop_words(way):
    assert places(plain_ngrams(analysed(TEXT), 3, way)) == BY_WAY[way].split()


def test_ignored_signs_end_no_phrase():
    found = {way: places(plain_ngrams(analysed("grids, markets"), 2, way)) for way in ("nowhere", "ignored")}
    assert found == {"nowhere": ["0:1", "2:1"], "ignored": ["0:1", "0:3", "2:1"]}


def test_an_unknown_way_is_an_error():
    with pytest.raises(UnknownName, match="'everywhere'"):
        plain_ngrams(analysed(TEXT), 3, "everywhere")


def test_phrases_with_equal_stems_are_one_candidate():
    found = ngrams(analysed(TEXT), 1)
    names = ("quality", "service", "grid", "sell")
    assert found.key.tolist() == [phrase_key(name) for name in names]
    assert found.frequency.tolist() == [2, 2, 2, 1]
    assert found.first.tolist() == [0, 2, 3, 6]
    assert found.last.tolist() == [7, 9, 5, 6]
    assert found.length.tolist() == [1, 1, 1, 1]
    assert [found.occurrences(at)[0].tolist() for at in range(4)] == [[0, 7], [2, 9], [3, 5], [6]]
    assert found.offsets.tolist() == [0, 2, 4, 6, 7]


def test_candidates_stand_in_the_order_of_their_first_mention_shorter_ones_first():
    found = ngrams(analysed("b c. a b c."), 3, words_and_numbers)
    names = ("b", "b c", "c", "a", "a b", "a b c")
    assert found.key.tolist() == [phrase_key(name) for name in names]
    assert (found.first.tolist(), found.length.tolist()) == ([0, 0, 1, 3, 3, 3], [1, 2, 1, 1, 2, 3])


def test_forms_with_and_without_hyphen_are_one_candidate():
    found = ngrams(analysed("Client-server grids. A client server."), 2)
    pooled = found.key.tolist().index(phrase_key("client server"))
    assert found.frequency[pooled] == 2
    assert [column.tolist() for column in found.occurrences(pooled)] == [[0, 4], [1, 2]]
    assert (found.length[pooled], found.first[pooled], found.last[pooled]) == (1, 0, 4)


@pytest.mark.parametrize("text", ["fast grids. Slow peers", "fast grids\n\nslow peers", "fast grids, slow peers"])
def test_no_phrase_crosses_a_border(text):
    assert phrase_key("grids slow") not in ngrams(analysed(text), 4).key.tolist()


def test_no_phrase_crosses_a_section():
    text = "fast grids slow peers"
    assert phrase_key("grids slow") in ngrams(analysed(text), 4).key.tolist()
    title = Section(SectionKind.TITLE, 0, 10)
    assert phrase_key("grids slow") not in ngrams(analysed(text, title), 4).key.tolist()


def test_no_phrase_crosses_a_section_left_out():
    text = "fast grids keywords: peers slow markets"
    keywords = Section(SectionKind.KEYWORDS, 11, 26)
    assert phrase_key("grids slow") not in ngrams(analysed(text, keywords), 4).key.tolist()


@pytest.mark.parametrize("longest", [1, 2, 5, 9])
def test_longest(longest):
    found = ngrams(analysed("one-way alpha beta gamma delta epsilon zeta"), longest)
    assert max(found.length) == min(longest, 7)
    assert len(found) == sum(7 - n + 1 for n in range(1, min(longest, 7) + 1))


@pytest.mark.parametrize("text", ["", " \n", "of the", "... !"])
def test_nothing_to_find_gives_empty_columns(text):
    found = ngrams(analysed(text), 5)
    columns = (found.key, found.length, found.frequency, found.first, found.last, found.positions, found.widths)
    assert all(column.shape == (0,) for column in columns)
    assert found.offsets.tolist() == [0]


def one_by_one(document, longest, edges, inside, removed):
    """Key, position and width of each n-gram, found by trying all pairs of tokens."""
    standing = [at for at in range(len(document)) if not (removed and removed(document)[at])]
    edge = edges(document)
    between = (inside(document) | edge) if inside else edge
    words = [document.words[number] for number in document.word]
    for first, last in itertools.combinations_with_replacement(range(len(standing)), 2):
        run = standing[first : last + 1]
        if (
            len(run) <= longest
            and edge[run[0]]
            and edge[run[-1]]
            and all(between[at] for at in run)
            and len({int(document.sentence[at]) for at in run}) == 1
        ):
            yield phrase_key(" ".join(words[at] for at in run)), run[0], run[-1] - run[0] + 1


@given(
    TEXTS,
    st.integers(1, 6),
    st.sampled_from(RULES[:3]),
    st.sampled_from((None, *RULES)),
    st.sampled_from((None, stop_words, words_and_numbers)),
)
def test_ngrams_are_those_found_one_by_one(text, longest, edges, inside, removed):
    document = analysed(text)
    expected = list(one_by_one(document, longest, edges, inside, removed))
    found = ngram_occurrences(document, longest, edges, inside, removed)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == expected
    grouped: dict[int, list[tuple[int, int]]] = {}
    for key, position, width in expected:
        grouped.setdefault(key, []).append((position, width))
    candidates = ngrams(document, longest, edges, inside, removed)
    assert candidates.key.tolist() == list(grouped)
    for at, (key, occurrences) in enumerate(grouped.items()):
        positions, widths = candidates.occurrences(at)
        assert (candidates.key[at], candidates.frequency[at]) == (key, len(occurrences))
        assert list(zip(positions.tolist(), widths.tolist(), strict=True)) == occurrences
        assert (candidates.first[at], candidates.length[at]) == occurrences[0]
        assert candidates.last[at] == occurrences[-1][0]


@pytest.mark.parametrize("longest", [0, -1])
def test_a_length_that_means_nothing_is_an_error(longest):
    with pytest.raises(BadParameter, match=f"at most {longest} tokens"):
        ngrams(analysed("grid jobs"), longest)


def test_a_length_beyond_the_text_takes_no_memory():
    assert len(ngrams(analysed("grid jobs"), 2**40)) == 3


def found(text: str) -> list[tuple[int, int, int, int]]:
    document = analysed(text)
    these = runs(document, content_words(document))
    return list(
        zip(these.key.tolist(), these.first.tolist(), these.length.tolist(), these.frequency.tolist(), strict=True)
    )


def test_runs_end_at_what_is_not_allowed_and_at_sentences():
    text = "Neural networks, grid of neural network. Grids\n\npeer-to-peer networks"
    assert found(text) == [
        (phrase_key("neural network"), 0, 2, 2),
        (phrase_key("grid"), 3, 1, 2),
        (phrase_key("peer to peer network"), 9, 2, 1),
    ]


def test_runs_are_as_long_as_they_get():
    text = " ".join(["tide"] * 40)
    assert found(text) == [(phrase_key(text), 0, 40, 1)]


def test_runs_are_grouped_as_ngrams_are():
    document = analysed("grid market, grid markets; neural grid market")
    assert equal(
        runs(document, content_words(document)).where(np.array([True, False])),
        ngrams(analysed("grid market, grid markets"), 2).where(np.array([False, True, False])),
    )


@pytest.mark.parametrize("text", ["", "of the and"])
def test_nothing_allowed(text: str):
    assert found(text) == []


def test_nouns_and_adjectives():
    document = tagged("deep/JJ nets/NNS learn/VBP the/DT best/JJS HyARM/NNP ,/, 3/NN x/NN trained/VBN")
    assert nouns_and_adjectives(document).tolist() == [True, True, False, False, True, True] + [False] * 4
