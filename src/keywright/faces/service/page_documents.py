"""Documents of the page with their keyphrases: to the browser and back, review, and files to save; nothing is kept."""

import json
import sys
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from starlette.datastructures import UploadFile

from keywright import api
from keywright.api import TableColumns
from keywright.api.options import options_of_texts
from keywright.api.serving import MOST_LISTED, RequestWork
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRequest, EmptyInput, TookTooLong, TooLarge, Unavailable
from keywright.core.json_values import check_list, check_numbers, check_object, check_text, replace_surrogates, to_json
from keywright.core.keyphrases import Keyphrase
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.core.pages import escape_html
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import FinishedRecord, document_record, labelled_record, read_document, read_outcome
from keywright.core.signatures import short_signature
from keywright.faces.outputs.keyphrase_page import Controls
from keywright.faces.outputs.output_formats import KEYPHRASES, PDF, TABLE, find_format
from keywright.faces.outputs.phrase_words import collapse_spaces
from keywright.faces.outputs.results import Writer
from keywright.faces.service.answers import Service
from keywright.faces.service.bodies import parse_form
from keywright.faces.service.extraction import clean_name, store_upload


class Answer(NamedTuple):
    """An answer to the browser; ``name``: of the file that it saves, empty for a page."""

    name: str
    media_type: str
    content: bytes
    status: int = 200
    policy: str = ""  # Content-Security-Policy, empty for that of the page


class PrecisionStep(NamedTuple):
    """A precision that can be guaranteed, and the least probability of a phrase that keeps it."""

    target: float
    threshold: float


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document and its keyphrases."""

    document: Document
    prediction: Prediction

    def __post_init__(self) -> None:
        """Check that the phrases are of this document, with the evidence that they name, and not too many."""
        for phrase in self.prediction.keyphrases:
            reasons = phrase.grounds.reasons.values() if phrase.grounds else ()
            if not phrase.evidence.keys() >= {name for names in reasons for name in names}:
                raise ValueError("reasons without evidence")
        if len(self.prediction.keyphrases) > MOST_LISTED:
            raise ValueError("too many phrases")
        most = max((end for phrase in self.prediction.keyphrases for _, end in phrase.spans), default=0)
        if most > len(self.document.text) or self.document.id != self.prediction.document_id:
            raise ValueError("phrases of another document")

    @classmethod
    def from_record(cls, value: object) -> Self:
        """Return what ``ShownDocuments.pack`` wrote of a document; raise an error of Python for anything else."""
        record = check_object(value)
        prediction = read_outcome(check_object(record["result"]))
        if isinstance(prediction, Failure):
            raise ValueError("a failure")  # noqa: TRY004 - of the content
        return cls(read_document(check_object(record["document"])), prediction)


@dataclass(slots=True)
class ShownDocuments:
    """Documents of one page."""

    signature: str = ""  # full signature of the system
    documents: Sequence[ShownDocument] = ()  # in the order of the page
    steps: Sequence[PrecisionStep] = ()  # precisions that the system can guarantee, if it has a calibrator
    failures: list[Failure] = field(default_factory=list)  # documents that were not done; not packed
    notes: list[str] = field(default_factory=list)  # how files were read; not packed

    def pack(self) -> str:
        """Return them as one text."""
        records = [
            {"document": document_record(each.document), "result": each.prediction.to_dict()} for each in self.documents
        ]
        return to_json({"signature": self.signature, "documents": records, "steps": self.steps})

    @classmethod
    def unpack(cls, packed: str) -> Self:
        """Return what ``pack`` wrote."""
        try:
            values = check_object(replace_surrogates(json.loads(packed if packed.count("[") <= _MOST_LISTS else "")))
            documents = tuple(map(ShownDocument.from_record, check_list(values["documents"], "documents")))
            steps = tuple(PrecisionStep(*check_numbers(each, "steps")) for each in check_list(values["steps"], "steps"))
            return cls(check_text(values["signature"], "signature"), documents, steps)
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
            hint = "extract the keyphrases again, and leave the hidden field of the page as it is"
            raise BadRequest("the page sent back something else than it got", hint) from error

    @classmethod
    def collect(cls, records: Iterable[FinishedRecord]) -> Self:
        """Return the documents of the records of several texts and files, in their order."""
        shown = cls()
        for record in records:
            if record.failure is not None:
                shown.failures.append(record.failure)
                continue
            values = json.loads(record.text)
            shown.signature = values["signature"]
            shown.notes.extend(values["notes"])
            shown.steps = tuple(PrecisionStep(*step) for step in values["guarantees"])
            failed = [read_outcome(each["result"]) for each in values["documents"] if "error" in each["result"]]
            shown.failures.extend(outcome for outcome in failed if isinstance(outcome, Failure))
            done = (each for each in values["documents"] if "error" not in each["result"])
            shown.documents = (*shown.documents, *map(ShownDocument.from_record, done))
        return shown


TEXT_NAME: Final = "pasted text"  # Id of a text from the form
FILES: Final = "files"  # Name of the field with files
MOST_FILES: Final = 50  # Most files of a form; arbitrary, for more there is the command line
_MOST_FIELDS: Final = 20_000  # Most other fields of a form that a worker reads: one for each phrase under review
_MOST_LISTS: Final = 500_000  # most mentions in what the page sends back; arbitrary, a long book has a tenth
COLUMNS: Final = ("text_column", "title_column", "id_column")  # columns of tables, named as on the command line
COLLECTION: Final = ("by", "phrases_column", *COLUMNS)  # columns of a collection, named so too


@dataclass(frozen=True, slots=True)
class SentForm:
    """Fields of a form, and its files; a file field that was left empty is none."""

    fields: Mapping[str, str]
    files: Sequence[UploadFile]

    @property
    def options(self) -> list[tuple[str, str]]:
        """Options of the extraction, as texts."""
        return [(name, self.fields[name]) for name in options_for(User.PAGE) if name in self.fields]


async def read_form(media_type: str, pieces: AsyncGenerator[bytes, None], most: int = _MOST_FIELDS) -> SentForm:
    """Return the form in the pieces of a body of this media type; raise ``BadRequest`` if it is damaged."""
    limits = {"max_files": MOST_FILES, "max_fields": most, "max_part_size": sys.maxsize}  # the body is bounded
    form = await parse_form(media_type, pieces, f"send it again, with at most {MOST_FILES} files", **limits)
    # Browsers send two characters for each line end that was typed.
    fields = {name: value.replace("\r\n", "\n") for name, value in form.multi_items() if isinstance(value, str)}
    files = [each for each in form.getlist(FILES) if isinstance(each, UploadFile) and (each.filename or each.size)]
    return SentForm(fields, files)


async def extract_form(service: Service, form: SentForm) -> list[FinishedRecord]:
    """Return the records of the text and of all files of a form; what fails costs itself only."""
    options = options_of_texts([*form.options, ("explain", "true")])
    text = find_text(form)
    columns = TableColumns(*(form.fields.get(name, "").strip() or None for name in COLUMNS))
    records: list[FinishedRecord] = []

    async def ask(name: str, source: str | Path) -> None:
        # A page that could not be sent back would be of no use.
        most = service.bodies.bytes - sum(len(record.text) for record in records)
        work = partial(RequestWork.show, name=name, options=options, source=source, columns=columns, most=most)
        try:
            service.work.check_length(source if isinstance(source, str) else "")
            records.append(await service.ask(work))
        except (EmptyInput, TooLarge, TookTooLong, Unavailable) as error:  # the other documents are still done
            records.append(FinishedRecord(name, "", failure=Failure.from_error(name, error)))

    if text:
        await ask(TEXT_NAME, text)
    for upload in form.files:
        async with store_upload(upload, service.folder) as path:
            await ask(clean_name(upload.filename or ""), path)
    return records


def find_text(form: SentForm) -> str:
    """Return the text of a form, empty if it is blank; raise ``EmptyInput`` if there is no file either."""
    text = form.fields.get("text", "")
    if text.strip():
        return text
    if not form.files:
        raise EmptyInput("there is neither a text nor a file", "paste a text, or choose a file")
    return ""


ACCEPT, REJECT, UNDECIDED = "accept", "reject", ""
BY: Final = "reader"  # Who chose, in the labelled records: readers in the sense of SemEval-2010, who saw the document
_SIGNS: Final = ((ACCEPT, "✓", "accept"), (UNDECIDED, "–", "undecided"), (REJECT, "✗", "reject"))


class Review(NamedTuple):
    """Decisions on one document."""

    accepted: tuple[str, ...] = ()  # phrases of the list, in its order, then those that were added
    rejected: tuple[str, ...] = ()  # phrases of the list


def read_review(prediction: Prediction, number: int, fields: Mapping[str, str]) -> Review:
    """Return the decisions on a document in the fields of the page; ``number``: its place on the page, from 1."""
    decided = [(fields.get(f"d{number}-{rank}-decision"), text) for rank, text in enumerate(prediction.texts, start=1)]
    added = (collapse_spaces(line).strip() for line in fields.get(f"d{number}-added", "").splitlines())
    accepted = (*(text for decision, text in decided if decision == ACCEPT), *added)
    rejected = tuple(text for decision, text in decided if decision == REJECT)
    return Review(tuple(dict.fromkeys(filter(None, accepted))), rejected)


def write_reviewed(shown: Iterable[ShownDocument], reviews: Iterable[Review]) -> Iterator[str]:
    """Yield a line of labelled JSON Lines for each document with a decision."""
    decided = [(each, review) for each, review in zip(shown, reviews, strict=True) if any(review)]
    if not decided:
        raise BadParameter("nothing was accepted, rejected or added", "decide on some phrases, then save the review")
    for each, review in decided:
        concepts = {keyphrase.text: keyphrase.concept for keyphrase in each.prediction.keyphrases}
        accepted = (Keyphrase(text, 0.0, concept=concepts.get(text)) for text in review.accepted)
        yield to_json(labelled_record(each.document, accepted, BY, rejected=review.rejected)) + "\n"


def make_controls(
    prediction: Prediction, number: int, fields: Mapping[str, str], *, is_folded: bool = False
) -> Controls:
    """Return the fields of a document in which decisions are made, with those made before; ``is_folded``: its text."""
    name = f"d{number}-added"
    written = escape_html(fields.get(name, ""))
    below = (
        f'<div class="missing"><label for="{name}">Missing keyphrases, one on a line</label>'
        f'<textarea id="{name}" name="{name}" rows="2" dir="auto">\n{written}</textarea></div>\n'
    )

    def wrap_phrase(index: int, phrase: str) -> str:
        """Return a phrase with its three choices, and with what the script of the page needs."""
        keyphrase, name = prediction.keyphrases[index], f"d{number}-{index + 1}-decision"
        text = escape_html(collapse_spaces(keyphrase.text))
        probability = "" if keyphrase.probability is None else f' data-probability="{keyphrase.probability:.6g}"'
        decision = fields.get(name, UNDECIDED)
        choices = "".join(
            f'<label title="{words}"><input type="radio" name="{name}" value="{value}" aria-label="{words}"'
            f'{" checked" if value == decision else ""}><span aria-hidden="true">{mark}</span></label>'
            for value, mark, words in _SIGNS
        )
        return (
            f'<span class="phrase" data-rank="{index + 1}" data-phrase="{text}"{probability}>'
            f'<span class="decide" role="radiogroup" aria-label="Decision on {text}">{choices}</span>{phrase}</span>'
        )

    return Controls(wrap_phrase, below, is_folded)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Positions of the sliders of the page."""

    least: int = 0  # least probability, in percent
    step: int = 0  # place of the precision that is guaranteed, from 1; 0 for none
    steps: Sequence[PrecisionStep] = ()  # precisions that can be guaranteed

    @property
    def probability(self) -> float:
        """Least probability that both allow."""
        return max(self.least / 100, self.steps[self.step - 1].threshold if self.step else 0.0)

    def allows(self, keyphrase: Keyphrase) -> bool:
        """Return whether a phrase is shown; one without a probability always is."""
        return keyphrase.probability is None or keyphrase.probability >= self.probability


def read_thresholds(fields: Mapping[str, str], steps: Sequence[PrecisionStep]) -> Thresholds:
    """Return the positions in the fields of the page; raise ``BadParameter`` if a position is not on its slider."""
    positions = []
    for name, most in (("least", 100), ("precision", len(steps))):  # percent, and places
        text = fields.get(name, "0")
        if not text.isdecimal() or int(text) > most:
            raise BadParameter(f"{name} is {text!r:.20}", f"expected a whole number from 0 to {most}")
        positions.append(int(text))
    return Thresholds(positions[0], positions[1], steps)


def select_saved(prediction: Prediction, review: Review, thresholds: Thresholds) -> Prediction:
    """Return what is saved and copied: the phrases that are shown or accepted, minus rejected, plus added ones."""
    listed, accepted, rejected = set(prediction.texts), set(review.accepted), set(review.rejected)
    saved = [
        each for each in prediction if each.text not in rejected and (thresholds.allows(each) or each.text in accepted)
    ]
    # No system gave a score to a phrase that a person added.
    saved += [Keyphrase(text, 0.0) for text in review.accepted if text not in listed]
    return replace(prediction, keyphrases=tuple(saved), chosen=None)


FORMATS: Final = tuple(form for form in KEYPHRASES if form not in {TABLE, PDF})  # formats of the page


def keep_document(shown: ShownDocuments, number: int, fields: Mapping[str, str]) -> tuple[Document, Prediction]:
    """Return a document by its place on the page, from 1, with its keyphrases that are kept."""
    each = shown.documents[number - 1]
    review, thresholds = read_review(each.prediction, number, fields), read_thresholds(fields, shown.steps)
    return each.document, select_saved(each.prediction, review, thresholds)


def export_keyphrases(shown: ShownDocuments, fields: Mapping[str, str]) -> Answer:
    """Return the keyphrases that are kept, in the format that was chosen."""
    form = find_format(FORMATS, fields.get("format", ""))
    predictions = [keep_document(shown, number, fields)[1] for number in range(1, len(shown.documents) + 1)]
    results: Iterator[Any]
    if form.records:
        system = short_signature(shown.signature)
        results = (
            FinishedRecord(each.document_id, to_json(each.to_dict(system)), each.warnings, each.profile)
            for each in predictions
        )
    else:
        results = ((each.document, kept) for each, kept in zip(shown.documents, predictions, strict=True))
    pieces = Writer(shown.signature).write(results, form)
    content = b"".join(piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces)
    return Answer(f"keyphrases{form.endings[0]}", form.media_type, content)


def mark_document(shown: ShownDocuments, form: SentForm) -> Answer:
    """Return a copy of a PDF that was sent again, with the keyphrases of its document that are kept."""
    number = form.fields.get("number", "")
    if len(form.files) != 1 or number not in map(str, range(1, len(shown.documents) + 1)):
        raise BadParameter(f"document {number!r:.20} with {len(form.files)} files", "send one PDF, and its number")
    document, prediction = keep_document(shown, int(number), form.fields)
    return Answer("marked.pdf", "application/pdf", api.mark_pdf(form.files[0].file.read(), document, prediction)[0])


def export_review(shown: ShownDocuments, fields: Mapping[str, str]) -> Answer:
    """Return labelled documents, one for each document with a decision."""
    reviews = (read_review(each.prediction, number, fields) for number, each in enumerate(shown.documents, start=1))
    lines = "".join(write_reviewed(shown.documents, reviews))
    return Answer("reviewed.jsonl", "application/x-ndjson", lines.encode("utf-8"))
