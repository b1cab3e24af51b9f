"""The evaluators ``rouge155`` and ``rouge``: ROUGE as ROUGE-1.5.5 and as the package rouge-score 0.1.2 compute it.

ROUGE-1.5.5: Lin, *ROUGE: a package for automatic evaluation of summaries*, 2004; rules that the article leaves open
follow the program. Open here: bootstrap intervals over topics, which are a matter of the ranking of systems.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from keywright.core.errors import BadParameter, TooLarge
from keywright.evaluation.normal_forms.nltk325_porter import nltk_stem
from keywright.summaries.evaluator import Evaluation, Evaluator, check_options
from keywright.summaries.pairs import Pair, SummaryText
from keywright.summaries.rouge.measures import (
    LongestSubsequence,
    Measure,
    NGrams,
    Overlap,
    SkipBigrams,
    UnionSubsequence,
    WeightedSubsequence,
)
from keywright.summaries.rouge.stemming import NO_FILE, SHORTEST, WordFile, stem_rouge155
from keywright.summaries.rouge.tokens import ASCII, Script, TokenIds, Tokeniser, find_script


class Scores(NamedTuple):
    """The values of one summary, from 0 to 1."""

    P: float
    R: float
    F: float

    @classmethod
    def from_ratios(cls, precision: float, recall: float) -> "Scores":
        """Return the values with F, the harmonic mean; 0 if both are 0."""
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)

    def as_values(self) -> dict[str, float]:
        """Return the values by name."""
        return {"P": self.P, "R": self.R, "F": self.F}


UNDEFINED: Final[Mapping[str, None]] = dict.fromkeys(Scores._fields)
"""The values where there is nothing to compare with."""

NO_REFERENCE: Final = "no reference: no value"


def note_scripts(scripts: Sequence[Script], tokeniser: Tokeniser) -> Iterator[str]:
    """Yield notes on letters that ROUGE's tokeniser drops, on other tokens than ROUGE's, and on direction marks.

    Args:
        scripts: of the summary, and of each reference.
        tokeniser: the one that cut them.
    """
    if all(script is ASCII for script in scripts):
        return
    outside = sum(script.outside for script in scripts)
    if outside and tokeniser == "rouge155":
        yield f"letters outside a to z are left out, as ROUGE does: {outside}; tokens=unicode keeps them"
    elif tokeniser == "unicode" and any(script.mostly_outside for script in scripts):
        yield "cut into tokens by the rules for all scripts, since ROUGE keeps only a to z"
    marks = sum(script.marks for script in scripts)
    if marks:
        yield f"invisible direction marks are left out: {marks}"


def note_lengths(words: Sequence[int], overlaps: Sequence[Overlap]) -> Iterator[str]:
    """Yield notes on texts without tokens, or too short for the measure.

    Args:
        words: tokens of the summary, and of each reference.
        overlaps: of the summary and each reference.
    """
    if all(overlap.summary and overlap.reference for overlap in overlaps):
        return
    summary, *references = words
    if not summary:
        yield "the summary has no words to compare"
    elif overlaps and not overlaps[0].summary:
        yield f"the summary is too short for the measure; words: {summary}"
    empty = references.count(0)
    if empty:
        yield f"{_count_references(empty, references)} have no words to compare"
    short = sum(not overlap.reference for overlap in overlaps) - empty
    if short:
        yield f"{_count_references(short, references)} are too short for the measure"


def _count_references(number: int, references: Sequence[object]) -> str:
    return f"{number} of {len(references)} references"


Choice: TypeAlias = Literal["auto", "rouge155", "unicode"]


class _Text:
    """A text of one or more pairs.

    Attributes:
        original: the text.
        script: its letters.
        prepared: number of tokens, and what the measure needs, by tokeniser.
    """

    __slots__ = ("original", "prepared", "script")

    def __init__(self, original: SummaryText) -> None:
        self.original = original
        self.script = find_script(original)
        self.prepared: dict[Tokeniser, tuple[int, Any]] = {}


class Comparison:
    """Compares summaries with references under one measure."""

    def __init__(self, measure: Measure[Any], ids: TokenIds, choice: Choice, pairs: Iterable[Pair]) -> None:
        """Count the texts that occur more than once.

        Args:
            measure: the measure.
            ids: makes tokens of texts.
            choice: the tokeniser; ``auto`` takes ``unicode`` for all texts of a pair if one of them is written mostly
                in letters outside ASCII.
            pairs: all pairs that will be compared.
        """
        self._measure = measure
        self._ids = ids
        self._choice = choice
        texts = Counter(map(self._key, chain.from_iterable((pair.summary, *pair.references) for pair in pairs)))
        # Texts that come once, most summaries, are not kept: memory that is used again at once is fast.
        self._texts: dict[SummaryText | str, _Text | None] = {key: None for key, number in texts.items() if number > 1}

    def overlaps(self, pair: Pair) -> tuple[list[Overlap], tuple[str, ...]]:
        """Return what a summary shares with each of its references, in their order, and notes for people."""
        texts = [self._text(pair.summary), *map(self._text, pair.references)]
        scripts = [text.script for text in texts]
        tokeniser = self._tokeniser(scripts)
        (words, summary), *references = [
            text.prepared.get(tokeniser) or self._prepare(text, tokeniser) for text in texts
        ]
        compare = self._measure.compare
        overlaps = [compare(summary, reference) for _, reference in references]
        notes = (*note_scripts(scripts, tokeniser), *note_lengths((words, *map(itemgetter(0), references)), overlaps))
        return overlaps, notes

    def _tokeniser(self, scripts: Sequence[Script]) -> Tokeniser:
        if self._choice != "auto":
            return self._choice
        return "unicode" if any(script.mostly_outside for script in scripts) else "rouge155"

    def _key(self, text: SummaryText) -> SummaryText | str:
        # A string keeps its hash, a SummaryText computes its own again for each look-up.
        return text if self._measure.by_sentence or text.tokens is not None else text.whole

    def _text(self, text: SummaryText) -> _Text:
        key = self._key(text)
        if key not in self._texts:
            return _Text(text)
        entry = self._texts[key]
        if entry is None:
            entry = self._texts[key] = _Text(text)
        return entry

    def _prepare(self, text: _Text, tokeniser: Tokeniser) -> tuple[int, Any]:
        sentences = self._ids.sentences(text.original, tokeniser, divided=self._measure.by_sentence)
        prepared = text.prepared[tokeniser] = (sum(map(len, sentences)), self._measure.prepare(sentences))
        return prepared


_ROUGE155_MEASURES: Final[Mapping[str, Measure[Any]]] = {
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
        comparison = Comparison(_ROUGE155_MEASURES[self.measure], TokenIds(self._form()), self.tokens, pairs)
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
            return stems.get(token) or (stem_rouge155(token) if token.isascii() else token)

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
        measure = _ROUGE155_MEASURES[self.measure]
        if self.rounding == "exact":
            return measure.ratio(overlap.hits, overlap.reference)
        return measure.preference(overlap)

    def _scores(self, overlap: Overlap) -> Scores:
        ratio = _ROUGE155_MEASURES[self.measure].ratio
        precision, recall = ratio(overlap.hits, overlap.summary), ratio(overlap.hits, overlap.reference)
        if self.rounding == "exact":
            return Scores.from_ratios(precision, recall)
        scores = Scores.from_ratios(round(precision, _DECIMALS), round(recall, _DECIMALS))
        return scores._replace(F=round(scores.F, _DECIMALS))


_ROUGE_SCORE_MEASURES: Final[Mapping[str, Measure[Any]]] = {
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
        form: Callable[[str], str] = _stem_token if self.stem else str
        comparison = Comparison(_ROUGE_SCORE_MEASURES[self.measure], TokenIds(form, str.lower), self.tokens, pairs)
        for pair in pairs:
            if not pair.references:
                yield Evaluation(UNDEFINED, (NO_REFERENCE,))
                continue
            overlaps, notes = comparison.overlaps(pair)
            best = max(map(_score_overlap, overlaps), key=lambda scores: scores.F)
            yield Evaluation(best.as_values(), notes)


def _stem_token(token: str) -> str:
    return nltk_stem(token) if len(token) >= SHORTEST and token.isascii() else token


def _score_overlap(overlap: Overlap) -> Scores:
    return Scores.from_ratios(overlap.hits / (overlap.summary or 1), overlap.hits / (overlap.reference or 1))
