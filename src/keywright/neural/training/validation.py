"""Validation: F1 of present and absent keyphrases under the protocol of keyphrase generation, and mean loss."""

import math
from collections.abc import Mapping, Sequence

import torch

from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.formats.gold_sets import GoldDocument, GoldSet
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.scoring.scorer import Scorer
from keywright.neural.data.batches import by_length
from keywright.neural.data.examples import Example
from keywright.neural.decoding.settings import Decoding
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.phrase_generator import generated

LOSS = "loss"
_MEASURES = ("present/F@M", "present/F@5", "absent/F@M", "absent/F@5")


def validated(
    model: KeyphraseGenerator, examples: Sequence[Example], decoding: Decoding, batch: int
) -> dict[str, float]:
    """Return F1 at 5 and of the whole list for present and absent keyphrases, and the loss of a target token."""
    model.eval()
    lists = {
        examples[row].id: tuple(" ".join(phrase.words) for phrase in phrases)
        for row, phrases in generated(model, [example.source for example in examples], decoding, batch)
    }
    values = scores(lists, examples)
    return {**values, LOSS: mean_loss(model, examples, batch)}


def scores(lists: Mapping[str, tuple[str, ...]], examples: Sequence[Example]) -> dict[str, float]:
    """Return the values of some measures of lists of phrases by the example's id."""
    gold = [GoldDocument(example.id, tuple((" ".join(phrase),) for phrase in example.phrases)) for example in examples]
    texts = {example.id: " ".join(example.source) for example in examples}
    scorer = Scorer.of(KPG, [GoldSet("gold", tuple(gold))], texts)
    report = scorer.score(Answers("validation", dict(lists), len(lists)))
    return {measure: report.values[measure] for measure in _MEASURES}


def mean_loss(model: KeyphraseGenerator, examples: Sequence[Example], batch: int) -> float:
    """Return the mean loss of a target token."""
    total, tokens = 0.0, 0
    with torch.inference_mode():
        for rows in by_length([len(example.source) for example in examples], batch):
            loss = model.loss([examples[row] for row in rows])
            total, tokens = total + loss.total.item(), tokens + loss.tokens
    return total / tokens if tokens else math.nan
