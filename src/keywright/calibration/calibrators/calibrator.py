"""A fitted calibrator with all that is to be known of it, as one file of JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import numpy as np

from keywright.calibration.calibrators.drift import Reference
from keywright.calibration.calibrators.features import Described
from keywright.calibration.calibrators.model import ProbabilityModel, method_of
from keywright.calibration.calibrators.rank_transform import Placing
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.core.arrays import Floats
from keywright.core.errors import BrokenFile, KeywrightError, MissingData
from keywright.core.json_values import a_list, an_object, number, numbers, text, texts, whole
from keywright.core.sealed import sealed, text_of, unsealed
from keywright.core.writing import whole_file
from keywright.reading.limits import Limits

KIND: Final = "calibrator"
DIGITS: Final = 6
"""Decimals of the probabilities that are kept."""

_HUGE: Final = 1e100
"""What no number of a fit comes near; sums of products of larger ones may have no value."""

_CLASSES: Final = 2
"""Present and absent."""

_HINT: Final = "expected a file that `keywright calibrate` wrote; copy it again, or calibrate again"

Values = TypeVar("Values")


@dataclass(frozen=True, slots=True)
class Card:
    """What a calibrator is, what it is for, and what it was fitted on.

    Attributes:
        method: one of ``METHODS``.
        confidence: what it takes from phrases, one of ``Confidence``.
        depth: phrases of a list that it compares a phrase with.
        system: signature of the system whose phrases it is for.
        data: signature of the labelled documents, or their name.
        protocol: signature of the rules by which phrases were right.
        documents, phrases, correct: how many there were.
        date: of the fit, as in ISO 8601.
        keywright: version that fitted it.
    """

    method: str
    confidence: str
    depth: int
    system: str
    data: str
    protocol: str
    documents: int
    phrases: int
    correct: int
    date: str
    keywright: str


@dataclass(frozen=True, slots=True, eq=False)
class Calibrator:
    """Probabilities for the phrases of one system.

    Attributes:
        card: what it is.
        model: what it does.
        reference: what the phrases of calibration were like.
        held_out: these phrases, each with the probability that a fit on the other documents gave it, as confidence.
    """

    card: Card
    model: ProbabilityModel
    reference: Reference
    held_out: JudgedPhrases

    def of(self, seen: Described) -> Floats:
        """Probabilities, 0 to 1, (phrases,)."""
        return self.model.of(seen)

    def profile(self, seen: Described) -> tuple[int, ...]:
        """Phrases in each range of confidence, (ranges,): see ``drift``."""
        return self.reference.profile(self.model.confidence(seen), seen.present)

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON values; ``sha256`` on the card is that of all the rest."""
        model = self.model
        placing = None if model.placing is None else asdict(model.placing)
        record = {
            "card": asdict(self.card),
            "model": {"placing": placing, "map": asdict(model.map)},
            "reference": asdict(self.reference),
            "held_out": _columns(self.held_out),
        }
        return sealed(KIND, record)

    @property
    def fingerprint(self) -> str:
        """First digits of its hash: what signatures say of it."""
        return str(self.as_json()["card"]["sha256"])[:8]

    def write(self, path: Path) -> None:
        """Write it as a file of JSON, which is there whole or not at all.

        Raises:
            BadParameter: no file can be there.
        """
        with whole_file(path) as file:
            file.write(text_of(self.as_json()))

    @classmethod
    def read(cls, path: Path) -> Self:
        """A calibrator from its file.

        Raises:
            MissingData: there is none.
            BrokenFile: it is damaged, or something else.
        """
        if not path.is_file():
            hint = "`keywright calibrate RUN --gold DATASET -o FILE` makes one"
            raise MissingData(f"there is no calibrator {path}", hint)
        Limits().check_file(path.stat().st_size, str(path))
        try:
            return cls._of(unsealed(path.read_text(encoding="utf-8"), KIND))
        except (ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
            raise BrokenFile(f"the calibrator {path} cannot be read: {_reason(error):.200}", _HINT) from error

    @classmethod
    def _of(cls, record: Mapping[str, Any]) -> Self:
        given = record["card"]
        known: dict[str, Any] = {
            one.name: (whole if one.type is int else text)(given[one.name], one.name) for one in fields(Card)
        }
        card = Card(**known)
        Confidence(card.confidence)
        if not card.depth or not card.system.isprintable():
            raise ValueError(f"a card with depth {card.depth} and system {card.system!r:.60}")
        model, reference = an_object(record["model"]), an_object(record["reference"])
        counts = tuple(whole(one, "counts") for one in a_list(reference["counts"], "counts"))
        ends, others = (numbers(reference[name], name) for name in ("present_edges", "absent_edges"))
        placing = None if model["placing"] is None else _values(Placing, model["placing"])
        if (placing is not None) != (card.confidence == Confidence.SCORE):
            raise ValueError(f"placing belongs to scores, and the confidence is {card.confidence}")
        held_out = _judged(an_object(record["held_out"]))
        there = len(held_out.ids), len(held_out), int(held_out.correct.sum())
        if there != (card.documents, card.phrases, card.correct) or sum(counts) != card.phrases:
            raise ValueError(f"documents, phrases and right ones are {there}, which is not what the card has")
        fitted = ProbabilityModel(placing, _values(method_of(card.method), model["map"]))
        return cls(card, fitted, Reference(ends, others, counts), held_out)


def _values(kind: type[Values], record: Any) -> Values:
    """A part whose fields all are tuples of numbers."""
    given = an_object(record)
    values = {one.name: numbers(given[one.name], one.name) for one in fields(kind)}  # type: ignore[arg-type]  # kinds are dataclasses
    if huge := [value for column in values.values() for value in column if abs(value) > _HUGE]:
        raise ValueError(f"a number as large as {huge[0]:g}, which no fit gives")
    return kind(**values)


def _columns(judged: JudgedPhrases) -> dict[str, Any]:
    """Columns as lists; truth values as 0 and 1, which is shorter."""
    return {
        "ids": list(judged.ids),
        "document": judged.document.tolist(),
        "rank": judged.rank.tolist(),
        "probability": np.round(judged.confidence, DIGITS).tolist(),
        "correct": judged.correct.astype(int).tolist(),
        "present": judged.present.astype(int).tolist(),
        "words": judged.words.tolist(),
        "gold": judged.gold.tolist(),
    }


def _judged(record: Mapping[str, Any]) -> JudgedPhrases:
    def column(name: str, most: float = np.inf) -> Any:
        found = [whole(one, name) for one in a_list(record[name], name)]
        if found and max(found) > most:
            raise ValueError(f"{name} has {max(found)}, expected at most {most}")
        return np.array(found, dtype=np.int64)

    ids = texts(record["ids"], "ids")
    if len(set(ids)) < len(ids):
        raise ValueError("a document stands there twice")
    gold = [[whole(one, "gold") for one in a_list(pair, "gold")] for pair in a_list(record["gold"], "gold")]
    probability = np.array([number(one, "probability") for one in a_list(record["probability"], "probability")])
    if len(gold) != len(ids) or any(len(pair) != _CLASSES for pair in gold):
        raise ValueError(f"{len(gold)} numbers of gold for {len(ids)} documents, expected two for each")
    if ((probability < 0) | (probability > 1)).any():
        raise ValueError("a probability is not between 0 and 1")
    return JudgedPhrases(
        ids=ids,
        document=column("document"),
        rank=column("rank"),
        confidence=probability.astype(np.float64),
        correct=column("correct", 1).astype(bool),
        present=column("present", 1).astype(bool),
        words=column("words"),
        gold=np.array(gold, dtype=np.int64).reshape(len(ids), _CLASSES),
    )


def _reason(error: Exception) -> str:
    """What is wrong, without a hint that is for other cases."""
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return error.message if isinstance(error, KeywrightError) else str(error)
