"""Layers against torch's own, hand-computed cases, and loops over phrases and words."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from keywright.neural.layers import (
    Attention,
    CopyMixture,
    DecoderLayer,
    EncoderLayer,
    HierarchicalDecoder,
    RecurrentEncoder,
    encode_positions,
    rescale_attention,
)
from keywright.neural.models.copy_transformer import CopyTransformer, DecoderMemory, Size
from keywright.neural.models.generator import SourceBatch

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


def test_attention_is_re_scaled_by_that_of_the_phrase():
    words = torch.tensor([[0.5, 0.3, 0.2, 0.9]]).log()
    phrase = torch.tensor([[0.2, 0.2, 0.6, 0.0]]).log()
    # Products .10, .06, .12 and 0 at padding; their sum is .28.
    expected = [0.10 / 0.28, 0.06 / 0.28, 0.12 / 0.28, 0.0]
    assert rescale_attention(words, phrase).squeeze(0).tolist() == pytest.approx(expected, abs=1e-6)


def test_attention_is_re_scaled_where_the_products_vanish():
    # e**-200 is 0 in 32 bits; the ratio of the two products is e.
    weights = rescale_attention(torch.tensor([[0.0, -200.0]]), torch.tensor([[-200.0, 1.0]]))
    assert weights.squeeze(0).tolist() == pytest.approx([1 / (1 + math.e), math.e / (1 + math.e)])


def test_encoder_equals_packed_sequences_of_torch():
    torch.manual_seed(1)
    encoder, reference = RecurrentEncoder(3, 8, 2, 0.0), nn.GRU(3, 4, 2, batch_first=True, bidirectional=True)
    for layer in range(2):
        for side, suffix in ((encoder.forwards, ""), (encoder.backwards, "_reverse")):
            for name, weight in side[layer].named_parameters():
                weight.data.copy_(getattr(reference, name.replace("l0", f"l{layer}") + suffix))
    embedded, lengths = torch.randn(3, 5, 3), torch.tensor([5, 2, 4])
    mask = torch.arange(5) < lengths[:, None]
    packed = nn.utils.rnn.pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
    states, last = reference(packed)
    states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True)
    ours, our_last = encoder(embedded, mask)
    torch.testing.assert_close(ours[mask], states[mask], atol=1e-6, rtol=0)
    torch.testing.assert_close(our_last, torch.cat([last[2], last[3]], 1), atol=1e-6, rtol=0)


def _gru(cell: nn.GRUCell, inputs: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Return the next state by the equations of a GRU with separate biases."""
    weights = {name: weight.detach().numpy() for name, weight in cell.named_parameters()}
    read = np.split(weights["weight_ih"] @ inputs + weights["bias_ih"], 3)
    kept = np.split(weights["weight_hh"] @ state + weights["bias_hh"], 3)
    reset, update = (1 / (1 + np.exp(-(read[part] + kept[part]))) for part in range(2))
    return (1 - update) * np.tanh(read[2] + reset * kept[2]) + update * state


def _softmax(scores: np.ndarray) -> np.ndarray:
    return np.exp(scores) / np.exp(scores).sum()


def _by_loops(decoder: HierarchicalDecoder, source: np.ndarray, last: np.ndarray, phrases: list[np.ndarray]):
    """Yield attention and attentional vector of each word, phrase by phrase and word by word (spec 2.1)."""
    phrase_query, word_query, joined = (
        layer.weight.detach().numpy() for layer in (decoder.phrase_query, decoder.word_query, decoder.joined)
    )
    phrase_state, attentional = last, np.zeros_like(last)
    for words in phrases:
        phrase_state = _gru(decoder.phrase_level, attentional, phrase_state)
        phrase_attention = _softmax(source @ phrase_query @ phrase_state)
        word_state, attentional = phrase_state, np.zeros_like(last)
        for word in words:
            word_state = _gru(decoder.word_level, np.concatenate([word, attentional]), word_state)
            product = _softmax(source @ word_query @ word_state) * phrase_attention
            attention = product / product.sum()
            attentional = np.tanh(joined @ np.concatenate([attention @ source, word_state]))
            yield attention, attentional


def test_decoder_equals_loops_over_phrases_and_words():
    torch.manual_seed(2)
    decoder = HierarchicalDecoder(2, 4)
    lengths = [(3, 1, 2), (1, 4, 1)]  # words of the phrases of two documents; phrases begin at different steps
    source, last, embedded = torch.randn(2, 5, 4), torch.randn(2, 4), torch.randn(2, 6, 2)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    begins = torch.zeros(2, 6, dtype=torch.bool)
    begins[0, [0, 3, 4]] = begins[1, [0, 1, 5]] = True
    state, steps = decoder.start(source, last, mask, torch.zeros(2, 5, dtype=torch.long), 0), []
    for step in range(6):
        attention, state = decoder(state, embedded[:, step], begins[:, step])
        steps.append((attention, state.attentional))
    for row in range(2):
        words = mask[row].sum()
        phrases = np.split(embedded[row].numpy(), np.cumsum(lengths[row])[:-1])
        expected = _by_loops(decoder, source[row, :words].numpy(), last[row].numpy(), phrases)
        for (attention, attentional), (by_hand, vector) in zip(steps, expected, strict=True):
            np.testing.assert_allclose(attention[row, :words].detach(), by_hand, atol=1e-6)
            assert not attention[row, words:].any()
            np.testing.assert_allclose(attentional[row].detach(), vector, atol=1e-6)


def test_hypotheses_that_change_places_share_what_belongs_to_their_document():
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


PRECISIONS = [(torch.float32, 1e-5), (torch.bfloat16, 2e-2)]


def softmax(row):
    powers = [math.exp(value) for value in row]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize(("precision", "tolerance"), PRECISIONS)
def test_the_gate_by_hand_in_both_precisions(precision, tolerance):
    """A state of one number, two words, and two places: the word 1, and one behind the vocabulary."""
    mixture = CopyMixture(1)
    mixture.gate.weight.data.fill_(2.0)
    mixture.gate.bias.data.fill_(-0.5)
    state, logits, attention = torch.tensor([[0.75]]), torch.tensor([[0.5, 1.5]]), torch.tensor([[0.25, 0.75]])
    extended = torch.tensor([[1, 2]])
    gate = 1 / (1 + math.exp(-1.0))  # 2 x .75 - .5
    written = softmax([0.5, 1.5])
    expected = [gate * written[0], gate * written[1] + (1 - gate) * 0.25, (1 - gate) * 0.75]
    with torch.autocast("cpu", precision, enabled=precision is not torch.float32):
        every = mixture.log_probabilities(state.to(precision), logits, attention, extended, 1)
        each = [
            mixture.target_log_probabilities(state.to(precision), logits, attention, extended, torch.tensor([word]))
            for word in range(3)
        ]
    assert every.dtype == torch.float32
    assert every.exp().tolist()[0] == pytest.approx(expected, abs=tolerance)
    assert [value.exp().item() for value in each] == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("logit", [6.625, 20.0, 80.0])
def test_a_gate_that_is_sure_to_write_still_learns_to_copy_in_both_precisions(logit):
    """-log(1 - sigmoid(x)) is about x, with the slope sigmoid(x); in bfloat16 one minus the gate is exactly 0."""
    for precision in (torch.float32, torch.bfloat16):
        mixture = CopyMixture(1)
        mixture.gate.weight.data.fill_(1.0)
        mixture.gate.bias.data.zero_()
        state = torch.tensor([[logit]], dtype=precision, requires_grad=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=precision is torch.bfloat16):
            value = mixture.target_log_probabilities(
                state, torch.tensor([[0.0, 0.0]]), torch.tensor([[1.0]]), torch.tensor([[2]]), torch.tensor([2])
            )
        (-value).sum().backward()
        assert -value.item() == pytest.approx(math.log1p(math.exp(-logit)) + logit, rel=1e-4)
        assert state.grad.item() == pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-2)


@pytest.mark.parametrize(("precision", "tolerance"), PRECISIONS)
def test_attention_by_hand_in_both_precisions(precision, tolerance):
    """One head of one number, whose projections change nothing: softmax of query times keys."""
    attention = Attention(1, 1, 0.0)
    for part in (attention.query, attention.key, attention.value, attention.out):
        part.weight.data.fill_(1.0)
        part.bias.data.zero_()
    memory, query = torch.tensor([[[0.5], [2.0], [9.0]]]), torch.tensor([[[1.5]]])
    mask = torch.tensor([[True, True, False]])
    weights = softmax([0.75, 3.0])
    with torch.autocast("cpu", precision, enabled=precision is not torch.float32):
        keys, values = attention.memory(memory)
        head = attention.first_head(query, keys, mask)
        attended = attention(query, keys, values, mask[:, None, None, :])
    assert head.tolist()[0][0] == pytest.approx([*weights, 0.0], abs=tolerance)
    assert attended.item() == pytest.approx(weights[0] * 0.5 + weights[1] * 2.0, abs=tolerance)
    scores = torch.tensor([[0.75, 3.0]], dtype=precision), torch.tensor([[1.0, -1.0]], dtype=precision)
    assert rescale_attention(*scores)[0].tolist() == pytest.approx(softmax([1.75, 2.0]), abs=1e-6)


def test_token_shift_gives_a_place_the_word_before_it():
    torch.manual_seed(0)
    network = CopyTransformer(20, Size(8, 2, 16, 1, 0.0, token_shift=True)).eval()
    plain = CopyTransformer(20, Size(8, 2, 16, 1, 0.0)).eval()
    plain.load_state_dict({name: value for name, value in network.state_dict().items() if "previous" not in name})
    source = SourceBatch.of(torch.tensor([[12, 13, 14]]), (), 20)
    assert network.previous_projection.weight.numel() == 64
    assert not torch.allclose(network.encode(source).source[0][0], plain.encode(source).source[0][0])
    network.previous_projection.weight.data.zero_()
    torch.testing.assert_close(network.encode(source).source[0][0], plain.encode(source).source[0][0])
