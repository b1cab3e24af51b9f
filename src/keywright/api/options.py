"""Options of requests: checked keywords, JSON values and texts, with suggestions for names of other tools."""

import math
import numbers
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from keywright.core.errors import BadParameter

_TOP: Final = "top=N is the number of keyphrases"
_SYSTEM: Final = "system=NAME is the method: kw.list_systems() gives the names"
_LEAST_WORDS: Final = (
    "min_words=N is the least number of words; `keywright systems NAME` shows a system's own parameters"
)
_PROBABILITY: Final = "min_probability=P leaves out phrases that are less probable"
_EACH: Final = "several processes: kw.extract_files(kw.prepare(), paths, jobs=2)"

HERE: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(
        "n k num limit count size max topn top_n topk top_k n_keyphrases num_keyphrases n_keywords num_keywords"
        " numOfKeywords max_keywords max_keyphrases nr_keywords n_best words".split(),
        _TOP,
    )
    | dict.fromkeys("method model algorithm extractor ranker".split(), _SYSTEM)
    | dict.fromkeys("keyphrase_ngram_range ngram_range ngrams max_ngram max_ngram_size max_words".split(), _LEAST_WORDS)
    | dict.fromkeys("min_score min_confidence threshold cutoff confidence".split(), _PROBABILITY)
    | dict.fromkeys("lan lang".split(), "language=CODE is the language, such as 'en'")
    | dict.fromkeys("stop_words stopwords stoplist".split(), "stop_phrases=[...] are never shown")
    | dict.fromkeys("candidates thesaurus terms".split(), "vocabulary=[...] are shown before all other phrases")
    | dict.fromkeys("use_mmr use_maxsum dedup_lim dedupLim".split(), "diversity=D leaves out similar phrases, 0 to 1")
    | dict.fromkeys("jobs n_jobs workers n_process processes engine".split(), _EACH)
)
"""Name and meaning of each option here, by the usual names of options in other tools."""


def check_top(top: object) -> None:
    """Check a number of keyphrases.

    Raises:
        BadParameter: it is not a whole number from 1.
    """
    if top is not None and (isinstance(top, bool) or not isinstance(top, numbers.Integral) or top < 1):
        raise BadParameter(f"top {top!r}", "expected a number from 1")


def check_system(system: object) -> None:
    """Check that a value can mean a system.

    Raises:
        BadParameter: it is something that belongs in another argument, such as a number of keyphrases or a text.
    """
    if isinstance(system, str) and len(system.split()) > 1:
        hint = "several documents go into one list: kw.extract([first, second])"
        raise BadParameter(f"{system!r:.60} is not the name of a system", hint)
    if not isinstance(system, str | Path) and not hasattr(system, "extract"):
        hint = "expected a name of `keywright systems`, or kw.system(name); top=N is the number of keyphrases"
        raise BadParameter(f"{system!r:.60} is not a system", hint)


def check_options(names: Collection[str], options: Collection[str]) -> None:
    """Check the names of keywords.

    ``names``: of the keywords; ``options``: of the options that there are.

    Raises:
        BadParameter: there is no such option; the hint is what it is called here.
    """
    for name in names:
        if name not in options:
            near = get_close_matches(name, options, n=1)
            nearest = f"did you mean {near[0]!r}? there are {', '.join(options)}" if near else ""
            hint = HERE.get(name) or nearest or f"there are {', '.join(options)}"
            raise BadParameter(f"extract has no option {name!r}", hint)


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


JSON_TYPES: Final[Mapping[str, str]] = {
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
MOST_KEYPHRASES: Final = 10_000
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
        if name not in JSON_TYPES:
            raise _unknown_field(name, (*others, *JSON_TYPES))
    checked = {name: _check_value(name, value) for name, value in values.items() if value is not None}
    return RequestOptions(**checked)


def options_of_texts(texts: Mapping[str, str], others: tuple[str, ...] = ()) -> RequestOptions:
    """Return options from texts, as in an address or a form; an empty text is the default.

    Raises:
        BadParameter: as for ``options_of_values``.
    """
    read = {
        name: _parse_text(name, text.strip()) for name, text in texts.items() if text.strip() or name not in JSON_TYPES
    }
    return options_of_values(read, others)


def _unknown_field(name: str, names: tuple[str, ...]) -> BadParameter:
    near = get_close_matches(name, names, n=1)
    nearest = f"did you mean {near[0]!r}? " if near else ""
    return BadParameter(
        f"a request has no field {name!r:.60}", f"{HERE.get(name) or nearest + 'fields: ' + ', '.join(names)}"
    )


def _check_value(name: str, value: Any) -> Any:
    """Return a value of the option's type."""
    kind = JSON_TYPES[name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case "integer":
            valid = is_number and isinstance(value, int) and 1 <= value <= MOST_KEYPHRASES
            expected = f"a whole number from 1 to {MOST_KEYPHRASES:,}"
        case "number":
            valid, expected = is_number and math.isfinite(value), "a number"
        case "boolean":
            valid, expected = isinstance(value, bool), "true or false"
        case _:
            valid, expected = isinstance(value, str), "a string"
    if not valid:
        raise BadParameter(f"{name} is {value!r:.60}", f"expected {expected}")
    return float(value) if kind == "number" else value


def _parse_text(name: str, text: str) -> Any:
    """Return the JSON value that a text means, the text itself where it means none."""
    kind = JSON_TYPES.get(name)
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
    except ValueError:
        return text
    return _WORDS.get(text.casefold(), text) if kind == "boolean" else text
