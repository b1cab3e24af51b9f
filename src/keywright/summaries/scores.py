"""Scores of summaries: rows of a file, one for each summary and evaluator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keywright.core.errors import BadRecord
from keywright.core.json_values import an_object, number, text, texts
from keywright.core.signatures import signature
from keywright.reading.record_lines import JsonLine
from keywright.summaries.evaluator import Evaluator
from keywright.summaries.pairs import Pair

_FORM = 'expected {"id", "system", "evaluator", "values": {…}} on each line, as `keywright summaries score -o` writes'


@dataclass(frozen=True, slots=True)
class SummaryScore:
    """The values of one summary under one evaluator.

    Attributes:
        id: the topic.
        system: the summariser.
        evaluator: specification, as given.
        signature: of the evaluator.
        values: by name; None where undefined.
        notes: for people.
        human: scores that people gave to the summary, by protocol.
    """

    id: str
    system: str
    evaluator: str
    signature: str
    values: Mapping[str, float | None]
    notes: tuple[str, ...] = ()
    human: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; ``human`` only where people gave scores."""
        record = {
            "id": self.id,
            "system": self.system,
            "evaluator": self.evaluator,
            "signature": self.signature,
            "values": dict(self.values),
            "notes": list(self.notes),
        }
        return record | ({"human": dict(self.human)} if self.human else {})


def score_pairs(
    pairs: Sequence[Pair],
    evaluators: Mapping[str, Evaluator],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[SummaryScore]:
    """Yield the scores of all pairs under each evaluator in turn.

    Args:
        pairs: summaries with what they are compared with.
        evaluators: by specification.
        progress: called with the number of scores done, and of all.
    """
    every = len(pairs) * len(evaluators)
    done = 0
    for specification, evaluator in evaluators.items():
        signed = signature(evaluator)
        for pair, evaluation in zip(pairs, evaluator.evaluate(pairs), strict=True):
            done += 1
            if progress:
                progress(done, every)
            notes = (*_text_notes(pair), *pair.notes, *evaluation.notes)
            yield SummaryScore(pair.id, pair.system, specification, signed, evaluation.values, notes, pair.human)


def _text_notes(pair: Pair) -> Iterator[str]:
    """Yield what is odd about the texts, whatever the evaluator."""
    if pair.summary.empty:
        yield "the summary is empty"
    if empty := sum(text.empty for text in pair.references):
        yield f"{empty} of {len(pair.references)} references are empty"
    if pair.own_reference:
        yield "the reference by the summary's author is left out"


def read_scores(lines: Iterable[JsonLine], name: str) -> tuple[SummaryScore, ...]:
    """Return the scores of a file's lines.

    Raises:
        BadRecord: a line is invalid, or the file holds none; the message names the line.
    """
    scores = []
    for line in lines:
        try:
            scores.append(_score_of(line.record()))
        except KeyError as error:
            raise BadRecord(f"line {line.number} of {name} has no key {error}", _FORM) from None
        except TypeError as error:
            raise BadRecord(f"line {line.number} of {name}: {error}", _FORM) from None
    if not scores:
        raise BadRecord(f"{name} holds no score", _FORM)
    return tuple(scores)


def _score_of(record: Mapping[str, Any]) -> SummaryScore:
    values = an_object(record["values"])
    return SummaryScore(
        id=str(record["id"]),
        system=text(record["system"], "system"),
        evaluator=text(record["evaluator"], "evaluator"),
        signature=text(record.get("signature", ""), "signature"),
        values={key: None if value is None else number(value, key) for key, value in values.items()},
        notes=texts(record.get("notes", []), "notes"),
        human={key: number(value, key) for key, value in an_object(record.get("human", {})).items()},
    )
