"""Work of neural generators that is timed: documents made here, steps of training, greedy lists of a fixed length."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from keywright.neural.data.examples import Example
from keywright.neural.decoding.phrases import Decoding
from keywright.neural.models.generator import KeyphraseGenerator, find_generator
from keywright.neural.training.recipe import Profile, Recipe
from keywright.neural.training.state import has_bfloat16, make_optimiser

_PHRASES = 6  # keyphrases of a document, half of them present; about as many as authors give
_SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwz" for vowel in "aeiou"]
LISTED = 60  # tokens of a greedy list, the limit of the published generators; slots of One2Set have their own number


def made_words(count: int) -> list[str]:
    """Different words of syllables, the most frequent first."""
    base = len(_SYLLABLES)
    words = []
    for number in range(count):
        digits, rest = [number % base], number // base
        while rest:
            digits.append((rest - 1) % base)
            rest = (rest - 1) // base
        words.append("".join(_SYLLABLES[digit] for digit in reversed(digits)))
    return words


def made_examples(count: int, words: Sequence[str], longest: int, seed: int = 1) -> list[Example]:
    """Documents of ``longest`` / 2 to ``longest`` words, drawn by Zipf's law; the same for the same numbers."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, len(words) + 1)
    weights /= weights.sum()
    examples = []
    for number in range(count):
        length = int(random.integers(longest // 2, longest + 1))
        source = tuple(words[at] for at in random.choice(len(words), length, p=weights))
        starts = random.integers(0, length - 1, _PHRASES // 2).tolist()
        present = tuple(source[start : start + 2] for start in starts)
        absent = tuple(tuple(words[at] for at in random.choice(len(words), 2)) for _ in range(_PHRASES - len(present)))
        examples.append(Example(str(number), source, present, absent))
    return examples


def new_model(name: str, profile: Profile, words: Sequence[str], device: str) -> KeyphraseGenerator:
    """A generator of a profile with random weights; all words are in the examples that its vocabulary is made of."""
    kind = find_generator(name)
    torch.manual_seed(profile.recipe.seed)
    files = kind.files_from([Example("all words", tuple(words), (), ())], profile.words)
    return kind.from_config(profile.config, files).to(torch.device(device))


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds of work.

    On one thread they are CPU seconds, which a busy machine disturbs little; on several, and on an accelerator, they
    are those of the clock.
    """

    device: str
    threads: int

    @contextmanager
    def timing(self, seconds: list[float]) -> Iterator[None]:
        """Append the seconds that the block takes."""
        read = time.process_time if self.device == "cpu" and self.threads == 1 else time.perf_counter
        self._wait()
        start = read()
        yield
        self._wait()
        seconds.append(read() - start)

    def _wait(self) -> None:
        if self.device != "cpu":
            torch.accelerator.synchronize()


Loss = Callable[[Sequence[Example]], tuple[torch.Tensor, int]]
"""Mean loss of a batch, and the number of its target tokens."""


def loss_of(model: KeyphraseGenerator) -> Loss:
    """The loss of a generator, as the training loop divides it."""

    def mean(examples: Sequence[Example]) -> tuple[torch.Tensor, int]:
        loss = model.loss(examples)
        return loss.total / max(1, loss.tokens), loss.tokens

    return mean


class Steps:
    """Steps of training, as the training loop makes them: mixed precision, clipping, optimiser, learning rate."""

    def __init__(self, model: torch.nn.Module, recipe: Recipe, loss: Loss, device: str) -> None:
        """Start at step 0."""
        self._model, self._recipe, self._loss, self._device = model, recipe, loss, device
        self._optimiser, self._done = make_optimiser(recipe, model), 0

    def make(self, examples: Sequence[Example]) -> tuple[float, int]:
        """Make a step; return the loss and the number of target tokens."""
        for group in self._optimiser.param_groups:
            group["lr"] = self._recipe.rate(self._done)
        self._model.train()
        self._optimiser.zero_grad(set_to_none=True)
        is_mixed = self._recipe.mixed_precision and has_bfloat16(torch.device(self._device))
        with torch.autocast(self._device, torch.bfloat16, enabled=is_mixed):
            mean, tokens = self._loss(examples)
        mean.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), self._recipe.clip)
        self._optimiser.step()
        self._done += 1
        return float(mean.detach()), tokens


def greedy_of(model: Any) -> Callable[[Sequence[Example]], object]:
    """Greedy decoding of ``LISTED`` tokens for each document, which no end stops; of all slots for One2Set."""
    longest = LISTED
    if hasattr(model, "step"):
        step, end = model.step, model.end

        def endless(state: Any, words: torch.Tensor) -> tuple[torch.Tensor, Any]:
            log_probabilities, after = step(state, words)
            log_probabilities[:, end] = -torch.inf
            return log_probabilities, after

        model.step = endless
    if model.name == "exhird":  # start marks come on top of the limit
        longest -= model.limits.phrases

    def decode(examples: Sequence[Example]) -> object:
        model.eval()
        with torch.inference_mode():
            return model.generate([example.source for example in examples], Decoding(longest=longest))

    return decode


def tokens_listed(model: Any) -> int:
    """Tokens that ``greedy_of`` writes for a document."""
    return model.slots.count * model.slots.steps if model.name == "one2set" else LISTED
