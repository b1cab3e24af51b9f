"""Extracted keyphrases, as tables and pages for people, as JSON and JSON Lines for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from keywright.core.documents import Document
from keywright.core.finished_records import FinishedRecord
from keywright.core.predictions import Failure, Prediction
from keywright.core.result_rows import has_concepts
from keywright.faces.keyphrase_page import Article, article, page
from keywright.faces.outputs.explanations import explanations
from keywright.faces.outputs.keyphrase_table import keyphrase_table
from keywright.faces.outputs.output_formats import OutputFormat, Pieces
from keywright.faces.outputs.screen import Screen
from keywright.faces.outputs.spool import Spool, spooled_failures, spooled_texts
from keywright.faces.outputs.terminal_text import printable
from keywright.faces.phrase_names import read_words

if TYPE_CHECKING:
    from keywright.api import PhraseGroup

Result: TypeAlias = tuple[Document | None, Prediction | Failure]
"""The outcome of one document, with the document if it is needed and could be read."""
Noted = TypeVar("Noted", Result, FinishedRecord, Result | FinishedRecord)


@dataclass(slots=True)
class Writer:
    """A writer of results one by one, which collects failures and warnings.

    Attributes:
        explain: whether tables and pages show reasons and places.
        screen: where text for people is shown.
        grouped: whether tables and pages show phrases that nest or nearly repeat under the one that leads.
        wide: whether tables have one row for each document, not for each keyphrase.
        concepts: whether tables have columns of concepts.
        keep: names of the documents' other data that tables also have, as columns.
        signed: whether the output has the full signature already; else it is in the first record.
        reviewed: who chose the keyphrases, of reviewed ones; empty for those of a system.
        options: other options that decide the results, in the same record.
        done: number of documents with a prediction.
    """

    system: str
    explain: bool = False
    screen: Screen = field(default_factory=Screen)
    grouped: bool = True
    wide: bool = False
    concepts: bool = False
    keep: tuple[str, ...] = ()
    signed: bool = False
    reviewed: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    done: int = 0
    failures: Spool[Failure] = field(default_factory=spooled_failures)
    warnings: Spool[str] = field(default_factory=spooled_texts)

    @property
    def terminal(self) -> bool:
        """True if a terminal shows the output."""
        return self.screen.terminal

    def written(self, results: Iterable[Result | FinishedRecord], form: OutputFormat) -> Pieces:
        """Yield pieces of the output in a format."""
        return form.writer()(self, map(self._noted, results))

    def _noted(self, result: Noted) -> Noted:
        outcome = result if isinstance(result, FinishedRecord) else result[1]
        failure = outcome.failure if isinstance(outcome, FinishedRecord) else outcome
        if isinstance(failure, Failure):
            self.failures.append(failure)
        elif not isinstance(outcome, Failure):
            self.done += 1
            for warning in outcome.warnings:
                self.warnings.append(f"{outcome.document_id}: {warning}")
        return result

    def groups(self, prediction: Prediction) -> "Sequence[PhraseGroup]":
        """Return the groups in which phrases are shown, each phrase alone unless they are grouped."""
        from keywright import api  # noqa: PLC0415 - JSON does without

        if self.grouped and not has_concepts((prediction,)):  # a concept under another would be overlooked
            return api.phrase_groups(prediction.keyphrases, prediction.language)
        return [api.PhraseGroup(place) for place in range(len(prediction.keyphrases))]

    def table(self, result: Result) -> str:
        """Return the table of a result for people; empty for a failure, which is printed on standard error."""
        document, prediction = result
        if isinstance(prediction, Failure) or document is None:
            return ""
        text = self.screen.wrapped(printable(heading(prediction)))
        text += keyphrase_table(document, prediction, self.groups(prediction), self.screen)
        if prediction.author_keywords:
            keywords = printable("; ".join(prediction.author_keywords))
            text = f"{text.rstrip()}\n\n{self.screen.wrapped(keywords, 'author keywords: ', '  ')}\n"
        if self.explain and prediction.keyphrases:
            text += explanations(document, prediction, self.screen) + "\n"
        return text


def tables(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table for each document."""
    return map(writer.table, results)


def web_page(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one page for all documents, with their whole texts, so that it is written at the end."""
    articles: list[Article] = []
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            articles.append(article(document, outcome, writer.groups(outcome), len(articles) + 1))
    yield page(articles, tuple(writer.failures), writer.system)


def heading(prediction: Prediction) -> str:
    """Return the id of a document, with its language, how much was read, and what its probabilities assume."""
    coverage = prediction.coverage
    read = f", {read_words(coverage)}" if coverage else ""
    assumed = f"; probabilities for {prediction.assumes}" if prediction.assumes else ""
    return f"{prediction.document_id} ({prediction.language}{read}{assumed})"
