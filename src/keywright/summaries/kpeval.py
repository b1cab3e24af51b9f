"""KPEval: a summary evaluated by the lemma keyphrases that it shares with summaries by people.

Source: F. Elghannam, T. El-Shishtawy, *Keyphrase Based Evaluation of Automatic Text Summarization*, International
Journal of Computer Applications 117(7), 2015. The formulas of precision and recall are lost in the copy at hand;
``Combine`` names the readings of its text. Weights by probability and comparison with the source are additions.
"""

import enum
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from keywright.core.candidates import Spans
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Analyser, Extractor
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.pairs import Pair, SummaryText

Top: TypeAlias = int | Literal["chosen"] | None


class Forms(enum.StrEnum):
    """Forms that make two keyphrases one: equal lemmas, or equal words in lower case."""

    LEMMAS = "lemmas"
    SURFACE = "surface"


@dataclass(frozen=True, slots=True)
class LemmaKeyphrase:
    """One keyphrase of a text.

    Attributes:
        lemmas: its identity: forms of its words with blanks between, usually lemmas (stems where there are none).
        text: surface form.
        spans: places in the text, half-open, in characters.
        probability: that a person would choose it, 0 to 1; None from systems without probabilities.
    """

    lemmas: str
    text: str
    spans: Spans
    probability: float | None


@dataclass(frozen=True, slots=True)
class TextKeyphrases:
    """The keyphrases of one text, by lemmas, best first, and the extractor's warnings for people."""

    keyphrases: Mapping[str, LemmaKeyphrase]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LemmaExtractor:
    """An extractor with the analyser whose stems are taken as lemmas."""

    extractor: Extractor
    analyser: Analyser

    def keyphrases(
        self, text: SummaryText, longest: int | None = None, top: Top = None, forms: Forms = Forms.LEMMAS
    ) -> TextKeyphrases:
        """Return the keyphrases of a text; none of a text without words.

        ``longest``: words of the longest phrase, None for any number; ``top``: number of keyphrases, None for all that
        the extractor ranks, ``chosen`` for as many as its own rule chooses, if it has one; ``forms``: what tells
        keyphrases apart.
        """
        document = self._analyse(text)
        ranking = self.extractor.extract(document)
        if not len(ranking):
            return TextKeyphrases({}, ranking.all_warnings())
        token_forms = _find_token_forms(document, forms)
        breaks = [at for at, sign in enumerate(document.source.text) if sign == "\n"][1::2]
        listed: dict[str, LemmaKeyphrase] = {}
        for keyphrase in ranking.keyphrases(ranking.chosen if top == "chosen" else None):
            words = [keyphrase.text]
            if keyphrase.spans:
                start, end = keyphrase.spans[0]
                words = token_forms[document.start.searchsorted(start) : document.end.searchsorted(end) + 1]
            if longest is None or len(words) <= longest:
                spans = tuple(
                    (start - bisect(breaks, start), end - bisect(breaks, start)) for start, end in keyphrase.spans
                )
                form = " ".join(words)
                listed.setdefault(form, LemmaKeyphrase(form, keyphrase.text, spans, keyphrase.probability))
            if len(listed) == top:
                break
        return TextKeyphrases(listed, ranking.all_warnings())

    def lemmas(self, text: SummaryText, forms: Forms = Forms.LEMMAS) -> str:
        """Return the forms of all words of a text, with blanks between and around, to find phrases in."""
        return f" {' '.join(_find_token_forms(self._analyse(text), forms))} "

    def _analyse(self, text: SummaryText) -> AnalysedDocument:
        """Analyse a text with each line break doubled: lines are sentences, and blank lines end them."""
        return self.analyser.analyse(Document("", text.whole.replace("\n", "\n\n"), language=text.language))


def _find_token_forms(document: AnalysedDocument, forms: Forms) -> list[str]:
    if forms is Forms.SURFACE:
        return [document.words[word] for word in document.word.tolist()]
    return [document.stems[stem] for stem in document.word_stem[document.word].tolist()]


LONGEST: Final = 3
"""Words of the longest keyphrase, as the paper's candidate rules say."""


class Combine(enum.StrEnum):
    """Ways to combine several references.

    ``pooled`` sums the counts over references, ``mean`` averages P and R over references, ``best`` takes the reference
    with the largest F, of equal ones the first.
    """

    POOLED = "pooled"
    MEAN = "mean"
    BEST = "best"


class Weight(enum.StrEnum):
    """Weights of keyphrases: each 1, or its probability in the text whose share is computed."""

    NONE = "none"
    PROBABILITY = "probability"


class Mode(enum.StrEnum):
    """Texts that a summary is compared with."""

    REFERENCES = "references"
    SOURCE = "source"


class _Overlap(NamedTuple):
    """Shared and total weight of the keyphrases of a summary and of one reference."""

    of_summary: float
    summary: float
    of_reference: float
    reference: float


@dataclass(frozen=True)
class KPEval(Evaluator):
    """Precision, recall and F of a summary's lemma keyphrases.

    Attributes:
        extractors: systems by language of the text; the one named ``""`` serves all other languages.
        combine: how several references are combined.
        weight: what a keyphrase counts.
        mode: compare with the references, or with the keyphrases of the source, which needs no references.
        jackknife: mean over the sets that leave one reference out, to compare systems with people.
        longest: words of the longest keyphrase.
        top: keyphrases of each text; None for all that the extractor ranks, ``chosen`` for as many as its own rule
            chooses: for LBAKE, those with a positive discriminant.
        forms: what makes two keyphrases one.
    """

    name: ClassVar[str] = "kpeval"
    headline: ClassVar[str] = "R"

    extractors: Mapping[str, LemmaExtractor]
    combine: Combine = Combine.POOLED
    weight: Weight = Weight.NONE
    mode: Mode = Mode.REFERENCES
    jackknife: bool = False
    longest: int = LONGEST
    top: Top = None
    forms: Forms = Forms.LEMMAS

    def __post_init__(self) -> None:
        """Raise for numbers out of range."""
        if self.longest < 1 or (isinstance(self.top, int) and self.top < 1):
            raise BadParameter(f"longest {self.longest}, top {self.top}", "expected numbers from 1")

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``P``, ``R`` and ``F`` of each pair, in order; each distinct text is analysed once.

        A summary or reference without keyphrases counts 0 and is noted; without anything to compare with, values are
        None.

        Raises:
            BadParameter: weights are asked for, and the extractor gives no probabilities.
        """
        find_keyphrases = cache(self.keyphrases)
        for pair in pairs:
            texts = self.compared_with(pair)
            if not texts:
                yield Evaluation(dict.fromkeys("PRF"), (f"no {self.mode.value.removesuffix('s')} to compare with",))
                continue
            sets = (texts,) if self.mode is Mode.SOURCE else pair.reference_sets(jackknife=self.jackknife)
            peer = find_keyphrases(pair.summary)
            scores = [self._score(peer, list(map(find_keyphrases, members))) for members in sets]
            values = (sum(column) / len(scores) for column in zip(*scores, strict=True))
            notes = self._list_notes(peer, list(map(find_keyphrases, texts)))
            yield Evaluation(dict(zip("PRF", values, strict=True)), tuple(notes))

    def keyphrases(self, text: SummaryText) -> TextKeyphrases:
        """Return the keyphrases of a text that count."""
        return self._extractor(text).keyphrases(text, self.longest, self.top, self.forms)

    def lemmas_of(self, text: SummaryText) -> str:
        """Return the lemmas of all words of a text, with blanks between and around."""
        return self._extractor(text).lemmas(text, self.forms)

    def compared_with(self, pair: Pair) -> tuple[SummaryText, ...]:
        """Return the texts that a summary is compared with: its references, or its source."""
        if self.mode is Mode.SOURCE:
            return (pair.source,) if pair.source else ()
        return pair.references

    def _extractor(self, text: SummaryText) -> LemmaExtractor:
        return self.extractors.get(text.language or "", self.extractors[""])

    def _score(self, peer: TextKeyphrases, references: Sequence[TextKeyphrases]) -> tuple[float, float, float]:
        """Return precision, recall and F against one set of references."""
        overlaps = [self._overlap(peer, reference) for reference in references]
        if self.combine is Combine.POOLED:
            return _add_f(*_compute_shares(_Overlap(*map(sum, zip(*overlaps, strict=True)))))
        shares = list(map(_compute_shares, overlaps))
        if self.combine is Combine.BEST:
            return max((_add_f(*each) for each in shares), key=lambda scores: scores[2])
        precision, recall = zip(*shares, strict=True)
        return _add_f(sum(precision) / len(shares), sum(recall) / len(shares))

    def _overlap(self, peer: TextKeyphrases, reference: TextKeyphrases) -> _Overlap:
        ours, theirs = peer.keyphrases, reference.keyphrases
        return _Overlap(
            sum(self._weigh(keyphrase) for lemmas, keyphrase in ours.items() if lemmas in theirs),
            sum(map(self._weigh, ours.values())),
            sum(self._weigh(keyphrase) for lemmas, keyphrase in theirs.items() if lemmas in ours),
            sum(map(self._weigh, theirs.values())),
        )

    def _weigh(self, keyphrase: LemmaKeyphrase) -> float:
        if self.weight is Weight.NONE:
            return 1.0
        if keyphrase.probability is None:
            message = f"{keyphrase.text!r} has no probability, and weight is {Weight.PROBABILITY.value}"
            raise BadParameter(message, "choose an extractor with probabilities, such as default, or weight=none")
        return keyphrase.probability

    def _list_notes(self, peer: TextKeyphrases, others: Sequence[TextKeyphrases]) -> Iterator[str]:
        if not peer.keyphrases:
            yield "no keyphrase in the summary: it shares none"
        if without := sum(not other.keyphrases for other in others):
            several = f"{without} of {len(others)} {self.mode.value}"
            yield f"no keyphrase in {several if len(others) > 1 else 'the ' + self.mode.value.removesuffix('s')}"
        yield from dict.fromkeys(warning for text in (peer, *others) for warning in text.warnings)


def _compute_shares(overlap: _Overlap) -> tuple[float, float]:
    """Return precision and recall; a share of nothing is 0."""
    return (
        overlap.of_summary / overlap.summary if overlap.summary else 0.0,
        overlap.of_reference / overlap.reference if overlap.reference else 0.0,
    )


def _add_f(precision: float, recall: float) -> tuple[float, float, float]:
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
