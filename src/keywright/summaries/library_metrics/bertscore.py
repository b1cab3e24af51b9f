"""The evaluator ``bertscore``, by the package bert-score with a model in a local folder."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final

from keywright.core.errors import BadParameter, MissingData
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.library_metrics.packages import NO_REFERENCE, optional_package
from keywright.summaries.pairs import Pair

_INSTALL: Final = "pip install bert-score"
_BATCH: Final = 64
"""Pairs that the model reads at once, as bert-score's own default."""
_OFFLINE: Final = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
"""Names by which the model's library is kept from the network."""


@dataclass(frozen=True)
class BertScore(Evaluator):
    """BERTScore (Zhang, Kishore, Wu, Weinberger and Artzi 2020), by bert-score; the best reference counts.

    Attributes:
        model: folder of the model, as the package transformers saves it.
        num_layers: layer of the model whose vectors are compared, from 1.

    Raises:
        BadParameter: no model is named, or the layer is below 1.
        MissingData: there is no such folder.
    """

    model: str = ""
    num_layers: int = 0

    name: ClassVar[str] = "bertscore"
    headline: ClassVar[str] = "F"

    def __post_init__(self) -> None:
        if not self.model or self.num_layers < 1:
            message = f"{self.name}: model={self.model!r}, num_layers={self.num_layers}"
            raise BadParameter(message, f"give a local folder and a layer, {self.name}:model=DIR,num_layers=N")
        if not Path(self.model).is_dir():
            hint = "save a model there with transformers' save_pretrained; nothing is downloaded"
            raise MissingData(f"{self.name}: there is no folder {self.model}", hint)

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``P``, ``R`` and ``F`` of each pair, in order; None without references, 0 for an empty summary.

        Raises:
            MissingExtra: bert-score is not installed.
        """
        scorer = self._scorer()
        waiting = iter(pairs)
        while batch := tuple(islice(waiting, _BATCH)):
            yield from _evaluations(scorer, batch)

    def _scorer(self) -> Any:
        os.environ.update(dict.fromkeys(_OFFLINE, "1"))
        package = optional_package("bert_score", self.name, _INSTALL)
        return package.BERTScorer(model_type=self.model, num_layers=self.num_layers)


def _evaluations(scorer: Any, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
    references = [[text.whole for text in pair.references if not text.empty] for pair in pairs]
    scored = [at for at, pair in enumerate(pairs) if references[at] and not pair.summary.empty]
    values: dict[int, dict[str, float | None]] = {}
    if scored:
        columns = scorer.score([pairs[at].summary.whole for at in scored], [references[at] for at in scored])
        for at, numbers in zip(scored, zip(*(column.tolist() for column in columns), strict=True), strict=True):
            values[at] = dict(zip("PRF", numbers, strict=True))
    for at, pair in enumerate(pairs):
        if not pair.references:
            yield Evaluation(dict.fromkeys("PRF"), (NO_REFERENCE,))
        else:
            yield Evaluation(values.get(at, dict.fromkeys("PRF", 0.0)))
