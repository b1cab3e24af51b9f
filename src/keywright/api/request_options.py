"""Options of a request to the service, from JSON values or from texts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Final

from keywright.api.misnamed_options import HERE
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """Options that a request may have: a part of those of ``extract``.

    Attributes:
        top: number of keyphrases; None for 10, or the system's own cutoff.
        language: ISO 639-1 code; None for the document's own, or the detected one.
        style: whose choice of keyphrases is imitated.
        expect: number of keyphrases that people give to such a document.
        quality: how closely the default reads: standard or best.
        explain: whether keyphrases come with their evidence.
        min_probability: phrases that are less probable are left out.
        vocabulary: name of one of the service's vocabularies, whose phrases come first.
        only_vocabulary: whether only these are shown.
        label_language: ISO 639-1 code of the labels of concepts.
        broader: whether concepts directly above those in the text are shown as well.
        absent: whether keyphrases that the text does not contain are suggested behind the others.
    """

    top: int | None = None
    language: str | None = None
    style: str | None = None
    expect: float | None = None
    quality: str | None = None
    explain: bool = False
    min_probability: float | None = None
    vocabulary: str | None = None
    only_vocabulary: bool = False
    label_language: str | None = None
    broader: bool = False
    absent: bool = False

    @property
    def choices(self) -> dict[str, Any]:
        """Values that differ from the defaults, by name."""
        return {
            each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) != each.default
        }


KINDS: Final[Mapping[str, str]] = {
    "top": "integer",
    "language": "string",
    "style": "string",
    "expect": "number",
    "quality": "string",
    "explain": "boolean",
    "min_probability": "number",
    "vocabulary": "string",
    "only_vocabulary": "boolean",
    "label_language": "string",
    "broader": "boolean",
    "absent": "boolean",
}
"""JSON type of each option."""
MOST: Final = 10_000
"""Most keyphrases that may be asked for; arbitrary, more than a document has."""
_WORDS: Final = {
    "true": True,
    "1": True,
    "yes": True,
    "on": True,
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}


def options_of_values(values: Mapping[str, Any], others: tuple[str, ...] = ()) -> RequestOptions:
    """Return options from JSON values; null is the default.

    Args:
        values: by the names of options.
        others: names that the request may have besides, for the message.

    Raises:
        BadParameter: there is no such option, or a value has another type.
    """
    for name in values:
        if name not in KINDS:
            raise _unknown(name, (*others, *KINDS))
    checked = {name: _checked(name, value) for name, value in values.items() if value is not None}
    return RequestOptions(**checked)


def options_of_texts(texts: Mapping[str, str], others: tuple[str, ...] = ()) -> RequestOptions:
    """Return options from texts, as in an address or a form; an empty text is the default.

    Raises:
        BadParameter: as for ``options_of_values``.
    """
    read = {name: _read(name, text.strip()) for name, text in texts.items() if text.strip() or name not in KINDS}
    return options_of_values(read, others)


def _unknown(name: str, names: tuple[str, ...]) -> BadParameter:
    near = get_close_matches(name, names, n=1)
    nearest = f"did you mean {near[0]!r}? " if near else ""
    return BadParameter(
        f"a request has no field {name!r:.60}", f"{HERE.get(name) or nearest + 'fields: ' + ', '.join(names)}"
    )


def _checked(name: str, value: Any) -> Any:
    """Return a value of the option's type."""
    kind = KINDS[name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case "integer":
            valid = is_number and isinstance(value, int) and 1 <= value <= MOST
            expected = f"a whole number from 1 to {MOST:,}"
        case "number":
            valid, expected = is_number and math.isfinite(value), "a number"
        case "boolean":
            valid, expected = isinstance(value, bool), "true or false"
        case _:
            valid, expected = isinstance(value, str), "a string"
    if not valid:
        raise BadParameter(f"{name} is {value!r:.60}", f"expected {expected}")
    return float(value) if kind == "number" else value


def _read(name: str, text: str) -> Any:
    """Return the JSON value that a text means, the text itself where it means none."""
    kind = KINDS.get(name)
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
    except ValueError:
        return text
    return _WORDS.get(text.casefold(), text) if kind == "boolean" else text
