"""Graphs of BART and T5: the cache of the library transformers as tensors."""

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache, PreTrainedConfig

from keywright.neural.exported.sessions import EXTENDED, MASK
from keywright.neural.exporting.graphs import Graphs
from keywright.neural.models.pretrained import PieceMemory, PretrainedGenerator


class PieceGraphs(Graphs[PretrainedGenerator]):
    """Graphs of a network of transformers; a source has numbers of pieces and a mask."""

    inputs = (EXTENDED, MASK)
    numbered = (MASK,)

    def __init__(self, model: PretrainedGenerator) -> None:
        super().__init__(model)
        layers = range(_layers(model.network.config))
        source = [f"source_{kind}_{layer}" for layer in layers for kind in ("keys", "values")]
        self.changed = tuple(f"past_{kind}_{layer}" for layer in layers for kind in ("keys", "values"))
        self.encoded = (*source, *self.changed)

    def encode(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return keys and values of the source, (rows, heads, places, width), and none of steps."""
        numbers, mask = inputs
        states = self.model.network.get_encoder()(input_ids=numbers, attention_mask=mask).last_hidden_state
        # The library projects the source's keys and values in the first step; the rest of that step is not exported.
        words = torch.full((len(numbers),), self.model.begin, device=numbers.device)
        _, memory = self.model.step(PieceMemory(states, mask, torch.arange(words.shape[0])), words)
        past, source = _tensors(memory)
        return (*source, *(tensor[:, :, :0] for tensor in past))

    def step(self, words: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        """Return log-probabilities and the keys and values with those of this step."""
        mask, *tensors = state
        source, past = tensors[: len(self.changed)], tensors[len(self.changed) :]
        cache = EncoderDecoderCache(_cache(past), _cache(source))
        # The states of the source are in the cache; the library looks at the size of this only.
        states = source[0].new_zeros((*mask.shape, 1))
        log_probabilities, memory = self.model.step(
            PieceMemory(states, mask, torch.arange(words.shape[0]), cache), words
        )
        return (log_probabilities, *_tensors(memory)[0])


def _layers(config: PreTrainedConfig) -> int:
    """Return the number of the decoder's layers, which the library calls differently in BART and T5."""
    layers = getattr(config, "decoder_layers", None) or config.num_decoder_layers
    return int(layers)


def _cache(tensors: list[Tensor]) -> DynamicCache:
    return DynamicCache(zip(tensors[::2], tensors[1::2], strict=True))


def _tensors(memory: PieceMemory) -> tuple[list[Tensor], list[Tensor]]:
    """Return keys and values of the steps so far, and of the source, for each layer."""
    caches = () if memory.cache is None else (memory.cache.self_attention_cache, memory.cache.cross_attention_cache)
    past, source = ([tensor for layer in cache.layers for tensor in (layer.keys, layer.values)] for cache in caches)
    return past, source
