"""The evaluator ``ngram-graph``: AutoSummENG, MeMoG and NPowER of summaries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import ClassVar, Final, Literal, TypeAlias, get_args

from keywright.core.errors import BadParameter, NotFitted
from keywright.core.signatures import sign_fields
from keywright.summaries.evaluator import NO_REFERENCE, Evaluation, Evaluator
from keywright.summaries.ngram_graphs.graphs import GraphRules, Kind, Level, find_units, has_more_units
from keywright.summaries.ngram_graphs.npower import FITTED_BY, NPowerFit, fit_least_squares, read_fit
from keywright.summaries.ngram_graphs.similarity import Comparing, Comparison, LevelWeights, average_similarities
from keywright.summaries.pairs import Pair, SummaryText

Measure: TypeAlias = Literal["autosummeng", "memog", "npower"]

_CHOICES: Final = {"measure": Measure, "level": Level, "graph": Kind, "levels": LevelWeights}
_SIMILARITY: Final = {"autosummeng": "vs", "memog": "nvs"}
_BATCH: Final = 50_000
"""Characters that are compared at once: their edges fit in a processor's cache, and more gain nothing (measured)."""
_PART: Final = 1_000_000
"""Characters of a topic that are compared at once; in a larger topic, references are read once for each part.

Arbitrary; about 150 MB at the usual distance.
"""


@dataclass(frozen=True)
class NGramGraph(Evaluator):
    """Similarity of graphs of neighbouring n-grams, from 0 to 1; NPowER on the scale of the human scores.

    AutoSummENG is the mean value similarity with each reference (Giannakopoulos, Karkaletsis, Vouros and Stamatopoulos
    2008), MeMoG the normalised value similarity with the references merged in order (Giannakopoulos and Karkaletsis
    2011), NPowER a linear model of both (Giannakopoulos and Karkaletsis 2013). TAC 2011 published MeMoG with n = 3,
    distance 3 and symmetric graphs.

    Attributes:
        measure: ``autosummeng``, ``memog`` or ``npower``.
        level: n-grams of characters, line breaks included, or of words, split at blanks.
        n: least length of n-grams.
        max_n: greatest length of n-grams; None for the least.
        distance: greatest distance of neighbouring n-grams.
        graph: ``undirected``; ``directed``, from the later to the earlier n-gram; ``symmetric``, both directions.
        levels: weights of the mean over lengths: the length (``rank``), or the sum of those up to it (``cumulative``).
        jackknife: average over sets of references, each of which leaves one out.
        fit: coefficients of NPowER, or their file.
        as_coded: merge as the program JInsect does: learning factors of 1 and, for the last reference, 0.

    Raises:
        BadParameter: a number is out of range, or the coefficients were fitted with other options.
        NotFitted: NPowER without coefficients.
    """

    measure: Measure = "autosummeng"
    level: Level = "char"
    n: int = 3
    max_n: int | None = None
    distance: int = 3
    graph: Kind = "undirected"
    levels: LevelWeights = "rank"
    jackknife: bool = False
    fit: NPowerFit | str | None = None
    as_coded: bool = False

    name: ClassVar[str] = "ngram-graph"
    headline: ClassVar[str] = "score"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in get_args(choices):
                message = f"{self.name}: {name}={getattr(self, name)!r}"
                raise BadParameter(message, f"{name} is one of {', '.join(get_args(choices))}")
        if self.max_n is not None and self.max_n < self.n:
            raise BadParameter(f"{self.name}: max_n={self.max_n} is below n={self.n}", "give a max_n of at least n")
        _ = self._rules  # raises for numbers below 1
        if isinstance(self.fit, str):
            # Read now, so that signatures name the coefficients rather than a path.
            object.__setattr__(self, "fit", read_fit(Path(self.fit)))
        if isinstance(self.fit, NPowerFit):
            self.fit.check_settings(self.settings())
        elif self.measure == "npower":
            hint = f"fit them to summaries with human scores: {FITTED_BY}; then give fit=FILE"
            raise NotFitted(f"{self.name}: measure=npower needs fitted coefficients", hint)

    def settings(self) -> Mapping[str, str]:
        """Return the options that coefficients of NPowER depend on, as text by name."""
        graphs = replace(self, measure="autosummeng", max_n=self._longest, fit=None)
        return {name: text for name, text in sign_fields(graphs).items() if name not in ("measure", "fit")}

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``score`` of each pair, in order; None without references, 0 where a graph has no edge."""
        measures = ("autosummeng", "memog") if self.measure == "npower" else (self.measure,)
        for pair, scores in zip(pairs, self.score(pairs, measures), strict=True):
            score = None
            if scores:
                score = self.fit.predict(*scores) if isinstance(self.fit, NPowerFit) else scores[0]
            yield Evaluation({"score": score}, tuple(self._list_notes(pair)))

    def score(self, pairs: Sequence[Pair], measures: Sequence[str]) -> Iterator[tuple[float, ...] | None]:
        """Yield ``autosummeng`` and ``memog`` of each pair, as asked for, in order; None for one without references.

        The graph of a text is made once in a topic. AutoSummENG, a mean over references, is the same with and without
        ``jackknife``.
        """
        comparing = Comparing(self._rules, self._longest, self.levels, as_coded=self.as_coded)
        done: dict[int, tuple[float, ...] | None] = {at: None for at, pair in enumerate(pairs) if not pair.references}
        waiting = _batch_topics(pairs)
        for at in range(len(pairs)):
            while at not in done:
                parts = next(waiting)
                compared = [
                    [self._compare(pairs[each], measure) for each in part for measure in measures] for part in parts
                ]
                similarities = average_similarities(compared, comparing)
                # Comparisons go through the measures of each pair, so that each measure has every so-many-th value.
                columns = [
                    getattr(similarities, _SIMILARITY[measure])[number :: len(measures)].tolist()
                    for number, measure in enumerate(measures)
                ]
                done |= zip(chain.from_iterable(parts), zip(*columns, strict=True), strict=True)
            yield done.pop(at)

    def _compare(self, pair: Pair, measure: str) -> Comparison:
        """Return the comparison of a summary with each reference, or with the references merged to one graph."""
        single = measure == "autosummeng"
        sets = ((text,) for text in pair.references) if single else pair.reference_sets(jackknife=self.jackknife)
        models = tuple([tuple([find_units(text, self.level) for text in texts]) for texts in sets])
        return Comparison(find_units(pair.summary, self.level), models)

    def _list_notes(self, pair: Pair) -> Iterator[str]:
        if not pair.references:
            yield NO_REFERENCE
        shortness = f"fewer than {self._longest + 1} {'characters' if self.level == 'char' else 'words'}"
        if self._has_no_edge(pair.summary):
            yield f"the summary has no edge: {shortness}"
        if short := sum(map(self._has_no_edge, pair.references)):
            yield f"{short} of {len(pair.references)} references have no edge: {shortness}"

    def _has_no_edge(self, text: SummaryText) -> bool:
        # Two n-grams make an edge, so that the graph of the longest n-grams needs one unit more than them.
        return not has_more_units(find_units(text, self.level), self._longest, self.level)

    @property
    def _rules(self) -> GraphRules:
        return GraphRules(self.level, self.n, self.distance, self.graph)

    @property
    def _longest(self) -> int:
        return self.n if self.max_n is None else self.max_n


def _batch_topics(pairs: Sequence[Pair]) -> Iterator[list[list[int]]]:
    """Yield positions of pairs with references, by topics that are compared at once, in order of appearance."""
    topics: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        if pair.references:
            topics.setdefault(pair.id, []).append(at)
    batch: list[list[int]] = []
    size = 0
    for part in chain.from_iterable(_split_topic(pairs, topic) for topic in topics.values()):
        batch.append(part)
        size += sum(len(pairs[at].summary.whole) for at in part)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _split_topic(pairs: Sequence[Pair], topic: Sequence[int]) -> Iterator[list[int]]:
    """Yield the positions of a topic's pairs, in parts of at most ``_PART`` characters where it has more."""
    part: list[int] = []
    size = 0
    for at in topic:
        length = len(pairs[at].summary.whole)
        if part and size + length > _PART:
            yield part
            part, size = [], 0
        part.append(at)
        size += length
    yield part


def fit_npower(pairs: Sequence[Pair], human: str, evaluator: NGramGraph | None = None) -> NPowerFit:
    """Return coefficients of NPowER, fitted to the summaries that have references and this human score.

    Fit to training topics only: scores of topics that were fitted are too good. ``human``: name of the human scores,
    such as ``litepyramid_recall``; ``evaluator``: options of the graphs.

    Raises:
        BadParameter: the summaries do not determine the coefficients.
    """
    options = evaluator or NGramGraph()
    labelled = [pair for pair in pairs if pair.references and human in pair.human]
    scores = [row for row in options.score(labelled, ("autosummeng", "memog")) if row is not None]
    return fit_least_squares(scores, [pair.human[human] for pair in labelled], human, options.settings())
