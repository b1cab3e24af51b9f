"""Fitting the default extractor to labelled documents, on top of what it knows, and measuring what that gains."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from keywright.adapting.gain import Gain, gain_of
from keywright.adapting.languages import in_language_of_most, told
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.gold import LabelledDocument
from keywright.core.interfaces import Analyser, Progress
from keywright.core.styles import Style
from keywright.corpus.labelled import text_key
from keywright.datasets.collection import DataSet
from keywright.datasets.training_mix import TRAINING, usual_fingerprint
from keywright.features.description.style import STYLES, styled
from keywright.learners.continuing import HeldOut, continue_training, logistic_losses
from keywright.learners.ranker import TrainedRanker
from keywright.learners.ranker_training import Examples
from keywright.systems.default import Default

Known: TypeAlias = LabelledDocument[AnalysedDocument]


@dataclass(frozen=True, slots=True)
class Adapted:
    """An extractor fitted to labelled documents.

    Attributes:
        system: the fitted one.
        gain: what that changed on held-out documents.
        seen: collections in the data that the extractor had learnt from before.
        left_out: documents in other languages than most, by language.
    """

    system: Default
    gain: Gain
    seen: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of the figures."""
        found = []
        if self.seen:
            names = ", ".join(self.seen)
            found.append(f"the shipped trees have learnt from {names}: what stands under 'before' is flattered")
        if self.left_out:
            found.append(
                f"documents in other languages than {self.system.language!r} were left out: {told(self.left_out)}"
            )
        return tuple(found)


def adapt_to_labelled(system: Default, data: DataSet, analyser: Analyser, progress: Progress | None = None) -> Adapted:
    """The extractor fitted to a data set, with what that gained.

    Args:
        system: the default extractor, as it ships or adapted already.
        data: labelled documents.
        analyser: makes columns of them.
        progress: told how many documents are read, of how many.

    Raises:
        BadParameter: the gold is held out for reporting; or the documents, or those with gold that stands in them, are
            too few.
    """
    data.check_learnable()
    left_out: Counter[str] = Counter()
    system, known = in_language_of_most(
        system, _analysed(data, analyser, progress), lambda labelled: labelled.document.source.language
    )
    try:
        fitted, held_out = further_trained(system, _in_language(system.language, known, left_out))
    except BadParameter as error:
        if not left_out:
            raise
        hint = f"documents in other languages than {system.language!r} were left out: {told(left_out)}"
        raise BadParameter(error.message, hint) from error
    return Adapted(fitted, gain_of(held_out), seen_before(data), left_out)


def further_trained(system: Default, labelled: Iterable[Known]) -> tuple[Default, tuple[HeldOut, ...]]:
    """The extractor with trees that go on from those it has, and how documents fare that were held out from them.

    Gold of one kind is learnt in the style in which the trees know it best already, gold of several in its own styles.
    The outcome has the style that most of the documents are learnt in; styles without gold have no probabilities any
    more. Texts that are equal are held out together.

    Raises:
        BadParameter: too few documents, or the gold of too few of them stands in its document.
    """
    examples = [
        replace(example, document=f"{text_key(one.document):016x}")
        for one in labelled
        for example in system.examples([one])
    ]
    if len({one.style for one in examples}) == 1:
        examples = _in_the_best_style(system.ranker, examples)
    ranker, held_out = continue_training(system.ranker, examples)
    taught = Counter(one.style.value for one in examples)
    style: Any = system.style if system.style in taught else taught.most_common(1)[0][0]
    return replace(system, ranker=ranker, style=style), held_out


def _in_the_best_style(judge: TrainedRanker, examples: Sequence[Examples]) -> list[Examples]:
    """The examples in the style in which the judge has the least logistic loss; in their own of equal ones."""

    def told(one: Examples, style: Style) -> Examples:
        return replace(one, style=style, rows=styled(one.rows[:, :-1], style))

    def loss(style: Style) -> float:
        return sum(float(logistic_losses(one.answers, judge.scores(told(one, style).rows))) for one in examples)

    best = min(sorted(STYLES, key=lambda style: style is not examples[0].style), key=loss)
    return [told(one, best) for one in examples]


def _analysed(data: DataSet, analyser: Analyser, progress: Progress | None) -> Iterator[Known]:
    """All documents as columns, each told when it is read."""
    total = len(data)
    for number, labelled in enumerate(data, start=1):
        yield LabelledDocument(analyser.analyse(labelled.document), labelled.gold)
        if progress:
            progress(number, total)


def _in_language(language: str, known: Iterator[Known], left_out: Counter[str]) -> Iterator[Known]:
    """Documents of the language, or of none that is known; the others are counted."""
    for labelled in known:
        if (own := labelled.document.source.language) in {None, language}:
            yield labelled
        else:
            left_out[str(own)] += 1


def seen_before(data: DataSet) -> tuple[str, ...]:
    """Collections that the shipped trees were trained on and that are in the data, by name or by fingerprint."""
    names = {data.name, *(f"{data.card.name}/{split.name}" for split in data.splits if data.card)}
    own = set(data.fingerprint.split(","))
    parts = dict.fromkeys(part.data for part in TRAINING)
    return tuple(part for part in parts if part in names or usual_fingerprint(part) in own)
