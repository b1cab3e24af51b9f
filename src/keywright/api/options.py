"""Which of a system's phrases a person wants, as verbs are told it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from keywright.api.selective_options import Limits, asked_for
from keywright.core.errors import BadParameter
from keywright.core.parameters import make
from keywright.execution.phrase_filter import Selection
from keywright.reading.phrase_lists import read_phrases


class Wanted(Limits, total=False):
    """Which of a system's phrases are wanted; what options mean stands at ``Selection`` and ``Limits``, by their names.

    Phrases are given as they are, or as a file of them, one a line.
    """

    min_probability: float | None
    diversity: float
    stop_phrases: str | Path | Iterable[str]
    vocabulary: str | Path | Iterable[str]
    only_vocabulary: bool
    min_words: int
    min_characters: int
    expand_acronyms: bool


def selection_of(wanted: Wanted) -> Selection:
    """The options as a value, files of phrases read.

    Raises:
        BadParameter: there is no such option, or its value means nothing.
        UnreadableInput: a file of phrases is missing, empty, or no list of phrases.
    """
    for name in wanted:
        if name not in Wanted.__annotations__:
            raise BadParameter(f"extract has no option {name!r}", f"there are {', '.join(Wanted.__annotations__)}")
    given: dict[str, Any] = {name: value for name, value in wanted.items() if name not in Limits.__annotations__}
    for name in ("stop_phrases", "vocabulary"):
        phrases = given.get(name, ())
        given[name] = read_phrases(phrases) if isinstance(phrases, (str, Path)) else tuple(phrases)
    made: Selection = make(Selection, given, "extract")
    if not made.everything and (
        promised := [name for name in asked_for(wanted) if name in {"min_precision", "min_recall"}]
    ):
        message = f"{promised[0]} is asked for, and other options choose phrases, too"
        raise BadParameter(message, "promises hold for whole lists: leave out the other options, or the promise")
    return made
