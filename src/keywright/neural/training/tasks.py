"""Tasks of a training: the changes of a step's examples, and the measures of a validation."""

import abc
from collections.abc import Callable, Sequence

import numpy as np

from keywright.neural.data.examples import Example, Words
from keywright.neural.decoding.settings import Decoding
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.training.denoising import noisy
from keywright.neural.training.kpdrop import KeyphraseDropout
from keywright.neural.training.options import Objective
from keywright.neural.training.recipe import Recipe
from keywright.neural.training.validation import LOSS, mean_loss, validated


class Task(abc.ABC):
    """A task of a training; seed and step alone decide the changes, so that a resumed training repeats them."""

    @abc.abstractmethod
    def examples(self, examples: Sequence[Example], step: int) -> Sequence[Example]:
        """Return the examples that the model reads in a step, counted from 0."""

    @abc.abstractmethod
    def validated(self, model: KeyphraseGenerator, examples: Sequence[Example], batch: int) -> dict[str, float]:
        """Return the measures of a validation, the loss of a target token among them."""


class WritingKeyphrases(Task):
    """Write the keyphrases of a source, of which some may be removed."""

    def __init__(self, dropout: KeyphraseDropout | None) -> None:
        self._dropout = dropout

    def examples(self, examples: Sequence[Example], step: int) -> Sequence[Example]:
        """Return the examples, changed by dropout of keyphrases if there is any."""
        return examples if self._dropout is None else self._dropout.apply(examples, step)

    def validated(self, model: KeyphraseGenerator, examples: Sequence[Example], batch: int) -> dict[str, float]:
        """Return F1 of present and absent keyphrases, and the loss."""
        return validated(model, examples, Decoding(longest=model.longest), batch)


class RestoringText(Task):
    """Restore a text whose sentences changed places and whose words were partly replaced by marks."""

    def __init__(self, seed: int, read: Callable[[Words], int]) -> None:
        """Set the seed, and the function that counts the words that the model reads: others cannot be restored."""
        self._seed, self._read = seed, read

    def examples(self, examples: Sequence[Example], step: int) -> Sequence[Example]:
        """Return the examples with changed sources, and the texts as their only keyphrases."""
        random = np.random.default_rng((self._seed, step, 1))
        return self._noisy(examples, random)

    def validated(self, model: KeyphraseGenerator, examples: Sequence[Example], batch: int) -> dict[str, float]:
        """Return the loss, with the same changes at each validation."""
        random = np.random.default_rng((self._seed, 2))
        model.eval()
        return {LOSS: mean_loss(model, self._noisy(examples, random), batch)}

    def _noisy(self, examples: Sequence[Example], random: np.random.Generator) -> list[Example]:
        sources = (example.source[: self._read(example.source)] for example in examples)
        return [noisy(example.id, source, random) for example, source in zip(examples, sources, strict=True)]


def task_of(recipe: Recipe, model: KeyphraseGenerator) -> Task:
    """Return the task of a recipe for a model."""
    if recipe.objective is Objective.DENOISING:
        return RestoringText(recipe.seed, model.read)
    dropout = KeyphraseDropout(recipe.kpdrop, recipe.kpdrop_variant, recipe.seed) if recipe.kpdrop else None
    return WritingKeyphrases(dropout)
