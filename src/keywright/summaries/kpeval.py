"""KPEval: a summary evaluated by the lemma keyphrases that it shares with summaries by people.

F. Elghannam, T. El-Shishtawy, *Keyphrase Based Evaluation of Automatic Text Summarization*, International Journal of
Computer Applications 117(7), 2015. The formulas are lost in the copy at hand; options name the readings of its text.
Weights by probability and comparison with the source are additions.
"""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Literal, TypeAlias

from keywright.core.candidates import Spans
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Analyser, Extractor
from keywright.evaluation.measures.counts import harmonic
from keywright.summaries.evaluator import Evaluation, Evaluator, check_options
from keywright.summaries.pairs import Pair, SummaryText

Top: TypeAlias = int | Literal["chosen"] | None
Forms: TypeAlias = Literal["lemmas", "surface"]
"""Forms that make two keyphrases one: equal lemmas, or equal words in lower case."""


@dataclass(frozen=True, slots=True)
class LemmaKeyphrase:
    """One keyphrase of a text."""

    lemmas: str  # its identity: forms of its words with blanks between, usually lemmas (stems where there are none)
    text: str  # surface form
    spans: Spans  # places in the text, half-open, in characters
    probability: float | None  # chance that a person would choose it, 0 to 1; None where unknown


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
        self, text: SummaryText, longest: int | None = None, top: Top = None, forms: Forms = "lemmas"
    ) -> TextKeyphrases:
        """Return the keyphrases of a text; none of a text without words.

        ``longest``: words of the longest phrase, None for any number; ``top``: number of keyphrases, None for all,
        ``chosen`` for as many as the extractor's own rule chooses; ``forms``: what tells keyphrases apart.
        """
        document = self._analyse(text)
        ranking = self.extractor.extract(document)
        token_forms = _find_token_forms(document, forms)
        breaks = [at for at, sign in enumerate(document.source.text) if sign == "\n"][1::2]
        listed: dict[str, LemmaKeyphrase] = {}
        for keyphrase in ranking.keyphrases(ranking.chosen if top == "chosen" else None):
            words = [keyphrase.text]
            if keyphrase.spans:
                start, end = keyphrase.spans[0]
                words = token_forms[document.start.searchsorted(start) : document.end.searchsorted(end) + 1]
            if longest is None or len(words) <= longest:
                doubled = ((bisect(breaks, start), start, end) for start, end in keyphrase.spans)
                spans = tuple((start - before, end - before) for before, start, end in doubled)
                form = " ".join(words)
                listed.setdefault(form, LemmaKeyphrase(form, keyphrase.text, spans, keyphrase.probability))
            if len(listed) == top:
                break
        return TextKeyphrases(listed, ranking.all_warnings())

    def lemmas(self, text: SummaryText, forms: Forms = "lemmas") -> str:
        """Return the forms of all words of a text, with blanks between and around, to find phrases in."""
        return f" {' '.join(_find_token_forms(self._analyse(text), forms))} "

    def _analyse(self, text: SummaryText) -> AnalysedDocument:
        """Analyse a text with each line break doubled: lines are sentences, and blank lines end them."""
        return self.analyser.analyse(Document("", text.whole.replace("\n", "\n\n"), language=text.language))


def _find_token_forms(document: AnalysedDocument, forms: Forms) -> list[str]:
    if forms == "surface":
        return [document.words[word] for word in document.word.tolist()]
    return [document.stems[stem] for stem in document.word_stem[document.word].tolist()]


LONGEST: Final = 3  # words of the longest keyphrase, as the paper's candidate rules say


@dataclass(frozen=True)
class KPEval(Evaluator):
    """Precision, recall and F of a summary's lemma keyphrases."""

    name: ClassVar[str] = "kpeval"
    headline: ClassVar[str] = "R"

    # Systems by language of the text; the one named ``""`` serves all other languages.
    extractors: Mapping[str, LemmaExtractor]
    # ``pooled`` sums the counts over references, ``mean`` averages P and R over references, ``best`` takes the one
    # with the largest F, of equal ones the first.
    combine: Literal["pooled", "mean", "best"] = "pooled"
    # Value of a keyphrase: 1, or its probability in the text whose share is computed.
    weight: Literal["none", "probability"] = "none"
    # Compare with the references, or with the keyphrases of the source, which needs no references.
    mode: Literal["references", "source"] = "references"
    jackknife: bool = False  # mean over the sets that leave one reference out, to compare systems with people
    longest: int = LONGEST  # words of the longest keyphrase
    # Keyphrases of each text; None for all that the extractor ranks, ``chosen`` for as many as its own rule chooses:
    # for LBAKE, those with a positive discriminant.
    top: Top = None
    forms: Forms = "lemmas"  # identity of keyphrases

    def __post_init__(self) -> None:
        """Raise for values that an option does not have."""
        check_options(self)
        if self.longest < 1 or (isinstance(self.top, int) and self.top < 1):
            raise BadParameter(f"longest {self.longest}, top {self.top}", "expected numbers from 1")

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``P``, ``R`` and ``F`` of each pair, None without references; ``BadParameter`` for weights without."""
        find_keyphrases = cache(self.keyphrases)
        for pair in pairs:
            texts = self.compared_with(pair)
            if not texts:
                yield Evaluation(dict.fromkeys("PRF"), (f"no {self.mode.removesuffix('s')} to compare with",))
                continue
            sets = (texts,) if self.mode == "source" else pair.reference_sets(jackknife=self.jackknife)
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
        if self.mode == "source":
            return (pair.source,) if pair.source else ()
        return pair.references

    def _extractor(self, text: SummaryText) -> LemmaExtractor:
        return self.extractors.get(text.language or "", self.extractors[""])

    def _score(self, peer: TextKeyphrases, references: Sequence[TextKeyphrases]) -> tuple[float, float, float]:
        """Return precision, recall and F against one set of references; a share of nothing is 0."""
        overlaps: list[tuple[float, ...]]
        overlaps = [(*self._weigh(peer, reference), *self._weigh(reference, peer)) for reference in references]
        if self.combine == "pooled":
            overlaps = [tuple(map(sum, zip(*overlaps, strict=True)))]
        shares = [
            (ours / summary if summary else 0.0, theirs / reference if reference else 0.0)
            for ours, summary, theirs, reference in overlaps
        ]
        if self.combine == "best":
            shares = [max(shares, key=lambda each: harmonic(*each))]
        precision, recall = (sum(column) / len(shares) for column in zip(*shares, strict=True))
        return precision, recall, harmonic(precision, recall)

    def _weigh(self, text: TextKeyphrases, other: TextKeyphrases) -> tuple[float, float]:
        """Return the weight of a text's keyphrases that another has, and of all of them."""
        weights = dict.fromkeys(text.keyphrases, 1.0)
        if self.weight == "probability":
            for lemmas, keyphrase in text.keyphrases.items():
                if keyphrase.probability is None:
                    message = f"{keyphrase.text!r} has no probability, and weight is {self.weight}"
                    hint = "choose an extractor with probabilities, such as default, or weight=none"
                    raise BadParameter(message, hint)
                weights[lemmas] = keyphrase.probability
        return sum(weight for lemmas, weight in weights.items() if lemmas in other.keyphrases), sum(weights.values())

    def _list_notes(self, peer: TextKeyphrases, others: Sequence[TextKeyphrases]) -> Iterator[str]:
        if not peer.keyphrases:
            yield "no keyphrase in the summary: it shares none"
        if without := sum(not other.keyphrases for other in others):
            several = f"{without} of {len(others)} {self.mode}"
            yield f"no keyphrase in {several if len(others) > 1 else 'the ' + self.mode.removesuffix('s')}"
        yield from dict.fromkeys(warning for text in (peer, *others) for warning in text.warnings)
