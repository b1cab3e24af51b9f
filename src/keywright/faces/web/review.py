"""Decisions of a person on the phrases of documents, from the fields of the page to labelled records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from keywright.core.errors import BadParameter
from keywright.core.json_text import to_json
from keywright.core.labelled_records import labelled_record
from keywright.core.predictions import Keyphrase, Prediction
from keywright.faces.escaping import escaped
from keywright.faces.keyphrase_page import Controls
from keywright.faces.phrase_location import one_line
from keywright.faces.web.shown_documents import ShownDocument

ACCEPT, REJECT, UNDECIDED = "accept", "reject", ""
BY: Final = "reader"
"""Who chose, in the labelled records: readers in the sense of SemEval-2010, who saw the document."""
_SIGNS: Final = ((ACCEPT, "✓", "accept"), (UNDECIDED, "–", "undecided"), (REJECT, "✗", "reject"))


@dataclass(frozen=True, slots=True)
class Review:
    """Decisions on one document.

    Attributes:
        accepted: phrases of the list, in its order, then those that were added.
        rejected: phrases of the list.
    """

    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether anything was decided."""
        return bool(self.accepted or self.rejected)


def review_of(prediction: Prediction, number: int, fields: Mapping[str, str]) -> Review:
    """Return the decisions on a document in the fields of the page; ``number``: its place on the page, from 1."""
    decided = [(fields.get(_name(number, rank), UNDECIDED), text) for rank, text in enumerate(prediction.texts)]
    added = map(one_line, fields.get(_added(number), "").splitlines())
    accepted = (*(text for decision, text in decided if decision == ACCEPT), *(text.strip() for text in added))
    rejected = tuple(text for decision, text in decided if decision == REJECT)
    return Review(tuple(dict.fromkeys(filter(None, accepted))), rejected)


def reviewed_lines(shown: Iterable[ShownDocument], reviews: Iterable[Review]) -> Iterator[str]:
    """Yield a line of labelled JSON Lines for each document with a decision.

    Raises:
        BadParameter: nothing was decided.
    """
    decided = [(each, review) for each, review in zip(shown, reviews, strict=True) if review]
    if not decided:
        raise BadParameter("nothing was accepted, rejected or added", "decide on some phrases, then save the review")
    for each, review in decided:
        concepts = {keyphrase.text: keyphrase.concept for keyphrase in each.prediction.keyphrases}
        accepted = (Keyphrase(text, 0.0, concept=concepts.get(text)) for text in review.accepted)
        yield to_json(labelled_record(each.document, accepted, BY, rejected=review.rejected)) + "\n"


def controls(prediction: Prediction, number: int, fields: Mapping[str, str]) -> Controls:
    """Return the fields of a document in which decisions are made, with those made before."""
    name = _added(number)
    written = escaped(fields.get(name, ""))
    below = (
        f'<div class="missing"><label for="{name}">Missing keyphrases, one on a line</label>'
        f'<textarea id="{name}" name="{name}" rows="2" dir="auto">\n{written}</textarea></div>\n'
    )
    return Controls(lambda rank, phrase: _around(prediction, number, rank, phrase, fields), below)


def _around(prediction: Prediction, number: int, rank: int, phrase: str, fields: Mapping[str, str]) -> str:
    """Return a phrase with its three choices, and with what the script of the page needs."""
    keyphrase, name = prediction.keyphrases[rank], _name(number, rank)
    text = escaped(one_line(keyphrase.text))
    probability = "" if keyphrase.probability is None else f' data-probability="{keyphrase.probability:.6g}"'
    decision = fields.get(name, UNDECIDED)
    choices = "".join(_choice(name, sign, decision) for sign in _SIGNS)
    return (
        f'<span class="phrase" data-rank="{rank + 1}" data-phrase="{text}"{probability}>'
        f'<span class="decide" role="radiogroup" aria-label="Decision on {text}">{choices}</span>{phrase}</span>'
    )


def _choice(name: str, sign: Sequence[str], decision: str) -> str:
    value, mark, words = sign
    checked = " checked" if value == decision else ""
    field = f'<input type="radio" name="{name}" value="{value}" aria-label="{words}"{checked}>'
    return f'<label title="{words}">{field}<span aria-hidden="true">{mark}</span></label>'


def _name(number: int, rank: int) -> str:
    return f"d{number}-{rank + 1}-decision"


def _added(number: int) -> str:
    return f"d{number}-added"
