"""Which of a system's phrases a person wants, as verbs are told it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypedDict

from keywright.core.errors import BadParameter
from keywright.core.parameters import make
from keywright.execution.selecting import Selection
from keywright.reading.phrase_lists import read_phrases


class Wanted(TypedDict, total=False):
    """Which of a system's phrases are wanted; what each option means stands at ``Selection``, its field's name.

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
    given: dict[str, Any] = {**wanted}
    for name in ("stop_phrases", "vocabulary"):
        phrases = given.get(name, ())
        given[name] = read_phrases(phrases) if isinstance(phrases, (str, Path)) else tuple(phrases)
    return make(Selection, given, "extract")
