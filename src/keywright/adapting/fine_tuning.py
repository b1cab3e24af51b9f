"""The default extractor fine-tuned on labelled documents, with the gain on held-out ones."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from keywright.adapting.document_frequencies import counted, in_language_of_most
from keywright.adapting.gain import Gain, gain_of
from keywright.core.documents import AnalysedDocument, LabelledDocument, Style
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Analyser, Progress
from keywright.corpus.labelled import text_key
from keywright.datasets.collection import DataSet
from keywright.datasets.training_mix import TRAINING, usual_fingerprint
from keywright.features.description.described_candidates import STYLES, styled
from keywright.learners.continuing import HeldOut, continue_training, logistic_losses
from keywright.learners.examples import Examples, with_expected
from keywright.learners.ranker import TrainedRanker
from keywright.systems.default import Default

AnalysedLabelled: TypeAlias = LabelledDocument[AnalysedDocument]


@dataclass(frozen=True, slots=True)
class Adapted:
    """An extractor fitted to labelled documents.

    Attributes:
        trained_before: collections in the data that the shipped extractor was trained on.
        left_out: number of documents in other languages than most, by language.
    """

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
            notes.append(_left_out_note(self.system.language, self.left_out))
        return tuple(notes)


def adapt_to_labelled(system: Default, data: DataSet, analyser: Analyser, progress: Progress | None = None) -> Adapted:
    """Fit the extractor to a data set, and measure the gain.

    Raises:
        BadParameter: the gold is held out for reporting; or there are too few documents, or too few with gold in their
            text.
    """
    data.check_learnable()
    left_out: Counter[str] = Counter()
    system, analysed = in_language_of_most(
        system, _analysed(data, analyser, progress), lambda labelled: labelled.document.source.language
    )
    try:
        fitted, held_out = further_trained(system, _in_language(system.language, analysed, left_out))
    except BadParameter as error:
        if not left_out:
            raise
        raise BadParameter(error.message, _left_out_note(system.language, left_out)) from error
    return Adapted(fitted, gain_of(held_out), trained_before(data), left_out)


def _left_out_note(language: str, left_out: Counter[str]) -> str:
    return f"documents in other languages than {language!r} were left out: {counted(left_out)}"


def further_trained(system: Default, labelled: Iterable[AnalysedLabelled]) -> tuple[Default, tuple[HeldOut, ...]]:
    """Continue training the extractor's trees; return the fitted extractor and the scores of held-out documents.

    Gold of one style is learned as the style that the trees fit best already, gold of several styles as its own. The
    result has the style of most documents; styles without gold lose their probabilities. Equal texts are held out
    together.
    """
    examples = with_expected(
        replace(example, document=f"{text_key(each.document):016x}")
        for each in labelled
        for example in system.examples([each])
    )
    if len({example.style for example in examples}) == 1:
        examples = _in_the_best_style(system.ranker, examples)
    ranker, held_out = continue_training(system.ranker, examples)
    return system.with_ranker(ranker, examples), held_out


def _in_the_best_style(judge: TrainedRanker, examples: Sequence[Examples]) -> list[Examples]:
    """The examples in the style in which the judge has the least logistic loss; in their own of equal ones."""

    def restyled(example: Examples, style: Style) -> Examples:
        return replace(example, style=style, rows=styled(example.rows[:, :-1], style))

    def loss(style: Style) -> float:
        return sum(
            float(logistic_losses(each.answers, judge.scores(restyled(each, style).rows, each.start)))
            for each in examples
        )

    best = min(sorted(STYLES, key=lambda style: style is not examples[0].style), key=loss)
    return [restyled(example, best) for example in examples]


def _analysed(data: DataSet, analyser: Analyser, progress: Progress | None) -> Iterator[AnalysedLabelled]:
    """Yield all documents as columns, reporting progress."""
    total = len(data)
    for number, labelled in enumerate(data, start=1):
        yield LabelledDocument(analyser.analyse(labelled.document), labelled.gold)
        if progress:
            progress(number, total)


def _in_language(
    language: str, documents: Iterator[AnalysedLabelled], left_out: Counter[str]
) -> Iterator[AnalysedLabelled]:
    """Yield documents of the language, or of unknown language; count the others."""
    for labelled in documents:
        if labelled.document.source.language in {None, language}:
            yield labelled
        else:
            left_out[str(labelled.document.source.language)] += 1


def trained_before(data: DataSet) -> tuple[str, ...]:
    """Return the collections in the data that the shipped trees were trained on, by name or by fingerprint."""
    names = {data.name, *(f"{data.card.name}/{split.name}" for split in data.splits if data.card)}
    fingerprints = set(data.fingerprint.split(","))
    parts = dict.fromkeys(part.data for part in TRAINING)
    return tuple(part for part in parts if part in names or usual_fingerprint(part) in fingerprints)
