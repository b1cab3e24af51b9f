"""Graphs of ExHiRD: states of both levels of the decoder, and where each row is in its list."""

from typing import Final

from torch import Tensor

from keywright.neural.data.source_batch import SourceBatch
from keywright.neural.decoding.grammar import Progress
from keywright.neural.exporting.graphs import Graphs
from keywright.neural.layers.hierarchical import HierarchicalState
from keywright.neural.models.exhird import ExHiRD, Writing

_LEVELS: Final = ("phrase", "phrase_scores", "word", "attentional")
_PROGRESS: Final = ("phrases", "tokens", "first_words")


class HierarchicalGraphs(Graphs[ExHiRD]):
    """Graphs of a decoder with two levels; grammar and exclusion are part of its step."""

    encoded = ("source", *_LEVELS, *_PROGRESS)
    changed = (*_LEVELS, *_PROGRESS)

    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the encoder's states, those of both levels, and the progress of empty lists."""
        (extended,) = inputs
        network = self.model.network
        state = network.encode(SourceBatch.numbered(extended, (), network.words))
        progress = Progress.start(extended.shape[0], self.model.exclusion.hard_window, extended.device)
        # Several tensors begin alike; a graph has one output for each.
        return tuple(tensor.clone() for tensor in (state.source, *_levels(state), *_progress(progress)))

    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities, and both levels and the progress after the words."""
        extended, behind, source, *tensors = state
        numbered = SourceBatch.numbered(extended, (), self.model.network.words)
        levels = dict(zip(_LEVELS, tensors[: len(_LEVELS)], strict=True))
        decoder = HierarchicalState(source, numbered.mask, extended, behind.shape[1], **levels)
        writing = Writing(decoder, Progress(*tensors[len(_LEVELS) :]))
        log_probabilities, writing = self.model.step(writing, words)
        return (log_probabilities, *_levels(writing.decoder), *_progress(writing.progress))


def _levels(state: HierarchicalState) -> list[Tensor]:
    return [getattr(state, name) for name in _LEVELS]


def _progress(progress: Progress) -> list[Tensor]:
    return [getattr(progress, name) for name in _PROGRESS]
