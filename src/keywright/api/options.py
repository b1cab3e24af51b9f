"""Keywords of the verbs that choose which of a system's phrases are shown; ``core.list_options`` explains them."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TypedDict

from keywright.core.errors import BadParameter
from keywright.core.list_options import GuaranteeOptions
from keywright.core.parameters import make
from keywright.execution.phrase_filter import Selection
from keywright.reading.phrase_lists import read_phrases


class Limits(TypedDict, total=False):
    """Keywords for ``GuaranteeOptions``."""

    min_precision: float | None
    confidence_level: float | None
    min_recall: float | None
    abstain_below: float
    best_f1: bool


class Wanted(Limits, total=False):
    """Keywords for ``GuaranteeOptions`` and ``PhraseOptions``; phrases come from a file or any iterable."""

    min_probability: float | None
    diversity: float
    stop_phrases: str | Path | Iterable[str] | None
    vocabulary: str | Path | Iterable[str] | None
    only_vocabulary: bool
    min_words: int
    min_characters: int
    expand_acronyms: bool


_LIMITS: Final = frozenset(field.name for field in dataclasses.fields(GuaranteeOptions))


def selection_of(wanted: Wanted) -> Selection:
    """Return the options for phrases as a value, files of phrases read.

    Raises:
        BadParameter: an unknown option, or a value out of range.
        UnreadableInput: a file of phrases is missing, empty, or not a list of phrases.
    """
    for name in wanted:
        if name not in Wanted.__annotations__:
            raise BadParameter(f"extract has no option {name!r}", f"there are {', '.join(Wanted.__annotations__)}")
    values: dict[str, Any] = {name: value for name, value in wanted.items() if name not in _LIMITS}
    for name in ("stop_phrases", "vocabulary"):
        phrases = values.get(name)
        values[name] = read_phrases(phrases) if isinstance(phrases, (str, Path)) else tuple(phrases or ())
    selection: Selection = make(Selection, values, "extract")
    if not selection.everything and (guarantees := {"min_precision", "min_recall"} & set(limits_of(wanted).changed)):
        message = f"{guarantees.pop()} together with other options that choose phrases"
        raise BadParameter(message, "guarantees hold for whole lists: leave out the other options, or the guarantee")
    return selection


def limits_of(wanted: Limits) -> GuaranteeOptions:
    """Return the options for guarantees as a value.

    Raises:
        BadParameter: a value of another type, or options that do not go together.
    """
    return make(GuaranteeOptions, {name: value for name, value in wanted.items() if name in _LIMITS}, "extract")
