"""Keywords of the verbs that choose which of a system's phrases are shown; ``core.list_options`` explains them."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TypedDict

from keywright.core.errors import BadParameter
from keywright.core.list_options import GuaranteeOptions
from keywright.core.parameters import make
from keywright.execution.phrase_filter import PhraseFilter
from keywright.reading.sources import read_phrases


class GuaranteeKeywords(TypedDict, total=False):
    """Keywords for ``GuaranteeOptions``."""

    min_precision: float | None
    confidence_level: float | None
    min_recall: float | None
    abstain_below: float
    best_f1: bool


class ListKeywords(GuaranteeKeywords, total=False):
    """Keywords for ``GuaranteeOptions`` and ``PhraseOptions``; phrases come from a file or any iterable."""

    min_probability: float | None
    diversity: float
    stop_phrases: str | Path | Iterable[str] | None
    vocabulary: str | Path | Iterable[str] | None
    only_vocabulary: bool
    min_words: int
    min_characters: int
    expand_acronyms: bool


_GUARANTEES: Final = frozenset(field.name for field in dataclasses.fields(GuaranteeOptions))


def phrase_filter_of(keywords: ListKeywords) -> PhraseFilter:
    """Return the filter that keywords describe, files of phrases read.

    Raises:
        BadParameter: an unknown option, or a value out of range.
        UnreadableInput: a file of phrases is missing, empty, or not a list of phrases.
    """
    for name in keywords:
        if name not in ListKeywords.__annotations__:
            raise BadParameter(
                f"extract has no option {name!r}", f"there are {', '.join(ListKeywords.__annotations__)}"
            )
    values: dict[str, Any] = {name: value for name, value in keywords.items() if name not in _GUARANTEES}
    for name in ("stop_phrases", "vocabulary"):
        phrases = values.get(name)
        values[name] = read_phrases(phrases) if isinstance(phrases, (str, Path)) else tuple(phrases or ())
    phrase_filter: PhraseFilter = make(PhraseFilter, values, "extract")
    guaranteed = [name for name in guarantees_of(keywords).changed if name in {"min_precision", "min_recall"}]
    if guaranteed and not phrase_filter.passes_all:
        message = f"{guaranteed[0]} together with other options that choose phrases"
        raise BadParameter(message, "guarantees hold for whole lists: leave out the other options, or the guarantee")
    return phrase_filter


def guarantees_of(keywords: GuaranteeKeywords) -> GuaranteeOptions:
    """Return the options for guarantees that keywords describe; others are ignored.

    Raises:
        BadParameter: a value of another type, or options that do not go together.
    """
    values = {name: value for name, value in keywords.items() if name in _GUARANTEES}
    return make(GuaranteeOptions, values, "extract")
