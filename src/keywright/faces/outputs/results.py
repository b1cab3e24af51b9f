"""Extracted keyphrases one document after the other, in the formats of output.

Tables and pages are for people, JSON and JSON Lines for programs, labelled JSON Lines for training.
"""

import io
import itertools
import json
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from keywright.core.documents import Document
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure, Prediction, has_concepts
from keywright.core.records import FinishedRecord, labelled_record, sign_records
from keywright.faces.outputs.keyphrase_page import Article, render_article, render_page
from keywright.faces.outputs.keyphrase_table import draw_keyphrases, explain_keyphrases
from keywright.faces.outputs.output_formats import OutputFormat, Pieces
from keywright.faces.outputs.phrase_words import describe_coverage
from keywright.faces.outputs.screen import Screen, escape_controls

if TYPE_CHECKING:
    from keywright.api import PhraseGroup

_IN_MEMORY: Final = 1_000_000
"""Bytes of messages in memory; arbitrary."""
Message = TypeVar("Message")


class Spool(Collection[Message]):
    """Messages in their order, in a temporary file beyond a million bytes.

    Args:
        to_json: function from a message to JSON values.
        from_json: function from these to the message.
    """

    def __init__(self, to_json: Callable[[Message], Any], from_json: Callable[[Any], Message]) -> None:
        """Begin empty."""
        self._to_json, self._from_json = to_json, from_json
        self._recent = io.BytesIO()
        self._file: IO[bytes] | None = None
        self._count = 0

    def append(self, message: Message) -> None:
        """Add a message."""
        self._recent.write(json.dumps(self._to_json(message)).encode("ascii") + b"\n")
        self._count += 1
        if self._recent.tell() > _IN_MEMORY:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the messages are there
                weakref.finalize(self, self._file.close)
            self._file.seek(0, io.SEEK_END)
            self._file.write(self._recent.getvalue())
            self._recent = io.BytesIO()

    def __len__(self) -> int:
        """Return the number of messages."""
        return self._count

    def __iter__(self) -> Iterator[Message]:
        """Yield the messages; none may be added until this is over."""
        if self._file is not None:
            self._file.seek(0)
        for line in itertools.chain(self._file or (), self._recent.getvalue().splitlines()):
            yield self._from_json(json.loads(line))

    def __contains__(self, message: object) -> bool:
        """Return whether a message was added."""
        return any(each == message for each in self)


def spool_texts() -> Spool[str]:
    """Return an empty collection of texts."""
    return Spool(str, str)


def spool_failures() -> Spool[Failure]:
    """Return an empty collection of failures, which lose their ``meta``."""
    return Spool(lambda failure: [failure.document_id, failure.code, failure.message, failure.hint], _read_failure)


def _read_failure(values: Any) -> Failure:
    return Failure(*values)


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
    failures: Spool[Failure] = field(default_factory=spool_failures)
    warnings: Spool[str] = field(default_factory=spool_texts)

    @property
    def terminal(self) -> bool:
        """True if a terminal shows the output."""
        return self.screen.terminal

    def write(self, results: Iterable[Result | FinishedRecord], form: OutputFormat) -> Pieces:
        """Yield pieces of the output in a format."""
        noted = map(self._note, results)
        return self._write_records(noted, form) if form.bibliographic else form.writer()(self, noted)

    def _write_records(self, results: Iterable[Any], form: OutputFormat) -> Iterator[Any]:
        """Yield bibliographic records, for a terminal without characters that could control it."""
        for piece in form.writer()((outcome for _, outcome in results), self.reviewed):
            if isinstance(piece, Failure):
                self.failures.append(piece)
                self.done -= 1
            else:
                yield escape_controls(piece) if self.terminal and isinstance(piece, str) else piece

    def _note(self, result: Noted) -> Noted:
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
        text = self.screen.wrap(escape_controls(format_heading(prediction)))
        text += draw_keyphrases(document, prediction, self.groups(prediction), self.screen)
        if prediction.author_keywords:
            keywords = escape_controls("; ".join(prediction.author_keywords))
            text = f"{text.rstrip()}\n\n{self.screen.wrap(keywords, 'author keywords: ', '  ')}\n"
        if self.explain and prediction.keyphrases:
            text += explain_keyphrases(document, prediction, self.screen) + "\n"
        return text


def write_tables(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table for each document."""
    return map(writer.table, results)


def write_page(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one page for all documents, with their whole texts, so that it is written at the end."""
    articles: list[Article] = []
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            articles.append(render_article(document, outcome, writer.groups(outcome), len(articles) + 1))
    yield render_page(articles, tuple(writer.failures), writer.system)


def format_heading(prediction: Prediction) -> str:
    """Return the id of a document, with its language, how much was read, and what its probabilities assume."""
    coverage = prediction.coverage
    read = f", {describe_coverage(coverage)}" if coverage else ""
    assumed = f"; probabilities for {prediction.assumes}" if prediction.assumes else ""
    return f"{prediction.document_id} ({prediction.language}{read}{assumed})"


def write_json(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield one JSON list with a record for each document."""
    separator = "[\n"
    for text in sign_records(records, writer.system, writer.options, signed=writer.signed):
        yield separator + text
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def write_json_lines(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield a line of JSON for each document."""
    return (text + "\n" for text in sign_records(records, writer.system, writer.options, signed=writer.signed))


def write_labelled(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each document, with its text and its keyphrases as gold."""
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            yield to_json(labelled_record(document, outcome.keyphrases, writer.reviewed)) + "\n"
