"""Review on the page: decisions on phrases, thresholds, and the files of keyphrases and labelled records it saves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from keywright import api
from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.core.records import FinishedRecord, labelled_record
from keywright.core.signatures import short_signature
from keywright.faces.outputs import output_formats
from keywright.faces.outputs.keyphrase_page import Controls, escape_html
from keywright.faces.outputs.output_formats import find_format
from keywright.faces.outputs.phrase_words import collapse_spaces
from keywright.faces.outputs.results import Writer
from keywright.faces.service.page_documents import PrecisionStep, SentForm, ShownDocument, ShownDocuments

ACCEPT, REJECT, UNDECIDED = "accept", "reject", ""
BY: Final = "reader"
"""Who chose, in the labelled records: readers in the sense of SemEval-2010, who saw the document."""
_SIGNS: Final = ((ACCEPT, "✓", "accept"), (UNDECIDED, "–", "undecided"), (REJECT, "✗", "reject"))


class Review(NamedTuple):
    """Decisions on one document.

    Attributes:
        accepted: phrases of the list, in its order, then those that were added.
        rejected: phrases of the list.
    """

    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


def read_review(prediction: Prediction, number: int, fields: Mapping[str, str]) -> Review:
    """Return the decisions on a document in the fields of the page; ``number``: its place on the page, from 1."""
    decided = [(fields.get(f"d{number}-{rank}-decision"), text) for rank, text in enumerate(prediction.texts, start=1)]
    added = (collapse_spaces(line).strip() for line in fields.get(f"d{number}-added", "").splitlines())
    accepted = (*(text for decision, text in decided if decision == ACCEPT), *added)
    rejected = tuple(text for decision, text in decided if decision == REJECT)
    return Review(tuple(dict.fromkeys(filter(None, accepted))), rejected)


def write_reviewed(shown: Iterable[ShownDocument], reviews: Iterable[Review]) -> Iterator[str]:
    """Yield a line of labelled JSON Lines for each document with a decision.

    Raises:
        BadParameter: nothing was decided.
    """
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
    """Positions of the sliders of the page.

    Attributes:
        least: least probability, in percent.
        step: place of the precision that is guaranteed, from 1; 0 for none.
        steps: precisions that can be guaranteed.
    """

    least: int = 0
    step: int = 0
    steps: Sequence[PrecisionStep] = ()

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
    least, step = positions
    return Thresholds(least, step, steps)


def select_saved(prediction: Prediction, review: Review, thresholds: Thresholds) -> Prediction:
    """Return what is saved and copied: the phrases that are shown or accepted, minus rejected, plus added ones."""
    listed, accepted, rejected = set(prediction.texts), set(review.accepted), set(review.rejected)
    saved = [
        each for each in prediction if each.text not in rejected and (thresholds.allows(each) or each.text in accepted)
    ]
    # No system gave a score to a phrase that a person added.
    saved += [Keyphrase(text, 0.0) for text in review.accepted if text not in listed]
    return replace(prediction, keyphrases=tuple(saved), chosen=None)


FORMATS: Final = tuple(
    form for form in output_formats.KEYPHRASES if form not in {output_formats.TABLE, output_formats.PDF}
)
"""Formats that the page offers: the first is chosen until another is."""


class SavedFile(NamedTuple):
    """A file to save: its name, its media type and its content."""

    name: str
    media_type: str
    content: bytes


def keep_document(shown: ShownDocuments, number: int, fields: Mapping[str, str]) -> tuple[Document, Prediction]:
    """Return a document by its place on the page, from 1, with its keyphrases that are kept."""
    each = shown.documents[number - 1]
    review, thresholds = read_review(each.prediction, number, fields), read_thresholds(fields, shown.steps)
    return each.document, select_saved(each.prediction, review, thresholds)


def export_keyphrases(shown: ShownDocuments, fields: Mapping[str, str]) -> SavedFile:
    """Return the keyphrases that are kept, in the format that was chosen.

    Raises:
        UnknownName, BadParameter: fields that the page does not send.
        MissingExtra: the format needs a package that is not installed.
    """
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
    return SavedFile(f"keyphrases{form.endings[0]}", form.media_type, content)


def mark_document(shown: ShownDocuments, form: SentForm) -> SavedFile:
    """Return a copy of a PDF that was sent again, with the keyphrases of its document that are kept.

    Raises:
        BadParameter: there is not one file with the number of its document.
        BrokenFile: the file is damaged, or not a PDF.
    """
    number = form.fields.get("number", "")
    if len(form.files) != 1 or number not in map(str, range(1, len(shown.documents) + 1)):
        raise BadParameter(f"document {number!r:.20} with {len(form.files)} files", "send one PDF, and its number")
    document, prediction = keep_document(shown, int(number), form.fields)
    return SavedFile("marked.pdf", "application/pdf", api.mark_pdf(form.files[0].file.read(), document, prediction)[0])


def export_review(shown: ShownDocuments, fields: Mapping[str, str]) -> SavedFile:
    """Return labelled documents, one for each document with a decision.

    Raises:
        BadParameter: nothing was decided.
    """
    reviews = (read_review(each.prediction, number, fields) for number, each in enumerate(shown.documents, start=1))
    lines = "".join(write_reviewed(shown.documents, reviews))
    return SavedFile("reviewed.jsonl", "application/x-ndjson", lines.encode("utf-8"))
