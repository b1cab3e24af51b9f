"""Graphs of One2Seq and One2Set: keys and values of the source, and of the steps so far."""

import torch
from torch import Tensor

from keywright.neural.data.source_batch import SourceBatch
from keywright.neural.exporting.graphs import Graphs
from keywright.neural.layers.transformer import DecoderMemory, KeysAndValues
from keywright.neural.models.one2seq import One2Seq
from keywright.neural.models.one2set import One2Set


class CopyGraphs(Graphs[One2Seq | One2Set]):
    """Graphs of a Transformer with copying; a plain decoder has one slot."""

    def __init__(self, model: One2Seq | One2Set) -> None:
        super().__init__(model)
        layers = range(model.network.size.layers)
        source = [f"source_{kind}_{layer}" for layer in layers for kind in ("keys", "values")]
        self.changed = tuple(f"past_{kind}_{layer}" for layer in layers for kind in ("keys", "values"))
        self.encoded = (*source, *self.changed)
        self._slots = model.slots.count if isinstance(model, One2Set) else 1
        self._codes = model.codes if isinstance(model, One2Set) else None

    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return keys and values of the source, (rows, heads, places, width), and none of steps."""
        (extended,) = inputs
        memory = self.model.network.encode(SourceBatch.numbered(extended, (), self.model.network.words))
        source = [tensor for pair in memory.source for tensor in pair]
        rows, heads, _, width = source[0].shape
        nothing = [tensor.new_zeros((rows, self._slots, heads, 0, width)) for tensor in source]
        return (*source, *nothing)

    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities and the keys and values with those of this step."""
        extended, behind, *tensors = state
        source, past = tensors[: len(self.changed)], [tensor.flatten(0, 1) for tensor in tensors[len(self.changed) :]]
        numbered = SourceBatch.numbered(extended, (), self.model.network.words)
        rows, steps = torch.arange(extended.shape[0]), past[0].shape[2]
        memory = DecoderMemory(
            _pairs(source), numbered.mask, extended, behind.shape[1], rows, _pairs(past), steps=steps
        )
        states, attention, memory = self.model.network.decode(memory, words.reshape(-1, self._slots, 1), self._codes)
        log_probabilities = self.model.network.log_probabilities(states, attention, memory)
        together = [tensor.unflatten(0, (-1, self._slots)) for pair in memory.past for tensor in pair]
        return (log_probabilities if self._codes is not None else log_probabilities.squeeze(1), *together)

    def words(self, rows: int) -> Tensor:
        """Return words to try a step with, (rows,), or (rows, slots) for a decoder of slots."""
        words = super().words(rows)
        return words if self._codes is None else words[:, None].expand(-1, self._slots).contiguous()


def _pairs(tensors: list[Tensor]) -> tuple[KeysAndValues, ...]:
    return tuple(zip(tensors[::2], tensors[1::2], strict=True))
