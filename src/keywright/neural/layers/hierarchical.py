"""Decoder of two levels: one state for each phrase, and one for each word of it (Chen et al. 2020, section 3.3).

At the beginning of a phrase the phrase level makes a step, from the attentional vector of the last word written, and
looks at the source. The word level starts from its state; at each word its attention on the source is re-scaled by that
of the phrase, so that all words of a phrase come from places that the phrase is about.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class HierarchicalState:
    """Source and states of a decoder between two words.

    Attributes:
        source: encoder's states, (rows, source, width).
        mask: true where there is a word of the source, (rows, source).
        extended: numbers of the source's words with those behind the vocabulary, (rows, source).
        extra: number of words behind the vocabulary.
        phrase: state of the phrase level, (rows, width).
        phrase_scores: scores of the source for the current phrase, minus infinity at padding, (rows, source).
        word: state of the word level, (rows, width).
        attentional: attentional vector of the last word, (rows, width).
    """

    source: Tensor
    mask: Tensor
    extended: Tensor
    extra: int
    phrase: Tensor
    phrase_scores: Tensor
    word: Tensor
    attentional: Tensor

    def rows(self, rows: Tensor) -> "HierarchicalState":
        """Return the state of some rows, which may repeat, (rows,)."""
        values = {name: value[rows] for name, value in vars(self).items() if isinstance(value, Tensor)}
        return HierarchicalState(extra=self.extra, **values)


def rescaled(word_scores: Tensor, phrase_scores: Tensor) -> Tensor:
    """Return the product of two attentions, normalised anew, (..., source).

    Args:
        word_scores: scores of the source for a word, (..., source).
        phrase_scores: scores of the source for its phrase, as ``word_scores``; minus infinity at padding.
    """
    # softmax(a) x softmax(b), divided by its sum, is softmax(a + b): exact where the product of the two would vanish.
    return (word_scores + phrase_scores).softmax(-1)


class HierarchicalDecoder(nn.Module):
    """Phrase level and word level, each a GRU with attention of its own (Luong et al. 2015, the general score)."""

    def __init__(self, inputs: int, width: int) -> None:
        """Make the layers.

        Args:
            inputs: width of the embedded words.
            width: of states, as those of the encoder.
        """
        super().__init__()
        self.phrase_level = nn.GRUCell(width, width)
        self.word_level = nn.GRUCell(inputs + width, width)
        self.phrase_query = nn.Linear(width, width, bias=False)
        self.word_query = nn.Linear(width, width, bias=False)
        self.joined = nn.Linear(2 * width, width, bias=False)

    def start(self, source: Tensor, last: Tensor, mask: Tensor, extended: Tensor, extra: int) -> HierarchicalState:
        """Return the state before the first word, from the encoder's states and last states."""
        nothing = torch.zeros_like(last)
        return HierarchicalState(
            source=source,
            mask=mask,
            extended=extended,
            extra=extra,
            phrase=last,
            phrase_scores=source.new_zeros(mask.shape),
            word=nothing,
            attentional=nothing,
        )

    def forward(self, state: HierarchicalState, embedded: Tensor, begins: Tensor) -> tuple[Tensor, HierarchicalState]:
        """Return the attention on the source at the next word, (rows, source), and the state there.

        Args:
            state: before the word.
            embedded: the word before, (rows, inputs).
            begins: true for rows that begin a phrase, (rows,).
        """
        state = self._begun(state, begins)
        word = self.word_level(torch.cat([embedded, state.attentional], 1), state.word)
        attention = rescaled(_scores(state.source, self.word_query(word)), state.phrase_scores)
        context = (attention[:, None] @ state.source).squeeze(1)  # (rows, width)
        attentional = self.joined(torch.cat([context, word], 1)).tanh()
        return attention, replace(state, word=word, attentional=attentional)

    def _begun(self, state: HierarchicalState, begins: Tensor) -> HierarchicalState:
        """Return the state in which the rows that begin a phrase have made a step of the phrase level.

        The word level starts there from the phrase's state, and from no attentional vector (the paper leaves it open).
        """
        if torch.compiler.is_exporting():
            return self._begun_by_mask(state, begins)
        # Only a quarter of the words begin a phrase: the step is made for their rows alone and written into place.
        rows = begins.nonzero().squeeze(1)
        if not len(rows):
            return state
        # In mixed precision a cell's state may be narrower than the one that it is written into.
        begun = self.phrase_level(state.attentional[rows], state.phrase[rows]).to(state.phrase.dtype)
        phrase = state.phrase.index_copy(0, rows, begun)
        # Scores of the other rows come out as they were; to choose rows of the source would copy more than it saves.
        scores = _scores(state.source, self.phrase_query(phrase)).masked_fill(~state.mask, -torch.inf)
        return replace(
            state,
            phrase=phrase,
            phrase_scores=scores,
            word=state.word.index_copy(0, rows, begun.to(state.word.dtype)),
            attentional=state.attentional.index_fill(0, rows, 0.0),
        )

    def _begun_by_mask(self, state: HierarchicalState, begins: Tensor) -> HierarchicalState:
        """Return the same for a graph, whose operations are the same whatever rows begin a phrase."""
        begun, chosen = self.phrase_level(state.attentional, state.phrase), begins[:, None]
        phrase = torch.where(chosen, begun, state.phrase)
        scores = _scores(state.source, self.phrase_query(phrase)).masked_fill(~state.mask, -torch.inf)
        return replace(
            state,
            phrase=phrase,
            phrase_scores=scores,
            word=torch.where(chosen, begun, state.word),
            attentional=torch.where(chosen, 0.0, state.attentional),
        )


def _scores(source: Tensor, query: Tensor) -> Tensor:
    """Return the product of each place, (rows, source, width), and the query, (rows, width): (rows, source)."""
    return (source @ query[:, :, None]).squeeze(2)
