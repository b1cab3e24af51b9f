"""The default extractor fine-tuned on labelled documents, with the gain on held-out ones.

Boosting starts from the log-odds of a trained ranker, and the number of small, slow trees minimises the logistic loss
on held-out documents. The sum is again one model (docs/decisions/0016-adapting.md). Results come from cross-fitting:
trees and probabilities of a document are fitted without it.

The verdict on the gain follows from one number fixed in advance, the mean of F at 5, 10 and 15: the best of several
measures would often show a gain by chance. The interval is that of the paired bootstrap over documents (Efron and
Tibshirani 1993); documents with equal text count as one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.adapting.document_frequencies import count_languages, in_language_of_most
from keywright.calibration.calibration_error import BINS, compute_error, sum_bins
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import AnalysedDocument, LabelledDocument, Style
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Analyser, Progress
from keywright.core.json_values import encode
from keywright.datasets.collection import DataSet
from keywright.datasets.training_mix import TRAINING, usual_fingerprint
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval, resample
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.features.description.described_candidates import STYLES, add_style_column
from keywright.extraction.learners.examples import Examples, assign_folds, cross_fit, expected_by_style, with_expected
from keywright.extraction.learners.growing import Boosting, boosted_trees
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.extraction.learners.trees import Trees, add_trees, first_trees
from keywright.extraction.systems.default import Default

FOLDS: Final = 5  # folds of cross-fitting; conventional
FURTHER: Final = Boosting(rate=0.07, leaves=8, penalty=10.0)
"""Settings of the further trees; chosen on training collections that the first trees were not trained on."""
ROUNDS: Final = (10, 25, 50, 100, 200)  # candidate numbers of further trees; cross-fitting selects one
_ALL_FOLDS: Final = -1  # number of no fold: a map fitted on all examples
_KEYPHRASES_PER_KNOT: Final = 10
"""Keyphrases for each knot of a probability map; arbitrary: few documents cannot support many knots."""
_MOST_KNOTS: Final = 64  # maximum knots of a probability map, as where a ranker is trained anew
_FEWEST_KNOTS: Final = 2  # ends of a line


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The candidates of one document in one style, scored by models that were not trained on the document."""

    document: str
    style: Style
    gold: int  # keyphrases, among the candidates or not
    answers: Bools
    before: Floats  # log-odds of the ranker, (candidates,)
    after: Floats  # log-odds with further trees
    probable_before: Floats | None  # probabilities by each, None where there are none
    probable_after: Floats | None


def continue_training(
    ranker: TrainedRanker,
    examples: Iterable[Examples],
    settings: Boosting = FURTHER,
    card: Mapping[str, Any] | None = None,
) -> tuple[TrainedRanker, tuple[HeldOut, ...]]:
    """Return the ranker with further trees and new probabilities, and results cross-fitted in five folds."""
    usable = [example for example in examples if len(example.answers)]
    fold = assign_folds([example.document for example in usable], FOLDS)
    _check_examples(ranker, usable)
    before = [ranker.scores(example.rows, example.start) for example in usable]

    def grow(indices: Sequence[int], rounds: int) -> Trees:
        rows = np.concatenate([usable[index].rows for index in indices])
        answers = np.concatenate([usable[index].answers for index in indices])
        start = np.concatenate([before[index] for index in indices])
        return boosted_trees(rows, answers, replace(settings, trees=rounds), start=start)

    def grow_stages(others: list[int]) -> list[Trees]:
        # Boosting is incremental: the first trees of the longest run are the shorter runs, so one run serves all.
        trees = grow(others, ROUNDS[-1])
        return [first_trees(trees, rounds) for rounds in ROUNDS]

    def score_stages(stages: list[Trees], index: int) -> Floats:
        return np.stack([before[index] + trees.scores(usable[index].rows) for trees in stages])

    scores = cross_fit(fold, grow_stages, score_stages)
    losses = np.array([logistic_losses(each.answers, rounds) for each, rounds in zip(usable, scores, strict=True)])
    after = [rounds[losses[fold != number].sum(axis=0).argmin()] for rounds, number in zip(scores, fold, strict=True)]
    maps: dict[tuple[Style, int], ProbabilityMap | None] = {}
    for style in {example.style: None for example in usable}:
        of_style = np.array([example.style is style for example in usable])
        for number in range(_ALL_FOLDS, FOLDS):
            maps[style, number] = _probability_map(usable, after, of_style & (fold != number))
    held_out = []
    for example, number, first, then in zip(usable, fold.tolist(), before, after, strict=True):
        gold, fitted = max(example.gold, int(example.answers.sum())), maps[example.style, number]
        probable = ranker.probabilities(first, example.style), None if fitted is None else fitted.of(then)
        held_out.append(HeldOut(example.document, example.style, gold, example.answers, first, then, *probable))
    whole = {style: fitted for (style, number), fitted in maps.items() if number == _ALL_FOLDS}
    probability = {style.value: fitted for style, fitted in whole.items() if fitted is not None}
    rounds = ROUNDS[losses.sum(axis=0).argmin()]
    trees = add_trees(ranker.trees, grow(range(len(usable)), rounds))
    expected = expected_by_style(usable)
    return TrainedRanker(trees, ranker.columns, probability, card or {}, expected, ranker.by_weight), tuple(held_out)


def logistic_losses(answers: Bools, scores: Floats) -> Floats:
    """Return the sum of the logistic loss over candidates, (...), from log-odds (..., candidates)."""
    return np.asarray(np.logaddexp(0, np.where(answers, -scores, scores)).sum(axis=-1))


def _check_examples(ranker: TrainedRanker, examples: Sequence[Examples]) -> None:
    """Raise ``BadParameter`` for examples that nothing can be learnt from."""
    documents = len({example.document for example in examples})
    if documents < FOLDS:
        hint = f"give at least {FOLDS} different ones"
        raise BadParameter(f"{documents} documents with keyphrases and candidates", hint)
    if any(example.columns != ranker.columns for example in examples):
        hint = "train it again with this version"
        raise BadParameter("the ranker was trained on other columns than this version has", hint)
    if sum(bool(example.answers.any()) for example in examples) < FOLDS:
        message = f"gold keyphrases occur in fewer than {FOLDS} of {documents} documents"
        raise BadParameter(message, "do the keyphrases belong to these documents?")


def _probability_map(examples: Sequence[Examples], scores: Sequence[Floats], mask: Bools) -> ProbabilityMap | None:
    """Fit a map on the scores of marked examples, (examples,); None where keyphrases are too few."""
    marked = np.flatnonzero(mask).tolist()
    answers = np.concatenate([np.zeros(0, bool), *(examples[index].answers for index in marked)])
    knots = min(_MOST_KNOTS, int(answers.sum()) // _KEYPHRASES_PER_KNOT)
    if knots < _FEWEST_KNOTS or answers.all():
        return None
    return ProbabilityMap.fit(np.concatenate([scores[index] for index in marked]), answers, knots)


AnalysedLabelled: TypeAlias = LabelledDocument[AnalysedDocument]
CUTOFFS: Final = (5, 10, 15)  # cutoffs of SemEval-2010 Task 5
CHECKED: Final = CUTOFFS[-1]  # phrases per document whose probabilities are checked
MIN_HELD_OUT: Final = 20  # documents below which no gain is claimed; arbitrary
DECISIVE: Final = "F, mean of F@5, F@10 and F@15"
CALIBRATION: Final = f"calibration error of the top {CHECKED}"


@dataclass(frozen=True, slots=True)
class Change:
    """F1 by stems, or the calibration error, before and after adapting, with a 95 % interval of the difference."""

    measure: str
    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """After minus before."""
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        record = encode(self)
        interval = [record.pop("low"), record.pop("high")]
        return {**record, "difference": self.difference, "interval": interval}


@dataclass(frozen=True, slots=True)
class Gain:
    """Changes of measures on held-out documents, equal texts counted once: the decisive measure first."""

    documents: int
    changes: tuple[Change, ...]

    @property
    def shown(self) -> bool:
        """True if the interval of the decisive measure lies above 0, and there are enough documents."""
        return self.documents >= MIN_HELD_OUT and self.changes[0].low > 0

    @property
    def verdict(self) -> str:
        """The result in words."""
        first = self.changes[0]
        between = f"between {100 * first.low:+.1f} and {100 * first.high:+.1f} points of F (95 %)"
        if self.documents < MIN_HELD_OUT:
            return f"no gain can be shown: {self.documents} documents are too few to tell, {MIN_HELD_OUT} are needed"
        if self.shown:
            return f"gain shown: the difference on held-out documents lies {between}"
        if first.high < 0:
            return f"no gain: adapting makes it worse, the difference lies {between}"
        return f"no gain could be shown: the difference lies {between}"

    def as_json(self) -> dict[str, Any]:
        """Return JSON values, for cards and machines."""
        changes = [change.to_dict() for change in self.changes]
        return {"documents": self.documents, "shown": self.shown, "verdict": self.verdict, "changes": changes}


def measure_gain(held_out: Sequence[HeldOut], resampling: Resampling | None = None) -> Gain:
    """Measure held-out examples before and after, a document's styles by their mean, errors if all have them."""
    resampling = resampling or Resampling()
    names = {name: index for index, name in enumerate(dict.fromkeys(example.document for example in held_out))}
    owner = np.array([names[example.document] for example in held_out])
    examples = np.bincount(owner, minlength=len(names))[:, None]
    scores = np.array([(*_measure_f(each, each.before), *_measure_f(each, each.after)) for each in held_out])
    rows = _sum_examples(scores, owner, len(names)) / examples
    samples = resample(rows, resampling) / len(rows)
    changes = _list_changes((DECISIVE, *(f"F@{k}" for k in CUTOFFS)), rows.mean(axis=0), samples, resampling.level)
    if all(each.probable_before is not None and each.probable_after is not None for each in held_out):
        # Totals of the calibration bins of each example's best phrases, before and after: (examples, 2, 3, bins).
        both_of = ((each, each.probable_before, each.probable_after) for each in held_out)
        bins = np.array([(_count_bins(each, before), _count_bins(each, after)) for each, before, after in both_of])
        totals = _sum_examples(bins.reshape(len(held_out), -1), owner, len(names))
        both = (totals.sum(axis=0), resample(totals, resampling))
        errors = [compute_error(sums.reshape(*sums.shape[:-1], 2, 3, BINS)) for sums in both]
        changes += _list_changes((CALIBRATION,), errors[0], errors[1], resampling.level)
    return Gain(len(names), changes)


def _measure_f(example: HeldOut, scores: Floats) -> Floats:
    """Return the mean of F1 at the cutoffs, and each of them, (1 + cutoffs,); 0 for a document without candidates."""
    # Cumulated hits with a leading 0, so that index k is the number of hits among the first k phrases.
    hits = np.concatenate(([0], example.answers[np.argsort(-scores, kind="stable")].cumsum()))
    sizes = np.minimum(CUTOFFS, len(scores))
    each = 2 * hits[sizes] / np.maximum(sizes + example.gold, 1)
    return np.concatenate(([each.mean()], each))


def _count_bins(example: HeldOut, probabilities: Floats | None) -> Floats:
    """Return totals of the calibration bins of the best phrases, (3, bins)."""
    if probabilities is None:
        return np.zeros((3, BINS))
    best = np.argsort(-probabilities, kind="stable")[:CHECKED]
    return sum_bins(probabilities[best], example.answers[best])


def _sum_examples(rows: Floats, owner: Ints, documents: int) -> Floats:
    """Return sums over the examples of each document, (documents, columns)."""
    sums = np.zeros((documents, rows.shape[1]))
    np.add.at(sums, owner, rows)
    return sums


def _list_changes(names: tuple[str, ...], values: Floats, samples: Floats, level: float) -> tuple[Change, ...]:
    """Return changes from values (2 * measures,), before first, and resampled values (samples, 2 * measures)."""
    before, after = np.split(values, 2)
    low, high = percentile_interval(samples[:, len(names) :] - samples[:, : len(names)], level)
    columns = (column.tolist() for column in (before, after, low, high))
    return tuple(Change(name, *numbers) for name, *numbers in zip(names, *columns, strict=True))


@dataclass(frozen=True, slots=True)
class Adapted:
    """An extractor fitted to labelled documents, collections it had been trained on, and others by language."""

    system: Default
    gain: Gain
    trained_before: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the figures, for people."""
        notes = []
        if self.trained_before:
            names = ", ".join(self.trained_before)
            notes.append(f"the shipped trees were trained on {names}: the values under 'before' are too high")
        if self.left_out:
            notes.append(_note_left_out(self.system.language, self.left_out))
        return tuple(notes)


def adapt_to_labelled(system: Default, data: DataSet, analyser: Analyser, progress: Progress | None = None) -> Adapted:
    """Fit the extractor to a data set, and measure the gain; raises ``BadParameter`` if too few texts have gold."""
    data.check_learnable()
    left_out: Counter[str] = Counter()

    def analyse_all() -> Iterator[AnalysedLabelled]:
        for number, labelled in enumerate(data, start=1):
            yield LabelledDocument(analyser.analyse(labelled.document), labelled.gold)
            if progress:
                progress(number, len(data))

    system, in_language = in_language_of_most(
        system, analyse_all(), lambda labelled: labelled.document.source.language, left_out
    )
    try:
        # Equal texts are held out together.
        examples = with_expected(
            replace(example, document=f"{text_key(each.document):016x}")
            for each in in_language
            for example in system.examples([each])
        )
        # Gold of one style is learned as the style that the trees fit best already, gold of several styles as its own.
        if len({example.style for example in examples}) == 1:
            examples = _restyle_best(system.ranker, examples)
        ranker, held_out = continue_training(system.ranker, examples)
    except BadParameter as error:
        if not left_out:
            raise
        raise BadParameter(error.message, _note_left_out(system.language, left_out)) from error
    # The result has the style of most documents; styles without gold lose their probabilities.
    return Adapted(system.with_ranker(ranker, examples), measure_gain(held_out), find_trained_before(data), left_out)


def _note_left_out(language: str, left_out: Counter[str]) -> str:
    return f"documents in other languages than {language!r} were left out: {count_languages(left_out)}"


def _restyle_best(ranker: TrainedRanker, examples: Sequence[Examples]) -> list[Examples]:
    """Return the examples in the style in which the ranker has the least logistic loss; in their own of equal ones."""

    def restyle(example: Examples, style: Style) -> Examples:
        return replace(example, style=style, rows=add_style_column(example.rows[:, :-1], style))

    def loss(style: Style) -> float:
        losses = (
            logistic_losses(each.answers, ranker.scores(restyle(each, style).rows, each.start)) for each in examples
        )
        return sum(map(float, losses))

    best = min(sorted(STYLES, key=lambda style: style is not examples[0].style), key=loss)
    return [restyle(example, best) for example in examples]


def find_trained_before(data: DataSet) -> tuple[str, ...]:
    """Return the collections in the data that the shipped trees were trained on, by name or by fingerprint."""
    names = {data.name, *(f"{data.card.name}/{split.name}" for split in data.splits if data.card)}
    fingerprints = set(data.fingerprint.split(","))
    parts = dict.fromkeys(part.data for part in TRAINING)
    return tuple(part for part in parts if part in names or usual_fingerprint(part) in fingerprints)
