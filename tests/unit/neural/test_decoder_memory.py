"""Memory of decoders: hypotheses that change places share what belongs to their document.

Rows 0 and 1 are of one document in both tests, row 2 is of another: only an order that mixes documents copies sources.
"""

import pytest
import torch

from keywright.neural.data.examples import Example
from keywright.neural.layers import DecoderMemory
from keywright.neural.models.pretrained import T5, Bart

SOURCES = [("tidal", "energy", "of", "grids"), ("lake", "ice")]
SIZE = {"width": 16, "heads": 2, "inner": 16, "layers": 1, "dropout": 0.0}


@pytest.mark.parametrize(("kind", "pieces"), [(Bart, 280), (T5, 40)])
@torch.inference_mode()
def test_networks_of_transformers(kind, pieces):
    examples = [Example(str(number), source, (), ()) for number, source in enumerate(SOURCES)]
    model = kind.from_config(SIZE, kind.files_from(examples, pieces)).eval()
    memory = model._encoded(SOURCES).rows(torch.tensor([0, 0, 1]))
    _, memory = model.step(memory, torch.tensor([model.begin, model.end, model.begin]))
    of_step = memory.cache.self_attention_cache.layers[0].keys.clone()
    of_source = memory.cache.cross_attention_cache.layers[0].keys
    swapped = model.rows(memory, torch.tensor([1, 0, 2]))
    assert swapped.states is memory.states
    assert swapped.cache.cross_attention_cache.layers[0].keys is of_source
    assert swapped.cache.self_attention_cache.layers[0].keys.equal(of_step[[1, 0, 2]])
    mixed = model.rows(swapped, torch.tensor([2, 0]))
    assert mixed.document.tolist() == [1, 0]
    assert mixed.states.equal(memory.states[[2, 0]])
    assert mixed.cache.cross_attention_cache.layers[0].keys.equal(of_source[[2, 0]])


def test_a_transformer_that_copies():
    numbers = torch.arange(3.0)
    source, past = ((numbers[:, None], numbers[:, None]),), ((numbers, numbers),)
    mask, extended = torch.ones(3, 1, dtype=torch.bool), torch.arange(3)[:, None]
    memory = DecoderMemory(source, mask, extended, 0, torch.tensor([0, 0, 1]), past)
    swapped = memory.rows(torch.tensor([1, 0, 2]))
    assert swapped.source is memory.source
    assert swapped.past[0][0].tolist() == [1, 0, 2]
    mixed = memory.rows(torch.tensor([2, 0]))
    assert mixed.document.tolist() == [1, 0]
    assert mixed.source[0][0].flatten().tolist() == mixed.extended.flatten().tolist() == [2, 0]
