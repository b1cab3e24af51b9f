"""Layers of ExHiRD against hand-computed values, torch's own modules, and loops over phrases and words."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from keywright.neural.layers import HierarchicalDecoder, RecurrentEncoder, rescale_attention

torch.set_num_threads(1)


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
