"""The evaluators ``bleu`` and ``chrf``, by sacrebleu."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from keywright.core.errors import BadParameter
from keywright.core.extras import installing
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.library_metrics.packages import NO_REFERENCE, optional_package, token_list
from keywright.summaries.pairs import Pair

_INSTALL: Final = installing("eval")
_PERCENT: Final = 100
"""Values of sacrebleu are percentages."""


@dataclass(frozen=True)
class _SacrebleuScore(Evaluator):
    """A metric of single sentences, which here are whole summaries."""

    headline: ClassVar[str] = "score"

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``score`` of each pair, from 0 to 1, in order; None without references.

        Raises:
            MissingExtra: sacrebleu is not installed.
        """
        metrics = optional_package("sacrebleu.metrics", self.name, _INSTALL)
        of_texts, of_tokens = self._metric(metrics, tokens=False), self._metric(metrics, tokens=True)
        for pair in pairs:
            if not pair.references:
                yield Evaluation({"score": None}, (NO_REFERENCE,))
                continue
            texts = (pair.summary, *pair.references)
            if all(text.tokens is not None for text in texts):
                summary, *references = (" ".join(token_list(text)) for text in texts)
                result = of_tokens.sentence_score(summary, references)
            else:
                summary, *references = (text.whole for text in texts)
                result = of_texts.sentence_score(summary, references)
            yield Evaluation({"score": result.score / _PERCENT})

    @abstractmethod
    def _metric(self, metrics: Any, *, tokens: bool) -> Any:
        """Return the metric of sacrebleu, for texts or for tokens with blanks between."""


@dataclass(frozen=True)
class Bleu(_SacrebleuScore):
    """BLEU of one summary (Papineni, Roukos, Ward and Zhu 2002), by sacrebleu.

    Lengths of n-grams that the summary is too short for are left out, as sacrebleu advises for single sentences.

    Attributes:
        tokenize: sacrebleu's way of cutting texts; texts that came in tokens keep them.
        smooth: sacrebleu's way of smoothing precisions of 0.
        lowercase: ignore case.
    """

    tokenize: Literal["13a", "intl", "char", "none"] = "13a"
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"
    lowercase: bool = False

    name: ClassVar[str] = "bleu"

    def _metric(self, metrics: Any, *, tokens: bool) -> Any:
        cut = "none" if tokens else self.tokenize
        return metrics.BLEU(
            lowercase=self.lowercase, force=True, tokenize=cut, smooth_method=self.smooth, effective_order=True
        )


@dataclass(frozen=True)
class ChrF(_SacrebleuScore):
    """chrF, or chrF++ with ``word_order=2`` (Popović 2015, 2017), of one summary, by sacrebleu.

    Attributes:
        char_order: greatest length of character n-grams.
        word_order: greatest length of word n-grams; 0 for none.
        beta: weight of recall against precision.
        lowercase: ignore case.

    Raises:
        BadParameter: a number is out of range.
    """

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False

    name: ClassVar[str] = "chrf"

    def __post_init__(self) -> None:
        if self.char_order < 1 or self.word_order < 0 or self.beta < 1:
            numbers = f"char_order={self.char_order}, word_order={self.word_order}, beta={self.beta}"
            raise BadParameter(f"{self.name}: {numbers}", "expected char_order and beta from 1, word_order from 0")

    def _metric(self, metrics: Any, *, tokens: bool) -> Any:  # noqa: ARG002 - characters are not tokens
        return metrics.CHRF(self.char_order, self.word_order, self.beta, lowercase=self.lowercase)
