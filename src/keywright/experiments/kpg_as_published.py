"""Calibration errors as the study of keyphrase generators computed them, which is not how they are defined.

What all of them share, and what is wrong with it:

- gold is stemmed twice, predictions and texts once; Porter's stems of stems are other stems at times, so that right
  phrases count as wrong (``judged_again``);
- a phrase is present if its letters stand in the stemmed text, in the middle of words, too;
- a document without a phrase of a class counts as one phrase, which is in no bin (``error_as_published``): errors come
  out too small, most of all those of absent phrases.

What one model has of its own is said where it is done. The study's numbers for Transformer One2Seq and One2Set come
from scoring tokens in place of phrases; no reading of that could be found that gives them, and there is none here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from keywright.calibration.confidence import Confidence, confidences
from keywright.calibration.reliability import bin_totals
from keywright.core.documents import Document
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Keyphrase
from keywright.evaluation.foreign.found import Found
from keywright.evaluation.foreign.generations import Output
from keywright.evaluation.kpg.forms import blank_stems
from keywright.experiments.kpg_predictions import predicted_run

PRESENT_START: Final = "<p_start>"
ABSENT_START: Final = "<a_start>"
SEPARATOR: Final = ";"


@dataclass(frozen=True, slots=True)
class Scored:
    """A phrase of a document as the study scored it.

    Attributes:
        confidence: 0 to 1; None for a phrase that is counted and not scored.
        present: whether it was taken to be present.
        correct: whether it was taken to be right.
    """

    confidence: float | None
    present: bool
    correct: bool


@dataclass(frozen=True, slots=True)
class Again:
    """A document as the study saw it.

    Attributes:
        text: stems of the text, the mark between title and abstract among them.
        gold: stems of stems of its gold.
    """

    text: str
    gold: tuple[str, ...]

    def present(self, form: str) -> bool:
        """Whether the letters of a form stand in the text, be it within words."""
        return form in self.text

    def of_class(self, form: str) -> bool:
        """Whether a form is gold, which then is of its class."""
        return form in self.gold


def judged_again(labelled: LabelledDocument[Document]) -> Again:
    """Text stemmed once and gold twice."""
    text = labelled.document.text.replace("\n", " <eos> ")
    return Again(blank_stems(text), tuple(blank_stems(blank_stems(one.forms[0])) for one in labelled.gold))


def first_of_each(keyphrases: Sequence[Keyphrase], document: Again, _: Output) -> list[Scored]:
    """T5: spellings once each with their first confidence, so that other forms of one stem count again."""
    once = {one.text: one for one in reversed(keyphrases)}
    kept = [one for one in keyphrases if once[one.text] is one]
    return [
        Scored(sure, document.present(form), document.of_class(form))
        for sure, form in zip(confidences(kept, Confidence.KPP_S).tolist(), map(_stems, kept), strict=True)
    ]


def without_the_last(keyphrases: Sequence[Keyphrase], document: Again, output: Output) -> list[Scored]:
    """BART: what no separator closes, the last phrase of nearly every document, is counted and never scored.

    Confidences are looked up by stems, and a repeat's takes the place of an earlier one's; spellings count once each.
    """
    closed = output.tokens.count(f" {SEPARATOR}") + output.tokens.count(SEPARATOR)
    sure = confidences(keyphrases[:closed], Confidence.KPP_S).tolist()
    known = dict(zip(map(_stems, keyphrases[:closed]), sure, strict=True))
    forms = [blank_stems(text) for text in dict.fromkeys(one.text for one in keyphrases)]
    return [Scored(known.get(form), document.present(form), document.of_class(form)) for form in forms]


def by_start_token(keyphrases: Sequence[Keyphrase], document: Again, output: Output) -> list[Scored]:
    """ExHiRD: present is what the model began as present; right is whatever stands in the joined gold, such as a part.

    Repeats count each time.
    """
    started = [token == PRESENT_START for token in output.tokens if token in {PRESENT_START, ABSENT_START}]
    joined = " ".join(document.gold)
    sure = confidences(keyphrases, Confidence.KPP_S).tolist()
    return [
        Scored(one, present, form in joined)
        for one, present, form in zip(sure, started, map(_stems, keyphrases), strict=False)
    ]


SCORING: Final[Mapping[str, Callable[[Sequence[Keyphrase], Again, Output], list[Scored]]]] = MappingProxyType(
    {"exhird": by_start_token, "bart": without_the_last, "t5": first_of_each}
)
"""How each model was scored."""


def published_error(model: str, found: Found, outputs: Mapping[str, Output], *, present: bool) -> float:
    """The calibration error of a model's phrases of a class as the study computed it, 0 to 1.

    Args:
        model: of ``SCORING``.
        found: its predictions, texts and gold.
        outputs: what it wrote, by document.
        present: which class.
    """
    answers = {one.document_id: one.keyphrases for one in predicted_run(found).predictions}
    scored = [SCORING[model](answers[one.id], judged_again(one), outputs[one.id]) for one in found.labelled]
    return error_as_published(scored, present=present)


def error_as_published(documents: Sequence[Sequence[Scored]], *, present: bool) -> float:
    """The error over ten equal bins, 0 to 1, divided by all phrases of a class and one for a document without any.

    Args:
        documents: what was scored in each.
        present: which class.
    """
    parts = [[one for one in document if one.present == present] for document in documents]
    counted = sum(max(1, len(part)) for part in parts)
    scored = [(one.confidence, one.correct) for part in parts for one in part if one.confidence is not None]
    sure, right = np.array([one[0] for one in scored]), np.array([one[1] for one in scored], bool)
    totals = bin_totals(sure, right)
    return float(np.abs(totals[1] - totals[2]).sum() / max(1, counted))


def _stems(keyphrase: Keyphrase) -> str:
    return blank_stems(keyphrase.text)
