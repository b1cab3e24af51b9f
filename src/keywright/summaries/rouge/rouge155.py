"""ROUGE as the program ROUGE-1.5.5 computes it (Lin, *ROUGE: a package for automatic evaluation of summaries*, 2004).

Rules that the article leaves open follow the program. Open here: bootstrap intervals over topics, which are a matter of
the ranking of systems.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from keywright.core.errors import BadParameter, TooLarge
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.pairs import Pair
from keywright.summaries.rouge.comparison import Choice, Comparison
from keywright.summaries.rouge.measures import (
    Measure,
    NGrams,
    Overlap,
    SkipBigrams,
    UnionSubsequence,
    WeightedSubsequence,
)
from keywright.summaries.rouge.notes import NO_REFERENCE
from keywright.summaries.rouge.options import check_options
from keywright.summaries.rouge.scores import UNDEFINED, Scores
from keywright.summaries.rouge.stemming import SHORTEST, rouge155_stem
from keywright.summaries.rouge.token_ids import TokenIds
from keywright.summaries.rouge.word_files import NO_FILE, WordFile

_MEASURES: Final[Mapping[str, Measure[Any]]] = {
    **{str(length): NGrams(length) for length in range(1, 5)},
    "L": UnionSubsequence(),
    "W": WeightedSubsequence(),
    "S4": SkipBigrams(unigrams=False),
    "SU4": SkipBigrams(unigrams=True),
}
_DECIMALS: Final = 5
"""Decimals to which ROUGE-1.5.5 rounds recall and precision, and F, which it computes from those."""


@dataclass(frozen=True)
class Rouge155(Evaluator):
    """ROUGE in the manner of ROUGE-1.5.5.

    An empty text has the values 0, and a note; without references there are no values.

    Attributes:
        measure: n-grams of 1 to 4 words; ``L`` longest common subsequences of sentences; ``W`` those, weighted by 1.2;
            ``S4`` pairs of words with at most four between; ``SU4`` those and single words.
        references: ``average`` pools all references; ``best`` takes the one with the highest recall; ``jackknife``
            leaves each out in turn, takes the highest value over the others, and the mean of those.
        stem: compare stems of words of more than three letters (Porter, for English).
        stop: file of words to leave out, one a line.
        exceptions: file of stems that are looked up before Porter's algorithm, lines ``word stem``.
        rounding: ``rouge155`` rounds recall and precision to five decimals, and computes F from those; or ``exact``.
        tokens: ``rouge155`` reads a to z and digits only, ``unicode`` all scripts; ``auto`` is ``unicode`` where most
            letters of the summary or of a reference are outside a to z.
    """

    measure: Literal["1", "2", "3", "4", "L", "W", "S4", "SU4"] = "1"
    references: Literal["average", "best", "jackknife"] = "average"
    stem: bool = False
    stop: str = NO_FILE
    exceptions: str = NO_FILE
    rounding: Literal["rouge155", "exact"] = "rouge155"
    tokens: Choice = "auto"

    name: ClassVar[str] = "rouge155"
    headline: ClassVar[str] = "R"

    def __post_init__(self) -> None:
        """Read the files.

        Raises:
            BadParameter: a value that an option does not have, or exceptions without stemming.
            MissingData: a file does not exist.
            UnreadableInput: a file is not text.
        """
        check_options(self)
        for option in ("stop", "exceptions"):
            object.__setattr__(self, option, WordFile(getattr(self, option)))
        if self.exceptions != NO_FILE and not self.stem:
            raise BadParameter(f"{self.name}: exceptions={self.exceptions} without stems", "add stem=yes")

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield recall, precision and F of each pair, from 0 to 1.

        Raises:
            BadRecord: a line of the exceptions is not ``word stem``.
        """
        comparison = Comparison(_MEASURES[self.measure], TokenIds(self._form()), self.tokens, pairs)
        for pair in pairs:
            if not pair.references:
                yield Evaluation(UNDEFINED, (NO_REFERENCE,))
                continue
            try:
                overlaps, notes = comparison.overlaps(pair)
            except TooLarge as error:
                yield Evaluation(UNDEFINED, (str(error),))
                continue
            yield Evaluation(self._combined(pair, overlaps).as_values(), notes)

    def _form(self) -> Callable[[str], str | None]:
        """Return the function that gives the form of a token that is compared."""
        stop, stems = WordFile(self.stop).words(), WordFile(self.exceptions).stems()

        def form(token: str) -> str | None:
            if token in stop:
                return None
            if not self.stem or len(token) < SHORTEST:
                return token
            return stems.get(token) or (rouge155_stem(token) if token.isascii() else token)

        return form

    def _combined(self, pair: Pair, overlaps: Sequence[Overlap]) -> Scores:
        if self.references == "average":
            pooled = Overlap(*map(sum, zip(*overlaps, strict=True)))
            return self._scores(pooled)
        if self.references == "best":
            return self._scores(max(overlaps, key=self._preference))
        each = dict(zip(pair.references, map(self._scores, overlaps), strict=True))
        best = [
            Scores(*map(max, *(each[text] for text in texts))) if len(texts) > 1 else each[texts[0]]
            for texts in pair.reference_sets(jackknife=True)
        ]
        return Scores(*(sum(values) / len(best) for values in zip(*best, strict=True)))

    def _preference(self, overlap: Overlap) -> float:
        measure = _MEASURES[self.measure]
        if self.rounding == "exact":
            return measure.ratio(overlap.hits, overlap.reference)
        return measure.preference(overlap)

    def _scores(self, overlap: Overlap) -> Scores:
        ratio = _MEASURES[self.measure].ratio
        precision, recall = ratio(overlap.hits, overlap.summary), ratio(overlap.hits, overlap.reference)
        if self.rounding == "exact":
            return Scores.from_ratios(precision, recall)
        scores = Scores.from_ratios(round(precision, _DECIMALS), round(recall, _DECIMALS))
        return scores._replace(F=round(scores.F, _DECIMALS))
