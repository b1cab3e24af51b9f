"""Extracted keyphrases, as tables and pages for people, as JSON and JSON Lines for programs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from keywright.core.documents import Document
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import Record, outcome_record
from keywright.core.signatures import short_signature
from keywright.faces.cli.output_formats import OutputFormat, Pieces
from keywright.faces.cli.printing import printable, rendered, table, to_json
from keywright.faces.keyphrase_page import Article, article, page
from keywright.faces.phrase_location import places_words, reason_words, snippet, where

Result: TypeAlias = tuple[Document | None, Prediction | Failure]
"""The outcome of one document, with the document if it is needed and could be read."""


@dataclass(slots=True)
class Writer:
    """A writer of results one by one, which collects failures and warnings.

    Attributes:
        include_text: whether records hold the document's text.
        explain: whether tables and pages show reasons and places.
        terminal: whether a terminal shows the output.
        wide: whether tables have one row for each document, not for each keyphrase.
        keep: names of the documents' other data that tables also have, as columns.
        signed: whether the output has the full signature already; else it is in the first record.
        options: other options that decide the results, in the same record.
        done: number of documents with a prediction.
    """

    system: str
    include_text: bool = False
    explain: bool = False
    terminal: bool = False
    wide: bool = False
    keep: tuple[str, ...] = ()
    signed: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    done: int = 0
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def written(self, results: Iterable[Result], form: OutputFormat) -> Pieces:
        """Yield pieces of the output in a format."""
        return form.writer()(self, map(self._noted, results))

    def _noted(self, result: Result) -> Result:
        _, outcome = result
        if isinstance(outcome, Failure):
            self.failures.append(outcome)
        else:
            self.done += 1
            self.warnings += [f"{outcome.document_id}: {warning}" for warning in outcome.warnings]
        return result

    def record(self, result: Result) -> Record:
        """Return the JSON record of a result."""
        document, outcome = result
        record = outcome_record(outcome, short_signature(self.system))
        if "error" in record:
            return record
        if self.include_text and document is not None:
            record["text"] = document.text
        if not self.signed:
            record["signature"], self.signed = self.system, True
            record |= {"options": dict(self.options)} if self.options else {}
        return record

    def table(self, result: Result) -> str:
        """Return the table of a result for people; empty for a failure, which is printed on standard error."""
        document, prediction = result
        if isinstance(prediction, Failure) or document is None:
            return ""
        calibrated = any(keyphrase.probability is not None for keyphrase in prediction.keyphrases)
        columns = ["", "keyphrase", "score", *(["probability"] if calibrated else []), "mentions", "where"]
        rows = table(*columns, numbers=("", "score", "probability", "mentions"))
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1):
            cells = [str(rank), printable(str(keyphrase.acronym or keyphrase.text)), f"{keyphrase.score:.4g}"]
            if calibrated:
                cells.append("" if keyphrase.probability is None else f"{keyphrase.probability:.2f}")
            rows.add_row(*cells, str(len(keyphrase.spans)), where(document, keyphrase))
        text = f"{printable(heading(prediction))}\n{rendered(rows, terminal=self.terminal)}"
        if prediction.author_keywords:
            keywords = "; ".join(prediction.author_keywords)
            text = f"{text.rstrip()}\n\n" + printable(f"author keywords: {keywords}\n\n")
        if self.explain:
            explained = (_explained(document, prediction, rank) for rank in range(len(prediction.keyphrases)))
            text += "\n".join(explained) + "\n"
        return text


def tables(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table for each document."""
    return map(writer.table, results)


def json_list(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON list with a record for each document."""
    lines = ",\n".join(to_json(writer.record(result)) for result in results)
    yield f"[\n{lines}\n]\n" if lines else "[]\n"


def json_lines(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a line of JSON for each document."""
    return (to_json(writer.record(result)) + "\n" for result in results)


def web_page(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one page for all documents, with their whole texts, so that it is written at the end."""
    articles: list[Article] = []
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            articles.append(article(document, outcome, len(articles) + 1))
    yield page(articles, writer.failures, writer.system)


def heading(prediction: Prediction) -> str:
    """Return the id of a document, with its language, how much was read, and what its probabilities assume."""
    coverage = prediction.coverage
    read = f", {coverage.read:,} of {coverage.given:,} characters read" if coverage else ""
    assumed = f"; probabilities for {prediction.assumes}" if prediction.assumes else ""
    return f"{prediction.document_id} ({prediction.language}{read}{assumed})"


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
