"""The reader as torch modules: the layers of an encoder, and the head that scores candidates in context."""

import hashlib
from pathlib import Path
from typing import Final

import torch
from tools.train.reader.batching import Batch
from torch import Tensor, nn
from transformers import BertModel
from transformers import logging as transformers_logging

from keywright.extraction.features.description.described_candidates import STYLES
from keywright.extraction.ranking.context_reader import SCALE

WIDTH: Final = 384
"""Of the encoder's states."""
HIDDEN: Final = 128
"""Of the head; arbitrary."""
PRODUCT: Final = 64
"""Numbers in which a mention and its document are multiplied; arbitrary."""
_FEATURES: Final = 2
"""Log-odds of the default, and logarithm of the mentions read."""


class Head(nn.Module):
    """Log-odds that are added to the default's: from the states of a candidate's mentions and of the document."""

    def __init__(self) -> None:
        super().__init__()
        self.mention = nn.Linear(3 * WIDTH, HIDDEN)
        self.document = nn.Linear(2 * WIDTH, HIDDEN, bias=False)
        self.style = nn.Embedding(len(STYLES), HIDDEN)
        self.mention_factor = nn.Linear(WIDTH, PRODUCT)
        self.document_factor = nn.Linear(2 * WIDTH, PRODUCT)
        self.joint = nn.Linear(2 * (HIDDEN + PRODUCT) + _FEATURES, HIDDEN)
        self.joint_style = nn.Embedding(len(STYLES), HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, states: Tensor, batch: Batch) -> Tensor:
        """Return the correction of each pair, (pairs,); states are (windows, longest, width)."""
        mask = batch.mask[..., None]
        means = (states * mask).sum(1) / mask.sum(1)  # (windows, width)
        documents = len(batch.opening)
        sums = torch.zeros(documents, WIDTH).index_add(0, batch.document, means)
        counts = torch.zeros(documents).index_add(0, batch.document, torch.ones(len(means)))
        whole = torch.cat([sums / counts[:, None], means[batch.opening]], dim=1)  # (documents, 2 width)

        running = torch.cat([torch.zeros(len(states), 1, WIDTH), states.cumsum(1)], dim=1)
        spans = running[batch.window, batch.last + 1] - running[batch.window, batch.first]
        mean = spans / (batch.last + 1 - batch.first)[:, None]
        ends = [states[batch.window, batch.first], states[batch.window, batch.last]]
        of_mention = self.mention(torch.cat([*ends, mean], dim=1))  # (mentions, hidden)
        factor = self.mention_factor(mean)  # (mentions, product)

        document = batch.pair_document[batch.pair]
        of_pair = of_mention[batch.mention] + self.document(whole)[document] + self.style(batch.style[batch.pair])
        product = factor[batch.mention] * self.document_factor(whole)[document]
        both = torch.cat(
            [nn.functional.gelu(of_pair, approximate="tanh"), product], dim=1
        )  # (mentions of pairs, hidden + product)

        pairs = len(batch.style)
        number = torch.zeros(pairs).index_add(0, batch.pair, torch.ones(len(batch.pair)))
        total = torch.zeros(pairs, both.shape[1]).index_add(0, batch.pair, both)
        index = batch.pair[:, None].expand_as(both)
        highest = torch.zeros_like(total).scatter_reduce(0, index, both, "amax", include_self=False)
        features = torch.stack([batch.log_odds / SCALE, torch.log1p(number)], dim=1)
        joint = torch.cat([total / number.clamp(min=1)[:, None], highest, features], dim=1)
        hidden = nn.functional.gelu(self.joint(joint) + self.joint_style(batch.style), approximate="tanh")
        return self.out(hidden)[:, 0] * (number > 0)


class Reader(nn.Module):
    """Encoder and head."""

    def __init__(self, folder: Path, layers: int, frozen: int) -> None:
        super().__init__()
        transformers_logging.set_verbosity_error()
        # Without dropout a step takes half the time, and documents are seen once or twice.
        dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        encoder = BertModel.from_pretrained(folder, add_pooling_layer=False, **dropout)
        self.embeddings = encoder.embeddings
        self.lower = encoder.encoder.layer[:frozen]
        self.upper = encoder.encoder.layer[frozen:layers]
        self.head = Head()
        for parameter in (*self.embeddings.parameters(), *self.lower.parameters()):
            parameter.requires_grad_(requires_grad=False)

    def lower_states(self, rows: Tensor, mask: Tensor) -> Tensor:
        """Return the states below the layers that learn, (windows, longest, width)."""
        states = self.embeddings(rows)
        for layer in self.lower:
            states = layer(states, _hidden(mask))
        return states

    def lower_digest(self) -> str:
        """Return the beginning of a SHA-256 over the weights below the layers that learn."""
        digest = hashlib.sha256()
        for weight in (*self.embeddings.parameters(), *self.lower.parameters()):
            digest.update(weight.detach().numpy().tobytes())
        return digest.hexdigest()[:8]

    def upper_states(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the last layer's states, (windows, longest, width)."""
        for layer in self.upper:
            states = layer(states, _hidden(mask))
        return states


def _hidden(mask: Tensor) -> Tensor:
    """Return what is added to attention: a very low number where there is no piece, (windows, 1, 1, longest)."""
    return torch.where(mask[:, None, None, :], 0.0, torch.finfo(torch.float32).min)
