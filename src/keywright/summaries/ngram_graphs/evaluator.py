"""The evaluator ``ngram-graph``: AutoSummENG, MeMoG and NPowER, which is fitted, as no coefficients are published."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar

import numpy as np

from keywright.core.errors import BadParameter, NotFitted, TooLarge
from keywright.core.json_values import check_object, decode_fields
from keywright.core.saving import read_sealed, seal_record, write_sealed
from keywright.core.signatures import sign_fields
from keywright.summaries.evaluator import NO_REFERENCE, Evaluation, Evaluator, check_options
from keywright.summaries.ngram_graphs import graphs
from keywright.summaries.ngram_graphs.graphs import Kind, Level, LevelWeights
from keywright.summaries.pairs import Pair, SummaryText

_KIND: Final = "npower fit"
FITTED_BY: Final = "keywright.summaries.ngram_graphs.evaluator.fit_npower(PAIRS, HUMAN).save(FILE)"
_LARGEST_FILE: Final = 1_000_000  # bytes; arbitrary, a thousand times the size of a fit


@dataclass(frozen=True)
class NPowerFit:
    """Coefficients of NPowER, fitted by least squares."""

    intercept: float
    autosummeng: float
    memog: float
    settings: Mapping[str, str]  # options of the graphs that were compared, as text by name. They are part of the fit
    human: str  # name of the human scores
    pairs: int  # number of summaries that were fitted
    r2: float  # share of the variance of the human scores that the fit explains on these summaries, 0 to 1

    def predict(self, autosummeng: float, memog: float) -> float:
        """Return NPowER of a summary, on the scale of the human scores."""
        return self.intercept + self.autosummeng * autosummeng + self.memog * memog

    @cached_property
    def fingerprint(self) -> str:
        """Start of the hash of the fit, in signatures."""
        digest: str = self._seal_card()["card"]["sha256"]
        return digest[:8]  # as many digits as other fingerprints in signatures have

    def _seal_card(self) -> dict[str, Any]:
        card = {"human": self.human, "pairs": self.pairs, "r2": self.r2, "settings": dict(self.settings)}
        coefficients = {"intercept": self.intercept, "autosummeng": self.autosummeng, "memog": self.memog}
        return seal_record(_KIND, {**coefficients, "card": card})

    def save(self, path: Path) -> None:
        """Write the fit as a JSON file. Raises BadParameter: the file cannot be written."""
        write_sealed(self._seal_card(), path)


def read_fit(path: Path) -> NPowerFit:
    """Return the fit of a file that ``NPowerFit.save`` wrote; raises ``MissingData`` or ``BrokenFile``."""

    def check_size(size: int, name: str) -> None:
        if size > _LARGEST_FILE:
            raise TooLarge(f"{name} has {size:,} bytes; a fit has at most {_LARGEST_FILE:,}", "name another file")

    return read_sealed(
        path,
        _KIND,
        lambda record: decode_fields(NPowerFit, {**record, **check_object(record["card"])}),
        FITTED_BY,
        check_size,
    )


Measure: TypeAlias = Literal["autosummeng", "memog", "npower"]

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

    Raises:
        BadParameter: a number is out of range, or the coefficients were fitted with other options.
        NotFitted: NPowER without coefficients.
    """

    measure: Measure = "autosummeng"  # ``autosummeng``, ``memog`` or ``npower``
    level: Level = "char"  # n-grams of characters, line breaks included, or of words, split at blanks
    n: int = 3  # least length of n-grams
    max_n: int | None = None  # greatest length of n-grams; None for the least
    distance: int = 3  # greatest distance of neighbouring n-grams
    # ``undirected``; ``directed``, from the later to the earlier n-gram; ``symmetric``, both directions
    graph: Kind = "undirected"
    # Weights of the mean over lengths: the length (``rank``), or the sum of those up to it (``cumulative``).
    levels: LevelWeights = "rank"
    jackknife: bool = False  # average over sets of references, each of which leaves one out
    fit: NPowerFit | str | None = None  # coefficients of NPowER, or their file
    as_coded: bool = False  # merge as the program JInsect does: learning factors of 1 and, for the last reference, 0

    name: ClassVar[str] = "ngram-graph"
    headline: ClassVar[str] = "score"

    def __post_init__(self) -> None:
        check_options(self)
        if self.max_n is not None and self.max_n < self.n:
            raise BadParameter(f"{self.name}: max_n={self.max_n} is below n={self.n}", "give a max_n of at least n")
        _ = self._rules  # raises for numbers below 1
        if isinstance(self.fit, str):
            # Read now, so that signatures name the coefficients rather than a path.
            object.__setattr__(self, "fit", read_fit(Path(self.fit)))
        if isinstance(self.fit, NPowerFit):
            for name, value in self.settings().items():
                if value != self.fit.settings.get(name):
                    problem = f"the NPowER fit was made with {name}={self.fit.settings.get(name)}, not {name}={value}"
                    raise BadParameter(problem, "use the options of the fit, or fit again with yours")
        elif self.measure == "npower":
            hint = f"fit them to summaries with human scores: {FITTED_BY}; then give fit=FILE"
            raise NotFitted(f"{self.name}: measure=npower needs fitted coefficients", hint)

    def settings(self) -> Mapping[str, str]:
        """Return the options that coefficients of NPowER depend on, as text by name."""
        plain = replace(self, measure="autosummeng", max_n=self._longest, fit=None)
        return {name: text for name, text in sign_fields(plain).items() if name not in ("measure", "fit")}

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``score`` of each pair, in order; None without references, 0 where a graph has no edge."""
        measures = ("autosummeng", "memog") if self.measure == "npower" else (self.measure,)
        for pair, scores in zip(pairs, self.score(pairs, measures), strict=True):
            score = None
            if scores:
                score = self.fit.predict(*scores) if isinstance(self.fit, NPowerFit) else scores[0]
            yield Evaluation({"score": score}, tuple(self._list_notes(pair)))

    def score(self, pairs: Sequence[Pair], measures: Sequence[str]) -> Iterator[tuple[float, ...] | None]:
        """Yield ``autosummeng`` and ``memog`` of each pair, as asked for, in order; None for one without references."""
        comparing = graphs.Comparing(self._rules, self._longest, self.levels, as_coded=self.as_coded)
        done: dict[int, tuple[float, ...] | None] = {at: None for at, pair in enumerate(pairs) if not pair.references}
        lengths = [len(pair.summary.whole) for pair in pairs]
        topics: dict[str, list[int]] = {}  # positions of pairs with references
        for at, pair in enumerate(pairs):
            if pair.references:
                topics.setdefault(pair.id, []).append(at)
        split = chain.from_iterable(_cut_runs(topic, lengths.__getitem__, _PART) for topic in topics.values())
        waiting = _cut_runs(split, lambda part: sum(lengths[at] for at in part), _BATCH)
        for at in range(len(pairs)):
            while at not in done:
                parts = next(waiting)
                compared = [
                    [self._compare(pairs[each], measure) for each in part for measure in measures] for part in parts
                ]
                similarities = graphs.average_similarities(compared, comparing)
                # Comparisons go through the measures of each pair, so that each measure has every so-many-th value.
                columns = [
                    getattr(similarities, _SIMILARITY[measure])[number :: len(measures)].tolist()
                    for number, measure in enumerate(measures)
                ]
                done |= zip(chain.from_iterable(parts), zip(*columns, strict=True), strict=True)
            yield done.pop(at)

    def _compare(self, pair: Pair, measure: str) -> graphs.Comparison:
        """Return the comparison of a summary with each reference, or with the references merged to one graph."""
        single = measure == "autosummeng"
        sets = ((text,) for text in pair.references) if single else pair.reference_sets(jackknife=self.jackknife)
        models = tuple([tuple([graphs.find_units(text, self.level) for text in texts]) for texts in sets])
        return graphs.Comparison(graphs.find_units(pair.summary, self.level), models)

    def _list_notes(self, pair: Pair) -> Iterator[str]:
        if not pair.references:
            yield NO_REFERENCE
        shortness = f"fewer than {self._longest + 1} {'characters' if self.level == 'char' else 'words'}"
        if self._has_no_edge(pair.summary):
            yield f"the summary has no edge: {shortness}"
        if short := sum(map(self._has_no_edge, pair.references)):
            yield f"{short} of {len(pair.references)} references have no edge: {shortness}"

    def _has_no_edge(self, text: SummaryText) -> bool:
        # Two n-grams make an edge, so that the graph of the longest n-grams needs one unit more than them. A split that
        # stops early spares most of the text.
        units = graphs.find_units(text, self.level)
        split = units.split(None, self._longest) if self.level == "word" and isinstance(units, str) else units
        return len(split) <= self._longest

    @property
    def _rules(self) -> graphs.GraphRules:
        return graphs.GraphRules(self.level, self.n, self.distance, self.graph)

    @property
    def _longest(self) -> int:
        return self.n if self.max_n is None else self.max_n


T = TypeVar("T")


def _cut_runs(items: Iterable[T], size: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """Yield runs of items whose sizes are together at most a number, or of one item that is larger."""
    run: list[T] = []
    total = 0
    for item in items:
        if run and total + size(item) > most:
            yield run
            run, total = [], 0
        run.append(item)
        total += size(item)
    if run:
        yield run


def fit_npower(pairs: Sequence[Pair], human: str, evaluator: NGramGraph | None = None) -> NPowerFit:
    """Return coefficients of NPowER, fitted by least squares to the summaries with references and this human score.

    Fit to training topics only: scores of topics that were fitted are too good. ``human``: such as
    ``litepyramid_recall``. Raises BadParameter: the summaries do not determine the coefficients.
    """
    options = evaluator or NGramGraph()
    labelled = [pair for pair in pairs if pair.references and human in pair.human]
    scores = [row for row in options.score(labelled, ("autosummeng", "memog")) if row is not None]
    target = np.array([pair.human[human] for pair in labelled], dtype=np.float64)
    columns = np.column_stack([np.ones(len(target)), np.array(scores, dtype=np.float64).reshape(len(target), 2)])
    coefficients, _, rank, _ = np.linalg.lstsq(columns, target)
    if rank < columns.shape[1]:
        problem = f"{len(target)} summaries with scores {human!r} do not determine the three coefficients of NPowER"
        raise BadParameter(problem, "give more summaries, whose AutoSummENG and MeMoG differ")
    residuals = target - columns @ coefficients
    variance = float(target.var())
    r2 = max(0.0, 1 - float(np.mean(residuals**2)) / variance) if variance else 0.0
    intercept, autosummeng, memog = coefficients.tolist()
    return NPowerFit(intercept, autosummeng, memog, dict(options.settings()), human, len(target), r2)
