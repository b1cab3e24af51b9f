"""Lists of phrases: plain text, one phrase a line."""

from pathlib import Path
from typing import Final

from keywright.core.errors import BadRecord, EmptyInput, MissingData, UnreadableInput
from keywright.reading.limits import Limits
from keywright.reading.plain import decode
from keywright.reading.sources import DEFAULT_LIMITS, bytes_of

_LONGEST: Final = 200  # characters of a phrase; a longer line is a paragraph. Arbitrary


def read_phrases(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the phrases of a file, in order, each once; empty lines are skipped.

    Raises:
        UnreadableInput: there is no such file, or it cannot be opened; subclasses: it is not text, or too large.
        EmptyInput: it holds no phrase.
        BadRecord: a line has neither letter nor digit, or more than 200 characters.
    """
    path = Path(path)
    try:
        text = decode(bytes_of(path, path.name, limits), path.name)
    except MissingData as error:
        raise UnreadableInput(error.message, error.hint) from error
    phrases: dict[str, None] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        phrase = " ".join(line.split())
        if not phrase:
            continue
        if len(phrase) > _LONGEST or not any(map(str.isalnum, phrase)):
            raise BadRecord(f"line {number} of {path.name} is not a phrase: {phrase:.60}", "expected one phrase a line")
        phrases[phrase] = None
    if not phrases:
        raise EmptyInput(f"{path.name} holds no phrases", "expected plain text, one phrase a line")
    return tuple(phrases)
