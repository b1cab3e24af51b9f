"""Tasks of a training: the changes of a step's examples, and the measures of a validation."""

import abc
from collections.abc import Sequence

from keywright.neural.data.examples import Example
from keywright.neural.decoding.settings import Decoding
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.training.kpdrop import KeyphraseDropout
from keywright.neural.training.recipe import Recipe
from keywright.neural.training.validation import validated


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


def task_of(recipe: Recipe) -> Task:
    """Return the task of a recipe."""
    dropout = KeyphraseDropout(recipe.kpdrop, recipe.kpdrop_variant, recipe.seed) if recipe.kpdrop else None
    return WritingKeyphrases(dropout)
