"""ROUGE as the Python package rouge-score 0.1.2 computes it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from keywright.evaluation.normal_forms.nltk325_porter import nltk_stem
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.pairs import Pair
from keywright.summaries.rouge.comparison import Choice, Comparison
from keywright.summaries.rouge.measures import LongestSubsequence, Measure, NGrams, Overlap, UnionSubsequence
from keywright.summaries.rouge.notes import NO_REFERENCE
from keywright.summaries.rouge.options import check_options
from keywright.summaries.rouge.scores import UNDEFINED, Scores
from keywright.summaries.rouge.stemming import SHORTEST
from keywright.summaries.rouge.token_ids import TokenIds

_MEASURES: Final[Mapping[str, Measure[Any]]] = {
    **{str(length): NGrams(length) for length in range(1, 10)},
    "L": LongestSubsequence(),
    "Lsum": UnionSubsequence(),
}


@dataclass(frozen=True)
class RougeScore(Evaluator):
    """ROUGE in the manner of rouge-score.

    An empty text has the values 0, and a note; without references there are no values.

    Attributes:
        measure: n-grams of 1 to 9 words; ``L`` longest common subsequence of the whole texts; ``Lsum`` those of
            sentences.
        stem: compare stems of words of more than three letters (NLTK's Porter stemmer, for English).
        references: ``best``, the reference with the highest F.
        tokens: ``rouge155`` reads a to z and digits only, as rouge-score does, ``unicode`` all scripts; ``auto`` is
            ``unicode`` where most letters of the summary or of a reference are outside a to z.
    """

    measure: Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum"] = "1"
    stem: bool = False
    references: Literal["best"] = "best"
    tokens: Choice = "auto"

    name: ClassVar[str] = "rouge"
    headline: ClassVar[str] = "R"

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadParameter: a value that an option does not have.
        """
        check_options(self)

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield recall, precision and F of each pair, from 0 to 1, for the reference with the highest F."""
        form: Callable[[str], str] = _stem if self.stem else str
        comparison = Comparison(_MEASURES[self.measure], TokenIds(form, str.lower), self.tokens, pairs)
        for pair in pairs:
            if not pair.references:
                yield Evaluation(UNDEFINED, (NO_REFERENCE,))
                continue
            overlaps, notes = comparison.overlaps(pair)
            best = max(map(_scores, overlaps), key=lambda scores: scores.F)
            yield Evaluation(best.as_values(), notes)


def _stem(token: str) -> str:
    return nltk_stem(token) if len(token) >= SHORTEST and token.isascii() else token


def _scores(overlap: Overlap) -> Scores:
    return Scores.from_ratios(overlap.hits / (overlap.summary or 1), overlap.hits / (overlap.reference or 1))
