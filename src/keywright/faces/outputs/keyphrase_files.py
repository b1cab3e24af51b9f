"""Extracted keyphrases as tables for texts: Markdown and LaTeX."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from keywright.core.predictions import Failure
from keywright.core.result_rows import has_concepts
from keywright.faces.outputs.results import Result, Writer, heading

if TYPE_CHECKING:
    from keywright.api import Table


def markdown(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table in Markdown for each document."""
    from keywright import api  # noqa: PLC0415 - help does without

    for table in _tables(results):
        yield api.markdown(table) + "\n"


def latex(_writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table in LaTeX for each document; needs the package booktabs."""
    from keywright import api  # noqa: PLC0415 - help does without

    for table in _tables(results):
        yield api.latex(table) + "\n"


def _tables(results: Iterable[Result]) -> "Iterator[Table]":
    """Yield a table for each document; failures are printed on standard error only."""
    from keywright import api  # noqa: PLC0415 - help does without

    for _, outcome in results:
        if isinstance(outcome, Failure):
            continue
        rows, concepts = [], has_concepts((outcome,))
        for rank, keyphrase in enumerate(outcome.keyphrases, start=1):
            probability = "" if keyphrase.probability is None else f"{keyphrase.probability:.2f}"
            texts = str(rank), keyphrase.text, f"{keyphrase.score:.4g}", probability, str(len(keyphrase.spans))
            concept = keyphrase.concept
            named = (concept.label, concept.uri) if concept else ("", "")
            rows.append(tuple(map(api.Cell, texts + named * concepts)))
        head = ("rank", "keyphrase", "score", "probability", "mentions", *("label", "concept") * concepts)
        numbers = frozenset(map(head.index, ("rank", "score", "probability", "mentions")))
        yield api.Table(heading(outcome), head, tuple(rows), numbers)
