"""Transformer One2Seq: all keyphrases of a document as one sequence, present ones first.

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021, whose baseline it is; the
concatenation of keyphrases is that of Yuan et al. 2020. The target is ``phrase ; phrase ; ... <eos>``.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar

import torch
from torch import Tensor

from keywright.neural.data.examples import Example, Words
from keywright.neural.data.source_batch import SourceBatch, padded
from keywright.neural.data.vocabulary import BEGIN, END, PAD, SEPARATOR, SPECIAL, Vocabulary
from keywright.neural.decoding.phrases import GeneratedPhrase, merged, phrase_of, tokens_of
from keywright.neural.decoding.sequences import Stepper, sequences
from keywright.neural.decoding.settings import Decoding
from keywright.neural.decoding.word_sequences import WordSequences
from keywright.neural.layers.transformer import DecoderMemory
from keywright.neural.models.generator import KeyphraseGenerator, Loss
from keywright.neural.models.network import CopyTransformer, Size


class One2Seq(KeyphraseGenerator, Stepper[DecoderMemory]):
    """A Transformer with copying that writes keyphrases one after the other."""

    name: ClassVar[str] = "one2seq"
    begin, end = BEGIN, END

    def __init__(self, vocabulary: Vocabulary, size: Size) -> None:
        super().__init__()
        self.vocabulary, self.sequences = vocabulary, WordSequences(vocabulary)
        self.network = CopyTransformer(len(vocabulary), size)

    def loss(self, examples: Sequence[Example]) -> Loss:
        """Return the negative log-likelihood of the keyphrases, in the order of the examples."""
        source = SourceBatch.of(self.vocabulary, [example.source for example in examples]).to(self.device)
        targets = self._targets([example.phrases for example in examples], source)
        return Loss(-self._forced(source, targets).sum(), int((targets != PAD).sum()))

    @torch.inference_mode()
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source; those of several sequences are merged, most frequent first."""
        source = SourceBatch.of(self.vocabulary, sources).to(self.device)
        memory = self.network.encode(source)
        constraint = self.sequences.present_only(source.rows()) if decoding.present_only else None
        written = sequences(self, memory, len(sources), decoding, constraint)
        lists = [
            [self.sequences.phrases(each, unknown) for each in row]
            for row, unknown in zip(written, source.unknown, strict=True)
        ]
        return [row[0] if len(row) == 1 else merged(row) for row in lists]

    def score(self, sources: Sequence[Words], phrases: Sequence[Sequence[Words]]) -> list[list[GeneratedPhrase]]:
        """Return phrases with the probabilities of each as the first of its source."""
        pairs = [(source, phrase) for source, listed in zip(sources, phrases, strict=True) for phrase in listed]
        if not pairs:
            return [[] for _ in sources]
        source = SourceBatch.of(self.vocabulary, [words for words, _ in pairs]).to(self.device)
        targets = self._targets([[phrase] for _, phrase in pairs], source)
        values = self._forced(source, targets).tolist()
        scored = iter(
            phrase_of(tokens_of(phrase, value[: len(phrase)]), end=value[len(phrase)])
            for (_, phrase), value in zip(pairs, values, strict=True)
        )
        return [[next(scored) for _ in listed] for listed in phrases]

    def obstacle(self, source: Words, phrase: Words) -> str:
        """Return why the model can never write a phrase for a source; empty if it can."""
        return self.vocabulary.obstacle(source, phrase)

    def step(self, state: DecoderMemory, words: Tensor) -> tuple[Tensor, DecoderMemory]:
        """Return log-probabilities of the next word, (rows, words), and the new memory."""
        states, attention, memory = self.network.decode(state, words.to(self.device)[:, None, None])
        return self.network.log_probabilities(states, attention, memory).squeeze(1), memory

    def rows(self, state: DecoderMemory, rows: Tensor) -> DecoderMemory:
        """Return the memory of some rows."""
        return state.rows(rows.to(self.device))

    def files(self) -> dict[str, str]:
        """Return the vocabulary."""
        return {"vocabulary.json": self.vocabulary.as_json()}

    def config(self) -> dict[str, Any]:
        """Return the size of the network."""
        return asdict(self.network.size)

    def _targets(self, phrases: Sequence[Sequence[Words]], source: SourceBatch) -> Tensor:
        """Return target numbers with those behind the vocabulary, (batch, steps): phrases, separators and the end."""
        rows = []
        for listed, unknown in zip(phrases, source.unknown, strict=True):
            joined = [word for phrase in listed for word in (SPECIAL[SEPARATOR], *phrase)][1:]
            rows.append([*self.vocabulary.encoded(joined, unknown), END])
        return padded(rows).to(self.device)

    def _forced(self, source: SourceBatch, targets: Tensor) -> Tensor:
        """Return the log-probabilities of targets, each after the true words before it, (batch, steps)."""
        inputs = torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)
        states, attention, memory = self.network.decode(self.network.encode(source), inputs[:, None, :])
        return self.network.target_log_probabilities(states, attention, memory, targets)
