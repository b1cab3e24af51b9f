"""Layers against torch's own and against hand-computed cases."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from keywright.neural.data.examples import Example
from keywright.neural.data.vocabulary import END, PAD, SPECIAL, UNKNOWN, Vocabulary
from keywright.neural.layers import Attention, CopyMixture, DecoderLayer, EncoderLayer, encode_positions
from keywright.neural.models.copy_transformer import CopyTransformer, Size
from keywright.neural.models.generator import SourceBatch
from keywright.neural.models.one2set import assign_keyphrases
from keywright.neural.training.state import SM3

torch.set_num_threads(1)


def give(ours: Attention, theirs: nn.MultiheadAttention) -> None:
    """Copy the weights of torch's attention, which has one matrix for queries, keys and values."""
    for part, weight, bias in zip(
        (ours.query, ours.key, ours.value), theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3), strict=True
    ):
        part.weight.data, part.bias.data = weight.data, bias.data
    ours.out.load_state_dict(theirs.out_proj.state_dict())


def test_attention_equals_torch():
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(8, 2, batch_first=True)
    ours = Attention(8, 2, 0.0)
    give(ours, theirs)
    queries, memory = torch.randn(3, 4, 8), torch.randn(3, 5, 8)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]], dtype=torch.bool)
    expected, weights = theirs(queries, memory, memory, key_padding_mask=~mask, average_attn_weights=False)
    keys, values = ours.memory(memory)
    torch.testing.assert_close(ours(queries, keys, values, mask[:, None, None, :]), expected, atol=1e-6, rtol=0)
    torch.testing.assert_close(ours.first_head(queries, keys, mask), weights[:, 0], atol=1e-6, rtol=0)


def test_encoder_layer_equals_torch():
    torch.manual_seed(1)
    theirs = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True, norm_first=True).eval()
    ours = EncoderLayer(8, 2, 16, 0.0).eval()
    give(ours.attention, theirs.self_attn)
    ours.feed_forward[0].load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward[3].load_state_dict(theirs.linear2.state_dict())
    states = torch.randn(2, 5, 8)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], dtype=torch.bool)
    expected = theirs(states, src_key_padding_mask=~mask)
    torch.testing.assert_close(ours(states, mask)[mask], expected[mask], atol=1e-6, rtol=0)


def test_decoder_layer_equals_torch_and_steps_equal_the_whole():
    torch.manual_seed(2)
    theirs = nn.TransformerDecoderLayer(8, 2, 16, 0.0, batch_first=True, norm_first=True).eval()
    ours = DecoderLayer(8, 2, 16, 0.0).eval()
    give(ours.self_attention, theirs.self_attn)
    give(ours.source_attention, theirs.multihead_attn)
    ours.feed_forward[0].load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward[3].load_state_dict(theirs.linear2.state_dict())
    states, memory = torch.randn(2, 4, 8), torch.randn(2, 5, 8)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], dtype=torch.bool)
    causal = nn.Transformer.generate_square_subsequent_mask(4)
    expected = theirs(states, memory, causal, memory_key_padding_mask=~mask)
    source = ours.source_attention.memory(memory)
    whole, _, _ = ours(states[:, None], None, source, mask)
    torch.testing.assert_close(whole[:, 0], expected, atol=1e-6, rtol=0)
    past, steps = None, []
    for step in range(4):
        state, past, _ = ours(states[:, None, step : step + 1], past, source, mask)
        steps.append(state[:, 0])
    torch.testing.assert_close(torch.cat(steps, 1), expected, atol=1e-6, rtol=0)


def test_slots_do_not_see_each_other():
    torch.manual_seed(3)
    layer = DecoderLayer(8, 2, 16, 0.0).eval()
    states, memory, mask = torch.randn(1, 3, 4, 8), torch.randn(1, 5, 8), torch.ones(1, 5, dtype=torch.bool)
    source = layer.source_attention.memory(memory)
    together, _, _ = layer(states, None, source, mask)
    for slot in range(3):
        alone, _, _ = layer(states[:, slot : slot + 1], None, source, mask)
        torch.testing.assert_close(together[:, slot], alone[:, 0], atol=1e-6, rtol=0)


def test_sinusoids_by_hand():
    values = encode_positions(torch.tensor([0, 1, 2]), 4)
    assert values[0].tolist() == [0, 0, 0, 0]
    slow = 1 / 10_000
    assert values[2].tolist() == pytest.approx([math.sin(2), math.sin(2 * slow), math.cos(2), math.cos(2 * slow)])


def test_copy_mixture_by_hand():
    mixture = CopyMixture(1)
    mixture.gate.weight.data.fill_(0.0)
    mixture.gate.bias.data.fill_(math.log(3))  # the gate is 3/4
    logits = torch.tensor([[[0.0, math.log(3)]]])  # P(word 0) = 1/4, P(word 1) = 3/4
    attention = torch.tensor([[[0.5, 0.3, 0.2]]])
    extended = torch.tensor([[1, 2, 1]])  # word 1, a word behind the vocabulary, word 1
    every = mixture.log_probabilities(torch.zeros(1, 1, 1), logits, attention, extended[:, None], 1).exp()
    assert every[0, 0].tolist() == pytest.approx([0.75 * 0.25, 0.75 * 0.75 + 0.25 * 0.7, 0.25 * 0.3])
    for word in range(3):
        value = mixture.target_log_probabilities(
            torch.zeros(1, 1), logits[0], attention[0], extended, torch.tensor([word])
        )
        assert value.exp().item() == pytest.approx(every[0, 0, word].item())


def test_assignment_by_hand():
    # Three slots, two keyphrases of one word (words 2 and 3) and an empty one; slot 1 likes word 2, slot 0 word 3.
    likes = torch.tensor([[0.1, 0.1, 0.2, 0.6], [0.1, 0.0, 0.7, 0.2], [0.2, 0.2, 0.3, 0.3]])
    targets = torch.tensor([[[2, 0], [3, 0], [1, 0]]])
    costly = torch.tensor([[[True, False], [True, False], [False, False]]])
    steps = likes.log()[None, :, None, :].expand(1, 3, 2, 4)
    assert assign_keyphrases(steps, targets, costly)[0, :, 0].tolist() == [3, 2, 1]


def test_assignment_takes_the_best_sum_not_the_best_single():
    # Slot 0 likes word 2 best of all, but the sum .5 + .6 of the crossed assignment is above .7 + .1.
    likes = torch.tensor([[0.1, 0.1, 0.7, 0.6], [0.2, 0.2, 0.5, 0.1]])
    targets = torch.tensor([[[2], [3]]])
    costly = torch.ones(1, 2, 1, dtype=torch.bool)
    assert assign_keyphrases(likes.log()[None, :, None, :], targets, costly)[0, :, 0].tolist() == [3, 2]


def test_parameters_of_the_published_size():
    layer = 4 * (512 * 512 + 512) + 512 * 2048 + 2048 + 2048 * 512 + 512
    norms, projection = 2 * 512, 512 * 512 + 512
    encoder = 6 * (layer + 2 * norms) + norms + projection
    decoder = 6 * (layer + 4 * (512 * 512 + 512) + 3 * norms) + norms + 2 * projection
    words = 50_000 * 512
    with torch.device("meta"):
        network = CopyTransformer(50_000, Size())
    assert sum(weight.numel() for weight in network.parameters()) == 2 * words + encoder + decoder + 513
    assert 2 * words + encoder + decoder + 513 == pytest.approx(96.1e6, rel=0.001)


def test_words_outside_of_the_vocabulary_are_behind_it():
    vocabulary = Vocabulary((*SPECIAL, "sensor", "drift"))
    batch = SourceBatch.of(vocabulary, [("sensor", "xyz", "drift", "abc", "xyz"), ("drift",)])
    size = len(vocabulary)
    assert batch.extended.tolist() == [[size - 2, size, size - 1, size + 1, size], [size - 1, PAD, PAD, PAD, PAD]]
    assert batch.words.tolist()[0] == [size - 2, UNKNOWN, size - 1, UNKNOWN, UNKNOWN]
    assert batch.mask.sum().item() == 6
    assert (batch.extra, batch.unknown) == (2, (("xyz", "abc"), ()))
    assert vocabulary.word(size + 1, batch.unknown[0]) == "abc"
    assert vocabulary.encoded(("abc", "new"), batch.unknown[0]) == [size + 1, UNKNOWN]


def test_vocabulary_has_the_most_frequent_words_of_sources_and_keyphrases():
    examples = [Example("a", ("b", "a", "b", ";"), (("c", "a"),), (("d",),))]
    vocabulary = Vocabulary.of(examples, len(SPECIAL) + 2)
    assert vocabulary.words == (*SPECIAL, "a", "b")
    assert Vocabulary.from_json(vocabulary.as_json()) == vocabulary
    assert vocabulary.numbers["<eos>"] == END


def test_sm3_by_hand():
    weight = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    optimiser = SM3([weight], lr=0.1)
    first = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    weight.grad = first
    optimiser.step()  # nothing is known yet: gradient / |gradient|
    np.testing.assert_allclose(weight.detach().numpy(), [[0.9, 1.9], [2.9, 3.9]], rtol=1e-6)
    # Rows now have 4 and 16, columns 9 and 16; the smaller of row and column is added to the next squares.
    weight.grad = torch.ones(2, 2)
    optimiser.step()
    expected = np.array([[0.9, 1.9], [2.9, 3.9]]) - 0.1 / np.sqrt(np.array([[4, 4], [9, 16]]) + 1)
    np.testing.assert_allclose(weight.detach().numpy(), expected, rtol=1e-6)
