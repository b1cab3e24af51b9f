"""Grammar of lists with start marks, and exclusion of first words: cases by hand."""

import math

import pytest
import torch

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import ABSENT, BEGIN, END, NULL, PAD, PRESENT, PRESENT_END, SEPARATOR, UNKNOWN
from keywright.neural.decoding.phrases import LEAST, PresentOnly, cut_phrases
from keywright.neural.layers import choose_rows
from keywright.neural.models.exhird import Exclusion, ListLimits, Progress, exclusion_loss, list_earlier_first_words

CPU = torch.device("cpu")
WORDS = {UNKNOWN, 9, 10, 11}
LIMITS = ListLimits(phrases=2, words=2)


def after(*words: int, window: int = 1) -> Progress:
    progress = Progress.start(1, window, CPU)
    for word in (BEGIN, *words):
        progress = progress.after(torch.tensor([word]))
    return progress


def following(progress: Progress) -> set[int]:
    values = progress.mask(torch.full((1, 12), math.log(1 / 12)), LIMITS)[0].tolist()
    allowed = {word for word, value in enumerate(values) if value > -math.inf}
    # What may follow keeps its probability: the mass of the rest is not shared out.
    assert all(values[word] == pytest.approx(math.log(1 / 12)) for word in allowed)
    return allowed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), {PRESENT, ABSENT}),
        ((PRESENT,), WORDS),
        ((PRESENT, 9), WORDS | {SEPARATOR}),
        ((PRESENT, 9, 10), {SEPARATOR}),
        ((PRESENT, 9, SEPARATOR), {PRESENT, ABSENT, END}),
        ((PRESENT, 9, SEPARATOR, ABSENT), WORDS - {9}),
        ((PRESENT, 9, SEPARATOR, ABSENT, 10), WORDS | {SEPARATOR}),
        ((PRESENT, 9, SEPARATOR, ABSENT, 10, SEPARATOR), {END}),
    ],
)
def test_tokens_that_may_follow(words, expected):
    assert following(after(*words)) == expected
    assert not expected & {PAD, BEGIN, PRESENT_END, NULL}


def test_window_of_hard_exclusion():
    limits = ListLimits()
    written = (PRESENT, 9, 11, SEPARATOR, PRESENT, 10, SEPARATOR, PRESENT)
    excluded = {}
    for window in range(4):
        values = after(*written, window=window).mask(torch.zeros(1, 12), limits)[0, 9:]
        excluded[window] = {word for word, value in enumerate(values.tolist(), 9) if value == -math.inf}
    assert excluded == {0: set(), 1: {10}, 2: {9, 10}, 3: {9, 10}}


def test_progress_of_rows_goes_with_them():
    progress = Progress.start(2, 1, CPU)
    for words in ([BEGIN, BEGIN], [PRESENT, PRESENT], [9, 10], [SEPARATOR, SEPARATOR], [PRESENT, PRESENT]):
        progress = progress.after(torch.tensor(words))
    values = choose_rows(progress, torch.tensor([1, 0, 1])).mask(torch.zeros(3, 12), LIMITS)
    assert values[:, 9:].tolist() == [[0, -math.inf, 0], [-math.inf, 0, 0], [0, -math.inf, 0]]


def test_first_words_before_each_phrase():
    # The third phrase begins like the first, so that only the second counts there.
    windows = list_earlier_first_words([[5, 6, 5, 7], [8]], 2).tolist()
    assert windows == [[PAD, PAD], [5, PAD], [6, PAD], [6, 5], [PAD, PAD]]


def test_soft_exclusion():
    probabilities = torch.tensor([[0.4, 0.25, 0.2, 0.15], [0.5, 0.1, 0.2, 0.2], [0.1, 0.2, 0.3, 0.4]])
    excluded = torch.tensor([[PAD, PAD], [1, PAD], [2, 3]])
    # -log(1 - .1), -log(1 - .3) and -log(1 - .4); the first phrase has none before it.
    expected = -math.log(0.9) - math.log(0.7) - math.log(0.6)
    assert exclusion_loss(probabilities.log(), excluded).item() == pytest.approx(expected, rel=1e-6)


def test_soft_exclusion_of_a_certain_word_is_finite():
    certain = torch.tensor([[-50.0, 0.0]], requires_grad=True)
    loss = exclusion_loss(certain, torch.tensor([[1]]))
    loss.backward()
    assert math.isfinite(loss.item())
    assert certain.grad is not None
    assert certain.grad.isfinite().all()


def test_published_exclusions():
    assert Exclusion() == Exclusion(hard_window=1, soft_weight=0)


@pytest.mark.parametrize("values", [{"hard_window": -1}, {"soft_weight": -0.5}, {"soft_window": -2}])
def test_negative_exclusion_is_refused(values):
    with pytest.raises(BadParameter, match="expected numbers from 0"):
        Exclusion(**values)


@pytest.mark.parametrize("values", [{"phrases": 0}, {"words": 0}])
def test_limits_below_one_are_refused(values):
    with pytest.raises(BadParameter, match="at least one phrase of one word"):
        ListLimits(**values)


def test_phrases_get_the_probability_of_their_start_mark():
    tokens = [(text, float(-value)) for value, text in enumerate(("<p>", "a", "b", ";", "<p>", ";", "<a>", "c"), 1)]
    phrases = cut_phrases(tokens, frozenset({";"}), "<eos>", frozenset({"<p>", "<a>"}))
    assert [(phrase.words, phrase.generation.start, phrase.generation.end) for phrase in phrases] == [
        (("a", "b"), -1, -4),
        (("c",), -7, None),
    ]


def test_a_sequence_ends_where_its_model_excludes_every_word_of_the_source():
    constraint = PresentOnly([[9], [9, 10]], frozenset({SEPARATOR}), frozenset({END, PRESENT}), END)
    values = torch.full((2, 12), -1.0)
    values[:, [9, END, PRESENT, SEPARATOR]] = -math.inf
    allowed = constraint.apply(values.numpy())
    assert allowed[0].argmax() == END
    assert allowed[0, END] == pytest.approx(LEAST)
    assert [word for word in range(12) if allowed[1, word] > -math.inf] == [10]


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_soft_exclusion_by_hand_in_both_precisions(precision):
    """-log(1 - P) of the excluded words of two phrases; padding costs nothing, and a P near 1 does not become 1."""
    values = torch.tensor([[0.5, 0.25, 0.25], [2**-20, 0.5, 0.5]]).log()
    values[1, 0] = -(2.0**-20)  # P is 1 - 2 ** -20, which bfloat16 has not; its logarithm it has exactly
    loss = exclusion_loss(values.to(precision), torch.tensor([[1, PAD], [0 + 3 - 1, PAD]]))
    assert loss.item() == pytest.approx(-math.log(0.75) - math.log(0.5), rel=1e-2)
    near = torch.tensor([[-5.0, -(2.0**-20)]]).to(precision)
    assert exclusion_loss(near, torch.tensor([[1]])).item() == pytest.approx(20 * math.log(2), rel=1e-3)
