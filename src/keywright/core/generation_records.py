"""Token probabilities of a generated phrase, as a JSON record inside that of the keyphrase."""

from typing import Any

from keywright.core.json_values import an_object, number, numbers, texts, whole
from keywright.core.predictions import Generation


def generation_record(generation: Generation) -> dict[str, Any]:
    """Return the record of a generation; unknown values have no key."""
    record: dict[str, Any] = {
        "tokens": list(generation.tokens),
        "log_probabilities": list(map(float, generation.log_probabilities)),
        "words": generation.words,
    }
    optional = {"start": generation.start, "end": generation.end, "slot": generation.slot}
    return record | {name: value for name, value in optional.items() if value is not None}


def read_generation(value: Any) -> Generation:
    """Return the generation from its record.

    Raises:
        ValueError, TypeError, KeyError: the record is invalid.
    """
    record = an_object(value)
    start, end, slot = (record.get(name) for name in ("start", "end", "slot"))
    return Generation(
        tokens=texts(record["tokens"], "tokens"),
        log_probabilities=numbers(record["log_probabilities"], "log_probabilities"),
        end=None if end is None else number(end, "end"),
        start=None if start is None else number(start, "start"),
        slot=None if slot is None else whole(slot, "slot"),
        words=whole(record["words"], "words"),
    )
