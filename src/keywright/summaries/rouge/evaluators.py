"""The evaluators ``rouge155`` and ``rouge``: ROUGE as ROUGE-1.5.5 and as the package rouge-score 0.1.2 compute it."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from keywright.core.errors import BadParameter, TooLarge
from keywright.evaluation.measures.counts import harmonic
from keywright.evaluation.normal_forms.phrases import nltk_stem, rouge155_stem
from keywright.summaries.evaluator import Evaluation, Evaluator, check_options
from keywright.summaries.pairs import Pair, SummaryText
from keywright.summaries.rouge.measures import ROUGE155_MEASURES, ROUGE_SCORE_MEASURES, Measure, Overlap
from keywright.summaries.rouge.tokens import ASCII, NO_FILE, Script, TokenIds, Tokeniser, WordFile, find_script

Choice: TypeAlias = Literal["auto", "rouge155", "unicode"]

NO_REFERENCE: Final = "no reference: no value"
_KEPT: Final = 1024  # references whose preparation is kept for other summaries of their topic; arbitrary
SHORTEST: Final = 4  # letters of the shortest word that both ROUGE programs stem
_DECIMALS: Final = 5  # decimals to which ROUGE-1.5.5 rounds recall and precision, and F, which it computes from those


class Scores(NamedTuple):
    """The values of one summary, from 0 to 1."""

    P: float
    R: float
    F: float


def note_scripts(scripts: Sequence[Script], tokeniser: Tokeniser) -> Iterator[str]:
    """Yield notes on letters that ROUGE's tokeniser drops, on other tokens than ROUGE's, and on direction marks."""
    if all(script is ASCII for script in scripts):
        return
    outside = sum(script.outside for script in scripts)
    if outside and tokeniser == "rouge155":
        yield f"letters outside a to z are left out, as ROUGE does: {outside}; tokens=unicode keeps them"
    elif tokeniser == "unicode" and any(script.mostly_outside for script in scripts):
        yield "cut into tokens by the rules for all scripts, since ROUGE keeps only a to z"
    if marks := sum(script.marks for script in scripts):
        yield f"invisible direction marks are left out: {marks}"


def note_lengths(summary: int, references: Sequence[int], overlaps: Sequence[Overlap]) -> Iterator[str]:
    """Yield notes on texts without tokens, or too short for the measure, from the numbers of tokens."""
    if all(overlap.summary and overlap.reference for overlap in overlaps):
        return
    if not summary:
        yield "the summary has no words to compare"
    elif overlaps and not overlaps[0].summary:
        yield f"the summary is too short for the measure; words: {summary}"
    if empty := references.count(0):
        yield f"{empty} of {len(references)} references have no words to compare"
    if short := sum(not overlap.reference for overlap in overlaps) - empty:
        yield f"{short} of {len(references)} references are too short for the measure"


class _Rouge(Evaluator):
    """Base of both programs: an empty text has the values 0, and a note; without references there are no values."""

    headline: ClassVar[str] = "R"
    measures: ClassVar[Mapping[str, Measure]]

    measure: str
    tokens: Choice

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield recall, precision and F of each pair, from 0 to 1; raises ``BadRecord`` for bad exceptions."""
        compare = self.measures[self.measure].compare
        prepare = lru_cache(_KEPT)(partial(self._prepare, self._token_ids()))
        for pair in pairs:
            values: Mapping[str, float | None] = dict.fromkeys(Scores._fields)
            notes: tuple[str, ...] = (NO_REFERENCE,)
            if pair.references:
                scripts = list(map(find_script, (pair.summary, *pair.references)))
                tokeniser = self.tokens
                if tokeniser == "auto":
                    tokeniser = "unicode" if any(script.mostly_outside for script in scripts) else "rouge155"
                try:
                    # Most summaries come once: memory that is used again at once is fast.
                    words, summary = prepare.__wrapped__(pair.summary, tokeniser)
                    references = [prepare(text, tokeniser) for text in pair.references]
                    overlaps = [compare(summary, reference) for _, reference in references]
                except TooLarge as error:
                    notes = (str(error),)
                else:
                    lengths = note_lengths(words, [length for length, _ in references], overlaps)
                    notes = (*note_scripts(scripts, tokeniser), *lengths)
                    values = self._combine(pair, overlaps)._asdict()
            yield Evaluation(values, notes)

    def _prepare(self, ids: TokenIds, text: SummaryText, tokeniser: Tokeniser) -> tuple[int, Any]:
        """Return the number of tokens, and what the measure needs of a text."""
        measure = self.measures[self.measure]
        sentences = ids.sentences(text, tokeniser, divided=measure.by_sentence)
        whole = sentences if measure.by_sentence else next(iter(sentences), [])
        return sum(map(len, sentences)), measure.prepare(whole)

    @abstractmethod
    def _token_ids(self) -> TokenIds:
        """Return the function that makes tokens of texts."""

    @abstractmethod
    def _combine(self, pair: Pair, overlaps: Sequence[Overlap]) -> Scores:
        """Return the scores of a pair from what the summary shares with each reference."""


@dataclass(frozen=True)
class Rouge155(_Rouge):
    """ROUGE in the manner of ROUGE-1.5.5."""

    # N-grams of 1 to 4 words; ``L`` longest common subsequences of sentences; ``W`` those, weighted by 1.2; ``S4``
    # pairs of words with at most four between; ``SU4`` those and single words.
    measure: Literal["1", "2", "3", "4", "L", "W", "S4", "SU4"] = "1"
    # ``average`` pools all references; ``best`` takes the one with the highest recall; ``jackknife`` leaves each out in
    # turn, takes the highest value over the others, and the mean of those
    references: Literal["average", "best", "jackknife"] = "average"
    stem: bool = False  # compare stems of words of more than three letters (Porter, for English)
    stop: str = NO_FILE  # file of words to leave out, one a line
    exceptions: str = NO_FILE  # file of stems that are looked up before Porter's algorithm, lines ``word stem``
    # ``rouge155`` rounds recall and precision to five decimals, and computes F from those; or ``exact``
    rounding: Literal["rouge155", "exact"] = "rouge155"
    # ``rouge155`` reads a to z and digits only, ``unicode`` all scripts; ``auto`` is ``unicode`` where most letters of
    # the summary or of a reference are outside a to z
    tokens: Choice = "auto"

    name: ClassVar[str] = "rouge155"
    measures: ClassVar[Mapping[str, Measure]] = ROUGE155_MEASURES

    def __post_init__(self) -> None:
        """Read the files; raises ``BadParameter``, ``MissingData`` or ``UnreadableInput``."""
        check_options(self)
        for option in ("stop", "exceptions"):
            object.__setattr__(self, option, WordFile(getattr(self, option)))
        if self.exceptions != NO_FILE and not self.stem:
            raise BadParameter(f"{self.name}: exceptions={self.exceptions} without stems", "add stem=yes")

    def _token_ids(self) -> TokenIds:
        stop, stems = WordFile(self.stop).words(), WordFile(self.exceptions).stems()

        def form(token: str) -> str | None:
            if token in stop:
                return None
            if not self.stem or len(token) < SHORTEST:
                return token
            return stems.get(token) or (rouge155_stem(token) if token.isascii() else token)

        return TokenIds(form)

    def _combine(self, pair: Pair, overlaps: Sequence[Overlap]) -> Scores:
        if self.references == "average":
            return self._score(Overlap(*map(sum, zip(*overlaps, strict=True))))
        if self.references == "best":
            measure = self.measures[self.measure]
            if self.rounding == "exact":
                return self._score(max(overlaps, key=lambda each: measure.ratio(each.hits, each.reference)))
            return self._score(max(overlaps, key=measure.preferred))
        each = dict(zip(pair.references, map(self._score, overlaps), strict=True))
        best = [
            Scores(*map(max, *(each[text] for text in texts))) if len(texts) > 1 else each[texts[0]]
            for texts in pair.reference_sets(jackknife=True)
        ]
        return Scores(*(sum(values) / len(best) for values in zip(*best, strict=True)))

    def _score(self, overlap: Overlap) -> Scores:
        ratio = self.measures[self.measure].ratio
        precision, recall = ratio(overlap.hits, overlap.summary), ratio(overlap.hits, overlap.reference)
        if self.rounding == "exact":
            return Scores(precision, recall, harmonic(precision, recall))
        precision, recall = round(precision, _DECIMALS), round(recall, _DECIMALS)
        return Scores(precision, recall, round(harmonic(precision, recall), _DECIMALS))


@dataclass(frozen=True)
class RougeScore(_Rouge):
    """ROUGE in the manner of rouge-score."""

    # N-grams of 1 to 9 words; ``L`` longest common subsequence of the whole texts; ``Lsum`` those of sentences.
    measure: Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum"] = "1"
    stem: bool = False  # compare stems of words of more than three letters (NLTK's Porter stemmer, for English)
    references: Literal["best"] = "best"  # ``best``, the reference with the highest F
    # ``rouge155`` reads a to z and digits only, as rouge-score does, ``unicode`` all scripts; ``auto`` is ``unicode``
    # where most letters of the summary or of a reference are outside a to z
    tokens: Choice = "auto"

    name: ClassVar[str] = "rouge"
    measures: ClassVar[Mapping[str, Measure]] = ROUGE_SCORE_MEASURES

    def __post_init__(self) -> None:
        check_options(self)

    def _token_ids(self) -> TokenIds:
        return TokenIds(_stem_token if self.stem else str, str.lower)

    def _combine(self, pair: Pair, overlaps: Sequence[Overlap]) -> Scores:  # noqa: ARG002 - the best of any pair
        ratio = self.measures[self.measure].ratio
        ratios = ((ratio(each.hits, each.summary), ratio(each.hits, each.reference)) for each in overlaps)
        return max((Scores(*each, harmonic(*each)) for each in ratios), key=lambda scores: scores.F)


def _stem_token(token: str) -> str:
    return nltk_stem(token) if len(token) >= SHORTEST and token.isascii() else token
