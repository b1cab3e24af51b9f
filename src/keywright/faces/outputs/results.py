"""Extracted keyphrases one document after the other, in the formats of output.

Tables and pages are for people, JSON and JSON Lines for programs, labelled JSON Lines for training.
"""

import io
import pickle
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from keywright import api
from keywright.core.documents import Document
from keywright.core.errors import UnreadableInput
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Assumption, Failure, Prediction, describe_assumptions, has_concepts
from keywright.core.records import FinishedRecord, labelled_record, sign_records
from keywright.faces.outputs import phrase_words
from keywright.faces.outputs.keyphrase_page import Article, render_article, render_page
from keywright.faces.outputs.output_formats import OutputFormat, Pieces
from keywright.faces.outputs.screen import Screen, draw_rows, escape_controls

_MENTIONS_FROM: Final = 50  # minimum width for mentions and a long bar; arbitrary: below, half would be numbers
_PLACE_FROM: Final = 64  # Minimum width for a column of first places; arbitrary, as above
_BAR, _SHORT_BAR = 10, 5  # characters of a bar for 1; arbitrary


def draw_keyphrases(document: Document, prediction: Prediction, screen: Screen) -> str:
    """Return a table with a row for each keyphrase: rank, phrase, value with a bar, mentions, first place.

    The value is the probability; for systems without probabilities the score, with a bar unless some are negative.
    Narrow screens show fewer columns, from the right.
    """
    keyphrases = prediction.keyphrases
    calibrated = any(keyphrase.probability is not None for keyphrase in keyphrases)
    mentions, place = screen.width >= _MENTIONS_FROM, screen.width >= _PLACE_FROM
    value = "probability" if calibrated else "score"
    concepts = has_concepts((prediction,))
    columns = ["", "keyphrase", *["concept"] * concepts, value, *["mentions"] * mentions, *["first in"] * place]
    if calibrated:
        numbers = ["" if each.probability is None else f"{each.probability:.2f}" for each in keyphrases]
        shares = [each.probability or 0.0 for each in keyphrases]
    else:
        texts = [f"{each.score:.4g}" for each in keyphrases]
        width = max(map(len, texts), default=0)
        numbers = [text.ljust(width) for text in texts]
        scores = [each.score for each in keyphrases]
        # Shares of the best score; with a negative score they would have no meaning.
        best = max(scores, default=0.0) if min(scores, default=0.0) >= 0 else 0.0
        shares = [score / best if best else 0.0 for score in scores]
    rows = []
    for index, keyphrase in enumerate(keyphrases):
        name = phrase_words.collapse_spaces(phrase_words.name_phrase(keyphrase))
        bar = screen.bar(shares[index], _BAR if mentions else _SHORT_BAR)
        label = phrase_words.collapse_spaces(keyphrase.concept.label) if keyphrase.concept else ""
        cells = [str(index + 1), name, *[label] * concepts, f"{numbers[index]} {bar}".rstrip()]
        cells += [
            *[str(len(keyphrase.spans))] * mentions,
            *[phrase_words.name_first_section(document, keyphrase)] * place,
        ]
        rows.append(cells)
    return draw_rows(screen, columns, rows, ("", "mentions"), fixed=(value, "first in"), gap=2)


def explain_keyphrases(document: Document, prediction: Prediction, screen: Screen) -> str:
    """Return the explanation of each phrase, in the order of ranks, and what the signs of reasons mean."""
    width = len(str(len(prediction.keyphrases)))
    text = "\n".join(
        _explain_keyphrase(document, keyphrase, f"{rank:{width + 1}}.", screen)
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1)
    )
    if any(map(phrase_words.is_weighed, prediction.keyphrases)):
        text += "\n" + screen.wrap(phrase_words.LEGEND)
    return screen.characters(text)


def _explain_keyphrase(document: Document, keyphrase: Keyphrase, rank: str, screen: Screen) -> str:
    """Return why a phrase ranked, where it occurs, and a sentence with the phrase between guillemets."""
    margin = " " * (len(rank) + 1)
    text = screen.wrap(escape_controls(keyphrase.text), f"{rank} ")
    name = "why"
    for sign, words in phrase_words.list_reasons(document, keyphrase):
        start = f"{sign:4}" if phrase_words.is_weighed(keyphrase) else f"{sign}: "
        text += screen.wrap(escape_controls(words), f"{margin}{name:7}{start}")
        name = ""
    text += screen.wrap(f"{keyphrase.score:.4g}", f"{margin}score  ")
    if keyphrase.grounds and keyphrase.grounds.places:
        text += screen.wrap(escape_controls(phrase_words.describe_places(keyphrase.grounds.places)), f"{margin}where  ")
    if shown := phrase_words.find_snippet(document, keyphrase):
        text += screen.wrap(escape_controls(f"{shown.before}»{shown.phrase}«{shown.after}"), f"{margin}text   ")
    return text


_IN_MEMORY: Final = 1_000_000  # Bytes of messages in memory; arbitrary
Message = TypeVar("Message")


class Spool(Generic[Message]):
    """Messages in their order, in a temporary file beyond a million bytes."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - open as long as the messages are there
        self._count = 0
        weakref.finalize(self, self._file.close)

    def append(self, message: Message) -> None:
        """Add a message."""
        self._file.seek(0, io.SEEK_END)
        pickle.dump(message, self._file)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Message]:
        place = 0
        for _ in range(self._count):
            self._file.seek(place)
            message: Message = pickle.load(self._file)  # noqa: S301 - from this process
            place = self._file.tell()
            yield message


_OF_LANGUAGE: Final = "language '"  # Beginning of warnings that hold for all documents of a language
Result: TypeAlias = tuple[Document | None, Prediction | Failure]
"""The outcome of one document, with the document if it is needed and could be read."""
Noted = TypeVar("Noted", Result, FinishedRecord, Result | FinishedRecord)


@dataclass(slots=True)
class Writer:
    """A writer of results one by one, which collects failures and warnings."""

    system: str
    explain: bool = False  # whether tables and pages show reasons and places
    screen: Screen = field(default_factory=Screen)  # where text for people is shown
    wide: bool = False  # whether tables have one row for each document, not for each keyphrase
    concepts: bool = False  # whether tables have columns of concepts
    keep: tuple[str, ...] = ()  # names of the documents' other data that tables also have, as columns
    signed: bool = False  # whether the output has the full signature already; else it is in the first record
    reviewed: str = ""  # who chose the keyphrases, of reviewed ones; empty for those of a system
    # other options that decide the results, in the same record
    options: Mapping[str, Any] = field(default_factory=dict)
    assumed: dict[Assumption, None] = field(default_factory=dict)  # assumptions of the probabilities of the documents
    dialect: tuple[str, str] = (",", "")  # separator and byte order mark of CSV
    source: Path = Path()  # the file of the document, for formats that are made from it
    done: int = 0  # number of documents with a prediction
    failures: Spool[Failure] = field(default_factory=Spool)
    warnings: Spool[str] = field(default_factory=Spool)  # warnings of the documents, with their names
    # warnings about a language as a whole, each once, by its beginning
    of_languages: dict[str, dict[str, None]] = field(default_factory=dict)

    def write(self, results: Iterable[Result | FinishedRecord], form: OutputFormat) -> Pieces:
        """Yield pieces of the output in a format."""
        noted: Any = map(self._note, results)
        return self._write_records(noted, form) if form.bibliographic else form.writer()(self, noted)

    def _write_records(self, results: Iterable[Result], form: OutputFormat) -> Iterator[Any]:
        """Yield bibliographic records, for a terminal without characters that could control it."""
        for piece in form.writer()((outcome for _, outcome in results), self.reviewed):
            if isinstance(piece, Failure):
                self.failures.append(piece)
                self.done -= 1
            else:
                yield escape_controls(piece) if self.screen.terminal and isinstance(piece, str) else piece

    def _note(self, result: Noted) -> Noted:
        outcome = result if isinstance(result, FinishedRecord) else result[1]
        failure = outcome.failure if isinstance(outcome, FinishedRecord) else outcome
        if isinstance(failure, Failure):
            self.failures.append(failure)
        elif not isinstance(outcome, Failure):
            self.done += 1
            if isinstance(outcome, Prediction) and outcome.assumes:
                self.assumed[outcome.assumes] = None
            for warning in outcome.warnings:
                language, _, reason = warning.partition(": ")
                if language.startswith(_OF_LANGUAGE):
                    self.of_languages.setdefault(language, {}).setdefault(reason)
                else:
                    self.warnings.append(f"{outcome.document_id}: {warning}")
        return result

    @property
    def assumptions(self) -> list[str]:
        """Meaning of the probabilities of the documents, a sentence for each style."""
        return describe_assumptions(self.assumed)

    def notes(self) -> Iterator[str]:
        """Yield a line for each language of the run, of what it lacks, then the warnings of documents."""
        for language, reasons in self.of_languages.items():
            yield f"{language}: {'; '.join(reasons)}"
        yield from self.warnings

    def table(self, result: Result) -> str:
        """Return the table of a result for people; empty for a failure, which is printed on standard error."""
        document, prediction = result
        if isinstance(prediction, Failure) or document is None:
            return ""
        text = self.screen.wrap(escape_controls(format_heading(prediction)))
        text += draw_keyphrases(document, prediction, self.screen)
        if prediction.author_keywords:
            keywords = escape_controls("; ".join(prediction.author_keywords))
            text = f"{text.rstrip()}\n\n{self.screen.wrap(keywords, 'author keywords: ', '  ')}\n"
        if self.explain and prediction.keyphrases:
            text += explain_keyphrases(document, prediction, self.screen) + "\n"
        return text


def write_tables(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a table for each document, then what their probabilities mean."""
    yield from map(writer.table, results)
    yield "".join(map(writer.screen.wrap, writer.assumptions))


def write_page(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield one page for all documents, with their whole texts, so that it is written at the end."""
    articles: list[Article] = []
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            articles.append(render_article(document, outcome, len(articles) + 1))
    yield render_page(articles, tuple(writer.failures), writer.system, writer.assumptions)


def write_marked_pdf(writer: Writer, results: Iterable[Result]) -> Iterator[bytes]:
    """Yield a copy of the one document's PDF with its keyphrases; raise ``UnreadableInput`` if it cannot be read."""
    for document, outcome in results:
        if isinstance(outcome, Failure):
            raise UnreadableInput(outcome.message, outcome.hint)
        assert document is not None  # noqa: S101 - formats with whole texts keep the documents
        marked, warnings = api.mark_pdf(writer.source.read_bytes(), document, outcome)
        for warning in warnings:
            writer.warnings.append(warning)
        yield marked


def format_heading(prediction: Prediction) -> str:
    """Return the id of a document, with its language and how much was read."""
    coverage = prediction.coverage
    read = f", {phrase_words.describe_coverage(coverage)}" if coverage else ""
    return f"{prediction.document_id} ({prediction.language}{read})"


def write_json_lines(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield a line of JSON for each document."""
    return (text + "\n" for text in sign_records(records, writer.system, writer.options, signed=writer.signed))


def write_json(writer: Writer, records: Iterable[FinishedRecord]) -> Iterator[str]:
    """Yield one JSON list with a record for each document."""
    separator = "[\n"
    for line in write_json_lines(writer, records):
        yield separator + line.rstrip("\n")
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def write_labelled(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each document, with its text and its keyphrases as gold."""
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            yield to_json(labelled_record(document, outcome.keyphrases, writer.reviewed)) + "\n"
