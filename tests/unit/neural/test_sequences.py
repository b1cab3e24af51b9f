"""Greedy, beams, samples, constraints and phrases, on a decoder whose distributions are written down."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Generation
from keywright.neural.decoding.phrases import Decoding, GeneratedPhrase, PresentOnly, cut_phrases, merge_phrases
from keywright.neural.decoding.sequences import Stepper, write_sequences

BEGIN, END, A, B, SEPARATOR = range(5)
NEXT = {(): [0, 0.1, 0.5, 0.4, 0], (A,): [0, 0.4, 0.3, 0.3, 0], (B,): [0, 0.9, 0.05, 0.05, 0]}
"""Probabilities of the next word: greedy writes A and ends (.5 x .4 = .2), the best sequence is B and the end (.36)."""


@dataclass(frozen=True)
class State:
    written: tuple[tuple[int, ...], ...]

    def rows(self, rows):
        return State(tuple(self.written[row] for row in rows.tolist()))


class Written(Stepper[State]):
    begin, end = BEGIN, END

    def step(self, state, words):
        prefixes = [
            (*prefix, word) if word != BEGIN else prefix
            for prefix, word in zip(state.written, words.tolist(), strict=True)
        ]
        rows = [NEXT.get(prefix, [0, 1, 0, 0, 0]) for prefix in prefixes]
        return torch.tensor(rows).log(), State(tuple(prefixes))


def decode(count=1, constraint=None, **settings: Any):
    return write_sequences(Written(), State(((),) * count), count, Decoding(**settings), constraint)


def test_greedy_takes_the_likeliest_word_at_each_step():
    assert [[each.words for each in row] for row in decode(count=2)] == [[(A, END)], [(A, END)]]
    assert [math.exp(value) for value in decode()[0][0].log_probabilities] == pytest.approx([0.5, 0.4])


def test_beams_find_the_likeliest_sequence():
    (row,) = decode(strategy="beam", width=2)
    assert [each.words for each in row] == [(B, END), (A, END)]
    assert [math.exp(sum(each.log_probabilities)) for each in row] == pytest.approx([0.36, 0.2])


def test_a_beam_of_one_is_greedy():
    assert decode(strategy="beam", width=1) == decode()


def test_samples_have_the_frequencies_of_the_model():
    (row,) = decode(strategy="sampling", width=4000, seed=3)
    first = [each.words[0] for each in row]
    assert first.count(B) / 4000 == pytest.approx(0.4, abs=0.03)  # four standard deviations
    assert decode(strategy="sampling", width=3, seed=3) == decode(strategy="sampling", width=3, seed=3)


def test_the_longest_sequence_is_cut():
    (row,) = decode(longest=1)
    assert row[0].words == (A,)


def test_only_phrases_of_the_source_are_written():
    constraint = PresentOnly([[B]], frozenset({SEPARATOR, END}), frozenset({END}), END)
    (row,) = decode(constraint=constraint)
    assert row[0].words == (B, END)


def test_a_constraint_follows_all_places_of_a_word():
    constraint = PresentOnly([[A, B, A, A]], frozenset({SEPARATOR, END}), frozenset({END}), END)
    allowed = lambda: {word for word in range(5) if constraint.apply(np.zeros((1, 5), np.float32))[0, word] == 0}  # noqa: E731
    assert allowed() == {A, B, END}
    constraint.step([A])
    assert allowed() == {A, B, SEPARATOR, END}
    constraint.step([B])
    assert allowed() == {A, SEPARATOR, END}
    constraint.step([SEPARATOR])
    assert allowed() == {A, B, END}


def tokens(text):
    return [(word, -0.5 * number) for number, word in enumerate(text.split(), 1)]


def test_phrases_are_cut_at_delimiters_and_keep_their_probabilities():
    first, second = cut_phrases(tokens("a b ; ; c <eos> d"), frozenset({";"}), "<eos>")
    assert first.generation == Generation(("a", "b"), (-0.5, -1.0), end=-1.5, words=2)
    assert second.generation == Generation(("c",), (-2.5,), end=-3.0)


def test_a_phrase_that_was_cut_off_has_no_end():
    (phrase,) = cut_phrases(tokens("a b"), frozenset({";"}), "<eos>")
    assert phrase.generation.end is None


def test_phrases_of_several_lists_are_ordered_by_votes():
    def phrase(word, value):
        return GeneratedPhrase((word,), Generation((word,), (value,)))

    lists = [[phrase("a", -1), phrase("b", -2)], [phrase("b", -0.5), phrase("b", -3)], [phrase("c", -0.1)]]
    assert [(each.words[0], each.generation.log_probabilities[0]) for each in merge_phrases(lists)] == [
        ("b", -0.5), ("c", -0.1), ("a", -1),
    ]  # fmt: skip


@pytest.mark.parametrize("settings", [{"width": 0}, {"longest": 0}, {"temperature": 0.0}])
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(BadParameter, match="expected"):
        Decoding(**settings)
