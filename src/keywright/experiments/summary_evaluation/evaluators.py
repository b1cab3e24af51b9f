"""The evaluators that the experiments set side by side, by specification."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from keywright.core.interfaces import Extractor, Progress
from keywright.summaries.agreement.score_table import ScoreTable, score_table
from keywright.summaries.evaluator import Evaluator
from keywright.summaries.lemma_keyphrases import LemmaExtractor
from keywright.summaries.pairs import Pair
from keywright.summaries.specifications import make_evaluator
from keywright.text.languages import ByLanguage

HEADLINE: Final = "R"
"""The value of evaluators that have precision, recall and F."""

Find = Callable[[str], Any]
"""Returns the class of a system by its name."""


def lemma_extractor(extractor: Extractor) -> LemmaExtractor:
    """Return an extractor with the analyser that it needs."""
    return LemmaExtractor(extractor, ByLanguage(tagged="tags" in extractor.needs))


def evaluators(specifications: Mapping[str, str], extractors: Mapping[str, LemmaExtractor]) -> dict[str, Evaluator]:
    """Return evaluators by label; ``extractors`` are those of ``kpeval``, by language."""
    return {label: make_evaluator(text, lambda _: extractors) for label, text in specifications.items()}


def evaluate(pairs: Sequence[Pair], chosen: Mapping[str, Evaluator], progress: Progress | None = None) -> ScoreTable:
    """Return the headline value of each pair under each evaluator, and people's scores by their protocol.

    Args:
        pairs: summaries.
        chosen: evaluators by label, which names their columns.
        progress: called with the number of evaluators done, and of all.
    """
    cells: list[tuple[str, str, str, float | None]] = []
    for done, (label, evaluator) in enumerate(chosen.items(), 1):
        for pair, evaluation in zip(pairs, evaluator.evaluate(pairs), strict=True):
            values = evaluation.values
            cells.append((pair.id, pair.system, label, values[HEADLINE] if HEADLINE in values else values["score"]))
        if progress:
            progress(done, len(chosen))
    cells += [(pair.id, pair.system, name, value) for pair in pairs for name, value in pair.human.items()]
    return score_table(cells)


def part_of(progress: Progress | None, number: int, parts: int) -> Progress | None:
    """Return the progress of one of several equal parts of the work; ``number`` counts from 0."""
    if progress is None:
        return None
    return lambda done, every: progress(number * every + done, parts * every)
