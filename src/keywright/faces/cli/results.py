"""Extracted keyphrases, as tables and pages for people, as JSON, JSON Lines and CSV for programs."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from keywright.core.documents import Document
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import Record, outcome_record
from keywright.faces.cli.options import Format
from keywright.faces.cli.printing import printable, rendered, table, to_json
from keywright.faces.keyphrase_page import Article, article, page
from keywright.faces.phrase_location import places_words, reason_words, snippet, where

COLUMNS = ("id", "rank", "keyphrase", "score", "probability", "present", "mentions")


Result: TypeAlias = tuple[Document | None, Prediction | Failure]
"""The outcome of one document, with the document if it is needed and could be read."""


@dataclass(slots=True)
class Writer:
    """A writer of results one by one, which collects failures and warnings.

    Attributes:
        include_text: whether records hold the document's text.
        explain: whether tables and pages show reasons and places.
        terminal: whether a terminal shows the output.
        done: number of documents with a prediction.
    """

    system: str
    include_text: bool = False
    explain: bool = False
    terminal: bool = False
    done: int = 0
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def written(self, results: Iterable[Result], form: Format) -> Iterator[str]:
        """Yield pieces of the output, at least one per document; JSON and HTML are one piece."""
        results = map(self._noted, results)
        match form:
            case Format.JSON:
                lines = ",\n".join(to_json(self._record(result)) for result in results)
                yield f"[\n{lines}\n]\n" if lines else "[]\n"
            case Format.JSONL:
                yield from (to_json(self._record(result)) + "\n" for result in results)
            case Format.CSV:
                yield _line(COLUMNS, terminal=self.terminal)
                yield from (_line(row, terminal=self.terminal) for result in results for row in _rows(result))
            case Format.TABLE:
                yield from map(self._table, results)
            case Format.HTML:
                yield self._page(results)

    def _noted(self, result: Result) -> Result:
        _, outcome = result
        if isinstance(outcome, Failure):
            self.failures.append(outcome)
        else:
            self.done += 1
            self.warnings += [f"{outcome.document_id}: {warning}" for warning in outcome.warnings]
        return result

    def _page(self, results: Iterable[Result]) -> str:
        """Return one page for all documents, with their whole texts, so that it is written at the end."""
        articles: list[Article] = []
        for document, outcome in results:
            if document is not None and isinstance(outcome, Prediction):
                articles.append(article(document, outcome, len(articles) + 1))
        return page(articles, self.failures, self.system)

    def _record(self, result: Result) -> Record:
        document, outcome = result
        record = outcome_record(outcome, self.system)
        if self.include_text and document is not None and "error" not in record:
            record["text"] = document.text
        return record

    def _table(self, result: Result) -> str:
        document, prediction = result
        if isinstance(prediction, Failure) or document is None:
            return ""  # failures are printed on standard error
        calibrated = any(keyphrase.probability is not None for keyphrase in prediction.keyphrases)
        columns = ["", "keyphrase", "score", *(["probability"] if calibrated else []), "mentions", "where"]
        rows = table(*columns, numbers=("", "score", "probability", "mentions"))
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1):
            cells = [str(rank), printable(str(keyphrase.acronym or keyphrase.text)), f"{keyphrase.score:.4g}"]
            if calibrated:
                cells.append("" if keyphrase.probability is None else f"{keyphrase.probability:.2f}")
            rows.add_row(*cells, str(len(keyphrase.spans)), where(document, keyphrase))
        text = f"{_heading(prediction)}\n{rendered(rows, terminal=self.terminal)}"
        if prediction.author_keywords:
            keywords = "; ".join(prediction.author_keywords)
            text = f"{text.rstrip()}\n\n" + printable(f"author keywords: {keywords}\n\n")
        if self.explain:
            explained = (_explained(document, prediction, rank) for rank in range(len(prediction.keyphrases)))
            text += "\n".join(explained) + "\n"
        return text


def _heading(prediction: Prediction) -> str:
    coverage = prediction.coverage
    read = f", {coverage.read:,} of {coverage.given:,} characters read" if coverage else ""
    assumed = f"; probabilities for {prediction.assumes}" if prediction.assumes else ""
    return printable(f"{prediction.document_id} ({prediction.language}{read}{assumed})")


def _explained(document: Document, prediction: Prediction, index: int) -> str:
    """Return why a phrase ranked, where it occurs, and a sentence with the phrase between guillemets."""
    keyphrase = prediction.keyphrases[index]
    why = reason_words(keyphrase)
    lines = [f"{index + 1:3}. {keyphrase.text}", f"     why    {why}" if why else ""]
    if keyphrase.grounds and keyphrase.grounds.places:
        lines.append(f"     where  {places_words(keyphrase.grounds.places)}")
    if shown := snippet(document, keyphrase):
        lines.append(f"     shown  {shown.before}»{shown.phrase}«{shown.after}")
    return "".join(printable(line) + "\n" for line in lines if line)


def _rows(result: Result) -> Iterator[tuple[Any, ...]]:
    """Yield one row per keyphrase; failures are printed on standard error only."""
    _, outcome = result
    if isinstance(outcome, Failure):
        return
    for rank, keyphrase in enumerate(outcome.keyphrases, start=1):
        probability = "" if keyphrase.probability is None else keyphrase.probability
        present = "true" if keyphrase.present else "false"
        mentions = len(keyphrase.spans)
        yield outcome.document_id, rank, keyphrase.text, keyphrase.score, probability, present, mentions


def _line(row: Iterable[Any], *, terminal: bool) -> str:
    """Return a line of CSV; for a terminal without control characters."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(row)
    return printable(text.getvalue()) if terminal else text.getvalue()
