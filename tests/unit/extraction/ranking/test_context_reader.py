"""The reader: which windows of a long text it reads, and how mentions become log-odds."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.ranking.context_reader import (
    CANDIDATES,
    MENTIONS,
    ContextHead,
    Mentions,
    best_candidates,
    chosen_windows,
    gather_states,
    read_mentions,
)
from keywright.extraction.systems.default import Default
from keywright.text.encoders import MINILM, cut_windows


def test_a_text_of_few_windows_is_read_whole():
    assert list(chosen_windows(np.array([0]), np.array([2]), np.ones(1), windows=3, most=3)) == [0, 1, 2]


def test_windows_of_the_heaviest_candidates_are_read_besides_the_first():
    """Candidate 0 (weight .9) is in window 4, candidate 1 (.5) in 5 and 6, candidate 2 (.6) in 5: 5 has 1.1, then 4."""
    owner, window = np.array([0, 1, 1, 2]), np.array([4, 5, 6, 5])
    weight = np.array([0.9, 0.5, 0.6])
    assert chosen_windows(owner, window, weight, windows=8, most=3) == [0, 1, 5]
    assert chosen_windows(owner, window, weight, windows=8, most=4) == [0, 1, 4, 5]
    assert chosen_windows(owner, window, weight, windows=8, most=5) == [0, 1, 4, 5, 6]


def test_a_candidate_that_was_read_twice_calls_for_no_more_windows():
    """Candidate 0 is everywhere, so the first two windows suffice for it; candidate 1 is in window 7 alone."""
    owner, window = np.array([*[0] * 8, 1]), np.array([*range(8), 7])
    assert chosen_windows(owner, window, np.array([0.9, 0.1]), windows=8, most=3) == [0, 1, 7]


def test_the_candidates_with_the_highest_log_odds_are_read():
    """Log-odds rise, so the last ones are the best; of equal ones the first are taken."""
    rising = best_candidates(np.arange(CANDIDATES + 5.0))
    assert np.flatnonzero(~rising).tolist() == [0, 1, 2, 3, 4]
    assert np.flatnonzero(best_candidates(np.zeros(CANDIDATES + 1))).tolist() == list(range(CANDIDATES))


def test_the_first_mentions_of_a_candidate_are_read():
    """A text of one window names *tides* eight times, and *gauges* once."""
    document = analysed(f"{'Tides rise. ' * 8}Gauges fall.", language="en")
    shortlist = Default().view(document)[0].shortlist
    mentions = read_mentions(cut_windows(document, MINILM.load_tokenizer()), shortlist, np.zeros(len(shortlist)))
    assert list(mentions.windows) == [0]
    tides = int(np.argmax(shortlist.frequency))
    assert shortlist.frequency[tides] == 8
    assert (mentions.owner == tides).sum() == MENTIONS
    assert mentions.first[mentions.owner == tides].tolist() == [0, 3, 6, 9, 12, 15]  # tides, rise, full stop
    assert set(mentions.owner.tolist()) == set(range(len(shortlist)))


def test_mentions_outside_of_the_windows_that_are_read_are_left_out():
    """A text of many windows, of which one may be read: the first."""
    document = analysed("Tides rise at the coast where gauges fall. " * 250, language="en")
    windows = cut_windows(document, MINILM.load_tokenizer())
    shortlist = Default().view(document)[0].shortlist
    assert len(windows) > 2
    mentions = read_mentions(windows, shortlist, np.zeros(len(shortlist)), most=1)
    assert list(mentions.windows) == [0]
    assert len(mentions.owner) > 0
    assert set(mentions.window.tolist()) == {0}


def test_vectors_are_the_ends_and_the_mean_of_a_mention():
    """States of one window: 1, 2, 4, 8; the mention from 1 to 2 has ends 2 and 4 and mean 3."""
    states = {3: np.array([[1.0], [2.0], [4.0], [8.0]], np.float32)}
    mention = Mentions([3], np.array([0]), np.array([3]), np.array([0]), np.array([1]))
    vectors, document = gather_states(mention, states)
    assert vectors.tolist() == [[2, 4, 3]]
    assert document.tolist() == [3.75, 3.75]


def weights():
    """One number in each layer: the head computes gelu of mention plus document, and multiplies the factors."""
    one, none = np.ones((1, 1), np.float32), np.zeros(1, np.float32)
    return {
        "mention.weight": np.array([[1, 0, 0]], np.float32),
        "mention.bias": none,
        "document.weight": np.array([[1, 0]], np.float32),
        "style.weight": np.array([[0], [10]], np.float32),
        "mention_factor.weight": one,
        "mention_factor.bias": none,
        "document_factor.weight": np.array([[0, 1]], np.float32),
        "document_factor.bias": none,
        # Mean and highest of both, then log-odds and logarithm of the mentions: each counts once.
        "joint.weight": np.ones((1, 6), np.float32),
        "joint.bias": none,
        "joint_style.weight": np.zeros((2, 1), np.float32),
        "out.weight": one,
        "out.bias": none,
    }


def test_the_head_by_hand():
    """Candidate 0 has mentions 20 and 40, document 5: gelu of 25 and 45 is themselves, products with 2 are 2 and 4.

    Means 35 and 3, highest 45 and 4, log-odds 8 / 4, ln(1 + 2); far from 0, the second gelu changes nothing either.
    In style 1 both sums are 10 more. Candidate 1 was not read.
    """
    owner, states = np.array([0, 0]), (np.array([[20, 0, 1], [40, 0, 2]], np.float32), np.array([5, 2], np.float32))
    head = ContextHead(weights())
    expected = 35 + 3 + 45 + 4 + 2 + np.log(3)
    assert head.corrections(owner, states, np.array([8.0, 1.0]), 0) == pytest.approx([expected, 0])
    assert head.corrections(owner, states, np.array([8.0, 1.0]), 1) == pytest.approx([expected + 20, 0])


def test_nothing_read_corrects_nothing():
    nothing = (np.zeros((0, 3), np.float32), np.zeros(2, np.float32))
    assert ContextHead(weights()).corrections(np.zeros(0, np.int64), nothing, np.array([1.0, 2.0]), 0).tolist() == [
        0,
        0,
    ]
