"""Layers of generators: Transformer, copying of words, recurrent encoder, and decoder of two levels."""

import math
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

import torch
from torch import Tensor, nn

_LONGEST_WAVE = 10_000.0  # ratio of the longest to the shortest wave; Vaswani et al. 2017, section 3.5
SMALLEST = 1e-20
"""Added inside logarithms, as the published generators do: a copied word that got no attention has a finite loss."""
Part = TypeVar("Part")
KeysAndValues: TypeAlias = tuple[Tensor, Tensor]
"""Keys and values of a memory, each (rows, heads, memory, width / heads)."""


def encode_positions(positions: Tensor, width: int) -> Tensor:
    """Return sines, then cosines of positions, (positions, width), with 0 at zero as in the published generators."""
    half = width // 2
    rates = torch.exp(torch.arange(half, device=positions.device) * (-math.log(_LONGEST_WAVE) / max(half - 1, 1)))
    angles = positions.to(rates.dtype)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1) * (positions > 0)[:, None]


class Attention(nn.Module):
    """Attention of queries over a memory: softmax(QK' / sqrt(width of a head)) V in each head, joined by a projection.

    Vaswani et al. 2017, section 3.2. Keys and values of a memory are projected once and used at every step of decoding.
    """

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def memory(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values of states (batch, memory, width), each (batch, heads, memory, width / heads)."""
        return self._split(self.key(states)), self._split(self.value(states))

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, *, causal: bool = False
    ) -> Tensor:
        """Return what each query attends to, (batch, queries, width).

        ``mask`` is true where a query, (batch, queries, width), may look, broadcast to (batch, heads, queries, memory);
        keys and values are those of ``memory``; ``causal``: query ``i`` looks at the first ``i + 1`` places only.
        """
        dropout = self.dropout if self.training else 0.0
        attended = nn.functional.scaled_dot_product_attention(
            self._split(self.query(queries)), keys, values, mask, dropout, is_causal=causal
        )
        # (batch, heads, queries, width / heads) -> (batch, queries, width)
        joined: Tensor = self.out(attended.transpose(1, 2).flatten(2))
        return joined

    def first_head(self, queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        """Return weights of the first head, (batch, queries, memory), from queries, keys and mask (batch, memory)."""
        each = keys.shape[-1]
        query = nn.functional.linear(queries, self.query.weight[:each], self.query.bias[:each])
        scores = (query @ keys[:, 0].transpose(1, 2)).float() / math.sqrt(each)
        weights = scores.masked_fill(~mask[:, None, :], -torch.inf).softmax(-1)
        return nn.functional.dropout(weights, self.dropout, self.training)

    def _split(self, states: Tensor) -> Tensor:
        """(batch, places, width) -> (batch, heads, places, width / heads)."""
        return states.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Sequential):
    """Two projections with a rectifier between."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__(nn.Linear(width, inner), nn.ReLU(), nn.Dropout(dropout), nn.Linear(inner, width))


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward part, each added to its input and with a norm before (Xiong et al. 2020)."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.attention = Attention(width, heads, dropout)
        self.feed_forward = FeedForward(width, inner, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return new states (batch, source, width); ``mask`` is true where there is a word, (batch, source)."""
        normed = self.norms[0](states)
        states = states + self.dropout(self.attention(normed, *self.attention.memory(normed), mask[:, None, None, :]))
        joined: Tensor = states + self.dropout(self.feed_forward(self.norms[1](states)))
        return joined


class DecoderLayer(nn.Module):
    """As ``EncoderLayer``, with attention over the source between self-attention and the feed-forward part."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.self_attention = Attention(width, heads, dropout)
        self.source_attention = Attention(width, heads, dropout)
        self.feed_forward = FeedForward(width, inner, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, states: Tensor, past: KeysAndValues | None, source: KeysAndValues, mask: Tensor
    ) -> tuple[Tensor, KeysAndValues, Tensor]:
        """Return new states, the keys and values up to here, and the queries that looked at the source.

        ``states``: (batch, slots, steps, width); slots do not see each other. ``past``: keys and values of earlier
        steps, (batch x slots, heads, earlier, width / heads); with it there is one step. ``source``: keys and values of
        the source, (batch, heads, source, width / heads). ``mask``: true where there is a word of it, (batch, source).
        """
        batch, slots = states.shape[:2]
        normed = self.norms[0](states).flatten(0, 1)  # (batch x slots, steps, width)
        keys, values = self.self_attention.memory(normed)
        if past is not None:
            keys, values = torch.cat([past[0], keys], 2), torch.cat([past[1], values], 2)
        attended = self.self_attention(normed, keys, values, causal=past is None)
        states = states + self.dropout(attended.unflatten(0, (batch, slots)))
        queries = self.norms[1](states).flatten(1, 2)  # (batch, slots x steps, width)
        attended = self.source_attention(queries, *source, mask[:, None, None, :])
        states = states + self.dropout(attended.unflatten(1, (slots, -1)))
        states = states + self.dropout(self.feed_forward(self.norms[2](states)))
        return states, (keys, values), queries


class CopyMixture(nn.Module):
    """Mixture of writing a word of the vocabulary and copying one of the source (See et al. 2017, equation 9).

    With any leading axes: states (..., width), logits of the vocabulary (..., vocabulary), attention on the source
    (..., source), and the numbers of its words, ``extended``, broadcast to (..., source). All but the products before
    it is in single precision: in bfloat16 one minus the gate would be 0 from a logit of 6.2, without a gradient.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 1)

    def log_probabilities(
        self, states: Tensor, logits: Tensor, attention: Tensor, extended: Tensor, extra: int
    ) -> Tensor:
        """Return log-probabilities of all words, the ``extra`` behind the vocabulary too, (..., vocabulary + extra)."""
        gate = self._gate(states)
        written = gate.sigmoid() * logits.float().softmax(-1)
        every = torch.cat([written, written.new_zeros(*written.shape[:-1], extra)], -1)
        copied = (-gate).sigmoid() * attention.float()
        return (every.scatter_add(-1, extended.expand_as(copied), copied) + SMALLEST).log()

    def target_log_probabilities(
        self, states: Tensor, logits: Tensor, attention: Tensor, extended: Tensor, targets: Tensor
    ) -> Tensor:
        """Return the log-probabilities of one word each, ``targets``, (...)."""
        gate = self._gate(states).squeeze(-1)
        is_written = targets < logits.shape[-1]
        # Only one column of the softmax is needed; the cross entropy has it in one pass there and one back.
        columns = torch.where(is_written, targets, 0)
        chosen = nn.functional.cross_entropy(logits.float().flatten(0, -2), columns.flatten(), reduction="none")
        written = nn.functional.logsigmoid(gate) - chosen.view(columns.shape)
        copied = torch.where(extended == targets[..., None], attention.float(), 0.0).sum(-1)
        # log(gate x written + (1 - gate) x copied), where neither part can vanish before the sum.
        copying = nn.functional.logsigmoid(-gate) + (copied + SMALLEST).log()
        return torch.logaddexp(torch.where(is_written, written, -torch.inf), copying)

    def _gate(self, states: Tensor) -> Tensor:
        """Return the logit of writing, (..., 1), in single precision also under autocast."""
        with torch.autocast(states.device.type, enabled=False):
            return nn.functional.linear(states.float(), self.gate.weight.float(), self.gate.bias.float())


class RecurrentEncoder(nn.Module):
    """Layers of gated recurrent units (GRU; Cho et al. 2014), half of the even width forwards, half backwards."""

    def __init__(self, inputs: int, width: int, layers: int, dropout: float) -> None:
        super().__init__()
        sizes = [inputs, *[width] * (layers - 1)]
        self.forwards = nn.ModuleList(nn.GRU(size, width // 2, batch_first=True) for size in sizes)
        self.backwards = nn.ModuleList(nn.GRU(size, width // 2, batch_first=True) for size in sizes)
        self.dropout = nn.Dropout(dropout)

    def forward(self, embedded: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of all words, (batch, source, width), and the last ones of both directions, (batch, width).

        States at padding mean nothing. ``mask``: true where there is a word, (batch, source), once at least.
        """
        # Rows are turned round by their own lengths, so that padding comes last in both directions and no word's state
        # sees it. Torch's packed sequences give the same, but their gradients take 2.6 times as long on a CPU.
        lengths, places = mask.sum(1, keepdim=True), torch.arange(mask.shape[1], device=mask.device)
        turned = torch.where(mask, lengths - 1 - places, places)[:, :, None]  # (batch, source, 1)
        for number, (forwards, backwards) in enumerate(zip(self.forwards, self.backwards, strict=True)):
            inputs = self.dropout(embedded) if number else embedded
            ahead, _ = forwards(inputs)
            back, _ = backwards(inputs.gather(1, turned.expand(-1, -1, inputs.shape[2])))
            embedded = torch.cat([ahead, back.gather(1, turned.expand(-1, -1, back.shape[2]))], 2)
        # The last word forwards, (batch, 1, width / 2), and the first word backwards.
        last = ahead.gather(1, (lengths - 1)[:, :, None].expand(-1, 1, ahead.shape[2]))
        return embedded, torch.cat([last.squeeze(1), embedded[:, 0, ahead.shape[2] :]], 1)


@dataclass(frozen=True, eq=False)
class HierarchicalState:
    """Source and states of a decoder between two words, a row for each list."""

    source: Tensor  # encoder's states, (rows, source, width)
    mask: Tensor  # true where there is a word of the source, (rows, source)
    extended: Tensor  # numbers of the source's words with the ``extra`` ones behind the vocabulary, (rows, source)
    extra: int
    phrase: Tensor  # state of the phrase level, (rows, width)
    phrase_scores: Tensor  # its scores of the source, (rows, source)
    word: Tensor  # state of the word level, (rows, width)
    attentional: Tensor  # attentional vector of the last word, (rows, width)


def choose_rows(state: Part, rows: Tensor) -> Part:
    """Return a state of tensors with some of its rows, by truth values or by numbers, which may repeat."""
    return replace(state, **{name: each[rows] for name, each in vars(state).items() if isinstance(each, Tensor)})  # type: ignore[type-var]  # states are dataclasses


def rescale_attention(word_scores: Tensor, phrase_scores: Tensor) -> Tensor:
    """Return the product of the attentions of a word and its phrase, normalised anew, from scores, (..., source)."""
    # softmax(a) x softmax(b), divided by its sum, is softmax(a + b): exact where the product of the two would vanish.
    return (word_scores.float() + phrase_scores.float()).softmax(-1)


class HierarchicalDecoder(nn.Module):
    """Decoder of two levels: one state for each phrase, and one for each word of it (Chen et al. 2020, section 3.3).

    Each level is a GRU with attention of its own (Luong et al. 2015, the general score). The phrase level makes a step
    from the attentional vector of the last word written; the word level starts from its state, and its attention on the
    source is re-scaled by that of the phrase, so that all words of a phrase come from places that the phrase is about.
    """

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.phrase_level = nn.GRUCell(width, width)
        self.word_level = nn.GRUCell(inputs + width, width)
        self.phrase_query = nn.Linear(width, width, bias=False)
        self.word_query = nn.Linear(width, width, bias=False)
        self.joined = nn.Linear(2 * width, width, bias=False)

    def start(self, source: Tensor, last: Tensor, mask: Tensor, extended: Tensor, extra: int) -> HierarchicalState:
        """Return the state before the first word, from the encoder's states and last states."""
        nothing = torch.zeros_like(last)
        return HierarchicalState(source, mask, extended, extra, last, source.new_zeros(mask.shape), nothing, nothing)

    def forward(self, state: HierarchicalState, embedded: Tensor, begins: Tensor) -> tuple[Tensor, HierarchicalState]:
        """Return the attention at the next word, (rows, source), and the state there; ``begins``: rows that begin."""
        state = self._begin_phrases(state, begins)
        word = self.word_level(torch.cat([embedded, state.attentional], 1), state.word)
        attention = rescale_attention(_score_places(state.source, self.word_query(word)), state.phrase_scores)
        context = (attention[:, None] @ state.source).squeeze(1)  # (rows, width)
        attentional = self.joined(torch.cat([context, word], 1)).tanh()
        return attention, replace(state, word=word, attentional=attentional)

    def _begin_phrases(self, state: HierarchicalState, begins: Tensor) -> HierarchicalState:
        """Return the state after a step of the phrase level in rows that begin a phrase."""
        if torch.compiler.is_exporting():  # a graph has the same operations whatever rows begin a phrase
            begun, chosen = self.phrase_level(state.attentional, state.phrase), begins[:, None]
            phrase, word = torch.where(chosen, begun, state.phrase), torch.where(chosen, begun, state.word)
            attentional = torch.where(chosen, 0.0, state.attentional)
        else:
            # Only a quarter of the words begin a phrase: the step is made for their rows alone and written into place.
            rows = begins.nonzero().squeeze(1)
            if not len(rows):
                return state
            # In mixed precision a cell's state may be narrower than the one that it is written into.
            begun = self.phrase_level(state.attentional[rows], state.phrase[rows]).to(state.phrase.dtype)
            phrase = state.phrase.index_copy(0, rows, begun)
            word = state.word.index_copy(0, rows, begun.to(state.word.dtype))
            attentional = state.attentional.index_fill(0, rows, 0.0)
        # Scores of the other rows come out as they were; to choose rows of the source would copy more than it saves.
        scores = _score_places(state.source, self.phrase_query(phrase)).masked_fill(~state.mask, -torch.inf)
        return replace(state, phrase=phrase, phrase_scores=scores, word=word, attentional=attentional)


def _score_places(source: Tensor, query: Tensor) -> Tensor:
    return (source @ query[:, :, None]).squeeze(2)
